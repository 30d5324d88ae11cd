/* SPDX-License-Identifier: Apache-2.0 */
/* A small reproducible random generator for tests (xorshift64*). */
#ifndef TESTS_KERNELS_RANDOM_H
#define TESTS_KERNELS_RANDOM_H

#include "memory/types.h"

struct rng { u64 state; }; /* nonzero */

static inline u32 rng_next(struct rng *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return (u32)((r->state * UINT64_C(2685821657736338717)) >> 32);
}

static inline u64 rng_next64(struct rng *r)
{
	const u64 high = rng_next(r);

	return high << 32 | rng_next(r);
}

/* 0 .. n-1, n > 0 */
static inline u32 rng_below(struct rng *r, u32 n)
{
	return (u32)((u64)rng_next(r) * n >> 32);
}

/* True once in n times. */
static inline bool rng_one_in(struct rng *r, u32 n)
{
	return rng_below(r, n) == 0;
}

/* lo .. hi, both inclusive */
static inline i32 rng_range(struct rng *r, i32 lo, i32 hi)
{
	return (i32)(lo + (i64)rng_below(r, (u32)((i64)hi - lo + 1)));
}

/* Of any length: all numbers of leading zeros are equally likely. */
static inline u32 rng_short(struct rng *r)
{
	const u32 word = rng_next(r);

	return word >> rng_below(r, 32);
}

/* Changes one of n > 0 bytes. */
static inline void rng_change(struct rng *r, u8 *bytes, u32 n)
{
	u8 *const one = &bytes[rng_below(r, n)];

	*one ^= (u8)(1 + rng_below(r, 255));
}

#endif
