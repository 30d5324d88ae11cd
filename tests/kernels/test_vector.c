/* SPDX-License-Identifier: Apache-2.0 */
/* Products of bytes of layers of one pixel at every level that has its own for them, with elements and weights as large as they get. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/kernels/conv/conv.h"
#include "npu/kernels/simd/simd.h"
#include "tests/kernels/one_kernel.h"
#include "tests/kernels/random_scaling.h"
#include "tests/kernels/random_weights.h"

#define ROUNDS 3000
#define ROW 300
#define GROUPS 5
#define DEPTH (GROUPS * NPU_GROUP)

struct layer {
	struct npu_layer8 l;
	struct npu_narrow8 narrow;
	struct npu_rescale rescale[GROUPS];
	i32 start[DEPTH];
	i8 weights[DEPTH * ROW];
	u8 pixel[ROW]; /* as it is stored */
	u8 right[DEPTH]; /* results */
};

static i8 random_weight(struct rng *r)
{
	static const i8 ends[] = { -127, -126, 0, 126, 127 };

	return rng_below(r, 3) ? ends[rng_below(r, ARRAY_LEN(ends))] : (i8)rng_range(r, -127, 127);
}

static u8 random_element(struct rng *r)
{
	static const u8 ends[] = { 0, 1, 127, 128, 129, 254, 255 };

	return rng_below(r, 3) ? ends[rng_below(r, ARRAY_LEN(ends))] : (u8)rng_next(r);
}

static i32 sum_of(const struct layer *s, u32 channel, i32 less)
{
	const i8 *w = s->weights + channel / NPU_GROUP * s->l.group_step + channel % NPU_GROUP * 4;
	i32 sum = 0;

	for (size_t k = 0; k < s->l.row; k++)
		sum += w[k / 4 * 4 * NPU_GROUP + k % 4] * (s->pixel[k] - less);
	return sum;
}

/* Sums start where a quarter of them is a random byte, next to where rounding changes its mind. */
static void random_layer(struct rng *r, struct layer *s, i32 less)
{
	static const struct npu_scale quarter = { .scale = UINT32_C(1) << 30, .shift = 32, .round = NPU_ROUND_NATURAL, .first = 31 };

	memset(s, 0, sizeof(*s));
	s->narrow = (struct npu_narrow8){ .small = 1, .lo = INT8_MIN, .hi = INT8_MAX };
	s->l = (struct npu_layer8){ .row = 4 * (1 + rng_below(r, ROW / 4)), .depth = 1 + rng_below(r, DEPTH), .weights = s->weights, .start = s->start,
				    .rescale = s->rescale, .narrow = &s->narrow };
	s->l.group_step = s->l.row * NPU_GROUP;
	for (u32 i = 0; i < DEPTH * s->l.row; i++)
		s->weights[i] = random_weight(r);
	for (u32 i = 0; i < s->l.row; i++)
		s->pixel[i] = random_element(r);
	for (u32 c = 0; c < DEPTH; c++) {
		const i32 byte = rng_range(r, INT8_MIN, INT8_MAX);
		cr_assert(npu_rescale_set(&s->rescale[c / NPU_GROUP], c % NPU_GROUP, quarter));
		s->start[c] = 4 * byte + rng_range(r, -2, 1) - sum_of(s, c, less);
		s->right[c] = (u8)byte;
	}
}

static void run(const struct npu_simd *simd, const struct layer *s, u8 to[DEPTH])
{
	u8 input[2 * ROW];

	if (simd->vector_input)
		simd->vector_input(input, s->pixel, s->l.row, s->l.row, simd->less_128 ? 128 : 0);
	else
		simd->flip_bytes(input, s->pixel, s->l.row, simd->less_128 ? 128 : 0);
	simd->vector_u8(&s->l, input, to);
}

Test(vector, bytes_of_all_sizes)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 90 };

	for (unsigned i = 0; i < levels * ROUNDS; i++) {
		const struct npu_simd *const simd = level[i % levels];
		struct layer s;
		u8 stored[DEPTH];
		if (!simd->vector_u8)
			continue;
		random_layer(&r, &s, simd->less_128 ? 128 : 0);
		memset(stored, 0x5a, sizeof(stored));
		memset(s.right + s.l.depth, 0x5a, DEPTH - s.l.depth);
		run(simd, &s, stored);
		cr_assert_eq(memcmp(stored, s.right, sizeof(stored)), 0, "round %u level %s depth %u row %zu", i, simd->name, s.l.depth, s.l.row);
	}
}

/* Sums of weights, and what a level has no products for. */
Test(vector, sums_of_weights)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 91 };

	for (unsigned i = 0; i < levels * ROUNDS; i++) {
		const struct npu_simd *const simd = level[i % levels];
		struct layer s;
		i32 sum[NPU_GROUP];
		u32 most = 0;
		if (!simd->sums_i8)
			continue;
		random_layer(&r, &s, 0);
		const bool lowest = rng_one_in(&r, 3);
		if (lowest)
			s.weights[rng_below(&r, (u32)s.l.group_step)] = INT8_MIN;
		const u32 largest = simd->sums_i8(s.weights, s.l.row, sum);
		for (u32 c = 0; c < NPU_GROUP; c++) {
			i32 right = 0, size = 0;
			for (size_t k = 0; k < s.l.row; k++) {
				const i32 w = s.weights[k / 4 * 4 * NPU_GROUP + c * 4 + k % 4];
				right += w;
				size += w < 0 ? -w : w;
			}
			most = (u32)size > most ? (u32)size : most;
			cr_assert_eq(sum[c], right, "round %u level %s channel %u", i, simd->name, c);
		}
		cr_assert_eq(largest, lowest && simd->vector_input ? UINT32_MAX : most, "round %u level %s", i, simd->name);
	}
}

static i16 random_half(struct rng *r)
{
	static const i16 ends[] = { INT16_MIN, -INT16_MAX, -1, 0, 255, 256, INT16_MAX };

	return rng_below(r, 3) ? ends[rng_below(r, ARRAY_LEN(ends))] : (i16)rng_next(r);
}

/* int16 by bytes: of two groups, and of one with two pixels; modulo 2^32. */
Test(vector, sums_of_mixed_products)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 92 };

	for (unsigned i = 0; i < levels * ROUNDS; i++) {
		const struct npu_simd *const simd = level[i % levels];
		const bool two = rng_below(&r, 2);
		struct layer s;
		i16 pixel[2 * ROW];
		i32 sums[2][NPU_GROUP];
		if (!simd->vector_mixed)
			continue;
		random_layer(&r, &s, 0);
		for (unsigned k = 0; k < 2 * ROW; k++)
			pixel[k] = random_half(&r);
		s.weights[rng_below(&r, (u32)s.l.group_step)] = INT8_MIN;
		simd->vector_mixed(pixel, two, s.l.row, s.weights, s.l.group_step, sums[0]);
		for (u32 c = 0; c < 2 * NPU_GROUP; c++) {
			const i8 *w = s.weights + (two ? 0 : c / NPU_GROUP * s.l.group_step) + c % NPU_GROUP * 4;
			const i16 *x = pixel + (two ? c / NPU_GROUP * s.l.row : 0);
			u32 right = 0;
			for (size_t k = 0; k < s.l.row; k++)
				right += (u32)(w[k / 4 * 4 * NPU_GROUP + k % 4] * x[k]);
			cr_assert_eq((u32)sums[c / NPU_GROUP][c % NPU_GROUP], right, "round %u level %s two %d sum %u", i, simd->name, two, c);
		}
	}
}

static const struct npu_config *config; /* that streams are made for */

static bool is_plain(const struct npu_op *op)
{
	return op->ifm.bytes == 2 && op->ifm.is_signed && !op->abreast.pixels;
}

/* A pixel of int16, of so many channels now and then that sums have more than 32 bits. */
static bool make_vector(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	op->kernel_h = op->kernel_w = op->stride_y = op->stride_x = op->dilation_y = op->dilation_x = 1;
	op->pad_top = op->pad_left = op->pad_bottom = op->pad_right = 0;
	op->upscale = NPU_UPSCALE_NONE;
	op->ifm.zero_point = 0;
	op->ifm.height = op->ifm.width = op->up_height = op->up_width = op->ofm.height = op->ofm.width = 1;
	op->ifm.depth = 1 + rng_below(r, rng_one_in(r, 4) ? 3000 : 300);
	random_streams(r, config, a, op, view);
	random_places(r, a, op, view);
	return true;
}

static bool has_mixed(const struct npu_simd *simd)
{
	return simd->vector_mixed;
}

static void run_mixed(u64 seed, const char *accelerator)
{
	const unsigned rounds = rounds_of(300);
	struct one_kernel b;

	config = npu_config_find(accelerator);
	one_kernel_open(&b, npu_fast_conv, accelerator);
	one_kernel_add_levels_that(&b, has_mixed);
	one_kernel_random(&b, &(struct one_kernel_draws){ .kind = NPU_CONV, .seed = seed, .rounds = rounds, .least = rounds / 2, .is_wanted = is_plain,
							  .change = make_vector });
	one_kernel_close(&b);
}

Test(vector, mixed_products)
{
	run_mixed(93, "ethos-u55-128");
}

Test(vector, mixed_products_of_two_cores)
{
	run_mixed(94, "ethos-u65-512");
}
