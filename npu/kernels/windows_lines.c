/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a pool by rows; see windows_lines.h. The rows under a window become one line of int32, in which neighbours are brought together
 * then. */
#include "npu/kernels/windows_lines.h"

#include <string.h>

#include "npu/kernels/copy.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/rows.h"
#include "npu/kernels/team.h"
#include "npu/kernels/u85/rows.h"
#include "npu/kernels/windows.h"

#define LINE 4096     /* elements */
#define MOST_DEPTH 128 /* of a plane; more channels are taken in groups */
#define MOST_WASTE 8  /* stride up to which the windows between two that are wanted are done as well */

struct axis {
	u32 outputs, stride, taps, dilation, size;
	i32 before;
};

enum way { SUMS, MOST, LEAST };

struct lines {
	const struct npu_windows_lines *w;
	struct axis y, x;
	i64 from_x, to_x; /* from pixel to pixel */
	bool planes;      /* of 16 channels, else there is one */
	enum way way;
	bool is_long;     /* the taps of a row are more than a line */
	u32 at_a_time;    /* pixels */
	u32 inside, behind; /* pixels from and to which windows have all taps of a row */
	unsigned parts;
};

/* A row's windows have n rows of the map, tap `first` and those behind it. */
struct rows {
	u32 y, first, n, plane, channels;
};

/* ---- rows under each other ---- */

#define COMBINE(T, result) do { \
	for (size_t i = 0; i < n; i++) { \
		T e_; \
		memcpy(&e_, p + i * sizeof(e_), sizeof(e_)); \
		const i32 v = e_, a = acc[i]; \
		acc[i] = (result); \
	} } while (0)
#define COMBINE_WAYS(T) do { \
	if (way == SUMS) \
		COMBINE(T, a + v); \
	else if (way == MOST) \
		COMBINE(T, v > a ? v : a); \
	else \
		COMBINE(T, v < a ? v : a); \
	} while (0)

static void combine_row(const struct npu_fm *fm, enum way way, const u8 *p, size_t n, i32 *restrict acc)
{
	switch (fm->bytes * 2u + fm->is_signed) {
	case 2: COMBINE_WAYS(u8); return;
	case 3: COMBINE_WAYS(i8); return;
	case 4: COMBINE_WAYS(u16); return;
	default: COMBINE_WAYS(i16); return;
	}
}

static void combine_pixels(const struct lines *l, u32 channels, const u8 *p, u32 pixels, i32 *acc)
{
	const struct npu_fm *fm = &l->w->op->ifm;
	const size_t pixel = (size_t)channels * fm->bytes;
	u8 packed[LINE * 2 + NPU_GROUP];

	if (l->from_x != (i64)pixel) {
		if (channels == 1)
			npu_row_copy(fm->bytes, p, l->from_x, packed, fm->bytes, pixels);
		else
			npu_copy_runs(packed, (i64)pixel, p, l->from_x, pixels, pixel);
		p = packed;
	}
	combine_row(fm, l->way, p, (size_t)pixels * channels, acc);
}

/* ---- neighbours ---- */

static void combine_taps(enum way way, u32 taps, size_t tap, const i32 *from, size_t n, i32 *restrict to)
{
	memcpy(to, from, n * sizeof(*to));
	for (u32 t = 1; t < taps; t++) {
		const i32 *const v = from + t * tap;
		if (way == SUMS)
			for (size_t i = 0; i < n; i++)
				to[i] += v[i];
		else if (way == MOST)
			for (size_t i = 0; i < n; i++)
				to[i] = v[i] > to[i] ? v[i] : to[i];
		else
			for (size_t i = 0; i < n; i++)
				to[i] = v[i] < to[i] ? v[i] : to[i];
	}
}

/* Of one channel, whose taps lie side by side. */
static i32 combine_run(enum way way, const i32 *v, u32 n)
{
	i32 r = v[0];

	if (way == SUMS)
		for (u32 i = 1; i < n; i++)
			r += v[i];
	else if (way == MOST)
		for (u32 i = 1; i < n; i++)
			r = v[i] > r ? v[i] : r;
	else
		for (u32 i = 1; i < n; i++)
			r = v[i] < r ? v[i] : r;
	return r;
}

/* n windows of pixels of `channels` elements. */
static void combine_windows(const struct lines *l, u32 channels, const i32 *from, u32 n, i32 *to)
{
	const struct axis *x = &l->x;
	const size_t tap = (size_t)x->dilation * channels, step = (size_t)x->stride * channels;
	i32 all[LINE];

	if (channels == 1 && x->dilation == 1 && (n == 1 || x->stride > MOST_WASTE)) {
		for (u32 i = 0; i < n; i++)
			to[i] = combine_run(l->way, from + i * step, x->taps);
	} else if (n == 1 || x->stride == 1) {
		combine_taps(l->way, x->taps, tap, from, (size_t)n * channels, to);
	} else if (channels >= NPU_GROUP / 2 || x->stride > MOST_WASTE) {
		for (u32 i = 0; i < n; i++)
			combine_taps(l->way, x->taps, tap, from + i * step, channels, to + (size_t)i * channels);
	} else {
		combine_taps(l->way, x->taps, tap, from, (n - 1) * step + channels, all);
		for (u32 i = 0; i < n; i++)
			for (u32 c = 0; c < channels; c++)
				to[(size_t)i * channels + c] = all[i * step + c];
	}
}

/* ---- results ---- */

static void put(const struct lines *l, const struct rows *r, u32 count, const i32 *v, u32 n, u8 *to)
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
		l->w->finish(l->w, count, values, elements, joins ? to : packed, channels == 1 ? l->to_x : (i64)bytes);
		if (!joins)
			npu_copy_runs(to, l->to_x, packed, (i64)pixel, part, pixel);
	}
}

/* What becomes of sums depends on how many elements they have. */
static void put_runs(const struct lines *l, const struct rows *r, const i32 *v, u32 x, u32 n, u8 *to)
{
	const struct axis *a = &l->x;
	u32 first;

	for (u32 done = 0, part; done < n; done += part, x += part) {
		const bool inside = x >= l->inside && x < l->behind;
		const u32 taps = l->way != SUMS || inside ? a->taps : npu_windows_taps(x, a->stride, a->taps, a->dilation, a->before, a->size, &first);
		part = l->way != SUMS ? n : !inside ? 1 : l->behind - x < n - done ? l->behind - x : n - done;
		put(l, r, r->n * taps, v + (size_t)done * r->channels, part, to + x * l->to_x);
	}
}

static void fill(const struct lines *l, i32 *v, size_t n)
{
	const i32 neutral = l->way == SUMS ? 0 : l->way == MOST ? INT32_MIN : INT32_MAX;

	for (size_t i = 0; i < n; i++)
		v[i] = neutral;
}

/* Pixels `from` to `behind` - 1 of all rows into those in v. */
static void combine_rows(const struct lines *l, const struct rows *r, i64 from, i64 behind, i32 *v)
{
	const struct npu_windows_lines *w = l->w;
	const struct npu_fm *ifm = &w->op->ifm;

	for (u32 k = 0; k < r->n; k++) {
		const u32 y = (u32)((i64)r->y * l->y.stride - l->y.before) + (r->first + k) * l->y.dilation;
		const u8 *const row = npu_fm_pixel(ifm, w->view->ifm, y, 0) + r->plane * npu_fm_stride_group(ifm);
		combine_pixels(l, r->channels, row + from * l->from_x, (u32)(behind - from), v);
	}
}

/* One window whose taps are more than a line, piece by piece: each begins with what those before gave. */
static void long_window(const struct lines *l, const struct rows *r, u32 x, i64 from, i64 behind, u8 *to)
{
	const u32 most = LINE / r->channels - 1;
	i32 in[LINE], out[MOST_DEPTH];

	fill(l, out, r->channels);
	for (i64 part; from < behind; from += part) {
		part = behind - from < most ? behind - from : most;
		memcpy(in, out, r->channels * sizeof(*in));
		fill(l, in + r->channels, (size_t)part * r->channels);
		combine_rows(l, r, from, from + part, in + r->channels);
		if (r->channels == 1)
			out[0] = combine_run(l->way, in, (u32)part + 1);
		else
			combine_taps(l->way, (u32)part + 1, r->channels, in, r->channels, out);
	}
	put_runs(l, r, out, x, 1, to);
}

/* n windows of a row from x on. */
static void run_of_row(const struct lines *l, const struct rows *r, u32 x, u32 n, u8 *to)
{
	const i64 first = (i64)x * l->x.stride - l->x.before, end = first + (i64)(n - 1) * l->x.stride + (i64)(l->x.taps - 1) * l->x.dilation + 1;
	const i64 from = first < 0 ? 0 : first, behind = end < l->x.size ? end : l->x.size;
	i32 in[LINE], out[LINE];

	if (l->is_long) {
		long_window(l, r, x, from, behind, to);
		return;
	}
	fill(l, in, (size_t)(end - first) * r->channels);
	combine_rows(l, r, from, behind, in + (size_t)(from - first) * r->channels);
	combine_windows(l, r->channels, in, n, out);
	put_runs(l, r, out, x, n, to);
}

static void row(const struct lines *l, u32 plane, u32 y)
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

static void axes_init(struct lines *l)
{
	const struct npu_op *op = l->w->op;
	const struct axis one = { .outputs = 1, .stride = 1, .taps = 1, .dilation = 1, .size = 1 };

	l->y = (struct axis){ op->ofm.height, op->stride_y, op->kernel_h, op->dilation_y, op->up_height, op->pad_top };
	l->x = (struct axis){ op->ofm.width, op->stride_x, op->kernel_w, op->dilation_x, op->up_width, op->pad_left };
	l->from_x = op->ifm.stride_x;
	l->to_x = op->ofm.stride_x;
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
static void inside_init(struct lines *l)
{
	const struct axis *x = &l->x;
	const i64 reach = (i64)x->size + x->before - (i64)(x->taps - 1) * x->dilation - 1; /* of the last one */

	l->inside = ((u32)x->before + x->stride - 1) / x->stride;
	l->behind = reach < 0 ? 0 : (u32)(reach / x->stride) + 1;
	if (l->behind > x->outputs)
		l->behind = x->outputs;
}

static bool is_for_lines(const struct npu_op *op)
{
	return op->ifm.bytes <= 2 && op->ofm.bytes <= 4 && !op->per_channel && !op->upscale && op->ifm.depth == op->ofm.depth &&
	       !npu_fm_splits_rows(&op->ifm) && !npu_fm_splits_rows(&op->ofm) && !npu_windows_empty(op);
}

static void run_part(void *ctx, unsigned part, unsigned place)
{
	const struct lines *l = ctx;
	const u32 height = l->y.outputs, planes = l->planes ? (l->w->op->ofm.depth + NPU_GROUP - 1) / NPU_GROUP : 1;
	const u64 rows = (u64)planes * height;

	(void)place;
	for (u64 r = rows * part / l->parts; r < rows * (part + 1) / l->parts && !npu_given_up(l->w->view); r++)
		row(l, (u32)(r / height), (u32)(r % height));
}

/* Single windows of a row are as good by groups of channels, which minima do not have. */
static bool is_for_groups(const struct lines *l, u32 channels)
{
	return l->x.outputs == 1 && channels > 1 && (l->w->op->kernel_h == 1 || channels >= NPU_GROUP / 2) && l->way != LEAST;
}

bool npu_pool_lines(const struct npu_windows_lines *w)
{
	const struct npu_op *op = w->op;
	struct lines l = { .w = w, .way = op->mode == NPU_POOL_MAX ? MOST : op->mode == NPU_POOL_MIN ? LEAST : SUMS };

	if (!is_for_lines(op))
		return false;
	axes_init(&l);
	l.planes = op->ofm.depth > MOST_DEPTH || op->ifm.format == NPU_NHCWB16 || op->ofm.format == NPU_NHCWB16;
	const u32 channels = l.planes && op->ofm.depth > NPU_GROUP ? NPU_GROUP : op->ofm.depth;
	const u64 taps = (u64)(l.x.taps - 1) * l.x.dilation + 1;
	l.is_long = taps > LINE / channels;
	if ((l.is_long && l.x.dilation > 1) || is_for_groups(&l, channels))
		return false;
	l.at_a_time = l.is_long ? 1 : (u32)((LINE / channels - taps) / l.x.stride + 1);
	inside_init(&l);
	const u64 rows = (u64)l.y.outputs * (l.planes ? (op->ofm.depth + NPU_GROUP - 1) / NPU_GROUP : 1);
	l.parts = npu_team_parts(w->team, NPU_TEAM_ELEMENT * (u64)op->ofm.height * op->ofm.width * op->ofm.depth * op->kernel_h * op->kernel_w);
	if (l.parts > rows)
		l.parts = (unsigned)rows;
	npu_team_run(w->team, l.parts, run_part, &l);
	return true;
}
