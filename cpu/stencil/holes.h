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

/* What a body of the integer core computes. */
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

#ifdef DATA_WAITS
#include "cpu/stencil/lines.h"
#define UNALIGNED_IN 32 /* what lies in one of so many bytes */
#else
#define UNALIGNED_IN 4096
#endif

/* The low half of a host register, of which the compiler does not know that the other half is zero. */
#define LOW_WORD(register_) ({ u64 w_ = (register_); if (w_ >> 32) __builtin_unreachable(); (u32)w_; })

/* -DBASE_IS_SP: the base register is SP. RESULT_IS_LATEST: bodies write operand a to the host's register; it comes to memory behind them
 * (KEEP_LATEST). */
#define RA_MEMORY AT(H_A, u32)
#ifdef RESULT_IS_LATEST
/* A register that comes from memory is loaded alone, never as an operand of what computes: only such a load finds what was stored
 * a moment before without waiting for it (Zen 2 and later; Golden Cove and later). */
#define OPERAND(place, host) ({ register u64 host_ __asm__(host) = (place); __asm__("" : "+r"(host_)); LOW_WORD(host_); })
#define RA latest
#else /* floating point and vectors also write what they read */
#define OPERAND(place, host) (place)
#define RA RA_MEMORY
#endif
#define OLD_A OPERAND(RA_MEMORY, "r11")
#ifdef BASE_IS_SP
#define NEW_B c->core.r[13]
#else
#define NEW_B AT(H_B, u32)
#endif
#ifndef RESULT_IS_LATEST
#define RB NEW_B
#else
#define RB (s->handler ? latest : OPERAND(NEW_B, "rax")) /* B_IS_LOADED */
#endif
#define NEW_C AT(H_C, u32)
#define RC OPERAND(NEW_C, "r10")
#define NEW_D AT(H_D, u32)
#define RD OPERAND(NEW_D, "r13")

/* With the immediate: by name, as the compiler would load it to a register. */
#define ADD_IMM(x) ({ u64 r_; __asm__("leal %c2(%q1), %k0" : "=r"(r_) : "r"(x), "i"(H_IMM)); LOW_WORD(r_); })
#define WITH_IMM(op, x) ({ u32 r_ = (x); __asm__(op "l %1, %0" : "+r"(r_) : "i"(H_IMM) : "cc"); r_; })
#define AND_IMM(x) WITH_IMM("and", x)
#define EOR_IMM(x) WITH_IMM("xor", x)
#ifdef RESULT_IS_LATEST
#define A_FROM_IMM(op, host) ({ latest = RB; __asm__(host "l %1, %0" : "+r"(latest) : "i"(H_IMM) : "cc"); latest; })
#endif
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
/* Goes on where `addr`, in a page that is open, is aligned. If not, a part that cut-stencils puts with the cold ones (.apart) looks at what
 * page_open_unaligned looks at besides, and comes back or leaves to `refused`. */
#define UNLESS_UNALIGNED(c, addr, bytes, refused) \
	__asm__ goto("testb %[low], %b[at]\n\tjne 8f\n9:\n\t" \
		     ".pushsection .apart%%S, \"ax\", @progbits\n8:\t" \
		     "movl %k[at], %%r13d\n\tshrl $12, %%r13d\n\tmovzbl (%%r15, %%r13), %%r13d\n\t" \
		     "andb %c[allowed](%q[cpu]), %%r13b\n\tje %l[refused]\n\t" \
		     "movl %k[at], %%r13d\n\tandl %[in], %%r13d\n\tcmpl %[last], %%r13d\n\tja %l[refused]\n\tjmp 9b\n\t" \
		     ".popsection" \
		     : : [at] "r"(addr), [cpu] "r"(c), [low] "i"((bytes) - 1), [in] "i"(UNALIGNED_IN - 1), [last] "i"(UNALIGNED_IN - (bytes)), \
			 [allowed] "i"(offsetof(struct cpu, unaligned)) \
		     : "r13", "cc" : refused)
/* The word that an IT before it has left, or a select's own (WORD). */
#ifdef OTHERWISE
#define CONDITION_HOLDS(f) (s->imm == 0)
#else
#define CONDITION_HOLDS(f) (s->imm != 0)
#endif

#endif
