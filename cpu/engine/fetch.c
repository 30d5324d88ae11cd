/* SPDX-License-Identifier: Apache-2.0 */
/* Code in memory with wait states, in the tail-call engine: every slot of such a page has this handler, and its own behind it. */
#include "cpu/engine/registers.h"

#include "cpu/engine/handler.h"
#include "cpu/engine/waits.h"

/* The cost units of the fetch; -1: they do not fit the budget, and nothing is done: the stepping engine fetches and executes the
 * instruction, as the others do. */
static NOINLINE i32 fetch(struct cpu *c, u32 pc, unsigned bytes, i32 left)
{
	const i32 waits = (i32)caches_fetch_cost(c, pc, bytes);

	return waits && left < waits << 16 ? -1 : (i32)caches_fetch(c, pc, bytes);
}

void go_fetch(HANDLER_ARGS)
{
	const struct code_page *p = page_of(s);
	const unsigned i = slot_index(p, s);
	const u32 pc = p->addr + i * 2, bytes = p->info[i] & INFO_WIDE ? 4 : 2;

	if (UNLIKELY(!caches_fetched(c, pc, bytes))) {
		const i32 waits = fetch(c, pc, bytes, left);

		if (waits < 0)
			TAIL(go_horizon);
		left -= waits << 16;
	}
	TAIL(handler_of(p->behind[i]));
}
