/* SPDX-License-Identifier: Apache-2.0 */
/* How a handler of several bodies is put together: each body reads its own slot; a sub-instruction that must go slow
 * does so with the slot already advanced, and a jump into the middle finds the plain handler. Private to fused*.c. */
#ifndef CPU_ENGINE_FUSED_BODY_H
#define CPU_ENGINE_FUSED_BODY_H

#include "cpu/engine/fuse.h"
#include "cpu/engine/handler.h"

#include "cpu/exec/alu.h"
#include "cpu/exec/branch.h"
#include "cpu/exec/dsp.h"
#include "cpu/exec/fp.h"
#include "cpu/exec/load_store.h"
#include "cpu/exec/long_shift.h"
#include "cpu/exec/mve.h"
#include "cpu/exec/system.h"

/* The inline wrappers of all bodies. */
#define OP(name, kind, lengths, uses, class) RUN_##kind(name)
#include "cpu/exec/ops_int.def"
#include "cpu/exec/ops_fp.def"
#include "cpu/exec/ops_mve.def"
#undef OP

/* A body that is not the last: continues, or leaves for its slow or predicated twin. Behind a conditional
 * branch that is not taken the next block begins. */
#define INNER(name, length, slot) do { \
		enum out out_ = run_##name(slot, c, &f, &target); \
		if (out_ == OUT_NOT_TAKEN) { \
			s += (length) / 2; \
			left -= (i32)s->cost; \
			if (UNLIKELY(left < 0)) { \
				FLAGS_OUT(); \
				TAIL(go_horizon); \
			} \
		} else { \
			if (out_ != OUT_NEXT) \
				FINISH_INNER(out_); \
			s += (length) / 2; \
		} \
	} while (0)
#define FINISH_INNER(out) do { \
		FLAGS_OUT(); \
		if ((out) == OUT_TAKEN) { \
			left -= c->taken_extra; \
			s = slot_linked(s, s->imm); \
			ENTER(); \
		} \
		if ((out) == OUT_ADVANCE) \
			TAIL(go_advance); \
		if ((out) == OUT_PRED) \
			TAIL(go_pred); \
		TAIL(go_slow); \
	} while (0)
#define LAST(name, length, slot) do { \
		enum out out_ = run_##name(slot, c, &f, &target); \
		FINISH(out_, length, begin_); \
	} while (0)

/* A copy of the slot whose operands are named by the destination of an earlier body where they are
 * the same (decoding chose the handler because they are): the compiler sees one register number and
 * keeps the value in a host register. Bits: fuse.h. */
#define OPERAND(field, bit, eq1, earlier1, eq2, earlier2, eq3, earlier3, eq4, earlier4, eq5, earlier5, eq6, earlier6) \
	.field = (eq1) & (bit) ? (earlier1) : (eq2) & (bit) ? (earlier2) : (eq3) & (bit) ? (earlier3) : \
		 (eq4) & (bit) ? (earlier4) : (eq5) & (bit) ? (earlier5) : (eq6) & (bit) ? (earlier6) : s->field
#define SAME(copy, ...) \
	const struct slot copy = { .imm = s->imm, { { \
		OPERAND(a, SAME_A, __VA_ARGS__), OPERAND(b, SAME_B, __VA_ARGS__), \
		OPERAND(c, SAME_C, __VA_ARGS__), .d = s->d } } }; \
	const struct slot *const at_##copy = SAME_ANY(__VA_ARGS__) ? &copy : s
#define SAME_ANY(eq1, earlier1, eq2, earlier2, eq3, earlier3, eq4, earlier4, eq5, earlier5, eq6, earlier6) \
	((eq1) | (eq2) | (eq3) | (eq4) | (eq5) | (eq6))
#define BITS(eq, later, earlier) ((u64)(eq) >> FUSED_SAME_SHIFT(later, earlier) & 7)
/* Slots of the second to seventh operation of a sequence, and what the earlier ones wrote. */
#define FIRST() \
	const u8 first_ = s->a; \
	(void)first_
#define SECOND(eq) \
	SAME(two_, BITS(eq, 1, 0), first_, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); \
	const u8 second_ = at_two_->a; \
	(void)second_
#define THIRD(eq) \
	SAME(three_, BITS(eq, 2, 1), second_, BITS(eq, 2, 0), first_, 0, 0, 0, 0, 0, 0, 0, 0); \
	const u8 third_ = at_three_->a; \
	(void)third_
#define FOURTH(eq) \
	SAME(four_, BITS(eq, 3, 2), third_, BITS(eq, 3, 1), second_, BITS(eq, 3, 0), first_, 0, 0, 0, 0, 0, 0); \
	const u8 fourth_ = at_four_->a; \
	(void)fourth_
#define FIFTH(eq) \
	SAME(five_, BITS(eq, 4, 3), fourth_, BITS(eq, 4, 2), third_, BITS(eq, 4, 1), second_, BITS(eq, 4, 0), first_, \
	     0, 0, 0, 0); \
	const u8 fifth_ = at_five_->a; \
	(void)fifth_
#define SIXTH(eq) \
	SAME(six_, BITS(eq, 5, 4), fifth_, BITS(eq, 5, 3), fourth_, BITS(eq, 5, 2), third_, \
	     BITS(eq, 5, 1), second_, BITS(eq, 5, 0), first_, 0, 0); \
	const u8 sixth_ = at_six_->a; \
	(void)sixth_
#define SEVENTH(eq) \
	SAME(seven_, BITS(eq, 6, 5), sixth_, BITS(eq, 6, 4), fifth_, BITS(eq, 6, 3), fourth_, \
	     BITS(eq, 6, 2), third_, BITS(eq, 6, 1), second_, BITS(eq, 6, 0), first_)

/* IT blocks: wrappers that execute the IT and all its operations, from its slot. */
#define IT_BEGIN(cond) \
	const bool inverts_ = flags_word_inverts(cond); \
	u32 word_ = flags_word(f, cond); \
	NO_BRANCH_ON(word_); \
	s++; \
	FIRST()
#define IT_BODY(x, lx, ex, slot) MASKED(x, lx, word_, (ex) != inverts_, slot)
#define IT_1(cond, x, lx, ex) IT_BEGIN(cond); IT_BODY(x, lx, ex, s)
#define IT_2(cond, x, lx, ex, y, ly, ey, eq) IT_1(cond, x, lx, ex); SECOND(eq); IT_BODY(y, ly, ey, at_two_)
#define IT_3(cond, x, lx, ex, y, ly, ey, z, lz, ez, eq) \
	IT_2(cond, x, lx, ex, y, ly, ey, eq); THIRD(eq); IT_BODY(z, lz, ez, at_three_)
#define IT_4(cond, w, lw, ew, x, lx, ex, y, ly, ey, z, lz, ez, eq) \
	IT_3(cond, w, lw, ew, x, lx, ex, y, ly, ey, eq); FOURTH(eq); IT_BODY(z, lz, ez, at_four_)
#define IT1(name, ...) RUN(name) { IT_1(__VA_ARGS__); return OUT_NEXT; }
#define IT2(name, ...) RUN(name) { IT_2(__VA_ARGS__); return OUT_NEXT; }
#define IT3(name, ...) RUN(name) { IT_3(__VA_ARGS__); return OUT_NEXT; }
#define IT4(name, ...) RUN(name) { IT_4(__VA_ARGS__); return OUT_NEXT; }
#include "cpu/engine/fused_it.def"
#undef IT1
#undef IT2
#undef IT3
#undef IT4

#define SEQUENCE() \
	const struct slot *const begin_ = s; \
	struct flags f = FLAGS_IN; \
	u32 target = 0; \
	FIRST()
/* All bodies but the last, of two to seven. */
#define BEFORE_2(x, lx, eq) SEQUENCE(); INNER(x, lx, s); SECOND(eq)
#define BEFORE_3(x, lx, y, ly, eq) BEFORE_2(x, lx, eq); INNER(y, ly, at_two_); THIRD(eq)
#define BEFORE_4(w, lw, x, lx, y, ly, eq) BEFORE_3(w, lw, x, lx, eq); INNER(y, ly, at_three_); FOURTH(eq)
#define BEFORE_5(v, lv, w, lw, x, lx, y, ly, eq) BEFORE_4(v, lv, w, lw, x, lx, eq); INNER(y, ly, at_four_); FIFTH(eq)
#define BEFORE_6(u, lu, v, lv, w, lw, x, lx, y, ly, eq) \
	BEFORE_5(u, lu, v, lv, w, lw, x, lx, eq); INNER(y, ly, at_five_); SIXTH(eq)
#define BEFORE_7(t, lt, u, lu, v, lv, w, lw, x, lx, y, ly, eq) \
	BEFORE_6(t, lt, u, lu, v, lv, w, lw, x, lx, eq); INNER(y, ly, at_six_); SEVENTH(eq)

#endif
