/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of blocks in the tail-call engine while somebody follows the program's course. Everything between them runs at
 * full speed; here the plain function does the work, which says where the program goes on. */
#include "cpu/engine/registers.h"

#include "cpu/engine/handler.h"
#include "cpu/engine/observed.h"
#include "cpu/engine/waits.h"

#include "cpu/sysop.h"

/* What the plain function cannot do is done by the stepping engine, which tells it. */
static void step_next(HANDLER_ARGS)
{
	c->engine->step_next = true;
	TAIL(handler_uncached);
}

/* Apart, so that no address of a local variable is alive when a handler jumps on. */
static NOINLINE enum out execute(const struct slot *s, struct cpu *c, struct flags *f, unsigned op)
{
	return op_code(op)->fast(s, c, f);
}

void handler_observed_end(HANDLER_ARGS)
{
	const struct code_page *p = page_of(s);
	const unsigned i = slot_index(p, s), op = p->info[i] & INFO_OP, length = p->info[i] & INFO_WIDE ? 4 : 2;
	const u32 pc = p->addr + i * 2, it = p->it[i];
	enum out out = OUT_NOT_TAKEN;
	{
		struct flags f = FLAGS_IN;

		if (!it || flags_hold(&f, it >> 4))
			out = execute(s, c, &f, op);
		FLAGS_OUT();
		PIN(c);
	}
	if (out != OUT_SLOW)
		left -= (i32)timing_waits(c, op, length == 2, pc) << 16;
	switch (out) {
	case OUT_NOT_TAKEN: case OUT_NEXT:
		s += length / 2;
		ENTER();
	case OUT_TAKEN: case OUT_GO:
		left -= out == OUT_TAKEN ? c->taken_extra : 0;
		if (!observed_repeats(c->observed, pc + length, slot_address(slot_linked(s->imm)), c->core.r[13]))
			observed_done(c, op, s, pc, pc + length, slot_address(slot_linked(s->imm)), left);
		s = slot_linked(s->imm);
		ENTER();
	case OUT_JUMP:
		if (!observed_repeats(c->observed, pc + length, c->core.next_pc & ~1u, c->core.r[13]))
			observed_done(c, op, s, pc, pc + length, c->core.next_pc & ~1u, left);
		ENTER_ADDRESS(c->core.next_pc);
	default:
		TAIL(step_next);
	}
}
