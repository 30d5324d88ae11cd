/* SPDX-License-Identifier: Apache-2.0 */
/* MVE shifts: by immediate, by vector, by core register; widening and narrowing ones. */
#ifndef CPU_EXEC_MVE_SHIFT_H
#define CPU_EXEC_MVE_SHIFT_H

#include "cpu/exec/mve_lanes.h"

/* x shifted left by `by` (negative: right, rounding if asked). Left shifts by more than a lane give 0. */
BODY i64 mve_shift(i64 x, int by, const bool round)
{
	if (by >= 0)
		return by > 31 ? 0 : (i64)((u64)x << by);
	unsigned right = by < -63 ? 63 : (unsigned)-by;
	return round ? ((x >> (right - 1)) + 1) >> 1 : x >> right;
}

/* The same before saturation: large left shifts give something beyond every limit of the sign. */
BODY i64 mve_shift_wide(i64 x, int by, const bool round)
{
	if (by > 31)
		return x > 0 ? INT64_MAX : x < 0 ? INT64_MIN : 0;
	return by >= 0 ? (i64)((u64)x << by) : mve_shift(x, by, round);
}

/* By immediate: a = c << imm, >> imm (imm in 1..bits), and inserted into a. */
#define SHIFT_IMM(f, suffix, op, expr) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec m = QC, d = QA, r; \
		unsigned by = s->imm & 63; \
		EACH(f) { \
			WIDE_##f x = m.f[i]; \
			r.f[i] = (TYPE_##f)(expr(f)); \
		} \
		(void)d; \
		mve_write(c, &QA, &r, pred); \
	}
#define E_SHL(f) (u32)x << by
#define E_SHR(f) (i64)x >> by
#define E_RSHR(f) (((i64)x >> (by - 1)) + 1) >> 1
#define E_SLI(f) (((u64)x << by) | (d.f[i] & ((1ull << by) - 1)))
#define E_SRI(f) (((u64)x >> by) | (d.f[i] & ~((u64)HIGH_##f >> by)))
EACH_I(SHIFT_IMM, shl_imm, E_SHL)
EACH_SU(SHIFT_IMM, shr_imm, E_SHR)
EACH_SU(SHIFT_IMM, rshr_imm, E_RSHR)
EACH_I(SHIFT_IMM, sli, E_SLI)
EACH_I(SHIFT_IMM, sri, E_SRI)

/* Saturating left by immediate; from: lanes read (signed for VQSHLU). */
#define SHIFT_IMM_Q(from, f, suffix, op) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec m = QC, r, sat; \
		EACH(f) { \
			i64 v = (i64)((u64)(i64)m.from[i] << (s->imm & 31)), t = CLAMP(f, v); \
			r.f[i] = (TYPE_##f)t; \
			sat.f[i] = t != v; \
		} \
		mve_saturated(c, &sat, pred); \
		mve_write(c, &QA, &r, pred); \
	}
SHIFT_IMM_Q(sb, sb, s8, qshl_imm)
SHIFT_IMM_Q(sh, sh, s16, qshl_imm)
SHIFT_IMM_Q(sw, sw, s32, qshl_imm)
SHIFT_IMM_Q(b, b, u8, qshl_imm)
SHIFT_IMM_Q(h, h, u16, qshl_imm)
SHIFT_IMM_Q(w, w, u32, qshl_imm)
SHIFT_IMM_Q(sb, b, s8, qshlu_imm)
SHIFT_IMM_Q(sh, h, s16, qshlu_imm)
SHIFT_IMM_Q(sw, w, s32, qshlu_imm)

/* By the lowest byte of each lane of b (signed): a = c shifted; _r: a by core register c. */
#define SHIFT_LANES(f, suffix, op, round) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec n = QB, m = QC, r; \
		EACH(f) \
			r.f[i] = (TYPE_##f)mve_shift(m.f[i], (i8)n.f[i], round); \
		mve_write(c, &QA, &r, pred); \
	} \
	MVE_OP(v##op##_r_##suffix) \
	{ \
		union vec m = QA, r; \
		int by = (i8)RC; \
		EACH(f) \
			r.f[i] = (TYPE_##f)mve_shift(m.f[i], by, round); \
		mve_write(c, &QA, &r, pred); \
	}
#define SHIFT_LANES_Q(f, suffix, op, round) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec n = QB, m = QC, r, sat; \
		EACH(f) { \
			i64 v = mve_shift_wide(m.f[i], (i8)n.f[i], round), t = CLAMP(f, v); \
			r.f[i] = (TYPE_##f)t; \
			sat.f[i] = t != v; \
		} \
		mve_saturated(c, &sat, pred); \
		mve_write(c, &QA, &r, pred); \
	} \
	MVE_OP(v##op##_r_##suffix) \
	{ \
		union vec m = QA, r, sat; \
		int by = (i8)RC; \
		EACH(f) { \
			i64 v = mve_shift_wide(m.f[i], by, round), t = CLAMP(f, v); \
			r.f[i] = (TYPE_##f)t; \
			sat.f[i] = t != v; \
		} \
		mve_saturated(c, &sat, pred); \
		mve_write(c, &QA, &r, pred); \
	}
EACH_SU(SHIFT_LANES, shl, 0)
EACH_SU(SHIFT_LANES, rshl, 1)
EACH_SU(SHIFT_LANES_Q, qshl, 0)
EACH_SU(SHIFT_LANES_Q, qrshl, 1)

/* Widening: lanes 2i + top (d) of c to lanes i of a, shifted left by imm (VMOVL: 0). */
#define WIDEN(from, to, suffix) \
	MVE_OP(vshll_##suffix) \
	{ \
		union vec m = QC, r; \
		for (unsigned i = 0; i < LANES(to); i++) \
			r.to[i] = (TYPE_##to)((u32)m.from[2 * i + s->d] << (s->imm & 31)); \
		mve_write(c, &QA, &r, pred); \
	}
WIDEN(sb, sh, s8)
WIDEN(sh, sw, s16)
WIDEN(b, h, u8)
WIDEN(h, w, u16)

/* Narrowing: lanes i of c, shifted right by imm (rounded), saturated to lanes 2i + top (d) of a,
 * whose other lanes stay. */
#define NARROW(name, from, to, round, saturate) \
	MVE_OP(name) \
	{ \
		union vec m = QC, r = QA, sat = { .d = { 0, 0 } }; \
		unsigned by = s->imm & 31; \
		for (unsigned i = 0; i < LANES(from); i++) { \
			i64 x = m.from[i], v = round ? ((x >> (by - 1)) + 1) >> 1 : x >> by; \
			i64 t = saturate ? CLAMP(to, v) : v; \
			r.to[2 * i + s->d] = (TYPE_##to)t; \
			sat.to[2 * i + s->d] = saturate && t != v; \
		} \
		if (saturate) \
			mve_saturated(c, &sat, pred); \
		mve_write(c, &QA, &r, pred); \
	}
NARROW(vshrn_i16, h, b, 0, 0)
NARROW(vshrn_i32, w, h, 0, 0)
NARROW(vrshrn_i16, h, b, 1, 0)
NARROW(vrshrn_i32, w, h, 1, 0)
NARROW(vqshrn_s16, sh, sb, 0, 1)
NARROW(vqshrn_s32, sw, sh, 0, 1)
NARROW(vqshrn_u16, h, b, 0, 1)
NARROW(vqshrn_u32, w, h, 0, 1)
NARROW(vqrshrn_s16, sh, sb, 1, 1)
NARROW(vqrshrn_s32, sw, sh, 1, 1)
NARROW(vqrshrn_u16, h, b, 1, 1)
NARROW(vqrshrn_u32, w, h, 1, 1)
NARROW(vqshrun_s16, sh, b, 0, 1)
NARROW(vqshrun_s32, sw, h, 0, 1)
NARROW(vqrshrun_s16, sh, b, 1, 1)
NARROW(vqrshrun_s32, sw, h, 1, 1)

/* VSHLC: the whole register left by imm (1..32) bits, through core register c. */
MVE_OP(vshlc)
{
	union vec d = QA, r;
	u32 mask = mve_mask(c, pred), in = RC, by = s->imm;

	for (unsigned i = 0; i < 4; i++) {
		r.w[i] = (u32)((u64)d.w[i] << by) | (u32)(in & ((1ull << by) - 1));
		if (LANE_ON(w, mask, i))
			in = (u32)((u64)d.w[i] >> (32 - by));
	}
	mve_write(c, &QA, &r, pred);
	RC = in; /* last: LR counts the lanes of a tail-predicated loop */
}

#endif
