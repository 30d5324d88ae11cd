/* SPDX-License-Identifier: Apache-2.0 */
/* Layers of int16 panels whose elements and weights leave room for their sums, at every level, against sums taken one by one: products made crosswise
 * (simd/cross.h) and, of fewer pixels, taps or channels, in pairs. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random.h"
#include "tests/kernels/random_scaling.h"

#define ROUNDS 300
#define GROUPS 8
#define ROW 144 /* taps at most */
#define START 200000

struct crossing {
	struct npu_layer8 layer;
	struct npu_narrow8 narrow;
	struct npu_rescale rescale[GROUPS];
	i32 start[GROUPS * NPU_GROUP];
	unsigned pixels;
	NPU_LINE i16 weights[GROUPS * ROW * NPU_GROUP];
	NPU_LINE i16 panel[NPU_TILE * ROW];
	NPU_LINE i32 sums[GROUPS][NPU_TILE * NPU_GROUP];
};

static i16 below(struct rng *r, i32 most)
{
	return (i16)(rng_below(r, 8) ? rng_range(r, -most, most) : rng_below(r, 2) ? most : -most);
}

/* Sums of an element and a weight reach the ends of int16; taps of a brick behind the row are anything. Returns the largest product. */
static i64 random_data(struct rng *r, struct crossing *c)
{
	static const i32 sizes[] = { 2, 30, 255, 511 };
	const i32 weight = sizes[rng_below(r, ARRAY_LEN(sizes))], element = rng_below(r, 4) ? sizes[rng_below(r, ARRAY_LEN(sizes))] : INT16_MAX - weight;

	for (size_t i = 0; i < ARRAY_LEN(c->weights); i++)
		c->weights[i] = below(r, weight);
	for (size_t i = 0; i < ARRAY_LEN(c->panel); i++)
		c->panel[i] = below(r, element);
	return (i64)weight * element;
}

static void random_crossing(struct rng *r, struct crossing *c)
{
	const u32 row = 2 * (1 + rng_below(r, ROW / 2)), depth = 1 + rng_below(r, GROUPS * NPU_GROUP);
	const u8 shift = (u8)rng_range(r, 34, 48);
	const i64 most = row * random_data(r, c) + START;

	c->pixels = 1 + rng_below(r, NPU_TILE);
	c->narrow = (struct npu_narrow8){ .zero_point = rng_range(r, -128, 127), .lo = -128, .hi = 127, .small = most >> (shift - 31) < NPU_SMALL_VALUE - 256 };
	for (unsigned i = 0; i < GROUPS * NPU_GROUP; i++) {
		const struct scaling s = { .scale = { .scale = random_scale(r), .shift = shift, .round = NPU_ROUND_DBL, .first = 31 } };
		c->start[i] = rng_range(r, -START, START);
		cr_assert(set_lane(&c->rescale[i / NPU_GROUP], i % NPU_GROUP, &s));
	}
	c->layer = (struct npu_layer8){ .row = row, .group_step = row * NPU_GROUP, .bricks = rng_below(r, 2), .small = true, .depth = depth, .weights = c->weights,
					.start = c->start, .rescale = c->rescale, .narrow = &c->narrow, .stride_group = NPU_TILE * NPU_GROUP };
}

static void add_up(struct crossing *c)
{
	const struct npu_layer8 *const l = &c->layer;

	for (unsigned i = 0; i < GROUPS * NPU_GROUP; i++)
		for (unsigned p = 0; p < c->pixels; p++) {
			const i16 *const w = c->weights + i / NPU_GROUP * l->group_step + i % NPU_GROUP * 2;
			u32 sum = (u32)c->start[i];
			for (size_t k = 0; k < l->row; k++) {
				const size_t at = l->bricks ? (k / NPU_GROUP * NPU_TILE + p) * NPU_GROUP + k % NPU_GROUP : p * l->row + k;
				sum += (u32)(c->panel[at] * w[k / 2 * 2 * NPU_GROUP + k % 2]);
			}
			c->sums[i / NPU_GROUP][p * NPU_GROUP + i % NPU_GROUP] = (i32)sum;
		}
}

Test(crosswise, layers)
{
	static struct crossing c;
	static u8 right[GROUPS * NPU_TILE * NPU_GROUP], stored[GROUPS * NPU_TILE * NPU_GROUP];
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 3407 };

	for (unsigned round = 0; round < ROUNDS; round++) {
		random_crossing(&r, &c);
		add_up(&c);
		for (unsigned l = 0; l < levels; l++) {
			struct npu_target t = { NPU_GROUP, 1, { { stored, c.pixels } } };
			memset(stored, 0x5a, sizeof(stored));
			level[l]->layer_i16(&c.layer, c.panel, c.pixels, &t);
			memset(right, 0x5a, sizeof(right));
			for (u32 g = 0; g * NPU_GROUP < c.layer.depth; g++) {
				const u32 left = c.layer.depth - g * NPU_GROUP;
				t.run[0].to = right;
				level[l]->store8(c.sums[g], &t, &c.rescale[g], &c.narrow, g * c.layer.stride_group, left < NPU_GROUP ? left : NPU_GROUP);
			}
			cr_assert_eq(memcmp(stored, right, sizeof(right)), 0, "round %u level %s row %zu depth %u pixels %u", round, level[l]->name, c.layer.row,
				     c.layer.depth, c.pixels);
		}
	}
}
