/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on the host's FPU for the cases where its answer is Arm's answer, whatever the host:
 * round to nearest, operands normal (or zero), result normal and far from underflow, and Inexact
 * either already flagged or proved not to happen. Each function says whether it applied; if not,
 * nothing was changed and the integer version (fp.h) decides. Host: IEEE, round to nearest, as
 * every C program starts. Private to cpu/. */
#ifndef CPU_FP_FAST_H
#define CPU_FP_FAST_H

#include <math.h>
#include <string.h>

#include "cpu/fp/fp.h"

#define FP_FAST ALWAYS_INLINE __attribute__((unused))

FP_FAST float fp_f32(u32 v) { float x; memcpy(&x, &v, 4); return x; }
FP_FAST u32 fp_b32(float x) { u32 v; memcpy(&v, &x, 4); return v; }
FP_FAST double fp_f64(u64 v) { double x; memcpy(&x, &v, 8); return x; }
FP_FAST u64 fp_b64(double x) { u64 v; memcpy(&v, &x, 8); return v; }

FP_FAST bool fp_nearest(u32 fpscr) { return !(fpscr & FPSCR_RMODE); }
FP_FAST bool fp_inexact_known(u32 fpscr) { return fpscr & FPSCR_IXC; }

FP_FAST bool fp32_plain(u32 v) { return (((v >> 23) + 1) & 0xfe) || !(v << 1); }
FP_FAST bool fp64_plain(u64 v) { return (((u32)(v >> 52) + 1) & 0x7fe) || !(v << 1); }
/* Exponent neither the largest nor one of the two smallest. */
FP_FAST bool fp32_safe(u32 v) { return ((v >> 23) & 0xff) - 2 < 253; }
FP_FAST bool fp64_safe(u64 v) { return ((u32)(v >> 52) & 0x7ff) - 2 < 2045; }

/* A result that shows that no operand was infinite or NaN, where subnormal ones are operands like others. */
FP_FAST bool fp32_evident(u32 r, u32 fpscr) { return !(fpscr & (FPSCR_RMODE | FPSCR_FZ)) && fp32_safe(r); }
FP_FAST bool fp64_evident(u64 r, u32 fpscr) { return !(fpscr & (FPSCR_RMODE | FPSCR_FZ)) && fp64_safe(r); }

/* Error of a rounded sum is zero (Knuth's TwoSum). */
FP_FAST bool fp32_sum_exact(float a, float b, float sum)
{
	float t = sum - a;
	return (a - (sum - t)) + (b - t) == 0;
}
FP_FAST bool fp64_sum_exact(double a, double b, double sum)
{
	double t = sum - a;
	return (a - (sum - t)) + (b - t) == 0;
}

FP_FAST bool fp32_fast_add(u32 *out, u32 a, u32 b, u32 fpscr)
{
	float x = fp_f32(a), y = fp_f32(b), sum = x + y;
	u32 r = fp_b32(sum);
	if (!fp32_evident(r, fpscr) &&
	    (!fp_nearest(fpscr) || !fp32_plain(a) || !fp32_plain(b) || !(fp32_safe(r) || !(r << 1))))
		return false;
	if (!fp_inexact_known(fpscr) && !fp32_sum_exact(x, y, sum))
		return false;
	*out = r;
	return true;
}

FP_FAST bool fp32_fast_sub(u32 *out, u32 a, u32 b, u32 fpscr)
{
	return fp32_fast_add(out, a, b ^ 0x80000000, fpscr);
}

FP_FAST bool fp32_fast_mul(u32 *out, u32 a, u32 b, u32 fpscr)
{
	float x = fp_f32(a), y = fp_f32(b), product = x * y;
	u32 r = fp_b32(product);
	if (!fp32_evident(r, fpscr) && (!fp_nearest(fpscr) || !fp32_plain(a) || !fp32_plain(b) ||
					!(fp32_safe(r) || !(a << 1) || !(b << 1))))
		return false;
	if (!fp_inexact_known(fpscr) && (double)x * y != product)
		return false;
	*out = r;
	return true;
}

FP_FAST bool fp32_fast_div(u32 *out, u32 a, u32 b, u32 fpscr)
{
	if (!fp_nearest(fpscr) || !fp32_plain(a) || !fp32_plain(b) || !(b << 1) || !(a << 1))
		return false;
	float x = fp_f32(a), y = fp_f32(b), quotient = x / y;
	u32 r = fp_b32(quotient);
	if (!fp32_safe(r) || (!fp_inexact_known(fpscr) && (double)quotient * y != x))
		return false;
	*out = r;
	return true;
}

FP_FAST bool fp32_fast_sqrt(u32 *out, u32 a, u32 fpscr)
{
	if (!fp_nearest(fpscr) || !fp32_plain(a) || a >> 31 || !a)
		return false;
	float x = fp_f32(a), root = __builtin_sqrtf(x);
	if (!fp_inexact_known(fpscr) && (double)root * root != x)
		return false;
	*out = fp_b32(root);
	return true;
}

/* addend + a * b: the product is exact in double; the sum is rounded to odd there, which makes the
 * second rounding harmless (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums"). */
FP_FAST bool fp32_fast_fma(u32 *out, u32 addend, u32 a, u32 b, u32 fpscr)
{
	double p = (double)fp_f32(a) * fp_f32(b), z = fp_f32(addend), sum = p + z, t = sum - p;
	double error = (p - (sum - t)) + (z - t);
	u64 odd = fp_b64(sum);
	if (error != 0 && !(odd & 1))
		odd += (error > 0) == (sum > 0) ? 1 : -1ull;
	u32 r = fp_b32((float)fp_f64(odd));
	if (!fp32_evident(r, fpscr) &&
	    (!fp_nearest(fpscr) || !fp32_plain(a) || !fp32_plain(b) || !fp32_plain(addend) ||
	     (!fp32_safe(r) && (r << 1 || sum != 0))))
		return false;
	if (!fp_inexact_known(fpscr) && (error != 0 || fp_f32(r) != sum))
		return false;
	*out = r;
	return true;
}

FP_FAST bool fp64_fast_add(u64 *out, u64 a, u64 b, u32 fpscr)
{
	double x = fp_f64(a), y = fp_f64(b), sum = x + y;
	u64 r = fp_b64(sum);
	if (!fp64_evident(r, fpscr) &&
	    (!fp_nearest(fpscr) || !fp64_plain(a) || !fp64_plain(b) || !(fp64_safe(r) || !(r << 1))))
		return false;
	if (!fp_inexact_known(fpscr) && !fp64_sum_exact(x, y, sum))
		return false;
	*out = r;
	return true;
}

FP_FAST bool fp64_fast_sub(u64 *out, u64 a, u64 b, u32 fpscr)
{
	return fp64_fast_add(out, a, b ^ 1ull << 63, fpscr);
}

FP_FAST bool fp64_fast_mul(u64 *out, u64 a, u64 b, u32 fpscr)
{
	u64 r = fp_b64(fp_f64(a) * fp_f64(b));
	if (!fp_inexact_known(fpscr) || (!fp64_evident(r, fpscr) &&
					 (!fp_nearest(fpscr) || !fp64_plain(a) || !fp64_plain(b) ||
					  !(fp64_safe(r) || !(a << 1) || !(b << 1)))))
		return false;
	*out = r;
	return true;
}

FP_FAST bool fp64_fast_div(u64 *out, u64 a, u64 b, u32 fpscr)
{
	if (!fp_nearest(fpscr) || !fp_inexact_known(fpscr) || !fp64_plain(a) || !fp64_plain(b) ||
	    !(b << 1) || !(a << 1))
		return false;
	u64 r = fp_b64(fp_f64(a) / fp_f64(b));
	if (!fp64_safe(r))
		return false;
	*out = r;
	return true;
}

FP_FAST bool fp64_fast_sqrt(u64 *out, u64 a, u32 fpscr)
{
	if (!fp_nearest(fpscr) || !fp_inexact_known(fpscr) || !fp64_plain(a) || a >> 63 || !a)
		return false;
	*out = fp_b64(__builtin_sqrt(fp_f64(a)));
	return true;
}

FP_FAST bool fp64_fast_fma(u64 *out, u64 addend, u64 a, u64 b, u32 fpscr)
{
	if (!fp_nearest(fpscr) || !fp_inexact_known(fpscr) || !fp64_plain(a) || !fp64_plain(b) ||
	    !fp64_plain(addend))
		return false;
	u64 r = fp_b64(fma(fp_f64(a), fp_f64(b), fp_f64(addend)));
	if (!fp64_safe(r))
		return false;
	*out = r;
	return true;
}

FP_FAST bool fp32_fast_compare(u32 *nzcv, u32 a, u32 b)
{
	float x = fp_f32(a), y = fp_f32(b);
	if (!fp32_plain(a) || !fp32_plain(b))
		return false;
	*nzcv = (x < y ? FPSCR_N : 0) | (x == y ? FPSCR_Z : 0) | (x >= y ? FPSCR_C : 0);
	return true;
}

FP_FAST bool fp64_fast_compare(u32 *nzcv, u64 a, u64 b)
{
	double x = fp_f64(a), y = fp_f64(b);
	if (!fp64_plain(a) || !fp64_plain(b))
		return false;
	*nzcv = (x < y ? FPSCR_N : 0) | (x == y ? FPSCR_Z : 0) | (x >= y ? FPSCR_C : 0);
	return true;
}

/* Towards zero, to 32 bits. */
FP_FAST bool fp64_fast_to_int(u32 *out, u64 a, bool is_unsigned, u32 fpscr)
{
	double x = fp_f64(a);
	if (!fp64_plain(a) || !(is_unsigned ? x > -1 && x < 4294967296.0 : x > -2147483649.0 && x < 2147483648.0))
		return false;
	i64 v = (i64)x;
	if (!fp_inexact_known(fpscr) && (double)v != x)
		return false;
	*out = (u32)v;
	return true;
}

FP_FAST bool fp32_fast_to_int(u32 *out, u32 a, bool is_unsigned, u32 fpscr)
{
	return fp32_plain(a) && fp64_fast_to_int(out, fp_b64(fp_f32(a)), is_unsigned, fpscr);
}

FP_FAST bool fp32_fast_from_int(u32 *out, i64 v, u32 fpscr)
{
	float x = (float)v;
	if (!fp_nearest(fpscr) || (!fp_inexact_known(fpscr) && (i64)x != v))
		return false;
	*out = fp_b32(x);
	return true;
}

FP_FAST bool fp64_fast_to_fp32(u32 *out, u64 a, u32 fpscr)
{
	double x = fp_f64(a);
	u32 r = fp_b32((float)x);
	if (!fp_nearest(fpscr) || !fp64_plain(a) || !(fp32_safe(r) || !(a << 1)))
		return false;
	if (!fp_inexact_known(fpscr) && fp_f32(r) != x)
		return false;
	*out = r;
	return true;
}

#endif
