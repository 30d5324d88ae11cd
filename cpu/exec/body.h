/* SPDX-License-Identifier: Apache-2.0 */
/* What instruction bodies are written with. Private to cpu/.
 *
 * A body is an inline function named op_NAME, one per row of ops_*.def; its kind fixes the
 * parameters. Bodies are stamped into tail-call handlers, stencils and the plain
 * functions of the checking and stepping engines. FAST must change nothing before it returns
 * false; then the same body runs again as SLOW, with everything spilled and the exact time set,
 * where false means that a fault is pending and the instruction is abandoned. */
#ifndef CPU_EXEC_BODY_H
#define CPU_EXEC_BODY_H

#include <string.h>

#include "cpu/access.h"
#include "cpu/engine/slot.h"
#include "cpu/fault.h"
#include "cpu/observed.h"
#include "cpu/state.h"
#include "cpu/sysop.h"

/* The condition flags while code runs. */
struct flags {
	i64 nz; /* N = bit 63, Z = low 32 bits are zero */
	u32 c;  /* 0 or 1 */
	u32 v;  /* 0 or 1 */
	/* The last instruction that set flags was a subtraction: Z and conditions that need more than one flag are known,
	 * in handlers from the host's own flags. */
	bool compared, equal, higher, less, greater;
	bool refused; /* stencils of vectors: nothing is done, the operation's handler must do it */
};

/* The host's flags after an addition or subtraction are the result's, where the compiler can name them. Not clang:
 * version 14 moves additions between such an asm and the branch on its flag (tests/engine shows it). */
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__) && !defined(__clang__)
#define HOST_FLAGS 1
#else
#define HOST_FLAGS 0
#endif

/* Plain functions take FAST and GRANULES as one: it is fast, and knows the granules of cut pages and unaligned
 * accesses. CUT is for accesses to cut pages alone: it calls nothing. */
enum path { FAST, CUT, GRANULES, SLOW };

#define BODY ALWAYS_INLINE __attribute__((unused))
#define ALU_OP(name) BODY void op_##name(const struct slot *s, struct cpu *c, struct flags *f)
#define MEM_OP(name) BODY bool op_##name(const struct slot *s, struct cpu *c, struct flags *f, \
					 const enum path path)
#define BR_OP(name) BODY bool op_##name(const struct slot *s, struct cpu *c, struct flags *f)
#define GO_OP(name) ALU_OP(name)
#define BRM_OP(name) BODY bool op_##name(const struct slot *s, struct cpu *c, struct flags *f, \
					 const enum path path, bool *taken)
#define JMP_OP(name) BODY bool op_##name(const struct slot *s, struct cpu *c, struct flags *f, \
					 const enum path path, u32 *target)
#define SYS_OP(name) BODY bool op_##name(const struct slot *s, struct cpu *c)
#define FP_OP(name) ALU_OP(name)
#define FPMEM_OP(name) MEM_OP(name)
/* `flags` and not f: lanes are named by letters. */
#define MVE_OP(name) BODY void op_##name(const struct slot *s, struct cpu *c, struct flags *flags, \
					 const bool pred)
#define MVEMEM_OP(name) BODY bool op_##name(const struct slot *s, struct cpu *c, struct flags *flags, \
					    const enum path path, const bool pred)

/* Operands as the slot names them. Stencils have their own (cpu/stencil/holes.h). */
#ifndef OPERANDS_ARE_HOLES
/* Core registers. A body of the integer core reads operand a as OLD_A. */
#define RA c->core.r[s->a]
#define OLD_A RA
#define RB c->core.r[s->b]
#define RC c->core.r[s->c]
#define RD c->core.r[s->d]
/* What a body of the integer core writes besides a. */
#define NEW_B RB
#define NEW_C RC
#define NEW_D RD
/* With the immediate. */
#define ADD_IMM(x) ((x) + s->imm)
#define AND_IMM(x) ((x) & s->imm)
#define EOR_IMM(x) ((x) ^ s->imm)
/* a = b op immediate */
#define A_FROM_IMM(op, host) (RA = RB op s->imm)
/* Shifts by the immediate n, 0 to 31, or to 63 where the value has 64 bits. */
#define SHL_IMM(x, n) ((x) << (n))
#define SHR_IMM(x, n) ((x) >> (n))
#define ROR_IMM(x, n) ror32(x, n)
/* Shifts by the slot's operand c or d. */
#define SHL_BY(x, field) ((x) << s->field)
#define SHR_BY(x, field) ((x) >> s->field)
/* Is the condition in imm true? */
#define CONDITION_HOLDS(f) flags_hold_any(f, s->imm)
#define SLOT_ABCD s->abcd
#endif

/* What every access needs: the host address of guest address 0, and the permissions of the current state. Handlers
 * keep both in host registers (cpu/engine/registers.h). */
#ifdef ENGINE_PINNED
#define MEMORY(c, path) ((path) == FAST ? engine_memory : (c)->mem)
#define RIGHTS(c, path) ((path) == FAST ? engine_rights : (c)->page_ok)
#else
#define MEMORY(c, path) ((c)->mem)
#define RIGHTS(c, path) ((c)->page_ok)
#endif

BODY void set_nz(struct flags *f, u32 result)
{
	f->nz = (i32)result;
	f->compared = false;
}

BODY u32 flags_to_apsr(const struct flags *f)
{
	return (u32)((u64)f->nz >> 63) << 31 | (u32)((u32)f->nz == 0) << 30 | f->c << 29 | f->v << 28;
}

BODY struct flags flags_from_apsr(u32 apsr)
{
	struct flags f = { 0 };
	f.nz = (i64)((u64)(apsr >> 31) << 63 | (~apsr >> 30 & 1));
	f.c = apsr >> 29 & 1;
	f.v = apsr >> 28 & 1;
	return f;
}

/* Conditions as the Arm ARM numbers them; cond is a constant wherever speed matters. */
BODY bool flags_hold(const struct flags *f, const unsigned cond)
{
	bool z = f->compared ? f->equal : (u32)f->nz == 0, n = f->nz < 0;
	bool hi = f->compared ? f->higher : f->c && !z, lt = f->compared ? f->less : n != f->v;
	bool gt = f->compared ? f->greater : !lt && !z;
	switch (cond) {
	case 0: return z;
	case 1: return !z;
	case 2: return f->c;
	case 3: return !f->c;
	case 4: return n;
	case 5: return !n;
	case 6: return f->v;
	case 7: return !f->v;
	case 8: return hi;
	case 9: return !hi;
	case 10: return !lt;
	case 11: return lt;
	case 12: return gt;
	case 13: return !gt;
	default: return true;
	}
}

/* A word that is 0 or not by a condition that is known: where it is one flag, without making a bit of it. Not 0
 * where the condition holds, or fails if flags_word_inverts(cond). */
BODY u32 flags_word(const struct flags *f, const unsigned cond)
{
	switch (cond) {
	case 0: case 1: return (u32)f->nz;
	case 2: case 3: return f->c;
	case 6: case 7: return f->v;
	default: return flags_hold(f, cond);
	}
}
#define flags_word_inverts(cond) ((cond) == 0 || (cond) == 3 || (cond) == 7)

/* The same for a condition that only the slot knows: without a branch, conditions on data cannot be predicted. */
BODY bool flags_hold_any(const struct flags *f, unsigned cond)
{
	/* By condition: a bit for each value of NZCV. */
	static const u16 holds[16] = { 0xf0f0, 0x0f0f, 0xcccc, 0x3333, 0xff00, 0x00ff, 0xaaaa, 0x5555,
				       0x0c0c, 0xf3f3, 0xaa55, 0x55aa, 0x0a05, 0xf5fa, 0xffff, 0xffff };
	return holds[cond] >> (flags_to_apsr(f) >> 28) & 1;
}

/* Additions and subtractions that set flags are every tenth instruction, and seldom are their flags dead: C and V
 * are changed in place, without extending a bit to a word. */
#if HOST_FLAGS
#define ADD_FLAGS(f, r, constraint, y) \
	__asm__("addl %3, %0\n\tsetc %b1\n\tseto %b2" : "+r"(r), "+r"((f)->c), "+r"((f)->v) : constraint(y) : "cc")
#endif
BODY u32 add_flags(struct flags *f, u32 x, u32 y)
{
	u32 r = x;
#ifdef ADD_FLAGS
	ADD_FLAGS(f, r, "rm", y);
#else
	r += y;
	f->c = r < x;
	f->v = ((x ^ r) & (y ^ r)) >> 31;
#endif
	set_nz(f, r);
	return r;
}
/* x + s->imm: stencils by name, as the compiler would load it to a register first. */
BODY u32 add_imm_flags(const struct slot *s, struct flags *f, u32 x)
{
#if defined(ADD_FLAGS) && defined(OPERANDS_ARE_HOLES)
	u32 r = x;
	ADD_FLAGS(f, r, "i", H_IMM);
	set_nz(f, r);
	return r;
#else
	return add_flags(f, x, s->imm);
#endif
}
/* x + y + C */
BODY u32 adc_flags(struct flags *f, u32 x, u32 y)
{
#if HOST_FLAGS
	u32 r = x;
	__asm__("shrl %1\n\tadcl %3, %0\n\tsetc %b1\n\tseto %b2" : "+r"(r), "+&r"(f->c), "+&r"(f->v) : "rm"(y) : "cc");
#else
	u64 wide = (u64)x + y + f->c;
	u32 r = (u32)wide;
	f->c = (u32)(wide >> 32);
	f->v = ((x ^ r) & (y ^ r)) >> 31;
#endif
	set_nz(f, r);
	return r;
}

BODY u32 ror32(u32 x, unsigned by) { return x >> (by & 31) | x << (-by & 31); }

/* A target that needs no sysop_branch: Thumb, and neither EXC_RETURN nor FNC_RETURN. */
BODY bool jump_plain(u32 target) { return (target & 1) && target < 0xf0000000u; }

#ifndef PAGE_READ /* stencils may have their own: any of the bits suffices */
#define PAGE_READ 1
#endif
#ifndef PAGE_WRITE
#define PAGE_WRITE 2
#endif
#define PAGE_EXEC 4

/* Stencils that count what a read takes beyond its block's cost look at the rights of its page. */
#ifndef NOTE_RIGHTS
#define NOTE_RIGHTS(rights, bytes) ((void)0)
#endif

/* Where accesses may take time of their own (cpu/stencil/lines.h): true where that is known or asked for. in_one: all of it lies in one line.
 * ask: a body that goes on behind it. ASKS: does one that opens so many bytes at once? */
#ifndef LINES_FREE
#define LINES_FREE(c, addr, bytes, right, in_one, ask) true
#define LINES_ALL_FREE(c, addr, bytes) true
#endif
#ifndef ASKS
#define ASKS(bytes, aligned_to) true
#endif

/* What plain functions (GRANULES) do in memory: functions of their own (cpu/exec/plain_memory.c), as it would be much code in each. */
bool plain_permits(const struct cpu *c, u32 addr, u32 bytes, u32 aligned_to, u8 right);
bool plain_load(struct cpu *c, u32 addr, unsigned bytes, unsigned acc, u32 *out);
bool plain_store(struct cpu *c, u32 addr, unsigned bytes, unsigned acc, u32 value);

/* True when `bytes` at addr lie in one page that the current state may access directly.
 * aligned_to: alignment the fast path wants (a power of two; 1: any). */
BODY bool page_permits(const struct cpu *c, const enum path path, u32 addr, u32 bytes, u32 aligned_to, u8 right)
{
	if (path == GRANULES)
		return plain_permits(c, addr, bytes, aligned_to, right);
	if (path == CUT) /* what is aligned as a whole lies in one granule: its first byte stands for all */
		return LIKELY(!(addr & (aligned_to - 1)) && access_granules(c, addr, aligned_to >= bytes ? 1 : bytes, right));
	const u8 rights = RIGHTS(c, path)[addr >> 12];
	NOTE_RIGHTS(rights, bytes);
	if (aligned_to >= bytes)
		return LIKELY((rights & right) && !(addr & (aligned_to - 1)));
	return LIKELY((rights & right) && !(addr & (aligned_to - 1)) &&
		      (addr & 4095) <= 4096 - bytes);
}

/* The same, and what it takes is known. */
BODY bool page_open(struct cpu *c, const enum path path, u32 addr, u32 bytes, u32 aligned_to, u8 right)
{
	if (!page_permits(c, path, addr, bytes, aligned_to, right))
		return false;
	if (path != FAST)
		return true;
	if (!__builtin_constant_p(bytes) || bytes > 32)
		return LINES_ALL_FREE(c, addr, bytes);
	return LINES_FREE(c, addr, bytes, right, aligned_to >= bytes, ASKS(bytes, aligned_to));
}

/* The same for any address, where unaligned accesses are made at once. */
BODY bool page_open_unaligned(const struct cpu *c, const enum path path, u32 addr, u32 bytes, u8 right)
{
	u8 rights = RIGHTS(c, path)[addr >> 12];

	return rights & right && rights & c->unaligned && (addr & 4095) <= 4096 - bytes;
}

/* One load or store of 1, 2 or 4 bytes; false as the body must return it. */
BODY bool data_open(struct cpu *c, const enum path path, u32 addr, const unsigned bytes, unsigned acc, u8 right)
{
	if (acc & ACC_UNPRIV)
		return false;
#ifdef UNLESS_UNALIGNED
	if (path == FAST && bytes != 1 && !(acc & ACC_ALIGNED)) {
		if (!page_permits(c, path, addr, 1, 1, right))
			return false;
		UNLESS_UNALIGNED(c, addr, bytes, refused);
		return LINES_FREE(c, addr, bytes, right, true, !(acc & ACC_TRIED));
	refused:
		return false;
	}
#endif
	if (page_open(c, path, addr, bytes, bytes, right))
		return true;
	if (path == CUT)
		return false;
	if (bytes == 1 || acc & ACC_ALIGNED)
		return false;
	return page_open_unaligned(c, path, addr, bytes, right);
}

/* What plain functions access is told to who observes instructions, word by word, as their slow twins do: `count` times `bytes` from
 * addr on; `written` is what is about to be stored there, NULL for loads. Before any of it is read: cpu/again.h puts it there. */
BODY void tell_access(struct cpu *c, const enum path path, u32 addr, unsigned bytes, unsigned count, const void *written)
{
	if (path == GRANULES && UNLIKELY(c->observed))
		observed_direct(c, addr, bytes, count, written);
}

/* 1, 2 or 4 bytes. */
BODY u32 memory_word(const u8 *p, const unsigned bytes)
{
	u16 h;
	u32 w;

	if (bytes == 1)
		return *p;
	if (bytes == 2) {
		memcpy(&h, p, 2);
		return h;
	}
	memcpy(&w, p, 4);
	return w;
}

BODY bool load(struct cpu *c, const enum path path, u32 addr, const unsigned bytes, unsigned acc, u32 *out)
{
	if (path == SLOW)
		return cpu_load(c, addr, bytes, acc, out);
	if (path == GRANULES)
		return plain_load(c, addr, bytes, acc, out);
	if (!data_open(c, path, addr, bytes, acc, PAGE_READ))
		return false;
	*out = memory_word(MEMORY(c, path) + addr, bytes);
	return true;
}

BODY bool store(struct cpu *c, const enum path path, u32 addr, const unsigned bytes, unsigned acc, u32 value)
{
	if (path == SLOW)
		return cpu_store(c, addr, bytes, acc, value);
	if (path == GRANULES)
		return plain_store(c, addr, bytes, acc, value);
	if (!data_open(c, path, addr, bytes, acc, PAGE_WRITE))
		return false;
	memcpy(MEMORY(c, path) + addr, &value, bytes);
	return true;
}

/* The stack limit of the stack in use, 0 when it does not apply; and one past the last address
 * that an SP update may not go below. A body that moves SP down checks it: false = slow path,
 * where the fault is raised. */
BODY bool sp_fits(struct cpu *c, const enum path path, u32 new_sp)
{
	if (LIKELY(new_sp >= c->sp_limit))
		return true;
	if (path == SLOW)
		fault_raise(c, FAULT_STKOF, new_sp);
	return false;
}

/* An indirect branch that is no return: with BTI enabled its target must be a landing pad (PACBTI-M,
 * EPSR.B), which the slow path says to whoever executes the target. After everything that may fail. */
BODY bool branches_indirectly(struct cpu *c, const enum path path)
{
	if (path != SLOW)
		return LIKELY(!c->bti);
	c->core.btype = c->bti;
	return true;
}

#include "cpu/exec/lanes.h"

#endif
