/* SPDX-License-Identifier: Apache-2.0 */
/* AMX in plain C, for hosts without it: what npu/kernels/conv/tiles.c says in place of npu/kernels/conv/tiles_amx.h. Written from Intel's description of the
 * instructions, not from what tiles.c does with them: what it does not configure has no rows, what is beyond a tile's size becomes zero. */
#include <assert.h>

static _Thread_local struct {
	u8 byte[16][64];
} model_tile[8];
static _Thread_local struct {
	u8 palette, start, none[14];
	u16 bytes[16];
	u8 rows[16];
} model_shape;

static void model_configure(const void *shape)
{
	memcpy(&model_shape, shape, sizeof(model_shape));
	assert(model_shape.palette == 1 && model_shape.start == 0);
	for (unsigned t = 0; t < 8; t++)
		assert(model_shape.rows[t] <= 16 && model_shape.bytes[t] <= 64 && model_shape.bytes[t] % 4 == 0);
	memset(model_tile, 0, sizeof(model_tile));
}

static void model_load(unsigned t, const void *from, i64 step)
{
	assert(model_shape.palette == 1);
	memset(&model_tile[t], 0, sizeof(model_tile[t]));
	for (unsigned r = 0; r < model_shape.rows[t]; r++)
		memcpy(model_tile[t].byte[r], (const u8 *)from + r * step, model_shape.bytes[t]);
}

static void model_store(unsigned t, void *to)
{
	assert(model_shape.palette == 1);
	for (unsigned r = 0; r < model_shape.rows[t]; r++)
		memcpy((u8 *)to + r * 64, model_tile[t].byte[r], model_shape.bytes[t]);
}

static void model_dot(unsigned sum, unsigned a, unsigned b)
{
	assert(model_shape.rows[sum] == model_shape.rows[a] && model_shape.bytes[sum] == model_shape.bytes[b]);
	assert(model_shape.bytes[a] / 4 == model_shape.rows[b]);
	for (unsigned r = 0; r < model_shape.rows[sum]; r++)
		for (unsigned n = 0; n < model_shape.bytes[sum] / 4; n++) {
			u32 all;
			memcpy(&all, &model_tile[sum].byte[r][4 * n], 4);
			for (unsigned k = 0; k < model_shape.bytes[a]; k++)
				all += (u32)(model_tile[a].byte[r][k] * (i8)model_tile[b].byte[k / 4][4 * n + k % 4]);
			memcpy(&model_tile[sum].byte[r][4 * n], &all, 4);
		}
}

#define TILES_CONFIGURE(shape) model_configure(shape)
#define TILES_RELEASE() memset(&model_shape, 0, sizeof(model_shape))
#define TILE_ZERO(t) memset(&model_tile[t], 0, sizeof(model_tile[t]))
#define TILE_LOAD(t, p, step) model_load(t, p, step)
#define TILE_STORE(t, p) model_store(t, p)
#define TILE_DOT(sum, a, b) model_dot(sum, a, b)
