/* SPDX-License-Identifier: Apache-2.0 */
/* MVE operations whose result lanes are twice as wide, or that only pick and pack lanes. */
#ifndef CPU_EXEC_MVE_WIDE_H
#define CPU_EXEC_MVE_WIDE_H

#include "cpu/exec/mve_lanes.h"

#define TYPE_d u64
#define TYPE_sd i64
#define BITS_d 64
#define BITS_sd 64

/* VMULL: lanes 2i + top (d) of b and c to lanes i. */
#define MULTIPLY_LONG(from, to, suffix, wide) \
	MVE_OP(vmull_##suffix) \
	{ \
		union vec n = QB, m = QC, r; \
		for (unsigned i = 0; i < LANES(to); i++) \
			r.to[i] = (TYPE_##to)((wide)n.from[2 * i + s->d] * m.from[2 * i + s->d]); \
		mve_write(c, &QA, &r, pred); \
	}
MULTIPLY_LONG(sb, sh, s8, i32)
MULTIPLY_LONG(sh, sw, s16, i32)
MULTIPLY_LONG(sw, sd, s32, i64)
MULTIPLY_LONG(b, h, u8, u32)
MULTIPLY_LONG(h, w, u16, u32)
MULTIPLY_LONG(w, d, u32, u64)

/* Polynomials over GF(2). */
BODY u32 mve_carryless(u32 x, u32 y, const unsigned bits)
{
	u32 r = 0;
	for (unsigned i = 0; i < bits; i++)
		r ^= (y >> i & 1) ? x << i : 0;
	return r;
}
MVE_OP(vmull_p8)
{
	union vec n = QB, m = QC, r;
	for (unsigned i = 0; i < 8; i++)
		r.h[i] = (u16)mve_carryless(n.b[2 * i + s->d], m.b[2 * i + s->d], 8);
	mve_write(c, &QA, &r, pred);
}
MVE_OP(vmull_p16)
{
	union vec n = QB, m = QC, r;
	for (unsigned i = 0; i < 4; i++)
		r.w[i] = mve_carryless(n.h[2 * i + s->d], m.h[2 * i + s->d], 16);
	mve_write(c, &QA, &r, pred);
}

/* VQDMULL: doubled and saturated; _r: by core register c. QC when the source lane is active (words:
 * either half of the result). */
#define DOUBLE_LONG(name, from, to, high, right) \
	MVE_OP(name) \
	{ \
		union vec n = QB, m = QC_IF_VECTOR, r, sat = { .d = { 0, 0 } }; \
		for (unsigned i = 0; i < LANES(to); i++) { \
			i64 x = n.from[2 * i + s->d], y = right; \
			i64 v = x * y; \
			bool over = v > high / 2; \
			r.to[i] = (TYPE_##to)(over ? high : 2 * v); \
			if (BITS_##to == 64) { \
				sat.b[8 * i] = sat.b[8 * i + 4] = over; \
			} else { \
				sat.b[4 * i + 2 * s->d] = over; \
			} \
		} \
		(void)m; \
		mve_saturated(c, &sat, pred); \
		mve_write(c, &QA, &r, pred); \
	}
#define QC_IF_VECTOR QC
DOUBLE_LONG(vqdmull_s16, sh, sw, 0x7fffffffll, m.sh[2 * i + s->d])
DOUBLE_LONG(vqdmull_s32, sw, sd, INT64_MAX, m.sw[2 * i + s->d])
#undef QC_IF_VECTOR
#define QC_IF_VECTOR n
DOUBLE_LONG(vqdmull_r_s16, sh, sw, 0x7fffffffll, (i16)RC)
DOUBLE_LONG(vqdmull_r_s32, sw, sd, INT64_MAX, (i32)RC)
#undef QC_IF_VECTOR

#endif
