/* SPDX-License-Identifier: Apache-2.0 */
/* Memory with wait states in the tail-call engine: code that is not known to be there. */
#include "cpu/engine/registers.h"

#include "cpu/engine/handler.h"
#include "cpu/engine/waits.h"

/* Cost units << 16 until a line is there; PAY_ASK: the cache must be asked. */
static u32 cost_of(const struct cpu *c, u32 line)
{
	return c->lines[line] & FREE_FETCH || fetched_is(c, line) ? 0 : c->pay.fetch[line * CACHE_LINE >> PAY_SHIFT];
}

/* As direct_lay_line does it. */
static void bring(struct cpu *c, u32 line, u32 cost)
{
	if (cost)
		*fetched_at(c, line) = cache_word(line);
}

/* As caches_fetch_within does it, where it is known what lines cost. */
static i32 fetch(struct cpu *c, u32 pc, unsigned bytes, i32 left)
{
	const u32 first = pc / CACHE_LINE, last = (pc + bytes - 1) / CACHE_LINE;
	const u32 first_cost = cost_of(c, first), last_cost = first == last ? 0 : cost_of(c, last);

	if ((first_cost | last_cost) & PAY_ASK & 1) {
		const i32 waits = caches_fetch_within(c, pc, bytes, (u32)left >> 16);
		return waits < 0 ? waits : waits << 16;
	}
	if (left < (i32)(first_cost + last_cost))
		return -1;
	bring(c, first, first_cost);
	bring(c, last, last_cost);
	return (i32)(first_cost + last_cost);
}

void go_fetch(HANDLER_ARGS)
{
	const struct code_page *p = page_of(s);
	const unsigned i = slot_index(p, s);
	const i32 waits = fetch(c, p->addr + i * 2, p->info[i] & INFO_WIDE ? 4 : 2, left);

	if (waits < 0) /* it does not fit the budget: the stepping engine fetches and executes the instruction, as the others do */
		TAIL(go_horizon);
	left -= waits;
	TAIL(handler_of(p->behind[i]));
}
