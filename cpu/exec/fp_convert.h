/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar conversions and rounding: a = converted c. Suffix: to, from. */
#ifndef CPU_EXEC_FP_CONVERT_H
#define CPU_EXEC_FP_CONVERT_H

#include "cpu/exec/fp_regs.h"
#include "cpu/exec/fp_round.h"

/* b: rounding mode, FP_ROUND_CURRENT for FPSCR's; d: signed. */

BODY enum fp_round fp_slot_round(const struct slot *s, const struct cpu *c)
{
	return s->b == FP_ROUND_CURRENT ? fp_mode(c->fp.fpscr) : (enum fp_round)s->b;
}

FP_OP(vcvt_int_h) { SA = fp16_to_fixed(HC, 0, 32, !s->d, fp_slot_round(s, c), FPSCR); }
FPMEM_OP(vcvt_int_s)
{
	if (path == FAST)
		return s->b == ROUND_ZERO && fp32_fast_to_int(&SA, SC, !s->d, c->fp.fpscr);
	SA = fp32_to_fixed(SC, 0, 32, !s->d, fp_slot_round(s, c), FPSCR);
	return true;
}
FPMEM_OP(vcvt_int_d)
{
	if (path == FAST)
		return s->b == ROUND_ZERO && fp64_fast_to_int(&SA, DC, !s->d, c->fp.fpscr);
	SA = fp64_to_fixed(DC, 0, 32, !s->d, fp_slot_round(s, c), FPSCR);
	return true;
}

BODY i64 fp_slot_int(const struct slot *s, struct cpu *c) { return s->d ? (i64)(i32)SC : (i64)SC; }
FP_OP(vcvt_h_int) { SA = fp16_from_fixed(fp_slot_int(s, c), 0, fp_mode(c->fp.fpscr), FPSCR); }
FPMEM_OP(vcvt_s_int)
{
	if (path == FAST)
		return fp32_fast_from_int(&SA, fp_slot_int(s, c), c->fp.fpscr);
	SA = fp32_from_fixed(fp_slot_int(s, c), 0, fp_mode(c->fp.fpscr), FPSCR);
	return true;
}
FP_OP(vcvt_d_int) { DA = fp_b64((double)fp_slot_int(s, c)); } /* always exact */

/* Fixed point, in place: b = fraction bits, c = 1 for 32-bit integers, d = unsigned. To fixed rounds
 * towards zero, from fixed to nearest. */
BODY i64 fp_fixed(u32 v, const struct slot *s)
{
	return s->c ? (s->d ? (i64)v : (i64)(i32)v) : (s->d ? (i64)(u16)v : (i64)(i16)v);
}
#define FP_WIDTH (s->c ? 32u : 16u)
FP_OP(vcvt_h_fix) { SA = fp16_from_fixed(fp_fixed(SA, s), s->b, ROUND_NEAREST, FPSCR); }
FP_OP(vcvt_s_fix) { SA = fp32_from_fixed(fp_fixed(SA, s), s->b, ROUND_NEAREST, FPSCR); }
FP_OP(vcvt_d_fix) { DA = fp64_from_fixed(fp_fixed((u32)DA, s), s->b, ROUND_NEAREST, FPSCR); }
FP_OP(vcvt_fix_h) { SA = fp16_to_fixed(HA, s->b, FP_WIDTH, s->d, ROUND_ZERO, FPSCR); }
FP_OP(vcvt_fix_s) { SA = fp32_to_fixed(SA, s->b, FP_WIDTH, s->d, ROUND_ZERO, FPSCR); }
FP_OP(vcvt_fix_d)
{
	u32 v = fp64_to_fixed(DA, s->b, FP_WIDTH, s->d, ROUND_ZERO, FPSCR);
	DA = s->d ? v : (u64)(i64)(i32)v;
}

FPMEM_OP(vcvt_s_d)
{
	if (path == FAST)
		return fp64_fast_to_fp32(&SA, DC, c->fp.fpscr);
	SA = fp64_to_fp32(DC, FPSCR);
	return true;
}
FPMEM_OP(vcvt_d_s)
{
	u32 v = SC;
	if (path == FAST && !fp32_plain(v))
		return false;
	DA = path == FAST ? fp_b64(fp_f32(v)) : fp32_to_fp64(v, FPSCR);
	return true;
}

/* VCVTB, VCVTT: d = 1 for the top half of the half-precision register. */
BODY u32 fp_half_of(u32 v, unsigned top) { return top ? v >> 16 : v & 0xffff; }
BODY void fp_put_half(u32 *reg, unsigned top, u32 half)
{
	*reg = top ? (*reg & 0xffff) | half << 16 : (*reg & 0xffff0000) | half;
}
FP_OP(vcvtbt_s_h) { SA = fp16_to_fp32(fp_half_of(SC, s->d), FPSCR); }
FP_OP(vcvtbt_d_h) { DA = fp16_to_fp64(fp_half_of(SC, s->d), FPSCR); }
FP_OP(vcvtbt_h_s) { fp_put_half(&SA, s->d, fp32_to_fp16(SC, FPSCR)); }
FP_OP(vcvtbt_h_d) { fp_put_half(&SA, s->d, fp64_to_fp16(DC, FPSCR)); }

/* VRINT: d = 1 raises Inexact (VRINTX). */
FP_OP(vrint_h) { SA = fp16_round_int(HC, fp_slot_round(s, c), s->d, FPSCR); }
FP_OP(vrint_s) { SA = fp32_round_int(SC, fp_slot_round(s, c), s->d, FPSCR); }
FP_OP(vrint_d) { DA = fp64_round_int(DC, fp_slot_round(s, c), s->d, FPSCR); }

#endif
