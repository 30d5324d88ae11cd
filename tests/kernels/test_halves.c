/* SPDX-License-Identifier: Apache-2.0 */
/* Products of int16 at every host level against the formula, many of them ties or next to one. */
#include <criterion/criterion.h>

#include "npu/arith.h"
#include "npu/kernels/rows/halves.h"
#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random.h"

enum { ROUNDS = 3000, LENGTH = 144 };

/* Half of them powers of two, which make ties of every product with as many zero bits below. */
static struct npu_scale random_scale(struct rng *r)
{
	struct npu_scale s = { .scale = rng_below(r, 2) ? UINT32_C(1) << 30 : (u32)rng_range(r, 1 << 30, INT32_MAX), .first = 31 };

	s.shift = (u8)rng_range(r, 31, 48);
	s.round = rng_below(r, 3) ? NPU_ROUND_DBL : NPU_ROUND_NATURAL;
	return s;
}

/* Of few bits, so that products come out even. */
static void random_words(struct rng *r, i16 *x)
{
	const unsigned down = rng_below(r, 15), up = rng_below(r, 15);

	for (unsigned i = 0; i < LENGTH; i++)
		x[i] = rng_one_in(r, 20) ? INT16_MIN : (i16)((u32)((i16)rng_next(r) >> down) << up);
}

static struct npu_op product_of(struct rng *r)
{
	struct npu_op op = { .kind = NPU_ELEMENTWISE, .mode = NPU_EW_MUL, .output = NPU_OUT_CLAMP };

	op.ifm = op.ifm2 = op.ofm = (struct npu_fm){ .height = 1, .width = 1, .depth = LENGTH, .bytes = 2, .is_signed = 1 };
	op.ofm_scale = random_scale(r);
	op.lo = rng_one_in(r, 3) ? -1000 : INT16_MIN;
	op.hi = rng_one_in(r, 3) ? 500 : INT16_MAX;
	return op;
}

Test(halves, products_next_to_ties)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 91 };
	unsigned done = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		const struct npu_op op = product_of(&r);
		i16 a[LENGTH], b[LENGTH], out[LENGTH];
		random_words(&r, a);
		random_words(&r, b);
		for (unsigned l = 0; l < levels; l++) {
			const struct npu_sink sink = { .simd = level[l], .op = &op, .narrow16_valid = true, .narrow16 = { 0, op.lo, op.hi } };
			u8 *const p[] = { (u8 *)out, (u8 *)a, (u8 *)b };
			const i64 down[3] = { 0 }, stride[] = { 2, 2, 2 };
			const struct npu_halves h = { p, down, stride, 1, LENGTH };
			struct npu_mul16 m;
			if (!npu_mul16_init(&m, &sink, 0) || !npu_mul16_run(level[l], &m, 1, 2, &h))
				continue;
			for (unsigned i = 0; i < LENGTH; i++)
				cr_assert_eq(out[i], npu_clamp(npu_scale_round((i64)a[i] * b[i], op.ofm_scale), op.lo, op.hi), "round %u level %s: %d * %d, scale %u >> %u round %u",
					     round, level[l]->name, a[i], b[i], op.ofm_scale.scale, op.ofm_scale.shift, op.ofm_scale.round);
			done++;
		}
	}
	cr_assert(!npu_simd_find("avx2") || done > ROUNDS / 2);
}
