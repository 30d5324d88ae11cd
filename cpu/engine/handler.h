/* SPDX-License-Identifier: Apache-2.0 */
/* Makes tail-call handlers from bodies. A handler never returns to a loop: it jumps to the next
 * slot's handler with all hot state in argument registers. Private to engine/. */
#ifndef CPU_ENGINE_HANDLER_H
#define CPU_ENGINE_HANDLER_H

#include "cpu/engine/engine.h"
#include "cpu/exec/body.h"

#if defined(__clang__)
#define TAIL(fn) __attribute__((musttail)) return fn(HANDLER_PASS)
#else
#define TAIL(fn) do { fn(HANDLER_PASS); return; } while (0) /* a jump at -O2 */
#endif

#define DISPATCH() TAIL(handler_of(s->handler))
/* The flags as bodies take them, and back into a handler's arguments. */
#define FLAGS_IN { .nz = nz, .c = cf, .v = vf }
#define FLAGS_OUT() do { \
		nz = f.nz; \
		cf = f.c; \
		vf = f.v; \
	} while (0)
/* Enters a block: pays for all of it, or leaves when the budget does not reach. */
#define ENTER() do { \
		left -= (i32)s->cost; \
		if (UNLIKELY(left < 0)) \
			TAIL(go_horizon); \
		DISPATCH(); \
	} while (0)

/* Continues at a guest address. */
#define ENTER_ADDRESS(address) do { \
		u32 to_ = (address), n_ = to_ >> BUS_PAGE_SHIFT; \
		const struct code_page *p_ = c->code[n_]; \
		if (UNLIKELY(!p_ || !(c->page_ok[n_] & PAGE_EXEC))) { \
			c->core.r[15] = to_ & ~1u; \
			TAIL(go_lookup); \
		} \
		s = slot_of(p_, to_); \
		ENTER(); \
	} while (0)

/* What follows a body: the next instruction, a branch's target, or what lies behind a branch. */
#define GO_ON(length) do { \
		FLAGS_OUT(); \
		s += (length) / 2; \
		DISPATCH(); \
	} while (0)
#define GO_LINKED() do { \
		s = slot_linked(s->imm); \
		ENTER(); \
	} while (0)
#define GO_BEHIND(length) do { \
		s += (length) / 2; \
		ENTER(); \
	} while (0)

/* One for each kind, with the ends that it has: to let those of others fold away takes the compiler a third longer. */
#define HANDLER_ALU(symbol, name, length) \
	static void symbol(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		op_##name(s, c, &f); \
		GO_ON(length); \
	}
#define HANDLER_ALUA HANDLER_ALU
/* path: FAST, or CUT; and where it goes if it refuses. */
#define HANDLER_MEM_BY(symbol, name, length, path, otherwise) \
	static void symbol(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		if (UNLIKELY(!op_##name(s, c, &f, path))) \
			TAIL(otherwise); \
		GO_ON(length); \
	}
#define HANDLER_MEM(symbol, name, length) HANDLER_MEM_BY(symbol, name, length, FAST, go_slow)
#define HANDLER_BR(symbol, name, length) \
	static void symbol(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		if (op_##name(s, c, &f)) { \
			left -= c->taken_extra; \
			GO_LINKED(); \
		} \
		GO_BEHIND(length); \
	}
#define HANDLER_GO(symbol, name, length) \
	static void symbol(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		op_##name(s, c, &f); \
		GO_LINKED(); \
	}
#define HANDLER_BRM_BY(symbol, name, length, path, otherwise) \
	static void symbol(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		bool taken = false; \
		if (UNLIKELY(!op_##name(s, c, &f, path, &taken))) \
			TAIL(otherwise); \
		if (taken) \
			GO_LINKED(); \
		GO_BEHIND(length); \
	}
#define HANDLER_BRM(symbol, name, length) HANDLER_BRM_BY(symbol, name, length, FAST, go_slow)
#define HANDLER_JMP_BY(symbol, name, length, path, otherwise) \
	static void symbol(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		u32 target = 0; \
		if (UNLIKELY(!op_##name(s, c, &f, path, &target))) \
			TAIL(otherwise); \
		ENTER_ADDRESS(target); \
	}
#define HANDLER_JMP(symbol, name, length) HANDLER_JMP_BY(symbol, name, length, FAST, go_slow)
/* Engines know IT. */
#define HANDLER_SKIP(symbol, name, length) \
	static void symbol(HANDLER_ARGS) \
	{ \
		s += (length) / 2; \
		DISPATCH(); \
	}
#define HANDLER_SYS(symbol, name, length) static void symbol(HANDLER_ARGS) { TAIL(go_slow); }
#define HANDLER_FP(symbol, name, length) \
	static void symbol(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		if (UNLIKELY(!c->core.fp_ready)) \
			TAIL(go_slow); \
		op_##name(s, c, &f); \
		GO_ON(length); \
	}
#define HANDLER_FPMEM(symbol, name, length) \
	static void symbol(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		if (UNLIKELY(!c->core.fp_ready || !op_##name(s, c, &f, FAST))) \
			TAIL(go_slow); \
		GO_ON(length); \
	}
/* alone: what knows nothing of a VPT block leaves it to the predicated twin. done: the body; false where it refuses. */
#define HANDLER_VECTOR(symbol, length, alone, done) \
	static void symbol(HANDLER_ARGS) \
	{ \
		struct flags f = FLAGS_IN; \
		if (UNLIKELY(!c->core.fp_ready)) \
			TAIL(go_slow); \
		const enum mve_activity lanes = mve_activity(c); \
		if (lanes == MVE_SOME || (lanes == MVE_BLOCK && (alone))) \
			TAIL(go_pred); \
		if (UNLIKELY(!(done))) \
			TAIL(go_slow); \
		if (lanes != MVE_ALL) { \
			FLAGS_OUT(); \
			TAIL(go_advance); \
		} \
		GO_ON(length); \
	}
#define HANDLER_MVE(symbol, name, length) \
	HANDLER_VECTOR(symbol, length, USES_##name & STARTS_VPT, (op_##name(s, c, &f, false), true))
#define HANDLER_MVEMEM(symbol, name, length) \
	HANDLER_VECTOR(symbol, length, USES_##name & INTERLEAVES, op_##name(s, c, &f, FAST, false))

/* Conditions on data are often not predictable: keeps the compiler from making a branch of `value`. */
#define NO_BRANCH_ON(value) __asm__("" : "+r"(value))

/* One of two values: `yes` where `holds` is not 0. */
BODY u32 select_without_branch(u32 holds, u32 yes, u32 no)
{
#if defined(__x86_64__)
	__asm__("testl %2, %2\n\tcmovnel %1, %0" : "+r"(no) : "r"(yes), "r"(holds) : "cc");
	return no;
#else
	return no ^ ((no ^ yes) & -(u32)(holds != 0));
#endif
}

/* One ALUA body whose result counts where `holds` is not 0, or where it is if `otherwise`; steps to the
 * next slot. */
#define MASKED(name, length, holds, otherwise, slot) do { \
		u32 *to_ = &c->core.r[(slot)->a], old_ = *to_; \
		op_##name(slot, c, f); \
		*to_ = (otherwise) ? select_without_branch(holds, old_, *to_) : select_without_branch(holds, *to_, old_); \
		s += (length) / 2; \
	} while (0)

/* Predicated without a branch in an IT block: d is 0 for "then", 1 for "else". */
#define HANDLER_IF_MASK(symbol, name, length) \
	static void symbol(HANDLER_ARGS) \
	{ \
		struct flags flags_ = FLAGS_IN, *f = &flags_; \
		u32 mask_ = c->it_mask ^ -(u32)s->d; \
		MASKED(name, length, mask_, false, s); \
		DISPATCH(); \
	}

/* One row of an ops table: STAMP makes its handlers, ENTRY its table entry. */
#ifdef ENGINE_NO_TAIL /* nobody enters handlers: one stands for all */
static __attribute__((unused)) void no_handler(HANDLER_ARGS) { (void)s, (void)c, (void)left, (void)nz, (void)cf, (void)vf; }
#define STAMP(name, kind, lengths)
#define STAMPED(symbol) no_handler
#else
#define STAMP(name, kind, lengths) STAMP_##lengths(name, kind)
#define STAMPED(symbol) symbol
#endif
#define STAMP_L2(name, kind) STAMP_LENGTH(name, kind, 2)
#define STAMP_L4(name, kind) STAMP_LENGTH(name, kind, 4)
#define STAMP_L24(name, kind) STAMP_L2(name, kind) STAMP_L4(name, kind)
#define STAMP_LENGTH(name, kind, n) HANDLER_##kind(single##n##_##name, name, n) STAMP_MORE_##kind(name, n)
#define STAMP_MORE_ALU(name, n)
#define STAMP_MORE_ALUA(name, n) HANDLER_IF_MASK(if##n##_##name, name, n)
#define STAMP_MORE_MEM(name, n)
#define STAMP_MORE_BR(name, n)
#define STAMP_MORE_GO(name, n)
#define STAMP_MORE_BRM(name, n)
#define STAMP_MORE_SKIP(name, n)
#define STAMP_MORE_JMP(name, n)
#define STAMP_MORE_SYS(name, n)
#define STAMP_MORE_FP(name, n)
#define STAMP_MORE_FPMEM(name, n)
#define STAMP_MORE_MVE(name, n)
#define STAMP_MORE_MVEMEM(name, n)

#define ENTRY(name, kind, lengths) { { SINGLE_##kind(name, lengths), IF_##kind(name, lengths) } }
#define PAIR_L2(which, name) { STAMPED(which##2_##name), NULL }
#define PAIR_L4(which, name) { NULL, STAMPED(which##4_##name) }
#define PAIR_L24(which, name) { STAMPED(which##2_##name), STAMPED(which##4_##name) }
#define PAIR_NONE { NULL, NULL }
/* What is seldom has no handler of its own: its plain function does it, that of a vector whatever lanes there are. The compiler drops
 * handlers that nobody names. */
#define OWN(name, symbol, other) (USES_##name & SELDOM ? (other) : STAMPED(symbol))
#define SINGLE_ALL(name, lengths) PAIR_##lengths(single, name)
#define SINGLE_ALU(name, lengths) SINGLE_ALU_##lengths(name)
#define SINGLE_ALU_L2(name) PAIR_L2(single, name)
#define SINGLE_ALU_L4(name) { NULL, OWN(name, single4_##name, STAMPED(go_slow)) }
#define SINGLE_ALU_L24(name) PAIR_L24(single, name)
#define SINGLE_ALUA SINGLE_ALU
#define SINGLE_MEM SINGLE_ALL
#define SINGLE_BR SINGLE_ALL
#define SINGLE_GO SINGLE_ALL
#define SINGLE_BRM SINGLE_ALL
#define SINGLE_SKIP SINGLE_ALL
#define SINGLE_JMP SINGLE_ALL
#define SINGLE_SYS SINGLE_ALL
#define SINGLE_FP SINGLE_ALL
#define SINGLE_FPMEM SINGLE_ALL
#define SINGLE_MVE(name, lengths) { NULL, OWN(name, single4_##name, STAMPED(go_pred)) }
#define SINGLE_MVEMEM SINGLE_ALL
#define IF_ALU(name, lengths) PAIR_NONE
#define IF_ALUA(name, lengths) IF_ALUA_##lengths(name)
#define IF_ALUA_L2(name) PAIR_L2(if, name)
#define IF_ALUA_L4(name) { NULL, OWN(name, if4_##name, NULL) }
#define IF_ALUA_L24(name) PAIR_L24(if, name)
#define IF_MEM(name, lengths) PAIR_NONE
#define IF_BR(name, lengths) PAIR_NONE
#define IF_GO(name, lengths) PAIR_NONE
#define IF_BRM(name, lengths) PAIR_NONE
#define IF_SKIP(name, lengths) PAIR_NONE
#define IF_JMP(name, lengths) PAIR_NONE
#define IF_SYS(name, lengths) PAIR_NONE
#define IF_FP(name, lengths) PAIR_NONE
#define IF_FPMEM(name, lengths) PAIR_NONE
#define IF_MVE(name, lengths) PAIR_NONE
#define IF_MVEMEM(name, lengths) PAIR_NONE

#endif
