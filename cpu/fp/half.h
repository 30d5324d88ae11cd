/* SPDX-License-Identifier: Apache-2.0 */
/* Half precision in the host's double precision: what fast.h is for the larger formats. Sums and products of
 * two halves are exact in double precision. A fused sum is wherever it comes near the middle between two halves
 * (the smaller term's lowest bit is then at most 2^-33 of the result), so rounding it twice is harmless.
 * Each function says whether it applied: round to nearest, Inexact flagged already, operands normal or zero,
 * result normal and far from underflow, or zero. Private to cpu/fp. */
#ifndef CPU_FP_HALF_H
#define CPU_FP_HALF_H

#include "cpu/fp/fast.h"

/* A half's exponent field and fraction, moved to a double's place, lack the difference of the biases. */
#define HALF_SHIFT 42
#define HALF_REBIAS ((1023ull - 15) << 52)

FP_FAST bool half_plain(u32 v) { return (((v >> 10) + 1) & 0x1e) || !(v & 0x7fff); }
FP_FAST double half_value(u32 v)
{
	u64 magnitude = v & 0x7fff ? ((u64)(v & 0x7fff) << HALF_SHIFT) + HALF_REBIAS : 0;
	return fp_f64((u64)(v >> 15 & 1) << 63 | magnitude);
}

FP_FAST bool half_round(u32 *out, double x)
{
	u64 bits = fp_b64(x), magnitude = bits & ~(1ull << 63);
	u64 tie_to_even = ((1ull << (HALF_SHIFT - 1)) - 1) + (magnitude >> HALF_SHIFT & 1);
	u32 r = (u32)((magnitude - HALF_REBIAS + tie_to_even) >> HALF_SHIFT);
	u64 exponent = magnitude >> 52;
	if (magnitude && (exponent < 1023 - 13 || exponent > 1023 + 15 || r >= 31 << 10))
		return false;
	*out = (u32)(bits >> 63) << 15 | (magnitude ? r : 0);
	return true;
}

FP_FAST bool half_applies(u32 fpscr) { return fp_nearest(fpscr) && fp_inexact_known(fpscr); }

FP_FAST bool half_add(u32 *out, u32 a, u32 b, u32 fpscr)
{
	return half_applies(fpscr) && half_plain(a) && half_plain(b) && half_round(out, half_value(a) + half_value(b));
}

FP_FAST bool half_mul(u32 *out, u32 a, u32 b, u32 fpscr)
{
	return half_applies(fpscr) && half_plain(a) && half_plain(b) && half_round(out, half_value(a) * half_value(b));
}

FP_FAST bool half_fma(u32 *out, u32 addend, u32 a, u32 b, u32 fpscr)
{
	return half_applies(fpscr) && half_plain(addend) && half_plain(a) && half_plain(b) &&
	       half_round(out, half_value(addend) + half_value(a) * half_value(b));
}

#endif
