/* SPDX-License-Identifier: Apache-2.0 */
/* Sums to stored bytes at every host level against the arithmetic of npu/arith.h and npu/u85/arith.h,
 * with sums that lie as close to a tie as integers can: what a vector form estimates must still be
 * exact there. */
#include <criterion/criterion.h>
#include <fenv.h>
#include <string.h>

#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random_narrow.h"
#include "tests/kernels/random_scaling.h"

#define PIXELS 23
#define STEP 48
#define ROUNDS 4000

/* Sum whose result is about `result`; 0 when there is none. */
static i32 sum_of(const struct npu_scale *s, double result)
{
	double sum = result * (double)(UINT64_C(1) << s->shift) / s->scale;

	return sum > INT32_MAX || sum < INT32_MIN ? 0 : (i32)sum;
}

/* A sum whose result is near a random byte, mostly next to where rounding changes its mind; of any size unless
 * results are small. */
static i32 random_sum(struct rng *r, const struct npu_scale *s, bool small)
{
	switch (rng_below(r, 8)) {
	case 0:
		return small ? sum_of(s, rng_range(r, 10 - NPU_SMALL_VALUE, NPU_SMALL_VALUE - 10)) : (i32)rng_next(r);
	case 1:
		return small ? sum_of(s, rng_range(r, -1200, 1200)) : rng_below(r, 2) ? INT32_MIN : INT32_MAX;
	case 2:
		return rng_range(r, -2, 2);
	default: {
		i32 sum = sum_of(s, rng_range(r, -600, 600) + 0.5);
		return sum == INT32_MIN || sum == INT32_MAX ? 0 : sum + rng_range(r, -1, 1);
	}
	}
}

static u8 expected(const struct scaling *s, const struct npu_narrow8 *n, i32 sum)
{
	i64 v = scaled(s, sum) + n->zero_point;

	return (u8)(v < n->lo ? n->lo : v > n->hi ? n->hi : v);
}

/* Pixels in runs of random length. */
static void random_target(struct rng *r, struct npu_target *t, u8 *memory, i64 step)
{
	unsigned at = 0, n;

	t->step = step;
	for (t->runs = 0; at < PIXELS; at += n) {
		n = 1 + rng_below(r, PIXELS - at);
		t->run[t->runs++] = (struct npu_run){ memory + at * step, n };
	}
}

/* What an estimate decides does not depend on how the host rounds. */
static void store_in_mode(const struct npu_simd *simd, unsigned mode, const i32 *sum, const struct npu_target *t, const struct npu_rescale *s,
			  const struct npu_narrow8 *n)
{
	static const int modes[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };

	fesetround(modes[mode % ARRAY_LEN(modes)]);
	simd->store8(sum, t, s, n, 0, NPU_GROUP);
	fesetround(FE_TONEAREST);
}

Test(store, next_to_ties)
{
	const struct npu_simd *level[8];
	unsigned levels = npu_simd_list(level), done = 0, estimated = 0;
	struct rng r = { 77 };

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct npu_rescale rescale;
		struct scaling s[NPU_GROUP];
		struct npu_narrow8 n = random_narrow(&r);
		struct npu_target t;
		NPU_LINE i32 sum[PIXELS * NPU_GROUP];
		u8 right[PIXELS * STEP], stored[PIXELS * STEP];
		i64 step = rng_below(&r, 2) ? NPU_GROUP : STEP;
		bool fits = true;
		s[0] = random_scaling(&r);
		for (unsigned c = 0; c < NPU_GROUP; c++) {
			s[c] = s[0];
			if (c && rng_below(&r, 2))
				s[c].scale.scale = random_scale(&r);
			fits &= set_lane(&rescale, c, &s[c]);
		}
		if (!fits)
			continue;
		memset(right, 0x5a, sizeof(right));
		for (unsigned i = 0; i < PIXELS * NPU_GROUP; i++) {
			unsigned c = i % NPU_GROUP;
			sum[i] = random_sum(&r, &s[c].scale, n.small);
			right[i / NPU_GROUP * step + c] = expected(&s[c], &n, sum[i]);
		}
		random_target(&r, &t, stored, step);
		for (unsigned l = 0; l < levels; l++) {
			memset(stored, 0x5a, sizeof(stored));
			store_in_mode(level[l], round, sum, &t, &rescale, &n);
			cr_assert_eq(memcmp(stored, right, sizeof(right)), 0, "round %u level %s u85 %d shift %u round %u",
				     round, level[l]->name, s[0].u85, s[0].scale.shift, s[0].scale.round);
		}
		done++;
		estimated += npu_estimates(&rescale, &n);
	}
	cr_assert_gt(done, ROUNDS / 2);
	cr_assert_gt(estimated, ROUNDS / 4);
}

/* Whole layers: what a block of pixels leaves undecided is done again. */
#define DEPTH 136
#define GROUPS ((DEPTH + NPU_GROUP - 1) / NPU_GROUP)
#define ROW 4
#define MIDDLE_ROW 16 /* and more, up to three times as many: products that rescaling goes between */
#define LONG_ROW 512 /* for layers with many products, which have blocks of their own */

/* Sums are start + the pixel's first element. */
struct small_layer {
	struct npu_layer8 layer;
	struct npu_rescale rescale[GROUPS];
	struct scaling scaling[GROUPS * NPU_GROUP];
	i32 start[GROUPS * NPU_GROUP];
	struct npu_narrow8 narrow;
	i8 weights8[GROUPS * LONG_ROW * NPU_GROUP];
	i16 weights16[GROUPS * LONG_ROW * NPU_GROUP];
	u8 panel8[NPU_TILE * LONG_ROW];
	i16 panel16[NPU_TILE * LONG_ROW];
};

static bool random_channels(struct rng *r, struct small_layer *s)
{
	bool fits = true;

	for (unsigned c = 0; c < GROUPS * NPU_GROUP; c++) {
		s->scaling[c] = c ? s->scaling[0] : random_scaling(r);
		if (c && rng_below(r, 2))
			s->scaling[c].scale.scale = random_scale(r);
		fits &= set_lane(&s->rescale[c / NPU_GROUP], c % NPU_GROUP, &s->scaling[c]);
		s->start[c] = random_sum(r, &s->scaling[c].scale, s->narrow.small);
		if (s->start[c] > INT32_MAX - 4)
			s->start[c] = 0; /* room for the product */
	}
	return fits;
}

/* False: not a scaling of the fast form. */
static bool random_layer(struct rng *r, struct small_layer *s, bool bricks)
{
	const unsigned shorter = rng_below(r, 2) ? ROW : MIDDLE_ROW + 4 * rng_below(r, MIDDLE_ROW / 2 + 1);
	const unsigned row = rng_below(r, 8) ? shorter : LONG_ROW, step = bricks ? NPU_GROUP : row;

	memset(s, 0, sizeof(*s));
	s->narrow = random_narrow(r);
	for (unsigned g = 0; g < GROUPS; g++)
		for (unsigned c = 0; c < NPU_GROUP; c++) {
			s->weights8[g * row * NPU_GROUP + c * 4] = 1;
			s->weights16[g * row * NPU_GROUP + c * 2] = 1;
		}
	for (unsigned p = 0; p < PIXELS; p++)
		s->panel16[p * step] = s->panel8[p * step] = (u8)rng_below(r, 3);
	s->layer = (struct npu_layer8){ .row = row, .group_step = row * NPU_GROUP, .bricks = bricks,
					.depth = 1 + rng_below(r, DEPTH), .start = s->start, .rescale = s->rescale,
					.narrow = &s->narrow, .stride_group = PIXELS * NPU_GROUP };
	return random_channels(r, s);
}

Test(store, layers_next_to_ties)
{
	const struct npu_simd *level[8];
	unsigned levels = npu_simd_list(level), done = 0;
	struct rng r = { 78 };

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct small_layer s;
		struct npu_target t;
		const bool bricks = rng_below(&r, 2);
		u8 right[GROUPS * PIXELS * NPU_GROUP], stored[GROUPS * PIXELS * NPU_GROUP];
		if (!random_layer(&r, &s, bricks))
			continue;
		memset(right, 0x5a, sizeof(right));
		for (unsigned p = 0; p < PIXELS; p++)
			for (unsigned c = 0; c < s.layer.depth; c++)
				right[(c / NPU_GROUP * PIXELS + p) * NPU_GROUP + c % NPU_GROUP] =
					expected(&s.scaling[c], &s.narrow,
						 s.start[c] + s.panel16[p * (bricks ? NPU_GROUP : s.layer.row)]);
		random_target(&r, &t, stored, NPU_GROUP);
		for (unsigned l = 0; l < 2 * levels; l++) {
			const struct npu_simd *simd = level[l / 2];
			if (l % 2 && !simd->layer_u8)
				continue;
			memset(stored, 0x5a, sizeof(stored));
			s.layer.weights = l % 2 ? (const void *)s.weights8 : s.weights16;
			if (l % 2)
				simd->layer_u8(&s.layer, s.panel8, PIXELS, &t);
			else
				simd->layer_i16(&s.layer, s.panel16, PIXELS, &t);
			cr_assert_eq(memcmp(stored, right, sizeof(right)), 0, "round %u level %s, %u bits, depth %u", round,
				     simd->name, l % 2 ? 8u : 16u, s.layer.depth);
		}
		done++;
	}
	cr_assert_gt(done, ROUNDS / 3);
}

/* What vector_u8 asks for where there is no vector_input; vector_i16 does not. */
static bool is_estimated(const struct small_layer *s)
{
	bool all = true;

	for (unsigned g = 0; g < GROUPS; g++)
		all &= npu_estimates(&s->rescale[g], &s->narrow) && s->rescale[g].negative == s->rescale[0].negative;
	return all;
}

/* What a level makes of a layer of one pixel with weights of int8, or of int16; false: it has no such function. */
static bool store_vector(const struct npu_simd *simd, struct small_layer *s, bool words, u8 *stored)
{
	u8 input[2 * LONG_ROW];

	s->layer.weights = words ? (const void *)s->weights16 : s->weights8;
	if (words ? !simd->vector_i16 : !simd->vector_u8 || !(simd->vector_input || is_estimated(s)))
		return false;
	if (words) {
		simd->vector_i16(&s->layer, s->panel16, stored);
	} else if (simd->vector_input) {
		simd->vector_input(input, s->panel8, s->layer.row, s->layer.row, 0);
		simd->vector_u8(&s->layer, input, stored);
	} else {
		simd->vector_u8(&s->layer, s->panel8, stored);
	}
	return true;
}

/* Layers of one pixel, their bytes through a table or not. */
Test(store, vectors_next_to_ties)
{
	const struct npu_simd *level[8];
	unsigned levels = npu_simd_list(level), done = 0;
	struct rng r = { 80 };
	u8 table[256];

	for (unsigned i = 0; i < sizeof(table); i++)
		table[i] = (u8)rng_next(&r);
	for (unsigned round = 0; round < 4 * ROUNDS; round++) {
		struct small_layer s;
		u8 right[DEPTH + 64], stored[DEPTH + 64];
		if (!random_layer(&r, &s, true))
			continue;
		const bool tabled = rng_one_in(&r, 4);
		memset(right, 0x5a, sizeof(right));
		for (unsigned c = 0; c < s.layer.depth; c++) {
			const u8 byte = expected(&s.scaling[c], &s.narrow, s.start[c] + s.panel8[0]);
			right[c] = tabled ? table[byte] : byte;
		}
		s.narrow.table = tabled ? table : NULL;
		for (unsigned l = 0; l < 2 * levels; l++) {
			memset(stored, 0x5a, sizeof(stored));
			if (!store_vector(level[l / 2], &s, l % 2, stored))
				continue;
			cr_assert_eq(memcmp(stored, right, sizeof(right)), 0, "round %u level %s depth %u", round, level[l / 2]->name, s.layer.depth);
		}
		done++;
	}
	cr_assert_gt(done, ROUNDS / 3);
}

/* Depthwises of 3x3, of which one tap has a weight: sums are start + the element under it. */
#define WINDOW_HEIGHT 5
#define WINDOW_WIDTH 19
#define IN_SIDE 17 /* of the map, padding not included */

struct small_window {
	struct small_layer layer;
	struct npu_window_rows in;
	u32 ky, kx;
	u8 from[IN_SIDE * IN_SIDE * STEP * GROUPS];
};

static void random_pixels(struct rng *r, struct small_window *w)
{
	w->in = (struct npu_window_rows){ .lines = 3, .stride = 1, .channels = NPU_GROUP };
	w->in.rows = 1 + rng_below(r, WINDOW_HEIGHT);
	w->in.width = 1 + rng_below(r, WINDOW_WIDTH);
	w->in.in_width = 1 + rng_below(r, IN_SIDE);
	w->in.step = rng_below(r, 2) ? NPU_GROUP : STEP;
	w->in.to_step = rng_below(r, 2) ? NPU_GROUP : STEP;
	w->in.groups = 1 + rng_below(r, GROUPS);
	w->in.first = -(i32)rng_below(r, 3);
	w->in.apart = 1 + rng_below(r, 3);
	w->in.pad = (u8)rng_below(r, 3);
	if (w->in.apart == 1)
		w->in.stride = (u8)(1 + rng_below(r, 2));
	if (rng_one_in(r, 4)) {
		w->in.groups = 1;
		w->in.channels = (u8)(1 + rng_below(r, NPU_GROUP - 1));
		if (rng_below(r, 2)) { /* bricks */
			w->in.step = w->in.to_step = NPU_GROUP;
			w->in.apart = 1;
		}
	}
	w->in.group_from = IN_SIDE * IN_SIDE * STEP;
	w->in.group_to = WINDOW_HEIGHT * WINDOW_WIDTH * STEP;
	w->in.group_weights = 3 * 4 * NPU_GROUP;
	w->ky = rng_below(r, 3);
	w->kx = rng_below(r, 3);
	memset(w->layer.weights8, 0, sizeof(w->layer.weights8));
	for (u32 c = 0; c < GROUPS * NPU_GROUP; c++)
		w->layer.weights8[c / NPU_GROUP * w->in.group_weights + (w->ky * NPU_GROUP + c % NPU_GROUP) * 4 + w->kx] = 1;
	for (size_t i = 0; i < sizeof(w->from); i++)
		w->from[i] = (u8)rng_below(r, 3);
	for (u32 y = 0; y < w->in.rows * w->in.stride + 3 - w->in.stride; y++)
		w->in.row[y] = rng_below(r, 4) ? w->from + (size_t)y * IN_SIDE * STEP : NULL;
}

/* Under the tap; what lies outside is padding. */
static u8 window_element(const struct small_window *w, u32 y, u32 x, u32 c)
{
	const u8 *const row = w->in.row[y * w->in.stride + w->ky];
	const i64 at = w->in.first + (i64)x * w->in.stride + w->kx * w->in.apart;

	return !row || at < 0 || at >= w->in.in_width ? w->in.pad : row[c / NPU_GROUP * w->in.group_from + at * w->in.step + c % NPU_GROUP];
}

Test(store, windows_next_to_ties)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 81 };
	unsigned done = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		static struct small_window w;
		static u8 right[GROUPS * WINDOW_HEIGHT * WINDOW_WIDTH * STEP], stored[sizeof(right)];
		struct small_layer *const s = &w.layer;
		if (!random_layer(&r, s, true) || !is_estimated(s))
			continue;
		random_pixels(&r, &w);
		memset(right, 0x5a, sizeof(right));
		for (u32 y = 0; y < w.in.rows; y++) {
			w.in.to[y] = stored + y * WINDOW_WIDTH * STEP;
			for (u32 x = 0; x < w.in.width; x++)
				for (u32 c = 0; c < (w.in.groups - 1) * NPU_GROUP + w.in.channels; c++)
					right[c / NPU_GROUP * w.in.group_to + y * WINDOW_WIDTH * STEP + x * w.in.to_step + c % NPU_GROUP] =
						expected(&s->scaling[c], &s->narrow, s->start[c] + window_element(&w, y, x, c));
		}
		const struct npu_depthwise8 d = { .weights = s->weights8, .start = s->start, .rescale = s->rescale, .narrow = &s->narrow };
		for (unsigned l = 0; l < levels; l++) {
			if (!level[l]->window_rows)
				continue;
			memset(stored, 0x5a, sizeof(stored));
			level[l]->window_rows(&d, &w.in);
			cr_assert_eq(memcmp(stored, right, sizeof(right)), 0, "round %u level %s: %u rows of %u, %u apart", round, level[l]->name, w.in.rows,
				     w.in.width, w.in.apart);
		}
		done++;
	}
	cr_assert_gt(done, ROUNDS / 8);
}

/* Lanes of one operation, that are set together. Shifts come again, and such with rules of their own. */
Test(store, lanes_are_set_together_as_one_by_one)
{
	struct rng r = { 81 };
	unsigned done = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		const struct scaling like = random_scaling(&r);
		const unsigned lanes = 1 + rng_below(&r, NPU_GROUP);
		struct npu_rescale together, single;
		struct npu_scale s[NPU_GROUP];
		struct npu_rescale_kinds kinds;
		bool right = true;

		kinds.shifts = 0;
		kinds.floored = false;
		memset(&together, 0, sizeof(together));
		memset(&single, 0, sizeof(single));
		for (unsigned i = 0; i < lanes; i++) {
			struct scaling lane = like;
			lane.scale.scale = rng_one_in(&r, 20) ? 0 : random_scale(&r);
			lane.scale.scale >>= rng_one_in(&r, 30) ? rng_below(&r, 30) : 0;
			lane.scale.shift = rng_one_in(&r, 40) ? (u8)rng_below(&r, 64) : (u8)(like.scale.shift + rng_below(&r, 4));
			s[i] = lane.scale;
			right &= set_lane(&single, i, &lane);
		}
		cr_assert_eq(npu_rescale_set_lanes(&kinds, &together, s, lanes, like.u85), right, "round %u", round);
		cr_assert(!right || memcmp(&together, &single, sizeof(single)) == 0, "round %u", round);
		done += right;
	}
	cr_expect_gt(done, ROUNDS / 10);
}
