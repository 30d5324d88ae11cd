/* SPDX-License-Identifier: Apache-2.0 */
/* A debugger's breakpoints: a sorted list of addresses. Where one lies, a slot leaves for the run loop
 * (handler_break, set in block.c), which asks here; all other code runs as ever. */
#include "cpu/engine/code.h"

#include <stdlib.h>

#include "memory/sorted.h"

/* Index of the first breakpoint above addr. */
static u32 above(const struct engine *e, u32 addr)
{
	return sorted_above(e->breakpoint, sizeof *e->breakpoint, e->breakpoint_count, addr);
}

bool engine_breaks_at(const struct engine *e, u32 addr)
{
	const u32 i = above(e, addr);

	return i && e->breakpoint[i - 1] == addr;
}

bool engine_at_breakpoint(const struct cpu *c)
{
	const struct engine *e = c->engine;

	return UNLIKELY(e->breakpoint_count) && e->break_passed != c->core.r[15] + 1 && engine_breaks_at(e, c->core.r[15]);
}

bool cpu_add_breakpoint(struct cpu *c, u32 addr)
{
	struct engine *e = c->engine;
	const u32 i = above(e, addr);

	if (i && e->breakpoint[i - 1] == addr)
		return true;
	u32 *more = realloc(e->breakpoint, (e->breakpoint_count + 1) * sizeof *more);
	if (!more)
		return false;
	memmove(more + i + 1, more + i, (e->breakpoint_count - i) * sizeof *more);
	more[i] = addr;
	e->breakpoint = more;
	e->breakpoint_count++;
	e->leave = true;
	code_forget(c, addr);
	return true;
}

void cpu_remove_breakpoint(struct cpu *c, u32 addr)
{
	struct engine *e = c->engine;
	const u32 i = above(e, addr);

	if (!i || e->breakpoint[i - 1] != addr)
		return;
	memmove(e->breakpoint + i - 1, e->breakpoint + i, (e->breakpoint_count - i) * sizeof *e->breakpoint);
	e->breakpoint_count--;
	e->leave = true;
	code_forget(c, addr);
}

void cpu_pass_breakpoint(struct cpu *c)
{
	c->engine->break_passed = c->core.r[15] + 1;
}
