/* SPDX-License-Identifier: Apache-2.0 */
/* Scaling and rounding on Ethos-U85: (v * scale + r) >> shift, floor, with r by mode. Source:
 * Vela's constant folding (graphir_optimiser.cpp), confirmed bit for bit for modes 0, 1, 3, 5. */
#ifndef NPU_U85_ARITH_H
#define NPU_U85_ARITH_H

#include "npu/arith.h"

/* Values of the field round_mode. */
enum npu85_round {
	NPU85_DOUBLE_SYMMETRIC = 0,
	NPU85_NATURAL = 1,
	NPU85_DOUBLE_ASYMMETRIC = 2,
	NPU85_SYMMETRIC = 3,
	NPU85_TO_ZERO = 4,
	NPU85_TO_LOWER = 5,
};

/* v * scale / 2^shift, rounded as s.round says; the low 64 bits. */
static inline i64 npu85_scale_round(i64 v, struct npu85_scale s)
{
	i128 p = (i128)v * s.scale, r = 0;

	if (s.shift == 0)
		return (i64)p;
	i128 half = (i128)1 << (s.shift - 1);
	i128 first = s.dbl <= 30 && s.shift > 31 - s.dbl ? (i128)1 << (30 - s.dbl) : 0;
	switch (s.round) {
	case NPU85_DOUBLE_SYMMETRIC: r = half + (v >= 0 ? first : -first); break;
	case NPU85_NATURAL: r = half; break;
	case NPU85_DOUBLE_ASYMMETRIC: r = half + first; break;
	case NPU85_SYMMETRIC: r = half - (v < 0); break;
	case NPU85_TO_ZERO: r = v >= 0 ? 0 : 2 * half - 1; break;
	default: break;
	}
	return (i64)((p + r) >> s.shift);
}

/* Sums and products that wrap: only corrupt streams leave 64 bits. */
static inline i64 npu85_add(i64 a, i64 b)
{
	return (i64)((u64)a + (u64)b);
}

static inline i64 npu85_mul(i64 a, i64 b)
{
	return (i64)((u64)a * (u64)b);
}

/* Two's complement wrap to `bits`. */
static inline i64 npu85_wrap(i64 v, unsigned bits)
{
	return (i64)((u64)v << (64 - bits)) >> (64 - bits);
}

#endif
