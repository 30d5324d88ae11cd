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
	return op_plain(op)->fast(s, c, f);
}

/* What a block ends with, and where the next instruction would be. */
struct last { unsigned op; u32 pc, end; };

ALWAYS_INLINE struct last last_of(const struct slot *s)
{
	const struct code_page *p = page_of(s);
	const unsigned i = slot_index(p, s), info = p->info[i];
	const u32 pc = p->addr + i * 2;

	return (struct last){ info & INFO_OP, pc, pc + (info & INFO_WIDE ? 4 : 2) };
}

ALWAYS_INLINE bool repeats(struct cpu *c, const struct slot *s, u32 next)
{
	return LIKELY(observed_repeats(c->observed, last_of(s).end, next, c->core.r[13]));
}

static void tell(struct cpu *c, const struct slot *s, u32 next, i32 left)
{
	const struct last l = last_of(s);

	observed_done(c, l.op, s, l.pc, l.end, next, left);
}

/* These apart, so that what is told seldom takes no registers from what is counted often. */
static NOINLINE void tell_taken(HANDLER_ARGS)
{
	tell(c, s, slot_address(slot_linked(s->imm)), left);
	s = slot_linked(s->imm);
	ENTER();
}

static NOINLINE void tell_jumped(HANDLER_ARGS)
{
	tell(c, s, c->core.next_pc & ~1u, left);
	ENTER_ADDRESS(c->core.next_pc);
}

void handler_observed_taken(HANDLER_ARGS)
{
	if (!repeats(c, s, slot_address(slot_linked(s->imm))))
		TAIL(tell_taken);
	s = slot_linked(s->imm);
	ENTER();
}

void handler_observed_jumped(HANDLER_ARGS)
{
	if (!repeats(c, s, c->core.next_pc & ~1u))
		TAIL(tell_jumped);
	ENTER_ADDRESS(c->core.next_pc);
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
		TAIL(handler_observed_taken);
	case OUT_JUMP:
		TAIL(handler_observed_jumped);
	default:
		TAIL(step_next);
	}
}
