/* SPDX-License-Identifier: Apache-2.0 */
/* Small windows of bytes by rows; see windows_bytes.h. The rows under a window become one, in which neighbours are brought together then. */
#include "npu/kernels/pool/windows_bytes.h"

#include <stddef.h>
#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/move/copy.h"
#include "npu/kernels/team.h"

#define LINE 8192         /* elements, beside the map's rows in the caches */
#define MOST_TAPS 16      /* of an axis: larger windows share most of their taps, which is for others */
#define TABLES 32768      /* bytes */
#define LEAST_PER_ENTRY 4 /* results; fewer are done in the time that the tables take */

/* Output pixels of a row whose windows have as many taps inside. */
struct run {
	u32 x, n, taps;
};

struct npu_windows_bytes {
	const struct npu_windows *w;
	struct npu_pool_line line;
	bool max;
	u8 least;      /* the padding: never the largest, and nothing of a sum */
	u32 planes;    /* of bricks, or one of rows */
	u32 at_a_time; /* output pixels */
	unsigned parts, runs;
	struct run run[2 * MOST_TAPS + 1];
	bool looks_up;
	u32 joined;                           /* planes that are done together, where they lie one behind the other in a row */
	u32 used;                             /* entries of tables */
	u32 table[MOST_TAPS * MOST_TAPS + 1]; /* of sums of so many elements; 0: there is none */
	u8 entry[TABLES];
};

/* Pixels of the input one behind the other, rows and results anywhere. */
static bool layout_fits(const struct npu_op *op, size_t pixel)
{
	return !npu_fm_splits_rows(&op->ifm) && !npu_fm_splits_rows(&op->ofm) && !op->ifm.stacked && !op->upscale &&
	       op->ifm.depth == op->ofm.depth && op->ifm.stride_x == (i64)pixel;
}

static bool is_of_bytes(const struct npu_windows *w)
{
	const struct npu_op *op = w->op;

	return op->ifm.bytes == 1 && op->ofm.bytes == 1 && !op->per_channel && !w->sink.raw && (op->mode == NPU_POOL_MAX || w->simd->sum_taps) && op->kernel_w <= MOST_TAPS &&
	       op->kernel_h <= MOST_TAPS;
}

static u32 taps_down(const struct npu_op *op, u32 y, u32 *first)
{
	return npu_windows_taps(y, op->stride_y, op->kernel_h, op->dilation_y, op->pad_top, op->up_height, first);
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
			b->run[b->runs++] = (struct run){ x, 0, n };
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
			const u32 count = taps_down(op, y, &first) * b->run[r].taps;
			if (b->table[count])
				continue;
			if (b->used + count * 255 + 1 > TABLES)
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

	if (plane + over > LINE || !b->max || op->ifm.format != NPU_NHCWB16 || op->ifm.stride_c != (i64)plane || op->ifm.width != op->ofm.width ||
	    op->stride_x != 1 || op->dilation_x != 1 || op->kernel_w > op->ifm.width || op->pad_left >= op->kernel_w)
		return 1;
	return min_u32((u32)((LINE - over) / plane), b->planes);
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
	if (!is_of_bytes(w) || !layout_fits(op, pixel) || LINE / pixel <= taps || npu_windows_empty(op) || !find_runs(b) ||
	    !(b->max || place_tables(b)) || !tables_pay(b))
		return false;
	b->planes = bricks ? w->channels.groups : 1;
	b->at_a_time = (u32)((LINE / pixel - taps - 1) / op->stride_x + 1);
	b->line = (struct npu_pool_line){ .is_signed = op->ifm.is_signed, .taps = op->kernel_w, .tap = op->dilation_x * pixel,
					  .step = op->stride_x * pixel, .pixel = pixel };
	if (b->max)
		most_table(b);
	else
		sum_tables(b);
	b->joined = planes_joined(b);
	return true;
}

static void put(const struct npu_windows_bytes *b, const u8 *from, u32 plane, u8 *to, u32 n)
{
	const struct npu_fm *ofm = &b->w->op->ofm;
	const size_t pixel = b->line.pixel;
	const i64 stride_group = npu_fm_stride_group(ofm);
	const u32 first = plane * NPU_GROUP, end = b->planes > 1 && ofm->depth - first > NPU_GROUP ? first + NPU_GROUP : ofm->depth;

	if (ofm->stride_x == (i64)pixel && end - first == pixel && (ofm->format == NPU_NHWC || pixel <= NPU_GROUP)) {
		memcpy(to + plane * stride_group, from, n * pixel);
		return;
	}
	for (u32 c = first; c < end; c += NPU_GROUP, from += NPU_GROUP)
		npu_copy_runs(to + c / NPU_GROUP * stride_group, ofm->stride_x, from, (i64)pixel, n, end - c < NPU_GROUP ? end - c : NPU_GROUP);
}

/* Where the rows lie that a row's windows have. */
struct rows {
	const u8 *row[MOST_TAPS];
	u32 n, plane;
	size_t last; /* bytes of a row's last pixel that are the map's */
	const u8 *table;
};

/* What windows need of rows: positions from `first` to `end`, of which `from` to `to` lie inside. */
struct span {
	i64 first, end, from, to;
};

static struct span span_of(const struct npu_op *op, u32 x, u32 n)
{
	const i64 first = (i64)x * op->stride_x - op->pad_left, end = first + (i64)(n - 1) * op->stride_x + (op->kernel_w - 1) * op->dilation_x + 1;

	return (struct span){ first, end, first < 0 ? 0 : first, end < op->up_width ? end : op->up_width };
}

static void most_line(const struct npu_windows_bytes *b, const struct rows *rows, const struct span *s, u32 n, u8 *out)
{
	const struct npu_simd *simd = b->w->simd;
	const size_t pixel = b->line.pixel;
	u8 in[LINE + NPU_GROUP];
	u8 *const inside = in + (size_t)(s->from - s->first) * pixel, *const behind = in + (size_t)(s->to - s->first) * pixel;
	const u8 *tap[MOST_TAPS];

	memset(in, b->least, (size_t)(inside - in));
	simd->most_rows(b->line.is_signed, rows->row, rows->n, (size_t)(s->to - s->from - 1) * pixel + rows->last, inside);
	memset(behind, b->least, (size_t)(s->end - s->to) * pixel);
	if (b->w->op->stride_x == 1) {
		for (u32 t = 0; t < b->line.taps; t++)
			tap[t] = in + t * b->line.tap;
		simd->most_rows(b->line.is_signed, tap, b->line.taps, n * pixel, out);
	} else {
		simd->most_taps(&b->line, in, n, out);
	}
	if (b->looks_up)
		simd->look_up(b->entry, out, n * pixel, out);
}

static void sum_line(const struct npu_windows_bytes *b, const struct rows *rows, const struct span *s, u32 n, const u8 *table, u8 *out)
{
	const struct npu_simd *simd = b->w->simd;
	const size_t pixel = b->line.pixel, before = (size_t)(s->from - s->first) * pixel, to = (size_t)(s->to - s->first) * pixel;
	u16 in[LINE + NPU_GROUP];

	memset(in, 0, before * sizeof(*in));
	if (rows->last < pixel)
		memset(in + to - pixel, 0, pixel * sizeof(*in)); /* sums index tables */
	simd->sum_rows8(b->line.is_signed, rows->row, rows->n, to - before - pixel + rows->last, in + before);
	memset(in + to, 0, (size_t)(s->end - s->to) * pixel * sizeof(*in));
	simd->sum_taps(&b->line, table, in, n, out);
}

/* A run of a row, as much at a time as there is room for. */
static void run_of_row(const struct npu_windows_bytes *b, const struct rows *rows, const struct run *run, u8 *to)
{
	const struct npu_op *op = b->w->op;
	const u8 *const table = b->entry + (b->max ? 0 : b->table[rows->n * run->taps]);

	for (u32 done = 0, n; done < run->n; done += n) {
		const u32 x = run->x + done;
		struct rows here = *rows;
		u8 out[LINE + NPU_GROUP];
		n = min_u32(run->n - done, b->at_a_time);
		const struct span s = span_of(op, x, n);
		for (u32 r = 0; r < rows->n; r++)
			here.row[r] += s.from * (i64)b->line.pixel;
		if (b->max)
			most_line(b, &here, &s, n, out);
		else
			sum_line(b, &here, &s, n, table, out);
		put(b, out, rows->plane, to + (i64)x * op->ofm.stride_x, n);
	}
}

/* Pixels whose windows are cut off at an end of the row. */
static void joined_edges(const struct npu_windows_bytes *b, const u8 *plane, u32 x, u32 end, u8 *out)
{
	const struct npu_op *op = b->w->op;
	const u8 *tap[MOST_TAPS];
	u32 first;

	for (; x < end; x++) {
		const u32 n = npu_windows_taps(x, 1, op->kernel_w, 1, op->pad_left, op->up_width, &first);
		for (u32 t = 0; t < n; t++)
			tap[t] = plane + ((size_t)x + first + t - op->pad_left) * NPU_GROUP;
		b->w->simd->most_rows(b->line.is_signed, tap, n, NPU_GROUP, out + (size_t)x * NPU_GROUP);
	}
}

/* Some planes of a row. Windows that reach from one into the next are done again. */
static void joined_row(const struct npu_windows_bytes *b, const struct rows *rows, u32 planes, u8 *to)
{
	const struct npu_op *op = b->w->op;
	const struct npu_simd *simd = b->w->simd;
	const u32 width = op->ifm.width, before = op->pad_left, behind = op->kernel_w - 1 - before;
	const size_t plane = (size_t)width * NPU_GROUP, all = plane * planes;
	u8 in[LINE], out[LINE], *const inside = in + (size_t)before * NPU_GROUP;
	const u8 *tap[MOST_TAPS];

	memset(in, b->least, (size_t)before * NPU_GROUP);
	memset(inside + all - NPU_GROUP, b->least, (size_t)(behind + 1) * NPU_GROUP);
	simd->most_rows(b->line.is_signed, rows->row, rows->n, all - NPU_GROUP + rows->last, inside);
	for (u32 t = 0; t < op->kernel_w; t++)
		tap[t] = in + (size_t)t * NPU_GROUP;
	simd->most_rows(b->line.is_signed, tap, op->kernel_w, all, out);
	for (size_t p = 0; p < all; p += plane) {
		joined_edges(b, inside + p, 0, before, out + p);
		joined_edges(b, inside + p, width - behind, width, out + p);
	}
	if (b->looks_up)
		simd->look_up(b->entry, out, all, out);
	const u32 each = op->ofm.stride_x == NPU_GROUP && op->ofm.stride_c == (i64)plane && rows->last == NPU_GROUP ? planes : 1;
	for (u32 p = 0; p < planes; p += each)
		put(b, out + p * plane, rows->plane + p, to, width * each);
}

/* `planes` from `plane` on. */
static void row(const struct npu_windows_bytes *b, u32 plane, u32 planes, u32 y)
{
	const struct npu_op *op = b->w->op;
	const size_t left = op->ifm.depth - (plane + planes - 1) * NPU_GROUP;
	struct rows rows; /* of which the addresses are set below */
	u8 *const to = (u8 *)npu_fm_pixel(&op->ofm, (const u8 *const *)b->w->view->ofm, y, 0);
	u32 first;

	rows.plane = plane;
	rows.last = left < b->line.pixel ? left : b->line.pixel;
	rows.n = taps_down(op, y, &first);
	for (u32 r = 0; r < rows.n; r++)
		rows.row[r] = npu_fm_pixel(&op->ifm, b->w->view->ifm, (u32)((i64)y * op->stride_y - op->pad_top) + (first + r) * op->dilation_y, 0) +
			      plane * npu_fm_stride_group(&op->ifm);
	if (b->joined > 1)
		joined_row(b, &rows, planes, to);
	for (unsigned i = 0; i < b->runs && b->joined == 1; i++)
		run_of_row(b, &rows, &b->run[i], to);
}

static void run_part(void *ctx, unsigned part, unsigned place)
{
	const struct npu_windows_bytes *b = ctx;
	const u32 height = b->w->op->ofm.height;
	const u64 rows = (b->planes + b->joined - 1) / b->joined * (u64)height;

	(void)place;
	for (u64 r = rows * part / b->parts; r < rows * (part + 1) / b->parts && !npu_given_up(b->w->view); r++) {
		const u32 plane = (u32)(r / height) * b->joined;
		row(b, plane, min_u32(b->planes - plane, b->joined), (u32)(r % height));
	}
}

void npu_windows_bytes_again(const struct npu_windows_bytes *b)
{
	npu_team_run(b->w->team, b->parts, run_part, (void *)b);
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
