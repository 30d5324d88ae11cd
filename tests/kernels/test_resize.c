/* SPDX-License-Identifier: Apache-2.0 */
/* U85's bilinear resizes of few channels, resizes to sums that are not scaled, and scales that are powers of two or above 1, at every host level against the
 * generic path. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/kernels/private.h"
#include "npu/kernels/u85/rows.h"
#include "npu/u85/u85.h"
#include "tests/kernels/random.h"

enum { ROUNDS = 400, MOST = 12, MOST_FACTOR = 8, MOST_DEPTH = 15, ELEMENTS = 1 << 17, LENGTH = 96, LEVELS = 8 };

/* A level whose rows that are blended along x are counted. */
static const struct npu_simd *real;
static unsigned rows;

static void count_rows(const struct npu_blended *c, size_t groups, const u8 *row, u16 *to)
{
	rows++;
	real->blend_columns(c, groups, row, to);
}

static void packed(struct npu_fm *fm, u32 height, u32 width, u32 depth)
{
	fm->height = fm->height0 = fm->height1 = height;
	fm->width = fm->width0 = width;
	fm->depth = depth;
	fm->bytes = fm->used = 1;
	fm->format = NPU_NHWC;
	fm->stride_c = 1;
	fm->stride_x = depth;
	fm->stride_y = (i64)width * depth;
}

static struct npu_resize_axis random_axis(struct rng *r, u32 factor)
{
	const bool centres = rng_below(r, 2);
	const i32 n = (i32)factor * (centres ? 2 : 1);

	return (struct npu_resize_axis){ .n = n, .d = centres ? 2 : 1, .offset = centres ? 1 - (i32)factor : rng_range(r, -1, 1) };
}

static struct npu_op random_resize(struct rng *r)
{
	struct npu_op op = { .kind = NPU_RESIZE, .mode = NPU_RESIZE_BILINEAR, .cores = 1, .acc_bits = 32, .output = NPU_OUT_CLAMP };
	const u32 fy = 1u << rng_below(r, 4), fx = 1u << rng_below(r, 4), height = 1 + rng_below(r, MOST), width = 1 + rng_below(r, MOST), depth = 1 + rng_below(r, MOST_DEPTH);
	const bool is_signed = rng_below(r, 2);

	op.u85.enabled = 1;
	packed(&op.ifm, height, width, depth);
	packed(&op.ofm, height * fy, width * fx, depth);
	op.ifm.is_signed = op.ofm.is_signed = is_signed;
	op.ifm.zero_point = op.ofm.zero_point = rng_below(r, 2) ? 0 : is_signed ? -3 : 128;
	op.lo = is_signed ? INT8_MIN : 0;
	op.hi = is_signed ? INT8_MAX : UINT8_MAX;
	op.u85.clip_signed = is_signed;
	op.u85.resize_y = random_axis(r, fy);
	op.u85.resize_x = random_axis(r, fx);
	op.up_height = height;
	op.up_width = width;
	op.kernel_h = op.kernel_w = op.stride_y = op.stride_x = op.dilation_y = op.dilation_x = 1;
	op.u85.ofm_scale = (struct npu85_scale){ .scale = 1, .shift = (u8)(16 + __builtin_ctz((u32)(op.u85.resize_y.n * op.u85.resize_x.n))), .round = (u8)rng_below(r, 6) };
	op.u85.stored = op.ofm;
	return op;
}

static void same_as_generic(struct npu_kernels *k, const struct npu_config *config, const struct npu_op *op, const u8 *from)
{
	static u8 expected[ELEMENTS], actual[ELEMENTS];
	struct npu_view view = { .ifm = { from }, .ofm = { expected } };
	struct npu_exec e = { .config = config, .op = op, .view = &view };
	struct npu85_carry slow = { 0 }, fast = { 0 };

	memset(expected, 0x5a, ELEMENTS);
	memset(actual, 0x5a, ELEMENTS);
	cr_assert_eq(npu85_exec(&e, &slow), NPU_EXEC_OK);
	view.ofm[0] = actual;
	cr_assert(npu85_kernels_execute(k, op, &view, &fast));
	cr_assert_eq(memcmp(expected, actual, ELEMENTS), 0, "level %s: %ux%ux%u to %ux%u, n %d %d, offsets %d %d, round %u", k->simd->name, op->ifm.height, op->ifm.width,
		     op->ifm.depth, op->ofm.height, op->ofm.width, op->u85.resize_y.n, op->u85.resize_x.n, op->u85.resize_y.offset, op->u85.resize_x.offset,
		     op->u85.ofm_scale.round);
	npu85_carry_free(&slow);
	npu85_carry_free(&fast);
}

Test(resize, few_channels)
{
	static u8 from[MOST * MOST * MOST_DEPTH];
	const struct npu_config *config = npu_config_find("ethos-u85-256");
	const struct npu_simd *level[LEVELS];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 95 };

	for (unsigned l = 0; l < levels; l++) {
		struct npu_kernels *const k = npu_kernels_new(config, level[l]->name);
		struct npu_simd counted = *k->simd;
		unsigned done = 0;
		real = level[l];
		counted.blend_columns = count_rows;
		k->simd = &counted;
		for (unsigned round = 0; round < ROUNDS; round++) {
			const struct npu_op op = random_resize(&r);
			for (size_t i = 0; i < sizeof(from); i++)
				from[i] = (u8)rng_next(&r);
			rows = 0;
			same_as_generic(k, config, &op, from);
			done += rows > 0;
		}
		cr_assert(done > ROUNDS / 2, "level %s: %u", level[l]->name, done);
		k->simd = level[l];
		npu_kernels_free(k);
	}
}

/* ---- to int32 and 8 bytes ---- */

enum { SUMS_SIDE = 3, SUMS_RESULTS = 12, SUMS_DEPTH = 40 };

static void in_bricks(struct npu_fm *fm)
{
	fm->format = NPU_NHCWB16;
	fm->stride_x = NPU_GROUP * (i64)fm->bytes;
	fm->stride_c = fm->stride_x * fm->width;
	fm->stride_y = fm->stride_c * ((fm->depth + NPU_GROUP - 1) / NPU_GROUP);
}

static void of_bytes(struct npu_fm *fm, unsigned bytes)
{
	fm->bytes = (u8)bytes;
	fm->stride_c *= bytes;
	fm->stride_x *= bytes;
	fm->stride_y *= bytes;
}

static struct npu_resize_axis any_axis(struct rng *r)
{
	const i32 n = rng_one_in(r, 8) ? 2048 : rng_range(r, 1, 40);

	return (struct npu_resize_axis){ .n = n, .d = rng_range(r, 0, rng_below(r, 2) ? n : 2), .offset = rng_range(r, -20, 20) };
}

/* Blended values less their fraction, or with another scale now and then. */
static struct npu_op random_sums(struct rng *r)
{
	struct npu_op op = random_resize(r);
	const u32 depth = 1 + rng_below(r, SUMS_DEPTH);

	op.mode = rng_below(r, 4) ? NPU_RESIZE_BILINEAR : NPU_RESIZE_NEAREST;
	packed(&op.ifm, 1 + rng_below(r, SUMS_SIDE), 1 + rng_below(r, SUMS_SIDE), depth);
	packed(&op.ofm, 1 + rng_below(r, SUMS_RESULTS), 1 + rng_below(r, SUMS_RESULTS), depth);
	of_bytes(&op.ifm, 1 + rng_below(r, 2));
	of_bytes(&op.ofm, rng_below(r, 2) ? sizeof(i32) : sizeof(i64));
	if (rng_below(r, 2))
		in_bricks(&op.ofm);
	op.ifm.is_signed = op.ofm.is_signed = 1;
	op.ofm.zero_point = rng_one_in(r, 4) ? 5 : 0;
	op.lo = -100;
	op.hi = 3000;
	op.u85.clip_off = rng_below(r, 4) != 0;
	op.u85.resize_y = any_axis(r);
	op.u85.resize_x = any_axis(r);
	op.up_height = op.ifm.height;
	op.up_width = op.ifm.width;
	op.u85.ofm_scale = (struct npu85_scale){ .scale = rng_one_in(r, 4) ? 3 : 1, .shift = (u8)(rng_one_in(r, 4) ? 15 + rng_below(r, 4) : 16), .round = (u8)rng_below(r, 6),
						 .dbl = (u8)rng_below(r, 20) };
	op.u85.stored = op.ofm;
	return op;
}

Test(resize, sums)
{
	static u8 from[SUMS_SIDE * SUMS_SIDE * SUMS_DEPTH * sizeof(i16)];
	const struct npu_config *config = npu_config_find("ethos-u85-256");
	const struct npu_simd *level[LEVELS];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 97 };

	for (unsigned l = 0; l < levels; l++) {
		struct npu_kernels *const k = npu_kernels_new(config, level[l]->name);
		for (unsigned round = 0; round < 4 * ROUNDS; round++) {
			const struct npu_op op = random_sums(&r);
			for (size_t i = 0; i < sizeof(from); i++)
				from[i] = (u8)rng_next(&r);
			same_as_generic(k, config, &op, from);
		}
		npu_kernels_free(k);
	}
}

/* ---- scales ---- */

/* Of small values, whose results are small as well. */
Test(resize, scales_above_one)
{
	const struct npu_simd *level[LEVELS];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 98 };
	unsigned done = 0;

	for (unsigned round = 0; round < 10 * ROUNDS; round++) {
		const struct npu85_scale s = { .scale = (u32)rng_next(&r) >> rng_below(&r, 20), .shift = (u8)rng_below(&r, 26), .round = (u8)rng_below(&r, 6), .dbl = (u8)rng_below(&r, 32) };
		const unsigned bits = rng_range(&r, 1, 16);
		NPU_LINE i32 v[LENGTH];
		i32 from[LENGTH];
		struct npu85_stage stage;
		npu85_stage_init(&stage, s);
		if (!npu85_stage_small(&stage, INT64_C(1) << bits))
			continue;
		for (unsigned i = 0; i < LENGTH; i++)
			from[i] = rng_one_in(&r, 8) ? (rng_below(&r, 2) ? 1 : -1) * (i32)((1 << bits) - 1) : (i32)rng_next(&r) >> (31 - bits);
		for (unsigned l = 0; l < levels; l++) {
			memcpy(v, from, sizeof(v));
			npu85_stage_run32(&stage, level[l], v, LENGTH);
			for (unsigned i = 0; i < LENGTH; i++)
				cr_assert_eq(v[i], npu85_scale_round(from[i], s), "level %s: %d, scale %u >> %u round %u", level[l]->name, from[i], s.scale, s.shift, s.round);
		}
		done += stage.parts && !stage.none && !stage.left && !stage.fast && !stage.by_sign && !stage.up;
	}
	cr_assert(done > ROUNDS, "%u", done);
}

/* Every rounding of values up to the largest there are. */
Test(resize, powers_of_two)
{
	const struct npu_simd *level[LEVELS];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 96 };
	unsigned done = 0;

	for (unsigned round = 0; round < 10 * ROUNDS; round++) {
		const unsigned power = rng_below(&r, 31);
		const struct npu85_scale s = { .scale = UINT32_C(1) << power, .shift = (u8)(power + 1 + rng_below(&r, 32)), .round = (u8)rng_below(&r, 6), .dbl = (u8)rng_below(&r, 32) };
		NPU_LINE i32 v[LENGTH];
		i32 from[LENGTH];
		struct npu85_stage stage;
		npu85_stage_init(&stage, s);
		for (unsigned i = 0; i < LENGTH; i++)
			from[i] = rng_one_in(&r, 8) ? (rng_below(&r, 2) ? 1 : -1) * (i32)(NPU_ROW_LIMIT - 1) : (i32)rng_next(&r) >> rng_range(&r, 2, 31);
		for (unsigned l = 0; l < levels; l++) {
			memcpy(v, from, sizeof(v));
			npu85_stage_run32(&stage, level[l], v, LENGTH);
			for (unsigned i = 0; i < LENGTH; i++)
				cr_assert_eq(v[i], npu85_scale_round(from[i], s), "level %s: %d, scale %u >> %u round %u", level[l]->name, from[i], s.scale, s.shift, s.round);
		}
		done += stage.fast && stage.shifts;
	}
	cr_assert(done > 2 * ROUNDS, "%u", done);
}
