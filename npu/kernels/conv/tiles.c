/* SPDX-License-Identifier: Apache-2.0 */
/* Products by AMX; see tiles.h. The instructions are in tiles_amx.h; tests, whose host may have none, build this file with a model of them
 * (TILES_HEADER) and another name (TILES_NAME). */
#include "npu/kernels/conv/tiles.h"

#include <string.h>

#include "npu/kernels/simd/simd.h"

#ifndef TILES_HEADER
#define TILES_HEADER "npu/kernels/conv/tiles_amx.h"
#define TILES_NAME npu_tiles_amx
#endif
#include TILES_HEADER

#define ROWS 16 /* of a tile */
#define SUMS (ROWS * NPU_GROUP)

/* Tiles 0 to 3 are sums of two tiles of pixels by two groups, 4 and 5 fields, 6 and 7 weights. */
struct shape {
	u8 palette, start;
	u8 none[14];
	u16 bytes[16];
	u8 rows[16];
};

static void begin(unsigned pixels)
{
	struct shape s = { .palette = 1 };

	for (unsigned t = 0; t < 8; t++) {
		s.bytes[t] = NPU_DEEP;
		s.rows[t] = (u8)(t < 6 ? pixels : ROWS);
	}
	TILES_CONFIGURE(&s);
}

static void end(void)
{
	TILES_RELEASE();
}

/* Weights of two groups; those of the last block are elsewhere, where it is not whole. */
struct weights {
	const i8 *group[2], *last[2];
};

ALWAYS_INLINE const i8 *block_of(const struct weights *w, unsigned g, size_t k, size_t blocks)
{
	return k + 1 == blocks ? w->last[g] : w->group[g] + k * ROWS * NPU_DEEP;
}

/* From a block of a pixel's fields to the next. */
ALWAYS_INLINE size_t step_on(const struct npu_tiles_walk *w, u32 *left)
{
	const bool over = --*left == 0;

	*left = over ? w->blocks : *left;
	return w->next + (over ? w->jump : 0);
}

static void multiply_two(const struct npu_tiles_walk *walk, const u8 *a, const u8 *b, size_t blocks, const struct weights *w, i32 *acc)
{
	const i64 step = (i64)walk->step;
	u32 left = walk->blocks;

	TILE_ZERO(0);
	TILE_ZERO(1);
	TILE_ZERO(2);
	TILE_ZERO(3);
	for (size_t k = 0; k < blocks; k++) {
		TILE_LOAD(6, block_of(w, 0, k, blocks), NPU_DEEP);
		TILE_LOAD(4, a, step);
		TILE_DOT(0, 4, 6);
		TILE_LOAD(7, block_of(w, 1, k, blocks), NPU_DEEP);
		TILE_DOT(1, 4, 7);
		TILE_LOAD(5, b, step);
		TILE_DOT(2, 5, 6);
		TILE_DOT(3, 5, 7);
		const size_t on = step_on(walk, &left);
		a += on;
		b += on;
	}
	TILE_STORE(0, acc);
	TILE_STORE(1, acc + SUMS);
	TILE_STORE(2, acc + 2 * SUMS);
	TILE_STORE(3, acc + 3 * SUMS);
}

static void multiply_one(const struct npu_tiles_walk *walk, const u8 *a, size_t blocks, const struct weights *w, i32 *acc)
{
	const i64 step = (i64)walk->step;
	u32 left = walk->blocks;

	TILE_ZERO(0);
	TILE_ZERO(1);
	for (size_t k = 0; k < blocks; k++) {
		TILE_LOAD(4, a, step);
		TILE_LOAD(6, block_of(w, 0, k, blocks), NPU_DEEP);
		TILE_DOT(0, 4, 6);
		TILE_LOAD(7, block_of(w, 1, k, blocks), NPU_DEEP);
		TILE_DOT(1, 4, 7);
		a += step_on(walk, &left);
	}
	TILE_STORE(0, acc);
	TILE_STORE(1, acc + SUMS);
}

static void multiply(const struct npu_tiles_walk *walk, const u8 *a, const u8 *b, const i8 *weights, size_t group_step, i32 *acc)
{
	const size_t blocks = (walk->row + NPU_DEEP - 1) / NPU_DEEP, last = (blocks - 1) * NPU_DEEP, rest = walk->row - last;
	struct weights w;
	NPU_LINE i8 room[2][ROWS * NPU_DEEP];

	for (unsigned g = 0; g < 2; g++) {
		w.group[g] = weights + g * group_step;
		w.last[g] = w.group[g] + last * NPU_GROUP;
		if (rest < NPU_DEEP) { /* what is behind a group's weights need not be memory */
			memcpy(room[g], w.last[g], rest * NPU_GROUP);
			memset(room[g] + rest * NPU_GROUP, 0, sizeof(room[g]) - rest * NPU_GROUP);
			w.last[g] = room[g];
		}
	}
	if (b)
		multiply_two(walk, a, b, blocks, &w, acc);
	else
		multiply_one(walk, a, blocks, &w, acc);
}

extern const struct npu_tiles TILES_NAME;
const struct npu_tiles TILES_NAME = { begin, multiply, end };
