/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar floating-point arithmetic, comparison and selection; suffixes _h _s _d by format.
 * Single and double precision try the host's FPU first (cpu/fp/fast.h); where that does not apply,
 * the slow path works in integers. */
#ifndef CPU_EXEC_FP_ARITH_H
#define CPU_EXEC_FP_ARITH_H

#include "cpu/exec/fp_regs.h"

/* Destination a from b and c. */
#define FP_BINARY(op) \
	FP_OP(v##op##_h) { SA = fp16_##op(HB, HC, FPSCR); } \
	FPMEM_OP(v##op##_s) \
	{ \
		if (path == FAST) \
			return fp32_fast_##op(&SA, SB, SC, c->fp.fpscr); \
		SA = fp32_##op(SB, SC, FPSCR); \
		return true; \
	} \
	FPMEM_OP(v##op##_d) \
	{ \
		if (path == FAST) \
			return fp64_fast_##op(&DA, DB, DC, c->fp.fpscr); \
		DA = fp64_##op(DB, DC, FPSCR); \
		return true; \
	}
FP_BINARY(add)
FP_BINARY(sub)
FP_BINARY(mul)
FP_BINARY(div)

FP_OP(vnmul_h) { SA = fp16_mul(HB, HC, FPSCR) ^ NEG16; }
FP_OP(vnmul_s) { SA = fp32_mul(SB, SC, FPSCR) ^ NEG32; }
FP_OP(vnmul_d) { DA = fp64_mul(DB, DC, FPSCR) ^ NEG64; }

#define FP_MINMAX(op) \
	FP_OP(v##op##_h) { SA = fp16_##op(HB, HC, FPSCR); } \
	FP_OP(v##op##_s) { SA = fp32_##op(SB, SC, FPSCR); } \
	FP_OP(v##op##_d) { DA = fp64_##op(DB, DC, FPSCR); }
FP_MINMAX(maxnm)
FP_MINMAX(minnm)

/* Chained (two roundings): (a ^ flip_a) + (b * c ^ flip_p). */
#define FP_CHAINED(op, flip_a, flip_p) \
	FP_OP(v##op##_h) \
	{ \
		u32 product = fp16_mul(HB, HC, FPSCR); \
		SA = fp16_add(HA ^ (flip_a ? NEG16 : 0), product ^ (flip_p ? NEG16 : 0), FPSCR); \
	} \
	FPMEM_OP(v##op##_s) \
	{ \
		u32 product; \
		if (path == FAST) \
			return fp32_fast_mul(&product, SB, SC, c->fp.fpscr) && \
			       fp32_fast_add(&SA, SA ^ (flip_a ? NEG32 : 0), \
					     product ^ (flip_p ? NEG32 : 0), c->fp.fpscr); \
		product = fp32_mul(SB, SC, FPSCR); \
		SA = fp32_add(SA ^ (flip_a ? NEG32 : 0), product ^ (flip_p ? NEG32 : 0), FPSCR); \
		return true; \
	} \
	FPMEM_OP(v##op##_d) \
	{ \
		u64 product; \
		if (path == FAST) \
			return fp64_fast_mul(&product, DB, DC, c->fp.fpscr) && \
			       fp64_fast_add(&DA, DA ^ (flip_a ? NEG64 : 0), \
					     product ^ (flip_p ? NEG64 : 0), c->fp.fpscr); \
		product = fp64_mul(DB, DC, FPSCR); \
		DA = fp64_add(DA ^ (flip_a ? NEG64 : 0), product ^ (flip_p ? NEG64 : 0), FPSCR); \
		return true; \
	}
FP_CHAINED(mla, 0, 0)
FP_CHAINED(mls, 0, 1)
FP_CHAINED(nmla, 1, 1)
FP_CHAINED(nmls, 1, 0)

/* Fused: (a ^ flip_a) + (b ^ flip_p) * c. */
#define FP_FUSED(op, flip_a, flip_p) \
	FP_OP(v##op##_h) \
	{ \
		SA = fp16_fma(HA ^ (flip_a ? NEG16 : 0), HB ^ (flip_p ? NEG16 : 0), HC, FPSCR); \
	} \
	FPMEM_OP(v##op##_s) \
	{ \
		u32 x = SA ^ (flip_a ? NEG32 : 0), y = SB ^ (flip_p ? NEG32 : 0); \
		if (path == FAST) \
			return fp32_fast_fma(&SA, x, y, SC, c->fp.fpscr); \
		SA = fp32_fma(x, y, SC, FPSCR); \
		return true; \
	} \
	FPMEM_OP(v##op##_d) \
	{ \
		u64 x = DA ^ (flip_a ? NEG64 : 0), y = DB ^ (flip_p ? NEG64 : 0); \
		if (path == FAST) \
			return fp64_fast_fma(&DA, x, y, DC, c->fp.fpscr); \
		DA = fp64_fma(x, y, DC, FPSCR); \
		return true; \
	}
FP_FUSED(fma, 0, 0)
FP_FUSED(fms, 0, 1)
FP_FUSED(fnma, 1, 1)
FP_FUSED(fnms, 1, 0)

FP_OP(vsqrt_h) { SA = fp16_sqrt(HC, FPSCR); }
FPMEM_OP(vsqrt_s)
{
	if (path == FAST)
		return fp32_fast_sqrt(&SA, SC, c->fp.fpscr);
	SA = fp32_sqrt(SC, FPSCR);
	return true;
}
FPMEM_OP(vsqrt_d)
{
	if (path == FAST)
		return fp64_fast_sqrt(&DA, DC, c->fp.fpscr);
	DA = fp64_sqrt(DC, FPSCR);
	return true;
}

FP_OP(vabs_h) { SA = HC & ~NEG16; }
FP_OP(vabs_s) { SA = SC & ~NEG32; }
FP_OP(vabs_d) { DA = DC & ~NEG64; }
FP_OP(vneg_h) { SA = HC ^ NEG16; }
FP_OP(vneg_s) { SA = SC ^ NEG32; }
FP_OP(vneg_d) { DA = DC ^ NEG64; }

/* Compares a with c; the "z" forms with zero. s->d: quiet NaNs are invalid too (VCMPE). */
BODY void fp_set_nzcv(struct cpu *c, u32 nzcv) { c->fp.fpscr = (c->fp.fpscr & 0x0fffffff) | nzcv; }

#define FP_COMPARE(name, right16, right32, right64) \
	FP_OP(name##_h) { fp_set_nzcv(c, fp16_compare(HA, right16, s->d, FPSCR)); } \
	FPMEM_OP(name##_s) \
	{ \
		u32 nzcv; \
		if (path != FAST) \
			nzcv = fp32_compare(SA, right32, s->d, FPSCR); \
		else if (!fp32_fast_compare(&nzcv, SA, right32)) \
			return false; \
		fp_set_nzcv(c, nzcv); \
		return true; \
	} \
	FPMEM_OP(name##_d) \
	{ \
		u32 nzcv; \
		if (path != FAST) \
			nzcv = fp64_compare(DA, right64, s->d, FPSCR); \
		else if (!fp64_fast_compare(&nzcv, DA, right64)) \
			return false; \
		fp_set_nzcv(c, nzcv); \
		return true; \
	}
FP_COMPARE(vcmp, HC, SC, DC)
FP_COMPARE(vcmpz, 0, 0, 0)

/* s->d: the condition, EQ VS GE GT. */
BODY bool fp_select(const struct flags *f, unsigned which)
{
	static const u8 condition[4] = { 0, 6, 10, 12 };
	return flags_hold(f, condition[which & 3]);
}
FP_OP(vsel_h) { SA = fp_select(f, s->d) ? HB : HC; }
FP_OP(vsel_s) { SA = fp_select(f, s->d) ? SB : SC; }
FP_OP(vsel_d) { DA = fp_select(f, s->d) ? DB : DC; }

#endif
