/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a pool by rows: division, scaling, stores; see windows_results.h. */
#include "npu/kernels/pool/windows_results.h"

#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/move/copy.h"
#include "npu/kernels/pool/windows.h"
#include "npu/kernels/rows/rows.h"

static u8 *row_to(const struct npu_lines *l, const struct npu_lines_rows *r, u32 row)
{
	const struct npu_fm *ofm = &l->w->op->ofm;

	return (u8 *)npu_fm_pixel(ofm, (const u8 *const *)l->w->view->ofm, r->y + row, 0) + npu_lines_plane(l, r, ofm);
}

/* ---- one scale ---- */

/* Whether results lie one `to_x` behind the other, or side by side, from row to row. */
static bool is_one_run(const struct npu_lines *l, const struct npu_lines_rows *r, u32 n)
{
	const struct npu_fm *ofm = &l->w->op->ofm;
	const bool row = r->channels == 1 || l->to_x == (i64)r->channels * ofm->bytes;

	return row && (r->rows == 1 || (!ofm->tiled && !ofm->stacked && ofm->stride_y == n * l->to_x));
}

/* Pixels from `at` on, counted over whole rows of n. */
static void spread(const struct npu_lines *l, const struct npu_lines_rows *r, const u8 *from, u32 at, u32 pixels, u32 n)
{
	const size_t pixel = (size_t)r->channels * l->w->op->ofm.bytes;

	for (u32 part; pixels; pixels -= part, at += part, from += part * pixel) {
		const u32 column = at % n;
		part = pixels < n - column ? pixels : n - column;
		npu_copy_runs(row_to(l, r, at / n) + column * l->to_x, l->to_x, from, (i64)pixel, part, pixel);
	}
}

static void put(const struct npu_lines *l, const struct npu_lines_rows *r, const i32 *v, u32 x, u32 n)
{
	const unsigned bytes = l->w->op->ofm.bytes, channels = r->channels;
	const bool joins = is_one_run(l, r, n);
	const u32 most = NPU_ROW / channels, all = r->rows * n;
	u8 *const to = row_to(l, r, 0) + x * l->to_x;

	for (u32 done = 0, part; done < all; done += part, v += (size_t)part * channels) {
		NPU_LINE i32 values[NPU_ROW];
		u8 packed[NPU_ROW * 4];
		part = all - done < most ? all - done : most;
		const size_t elements = (size_t)part * channels;
		memcpy(values, v, elements * sizeof(*v));
		for (size_t i = elements; i % NPU_GROUP; i++)
			values[i] = 0;
		l->w->finish(l->w, values, elements, joins ? to + done * l->to_x : packed, joins && channels == 1 ? l->to_x : (i64)bytes);
		if (!joins && r->rows == 1)
			npu_copy_runs(to + done * l->to_x, l->to_x, packed, (i64)(channels * bytes), part, (size_t)channels * bytes);
		else if (!joins)
			spread(l, r, packed, done, part, n);
	}
}

/* ---- each channel has a scale of its own ---- */

static void put_group(const struct npu_lines *l, const struct npu_lines_rows *r, const i32 *v, u32 x, u32 n)
{
	const struct npu_windows_lines *const w = l->w;
	const i32 none[NPU_GROUP] = { 0 }, *const bias = w->bias ? w->bias + r->plane * NPU_GROUP : none;
	const unsigned channels = r->channels;
	u8 *to = row_to(l, r, 0) + x * l->to_x - npu_lines_plane(l, r, &w->op->ofm); /* the sink adds it */

	for (u32 part; n; n -= part, to += part * l->to_x) {
		NPU_LINE i32 acc[NPU_BATCH * NPU_GROUP];
		struct npu_target t;
		part = n < NPU_BATCH ? n : NPU_BATCH;
		t.step = l->to_x;
		t.runs = 1;
		t.run[0] = (struct npu_run){ to, part };
		if (channels < NPU_GROUP)
			memset(acc, 0, part * NPU_GROUP * sizeof(*acc));
		for (u32 i = 0; i < part; i++, v += channels)
			for (unsigned c = 0; c < channels; c++)
				acc[i * NPU_GROUP + c] = v[c] + bias[c];
		npu_sink_store(w->sink, acc, &t, r->plane);
	}
}

/* ---- what becomes of sums depends on how many elements they have ---- */

static void divide_row(const struct npu_lines *l, const struct npu_lines_rows *r, i32 *v, u32 x, u32 n)
{
	const struct npu_lines_axis *a = &l->x;
	u32 first;

	for (u32 part; n; n -= part, x += part, v += (size_t)part * r->channels) {
		const bool inside = x >= l->right.inside && x < l->right.behind;
		const u32 taps = inside ? a->taps : npu_windows_taps(x, a->stride, a->taps, a->dilation, a->before, a->size, &first);
		part = !inside ? 1 : l->right.behind - x < n ? l->right.behind - x : n;
		l->w->divide(l->w, r->n * taps, v, (size_t)part * r->channels);
	}
}

/* Column x of all rows from one place to the other. */
static void move_column(const struct npu_lines_rows *r, i32 *to, size_t to_row, const i32 *from, size_t from_row)
{
	for (u32 i = 0; i < r->rows; i++, to += to_row, from += from_row)
		memcpy(to, from, r->channels * sizeof(*to));
}

/* All as if they had all taps, but for columns at the edges, which are done for themselves. Not inline: single rows need not have its room. */
static NOINLINE void divide_rows(const struct npu_lines *l, const struct npu_lines_rows *r, i32 *v, u32 n)
{
	const struct npu_lines_axis *a = &l->x;
	const size_t row = (size_t)n * r->channels, column = (size_t)r->rows * r->channels;
	i32 edges[NPU_LINES_ROOM], *edge = edges;
	u32 first;

	for (u32 x = 0; x < n; x++)
		if (x < l->right.inside || x >= l->right.behind) {
			move_column(r, edge, r->channels, v + x * r->channels, row);
			l->w->divide(l->w, r->n * npu_windows_taps(x, a->stride, a->taps, a->dilation, a->before, a->size, &first), edge, column);
			edge += column;
		}
	l->w->divide(l->w, r->n * a->taps, v, r->rows * row);
	edge = edges;
	for (u32 x = 0; x < n; x++)
		if (x < l->right.inside || x >= l->right.behind) {
			move_column(r, v + x * r->channels, row, edge, r->channels);
			edge += column;
		}
}

void npu_lines_put(const struct npu_lines *l, const struct npu_lines_rows *r, i32 *v, u32 x, u32 n)
{
	if (l->way != NPU_LINE_SUMS)
		l->w->divide(l->w, r->n * l->x.taps, v, (size_t)r->rows * n * r->channels);
	else if (r->rows == 1)
		divide_row(l, r, v, x, n);
	else
		divide_rows(l, r, v, n);
	(l->w->sink ? put_group : put)(l, r, v, x, n);
}
