/* SPDX-License-Identifier: Apache-2.0 */
/* Products of int16, and U85's roundings, at every host level against the formula, many of them ties or next to one. */
#include <criterion/criterion.h>

#include "npu/arith.h"
#include "npu/kernels/rows/halves.h"
#include "npu/kernels/simd/simd.h"
#include "npu/kernels/u85/rows.h"
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

/* Roundings whose constants differ by less than the vectors' usual form bears. */
static struct npu85_scale random_scale85(struct rng *r)
{
	static const u8 round[] = { NPU85_DOUBLE_SYMMETRIC, NPU85_SYMMETRIC, NPU85_TO_ZERO };

	return (struct npu85_scale){ .scale = rng_below(r, 2) ? UINT32_C(1) << rng_below(r, 31) : (u32)rng_range(r, 1, INT32_MAX), .shift = (u8)rng_range(r, 15, 61),
				     .round = round[rng_below(r, ARRAY_LEN(round))], .dbl = (u8)rng_range(r, 1, 30) };
}

/* Products, and elements alone, as they are multiplied or scaled by `o`. */
static void expect_by_sign(const struct npu_simd *simd, const struct npu_operand8 *o, struct npu85_scale s, const i16 *a, const i16 *b)
{
	const struct npu_mul16 m = { .scale = *o, .narrow = { 0, INT16_MIN, INT16_MAX } };
	const struct npu_unary16 u = { .up = *o, .narrow = { 0, INT16_MIN, INT16_MAX } };
	i16 product[LENGTH], alone[LENGTH];

	simd->mul16(&m, &(struct npu_words_grid){ .a = (const u8 *)a, .b = (const u8 *)b, .to = (u8 *)product, .step_b = 2, .rows = 1, .n = LENGTH });
	simd->unary16(&u, &(struct npu_words_grid){ .a = (const u8 *)a, .to = (u8 *)alone, .rows = 1, .n = LENGTH });
	for (unsigned i = 0; i < LENGTH; i++) {
		cr_assert_eq(product[i], npu_clamp(npu85_scale_round((i64)a[i] * b[i], s), INT16_MIN, INT16_MAX), "level %s: %d * %d, scale %u >> %u round %u", simd->name, a[i],
			     b[i], s.scale, s.shift, s.round);
		cr_assert_eq(alone[i], npu_clamp(npu85_scale_round(a[i], s), INT16_MIN, INT16_MAX), "level %s: %d, scale %u >> %u round %u", simd->name, a[i], s.scale,
			     s.shift, s.round);
	}
}

/* Results that fit, of values up to 2^31. */
static void expect_row(const struct npu_simd *simd, const struct npu85_stage *stage, struct rng *r)
{
	NPU_LINE i32 v[LENGTH];
	i32 from[LENGTH];
	const unsigned down = rng_below(r, 31), up = rng_below(r, 15);

	for (unsigned i = 0; i < LENGTH; i++) {
		from[i] = v[i] = (i32)((u32)((i32)rng_next(r) >> down) << up);
		if (!npu85_stage_fits(stage, v[i] < 0 ? -(i64)v[i] : v[i]))
			from[i] = v[i] = 0;
	}
	npu85_stage_run32(stage, simd, v, LENGTH);
	for (unsigned i = 0; i < LENGTH; i++)
		cr_assert_eq(v[i], npu85_scale_round(from[i], stage->scale), "level %s: %d, scale %u >> %u round %u", simd->name, from[i], stage->scale.scale,
			     stage->scale.shift, stage->scale.round);
}

Test(halves, constants_of_each_sign)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 92 };
	unsigned rows = 0, products = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		i16 a[LENGTH], b[LENGTH];
		struct npu85_stage stage;
		npu85_stage_init(&stage, random_scale85(&r));
		random_words(&r, a);
		random_words(&r, b);
		for (unsigned l = 0; l < levels && stage.by_sign; l++) {
			const struct npu_operand8 o = { .factor = 1, .scaled = true, .by_sign = true, .signs = stage.signs };
			expect_row(level[l], &stage, &r);
			rows++;
			if (!level[l]->mul16 || stage.up)
				continue;
			expect_by_sign(level[l], &o, stage.scale, a, b);
			products++;
		}
	}
	cr_assert(rows > ROUNDS / 2 * levels);
	cr_assert(!npu_simd_find("avx2") || products > ROUNDS / 2);
}
