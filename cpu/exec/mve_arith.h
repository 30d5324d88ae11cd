/* SPDX-License-Identifier: Apache-2.0 */
/* MVE integer operations lane by lane on one size: a = b op c. Suffix: lane type; _r: the second
 * operand is core register c for all lanes. */
#ifndef CPU_EXEC_MVE_ARITH_H
#define CPU_EXEC_MVE_ARITH_H

#include "cpu/exec/mve_lanes.h"

/* x, y: lanes as WIDE values; the result is truncated to the lane. */
#define VECTOR(f, suffix, op, expr) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec n = QB, m = QC, r; \
		EACH(f) { \
			WIDE_##f x = n.f[i], y = m.f[i]; \
			r.f[i] = (TYPE_##f)(expr(f, x, y)); \
		} \
		mve_write(c, &QA, &r, pred); \
	}
#define SCALAR(f, suffix, op, expr) \
	MVE_OP(v##op##_r_##suffix) \
	{ \
		union vec n = QB, r; \
		WIDE_##f y = (TYPE_##f)RC; \
		EACH(f) { \
			WIDE_##f x = n.f[i]; \
			r.f[i] = (TYPE_##f)(expr(f, x, y)); \
		} \
		mve_write(c, &QA, &r, pred); \
	}
/* The same with saturation: the wide result is clamped and QC set. */
#define VECTOR_Q(f, suffix, op, expr) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec n = QB, m = QC, r, sat; \
		EACH(f) { \
			WIDE_##f x = n.f[i], y = m.f[i], v = expr(f, x, y), t = CLAMP(f, v); \
			r.f[i] = (TYPE_##f)t; \
			sat.f[i] = t != v; \
		} \
		mve_saturated(c, &sat, pred); \
		mve_write(c, &QA, &r, pred); \
	}
#define SCALAR_Q(f, suffix, op, expr) \
	MVE_OP(v##op##_r_##suffix) \
	{ \
		union vec n = QB, r, sat; \
		WIDE_##f y = (TYPE_##f)RC; \
		EACH(f) { \
			WIDE_##f x = n.f[i], v = expr(f, x, y), t = CLAMP(f, v); \
			r.f[i] = (TYPE_##f)t; \
			sat.f[i] = t != v; \
		} \
		mve_saturated(c, &sat, pred); \
		mve_write(c, &QA, &r, pred); \
	}

#define E_ADD(f, x, y) x + y
#define E_SUB(f, x, y) x - y
#define E_MUL(f, x, y) (u32)x * (u32)y
#define E_MULH(f, x, y) x * y >> BITS_##f
#define E_RMULH(f, x, y) (x * y + (1ll << (BITS_##f - 1))) >> BITS_##f
#define E_MAX(f, x, y) x > y ? x : y
#define E_MIN(f, x, y) x < y ? x : y
#define E_ABD(f, x, y) x > y ? x - y : y - x
#define E_HADD(f, x, y) (x + y) >> 1
#define E_HSUB(f, x, y) (x - y) >> 1
#define E_RHADD(f, x, y) (x + y + 1) >> 1
/* High half of the doubled product; only the most negative squared overflows. */
#define E_QDMULH(f, x, y) x * y >> (BITS_##f - 1)
#define E_QRDMULH(f, x, y) (x * y + (1ll << (BITS_##f - 2))) >> (BITS_##f - 1)

EACH_I(VECTOR, add, E_ADD)
EACH_I(SCALAR, add, E_ADD)
EACH_I(VECTOR, sub, E_SUB)
EACH_I(SCALAR, sub, E_SUB)
EACH_I(VECTOR, mul, E_MUL)
EACH_I(SCALAR, mul, E_MUL)
EACH_S(VECTOR, mulh, E_MULH)
EACH_S(VECTOR, rmulh, E_RMULH)
EACH_SU(VECTOR, max, E_MAX)
EACH_SU(VECTOR, min, E_MIN)
EACH_SU(VECTOR, abd, E_ABD)
EACH_SU(VECTOR, hadd, E_HADD)
EACH_SU(SCALAR, hadd, E_HADD)
EACH_SU(VECTOR, hsub, E_HSUB)
EACH_SU(SCALAR, hsub, E_HSUB)
EACH_SU(VECTOR, rhadd, E_RHADD)
EACH_SU(VECTOR_Q, qadd, E_ADD)
EACH_SU(SCALAR_Q, qadd, E_ADD)
EACH_SU(VECTOR_Q, qsub, E_SUB)
EACH_SU(SCALAR_Q, qsub, E_SUB)
EACH_S(VECTOR_Q, qdmulh, E_QDMULH)
EACH_S(SCALAR_Q, qdmulh, E_QDMULH)
EACH_S(VECTOR_Q, qrdmulh, E_QRDMULH)
EACH_S(SCALAR_Q, qrdmulh, E_QRDMULH)

/* Unsigned high halves need an unsigned wide type for words. */
#define MULH_U(f, suffix, op, round) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec n = QB, m = QC, r; \
		EACH(f) \
			r.f[i] = (TYPE_##f)(((u64)n.f[i] * m.f[i] + (round ? 1ull << (BITS_##f - 1) : 0)) >> BITS_##f); \
		mve_write(c, &QA, &r, pred); \
	}
EACH_U(MULH_U, mulh, 0)
EACH_U(MULH_U, rmulh, 1)

/* Bitwise. */
#define BITWISE(op, expr) \
	MVE_OP(v##op) \
	{ \
		union vec n = QB, m = QC, r; \
		for (unsigned i = 0; i < 2; i++) { \
			u64 x = n.d[i], y = m.d[i]; \
			r.d[i] = expr; \
		} \
		mve_write(c, &QA, &r, pred); \
	}
BITWISE(and, x & y)
BITWISE(bic, x & ~y)
BITWISE(orr, x | y)
BITWISE(orn, x | ~y)
BITWISE(eor, x ^ y)

/* With the destination: x = lane of a, y = lane of b, z = core register c. */
#define ACCUMULATE(f, suffix, op, expr) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec d = QA, n = QB, r; \
		u32 z = RC; \
		EACH(f) { \
			u32 x = d.f[i], y = n.f[i]; \
			r.f[i] = (TYPE_##f)(expr(x, y, z)); \
		} \
		mve_write(c, &QA, &r, pred); \
	}
#define E_MLA(x, y, z) x + y * z
#define E_MLAS(x, y, z) x * y + z
EACH_I(ACCUMULATE, mla, E_MLA)
EACH_I(ACCUMULATE, mlas, E_MLAS)

/* (2 * (p + q) + addend * 2^bits + round), its high half, saturated. p, q: products of lanes. The
 * sums need more than 64 bits for words. */
BODY i64 mve_double_high(i64 p, i64 q, i64 addend, const unsigned bits, const bool round, bool *sat)
{
	if (bits < 32) {
		i64 v = (2 * (p + q) + addend * (1ll << bits) + (round ? 1ll << (bits - 1) : 0)) >> bits;
		i64 high = (1ll << (bits - 1)) - 1, t = v > high ? high : v < -high - 1 ? -high - 1 : v;
		*sat = t != v;
		return t;
	}
	__int128 v = (2 * ((__int128)p + q) + (__int128)addend * (1ll << 32) + (round ? 1ll << 31 : 0)) >> 32;
	i64 t = v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (i64)v;
	*sat = t != v;
	return t;
}

/* VQDMLAH: a + b * c; VQDMLASH: a * b + c; c a core register. */
#define DOUBLE_ACCUMULATE(f, suffix, op, scalar_added, round) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec d = QA, n = QB, r, sat; \
		i64 z = (TYPE_##f)RC; \
		EACH(f) { \
			bool over; \
			i64 x = d.f[i], y = n.f[i]; \
			r.f[i] = (TYPE_##f)(scalar_added ? mve_double_high(x * y, 0, z, BITS_##f, round, &over) \
							 : mve_double_high(y * z, 0, x, BITS_##f, round, &over)); \
			sat.f[i] = over; \
		} \
		mve_saturated(c, &sat, pred); \
		mve_write(c, &QA, &r, pred); \
	}
EACH_S(DOUBLE_ACCUMULATE, qdmlah, 0, 0)
EACH_S(DOUBLE_ACCUMULATE, qrdmlah, 0, 1)
EACH_S(DOUBLE_ACCUMULATE, qdmlash, 1, 0)
EACH_S(DOUBLE_ACCUMULATE, qrdmlash, 1, 1)

/* VQDMLADH and its kin: pairs of products to the even lanes (x: exchanged, to the odd ones); the
 * other lanes stay. */
#define DOUBLE_PAIR(f, suffix, op, exchange, sign, round) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec n = QB, m = QC, r = QA, sat = { .d = { 0, 0 } }; \
		for (unsigned i = exchange; i < LANES(f); i += 2) { \
			bool over; \
			i64 p = (i64)n.f[i] * m.f[i - exchange]; \
			i64 q = (i64)n.f[i + 1 - 2 * exchange] * m.f[i + 1 - exchange]; \
			r.f[i] = (TYPE_##f)mve_double_high(p, sign * q, 0, BITS_##f, round, &over); \
			sat.f[i] = over; \
		} \
		mve_saturated(c, &sat, pred); \
		mve_write(c, &QA, &r, pred); \
	}
EACH_S(DOUBLE_PAIR, qdmladh, 0, 1, 0)
EACH_S(DOUBLE_PAIR, qdmladhx, 1, 1, 0)
EACH_S(DOUBLE_PAIR, qrdmladh, 0, 1, 1)
EACH_S(DOUBLE_PAIR, qrdmladhx, 1, 1, 1)
EACH_S(DOUBLE_PAIR, qdmlsdh, 0, -1, 0)
EACH_S(DOUBLE_PAIR, qdmlsdhx, 1, -1, 0)
EACH_S(DOUBLE_PAIR, qrdmlsdh, 0, -1, 1)
EACH_S(DOUBLE_PAIR, qrdmlsdhx, 1, -1, 1)

/* Complex additions: even lanes x op0 odd y, odd lanes x op1 even y. */
#define COMPLEX(f, suffix, op, even, odd) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec n = QB, m = QC, r; \
		EACH(f) { \
			WIDE_##f x = n.f[i], y = m.f[i ^ 1]; \
			r.f[i] = (TYPE_##f)(i & 1 ? odd(f, x, y) : even(f, x, y)); \
		} \
		mve_write(c, &QA, &r, pred); \
	}
EACH_I(COMPLEX, cadd90, E_SUB, E_ADD)
EACH_I(COMPLEX, cadd270, E_ADD, E_SUB)
EACH_S(COMPLEX, hcadd90, E_HSUB, E_HADD)
EACH_S(COMPLEX, hcadd270, E_HADD, E_HSUB)

/* Long addition with carry in FPSCR.C; carry: 0, 1, or 2 for the one in FPSCR. Initial carries are
 * for the first beat: where that was done before an exception, FPSCR has its carry. */
BODY void mve_carry(const struct slot *s, struct cpu *c, u32 invert, u32 carry_in, const bool pred)
{
	union vec n = QB, m = QC, r;
	u32 mask = mve_mask(c, pred), carry;

	if (pred && c->core.eci)
		carry_in = 2;
	carry = carry_in == 2 ? c->fp.fpscr >> 29 & 1 : carry_in;

	for (unsigned i = 0; i < 4; i++) {
		u64 sum = (u64)n.w[i] + (m.w[i] ^ invert) + carry;
		r.w[i] = (u32)sum;
		if (LANE_ON(w, mask, i))
			carry = (u32)(sum >> 32);
	}
	if ((mask & 0x1111) || carry_in != 2)
		c->fp.fpscr = (c->fp.fpscr & 0x0fffffff) | carry << 29;
	mve_write(c, &QA, &r, pred);
}
MVE_OP(vadc) { mve_carry(s, c, 0, 2, pred); }
MVE_OP(vadci) { mve_carry(s, c, 0, 0, pred); }
MVE_OP(vsbc) { mve_carry(s, c, ~0u, 2, pred); }
MVE_OP(vsbci) { mve_carry(s, c, ~0u, 1, pred); }

#endif
