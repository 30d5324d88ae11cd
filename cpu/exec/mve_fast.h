/* SPDX-License-Identifier: Apache-2.0 */
/* Four single-precision lanes on the host's FPU, where its answer is Arm's and no flag can be new (cpu/fp/fast.h has
 * the reasons). Each function says whether all four lanes were such; what is left in *r counts only then. The tests
 * are sufficient, not exact: a few ordinary numbers at the ends of the range are refused, too. */
#ifndef CPU_EXEC_MVE_FAST_H
#define CPU_EXEC_MVE_FAST_H

#include "cpu/exec/mve_lanes.h"

typedef u32 v4_u32 __attribute__((vector_size(16)));
typedef i32 v4_i32 __attribute__((vector_size(16)));
typedef float v4_f32 __attribute__((vector_size(16)));

BODY v4_u32 v4_of(const union vec *x)
{
	v4_u32 v;
	memcpy(&v, x, sizeof(v));
	return v;
}
BODY void v4_to(union vec *x, v4_u32 v) { memcpy(x, &v, sizeof(v)); }

/* Lanes of a comparison: 0 or all ones. */
BODY bool v4_none(v4_u32 lanes)
{
#ifdef __SSE__
	return __builtin_ia32_movmskps((v4_f32)lanes) == 0;
#else
	u64 d[2];
	memcpy(d, &lanes, sizeof(d));
	return !(d[0] | d[1]);
#endif
}
BODY v4_u32 v4_zero(v4_u32 v) { return (v4_u32)(v << 1 == 0); }
/* Subnormal numbers, which Arm flushes (and the smallest normal one): less 1 they have no bit of the exponent. */
BODY v4_u32 v4_subnormal(v4_u32 v) { return (v4_u32)(((v << 1) - 1) >> 24 == 0); }
/* Exponent not from 2 to 253: zero, results near underflow or overflow, infinities, NaN. */
BODY v4_u32 v4_unsafe(v4_u32 v) { return (v4_u32)((v4_i32)(((v << 1) - 0x02000001) >> 24) > 0xfb); }
/* Is there an infinity or NaN, or something to be flushed? */
BODY v4_u32 v4_not_plain(v4_u32 v) { return v4_subnormal(v) | (v4_u32)(v << 1 >> 24 == 0xff); }

/* Infinities and NaN show in the result. */
BODY bool fast4_add(union vec *r, const union vec *n, const union vec *m, u32 fpscr)
{
	v4_u32 x = v4_of(n), y = v4_of(m), v = (v4_u32)((v4_f32)x + (v4_f32)y);

	v4_to(r, v);
	return fp_inexact_known(fpscr) && v4_none(v4_subnormal(x) | v4_subnormal(y) | (v4_unsafe(v) & ~v4_zero(v)));
}
BODY bool fast4_sub(union vec *r, const union vec *n, const union vec *m, u32 fpscr)
{
	union vec minus;

	v4_to(&minus, v4_of(m) ^ 0x80000000);
	return fast4_add(r, n, &minus, fpscr);
}
/* A product is zero without underflow only where a factor is. */
BODY bool fast4_mul(union vec *r, const union vec *n, const union vec *m, u32 fpscr)
{
	v4_u32 x = v4_of(n), y = v4_of(m), v = (v4_u32)((v4_f32)x * (v4_f32)y);

	v4_to(r, v);
	return fp_inexact_known(fpscr) && v4_none(v4_subnormal(x) | v4_subnormal(y) |
						  (v4_unsafe(v) & ~(v4_zero(v) & (v4_zero(x) | v4_zero(y)))));
}
BODY bool fast4_fma(union vec *r, const union vec *z, const union vec *n, const union vec *m, u32 fpscr)
{
#ifdef __FMA__
	v4_u32 w = v4_of(z), x = v4_of(n), y = v4_of(m);
	v4_u32 v = (v4_u32)__builtin_ia32_vfmaddps((v4_f32)x, (v4_f32)y, (v4_f32)w);

	v4_to(r, v);
	return fp_inexact_known(fpscr) && v4_none(v4_subnormal(w) | v4_subnormal(x) | v4_subnormal(y) |
						  (v4_unsafe(v) & ~(v4_zero(v) & v4_zero(w) & (v4_zero(x) | v4_zero(y)))));
#else
	bool ok = fp_inexact_known(fpscr);
	for (unsigned i = 0; i < 4; i++)
		ok = ok && fp32_fast_fma(&r->w[i], z->w[i], n->w[i], m->w[i], fpscr);
	return ok;
#endif
}
BODY bool fast4_abd(union vec *r, const union vec *n, const union vec *m, u32 fpscr)
{
	if (!fast4_sub(r, n, m, fpscr))
		return false;
	v4_to(r, v4_of(r) & 0x7fffffff);
	return true;
}

/* Bits of a number in the order of the values, minus zero below plus zero. */
BODY v4_i32 v4_order(v4_u32 v) { return (v4_i32)(v ^ (v4_u32)((v4_i32)v >> 31) >> 1); }
#define FAST4_CHOICE(op, operator) \
	BODY bool fast4_##op(union vec *r, const union vec *n, const union vec *m, u32 fpscr) \
	{ \
		v4_u32 x = v4_of(n), y = v4_of(m), first = (v4_u32)(v4_order(x) operator v4_order(y)); \
		(void)fpscr; \
		v4_to(r, (x & first) | (y & ~first)); \
		return v4_none(v4_not_plain(x) | v4_not_plain(y)); \
	}
FAST4_CHOICE(maxnm, >)
FAST4_CHOICE(minnm, <)

/* which: as in a comparison's imm. */
BODY bool fast4_compare(union vec *r, const union vec *n, const union vec *m, u32 which)
{
	v4_u32 x = v4_of(n), y = v4_of(m);
	v4_u32 less = (v4_u32)((v4_f32)x < (v4_f32)y), equal = (v4_u32)((v4_f32)x == (v4_f32)y);
	const u32 takes_less = -(0x3cu >> which & 1), takes_equal = -(0x33u >> which & 1), inverts = -(0x16u >> which & 1);

	v4_to(r, ((less & takes_less) | (equal & takes_equal)) ^ inverts);
	return v4_none(v4_not_plain(x) | v4_not_plain(y));
}

#endif
