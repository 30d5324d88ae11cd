/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a pool by rows; see windows_lines.h. The rows under a window become one line of int32, in which neighbours are brought together
 * then. */
#include "npu/kernels/pool/windows_lines.h"

#include <string.h>

#include "npu/kernels/move/copy.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/rows/rows.h"
#include "npu/kernels/team.h"
#include "npu/kernels/u85/rows.h"
#include "npu/kernels/pool/windows.h"

#define LINE 4096     /* elements */
#define MOST_DEPTH 128 /* of a plane; more channels are taken in groups */
#define MOST_WASTE 8  /* stride up to which the windows between two that are wanted are done as well */

/* A row's windows have n rows of the map, tap `first` and those behind it. */
struct rows {
	u32 y, first, n, plane, channels;
};

/* ---- neighbours ---- */

/* Of one channel, whose taps lie side by side. */
static i32 combine_run(enum npu_line_way way, const i32 *v, u32 n)
{
	i32 r = v[0];

	if (way == NPU_LINE_SUMS)
		for (u32 i = 1; i < n; i++)
			r += v[i];
	else if (way == NPU_LINE_MOST)
		for (u32 i = 1; i < n; i++)
			r = v[i] > r ? v[i] : r;
	else
		for (u32 i = 1; i < n; i++)
			r = v[i] < r ? v[i] : r;
	return r;
}

/* n windows of pixels of `channels` elements. */
static void combine_windows(const struct npu_lines *l, u32 channels, const i32 *from, u32 n, i32 *to)
{
	const struct npu_lines_axis *x = &l->x;
	const struct npu_simd *simd = l->w->simd;
	const size_t step = (size_t)x->stride * channels;
	struct npu_line_taps t = { .way = l->way, .taps = x->taps, .pixels = 1, .tap = (size_t)x->dilation * channels };
	NPU_LINE i32 all[LINE + NPU_GROUP];

	if (channels == 1 && x->dilation == 1 && (n == 1 || x->stride > MOST_WASTE)) {
		for (u32 i = 0; i < n; i++)
			to[i] = combine_run(l->way, from + i * step, x->taps);
	} else if (n == 1 || x->stride == 1) {
		t.pixel = (size_t)n * channels;
		simd->line_taps(&t, from, to);
	} else if (channels >= NPU_GROUP / 2 || x->stride > MOST_WASTE) {
		t.pixels = n;
		t.step = step;
		t.pixel = channels;
		simd->line_taps(&t, from, to);
	} else {
		t.pixel = (n - 1) * step + channels;
		simd->line_taps(&t, from, all);
		for (u32 i = 0; i < n; i++)
			for (u32 c = 0; c < channels; c++)
				to[(size_t)i * channels + c] = all[i * step + c];
	}
}

/* ---- results ---- */

static void put(const struct npu_lines *l, const struct rows *r, const i32 *v, u32 n, u8 *to)
{
	const unsigned bytes = l->w->op->ofm.bytes, channels = r->channels;
	const size_t pixel = (size_t)channels * bytes;
	const bool joins = channels == 1 || l->to_x == (i64)pixel;
	const u32 most = NPU_ROW / channels;

	for (u32 done = 0, part; done < n; done += part, v += (size_t)part * channels, to += part * l->to_x) {
		NPU_LINE i32 values[NPU_ROW];
		u8 packed[NPU_ROW * 4];
		part = n - done < most ? n - done : most;
		const size_t elements = (size_t)part * channels;
		memcpy(values, v, elements * sizeof(*v));
		for (size_t i = elements; i % NPU_GROUP; i++)
			values[i] = 0;
		l->w->finish(l->w, values, elements, joins ? to : packed, channels == 1 ? l->to_x : (i64)bytes);
		if (!joins)
			npu_copy_runs(to, l->to_x, packed, (i64)pixel, part, pixel);
	}
}

/* The same of a group's channels, each with a scale of its own. */
static void put_group(const struct npu_lines *l, const struct rows *r, const i32 *v, u32 n, u8 *to)
{
	const struct npu_windows_lines *const w = l->w;
	const i32 none[NPU_GROUP] = { 0 }, *const bias = w->bias ? w->bias + r->plane * NPU_GROUP : none;
	const unsigned channels = r->channels;

	to -= r->plane * npu_fm_stride_group(&w->op->ofm); /* the sink adds it */
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

/* What becomes of sums depends on how many elements they have. */
static void divide(const struct npu_lines *l, const struct rows *r, i32 *v, u32 x, u32 n)
{
	const struct npu_lines_axis *a = &l->x;
	u32 first;

	for (u32 part; n; n -= part, x += part, v += (size_t)part * r->channels) {
		const bool inside = x >= l->inside && x < l->behind;
		const u32 taps = l->way != NPU_LINE_SUMS || inside ? a->taps : npu_windows_taps(x, a->stride, a->taps, a->dilation, a->before, a->size, &first);
		part = l->way != NPU_LINE_SUMS ? n : !inside ? 1 : l->behind - x < n ? l->behind - x : n;
		l->w->divide(l->w, r->n * taps, v, (size_t)part * r->channels);
	}
}

/* n windows from x on. */
static void put_windows(const struct npu_lines *l, const struct rows *r, i32 *v, u32 x, u32 n, u8 *to)
{
	divide(l, r, v, x, n);
	(l->w->sink ? put_group : put)(l, r, v, n, to + x * l->to_x);
}

static void fill(const struct npu_lines *l, i32 *v, size_t n)
{
	const i32 neutral = l->way == NPU_LINE_SUMS ? 0 : l->way == NPU_LINE_MOST ? INT32_MIN : INT32_MAX;

	for (size_t i = 0; i < n; i++)
		v[i] = neutral;
}

static const u8 *row_of(const struct npu_lines *l, const struct rows *r, u32 k, i64 from)
{
	const struct npu_windows_lines *w = l->w;
	const struct npu_fm *ifm = &w->op->ifm;
	const u32 y = (u32)((i64)r->y * l->y.stride - l->y.before) + (r->first + k) * l->y.dilation;

	return npu_fm_pixel(ifm, w->view->ifm, l->doubled ? y / 2 : y, 0) + r->plane * npu_fm_stride_group(ifm) + from * l->from_x;
}

/* Channels of pixels that lie apart, side by side. */
static void pack(const struct npu_lines *l, u32 channels, const u8 *from, u32 pixels, u8 *to)
{
	const unsigned bytes = l->w->op->ifm.bytes;

	if (channels == 1)
		npu_row_copy(bytes, from, l->from_x, to, bytes, pixels);
	else
		npu_copy_runs(to, (i64)channels * bytes, from, l->from_x, pixels, (size_t)channels * bytes);
}

/* Pixels `from` to `behind` - 1 of all rows, to v, which has room up to a multiple of 16. */
static void combine_rows(const struct npu_lines *l, const struct rows *r, i64 from, i64 behind, i32 *v)
{
	const struct npu_fm *ifm = &l->w->op->ifm;
	const u32 pixels = (u32)(behind - from);
	const size_t n = (size_t)pixels * r->channels, bytes = n * ifm->bytes;
	const bool vectors = r->channels == NPU_GROUP; /* wherever pixels lie */
	const bool packs = !vectors && l->from_x != (i64)r->channels * ifm->bytes;
	u8 packed[LINE * 2 + NPU_GROUP];
	const u8 *row[NPU_LINE_ROWS];
	struct npu_line_rows rows = { .way = l->way, .bytes = ifm->bytes, .is_signed = ifm->is_signed, .row = row,
				      .step = vectors ? (size_t)l->from_x : (size_t)NPU_GROUP * ifm->bytes, .n = n };
	const size_t room = packs ? LINE * 2 / bytes : NPU_LINE_ROWS;
	const u32 most = room < NPU_LINE_ROWS ? (u32)room : NPU_LINE_ROWS;

	for (u32 k = 0; k < r->n; k += rows.rows) {
		rows.rows = r->n - k < most ? r->n - k : most;
		for (u32 i = 0; i < rows.rows; i++) {
			row[i] = row_of(l, r, k + i, from);
			if (packs) {
				pack(l, r->channels, row[i], pixels, packed + i * bytes);
				row[i] = packed + i * bytes;
			}
		}
		rows.goes_on = k > 0;
		l->w->simd->line_rows(&rows, v);
	}
}

/* The same of a doubled map. */
static void combine_doubled(const struct npu_lines *l, const struct rows *r, i64 from, i64 behind, i32 *v)
{
	NPU_LINE i32 stored[LINE / 2 + MOST_DEPTH + NPU_GROUP];
	const size_t pixel = r->channels * sizeof(*v), odd = from % 2, pixels = (size_t)(behind - from);
	u8 *const to = (u8 *)v, *const half = (u8 *)stored;

	combine_rows(l, r, from / 2, (behind + 1) / 2, stored);
	npu_copy_runs(to, 2 * (i64)pixel, half, (i64)pixel, (pixels + 1) / 2, pixel);
	npu_copy_runs(to + pixel, 2 * (i64)pixel, half + odd * pixel, (i64)pixel, pixels / 2, pixel);
}

/* One window whose taps are more than a line, piece by piece: each begins with what those before gave. */
static void long_window(const struct npu_lines *l, const struct rows *r, u32 x, i64 from, i64 behind, u8 *to)
{
	const u32 most = LINE / r->channels - 1;
	i32 in[LINE + 2 * NPU_GROUP], out[MOST_DEPTH + NPU_GROUP];

	fill(l, out, r->channels);
	for (i64 part; from < behind; from += part) {
		part = behind - from < most ? behind - from : most;
		memcpy(in, out, r->channels * sizeof(*in));
		combine_rows(l, r, from, from + part, in + r->channels);
		fill(l, in + (size_t)(part + 1) * r->channels, NPU_GROUP);
		const struct npu_line_taps t = { .way = l->way, .taps = (u32)part + 1, .pixels = 1, .tap = r->channels, .pixel = r->channels };
		if (r->channels == 1)
			out[0] = combine_run(l->way, in, (u32)part + 1);
		else
			l->w->simd->line_taps(&t, in, out);
	}
	put_windows(l, r, out, x, 1, to);
}

/* n windows of a row from x on. */
static void run_of_row(const struct npu_lines *l, const struct rows *r, u32 x, u32 n, u8 *to)
{
	const i64 first = (i64)x * l->x.stride - l->x.before, end = first + (i64)(n - 1) * l->x.stride + (i64)(l->x.taps - 1) * l->x.dilation + 1;
	const i64 from = first < 0 ? 0 : first, behind = end < l->x.size ? end : l->x.size;
	NPU_LINE i32 in[LINE + 2 * NPU_GROUP], out[LINE + NPU_GROUP];
	const size_t before = (size_t)(from - first) * r->channels, inside = (size_t)(behind - first) * r->channels;

	if (l->is_long) {
		long_window(l, r, x, from, behind, to);
		return;
	}
	fill(l, in, before);
	(l->doubled ? combine_doubled : combine_rows)(l, r, from, behind, in + before);
	fill(l, in + inside, (size_t)(end - behind) * r->channels + NPU_GROUP);
	combine_windows(l, r->channels, in, n, out);
	put_windows(l, r, out, x, n, to);
}

static void row(const struct npu_lines *l, u32 plane, u32 y)
{
	const struct npu_fm *ofm = &l->w->op->ofm;
	const u32 left = ofm->depth - plane * NPU_GROUP;
	struct rows r = { .y = y, .plane = plane, .channels = l->planes && left > NPU_GROUP ? NPU_GROUP : left };
	u8 *const to = (u8 *)npu_fm_pixel(ofm, (const u8 *const *)l->w->view->ofm, y, 0) + plane * npu_fm_stride_group(ofm);

	r.n = npu_windows_taps(y, l->y.stride, l->y.taps, l->y.dilation, l->y.before, l->y.size, &r.first);
	for (u32 x = 0, n; x < l->x.outputs && !npu_given_up(l->w->view); x += n) {
		n = l->x.outputs - x < l->at_a_time ? l->x.outputs - x : l->at_a_time;
		run_of_row(l, &r, x, n, to);
	}
}

/* ---- */

/* One column is as good as one row, and longer loops. */
static bool is_column(const struct npu_op *op)
{
	return op->ifm.width == 1 && op->ofm.width == 1 && op->kernel_w == 1 && !op->pad_left && op->ofm.height > 1 && !op->ifm.tiled && !op->ofm.tiled &&
	       !op->ifm.stacked && !op->ofm.stacked;
}

/* So are rows that lie one behind the other, with one window each. */
static bool is_joined(const struct npu_op *op)
{
	return op->ofm.width == 1 && op->kernel_h == 1 && op->stride_y == 1 && !op->pad_top && !op->pad_left && op->kernel_w <= op->ifm.width &&
	       op->ofm.height == op->ifm.height && op->ofm.height > 1 && op->ifm.stride_y == (i64)op->ifm.width * op->ifm.stride_x && !op->ifm.tiled &&
	       !op->ofm.tiled && !op->ifm.stacked && !op->ofm.stacked && op->ifm.width * op->ifm.depth < NPU_ROW;
}

static void axes_init(struct npu_lines *l)
{
	const struct npu_op *op = l->w->op;
	const struct npu_lines_axis one = { .outputs = 1, .stride = 1, .taps = 1, .dilation = 1, .size = 1 };

	l->y = (struct npu_lines_axis){ op->ofm.height, op->stride_y, op->kernel_h, op->dilation_y, op->up_height, op->pad_top };
	l->x = (struct npu_lines_axis){ op->ofm.width, op->stride_x, op->kernel_w, op->dilation_x, op->up_width, op->pad_left };
	l->from_x = op->ifm.stride_x;
	l->to_x = op->ofm.stride_x;
	if (l->doubled)
		return;
	if (is_column(op)) {
		l->x = l->y;
		l->from_x = op->ifm.stride_y;
	} else if (is_joined(op)) {
		l->x.outputs = op->ofm.height;
		l->x.stride = op->ifm.width;
		l->x.size = op->ifm.width * op->ifm.height;
	} else {
		return;
	}
	l->to_x = op->ofm.stride_y;
	l->y = one;
}

/* Windows of a row that have all of its taps. */
static void inside_init(struct npu_lines *l)
{
	const struct npu_lines_axis *x = &l->x;
	const i64 reach = (i64)x->size + x->before - (i64)(x->taps - 1) * x->dilation - 1; /* of the last one */

	l->inside = ((u32)x->before + x->stride - 1) / x->stride;
	l->behind = reach < 0 ? 0 : (u32)(reach / x->stride) + 1;
	if (l->behind > x->outputs)
		l->behind = x->outputs;
}

static bool is_for_lines(const struct npu_op *op, bool each)
{
	return op->ifm.bytes <= 2 && op->ofm.bytes <= 4 && (each || !op->per_channel) && op->upscale != NPU_UPSCALE_ZEROS && op->ifm.depth == op->ofm.depth &&
	       !npu_fm_splits_rows(&op->ifm) && !npu_fm_splits_rows(&op->ofm) && !npu_windows_empty(op);
}

static void run_part(void *ctx, unsigned part, unsigned place)
{
	const struct npu_lines *l = ctx;
	const u32 height = l->y.outputs, planes = l->planes ? (l->w->op->ofm.depth + NPU_GROUP - 1) / NPU_GROUP : 1;
	const u64 rows = (u64)planes * height;

	(void)place;
	for (u64 r = rows * part / l->parts; r < rows * (part + 1) / l->parts && !npu_given_up(l->w->view); r++)
		row(l, (u32)(r / height), (u32)(r % height));
}

/* Single windows of a row are as good by groups of channels, which minima do not have. */
static bool is_for_groups(const struct npu_lines *l, u32 channels)
{
	return l->x.outputs == 1 && channels > 1 && (l->w->op->kernel_h == 1 || channels >= NPU_GROUP / 2) && l->way != NPU_LINE_LEAST;
}

bool npu_lines_init(struct npu_lines *l, const struct npu_windows_lines *w)
{
	const struct npu_op *op = w->op;

	*l = (struct npu_lines){ .w = w, .way = op->mode == NPU_POOL_MAX ? NPU_LINE_MOST : op->mode == NPU_POOL_MIN ? NPU_LINE_LEAST : NPU_LINE_SUMS };
	if (!is_for_lines(op, w->sink))
		return false;
	l->doubled = op->upscale == NPU_UPSCALE_NEAREST;
	axes_init(l);
	l->planes = w->sink || op->ofm.depth > MOST_DEPTH || op->ifm.format == NPU_NHCWB16 || op->ofm.format == NPU_NHCWB16;
	const u32 channels = l->planes && op->ofm.depth > NPU_GROUP ? NPU_GROUP : op->ofm.depth;
	const u64 taps = (u64)(l->x.taps - 1) * l->x.dilation + 1;
	l->is_long = taps > LINE / channels;
	if ((l->is_long && (l->x.dilation > 1 || l->doubled)) || is_for_groups(l, channels))
		return false;
	l->at_a_time = l->is_long ? 1 : (u32)((LINE / channels - taps) / l->x.stride + 1);
	inside_init(l);
	const u64 rows = (u64)l->y.outputs * (l->planes ? (op->ofm.depth + NPU_GROUP - 1) / NPU_GROUP : 1);
	l->parts = npu_team_parts(w->team, NPU_TEAM_ELEMENT * (u64)op->ofm.height * op->ofm.width * op->ofm.depth * op->kernel_h * op->kernel_w);
	if (l->parts > rows)
		l->parts = (unsigned)rows;
	return true;
}

void npu_lines_run(const struct npu_lines *l)
{
	npu_team_run(l->w->team, l->parts, run_part, (void *)l);
}

bool npu_pool_lines(const struct npu_windows_lines *w)
{
	struct npu_lines l;
	const bool fits = npu_lines_init(&l, w);

	if (fits)
		npu_lines_run(&l);
	return fits;
}
