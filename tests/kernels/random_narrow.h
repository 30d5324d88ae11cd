/* SPDX-License-Identifier: Apache-2.0 */
/* Random output stages of bytes. */
#ifndef TESTS_KERNELS_RANDOM_NARROW_H
#define TESTS_KERNELS_RANDOM_NARROW_H

#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random.h"

static inline struct npu_narrow8 random_narrow(struct rng *r)
{
	struct npu_narrow8 n = { .is_unsigned = rng_below(r, 2) };
	i32 lo = n.is_unsigned ? 0 : INT8_MIN, hi = lo + 255;

	n.small = rng_below(r, 4);
	n.zero_point = rng_below(r, 8) ? rng_range(r, lo, hi) : rng_range(r, -32000, 32000);
	n.lo = rng_below(r, 2) ? lo : rng_range(r, lo, hi);
	n.hi = rng_below(r, 2) ? hi : rng_range(r, n.lo, hi);
	return n;
}

#endif
