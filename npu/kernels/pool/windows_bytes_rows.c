/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of small windows of bytes: the rows under a window become one, in which neighbours are brought together then. */
#include "npu/kernels/pool/windows_bytes_rows.h"

#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/move/copy.h"

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
	const u8 *row[NPU_BYTES_TAPS];
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
	u8 in[NPU_BYTES_LINE + NPU_GROUP];
	u8 *const inside = in + (size_t)(s->from - s->first) * pixel, *const behind = in + (size_t)(s->to - s->first) * pixel;
	const u8 *tap[NPU_BYTES_TAPS];

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
	u16 in[NPU_BYTES_LINE + NPU_GROUP];

	memset(in, 0, before * sizeof(*in));
	if (rows->last < pixel)
		memset(in + to - pixel, 0, pixel * sizeof(*in)); /* sums index tables */
	simd->sum_rows8(b->line.is_signed, rows->row, rows->n, to - before - pixel + rows->last, in + before);
	memset(in + to, 0, (size_t)(s->end - s->to) * pixel * sizeof(*in));
	simd->sum_taps(&b->line, table, in, n, out);
}

/* A run of a row, as much at a time as there is room for. */
static void run_of_row(const struct npu_windows_bytes *b, const struct rows *rows, const struct npu_windows_run *run, u8 *to)
{
	const struct npu_op *op = b->w->op;
	const u8 *const table = b->entry + (b->max ? 0 : b->table[rows->n * run->taps]);

	for (u32 done = 0, n; done < run->n; done += n) {
		const u32 x = run->x + done;
		struct rows here = *rows;
		u8 out[NPU_BYTES_LINE + NPU_GROUP];
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
	const u8 *tap[NPU_BYTES_TAPS];
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
	u8 in[NPU_BYTES_LINE], out[NPU_BYTES_LINE], *const inside = in + (size_t)before * NPU_GROUP;
	const u8 *tap[NPU_BYTES_TAPS];

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
	rows.n = npu_bytes_taps_down(op, y, &first);
	for (u32 r = 0; r < rows.n; r++)
		rows.row[r] = npu_fm_pixel(&op->ifm, b->w->view->ifm, (u32)((i64)y * op->stride_y - op->pad_top) + (first + r) * op->dilation_y, 0) +
			      plane * npu_fm_stride_group(&op->ifm);
	if (b->joined > 1)
		joined_row(b, &rows, planes, to);
	for (unsigned i = 0; i < b->runs && b->joined == 1; i++)
		run_of_row(b, &rows, &b->run[i], to);
}

void npu_windows_bytes_part(void *ctx, unsigned part, unsigned place)
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
