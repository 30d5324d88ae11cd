/* SPDX-License-Identifier: Apache-2.0 */
/* Small windows of bytes by rows; see windows_bytes.h: whether they are, runs of pixels and tables of results. */
#include "npu/kernels/pool/windows_bytes.h"
#include "npu/kernels/pool/windows_bytes_rows.h"

#include <stddef.h>
#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/team.h"

#define LEAST_PER_ENTRY 4 /* results; fewer are done in the time that the tables take */

/* Pixels of the input one behind the other, rows and results anywhere. */
static bool layout_fits(const struct npu_op *op, size_t pixel)
{
	return !npu_fm_splits_rows(&op->ifm) && !npu_fm_splits_rows(&op->ofm) && !op->ifm.stacked && !op->upscale &&
	       op->ifm.depth == op->ofm.depth && op->ifm.stride_x == (i64)pixel;
}

static bool is_of_bytes(const struct npu_windows *w)
{
	const struct npu_op *op = w->op;

	return op->ifm.bytes == 1 && op->ofm.bytes == 1 && !op->per_channel && !w->sink.raw && (op->mode == NPU_POOL_MAX || w->simd->sum_taps) && op->kernel_w <= NPU_BYTES_TAPS &&
	       op->kernel_h <= NPU_BYTES_TAPS;
}

/* False: there are more than small windows have. */
static bool find_runs(struct npu_windows_bytes *b)
{
	const struct npu_op *op = b->w->op;
	u32 taps = 0, first;

	b->runs = 0;
	for (u32 x = 0; x < op->ofm.width; x++) {
		const u32 n = npu_windows_taps(x, op->stride_x, op->kernel_w, op->dilation_x, op->pad_left, op->up_width, &first);
		const bool more = !b->runs || (!b->max && n != taps);
		if (more && b->runs == ARRAY_LEN(b->run))
			return false;
		if (more)
			b->run[b->runs++] = (struct npu_windows_run){ x, 0, n };
		b->run[b->runs - 1].n++;
		taps = n;
	}
	return true;
}

/* Results as the other windows have them, of values from `first` on that `count` elements gave. */
static void fill(const struct npu_windows *w, u32 count, i32 first, u32 entries, u8 *to)
{
	const u32 channels = w->op->ofm.depth < NPU_GROUP ? w->op->ofm.depth : NPU_GROUP;

	for (u32 i = 0, pixels; i < entries; i += pixels * channels) {
		NPU_LINE i32 acc[NPU_TILE * NPU_GROUP] = { 0 };
		u8 bytes[NPU_TILE * NPU_GROUP];
		pixels = min_u32((entries - i + channels - 1) / channels, NPU_TILE);
		const struct npu_target t = { .step = NPU_GROUP, .runs = 1, .run = { { bytes, pixels } } };
		for (unsigned p = 0; p < pixels; p++) {
			for (unsigned c = 0; c < channels; c++) {
				const u32 at = i + p * channels + c;
				acc[p * NPU_GROUP + c] = first + (i32)(at < entries ? at : 0);
			}
			w->finish(w, count, 0, channels, acc + p * NPU_GROUP);
		}
		npu_sink_store(&w->sink, acc, &t, 0);
		for (u32 p = 0, at = i; p < pixels; p++, at += channels)
			memcpy(to + at, bytes + p * NPU_GROUP, entries - at < channels ? entries - at : channels);
	}
}

/* By byte. */
static void most_table(struct npu_windows_bytes *b)
{
	const bool is_signed = b->w->op->ifm.is_signed;

	fill(b->w, 1, 0, is_signed ? 128 : 256, b->entry);
	if (is_signed)
		fill(b->w, 1, -128, 128, b->entry + 128);
	b->looks_up = false;
	for (unsigned i = 0; i < 256; i++)
		b->looks_up |= b->entry[i] != i;
}

/* Whether the sums' tables have room, and take less time than what they are for; where each of them is. */
static bool place_tables(struct npu_windows_bytes *b)
{
	const struct npu_op *op = b->w->op;
	u32 first;

	memset(b->table, 0, sizeof(b->table));
	b->used = 1;
	for (u32 y = 0; y < op->ofm.height; y++)
		for (unsigned r = 0; r < b->runs; r++) {
			const u32 count = npu_bytes_taps_down(op, y, &first) * b->run[r].taps;
			if (b->table[count])
				continue;
			if (b->used + count * 255 + 1 > NPU_BYTES_TABLES)
				return false;
			b->table[count] = b->used;
			b->used += count * 255 + 1;
		}
	return true;
}

static bool tables_pay(const struct npu_windows_bytes *b)
{
	const struct npu_fm *ofm = &b->w->op->ofm;
	const u64 entries = b->max ? 256 : b->used;

	return (u64)ofm->height * ofm->width * ofm->depth >= LEAST_PER_ENTRY * entries;
}

static void sum_tables(struct npu_windows_bytes *b)
{
	const i32 least = b->w->op->ifm.is_signed ? -128 : 0;

	for (u32 count = 1; count < ARRAY_LEN(b->table); count++)
		if (b->table[count])
			fill(b->w, count, (i32)count * least, count * 255 + 1, b->entry + b->table[count]);
}

/* Bricks of a row as wide as its results. */
static u32 planes_joined(const struct npu_windows_bytes *b)
{
	const struct npu_op *op = b->w->op;
	const size_t plane = (size_t)op->ifm.width * NPU_GROUP, over = op->kernel_w * (size_t)NPU_GROUP;

	if (plane + over > NPU_BYTES_LINE || !b->max || op->ifm.format != NPU_NHCWB16 || op->ifm.stride_c != (i64)plane || op->ifm.width != op->ofm.width ||
	    op->stride_x != 1 || op->dilation_x != 1 || op->kernel_w > op->ifm.width || op->pad_left >= op->kernel_w)
		return 1;
	return min_u32((u32)((NPU_BYTES_LINE - over) / plane), b->planes);
}

static bool bytes_init(struct npu_windows_bytes *b, const struct npu_windows *w)
{
	const struct npu_op *op = w->op;
	const bool bricks = op->ifm.format == NPU_NHCWB16;
	const size_t pixel = bricks ? NPU_GROUP : op->ifm.depth;
	const u64 taps = (u64)(op->kernel_w - 1) * op->dilation_x;

	b->w = w;
	b->max = op->mode == NPU_POOL_MAX;
	b->least = op->ifm.is_signed ? 0x80 : 0;
	if (!is_of_bytes(w) || !layout_fits(op, pixel) || NPU_BYTES_LINE / pixel <= taps || npu_windows_empty(op) || !find_runs(b) ||
	    !(b->max || place_tables(b)) || !tables_pay(b))
		return false;
	b->planes = bricks ? w->channels.groups : 1;
	b->at_a_time = (u32)((NPU_BYTES_LINE / pixel - taps - 1) / op->stride_x + 1);
	b->line = (struct npu_pool_line){ .is_signed = op->ifm.is_signed, .taps = op->kernel_w, .tap = op->dilation_x * pixel,
					  .step = op->stride_x * pixel, .pixel = pixel };
	if (b->max)
		most_table(b);
	else
		sum_tables(b);
	b->joined = planes_joined(b);
	return true;
}

void npu_windows_bytes_again(const struct npu_windows_bytes *b)
{
	npu_team_run(b->w->team, b->parts, npu_windows_bytes_part, (void *)b);
}

/* With the entries that there are. */
static const struct npu_windows_bytes *keep(const struct npu_windows_bytes *b, struct npu_kernels *k)
{
	const size_t bytes = offsetof(struct npu_windows_bytes, entry) + (b->max ? 256 : b->used);
	struct npu_windows_bytes *const room = npu_again_room(k, bytes);

	if (room)
		memcpy(room, b, bytes);
	return room;
}

bool npu_windows_bytes(const struct npu_windows *w, struct npu_kernels *k, const struct npu_windows_bytes **kept)
{
	const struct npu_op *op = w->op;
	const u64 elements = (u64)op->ofm.height * op->ofm.width * op->ofm.depth, rows = (u64)op->ofm.height * w->channels.groups;
	struct npu_windows_bytes b; /* its tables are set where they are used */

	if (!bytes_init(&b, w))
		return false;
	b.parts = npu_team_parts(w->team, NPU_TEAM_ELEMENT * elements);
	b.parts = b.parts > rows ? (unsigned)rows : b.parts;
	npu_windows_bytes_again(&b);
	if (kept)
		*kept = keep(&b, k);
	return true;
}
