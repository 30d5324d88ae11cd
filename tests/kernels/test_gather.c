/* SPDX-License-Identifier: Apache-2.0 */
/* Receptive fields of three short lines as bricks of words (npu_gather.as_bricks), at every level that makes them so, against the same fields one behind
 * the other as plain C brings them together: inside the map, at its edges and where memory ends behind it. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random.h"

#define ROUNDS 3000
#define SIDE 24 /* of a map at most */

/* Of bytes in rows; `map` has no byte more than these. */
static struct npu_gather random_fields(struct rng *r, u8 *map, u32 depth)
{
	struct npu_gather g = { .depth = depth, .kernel_h = NPU_BRICK_LINES, .bytes = 1, .rows = true, .row_runs = true, .in_one = true, .dilation_w = 1 };

	g.kernel_w = 1 + rng_below(r, 2 * NPU_GROUP / NPU_BRICK_LINES / depth);
	g.dilation_h = (u8)(1 + rng_below(r, 2));
	g.stride_h = (u8)(1 + rng_below(r, 3));
	g.stride_w = (u8)(1 + rng_below(r, 3));
	g.up_width = g.width0 = g.kernel_w + rng_below(r, SIDE - g.kernel_w);
	g.up_height = g.height0 = g.height1 = 2 * NPU_BRICK_LINES + rng_below(r, SIDE - 2 * NPU_BRICK_LINES);
	g.pad_top = (i32)rng_below(r, 3);
	g.pad_left = (i32)rng_below(r, 3);
	g.ofm_width = (g.up_width + rng_below(r, 3)) / g.stride_w + 1;
	g.stride_c = 1;
	g.stride_x = depth;
	g.stride_y = (i64)g.up_width * depth;
	g.is_signed = (u8)rng_below(r, 2);
	g.zero_point = g.is_signed ? rng_range(r, -128, 127) : rng_range(r, 0, 255);
	g.row = (NPU_BRICK_LINES * g.kernel_w * depth + 1) / 2 * 2;
	g.tile[0] = map;
	g.end = map + g.up_height * g.stride_y;
	return g;
}

/* How many elements of a tile's fields differ, those behind the last tap left aside. */
static unsigned differing(const struct npu_gather *g, unsigned pixels, const i16 *fields, const i16 *bricks)
{
	unsigned n = 0;

	for (unsigned p = 0; p < pixels; p++)
		for (size_t k = 0; k < NPU_BRICK_LINES * g->kernel_w * g->depth; k++)
			n += fields[p * g->row + k] != bricks[(k / NPU_GROUP * NPU_TILE + p) * NPU_GROUP + k % NPU_GROUP];
	return n;
}

Test(gather, bricks_of_fields)
{
	static i16 fields[NPU_TILE * 2 * NPU_GROUP + NPU_PANEL_SLACK], bricks[NPU_TILE * 2 * NPU_GROUP + NPU_PANEL_SLACK];
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 3511 };

	for (unsigned round = 0; round < ROUNDS; round++) {
		const u32 depth = 1 + rng_below(&r, 3);
		const size_t bytes = (size_t)SIDE * SIDE * depth;
		u8 *const memory = malloc(bytes);
		struct npu_gather g = random_fields(&r, memory, depth);
		u8 *const map = memory + bytes - g.up_height * (size_t)g.stride_y; /* which ends where memory does */
		const struct npu_place at = { rng_below(&r, (g.up_height - 1) / g.stride_h + 1), rng_below(&r, g.ofm_width) };
		const u64 left = (u64)((g.up_height - 1) / g.stride_h + 1 - at.y) * g.ofm_width - at.x;
		const unsigned pixels = 1 + rng_below(&r, left < NPU_TILE ? (u32)left : NPU_TILE);
		for (size_t i = 0; i < bytes; i++)
			memory[i] = (u8)rng_next(&r);
		g.tile[0] = map;
		g.end = memory + bytes;
		g.as_bricks = false;
		npu_simd_find("c")->gather_i16(&g, at, pixels, fields);
		g.as_bricks = true;
		for (unsigned l = 0; l < levels; l++) {
			if (!level[l]->bricks_of_fields)
				continue;
			level[l]->gather_i16(&g, at, pixels, bricks);
			cr_assert_eq(differing(&g, pixels, fields, bricks), 0, "round %u level %s %ux%u", round, level[l]->name, g.kernel_w, depth);
		}
		free(memory);
	}
}
