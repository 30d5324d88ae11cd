/* SPDX-License-Identifier: Apache-2.0 */
/* The tail-call engine's entry, its cold continuations, and the handlers that belong to no
 * instruction: undecoded slots, the end of a page, IT. */
#include "cpu/engine/registers.h"

#include "cpu/engine/code.h"
#include "cpu/engine/cut.h"
#include "cpu/engine/handler.h"
#include "cpu/engine/observed.h"
#include "cpu/engine/translate.h"
#include "cpu/engine/waits.h"

#include "cpu/sysop.h"

static void leave(struct cpu *c, i64 left, i64 nz, u32 cf, u32 vf, u32 pc, u8 it)
{
	struct flags f = FLAGS_IN;

	flags_spill(c, &f);
	c->engine->left = left;
	c->core.r[15] = pc;
	c->core.epsr_it = it;
}

/* ITSTATE at an instruction that was reached in order: a block may end inside an IT block. */
static u8 it_of(const struct slot *s)
{
	const struct code_page *p = page_of(s);
	return p->it[slot_index(p, s)];
}

void engine_tail(struct cpu *c)
{
	const struct slot *s = code_lookup(c, c->core.r[15]);
	struct flags f = flags_from_apsr(c->core.apsr);
	struct engine *e = c->engine;

	if (!s) {
		if (!exception_pending(c))
			engine_step(c, 1);
		return;
	}
	if (UNLIKELY(slot_breaks(s))) {
		engine_step(c, 1);
		return;
	}
	i32 left = (i32)e->left - (i32)s->cost;
	if (left < 0) {
		e->bad_horizon = true;
		return;
	}
	PIN(c);
	handler_of(s->handler)(s, c, left, f.v, f.c, f.nz);
}

void go_horizon(HANDLER_ARGS)
{
	if (!it_of(s) && engine_again(c, (i64)left + s->cost)) {
		PIN(c);
		left = (i32)c->engine->left - (i32)s->cost;
		if (LIKELY(left >= 0))
			TAIL(handler_of(s->handler));
	}
	c->engine->bad_horizon = true;
	leave(c, (i64)left + s->cost, nz, cf, vf, slot_address(s), it_of(s));
}

/* Continues at r[15], which has no decoded page or lost its permission. At the end of the budget nothing is fetched any
 * more: a fault of the fetch would come before an interrupt that comes then. */
void go_lookup(HANDLER_ARGS)
{
	if (UNLIKELY(left >> 16 <= 0)) {
		leave(c, left, nz, cf, vf, c->core.r[15], 0);
		return;
	}
	c->engine->left = left; /* what is decoded is told with the time */
	s = code_lookup(c, c->core.r[15]);
	PIN(c);
	if (!s) {
		leave(c, left, nz, cf, vf, c->core.r[15], 0);
		return;
	}
	ENTER();
}

/* Where a branch in translated code goes whose target is not translated. */
void go_enter(HANDLER_ARGS)
{
	ENTER();
}

/* The handler that a slot has outside IT blocks. */
static handler_fn *plain_handler(const struct slot *s)
{
	const struct code_page *p = page_of(s);
	u16 info = p->info[slot_index(p, s)];

	return op_code(info & INFO_OP)->handler[HANDLER_SINGLE][!!(info & INFO_WIDE)];
}

/* A slot that only code before it enters until now. Most are entered once, where a page is met for the first time. */
void handler_within(HANDLER_ARGS)
{
	*slot_behind(page_of(s), slot_index(page_of(s), s)) = handler_word(handler_within_again);
	TAIL(plain_handler(s));
}

void handler_within_again(HANDLER_ARGS)
{
	translate_within(c, s);
	DISPATCH();
}

/* Accesses that were checked together, and refused: one by one. */
void go_alone(HANDLER_ARGS)
{
	const struct code_page *p = page_of(s);
	const slot_handler known = p->behind[slot_index(p, s)];

	if (LIKELY(known))
		TAIL(handler_of(known));
	TAIL(handler_of(translate_alone(c, s)));
}

/* An indirect jump to next_pc that has not been there, or meant something else since: its handler does it. */
void go_jump(HANDLER_ARGS)
{
	if (jump_plain(c->core.next_pc))
		translate_jumped(c, c->core.next_pc);
	TAIL(plain_handler(s));
}

void handler_undecoded(HANDLER_ARGS)
{
	c->core.r[15] = slot_address(s);
	TAIL(go_lookup);
}

void handler_uncached(HANDLER_ARGS)
{
	leave(c, (i64)left + s->cost, nz, cf, vf, slot_address(s), it_of(s));
}

/* A breakpoint is here: the run loop looks at it, and the stepping engine goes on. */
void handler_break(HANDLER_ARGS)
{
	TAIL(handler_uncached);
}

void handler_crossing(HANDLER_ARGS)
{
	if (UNLIKELY(!code_may_enter(c, s)))
		TAIL(handler_uncached);
	TAIL(handler_of(page_of(s)->crossing));
}

void handler_page_end(HANDLER_ARGS)
{
	ENTER_ADDRESS(s->imm);
}

/* After an indirect branch with BTI enabled: false when the stepping engine must look at the target. */
static bool target_allowed(const struct cpu *c, u32 pc)
{
	const struct code_page *p = c->code[pc >> BUS_PAGE_SHIFT];

	return LIKELY(!c->core.btype) || (p && is_landing_pad(p->info[pc >> 1 & (PAGE_SLOTS - 1)] & INFO_OP));
}

/* A call that works on the flags in memory, `f`. They must be gone before a handler jumps on: a local variable
 * whose address was passed on and which still exists makes the compiler call instead, and each slow operation
 * would take more of the host's stack. */
#define WITH_FLAGS(call) do { \
		struct flags f = FLAGS_IN; \
		call; \
		FLAGS_OUT(); \
	} while (0)

/* Behind a system operation: false when the run loop must look at what it did. */
static bool system_goes_on(const struct cpu *c)
{
	return !engine_must_leave(c) && !c->core.epsr_it && !c->core.eci && !c->core.btype && !c->observed && !c->break_asked &&
	       !c->fault_caught;
}

/* Apart, so that go_slow need not keep for it what it knows of the slot. */
static NOINLINE void go_exact(HANDLER_ARGS)
{
	const struct code_page *p = page_of(s);
	unsigned i = slot_index(p, s), op = p->info[i] & INFO_OP, length = p->info[i] & INFO_WIDE ? 4 : 2;
	bool ends = p->info[i] & INFO_ENDS;
	u32 pc = p->addr + i * 2;
	u8 it = p->it[i];
	i64 after = (i64)left + (ends ? 0 : s[length / 2].cost); /* as when only this one were paid */
	enum out out;

	if (UNLIKELY(observed_outlined(c)))
		TAIL(handler_observed_step);
	WITH_FLAGS(out = engine_slow(c, s, &f, op, pc, pc + length, it, (i64)left + s->cost));
	PIN(c);
	const i32 waits = (i32)timing_waits(c, op, length == 2, pc) << 16;
	after -= waits;

	if (out == OUT_SYS || out == OUT_FAULT) {
		if (out == OUT_SYS) {
			c->core.r[15] = c->core.next_pc;
			c->core.epsr_it = c->core.next_it;
		}
		if (out == OUT_SYS && system_goes_on(c)) {
			struct flags f = flags_from_apsr(c->core.apsr);
			FLAGS_OUT();
			left = (i32)after;
			ENTER_ADDRESS(c->core.r[15]);
		}
		c->engine->left = after; /* flags: as the operation left them in apsr */
		return;
	}
	u32 next = out == OUT_JUMP ? c->core.next_pc : pc + length;
	if (out == OUT_TAKEN || out == OUT_GO) {
		after -= out == OUT_TAKEN ? c->taken_extra : 0;
		next = slot_address(slot_linked(s->imm));
	}
	if (engine_must_leave(c) || !target_allowed(c, next)) {
		leave(c, after, nz, cf, vf, next, it_advance(it));
		return;
	}
	c->core.epsr_it = 0;
	if (ends) {
		left = (i32)after;
		ENTER_ADDRESS(next);
	}
	s += length / 2;
	left -= waits;
	if (UNLIKELY(left < 0)) /* the rest of the block, which is paid, does not fit any more */
		TAIL(go_horizon);
	DISPATCH();
}

/* The plain function does unaligned accesses, those to pages that regions cut, and floating point in integers,
 * without exact time and flags; the rest is slow. */
void go_plain(HANDLER_ARGS)
{
	const struct code_page *p = page_of(s);
	u16 info = p->info[slot_index(p, s)];
	enum out out;
	WITH_FLAGS(out = op_plain(info & INFO_OP)->fast(s, c, &f));
	PIN(c);

	if (out == OUT_SLOW)
		TAIL(go_exact);
	left -= (i32)timing_waits(c, info & INFO_OP, !(info & INFO_WIDE), slot_address(s)) << 16;
	if (LIKELY(out == OUT_NEXT)) {
		s += info & INFO_WIDE ? 2 : 1;
		if (UNLIKELY(left < 0))
			TAIL(go_horizon);
		DISPATCH();
	}
	if (out == OUT_JUMP)
		ENTER_ADDRESS(c->core.next_pc);
	if (out == OUT_TAKEN)
		left -= c->taken_extra;
	if (out == OUT_NOT_TAKEN) {
		s += info & INFO_WIDE ? 2 : 1;
		ENTER();
	}
	s = slot_linked(s->imm);
	ENTER();
}

/* What a handler refuses. */
void go_slow(HANDLER_ARGS)
{
	const struct code_page *p = page_of(s);
	u16 info = p->info[slot_index(p, s)];
	handler_fn *twin = (info & INFO_OP) < OP_INT_COUNT ? handler_cut[info & INFO_OP][!!(info & INFO_WIDE)] : NULL;

	if (op_infos[info & INFO_OP].kind == KIND_SYS)
		TAIL(go_exact);
	if (c->cut && twin)
		TAIL(twin);
	TAIL(go_plain);
}

void go_advance(HANDLER_ARGS)
{
	mve_advance(c);
	s += 2;
	DISPATCH();
}

/* Vector instructions are four bytes long and neither read nor write flags. */
void go_pred(HANDLER_ARGS)
{
	const struct code_page *p = page_of(s);
	const unsigned op = p->info[slot_index(p, s)] & INFO_OP;

	if (op < OP_MVE_FIRST)
		__builtin_unreachable();
	const enum out out = op_plain(op)->fast(s, c, NULL);

	PIN(c);
	if (UNLIKELY(out == OUT_SLOW))
		TAIL(go_slow);
	if (UNLIKELY(c->sys->itcm_reads || c->caches))
		left -= (i32)timing_waits(c, op, false, slot_address(s)) << 16;
	s += 2;
	if (UNLIKELY(left < 0))
		TAIL(go_horizon);
	DISPATCH();
}

/* ---- IT, by condition --------------------------------------------------------------------- */

static unsigned slot_step(const struct slot *s)
{
	const struct code_page *p = page_of(s);
	return p->info[slot_index(p, s)] & INFO_WIDE ? 2 : 1;
}

#define CONDITIONS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14)

#define IT_HANDLERS(cond) \
	static void it_skip_##cond(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		s = flags_hold(&f, cond) ? s + 1 : slot_linked(s->imm); \
		DISPATCH(); \
	} \
	static void it_branch_##cond(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		if (flags_hold(&f, cond)) { \
			s++; \
			DISPATCH(); \
		} \
		s = slot_linked(s->imm); \
		ENTER(); \
	} \
	static void it_mask_##cond(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		c->it_mask = -(u32)flags_hold(&f, cond); \
		s++; \
		DISPATCH(); \
	} \
	static void if_##cond(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		if (flags_hold(&f, cond)) \
			TAIL(plain_handler(s)); \
		s += slot_step(s); \
		DISPATCH(); \
	} \
	static void if_end_##cond(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		if (flags_hold(&f, cond)) \
			TAIL(plain_handler(s)); \
		s += slot_step(s); \
		ENTER(); \
	}
CONDITIONS(IT_HANDLERS)

#define X(n) it_skip_##n,
handler_fn *const handler_it_skip[16] = { CONDITIONS(X) it_skip_14 };
#undef X
#define X(n) it_branch_##n,
handler_fn *const handler_it_branch[16] = { CONDITIONS(X) it_branch_14 };
#undef X
#define X(n) it_mask_##n,
handler_fn *const handler_it_mask[16] = { CONDITIONS(X) it_mask_14 };
#undef X
#define X(n) if_##n,
handler_fn *const handler_if[16] = { CONDITIONS(X) if_14 };
#undef X
#define X(n) if_end_##n,
handler_fn *const handler_if_end[16] = { CONDITIONS(X) if_end_14 };
#undef X
