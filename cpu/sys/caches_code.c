/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions in memories with wait states: the instruction cache, and the buffer of lines that come past it. */
#include "cpu/sys/caches_inside.h"
#include "cpu/sys/pay.h"

enum { CODE_WAYS = 2 };

static bool code_cached(const struct cpu *c)
{
	return c->config.icache_size && c->sys->reg[c->core.secure][SCS_CCR] & CCR_IC;
}

bool caches_code_off(const struct cpu *c) { return !code_cached(c); }

static u32 *code_line(const struct cpu *c, u32 addr)
{
	return find(&c->caches->state.code, addr, sets_of(c->config.icache_size, CODE_WAYS), CODE_WAYS);
}

static bool is_there(const struct cpu *c, u32 addr)
{
	return fetched_is(c, addr / CACHE_LINE) || (code_cached(c) && code_line(c, addr));
}

static u32 line_cost(const struct cpu *c, u32 addr)
{
	const struct cpu_memory *m = caches_memory(c, addr);

	return !m || is_there(c, addr) ? 0 : transfer_cost(c, m, addr, LINE_BEATS, false);
}

static bool is_cacheable(const struct cpu *c, u32 addr)
{
	struct mpu_result mpu;

	mpu_lookup(c, addr, c->core.secure, true, &mpu);
	return mpu.cacheable;
}

static void fetch_line(struct cpu *c, u32 addr)
{
	const u32 number = addr / CACHE_LINE;

	count_beats(c, LINE_BEATS);
	if (!code_cached(c))
		pay_code(c, caches_memory(c, addr), addr);
	if (!code_cached(c) || !is_cacheable(c, addr)) {
		*fetched_at(c, number) = cache_word(number);
		return;
	}
	c->sys->count[COUNT_ICACHE_REFILL]++;
	u32 *to = place(&c->caches->state.code, addr, sets_of(c->config.icache_size, CODE_WAYS), CODE_WAYS);
	leaves(c, *to, FREE_FETCH);
	*to = cache_word(number);
}

static void note_fetched(struct cpu *c, u32 addr)
{
	if (!caches_memory(c, addr) || (code_cached(c) && code_line(c, addr))) /* the other one may have taken its place */
		c->lines[addr / CACHE_LINE] |= FREE_FETCH;
}

/* Both lines are looked for before either comes. */
i32 caches_fetch_within(struct cpu *c, u32 pc, unsigned bytes, u32 most)
{
	const u32 first = line_cost(c, pc), second = crosses(pc, bytes) ? line_cost(c, pc + bytes - 1) : 0;

	if (first + second > most)
		return -1;
	if (first)
		fetch_line(c, pc);
	if (second)
		fetch_line(c, pc + bytes - 1);
	note_fetched(c, pc + bytes - 1);
	if (crosses(pc, bytes))
		note_fetched(c, pc);
	return (i32)(first + second);
}

/* A line that straight code comes to. */
i32 caches_fetch_line(struct cpu *c, u32 line, u32 most)
{
	const u32 addr = line * CACHE_LINE, cost = line_cost(c, addr);

	if (cost > most)
		return -1;
	if (cost)
		fetch_line(c, addr);
	note_fetched(c, addr);
	return (i32)(cost << 16);
}

void caches_look_again(struct cpu *c)
{
	if (!c->caches)
		return;
	const u32 enabled = c->sys->reg[c->core.secure][SCS_CCR] & (CCR_IC | CCR_DC), lost = c->caches->enabled & ~enabled;

	if (enabled != c->caches->enabled)
		pay_forget(c);
	c->caches->enabled = enabled;
	if (lost & CCR_IC)
		all_leave(c, &c->caches->state.code, FREE_FETCH);
	if (lost & CCR_DC)
		all_leave(c, &c->caches->state.data, FREE_DATA);
}

/* ---- maintenance ------------------------------------------------------------------------------------- */

static void drop_fetched(struct cpu *c)
{
	memset(c->fetched, 0, sizeof(c->fetched));
}

void caches_drop_code(struct cpu *c)
{
	if (!c->caches)
		return;
	all_leave(c, &c->caches->state.code, FREE_FETCH);
	memset(&c->caches->state.code, 0, sizeof(c->caches->state.code));
	drop_fetched(c);
}

void caches_drop_code_line(struct cpu *c, u32 addr)
{
	if (!c->caches)
		return;
	u32 *line = c->config.icache_size ? code_line(c, addr) : NULL;
	if (line) {
		leaves(c, *line, FREE_FETCH);
		*line = 0;
	}
	drop_fetched(c);
}

