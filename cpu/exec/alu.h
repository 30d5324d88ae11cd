/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic, logic and moves. a destination, b first and c second operand.
 * Suffixes: _ri immediate, _rr register, _lsl.. register shifted by imm, _ric immediate whose
 * expansion sets the carry (d). An "s" before the suffix sets the flags. */
#ifndef CPU_EXEC_ALU_H
#define CPU_EXEC_ALU_H

#include "cpu/exec/body.h"
#include "cpu/exec/shift.h"

#if HOST_FLAGS
/* Conditions not into *f at once: what nobody reads would be stored all the same. */
#define SUB_FLAGS(f, r, constraint, y) do { \
		bool equal_, higher_, less_, greater_; \
		__asm__("subl %7, %0\n\tsetae %b1\n\tseto %b2" \
			: "+r"(r), "+r"((f)->c), "+r"((f)->v), "=@cce"(equal_), "=@cca"(higher_), "=@ccl"(less_), "=@ccg"(greater_) : constraint(y)); \
		set_nz(f, r); \
		(f)->equal = equal_; \
		(f)->higher = higher_; \
		(f)->less = less_; \
		(f)->greater = greater_; \
		(f)->compared = true; \
	} while (0)
#endif
BODY u32 sub_flags(struct flags *f, u32 x, u32 y)
{
	u32 r = x;
#ifdef SUB_FLAGS
	SUB_FLAGS(f, r, "rm", y);
#else
	r -= y;
	set_nz(f, r);
	f->c = x >= y;
	f->v = ((x ^ y) & (x ^ r)) >> 31;
	f->equal = x == y;
	f->higher = x > y;
	f->less = (i32)x < (i32)y;
	f->greater = (i32)x > (i32)y;
	f->compared = true;
#endif
	return r;
}
/* x - s->imm, as add_imm_flags. */
BODY u32 sub_imm_flags(const struct slot *s, struct flags *f, u32 x)
{
#if defined(SUB_FLAGS) && defined(OPERANDS_ARE_HOLES)
	u32 r = x;
	SUB_FLAGS(f, r, "i", H_IMM);
	return r;
#else
	return sub_flags(f, x, s->imm);
#endif
}

/* a = x + y, a = x - y and with the immediate, and the flags. In stencils straight into the host register of the result, which is none that
 * the compiler chooses: it would compute elsewhere and move. */
#if defined(SUB_FLAGS) && defined(RESULT_IS_LATEST)
#define A_WITH_FLAGS(FLAGS, x, constraint, y) do { \
		latest = (x); \
		FLAGS(f, latest, constraint, y); \
	} while (0)
#define A_ADDS(x, y) do { const u32 y_ = (y); A_WITH_FLAGS(ADD_FLAGS, x, "r", y_); set_nz(f, latest); } while (0)
#define A_SUBS(x, y) do { const u32 y_ = (y); A_WITH_FLAGS(SUB_FLAGS, x, "r", y_); } while (0)
#define A_ADDS_IMM(x) do { A_WITH_FLAGS(ADD_FLAGS, x, "i", H_IMM); set_nz(f, latest); } while (0)
#define A_SUBS_IMM(x) A_WITH_FLAGS(SUB_FLAGS, x, "i", H_IMM)
#else
#define A_ADDS(x, y) (RA = add_flags(f, x, y))
#define A_SUBS(x, y) (RA = sub_flags(f, x, y))
#define A_ADDS_IMM(x) (RA = add_imm_flags(s, f, x))
#define A_SUBS_IMM(x) (RA = sub_imm_flags(s, f, x))
#endif

/* ---- immediate. Forms invert the immediate for BIC, ORN, MVN and SBC, negate it for SUB. ---- */
ALU_OP(mov_ri) { RA = s->imm; }
ALU_OP(movt) { RA = (OLD_A & 0xffff) | s->imm << 16; }
ALU_OP(and_ri) { A_FROM_IMM(&, "and"); }
ALU_OP(orr_ri) { A_FROM_IMM(|, "or"); }
ALU_OP(eor_ri) { A_FROM_IMM(^, "xor"); }
ALU_OP(add_ri) { A_FROM_IMM(+, "add"); }
ALU_OP(adc_ri) { RA = RB + s->imm + f->c; }
ALU_OP(rsb_ri) { RA = s->imm - RB; }
ALU_OP(movs_ri) { set_nz(f, RA = s->imm); }
ALU_OP(ands_ri) { set_nz(f, A_FROM_IMM(&, "and")); }
ALU_OP(orrs_ri) { set_nz(f, A_FROM_IMM(|, "or")); }
ALU_OP(eors_ri) { set_nz(f, A_FROM_IMM(^, "xor")); }
ALU_OP(movs_ric) { set_nz(f, RA = s->imm); f->c = s->d; }
ALU_OP(ands_ric) { set_nz(f, A_FROM_IMM(&, "and")); f->c = s->d; }
ALU_OP(orrs_ric) { set_nz(f, A_FROM_IMM(|, "or")); f->c = s->d; }
ALU_OP(eors_ric) { set_nz(f, A_FROM_IMM(^, "xor")); f->c = s->d; }
ALU_OP(adds_ri) { A_ADDS_IMM(RB); }
ALU_OP(adcs_ri) { RA = adc_flags(f, RB, s->imm); }
ALU_OP(subs_ri) { A_SUBS_IMM(RB); }
ALU_OP(rsbs_ri) { RA = sub_flags(f, s->imm, RB); }
ALU_OP(tst_ri) { set_nz(f, AND_IMM(RB)); }
ALU_OP(teq_ri) { set_nz(f, EOR_IMM(RB)); }
ALU_OP(tst_ric) { set_nz(f, AND_IMM(RB)); f->c = s->d; }
ALU_OP(teq_ric) { set_nz(f, EOR_IMM(RB)); f->c = s->d; }
ALU_OP(cmp_ri) { sub_imm_flags(s, f, RB); }
ALU_OP(cmn_ri) { add_imm_flags(s, f, RB); }

/* ---- register, shifted register ------------------------------------------------------------ */
#define LOGIC(name, shift, expr) \
	ALU_OP(name##_##shift) \
	{ \
		u32 x = RB, y = shift_##shift(RC, s->imm, f->c, NULL); \
		(void)x; \
		RA = (expr); \
	} \
	ALU_OP(name##s_##shift) \
	{ \
		u32 carry, x = RB, y = shift_##shift(RC, s->imm, f->c, &carry); \
		(void)x; \
		set_nz(f, RA = (expr)); \
		f->c = carry; \
	}
#define TEST(name, shift, expr) \
	ALU_OP(name##_##shift) \
	{ \
		u32 carry, x = RB, y = shift_##shift(RC, s->imm, f->c, &carry); \
		set_nz(f, expr); \
		f->c = carry; \
	}
#define ARITH(name, shift, expr, expr_flags) \
	ALU_OP(name##_##shift) \
	{ \
		u32 x = RB, y = shift_##shift(RC, s->imm, f->c, NULL); \
		RA = (expr); \
	} \
	ALU_OP(name##s_##shift) \
	{ \
		u32 x = RB, y = shift_##shift(RC, s->imm, f->c, NULL); \
		expr_flags; \
	}
#define COMPARE(name, shift, expr_flags) \
	ALU_OP(name##_##shift) \
	{ \
		u32 x = RB, y = shift_##shift(RC, s->imm, f->c, NULL); \
		expr_flags; \
	}
#define DATA_OPS(shift) \
	LOGIC(mov, shift, y) LOGIC(mvn, shift, ~y) LOGIC(and, shift, x & y) LOGIC(orr, shift, x | y) \
	LOGIC(eor, shift, x ^ y) LOGIC(bic, shift, x & ~y) LOGIC(orn, shift, x | ~y) \
	TEST(tst, shift, x & y) TEST(teq, shift, x ^ y) \
	ARITH(add, shift, x + y, A_ADDS(x, y)) ARITH(sub, shift, x - y, A_SUBS(x, y)) \
	ARITH(adc, shift, x + y + f->c, RA = adc_flags(f, x, y)) \
	ARITH(sbc, shift, x + ~y + f->c, RA = adc_flags(f, x, ~y)) \
	ARITH(rsb, shift, y - x, RA = sub_flags(f, y, x)) \
	COMPARE(cmp, shift, sub_flags(f, x, y)) COMPARE(cmn, shift, add_flags(f, x, y))
DATA_OPS(rr)
DATA_OPS(lsl)
DATA_OPS(lsr)
DATA_OPS(asr)
DATA_OPS(ror)
DATA_OPS(rrx)

#define SHIFT_BY(name) \
	ALU_OP(name##_by) \
	{ \
		u32 carry = 0; \
		RA = shift_by_##name(RB, RC & 0xff, &carry); \
	} \
	ALU_OP(name##s_by) \
	{ \
		u32 carry = f->c; \
		set_nz(f, RA = shift_by_##name(RB, RC & 0xff, &carry)); \
		f->c = carry; \
	}
SHIFT_BY(lsl)
SHIFT_BY(lsr)
SHIFT_BY(asr)
SHIFT_BY(ror)

/* ---- stack pointer as destination: word aligned, limited ------------------------------------- */
BODY bool sp_write(struct cpu *c, const enum path path, u32 value)
{
	if (!sp_fits(c, path, value & ~3u))
		return false;
	c->core.r[13] = value & ~3u;
	return true;
}
MEM_OP(sp_mov) { return sp_write(c, path, RC); }
MEM_OP(sp_mov_i) { return sp_write(c, path, s->imm); }
MEM_OP(sp_add_ri) { return sp_write(c, path, ADD_IMM(RB)); }
MEM_OP(sp_add_lsl) { return sp_write(c, path, RB + SHL_IMM(RC, s->imm)); }
MEM_OP(sp_sub_lsl) { return sp_write(c, path, RB - SHL_IMM(RC, s->imm)); }
BODY bool sp_adds(struct cpu *c, struct flags *f, const enum path path, u32 x, u32 y)
{
	if (!sp_write(c, path, x + y))
		return false;
	add_flags(f, x, y);
	return true;
}
BODY bool sp_subs(struct cpu *c, struct flags *f, const enum path path, u32 x, u32 y)
{
	if (!sp_write(c, path, x - y))
		return false;
	sub_flags(f, x, y);
	return true;
}
MEM_OP(sp_adds_ri) { return sp_adds(c, f, path, RB, s->imm); }
MEM_OP(sp_subs_ri) { return sp_subs(c, f, path, RB, s->imm); }
MEM_OP(sp_adds_lsl) { return sp_adds(c, f, path, RB, SHL_IMM(RC, s->imm)); }
MEM_OP(sp_subs_lsl) { return sp_subs(c, f, path, RB, SHL_IMM(RC, s->imm)); }

/* ---- bit fields, extension, byte order, selection -------------------------------------------- */
/* c = lsb, d = width - 1; BFI: imm = mask in place. */
ALU_OP(ubfx) { RA = SHR_BY(RB, c) & s->imm; }
ALU_OP(sbfx) { RA = (u32)SHR_BY((i32)SHL_BY(RB, c), d); }
ALU_OP(bfi) { RA = (OLD_A & ~s->imm) | (SHL_BY(RB, c) & s->imm); }

ALU_OP(sxtb) { RA = (u32)(i8)RC; }
ALU_OP(sxth) { RA = (u32)(i16)RC; }
ALU_OP(uxtb) { RA = (u8)RC; }
ALU_OP(uxth) { RA = (u16)RC; }
ALU_OP(sxtb_ror) { RA = (u32)(i8)ROR_IMM(RC, s->imm); }
ALU_OP(sxth_ror) { RA = (u32)(i16)ROR_IMM(RC, s->imm); }
ALU_OP(uxtb_ror) { RA = (u8)ROR_IMM(RC, s->imm); }
ALU_OP(uxth_ror) { RA = (u16)ROR_IMM(RC, s->imm); }
ALU_OP(sxtab) { RA = RB + (u32)(i8)ROR_IMM(RC, s->imm); }
ALU_OP(sxtah) { RA = RB + (u32)(i16)ROR_IMM(RC, s->imm); }
ALU_OP(uxtab) { RA = RB + (u8)ROR_IMM(RC, s->imm); }
ALU_OP(uxtah) { RA = RB + (u16)ROR_IMM(RC, s->imm); }

ALU_OP(rev) { RA = __builtin_bswap32(RC); }
ALU_OP(rev16) { RA = (RC & 0x00ff00ff) << 8 | (RC >> 8 & 0x00ff00ff); }
ALU_OP(revsh) { RA = (u32)(i16)__builtin_bswap16((u16)RC); }
ALU_OP(rbit)
{
	u32 x = RC;
	x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
	x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
	x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
	RA = __builtin_bswap32(x);
}
ALU_OP(clz) { RA = RC ? (u32)__builtin_clz(RC) : 32; }

/* Condition in d; b and c may be 15: zero (forms turn that into the _z variants' mask in imm). */
#define SELECT(name, other) \
	ALU_OP(name) \
	{ \
		u32 x = s->b == 15 ? 0 : RB, y = s->c == 15 ? 0 : RC; \
		RA = CONDITION_HOLDS(f) ? x : (other); \
	}
SELECT(csel, y)
SELECT(csinc, y + 1)
SELECT(csinv, ~y)
SELECT(csneg, -y)

/* ---- multiply, divide ------------------------------------------------------------------------ */
ALU_OP(mul) { RA = RB * RC; }
ALU_OP(muls) { set_nz(f, RA = RB * RC); }
ALU_OP(mla) { RA = RD + RB * RC; }
ALU_OP(mls) { RA = RD - RB * RC; }
/* Long forms: a = low, d = high. */
ALU_OP(umull)
{
	u64 r = (u64)RB * RC;
	RA = (u32)r;
	NEW_D = (u32)(r >> 32);
}
ALU_OP(smull)
{
	u64 r = (u64)((i64)(i32)RB * (i32)RC);
	RA = (u32)r;
	NEW_D = (u32)(r >> 32);
}
ALU_OP(umlal)
{
	u64 r = (u64)RB * RC + ((u64)RD << 32 | OLD_A);
	RA = (u32)r;
	NEW_D = (u32)(r >> 32);
}
ALU_OP(smlal)
{
	u64 r = (u64)((i64)(i32)RB * (i32)RC) + ((u64)RD << 32 | OLD_A);
	RA = (u32)r;
	NEW_D = (u32)(r >> 32);
}
ALU_OP(umaal)
{
	u64 r = (u64)RB * RC + RD + OLD_A;
	RA = (u32)r;
	NEW_D = (u32)(r >> 32);
}
/* Division by zero: zero, or a UsageFault when CCR.DIV_0_TRP is set. */
BODY bool divide_by_zero(const struct slot *s, struct cpu *c, const enum path path)
{
	if (path != SLOW)
		return false;
	if (sysop_div0_traps(c)) {
		fault_raise(c, FAULT_DIVBYZERO, 0);
		return false;
	}
	RA = 0;
	return true;
}
MEM_OP(udiv)
{
	if (UNLIKELY(!RC))
		return divide_by_zero(s, c, path);
	RA = RB / RC;
	return true;
}
MEM_OP(sdiv)
{
	if (UNLIKELY(!RC))
		return divide_by_zero(s, c, path);
	RA = RC == 0xffffffff ? -RB : (u32)((i32)RB / (i32)RC);
	return true;
}

#endif
