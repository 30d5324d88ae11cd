/* SPDX-License-Identifier: Apache-2.0 */
/* What stencils are written with: bodies of operations whose operands are holes. A hole is a symbol that nobody
 * defines; the compiler leaves a relocation where its address would stand, and there the translator writes the operand
 * (cpu/stencil/holes.def has the list). Before all other includes. Private to stencil/.
 *
 * The compiler takes two holes for two objects, though they may be the same register: a body must read all its
 * operands before it writes one. */
#ifndef CPU_STENCIL_HOLES_H
#define CPU_STENCIL_HOLES_H

#include "cpu/engine/registers.h"

/* The core register that was written last: in a host register as well as in memory. */
register unsigned latest __asm__("ebx");

/* -DREADS_TIMED: loads also read pages where a word takes a cycle that their block does not pay for (PERM_TIMED). Such
 * stencils are laid where that costs nothing. -DREADS_PAY: they pay for it; `waits` are cost units << 16. */
#ifdef READS_TIMED
#define PAGE_TIMED 16u
#define PAGE_READ (1u | PAGE_TIMED) /* any of them */
#endif
#ifdef READS_PAY
register unsigned waits __asm__("r12");
#define NOTE_RIGHTS(rights, bytes) (waits = ((rights) & PAGE_TIMED) * (((bytes) + 3u) / 4u) * ((1u << 16) / PAGE_TIMED))
#endif

#define HOLE(name) extern const char H_##name[] __attribute__((weak));
#define EXIT(name)
#include "cpu/stencil/holes.def"
#undef HOLE
#undef EXIT

#define OPERANDS_ARE_HOLES 1
#define AT(hole, type) (*(type *)((char *)c + (uintptr_t)(hole)))
#define NUMBER(hole) ((u32)(uintptr_t)(hole))

/* Which operand is `latest`: -DLATEST_IS_A, B or C; -DBASE_IS_SP: the base register is SP. RESULT_IS_LATEST: bodies write operand
 * a to the host's register; it comes to memory behind them (KEEP_LATEST). */
#define RA_MEMORY AT(H_A, u32)
#ifdef LATEST_IS_A
#define OLD_A latest
#else
#define OLD_A RA_MEMORY
#endif
#ifdef RESULT_IS_LATEST
#define RA latest
#else
#define RA RA_MEMORY
#endif
#if defined(LATEST_IS_B)
#define RB latest
#elif defined(BASE_IS_SP)
#define RB c->core.r[13]
#else
#define RB AT(H_B, u32)
#endif
#ifdef LATEST_IS_C
#define RC latest
#else
#define RC AT(H_C, u32)
#endif
#define RD AT(H_D, u32)

/* Shifts by a constant: by name, as the compiler would load the amount to a register that holds a flag. */
#define SHIFT_HOLE(op, value, hole) ({ \
		__typeof__((value) + 0) x_ = (value); \
		if (sizeof(x_) == 8) \
			__asm__(op "q %1, %0" : "+r"(x_) : "i"(hole) : "cc"); \
		else \
			__asm__(op "l %1, %k0" : "+r"(x_) : "i"(hole) : "cc"); \
		x_; })
#define SHR_HOLE(value, hole) ((__typeof__((value) + 0))-1 < 0 ? SHIFT_HOLE("sar", value, hole) : SHIFT_HOLE("shr", value, hole))
#define SHL_IMM(x, n) SHIFT_HOLE("shl", x, H_IMM)
#define SHR_IMM(x, n) SHR_HOLE(x, H_IMM)
#define ROR_IMM(x, n) SHIFT_HOLE("ror", x, H_IMM)
#define SHL_BY(x, field) SHIFT_HOLE("shl", x, H_V##field)
#define SHR_BY(x, field) SHR_HOLE(x, H_V##field)
#define SLOT_ABCD NUMBER(H_ABCD)
/* The word that an IT before it has left, or a select's own (WORD). */
#ifdef OTHERWISE
#define CONDITION_HOLDS(f) (s->imm == 0)
#else
#define CONDITION_HOLDS(f) (s->imm != 0)
#endif

#endif
