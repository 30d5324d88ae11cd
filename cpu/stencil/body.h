/* SPDX-License-Identifier: Apache-2.0 */
/* Makes stencils from bodies, as engine/handler.h makes handlers: the same arguments in the same registers, but for
 * the slot, which only exits need and which has another use until then. Private to stencil/. */
#ifndef CPU_STENCIL_BODY_H
#define CPU_STENCIL_BODY_H

#include "cpu/stencil/holes.h"

#include "cpu/engine/handler.h"

/* Exits: not defined anywhere, their addresses are holes. */
extern handler_fn H_NEXT __attribute__((weak)), H_GO __attribute__((weak));
/* Exits that are taken seldom. */
extern handler_fn go_horizon __attribute__((cold));
extern handler_fn H_TAKEN __attribute__((weak, cold)), H_PLAIN __attribute__((weak, cold));

/* A stencil's name says which one it is (cpu/stencil/table.h): st_VARIANT__OPERATION. */
#define STENCIL_NAME(variant, name) STENCIL_NAME_(variant, name)
#define STENCIL_NAME_(variant, name) st_##variant##__##name
#define STENCIL(variant, name) \
	void STENCIL_NAME(variant, name)(HANDLER_ARGS); \
	void STENCIL_NAME(variant, name)(HANDLER_ARGS)

/* Numbers of operands a and b, for bodies that look at them: of floating point and vectors, which say so before they
 * include this; of the integer core only whether the base is SP. */
#ifdef OPERANDS_ARE_NUMBERS
#define NUMBER_A ((u8)NUMBER(H_Va))
#define NUMBER_B ((u8)NUMBER(H_Vb))
#elif defined(BASE_IS_SP)
#define NUMBER_A 0
#define NUMBER_B 13
#else
#define NUMBER_A 0
#define NUMBER_B 0 /* any other */
#endif

/* The slot as the body sees it. */
#define OPERANDS(immediate) OPERANDS_B(immediate, false)
#define OPERANDS_B(immediate, b_is_loaded) \
	const struct slot k_ = { .handler = (b_is_loaded), .imm = (immediate), { { .a = NUMBER_A, .b = NUMBER_B, .c = (u8)NUMBER(H_Vc), .d = (u8)NUMBER(H_Vd) } }, .cost = 0 }; \
	const struct slot *const k = &k_; \
	struct flags f = FLAGS_IN

/* Its address, for an exit. */
#define LOAD_SLOT() __asm__("leaq H_SLOT(%%rip), %0" : "=r"(s))

#ifdef RESULT_IS_LATEST
/* The asm keeps the compiler from computing the result in another register as well. */
#define KEEP_LATEST(uses) do { \
		if ((uses) & W_A) { \
			__asm__("" : "+r"(latest)); \
			RA_MEMORY = latest; \
		} \
	} while (0)
#else
#define KEEP_LATEST(uses) ((void)0)
#endif
/* What reads took beyond the block's cost. Where the rest of the block, which is paid, does not fit any more, the next
 * instruction is stepped: those that pay are 4 bytes long. */
#ifdef READS_PAY
#define PAY_WAITS() (left -= (i32)waits)
#define PAY_AND_GO_ON() do { \
		PAY_WAITS(); \
		if (UNLIKELY(left < 0)) { \
			__asm__("leaq H_SLOT+%c1(%%rip), %0" : "=r"(s) : "i"(2 * sizeof(struct slot))); \
			TAIL(go_horizon); \
		} \
	} while (0)
#elif defined(DATA_WAITS) /* the same; in order behind what sets r12 */
#define PAY_WAITS() __asm__ volatile("subl %%r12d, %0" : "+r"(left) : : "cc")
#define PAY_AND_GO_ON() do { \
		bool gone_; \
		__asm__ volatile("subl %%r12d, %0" : "+r"(left), "=@ccs"(gone_)); \
		if (UNLIKELY(gone_)) { \
			__asm__("leaq H_AFTER(%%rip), %0" : "=r"(s)); \
			TAIL(go_horizon); \
		} \
	} while (0)
#else
#define PAY_WAITS() ((void)0)
#define PAY_AND_GO_ON() ((void)0)
#endif

/* A target in the slot's own page, where nothing has to be looked up. */
#define ENTER_IF_HERE(address) do { \
		LOAD_SLOT(); \
		if (LIKELY(!(((address) ^ page_of(s)->addr) >> BUS_PAGE_SHIFT))) { \
			s = slot_of(page_of(s), address); \
			ENTER(); \
		} \
	} while (0)

/* Operand B comes to the host register of the result before anything else, which saves a move of the result. */
#ifdef RESULT_IS_LATEST
#define LOADS_B(uses) (((uses) & (W_A | R_B)) == (W_A | R_B))
#define LOAD_B() do { \
		latest = NEW_B; \
		__asm__("" : "+r"(latest)); \
	} while (0)
#else
#define LOADS_B(uses) false
#define LOAD_B() ((void)0)
#endif

/* What no plan lays (engine/plan.c) is left empty, which compiles at once; cut-stencils passes over it. */
#define UNLESS_WANTED(wanted) do { \
		if (!(wanted)) \
			return; \
	} while (0)
#if defined(DATA_WAITS) /* each of them makes an access, which sets r12: not STREX */
#define MAKES_ACCESS(uses) ((uses) & (R_MEM | W_MEM) && ((uses) & (W_MEM | W_C)) != (W_MEM | W_C))
#endif
/* Vectors that cut-stencils would leave out, or whose plain function is called (cpu/engine/plan.c). */
#define IS_CALLED(uses) ((uses) & (SELDOM | F_HALF | INTERLEAVES))
#if defined(DATA_WAITS) && defined(OPERANDS_ARE_NUMBERS)
#define WANTED(uses) (MAKES_ACCESS(uses) && !IS_CALLED(uses))
#elif defined(DATA_WAITS) && defined(BASE_IS_SP)
#define WANTED(uses) (!((uses) & OWN_REGS) && MAKES_ACCESS(uses) && (uses) & W_B)
#elif defined(DATA_WAITS)
#define WANTED(uses) (!((uses) & OWN_REGS) && MAKES_ACCESS(uses))
#elif defined(OPERANDS_ARE_NUMBERS)
#define WANTED(uses) (!IS_CALLED(uses))
#elif defined(READS_PAY)
#define WANTED(uses) (!((uses) & OWN_REGS) && (uses) & R_MEM)
#elif defined(BASE_IS_SP)
#define WANTED(uses) (!((uses) & OWN_REGS) && (uses) & W_B)
#else
#define WANTED(uses) (!((uses) & (OWN_REGS | SELDOM)))
#endif

#define BEGIN_STENCIL(uses) \
		UNLESS_WANTED(WANTED(uses)); \
		OPERANDS_B(NUMBER(H_IMM), LOADS_B(uses)); \
		if (LOADS_B(uses)) \
			LOAD_B()
/* Leaves to the handler. */
#define LEAVE() do { \
		FLAGS_OUT(); \
		LOAD_SLOT(); \
		TAIL(H_PLAIN); \
	} while (0)
/* One for each kind, with the ends that it has: goes on with the next instruction, or leaves. */
#define GO_ON_OR_LEAVE(done, uses) do { \
		if (UNLIKELY(!(done))) \
			LEAVE(); \
		FLAGS_OUT(); \
		KEEP_LATEST(uses); \
		PAY_AND_GO_ON(); \
		TAIL(H_NEXT); \
	} while (0)
#define ALU_STENCIL(name, uses) \
	STENCIL(VARIANT, name) \
	{ \
		BEGIN_STENCIL(uses); \
		op_##name(k, c, &f); \
		GO_ON_OR_LEAVE(true, uses); \
	}
#define MEM_STENCIL(name, uses) \
	STENCIL(VARIANT, name) \
	{ \
		BEGIN_STENCIL(uses); \
		GO_ON_OR_LEAVE(op_##name(k, c, &f, FAST), uses); \
	}
#define FP_STENCIL(name, uses) \
	STENCIL(VARIANT, name) \
	{ \
		BEGIN_STENCIL(uses); \
		if (UNLIKELY(!c->core.fp_ready)) \
			LEAVE(); \
		op_##name(k, c, &f); \
		GO_ON_OR_LEAVE(true, uses); \
	}

#define FPMEM_STENCIL(name, uses) \
	STENCIL(VARIANT, name) \
	{ \
		BEGIN_STENCIL(uses); \
		GO_ON_OR_LEAVE(c->core.fp_ready && op_##name(k, c, &f, FAST), uses); \
	}
#define BR_STENCIL(name, uses) \
	STENCIL(VARIANT, name) \
	{ \
		BEGIN_STENCIL(uses); \
		const bool taken = op_##name(k, c, &f); \
		FLAGS_OUT(); \
		if (taken) \
			TAIL(H_TAKEN); \
		TAIL(H_NEXT); \
	}
#define GO_STENCIL(name, uses) \
	STENCIL(VARIANT, name) \
	{ \
		BEGIN_STENCIL(uses); \
		op_##name(k, c, &f); \
		FLAGS_OUT(); \
		KEEP_LATEST(uses); \
		TAIL(H_GO); \
	}
#define BRM_STENCIL(name, uses) \
	STENCIL(VARIANT, name) \
	{ \
		BEGIN_STENCIL(uses); \
		bool taken = false; \
		if (UNLIKELY(!op_##name(k, c, &f, FAST, &taken))) \
			LEAVE(); \
		FLAGS_OUT(); \
		KEEP_LATEST(uses); \
		if (taken) \
			TAIL(H_GO); \
		TAIL(H_NEXT); \
	}
/* A jump by a table is one to several targets, most often near. */
#define JMP_STENCIL(name, uses) \
	STENCIL(VARIANT, name) \
	{ \
		BEGIN_STENCIL(uses); \
		u32 target = 0; \
		if (UNLIKELY(!op_##name(k, c, &f, FAST, &target))) \
			LEAVE(); \
		FLAGS_OUT(); \
		PAY_WAITS(); \
		if (OP_##name >= OP_tbb && OP_##name <= OP_tbh_pc) \
			ENTER_IF_HERE(target); \
		ENTER_ADDRESS(target); \
	}

#endif
