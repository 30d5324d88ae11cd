/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of fields that lie in a map, at every level that reads them, against sums taken one by one: rows of any width, kernels of up to nine
 * columns, taps side by side and apart, lines of any length, any number of groups of channels, sums of few and of many products. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random.h"
#include "tests/kernels/random_scaling.h"

#define ROUNDS 500
#define GROUPS 5
#define TAPS 9     /* three by three, or of one row */
#define MOST 96    /* channels of the map */
#define WIDTH 44   /* of the map, */
#define HEIGHT 8
#define ROWS 2     /* of results at most */

struct window {
	u32 depth, width, rows, apart, stride, columns, lines;
	struct npu_layer8 layer;
	struct npu_fields fields;
	struct npu_narrow8 narrow;
	struct npu_rescale rescale[GROUPS];
	struct scaling scaling[GROUPS * NPU_GROUP];
	i32 start[GROUPS * NPU_GROUP];
	NPU_LINE i8 weights[GROUPS * TAPS * MOST * NPU_GROUP];
	NPU_LINE u8 map[HEIGHT * WIDTH * MOST + 64];
};

/* Results are about as large as bytes. */
static void random_channels(struct rng *r, struct window *w)
{
	static const u8 rounds[] = { NPU_ROUND_DBL, NPU_ROUND_NATURAL };
	struct scaling first = { .scale = { .shift = (u8)rng_range(r, 42, 46), .first = 31 } };

	first.scale.round = rounds[rng_below(r, 2)];
	for (unsigned c = 0; c < GROUPS * NPU_GROUP; c++) {
		w->scaling[c] = first;
		w->scaling[c].scale.scale = random_scale(r);
		w->start[c] = rng_range(r, -200000, 200000);
		cr_assert(set_lane(&w->rescale[c / NPU_GROUP], c % NPU_GROUP, &w->scaling[c]));
	}
}

static void random_fields(struct rng *r, struct window *w)
{
	const size_t pixel = w->depth, line = WIDTH * pixel;

	w->fields = (struct npu_fields){ .from = w->map, .width = w->width, .lines = w->lines, .line = w->columns * pixel, .down = w->apart * line, .step = w->stride * pixel };
	if (w->apart > 1) {
		w->fields.line = pixel;
		w->fields.taps = 3;
		w->fields.across = w->apart * pixel;
	}
	w->fields.skip = (i64)(line - w->width * w->fields.step);
}

/* Elements, weights, limits and the layer; `row`: bytes of a field. */
static void random_data(struct rng *r, struct window *w, size_t row, u32 depth)
{
	for (size_t i = 0; i < sizeof(w->map); i++)
		w->map[i] = (u8)rng_next(r);
	for (size_t i = 0; i < sizeof(w->weights); i++)
		w->weights[i] = (i8)rng_next(r);
	const i32 lo = rng_below(r, 2) ? -128 : rng_range(r, -128, 0);
	w->narrow = (struct npu_narrow8){ .zero_point = rng_range(r, lo, 20), .lo = lo, .hi = 127, .small = true };
	w->layer = (struct npu_layer8){ .row = row, .group_step = row * NPU_GROUP, .depth = depth, .weights = w->weights,
					.start = w->start, .rescale = w->rescale, .narrow = &w->narrow, .stride_group = ROWS * WIDTH * NPU_GROUP };
}

static void random_window(struct rng *r, struct window *w)
{
	w->apart = rng_below(r, 3) ? 1 : 2;
	const u32 unit = w->apart == 1 && rng_below(r, 2) ? 4 : NPU_GROUP; /* lines that end anywhere have taps side by side */
	w->depth = unit * (1 + rng_below(r, MOST / unit));
	w->stride = rng_below(r, 4) ? 1 : 2;
	w->columns = w->apart > 1 || rng_below(r, 2) ? 3 : 1 + rng_below(r, TAPS);
	w->lines = w->columns > 3 ? 1 : 3;
	do
		w->width = 1 + rng_below(r, (WIDTH - 1 - (w->columns - 1) * w->apart) / w->stride + 1);
	while (w->apart > 1 && w->width % 2);
	w->rows = 1 + (w->width <= NPU_TILE / ROWS && rng_below(r, 2));
	random_channels(r, w);
	random_fields(r, w);
	random_data(r, w, w->columns * w->lines * w->depth, 1 + rng_below(r, GROUPS * NPU_GROUP));
}

/* Scales next to a power of two: one sum in 64 to 256 is next to a tie. */
static void channels_next_to_ties(struct rng *r, struct window *w)
{
	const u8 shift = (u8)rng_range(r, 36, 38);

	for (unsigned c = 0; c < GROUPS * NPU_GROUP; c++) {
		w->scaling[c].scale.shift = shift;
		w->scaling[c].scale.scale = (UINT32_C(1) << 30) + rng_below(r, 16);
		w->start[c] = rng_range(r, -3000, 3000);
		cr_assert(set_lane(&w->rescale[c / NPU_GROUP], c % NPU_GROUP, &w->scaling[c]));
	}
}

/* First layers: 3x3 taps of three channels, lines filled up by weights of 0. */
static void random_picture(struct rng *r, struct window *w)
{
	w->apart = 1;
	w->depth = w->columns = w->lines = 3;
	w->stride = 1 + rng_below(r, 2);
	w->width = 1 + rng_below(r, (WIDTH - 3) / w->stride + 1);
	w->rows = 1 + (w->width <= NPU_TILE / ROWS && rng_below(r, 2));
	random_channels(r, w);
	random_fields(r, w);
	w->fields.line = 12;
	random_data(r, w, 36, 1 + rng_below(r, rng_below(r, 2) ? NPU_GROUP / 2 : 3 * NPU_GROUP));
	for (u32 c = 0; c < GROUPS * NPU_GROUP; c++)
		for (u32 k = 0; k < 36; k++)
			w->weights[c / NPU_GROUP * w->layer.group_step + c % NPU_GROUP * 4 + k / 4 * 4 * NPU_GROUP + k % 4] &= k % 12 < 9 ? -1 : 0;
	if (rng_below(r, 2))
		return;
	channels_next_to_ties(r, w);
	for (size_t i = 0; i < sizeof(w->map); i++)
		w->map[i] %= 4;
}

static u8 expected(const struct window *w, u32 y, u32 x, u32 c)
{
	const i8 *group = w->weights + c / NPU_GROUP * w->layer.group_step + c % NPU_GROUP * 4;
	i32 sum = w->start[c];

	for (u32 line = 0; line < w->lines; line++)
		for (u32 i = 0; i < w->columns * w->depth; i++) {
			const u32 k = line * (u32)(w->layer.row / w->lines) + i, from_y = y + line * w->apart, from_x = x * w->stride + i / w->depth * w->apart;
			sum += w->map[(from_y * WIDTH + from_x) * w->depth + i % w->depth] * group[k / 4 * 4 * NPU_GROUP + k % 4];
		}
	const i64 v = scaled(&w->scaling[c], sum) + w->narrow.zero_point;
	return (u8)(v < w->narrow.lo ? w->narrow.lo : v > w->narrow.hi ? w->narrow.hi : v);
}

static void compare(const struct npu_simd *simd, unsigned round, const struct window *w, const u8 *right)
{
	u8 stored[GROUPS * ROWS * WIDTH * NPU_GROUP];
	struct npu_target t = { .step = NPU_GROUP, .runs = w->rows };

	for (u32 y = 0; y < w->rows; y++)
		t.run[y] = (struct npu_run){ stored + y * WIDTH * NPU_GROUP, w->width };
	memset(stored, 0x5a, sizeof(stored));
	simd->layer_fields(&w->layer, &w->fields, &t);
	cr_assert_eq(memcmp(stored, right, sizeof(stored)), 0, "round %u level %s: %ux%u, %u to %u channels, %ux%u taps %u apart, stride %u", round, simd->name, w->rows,
		     w->width, w->depth, w->layer.depth, w->lines, w->columns, w->apart, w->stride);
}

static void compare_all(struct rng *r, void (*draw)(struct rng *r, struct window *w))
{
	static struct window w;
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);

	for (unsigned round = 0; round < ROUNDS; round++) {
		u8 right[GROUPS * ROWS * WIDTH * NPU_GROUP];
		draw(r, &w);
		cr_assert(npu_direct_layer(&w.layer));
		memset(right, 0x5a, sizeof(right));
		for (u32 y = 0; y < w.rows; y++)
			for (u32 x = 0; x < w.width; x++)
				for (u32 c = 0; c < w.layer.depth; c++)
					right[((c / NPU_GROUP * ROWS + y) * WIDTH + x) * NPU_GROUP + c % NPU_GROUP] = expected(&w, y, x, c);
		for (unsigned l = 0; l < levels; l++)
			if (level[l]->layer_fields && !level[l]->tiles)
				compare(level[l], round, &w, right);
	}
}

Test(fields, windows)
{
	struct rng r = { 81 };

	compare_all(&r, random_window);
}

Test(fields, pictures)
{
	struct rng r = { 82 };

	compare_all(&r, random_picture);
}
