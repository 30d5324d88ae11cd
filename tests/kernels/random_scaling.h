/* SPDX-License-Identifier: Apache-2.0 */
/* Random scales of channels, in both forms: what the kernels take, and what npu/arith.h and npu/u85/arith.h make of a sum. */
#ifndef TESTS_KERNELS_RANDOM_SCALING_H
#define TESTS_KERNELS_RANDOM_SCALING_H

#include "npu/arith.h"
#include "npu/kernels/rows/rescale.h"
#include "npu/u85/arith.h"
#include "tests/kernels/random.h"

struct scaling {
	bool u85;
	struct npu_scale scale; /* of one channel; U85: .round and .first are round and dbl */
};

static inline i64 scaled(const struct scaling *s, i64 v)
{
	const struct npu85_scale s85 = { s->scale.scale, s->scale.shift, s->scale.round, s->scale.first };

	return s->u85 ? npu85_scale_round(v, s85) : npu_scale_round(v, s->scale);
}

static inline bool set_lane(struct npu_rescale *r, unsigned lane, const struct scaling *s)
{
	const struct npu85_scale s85 = { s->scale.scale, s->scale.shift, s->scale.round, s->scale.first };

	return s->u85 ? npu85_rescale_set(r, lane, s85, 0) : npu_rescale_set(r, lane, s->scale);
}

/* Usual scales have all of their 31 bits; of those with few an estimate may be exact. */
static inline u32 random_scale(struct rng *r)
{
	const u32 bits = rng_next(r) >> 2;

	return UINT32_C(1) << 30 | (rng_below(r, 2) ? bits : bits & UINT32_MAX << rng_below(r, 31));
}

/* Powers of two have exact ties. */
static inline struct scaling random_scaling(struct rng *r)
{
	static const u8 rounds[] = { NPU_ROUND_DBL, NPU_ROUND_NATURAL };
	struct scaling s = { .u85 = rng_one_in(r, 3) };

	s.scale.scale = rng_below(r, 4) ? random_scale(r) : UINT32_C(1) << rng_below(r, 31);
	s.scale.shift = (u8)rng_range(r, 28, 46);
	s.scale.round = s.u85 ? (u8)rng_below(r, 6) : rounds[rng_below(r, 2)];
	s.scale.first = s.u85 && rng_one_in(r, 4) ? 0 : 31;
	return s;
}

#endif
