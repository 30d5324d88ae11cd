/* SPDX-License-Identifier: Apache-2.0 */
/* Layers of int16 by bytes (npu/kernels/simd/split.h) at every level that has them against the arithmetic of npu/arith.h and npu/u85/arith.h: one pixel with
 * products, tiles of pixels whose sums lie next to ties and at the ends of 32 bits, and windows whose neighbours share what is loaded. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random_scaling.h"

#define ROUNDS 4000
#define DEPTH 136
#define GROUPS ((DEPTH + NPU_GROUP - 1) / NPU_GROUP)

#define WORDS 72

struct word_layer {
	struct npu_layer8 layer;
	struct npu_rescale rescale[GROUPS];
	struct scaling scaling[GROUPS * NPU_GROUP];
	i32 start[GROUPS * NPU_GROUP], high[GROUPS * NPU_GROUP];
	i64 sum[GROUPS * NPU_GROUP];
	struct npu_narrow16 narrow;
	i8 weights[GROUPS * WORDS * NPU_GROUP];
	i16 x[WORDS];
};

/* Products of a channel, and what its sums of low and of high bytes begin with (prepared.c). */
static void random_dots(struct rng *r, struct word_layer *s, unsigned c, u32 inputs)
{
	const i64 bias = rng_range(r, -100000, 100000);
	i8 *weights = s->weights + c / NPU_GROUP * s->layer.group_step + c % NPU_GROUP * 4;
	i32 all = 0;

	s->sum[c] = bias;
	for (u32 i = 0; i < inputs; i++) {
		const i8 w = (i8)rng_next(r);
		weights[i / 4 * 4 * NPU_GROUP + i % 4] = w;
		s->sum[c] += (i64)w * s->x[i];
		all += w;
	}
	s->start[c] = bias & 255;
	s->high[c] = (i32)(bias >> 8) - 128 * all;
}

static bool is_natural(const struct scaling *s)
{
	return s->scale.round == (s->u85 ? NPU85_NATURAL : NPU_ROUND_NATURAL);
}

/* `small`: as of operations whose scales have 15 bits, and now and then less. Both roundings of one sum differ in what all channels of a group have in common. */
static struct npu_scale word_scale(struct rng *r, const struct scaling *of, bool small)
{
	struct npu_scale s = of->scale;

	s.scale = UINT32_C(1) << 30 | rng_next(r) >> 2;
	if (small)
		s.scale >>= 16 + (rng_one_in(r, 4) ? rng_below(r, 16) : 0);
	s.shift = (u8)(small ? rng_range(r, 22, is_natural(of) ? 40 : 30) : rng_range(r, 40, 46));
	if (is_natural(of) && rng_one_in(r, 50)) { /* a channel whose weights are all zero */
		s.scale = 0;
		s.shift = 63;
	}
	return s;
}

/* False: not a scaling of the fast form. */
static bool random_words(struct rng *r, struct word_layer *s)
{
	const u32 inputs = 1 + rng_below(r, WORDS);
	bool fits = true, small = false;

	memset(s, 0, sizeof(*s));
	s->narrow.lo = rng_one_in(r, 3) ? -1000 : INT16_MIN;
	s->narrow.hi = rng_one_in(r, 3) ? 500 : INT16_MAX;
	for (u32 i = 0; i < inputs; i++)
		s->x[i] = rng_one_in(r, 8) ? INT16_MIN : (i16)rng_next(r);
	s->layer = (struct npu_layer8){ .row = (inputs + 3) / 4 * 4, .depth = 1 + rng_below(r, DEPTH), .weights = s->weights, .start = s->start,
					.high = s->high, .rescale = s->rescale, .narrow16 = &s->narrow };
	s->layer.fits_32 = rng_below(r, 2);
	s->layer.group_step = s->layer.row * NPU_GROUP;
	for (unsigned c = 0; c < GROUPS * NPU_GROUP; c++) {
		const bool first = c % NPU_GROUP == 0;
		s->scaling[c] = first ? random_scaling(r) : s->scaling[c - 1]; /* rounding is a group's */
		small = first ? rng_one_in(r, 3) : small; /* as of operations whose scales have 16 bits */
		if (first || rng_one_in(r, 4))
			s->scaling[c].scale = word_scale(r, &s->scaling[c], small);
		fits &= set_lane(&s->rescale[c / NPU_GROUP], c % NPU_GROUP, &s->scaling[c]);
		random_dots(r, s, c, inputs);
	}
	return fits;
}

static i16 expected_word(const struct scaling *s, const struct npu_narrow16 *n, i64 sum)
{
	const i64 v = scaled(s, sum);

	return (i16)(v < n->lo ? n->lo : v > n->hi ? n->hi : v);
}

Test(split, vectors_of_words)
{
	const struct npu_simd *level[8];
	unsigned levels = npu_simd_list(level), done = 0;
	struct rng r = { 81 };

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct word_layer s;
		i16 right[DEPTH + 32], stored[DEPTH + 32], x[WORDS];
		if (!random_words(&r, &s))
			continue;
		memset(right, 0x5a, sizeof(right));
		for (unsigned c = 0; c < s.layer.depth; c++)
			right[c] = expected_word(&s.scaling[c], &s.narrow, s.sum[c]);
		for (unsigned l = 0; l < levels; l++) {
			if (!level[l]->vector_split)
				continue;
			memset(stored, 0x5a, sizeof(stored));
			memcpy(x, s.x, sizeof(x));
			level[l]->split_words((u8 *)x, s.layer.row * sizeof(*x));
			level[l]->vector_split(&s.layer, (const u8 *)x, (u8 *)stored);
			cr_assert_eq(memcmp(stored, right, sizeof(right)), 0, "round %u level %s depth %u row %zu", round, level[l]->name, s.layer.depth,
				     s.layer.row);
		}
		done++;
	}
	cr_assert_gt(done, ROUNDS / 8);
}

/* ---- tiles ---- */

#define PIXELS NPU_TILE
#define ELEMENTS 16 /* of a pixel at most */

/* Sums of a pixel are a channel's start and its first element. */
struct word_tile {
	struct npu_layer8 layer;
	struct npu_rescale rescale[GROUPS];
	struct scaling scaling[GROUPS * NPU_GROUP];
	i32 start[GROUPS * NPU_GROUP], high[GROUPS * NPU_GROUP];
	i64 sum[GROUPS * NPU_GROUP];
	struct npu_narrow16 narrow;
	i8 weights[GROUPS * ELEMENTS * NPU_GROUP];
	i16 x[PIXELS * ELEMENTS];
	bool beside; /* channels of a pixel lie side by side, else pixels of a group */
};

/* A sum up to `most`, next to where rounding changes its mind, or anything. */
static i64 random_word_sum(struct rng *r, const struct npu_scale *s, i64 most)
{
	i64 v;

	if (rng_one_in(r, 8))
		return rng_below(r, 2) ? most : -most;
	v = rng_one_in(r, 4) || !s->scale ? (i32)rng_next(r) : (i64)((rng_range(r, -33000, 33000) + 0.5) * (double)(UINT64_C(1) << s->shift) / s->scale);
	return v > most ? most : v < -most ? -most : v;
}

static bool random_tile(struct rng *r, struct word_tile *s)
{
	const bool small = rng_below(r, 4), fits_32 = rng_below(r, 4);
	const i64 most = fits_32 || !small ? INT32_MAX - 8 : INT64_C(1) << 36; /* products have 64 bits */
	bool fits = true;

	memset(s, 0, sizeof(*s));
	s->beside = rng_below(r, 2);
	s->narrow.lo = rng_one_in(r, 3) ? 0 : INT16_MIN;
	s->narrow.hi = rng_one_in(r, 3) ? 500 : INT16_MAX;
	const u32 row = 4 * (1 + rng_below(r, ELEMENTS / 4));
	s->layer = (struct npu_layer8){ .row = row, .depth = 1 + rng_below(r, DEPTH), .weights = s->weights, .start = s->start, .high = s->high, .rescale = s->rescale, .narrow16 = &s->narrow, .fits_32 = fits_32,
					.stride_group = (s->beside ? 1 : PIXELS) * (i64)(NPU_GROUP * sizeof(i16)) };
	s->layer.group_step = s->layer.row * NPU_GROUP;
	for (unsigned p = 0; p < PIXELS; p++)
		s->x[p * s->layer.row] = (i16)rng_range(r, -4, 4);
	for (unsigned c = 0; c < GROUPS * NPU_GROUP; c++) {
		s->scaling[c] = c % NPU_GROUP == 0 ? random_scaling(r) : s->scaling[c - 1];
		if (c % NPU_GROUP == 0 || rng_one_in(r, 4))
			s->scaling[c].scale = word_scale(r, &s->scaling[c], small);
		fits &= set_lane(&s->rescale[c / NPU_GROUP], c % NPU_GROUP, &s->scaling[c]);
		s->sum[c] = random_word_sum(r, &s->scaling[c].scale, most);
		s->weights[c / NPU_GROUP * s->layer.group_step + c % NPU_GROUP * 4] = 1;
		s->start[c] = (i32)(s->sum[c] & 255) + 256 * rng_range(r, -1000, 1000);
		s->high[c] = (i32)((s->sum[c] - s->start[c]) / 256) - 128;
	}
	return fits;
}

static size_t place_of(const struct word_tile *s, unsigned p, unsigned c)
{
	return s->beside ? p * GROUPS * NPU_GROUP + c : (c / NPU_GROUP * PIXELS + p) * NPU_GROUP + c % NPU_GROUP;
}

static struct npu_target target_of(const struct word_tile *s, i16 *to)
{
	const i64 step = s->beside ? GROUPS * NPU_GROUP * sizeof(i16) : NPU_GROUP * sizeof(i16);

	return (struct npu_target){ .step = step, .runs = 2, .run = { { (u8 *)to, 9 }, { (u8 *)to + 9 * step, PIXELS - 9 } } };
}

Test(split, tiles_next_to_ties)
{
	static struct word_tile s;
	static i16 right[PIXELS * GROUPS * NPU_GROUP], stored[PIXELS * GROUPS * NPU_GROUP], x[PIXELS * ELEMENTS];
	const struct npu_simd *level[8];
	unsigned levels = npu_simd_list(level), done = 0;
	struct rng r = { 82 };

	for (unsigned round = 0; round < ROUNDS; round++) {
		if (!random_tile(&r, &s))
			continue;
		const struct npu_fields f = { .from = (const u8 *)x, .width = UINT32_MAX, .lines = 1, .line = s.layer.row * sizeof(i16), .step = s.layer.row * sizeof(i16) };
		const struct npu_target t = target_of(&s, stored);
		memset(right, 0x5a, sizeof(right));
		for (unsigned p = 0; p < PIXELS; p++)
			for (unsigned c = 0; c < s.layer.depth; c++)
				right[place_of(&s, p, c)] = expected_word(&s.scaling[c], &s.narrow, s.sum[c] + s.x[p * s.layer.row]);
		for (unsigned l = 0; l < levels; l++) {
			if (!level[l]->layer_split)
				continue;
			memset(stored, 0x5a, sizeof(stored));
			memcpy(x, s.x, sizeof(x));
			level[l]->split_words((u8 *)x, PIXELS * s.layer.row * sizeof(*x));
			level[l]->layer_split(&s.layer, &f, &t);
			cr_assert_eq(memcmp(stored, right, sizeof(right)), 0, "round %u level %s depth %u row %zu", round, level[l]->name, s.layer.depth, s.layer.row);
		}
		done++;
	}
	cr_assert_gt(done, ROUNDS / 8);
}

/* ---- products of two maps of int16 ---- */

#define PAIRS 40 /* products of a sum at most */

struct pair_tile {
	struct word_tile t;
	i16 low[GROUPS * PAIRS * NPU_GROUP], high[GROUPS * PAIRS * NPU_GROUP];
	i16 x[PIXELS * PAIRS];
	i64 right[PIXELS][GROUPS * NPU_GROUP];
};

static bool random_pairs(struct rng *r, struct pair_tile *s)
{
	struct npu_layer8 *const l = &s->t.layer;
	const bool fits = random_tile(r, &s->t);

	memset(s->low, 0, sizeof(s->low));
	memset(s->high, 0, sizeof(s->high));
	l->row = 2 * (1 + rng_below(r, PAIRS / 2));
	l->group_step = l->row * NPU_GROUP;
	l->weights = s->low;
	l->weights_high = s->high;
	l->fits_32 = false;
	for (unsigned i = 0; i < PIXELS * l->row; i++)
		s->x[i] = rng_one_in(r, 8) ? INT16_MIN : (i16)rng_next(r);
	for (unsigned c = 0; c < GROUPS * NPU_GROUP; c++) {
		const size_t lane = c / NPU_GROUP * l->group_step + c % NPU_GROUP * 2;
		s->t.start[c] = (i32)rng_below(r, 256);
		s->t.high[c] = rng_range(r, -4000, 4000);
		for (unsigned p = 0; p < PIXELS; p++)
			s->right[p][c] = s->t.start[c] + 256 * (i64)s->t.high[c];
		for (size_t k = 0; k < l->row; k++) {
			const size_t at = lane + k / 2 * 2 * NPU_GROUP + k % 2;
			s->low[at] = (i16)rng_range(r, -128, 127);
			s->high[at] = (i16)rng_range(r, -128, 128);
			for (unsigned p = 0; p < PIXELS; p++)
				s->right[p][c] += (i64)s->x[p * l->row + k] * (s->low[at] + 256 * s->high[at]);
		}
	}
	return fits;
}

/* Products with such scales have 64 bits. */
static bool scales_are_small(const struct word_tile *s)
{
	bool small = true;

	for (unsigned c = 0; c < GROUPS * NPU_GROUP; c++)
		small &= s->scaling[c].scale.scale < UINT32_C(1) << 16;
	return small;
}

Test(split, products_of_words)
{
	static struct pair_tile s;
	static i16 right[PIXELS * GROUPS * NPU_GROUP], stored[PIXELS * GROUPS * NPU_GROUP];
	const struct npu_simd *level[8];
	unsigned levels = npu_simd_list(level), done = 0;
	struct rng r = { 83 };

	for (unsigned round = 0; round < ROUNDS / 4; round++) {
		const unsigned pixels = 1 + rng_below(&r, PIXELS);
		if (!random_pairs(&r, &s) || !scales_are_small(&s.t))
			continue;
		struct npu_target t = target_of(&s.t, stored);
		t.runs = 1;
		t.run[0].n = pixels;
		memset(right, 0x5a, sizeof(right));
		for (unsigned p = 0; p < pixels; p++)
			for (unsigned c = 0; c < s.t.layer.depth; c++)
				right[place_of(&s.t, p, c)] = expected_word(&s.t.scaling[c], &s.t.narrow, s.right[p][c]);
		for (unsigned l = 0; l < levels; l++) {
			if (!level[l]->layer_pairs)
				continue;
			memset(stored, 0x5a, sizeof(stored));
			level[l]->layer_pairs(&s.t.layer, s.x, pixels, &t);
			cr_assert_eq(memcmp(stored, right, sizeof(right)), 0, "round %u level %s depth %u row %zu", round, level[l]->name, s.t.layer.depth, s.t.layer.row);
		}
		done++;
	}
	cr_assert_gt(done, ROUNDS / 40);
}

/* ---- windows of three rows and columns ---- */

#define TAPS 9
#define INPUTS 32   /* at most */
#define AROUND 220  /* pixels of a map with what is around it, at most */

struct window_tile {
	struct word_tile t;
	u32 inputs, width;
	i8 weights[GROUPS * TAPS * INPUTS * NPU_GROUP];
	i16 map[AROUND * INPUTS];
	i64 right[PIXELS][GROUPS * NPU_GROUP];
};

static bool random_window(struct rng *r, struct window_tile *s)
{
	struct npu_layer8 *const l = &s->t.layer;
	const bool fits = random_tile(r, &s->t);

	s->inputs = NPU_GROUP * (1 + rng_below(r, INPUTS / NPU_GROUP));
	s->width = 6 + rng_below(r, PIXELS - 5);
	l->row = TAPS * s->inputs;
	l->group_step = l->row * NPU_GROUP;
	l->weights = s->weights;
	for (unsigned i = 0; i < AROUND * INPUTS; i++)
		s->map[i] = rng_one_in(r, 8) ? INT16_MIN : (i16)rng_next(r);
	for (unsigned i = 0; i < sizeof(s->weights); i++)
		s->weights[i] = (i8)rng_next(r);
	for (unsigned c = 0; c < GROUPS * NPU_GROUP; c++) {
		const i8 *const w = s->weights + c / NPU_GROUP * l->group_step + c % NPU_GROUP * 4;
		const i64 bias = rng_range(r, -100000, 100000);
		i32 all = 0;
		for (unsigned p = 0; p < PIXELS; p++)
			s->right[p][c] = bias;
		for (u32 k = 0; k < l->row; k++) {
			const i8 weight = w[k / 4 * 4 * NPU_GROUP + k % 4];
			const u32 tap = k / s->inputs;
			all += weight;
			for (u32 p = 0; p < PIXELS; p++) {
				const u32 y = p / s->width + tap / 3, x = p % s->width + tap % 3;
				s->right[p][c] += (i64)weight * s->map[(y * (s->width + 2) + x) * s->inputs + k % s->inputs];
			}
		}
		s->t.start[c] = bias & 255;
		s->t.high[c] = (i32)(bias >> 8) - 128 * all;
	}
	return fits;
}

static struct npu_fields fields_of(const struct window_tile *s, const i16 *map)
{
	const size_t pixel = s->inputs * sizeof(*map), line = (s->width + 2) * pixel;

	return (struct npu_fields){ .from = (const u8 *)map, .width = s->width, .lines = 3, .line = 3 * pixel, .down = line, .step = pixel, .skip = (i64)(2 * pixel) };
}

Test(split, windows_of_three)
{
	static struct window_tile s;
	static i16 right[PIXELS * GROUPS * NPU_GROUP], stored[PIXELS * GROUPS * NPU_GROUP], map[AROUND * INPUTS];
	const struct npu_simd *level[8];
	unsigned levels = npu_simd_list(level), done = 0;
	struct rng r = { 84 };

	for (unsigned round = 0; round < ROUNDS / 40; round++) {
		if (!random_window(&r, &s))
			continue;
		const struct npu_fields f = fields_of(&s, map);
		const struct npu_target t = target_of(&s.t, stored);
		memset(right, 0x5a, sizeof(right));
		for (unsigned p = 0; p < PIXELS; p++)
			for (unsigned c = 0; c < s.t.layer.depth; c++)
				right[place_of(&s.t, p, c)] = expected_word(&s.t.scaling[c], &s.t.narrow, s.right[p][c]);
		for (unsigned l = 0; l < levels; l++) {
			if (!level[l]->layer_split)
				continue;
			memset(stored, 0x5a, sizeof(stored));
			memcpy(map, s.map, sizeof(map));
			level[l]->split_words((u8 *)map, sizeof(map));
			level[l]->layer_split(&s.t.layer, &f, &t);
			cr_assert_eq(memcmp(stored, right, sizeof(right)), 0, "round %u level %s depth %u width %u inputs %u", round, level[l]->name, s.t.layer.depth,
				     s.width, s.inputs);
		}
		done++;
	}
	cr_assert_gt(done, 20);
}
