/* SPDX-License-Identifier: Apache-2.0 */
/* Scaling and rounding of the NPU's output stage, exact for every input.
 *
 * value * scale / 2^shift is formed in 128 bits, because a 40-bit accumulator times a 32-bit
 * scale does not fit 64. DBL is TFLite's SaturatingRoundingDoublingHighMul followed by
 * RoundingDivideByPOT: a first rounding at bit `first` with ties up, a second one of the
 * remaining bits with ties away from zero; NATURAL is one rounding with ties up.
 * TRUNCATE (toward zero) is inferred from the compiler's name for it; no compiler emits it. */
#ifndef NPU_ARITH_H
#define NPU_ARITH_H

#include "npu/op.h"

__extension__ typedef __int128 i128;

/* v / 2^s, ties toward plus infinity. */
static inline i128 npu_round_up(i128 v, unsigned s)
{
	return s ? (v + ((i128)1 << (s - 1))) >> s : v;
}

/* v / 2^s, ties away from zero. */
static inline i128 npu_round_away(i128 v, unsigned s)
{
	if (s == 0)
		return v;
	i128 mask = ((i128)1 << s) - 1;
	i128 threshold = (mask >> 1) + (v < 0);
	return (v >> s) + ((v & mask) > threshold);
}

/* v brought into [lo, hi], lo <= hi. */
static inline i64 npu_clamp(i64 v, i64 lo, i64 hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

/* x * scale / 2^shift, rounded as s.round says (see above). */
static inline i64 npu_scale_round(i64 x, struct npu_scale s)
{
	i128 p = (i128)x * s.scale;
	i128 r;

	if (s.round == NPU_ROUND_NATURAL) {
		r = npu_round_up(p, s.shift);
	} else if (s.round == NPU_ROUND_TRUNCATE) {
		r = p < 0 ? -(-p >> s.shift) : p >> s.shift;
	} else {
		unsigned first = s.shift < s.first ? s.shift : s.first;
		r = npu_round_away(npu_round_up(p, first), s.shift - first);
	}
	/* the widest store is 32 bits: saturating here changes nothing below */
	return r > INT64_MAX / 4 ? INT64_MAX / 4 : r < INT64_MIN / 4 ? INT64_MIN / 4 : (i64)r;
}

#endif
