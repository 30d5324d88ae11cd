/* SPDX-License-Identifier: Apache-2.0 */
/* What accesses past the caches cost, as tables. */
#include "cpu/sys/pay.h"
#include "cpu/sys/caches_inside.h"

_Static_assert(PAY_MEMORIES >= CPU_MEMORIES, "each memory has a place");

void pay_forget(struct cpu *c)
{
	struct pay *k = &c->pay;

	for (unsigned i = 0; i < PAY_BLOCKS; i++) {
		k->read[i] = k->write[i] = PAY_ASK;
		k->fetch[i] = PAY_ASK;
	}
	memset(k->memory, 0, sizeof(k->memory));
	k->used = 0;
}

void pay_reset(struct cpu *c)
{
	u32 most = 0;

	for (u32 i = 0; i < c->config.memory_count; i++) {
		const struct cpu_memory *m = &c->config.memories[i];
		const u32 line = m->latency + 2 * 2 * LINE_BEATS * m->beat; /* comes, another one goes, others take turns */
		most = line > most ? line : most;
	}
	c->pay.most = (i32)(2 * most << 16 | 0xffff);
	memset(c->pay.beats, 0, sizeof(c->pay.beats));
	pay_forget(c);
}

void pay_look_again(struct cpu *c)
{
	struct pay *k = &c->pay;

	if (!c->config.taken)
		return;
	for (u32 used = k->used; used; used &= used - 1) {
		const unsigned i = (unsigned)__builtin_ctz(used);
		if (c->config.taken(c->config.taken_ctx, k->taken_at[i]) != k->taken[i]) {
			pay_forget(c);
			return;
		}
	}
}

/* Number of the memory, where it is alone in its block; it is noted what others take of it. -1: it is not. */
static int memory_alone(struct cpu *c, const struct cpu_memory *m, u32 addr)
{
	const u32 first = addr & ~((1u << PAY_SHIFT) - 1), last = first + ((1u << PAY_SHIFT) - 1);
	const unsigned number = (unsigned)(m - c->config.memories);

	for (u32 i = 0; i < c->config.memory_count; i++) {
		const struct cpu_memory *other = &c->config.memories[i];
		if (other != m && other->base <= last && other->base + (other->bytes - 1) >= first)
			return -1;
	}
	if (c->config.taken && !(c->pay.used >> number & 1)) {
		c->pay.taken[number] = c->config.taken(c->config.taken_ctx, addr);
		c->pay.taken_at[number] = addr;
	}
	c->pay.used |= 1u << number;
	return (int)number;
}

static u64 entry(u32 beats, u32 units) { return units <= PAY_MAX ? (u64)beats << 32 | units << 16 : PAY_ASK; }

void pay_data(struct cpu *c, const struct cpu_memory *m, u32 addr)
{
	struct pay *k = &c->pay;

	if (k->memory[addr >> PAY_SHIFT])
		return;
	const int number = memory_alone(c, m, addr);
	if (number < 0)
		return;
	u64 (*access)[8] = k->access[number];
	for (u32 beats = 1; beats <= PAY_BEATS; beats++) {
		access[0][beats - 1] = entry(beats, transfer_cost(c, m, addr, beats, false));
		access[1][beats - 1] = entry(beats, transfer_cost(c, m, addr, beats, true));
	}
	if ((access[0][PAY_BEATS - 1] | access[1][PAY_BEATS - 1]) & 1)
		return;
	k->memory[addr >> PAY_SHIFT] = (u8)(number + 1);
	k->read[addr >> PAY_SHIFT] = access[0][0];
	k->write[addr >> PAY_SHIFT] = access[1][0];
}

void pay_code(struct cpu *c, const struct cpu_memory *m, u32 addr)
{
	if (c->pay.fetch[addr >> PAY_SHIFT] == PAY_ASK && memory_alone(c, m, addr) >= 0)
		c->pay.fetch[addr >> PAY_SHIFT] = (u32)entry(LINE_BEATS, transfer_cost(c, m, addr, LINE_BEATS, false));
}

void pay_settle(struct cpu *c)
{
	for (unsigned i = 0; i < PAY_SUMS; i++)
		c->sys->count[COUNT_BUS_ACCESS] += c->pay.beats[i];
	memset(c->pay.beats, 0, sizeof(c->pay.beats));
}
