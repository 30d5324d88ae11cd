/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a pool by rows; see windows_lines.h. The rows under a window become one line of int32, in which neighbours are brought together
 * then. */
#include "npu/kernels/pool/windows_results.h"

#include <string.h>

#include "npu/kernels/move/copy.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/rows/rows.h"
#include "npu/kernels/team.h"
#include "npu/kernels/u85/rows.h"
#include "npu/kernels/pool/windows.h"

#define LINE NPU_LINES_ROOM
#define BAND 1024     /* elements of several rows that are done together */
#define FEWEST 4      /* rows; fewer take as long one by one */
#define PACKED (2 * LINE) /* bytes */
#define MOST_DEPTH 128 /* of a plane; more channels are taken in groups */
#define MOST_WASTE 8  /* stride up to which the windows between two that are wanted are done as well */

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

/* n windows out of all those of a line. */
static void pick(const i32 *from, size_t step, u32 channels, u32 n, i32 *to)
{
	if (step == channels)
		memcpy(to, from, n * step * sizeof(*to));
	else if (channels == 1)
		for (u32 i = 0; i < n; i++)
			to[i] = from[i * step];
	else
		npu_copy_runs((u8 *)to, (i64)(channels * sizeof(*to)), (const u8 *)from, (i64)(step * sizeof(*to)), n, channels * sizeof(*to));
}

/* Rows of n windows, from `pitch` to `pitch` elements, together with the windows between those that are wanted. */
static void combine_all(const struct npu_lines *l, u32 channels, const i32 *from, size_t pitch, u32 rows, u32 n, i32 *to)
{
	const struct npu_lines_axis *x = &l->x;
	const size_t step = (size_t)x->stride * channels, row = (size_t)n * channels;
	const struct npu_line_taps t = { .way = l->way, .taps = x->taps, .pixels = 1, .tap = (size_t)x->dilation * channels,
					 .pixel = (rows - 1) * pitch + (n - 1) * step + channels };
	NPU_LINE i32 all[LINE + NPU_GROUP];

	l->w->simd->line_taps(&t, from, all);
	for (u32 i = 0; i < rows; i++)
		pick(all + i * pitch, step, channels, n, to + i * row);
}

/* n windows of pixels of `channels` elements. */
static void combine_windows(const struct npu_lines *l, u32 channels, const i32 *from, u32 n, i32 *to)
{
	const struct npu_lines_axis *x = &l->x;
	const size_t step = (size_t)x->stride * channels;
	struct npu_line_taps t = { .way = l->way, .taps = x->taps, .pixels = 1, .tap = (size_t)x->dilation * channels, .pixel = channels };

	if (channels == 1 && x->dilation == 1 && (n == 1 || x->stride > MOST_WASTE)) {
		for (u32 i = 0; i < n; i++)
			to[i] = combine_run(l->way, from + i * step, x->taps);
	} else if (n == 1 || x->stride == 1) {
		t.pixel = (size_t)n * channels;
		l->w->simd->line_taps(&t, from, to);
	} else if (channels >= NPU_GROUP / 2 || x->stride > MOST_WASTE) {
		t.pixels = n;
		t.step = step;
		l->w->simd->line_taps(&t, from, to);
	} else {
		combine_all(l, channels, from, 0, 1, n, to);
	}
}

/* The same of several rows. */
static void combine_band(const struct npu_lines *l, const struct npu_lines_rows *r, const i32 *from, size_t pitch, u32 n, i32 *to)
{
	const struct npu_lines_axis *x = &l->x;
	const u32 channels = r->channels;

	if (r->rows > 1 && n > 1 && (x->stride == 1 || (channels < NPU_GROUP / 2 && x->stride <= MOST_WASTE)))
		combine_all(l, channels, from, pitch, r->rows, n, to);
	else
		for (u32 i = 0; i < r->rows; i++)
			combine_windows(l, channels, from + i * pitch, n, to + (size_t)i * n * channels);
}

/* ---- rows ---- */

static void fill(const struct npu_lines *l, i32 *v, size_t n)
{
	const i32 neutral = l->way == NPU_LINE_SUMS ? 0 : l->way == NPU_LINE_MOST ? INT32_MIN : INT32_MAX;

	for (size_t i = 0; i < n; i++)
		v[i] = neutral;
}

/* The first row of the map that the first output row's windows have. */
static u32 first_of(const struct npu_lines *l, const struct npu_lines_rows *r)
{
	return (u32)((i64)r->y * l->y.stride - l->y.before) + r->first * l->y.dilation;
}

static const u8 *row_of(const struct npu_lines *l, const struct npu_lines_rows *r, u32 y, i64 from)
{
	const struct npu_windows_lines *w = l->w;
	const struct npu_fm *ifm = &w->op->ifm;

	return npu_fm_pixel(ifm, w->view->ifm, l->doubled ? y / 2 : y, 0) + npu_lines_plane(l, r, ifm) + from * l->from_x;
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

/* Whether pixels have to be brought together. Vectors are read wherever they lie. */
static bool packs(const struct npu_lines *l, u32 channels)
{
	return channels != NPU_GROUP && l->from_x != (i64)channels * l->w->op->ifm.bytes;
}

/* Those of all rows of the map that several output rows have, once each. NULL: each row is packed where it is used. */
static const u8 *pack_band(const struct npu_lines *l, const struct npu_lines_rows *r, i64 from, i64 behind, u8 *room)
{
	const u64 rows = (u64)(r->rows - 1) * l->y.stride + (u64)(r->n - 1) * l->y.dilation + 1;
	const size_t bytes = (size_t)(behind - from) * r->channels * l->w->op->ifm.bytes;

	if (l->doubled || !packs(l, r->channels) || rows * bytes > PACKED || l->y.stride > r->n * l->y.dilation)
		return NULL;
	for (u32 i = 0; i < rows; i++)
		pack(l, r->channels, row_of(l, r, first_of(l, r) + i, from), (u32)(behind - from), room + i * bytes);
	return room;
}

/* Pixels `from` to `behind` - 1 of all rows, to v, which has room up to a multiple of 16. */
static void combine_rows(const struct npu_lines *l, const struct npu_lines_rows *r, i64 from, i64 behind, const u8 *packed, i32 *v)
{
	const struct npu_fm *ifm = &l->w->op->ifm;
	const u32 pixels = (u32)(behind - from);
	const size_t n = (size_t)pixels * r->channels, bytes = n * ifm->bytes;
	const bool apart = packs(l, r->channels);
	u8 room[PACKED + NPU_GROUP];
	const u8 *row[NPU_LINE_ROWS];
	struct npu_line_rows rows = { .way = l->way, .bytes = ifm->bytes, .is_signed = ifm->is_signed, .row = row,
				      .step = r->channels == NPU_GROUP ? (size_t)l->from_x : (size_t)NPU_GROUP * ifm->bytes, .n = n };
	const u32 most = apart && PACKED / bytes < NPU_LINE_ROWS ? (u32)(PACKED / bytes) : NPU_LINE_ROWS;

	for (u32 k = 0; k < r->n; k += rows.rows) {
		rows.rows = r->n - k < most ? r->n - k : most;
		for (u32 i = 0; i < rows.rows; i++) {
			row[i] = packed ? packed + (k + i) * l->y.dilation * bytes : row_of(l, r, first_of(l, r) + (k + i) * l->y.dilation, from);
			if (apart && !packed) {
				pack(l, r->channels, row[i], pixels, room + i * bytes);
				row[i] = room + i * bytes;
			}
		}
		rows.goes_on = k > 0;
		l->w->simd->line_rows(&rows, v);
	}
}

/* The same of a doubled map. */
static void combine_doubled(const struct npu_lines *l, const struct npu_lines_rows *r, i64 from, i64 behind, i32 *v)
{
	NPU_LINE i32 stored[LINE / 2 + MOST_DEPTH + NPU_GROUP];
	const size_t pixel = r->channels * sizeof(*v), odd = from % 2, pixels = (size_t)(behind - from);
	u8 *const to = (u8 *)v, *const half = (u8 *)stored;

	combine_rows(l, r, from / 2, (behind + 1) / 2, NULL, stored);
	npu_copy_runs(to, 2 * (i64)pixel, half, (i64)pixel, (pixels + 1) / 2, pixel);
	npu_copy_runs(to + pixel, 2 * (i64)pixel, half + odd * pixel, (i64)pixel, pixels / 2, pixel);
}

/* One window whose taps are more than a line, piece by piece: each begins with what those before gave. */
static void long_window(const struct npu_lines *l, const struct npu_lines_rows *r, u32 x, i64 from, i64 behind)
{
	const u32 most = LINE / r->channels - 1;
	i32 in[LINE + 2 * NPU_GROUP], out[MOST_DEPTH + NPU_GROUP];

	fill(l, out, r->channels);
	for (i64 part; from < behind; from += part) {
		part = behind - from < most ? behind - from : most;
		memcpy(in, out, r->channels * sizeof(*in));
		combine_rows(l, r, from, from + part, NULL, in + r->channels);
		fill(l, in + (size_t)(part + 1) * r->channels, NPU_GROUP);
		const struct npu_line_taps t = { .way = l->way, .taps = (u32)part + 1, .pixels = 1, .tap = r->channels, .pixel = r->channels };
		if (r->channels == 1)
			out[0] = combine_run(l->way, in, (u32)part + 1);
		else
			l->w->simd->line_taps(&t, in, out);
	}
	npu_lines_put(l, r, out, x, 1);
}

/* n windows of each row from x on. */
static void run_of_rows(const struct npu_lines *l, const struct npu_lines_rows *r, u32 x, u32 n)
{
	const i64 first = (i64)x * l->x.stride - l->x.before, end = first + (i64)(n - 1) * l->x.stride + (i64)(l->x.taps - 1) * l->x.dilation + 1;
	const i64 from = first < 0 ? 0 : first, behind = end < l->x.size ? end : l->x.size;
	NPU_LINE i32 in[LINE + 2 * NPU_GROUP], out[LINE + NPU_GROUP];
	const size_t before = (size_t)(from - first) * r->channels, inside = (size_t)(behind - first) * r->channels, pitch = (size_t)(end - first) * r->channels;
	const size_t bytes = (inside - before) * l->w->op->ifm.bytes;
	struct npu_lines_rows one = *r;
	u8 room[PACKED + NPU_GROUP];

	if (l->is_long) {
		long_window(l, r, x, from, behind);
		return;
	}
	const u8 *const packed = r->rows > 1 ? pack_band(l, r, from, behind, room) : NULL;
	for (u32 i = 0; i < r->rows; i++, one.y++) { /* what is written too much is the next one's */
		i32 *const row = in + i * pitch;
		fill(l, row, before);
		if (l->doubled)
			combine_doubled(l, &one, from, behind, row + before);
		else
			combine_rows(l, &one, from, behind, packed ? packed + i * l->y.stride * bytes : NULL, row + before);
		fill(l, row + inside, pitch - inside + NPU_GROUP);
	}
	combine_band(l, r, in, pitch, n, out);
	npu_lines_put(l, r, out, x, n);
}

/* Output rows of a plane from y on, at most `most` of them, those together whose windows have all taps of a column. Their number. */
static u32 some_rows(const struct npu_lines *l, u32 plane, u32 y, u32 most)
{
	const u32 left = l->w->op->ofm.depth - plane * l->group;
	struct npu_lines_rows r = { .y = y, .rows = 1, .plane = plane, .channels = left < l->group ? left : l->group };

	r.n = npu_windows_taps(y, l->y.stride, l->y.taps, l->y.dilation, l->y.before, l->y.size, &r.first);
	if (y >= l->down.inside && y < l->down.behind) {
		r.rows = l->down.behind - y < l->band ? l->down.behind - y : l->band;
		r.rows = r.rows < most ? r.rows : most;
	}
	for (u32 x = 0, n; x < l->x.outputs && !npu_given_up(l->w->view); x += n) {
		n = l->x.outputs - x < l->at_a_time ? l->x.outputs - x : l->at_a_time;
		run_of_rows(l, &r, x, n);
	}
	return r.rows;
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

static struct npu_lines_inside inside_of(const struct npu_lines_axis *a)
{
	const i64 reach = (i64)a->size + a->before - (i64)(a->taps - 1) * a->dilation - 1; /* of the last one */
	const u32 behind = reach < 0 ? 0 : (u32)(reach / a->stride) + 1;

	return (struct npu_lines_inside){ ((u32)a->before + a->stride - 1) / a->stride, behind < a->outputs ? behind : a->outputs };
}

static bool is_for_lines(const struct npu_op *op, bool each)
{
	return op->ifm.bytes <= 2 && op->ofm.bytes <= 4 && (each || !op->per_channel) && op->upscale != NPU_UPSCALE_ZEROS && op->ifm.depth == op->ofm.depth &&
	       !npu_fm_splits_rows(&op->ifm) && !npu_fm_splits_rows(&op->ofm) && !npu_windows_empty(op);
}

static u32 planes_of(const struct npu_lines *l)
{
	return (l->w->op->ofm.depth + l->group - 1) / l->group;
}

static void run_part(void *ctx, unsigned part, unsigned place)
{
	const struct npu_lines *l = ctx;
	const u32 height = l->y.outputs;
	const u64 rows = (u64)planes_of(l) * height, end = rows * (part + 1) / l->parts;

	(void)place;
	for (u64 r = rows * part / l->parts; r < end && !npu_given_up(l->w->view);) {
		const u32 y = (u32)(r % height);
		r += some_rows(l, (u32)(r / height), y, end - r < height - y ? (u32)(end - r) : height - y);
	}
}

/* Single windows of a row are as good by groups of channels, which minima do not have. */
static bool is_for_groups(const struct npu_lines *l, u32 channels)
{
	return l->x.outputs == 1 && channels > 1 && (l->w->op->kernel_h == 1 || channels >= NPU_GROUP / 2) && l->way != NPU_LINE_LEAST;
}

/* Channels that are done together: all, or of many those that have short rows together, or 16. */
static u32 group_of(const struct npu_op *op, bool each, u64 row)
{
	if (each || op->ifm.format == NPU_NHCWB16 || op->ofm.format == NPU_NHCWB16)
		return NPU_GROUP;
	if (op->ofm.depth <= MOST_DEPTH)
		return op->ofm.depth;
	return row * MOST_DEPTH <= BAND ? MOST_DEPTH : NPU_GROUP;
}

bool npu_lines_init(struct npu_lines *l, const struct npu_windows_lines *w)
{
	const struct npu_op *op = w->op;

	*l = (struct npu_lines){ .w = w, .way = op->mode == NPU_POOL_MAX ? NPU_LINE_MOST : op->mode == NPU_POOL_MIN ? NPU_LINE_LEAST : NPU_LINE_SUMS };
	if (!is_for_lines(op, w->sink))
		return false;
	l->doubled = op->upscale == NPU_UPSCALE_NEAREST;
	axes_init(l);
	const u64 taps = (u64)(l->x.taps - 1) * l->x.dilation + 1, row = taps + (u64)(l->x.outputs - 1) * l->x.stride;
	l->group = group_of(op, w->sink, row);
	const u32 channels = op->ofm.depth < l->group ? op->ofm.depth : l->group;
	l->is_long = taps > LINE / channels;
	if ((l->is_long && (l->x.dilation > 1 || l->doubled)) || is_for_groups(l, channels))
		return false;
	l->at_a_time = l->is_long ? 1 : (u32)((LINE / channels - taps) / l->x.stride + 1);
	l->right = inside_of(&l->x);
	l->down = inside_of(&l->y);
	l->band = w->sink || l->is_long || row * channels > BAND / FEWEST ? 1 : (u32)(BAND / (row * channels));
	const u64 rows = (u64)l->y.outputs * planes_of(l);
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
