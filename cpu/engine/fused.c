/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers of frequent sequences: the bodies of two to four neighbours in one handler, so that
 * only the last one dispatches. Each body reads its own slot; a sub-instruction that must go slow
 * does so with the slot already advanced, and a jump into the middle finds the plain handler. */
#include "cpu/engine/fuse.h"

#ifdef ENGINE_NO_TAIL
/* The switch engine enters no handlers. */
const struct fused fused[] = { { 0 } };
const struct fused_it fused_it[] = { { 0 } };
const unsigned fused_count, fused_it_count;
#else
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

/* A body that is not the last: continues, or leaves for its slow or predicated twin. */
#define INNER(name, length, slot) do { \
		enum out out_ = run_##name(slot, c, &f, &target); \
		if (UNLIKELY(out_ != OUT_NEXT)) \
			FINISH_INNER(out_); \
		s += (length) / 2; \
	} while (0)
#define FINISH_INNER(out) do { \
		nz = f.nz; \
		cf = f.c; \
		vf = f.v; \
		if ((out) == OUT_ADVANCE) \
			TAIL(go_advance); \
		if ((out) == OUT_PRED) \
			TAIL(go_pred); \
		TAIL(go_slow); \
	} while (0)
#define LAST(name, length, slot) do { \
		enum out out_ = run_##name(slot, c, &f, &target); \
		FINISH(out_, length, false); \
	} while (0)

/* A copy of the slot whose operands are named by the destination of an earlier body where they are
 * the same (decoding chose the handler because they are): the compiler sees one register number and
 * keeps the value in a host register. Bits: fuse.h. */
#define OPERAND(field, bit, eq1, earlier1, eq2, earlier2, eq3, earlier3) \
	.field = (eq1) & (bit) ? (earlier1) : (eq2) & (bit) ? (earlier2) : (eq3) & (bit) ? (earlier3) : s->field
#define SAME(copy, ...) \
	const struct slot copy = { .imm = s->imm, { { \
		OPERAND(a, SAME_A, __VA_ARGS__), OPERAND(b, SAME_B, __VA_ARGS__), \
		OPERAND(c, SAME_C, __VA_ARGS__), .d = s->d } } }; \
	const struct slot *const at_##copy = SAME_ANY(__VA_ARGS__) ? &copy : s
#define SAME_ANY(eq1, earlier1, eq2, earlier2, eq3, earlier3) ((eq1) | (eq2) | (eq3))

#define F2(x, lx, y, ly, eq) \
	static void fused_##x##lx##_##y##ly##_##eq(HANDLER_ARGS) \
	{ \
		struct flags f = { nz, cf, vf }; \
		u32 target = 0; \
		const u8 first_ = s->a; \
		(void)first_; \
		INNER(x, lx, s); \
		SAME(two_, (eq) & 7, first_, 0, 0, 0, 0); \
		LAST(y, ly, at_two_); \
	}
#define F3(x, lx, y, ly, z, lz, eq) \
	static void fused_##x##lx##_##y##ly##_##z##lz##_##eq(HANDLER_ARGS) \
	{ \
		struct flags f = { nz, cf, vf }; \
		u32 target = 0; \
		const u8 first_ = s->a; \
		(void)first_; \
		INNER(x, lx, s); \
		SAME(two_, (eq) & 7, first_, 0, 0, 0, 0); \
		const u8 second_ = at_two_->a; \
		(void)second_; \
		INNER(y, ly, at_two_); \
		SAME(three_, (eq) >> 6 & 7, second_, (eq) >> 3 & 7, first_, 0, 0); \
		LAST(z, lz, at_three_); \
	}
#define F4(w, lw, x, lx, y, ly, z, lz, eq) \
	static void fused_##w##lw##_##x##lx##_##y##ly##_##z##lz##_##eq(HANDLER_ARGS) \
	{ \
		struct flags f = { nz, cf, vf }; \
		u32 target = 0; \
		const u8 first_ = s->a; \
		(void)first_; \
		INNER(w, lw, s); \
		SAME(two_, (eq) & 7, first_, 0, 0, 0, 0); \
		const u8 second_ = at_two_->a; \
		(void)second_; \
		INNER(x, lx, at_two_); \
		SAME(three_, (eq) >> 6 & 7, second_, (eq) >> 3 & 7, first_, 0, 0); \
		const u8 third_ = at_three_->a; \
		(void)third_; \
		INNER(y, ly, at_three_); \
		SAME(four_, (eq) >> 15 & 7, third_, (eq) >> 12 & 7, second_, (eq) >> 9 & 7, first_); \
		LAST(z, lz, at_four_); \
	}
#include "cpu/engine/fused.def"
#undef F2
#undef F3
#undef F4

/* IT with one or two ALUA operations; e = 1: executed when the condition fails. The barrier keeps
 * the compiler from turning the selection into a branch on data. */
#define IT_MASK(cond) \
	struct flags f = { nz, cf, vf }; \
	u32 target = 0, mask = -(u32)flags_hold(&f, cond); \
	__asm__("" : "+r"(mask)); \
	s++
#define IT1(cond, x, lx, ex) \
	static void it_##cond##_##x##lx##ex(HANDLER_ARGS) \
	{ \
		IT_MASK(cond); \
		MASKED(x, lx, mask ^ -(u32)(ex), s); \
		DISPATCH(); \
	}
#define IT2(cond, x, lx, ex, y, ly, ey, eq) \
	static void it_##cond##_##x##lx##ex##_##y##ly##ey##_##eq(HANDLER_ARGS) \
	{ \
		IT_MASK(cond); \
		const u8 first_ = s->a; \
		(void)first_; \
		MASKED(x, lx, mask ^ -(u32)(ex), s); \
		SAME(two_, (eq) & 7, first_, 0, 0, 0, 0); \
		MASKED(y, ly, mask ^ -(u32)(ey), at_two_); \
		DISPATCH(); \
	}
#include "cpu/engine/fused_it.def"
#undef IT1
#undef IT2

const struct fused_it fused_it[] = {
#define IT1(cond, x, lx, ex) { it_##cond##_##x##lx##ex, { OP_##x }, { lx }, { ex }, 1, cond, 0 },
#define IT2(cond, x, lx, ex, y, ly, ey, eq) \
	{ it_##cond##_##x##lx##ex##_##y##ly##ey##_##eq, { OP_##x, OP_##y }, { lx, ly }, { ex, ey }, 2, cond, eq },
#include "cpu/engine/fused_it.def"
};

const unsigned fused_it_count = ARRAY_LEN(fused_it);

const struct fused fused[] = {
#define F2(x, lx, y, ly, eq) { fused_##x##lx##_##y##ly##_##eq, eq, { OP_##x, OP_##y }, { lx, ly }, 2 },
#define F3(x, lx, y, ly, z, lz, eq) \
	{ fused_##x##lx##_##y##ly##_##z##lz##_##eq, eq, { OP_##x, OP_##y, OP_##z }, { lx, ly, lz }, 3 },
#define F4(w, lw, x, lx, y, ly, z, lz, eq) \
	{ fused_##w##lw##_##x##lx##_##y##ly##_##z##lz##_##eq, eq, { OP_##w, OP_##x, OP_##y, OP_##z }, { lw, lx, ly, lz }, 4 },
#include "cpu/engine/fused.def"
};
const unsigned fused_count = ARRAY_LEN(fused);
#endif
