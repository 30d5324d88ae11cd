/* SPDX-License-Identifier: Apache-2.0 */
/* The tail-call engine while somebody observes instructions: every slot has this handler. The plain function does the work and tells
 * what it accesses; what it cannot do is done by the stepping engine, which tells it. */
#include "cpu/engine/registers.h"

#include "cpu/engine/handler.h"
#include "cpu/engine/observed.h"
#include "cpu/engine/waits.h"

#include "cpu/sysop.h"

/* How an instruction went, and the budget behind it, of which the rest of its block is paid. */
struct done { enum out out; i32 left; };

/* An instruction of a decoded page. */
struct each {
	struct observed_instruction told;
	u32 end;
	i64 rest; /* what the rest of its block costs */
	u32 shape;
	u8 it;
	bool ends;
};

/* Core registers beside those that the row names, which few operations change; the flags of apsr without N, Z, C and V. */
struct others { u32 sp, lr, apsr; };


ALWAYS_INLINE struct each each_of(const struct slot *s, const struct flags *f)
{
	const struct code_page *p = page_of(s);
	const unsigned i = slot_index(p, s), info = p->info[i];
	const u8 length = info & INFO_WIDE ? 4 : 2, it = p->it[i];
	const u32 pc = p->addr + i * 2;
	const bool ends = info & INFO_ENDS;

	return (struct each){ .told = { s, pc, info & INFO_OP, length, !it || flags_hold_any(f, it >> 4) }, .end = pc + length,
			      .rest = ends ? 0 : s[length / 2].cost, .shape = p->shape[i], .it = it, .ends = ends };
}

static u32 next_of(const struct slot *s, const struct cpu *c, const struct each *k, enum out out)
{
	switch (out) {
	case OUT_TAKEN: case OUT_GO: return slot_address(slot_linked(s->imm));
	case OUT_JUMP: return c->core.next_pc & ~1u;
	default: return k->end;
	}
}

/* Everything as behind an instruction of the stepping engine, for those that are told look at it. */
static void spill(struct cpu *c, const struct each *k, const struct flags *f, u32 next, i64 left)
{
	flags_spill(c, f);
	c->core.r[15] = next;
	c->core.epsr_it = k->told.op == OP_it ? k->told.s->d : it_advance(k->it);
	engine_sync(c, left);
}

ALWAYS_INLINE struct others others_of(const struct cpu *c)
{
	return (struct others){ c->core.r[13], c->core.r[14], c->core.apsr & 0x0fffffff };
}

/* The record of an instruction that writes what its row names: nothing is to be compared but SP, LR and the flags. */
ALWAYS_INLINE void add_named(struct cpu *c, const struct each *k, const struct others *before)
{
	const struct others now = others_of(c);
	struct cpu_record *r = &c->observed->record;
	u32 mask = k->told.executed ? k->shape & SHAPE_ROW : 0;

	mask |= (u32)(now.sp != before->sp) << 13 | (u32)(now.lr != before->lr) << 14 | (u32)(now.apsr != before->apsr) << 15;
	for (; mask; mask &= mask - 1) {
		const unsigned i = (unsigned)__builtin_ctz(mask);

		observed_write(r, (u16)(i == 15 ? CPU_REG_XPSR : i), i == 15 ? c->core.apsr : c->core.r[i]);
	}
	observed_tell(c);
}

/* Apart, so that no address of a local variable is alive when a handler jumps on. */
static NOINLINE struct done execute(const struct slot *s, struct cpu *c, struct flags *f, i32 left)
{
	const struct each k = each_of(s, f);
	const bool named = k.shape & SHAPE_NAMED && !c->observed->reads;
	const struct others before = others_of(c);
	enum out out = OUT_NEXT;

	if (LIKELY(named)) {
		observed_head(c, &k.told);
		c->observed->recording = true;
	} else {
		flags_spill(c, f);
		observed_instruction_begins(c, &k.told);
	}
	if (k.told.executed)
		out = observed_asks_slow(c, k.told.op) ? OUT_SLOW : op_plain(k.told.op)->fast(s, c, f);
	if (UNLIKELY(out == OUT_SLOW)) {
		c->observed->recording = false;
		return (struct done){ out, left };
	}
	left -= (i32)timing_waits(c, k.told.op, k.told.length == 2, k.told.pc) << 16;
	left -= out == OUT_TAKEN ? c->taken_extra : 0;
	const u32 next = next_of(s, c, &k, out);
	spill(c, &k, f, next, left + k.rest);
	c->observed->record.abandoned = false;
	if (next != k.end)
		observed_done(c, k.told.op, s, k.told.pc, k.end, next, left + k.rest);
	if (LIKELY(named))
		add_named(c, &k, &before);
	else
		observed_instruction_ends(c, &k.told);
	if (UNLIKELY(c->engine->leave)) { /* one that was told wants the run loop; decoded code may be gone */
		c->engine->left = left + k.rest;
		return (struct done){ OUT_SYS, left };
	}
	return (struct done){ k.ends && out == OUT_NEXT ? OUT_NOT_TAKEN : out, left };
}

void handler_observed_each(HANDLER_ARGS)
{
	const u32 wide = page_of(s)->info[slot_index(page_of(s), s)] & INFO_WIDE;
	enum out out;
	{
		struct flags f = FLAGS_IN;
		const struct done done = execute(s, c, &f, left);

		FLAGS_OUT();
		PIN(c);
		out = done.out;
		left = done.left;
	}
	switch (out) {
	case OUT_NEXT:
		s += wide ? 2 : 1;
		if (UNLIKELY(left < 0)) /* waits: the rest of the block, which is paid, does not fit any more */
			TAIL(go_horizon);
		DISPATCH();
	case OUT_NOT_TAKEN:
		s += wide ? 2 : 1;
		ENTER();
	case OUT_TAKEN: case OUT_GO:
		s = slot_linked(s->imm);
		ENTER();
	case OUT_JUMP:
		ENTER_ADDRESS(c->core.next_pc);
	case OUT_SYS:
		return;
	default:
		TAIL(handler_observed_step);
	}
}

void handler_observed_step(HANDLER_ARGS)
{
	c->engine->step_next = true;
	TAIL(handler_uncached);
}

/* What it loads is kept (observed_direct), but not by what is done once more by the stepping engine. */
static NOINLINE enum out execute_load(const struct slot *s, struct cpu *c, struct flags *f, unsigned op)
{
	struct cpu_outline *outline = c->observed->outline;
	u8 *const loaded = outline->loaded;
	const enum out out = op_plain(op)->fast(s, c, f);

	if (UNLIKELY(out == OUT_SLOW))
		outline->loaded = loaded;
	return out;
}

void handler_observed_load(HANDLER_ARGS)
{
	const struct code_page *p = page_of(s);
	const unsigned i = slot_index(p, s), info = p->info[i], it = p->it[i];
	enum out out = info & INFO_ENDS ? OUT_NOT_TAKEN : OUT_NEXT;
	{
		struct flags f = FLAGS_IN;

		if (!it || flags_hold_any(&f, it >> 4))
			out = execute_load(s, c, &f, info & INFO_OP);
		FLAGS_OUT();
		PIN(c);
	}
	switch (out) {
	case OUT_NEXT:
		s += info & INFO_WIDE ? 2 : 1;
		DISPATCH();
	case OUT_NOT_TAKEN:
		s += info & INFO_WIDE ? 2 : 1;
		ENTER();
	case OUT_JUMP:
		ENTER_ADDRESS(c->core.next_pc);
	default:
		TAIL(handler_observed_step);
	}
}
