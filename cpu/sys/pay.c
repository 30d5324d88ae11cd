/* SPDX-License-Identifier: Apache-2.0 */
/* What accesses past the caches cost, as tables. */
#include "cpu/sys/pay.h"
#include "cpu/sys/caches_inside.h"
#include "cpu/sys/pages.h"

enum { LINE_WORDS = CACHE_LINE / 4 };
_Static_assert(PAY_LINE == CACHE_LINE, "they are lines of the caches");
_Static_assert(PAY_WORDS <= 2 * LINE_WORDS, "whatever word of a line is the first");
_Static_assert(PAY_MEMORIES >= CPU_MEMORIES, "each memory has a place");

void pay_forget(struct cpu *c)
{
	struct pay *k = &c->pay;

	for (unsigned i = 0; i < PAY_BLOCKS; i++) {
		k->fetch[i] = PAY_ASK;
		k->words[i] = &k->ask;
	}
	k->used = 0;
	pages_forget_pay(c);
}

void pay_reset(struct cpu *c)
{
	u32 most = 0;

	for (u32 i = 0; i < c->config.memory_count; i++) {
		const struct cpu_memory *m = &c->config.memories[i];
		const u32 line = m->latency + 2 * 2 * LINE_BEATS * m->beat; /* comes, another one goes, others take turns */
		most = line > most ? line : most;
	}
	for (u32 i = 0; i < 2 * (PAY_WORDS + 1); i++)
		for (u32 n = 0; n < 8; n++)
			c->pay.ask.units[i % 2][i / 2][n] = PAY_ASK;
	for (u32 i = 0; i < 2 * 4 * CACHE_LINE; i++)
		c->pay.ask.bytes[i % 2][i / 2 % 4][i / 8] = PAY_ASK;
	c->pay.most = (i32)(2 * most << 16 | 0xffff);
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

static u32 entry(u32 units) { return units <= PAY_MAX ? units << 16 : PAY_ASK; }

/* From word `first` of a line on; each line is an access of its own. */
static u32 words_of(const u32 *beats, u32 first, u32 words)
{
	u32 units = 0;

	for (u32 n; words; words -= n, first = 0) {
		n = words < LINE_WORDS - first ? words : LINE_WORDS - first;
		units += beats[(first + n - 1) / 2 - first / 2];
	}
	return units;
}

/* From byte `first` of a line on, no more than a beat has: of two lines in one beat of each. */
static u32 bytes_of(const u32 *beats, u32 first, u32 bytes)
{
	const u32 last = first + bytes - 1;

	return last < CACHE_LINE ? beats[last / BEAT - first / BEAT] : 2 * beats[0];
}

static void fill(struct cpu *c, const struct cpu_memory *m, u32 addr)
{
	struct pay *k = &c->pay;
	u32 beats[2][LINE_BEATS];
	const int number = memory_alone(c, m, addr);
	if (number < 0)
		return;
	for (u32 n = 0; n < 2 * LINE_BEATS; n++) {
		beats[n % 2][n / 2] = entry(transfer_cost(c, m, addr, n / 2 + 1, n % 2));
		if (beats[n % 2][n / 2] == PAY_ASK)
			return;
	}
	for (u32 words = 1; words <= PAY_WORDS; words++)
		for (u32 n = 0; n < 16; n++)
			k->of[number].units[n % 2][words][n / 2] = words_of(beats[n % 2], n / 2, words);
	for (u32 i = 0; i < 2 * 4 * CACHE_LINE; i++)
		k->of[number].bytes[i % 2][i / 2 % 4][i / 8] = bytes_of(beats[i % 2], i / 8, 1u << i / 2 % 4);
	k->words[addr >> PAY_SHIFT] = &k->of[number];
}

void pay_data(struct cpu *c, const struct cpu_memory *m, u32 addr)
{
	const struct pay_words **const words = &c->pay.words[addr >> PAY_SHIFT];

	if (*words == &c->pay.ask)
		fill(c, m, addr);
	pages_pay(c, addr, (*words)->bytes[0][0][0], (*words)->bytes[1][0][0]);
}

void pay_code(struct cpu *c, const struct cpu_memory *m, u32 addr)
{
	if (c->pay.fetch[addr >> PAY_SHIFT] == PAY_ASK && memory_alone(c, m, addr) >= 0)
		c->pay.fetch[addr >> PAY_SHIFT] = entry(transfer_cost(c, m, addr, LINE_BEATS, false));
}
