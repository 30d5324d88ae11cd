/* SPDX-License-Identifier: Apache-2.0 */
/* Maps that lie between each other's rows, pixels and groups of channels: those that count as apart have no byte in common, and operations from one to
 * the other leave all of memory as the generic path does. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/view.h"
#include "tests/kernels/one_kernel.h"

enum { MAPS = 2, AROUND = 64 };

static u32 padded(struct rng *r, u32 bytes)
{
	return (bytes + 3) / 4 * 4 + (rng_one_in(r, 3) ? 4 * rng_below(r, 4) : 0);
}

static void in_one_tile(struct npu_fm *fm, enum npu_format format)
{
	fm->used = 1;
	fm->format = (u8)format;
	fm->tiled = fm->stacked = 0;
	fm->width0 = fm->width;
	fm->height0 = fm->height1 = fm->height;
	fm->stride_c = fm->bytes;
}

/* Pieces of `piece` bytes each lie behind each other; returns from one such pair to the next. */
static u32 behind_each_other(struct rng *r, const u32 piece[MAPS], u32 at[MAPS])
{
	const unsigned first = rng_below(r, MAPS);

	at[first] = 0;
	at[!first] = padded(r, piece[first]);
	return at[!first] + padded(r, piece[!first]);
}

/* Columns of one map, or channels of its pixels. */
static void place_nhwc(struct rng *r, struct npu_fm *const fm[MAPS], u32 at[MAPS])
{
	const bool pixels = rng_below(r, 2);
	u32 piece[MAPS], step[MAPS], width = 0;

	for (unsigned i = 0; i < MAPS; i++) {
		in_one_tile(fm[i], NPU_NHWC);
		step[i] = fm[i]->depth * fm[i]->bytes;
		piece[i] = pixels ? step[i] : step[i] * fm[i]->width;
		width = fm[i]->width > width ? fm[i]->width : width;
	}
	const u32 pair = behind_each_other(r, piece, at);
	for (unsigned i = 0; i < MAPS; i++) {
		fm[i]->stride_x = pixels ? pair : step[i];
		fm[i]->stride_y = pixels ? (i64)pair * width : pair;
	}
}

static void place_bricks(struct rng *r, struct npu_fm *const fm[MAPS], u32 at[MAPS])
{
	u32 piece[MAPS], groups = 0;

	for (unsigned i = 0; i < MAPS; i++) {
		in_one_tile(fm[i], NPU_NHCWB16);
		fm[i]->stride_x = 16 * fm[i]->bytes;
		piece[i] = fm[i]->width * 16 * fm[i]->bytes;
		groups = (fm[i]->depth + 15) / 16 > groups ? (fm[i]->depth + 15) / 16 : groups;
	}
	const u32 pair = behind_each_other(r, piece, at);
	for (unsigned i = 0; i < MAPS; i++) {
		fm[i]->stride_c = pair;
		fm[i]->stride_y = (i64)pair * groups;
	}
}

static size_t place(struct rng *r, struct npu_fm *ifm, struct npu_fm *ofm, u32 at[MAPS])
{
	struct npu_fm *const fm[MAPS] = { ifm, ofm };
	size_t most = 0;

	(rng_below(r, 2) ? place_bricks : place_nhwc)(r, fm, at);
	for (unsigned i = 0; i < MAPS; i++) {
		const size_t end = at[i] + (size_t)npu_tile_range(fm[i], fm[i]->height, fm[i]->width).end;
		most = end > most ? end : most;
	}
	return most;
}

static void mark(const struct npu_fm *fm, u8 *const tile[NPU_TILES], u8 bit, unsigned *common)
{
	const u8 *const *from = (const u8 *const *)tile;

	for (u32 y = 0; y < fm->height; y++)
		for (u32 x = 0; x < fm->width; x++)
			for (u32 c = 0; c < fm->depth; c++) {
				const i64 group = c / 16 * npu_fm_stride_group(fm);
				u8 *const at = (u8 *)npu_fm_pixel(fm, from, y, x) + group + c % 16 * fm->bytes;
				for (unsigned b = 0; b < fm->bytes; b++) {
					at[b] |= bit;
					*common += at[b] == 3;
				}
			}
}

static void draw_map(struct rng *r, struct npu_fm *fm)
{
	fm->bytes = (u8)(1 << rng_below(r, 3));
	fm->height = 1 + rng_below(r, 6);
	fm->width = 1 + rng_below(r, 6);
	fm->depth = 1 + rng_below(r, 40);
}

/* Strides in an order of their own, also backwards. */
static void disturb(struct rng *r, struct npu_fm *fm)
{
	if (rng_one_in(r, 4))
		fm->stride_y = rng_below(r, 3) * fm->stride_x;
	if (rng_one_in(r, 4))
		fm->stride_y = -fm->stride_y;
	if (rng_one_in(r, 4) && fm->format == NPU_NHWC)
		fm->stride_x = -fm->stride_x;
}

Test(apart, bytes_in_common)
{
	enum { ROOM = 1 << 16 };
	const unsigned rounds = rounds_of(20000);
	struct rng r = { 141 };
	unsigned found = 0, missed = 0;
	u8 *memory = malloc(2 * ROOM);

	for (unsigned i = 0; i < rounds; i++) {
		struct npu_fm a = { 0 }, b = { 0 };
		u32 at[MAPS];
		unsigned common = 0;
		draw_map(&r, &a);
		draw_map(&r, &b);
		if (place(&r, &a, &b, at) > ROOM / 2)
			continue;
		const bool changed = rng_below(&r, 2);
		if (changed) {
			disturb(&r, &a);
			disturb(&r, &b);
			at[1] += rng_below(&r, AROUND);
		}
		u8 *const a_tile[NPU_TILES] = { memory + ROOM + at[0] }, *const b_tile[NPU_TILES] = { memory + ROOM + at[1] };
		memset(memory, 0, 2 * ROOM);
		mark(&a, a_tile, 1, &common);
		mark(&b, b_tile, 2, &common);
		const bool overlap = npu_fm_overlap(&a, (const u8 *const *)a_tile, &b, (const u8 *const *)b_tile);
		cr_assert(overlap || !common, "round %u: %u bytes", i, common);
		cr_assert_eq(overlap, npu_fm_overlap(&b, (const u8 *const *)b_tile, &a, (const u8 *const *)a_tile));
		found += !changed && !overlap;
		missed += !changed && overlap;
	}
	free(memory);
	cr_log_info("%u found apart, %u not", found, missed);
	cr_assert_lt(50 * missed, found);
}

static bool make_interleaved(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	u32 at[MAPS];
	const size_t bytes = place(r, &op->ifm, &op->ofm, at);

	if (!op->ifm.height || !op->ifm.width || a->used + bytes + AROUND > ARENA_BYTES)
		return false;
	u8 *const memory = a->bytes + arena_take(a, bytes);
	for (unsigned t = 0; t < NPU_TILES; t++) {
		view->ifm[t] = t ? NULL : memory + at[0];
		view->ofm[t] = t ? NULL : memory + at[1];
	}
	return true;
}

static bool any(const struct npu_op *op)
{
	return op->ofm.height * op->ofm.width > 1;
}

static void run(enum npu_kind kind, u64 seed, const char *accelerator)
{
	const unsigned rounds = rounds_of(300);
	struct one_kernel b;

	one_kernel_open(&b, npu_kernels_execute, accelerator);
	one_kernel_add_levels(&b);
	one_kernel_random(&b, &(struct one_kernel_draws){ .kind = kind, .seed = seed, .rounds = rounds, .least = rounds / 2, .is_wanted = any,
							  .change = make_interleaved });
	one_kernel_close(&b);
}

Test(apart, convolutions)
{
	run(NPU_CONV, 142, "ethos-u55-128");
}

Test(apart, depthwises)
{
	run(NPU_DEPTHWISE, 143, "ethos-u65-512");
}

Test(apart, pools)
{
	run(NPU_POOL, 144, "ethos-u55-128");
}

Test(apart, elementwise)
{
	run(NPU_ELEMENTWISE, 145, "ethos-u65-512");
}
