/* SPDX-License-Identifier: Apache-2.0 */
/* MVE operations across a vector into core registers: sums, dot products, extremes. Core register a;
 * long ones a (low) and d (high). Accumulating forms have imm = 1, else they start at zero. */
#ifndef CPU_EXEC_MVE_REDUCE_H
#define CPU_EXEC_MVE_REDUCE_H

#include "cpu/exec/mve_lanes.h"

/* An instruction that is resumed goes on from what its first beats have added up. */
BODY bool mve_accumulates(const struct slot *s, const struct cpu *c, const bool pred)
{
	return s->imm || (pred && c->core.eci);
}
BODY u64 mve_long_start(const struct slot *s, const struct cpu *c, const bool pred)
{
	return mve_accumulates(s, c, pred) ? RA | (u64)RD << 32 : 0;
}
BODY void mve_long_end(const struct slot *s, struct cpu *c, u64 sum)
{
	RA = (u32)sum;
	RD = (u32)(sum >> 32);
}

/* Lanes that are not active count as `other`. */
#define ONLY_ACTIVE(f, v, other) do { \
		if (pred) \
			mve_keep_active(c, &v, BITS_##f / 8, other); \
	} while (0)

#define ADD_ACROSS(f, suffix, op) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec m = QC; \
		u32 sum = 0; \
		ONLY_ACTIVE(f, m, 0); \
		EACH(f) \
			sum += (u32)(i32)m.f[i]; \
		RA = sum + (mve_accumulates(s, c, pred) ? RA : 0); \
		mve_done(c, pred); \
	}
EACH_SU(ADD_ACROSS, addv)

#define ADD_LONG(f, suffix, op) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec m = QC; \
		u64 sum = mve_long_start(s, c, pred); \
		ONLY_ACTIVE(f, m, 0); \
		EACH(f) \
			sum += (u64)(i64)m.f[i]; \
		mve_long_end(s, c, sum); \
		mve_done(c, pred); \
	}
ADD_LONG(sw, s32, addlv)
ADD_LONG(w, u32, addlv)

/* Dot products. swap: lanes of b change places pairwise (the X forms); odd: sign of odd lanes. The
 * lane that decides about a product is that of c. */
#define DOT(f, suffix, op, swap, odd) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec n = QB, m = QC; \
		u32 sum = 0; \
		ONLY_ACTIVE(f, m, 0); \
		EACH(f) { \
			u32 product = (u32)((MULTIPLY_##f)n.f[i ^ swap] * m.f[i]); \
			sum += odd < 0 && (i & 1) ? -product : product; \
		} \
		RA = sum + (mve_accumulates(s, c, pred) ? RA : 0); \
		mve_done(c, pred); \
	}
#define MULTIPLY_b i32
#define MULTIPLY_sb i32
#define MULTIPLY_h u32
#define MULTIPLY_sh i32
#define MULTIPLY_w u32
#define MULTIPLY_sw u32
/* Bytes are widened to halfwords first: the compiler then finds the host's multiply-and-add. */
#define DOT_BYTES(f, suffix) \
	MVE_OP(vmladav_##suffix) \
	{ \
		union vec n = QB, m = QC; \
		i16 x[16], y[16]; \
		i32 sum = 0; \
		ONLY_ACTIVE(f, m, 0); \
		EACH(f) { \
			x[i] = n.f[i]; \
			y[i] = m.f[i]; \
		} \
		EACH(f) \
			sum += (i32)x[i] * y[i]; \
		RA = (u32)sum + (mve_accumulates(s, c, pred) ? RA : 0); \
		mve_done(c, pred); \
	}
DOT_BYTES(sb, s8)
DOT_BYTES(b, u8)
DOT(sh, s16, mladav, 0, 1)
DOT(sw, s32, mladav, 0, 1)
DOT(h, u16, mladav, 0, 1)
DOT(w, u32, mladav, 0, 1)
EACH_S(DOT, mladavx, 1, 1)
EACH_S(DOT, mlsdav, 0, -1)
EACH_S(DOT, mlsdavx, 1, -1)

#define DOT_LONG(f, suffix, op, swap, odd) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec n = QB, m = QC; \
		u64 sum = mve_long_start(s, c, pred); \
		ONLY_ACTIVE(f, m, 0); \
		EACH(f) { \
			u64 product = (u64)((i64)n.f[i ^ swap] * m.f[i]); \
			sum += odd < 0 && (i & 1) ? -product : product; \
		} \
		mve_long_end(s, c, sum); \
		mve_done(c, pred); \
	}
DOT_LONG(sh, s16, mlaldav, 0, 1)
DOT_LONG(sw, s32, mlaldav, 0, 1)
DOT_LONG(h, u16, mlaldav, 0, 1)
DOT_LONG(sh, s16, mlaldavx, 1, 1)
DOT_LONG(sw, s32, mlaldavx, 1, 1)
DOT_LONG(sh, s16, mlsldav, 0, -1)
DOT_LONG(sw, s32, mlsldav, 0, -1)
DOT_LONG(sh, s16, mlsldavx, 1, -1)
DOT_LONG(sw, s32, mlsldavx, 1, -1)
MVE_OP(vmlaldav_u32)
{
	union vec n = QB, m = QC;
	u64 sum = mve_long_start(s, c, pred);
	ONLY_ACTIVE(w, m, 0);
	EACH(w)
		sum += (u64)n.w[i] * m.w[i];
	mve_long_end(s, c, sum);
	mve_done(c, pred);
}

/* VRMLALDAVH: each product is rounded to its upper 56 bits as it is added. */
#define DOT_HIGH(name, f, swap, odd, wide) \
	MVE_OP(name) \
	{ \
		union vec n = QB, m = QC; \
		u64 sum = mve_long_start(s, c, pred); \
		ONLY_ACTIVE(f, m, 0); \
		EACH(f) { \
			wide product = (wide)n.f[i ^ swap] * m.f[i]; \
			product = odd < 0 && (i & 1) ? (wide)-product : product; \
			sum += (u64)((product >> 8) + (product >> 7 & 1)); \
		} \
		mve_long_end(s, c, sum); \
		mve_done(c, pred); \
	}
DOT_HIGH(vrmlaldavh_s32, sw, 0, 1, i64)
DOT_HIGH(vrmlaldavhx_s32, sw, 1, 1, i64)
DOT_HIGH(vrmlsldavh_s32, sw, 0, -1, i64)
DOT_HIGH(vrmlsldavhx_s32, sw, 1, -1, i64)
DOT_HIGH(vrmlaldavh_u32, w, 0, 1, u64)

/* VABAV: core register a += |b - c|. */
#define ABSOLUTE_ACROSS(f, suffix, op) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec n = QB, m = QC; \
		u32 sum = RA; \
		ONLY_ACTIVE(f, n, 0); \
		ONLY_ACTIVE(f, m, 0); \
		EACH(f) { \
			WIDE_##f x = n.f[i], y = m.f[i]; \
			sum += (u32)(x > y ? x - y : y - x); \
		} \
		RA = sum; \
		mve_done(c, pred); \
	}
EACH_SU(ABSOLUTE_ACROSS, abav)

/* Extremes of core register a (its low lane) and the lanes of c. */
#define EXTREME_ACROSS(f, suffix, op, compare) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec m = QC; \
		TYPE_##f best = (TYPE_##f)RA; \
		ONLY_ACTIVE(f, m, best); \
		EACH(f) \
			best = m.f[i] compare best ? m.f[i] : best; \
		RA = (u32)(WIDE_##f)best; \
		mve_done(c, pred); \
	}
EACH_SU(EXTREME_ACROSS, maxv, >)
EACH_SU(EXTREME_ACROSS, minv, <)
/* The same with absolute values of signed lanes; the register is unsigned. */
#define EXTREME_ABSOLUTE(f, suffix, op, compare, uf) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec m = QC; \
		TYPE_##uf best = (TYPE_##uf)RA; \
		union vec x; \
		EACH(f) \
			x.uf[i] = (TYPE_##uf)(m.f[i] < 0 ? -(WIDE_##f)m.f[i] : m.f[i]); \
		ONLY_ACTIVE(uf, x, best); \
		EACH(uf) \
			best = x.uf[i] compare best ? x.uf[i] : best; \
		RA = best; \
		mve_done(c, pred); \
	}
EXTREME_ABSOLUTE(sb, s8, maxav, >, b)
EXTREME_ABSOLUTE(sh, s16, maxav, >, h)
EXTREME_ABSOLUTE(sw, s32, maxav, >, w)
EXTREME_ABSOLUTE(sb, s8, minav, <, b)
EXTREME_ABSOLUTE(sh, s16, minav, <, h)
EXTREME_ABSOLUTE(sw, s32, minav, <, w)

#endif
