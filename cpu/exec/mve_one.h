/* SPDX-License-Identifier: Apache-2.0 */
/* MVE operations with one vector operand (a = op c), duplicates, constants, and index vectors. */
#ifndef CPU_EXEC_MVE_ONE_H
#define CPU_EXEC_MVE_ONE_H

#include "cpu/exec/mve_lanes.h"

#define ONE(f, suffix, op, expr) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec m = QC, r; \
		EACH(f) { \
			WIDE_##f x = m.f[i]; \
			r.f[i] = (TYPE_##f)(expr(f, x)); \
		} \
		mve_write(c, &QA, &r, pred); \
	}
#define ONE_Q(f, suffix, op, expr) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec m = QC, r, sat; \
		EACH(f) { \
			WIDE_##f x = m.f[i], v = expr(f, x), t = CLAMP(f, v); \
			r.f[i] = (TYPE_##f)t; \
			sat.f[i] = t != v; \
		} \
		mve_saturated(c, &sat, pred); \
		mve_write(c, &QA, &r, pred); \
	}
#define E_ABS(f, x) x < 0 ? -x : x
#define E_NEG(f, x) -x
/* Leading zeros; leading bits equal to the sign, but the sign itself. */
#define E_CLZ(f, x) x ? __builtin_clz((u32)x) - (32 - BITS_##f) : BITS_##f
#define E_CLS(f, x) __builtin_clz(((u32)x ^ (u32)((i32)x >> 31)) << 1 | 1) - (32 - BITS_##f)
EACH_S(ONE, abs, E_ABS)
EACH_S(ONE, neg, E_NEG)
EACH_S(ONE_Q, qabs, E_ABS)
EACH_S(ONE_Q, qneg, E_NEG)
EACH_U(ONE, clz, E_CLZ)
EACH_S(ONE, cls, E_CLS)

MVE_OP(vmvn)
{
	union vec m = QC, r = { .d = { ~m.d[0], ~m.d[1] } };
	mve_write(c, &QA, &r, pred);
}

/* Reversals of lanes inside groups: the lane index with some low bits inverted. */
#define REVERSE(name, f, flip) \
	MVE_OP(name) \
	{ \
		union vec m = QC, r; \
		EACH(f) \
			r.f[i] = m.f[i ^ flip]; \
		mve_write(c, &QA, &r, pred); \
	}
REVERSE(vrev16_8, b, 1)
REVERSE(vrev32_8, b, 3)
REVERSE(vrev32_16, h, 1)
REVERSE(vrev64_8, b, 7)
REVERSE(vrev64_16, h, 3)
REVERSE(vrev64_32, w, 1)

/* VBRSR: the lowest (c & 255) bits of b, reversed. */
BODY u32 mve_reverse_bits(u32 x)
{
	x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
	x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
	x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(x);
}
#define BIT_REVERSE(f, suffix, op) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec n = QB, r; \
		u32 count = RC & 0xff; \
		EACH(f) \
			r.f[i] = (TYPE_##f)(!count ? 0 : mve_reverse_bits(n.f[i]) >> (32 - BITS_##f) >> \
					    (count >= BITS_##f ? 0 : BITS_##f - count)); \
		mve_write(c, &QA, &r, pred); \
	}
EACH_I(BIT_REVERSE, brsr)

/* VMAXA, VMINA: unsigned a against |c|. */
#define ABSOLUTE(f, suffix, op, compare, uf) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec m = QC, d = QA, r; \
		EACH(f) { \
			TYPE_##uf x = (TYPE_##uf)(m.f[i] < 0 ? -(WIDE_##f)m.f[i] : m.f[i]), y = d.uf[i]; \
			r.uf[i] = y compare x ? y : x; \
		} \
		mve_write(c, &QA, &r, pred); \
	}
ABSOLUTE(sb, s8, maxa, >, b)
ABSOLUTE(sh, s16, maxa, >, h)
ABSOLUTE(sw, s32, maxa, >, w)
ABSOLUTE(sb, s8, mina, <, b)
ABSOLUTE(sh, s16, mina, <, h)
ABSOLUTE(sw, s32, mina, <, w)

/* VDUP from core register c. */
#define DUPLICATE(f, suffix, op) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec r; \
		EACH(f) \
			r.f[i] = (TYPE_##f)RC; \
		mve_write(c, &QA, &r, pred); \
	}
EACH_I(DUPLICATE, dup)

/* Constants: imm in every word; vmov_bytes: bit i of imm selects byte i of each doubleword. */
#define CONSTANT(name, expr) \
	MVE_OP(name) \
	{ \
		union vec d = QA, r; \
		for (unsigned i = 0; i < 4; i++) \
			r.w[i] = expr; \
		mve_write(c, &QA, &r, pred); \
		(void)d; \
	}
CONSTANT(vmov_const, s->imm)
CONSTANT(vorr_const, d.w[i] | s->imm)
CONSTANT(vbic_const, d.w[i] & ~s->imm)
MVE_OP(vmov_bytes)
{
	union vec r = { .d = { mve_spread(s->imm), mve_spread(s->imm) } };
	mve_write(c, &QA, &r, pred);
}

/* VIDUP, VDDUP, VIWDUP, VDWDUP: indices from core register b, which moves on; wrapping at c. */
#define INDEX(f, suffix, op, next) \
	MVE_OP(v##op##_##suffix) \
	{ \
		union vec r; \
		u32 at = RB, step = s->imm, wrap = RC; \
		EACH(f) { \
			r.f[i] = (TYPE_##f)at; \
			next; \
		} \
		mve_write(c, &QA, &r, pred); \
		RB = at; /* last: LR counts the lanes of a tail-predicated loop */ \
		(void)wrap; \
	}
EACH_U(INDEX, idup, at += step)
EACH_U(INDEX, ddup, at -= step)
EACH_U(INDEX, iwdup, at = at + step == wrap ? 0 : at + step)
EACH_U(INDEX, dwdup, at = (at == 0 ? wrap : at) - step)

#endif
