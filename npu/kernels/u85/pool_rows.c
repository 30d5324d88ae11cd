/* SPDX-License-Identifier: Apache-2.0 */
/* U85 pools in rows of 64 bits, along the channels or, where there are few, along the window: sums over the depth, positions of maxima, wide
 * elements, accumulators that are kept. */
#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/u85/flow.h"
#include "npu/kernels/u85/pool.h"

#define LEAST_TAPS 64 /* of rows that take less time here than by lines, which stay for the next time */

/* Channels of one window: running results. */
struct window {
	i64 value[NPU_ROW]; /* sum, maximum or minimum */
	i64 arg[NPU_ROW];   /* position of the maximum */
	i64 count;
};

static void window_reset(struct window *w, unsigned mode, size_t n)
{
	i64 first = mode == NPU_POOL_MIN ? INT64_MAX
		  : mode == NPU_POOL_SUM || mode == NPU_POOL_AVERAGE || mode == NPU_POOL_REDUCE_SUM ? 0 : INT64_MIN;

	w->count = 0;
	for (size_t i = 0; i < n; i++) {
		w->value[i] = first;
		w->arg[i] = 0;
	}
}

static void window_add(struct window *w, unsigned mode, const i64 *v, size_t n, i64 position)
{
	i64 *r = w->value;

	switch (mode) {
	case NPU_POOL_MAX:
		for (size_t i = 0; i < n; i++)
			r[i] = v[i] > r[i] ? v[i] : r[i];
		return;
	case NPU_POOL_MIN:
		for (size_t i = 0; i < n; i++)
			r[i] = v[i] < r[i] ? v[i] : r[i];
		return;
	case NPU_POOL_ARGMAX_X:
	case NPU_POOL_ARGMAX_Y:
		for (size_t i = 0; i < n; i++) {
			w->arg[i] = v[i] > r[i] ? position : w->arg[i];
			r[i] = v[i] > r[i] ? v[i] : r[i];
		}
		return;
	default:
		for (size_t i = 0; i < n; i++)
			r[i] = npu85_add(r[i], v[i]);
		return;
	}
}

/* Result of channel i. */
static i64 window_value(const struct window *w, const struct npu_op *op, size_t i)
{
	i64 v = w->value[i];

	switch (op->mode) {
	case NPU_POOL_MAX: return w->count ? v : INT32_MIN;
	case NPU_POOL_MIN: return w->count ? v : INT32_MAX;
	case NPU_POOL_AVERAGE: return npu85_average(op, v, w->count);
	case NPU_POOL_ARGMAX_X:
	case NPU_POOL_ARGMAX_Y: return w->arg[i] * 65536 | (v & 0xffff);
	default: return v;
	}
}

/* Channels c .. c+n-1 of pixel (y, x); n stays within a group in bricks. */
static void load_channels(const struct npu85_job *j, u32 y, u32 x, u32 c, size_t n, i64 *v)
{
	const struct npu_fm *fm = &j->op.ifm;
	const u8 *p = npu_fm_pixel(fm, j->view.ifm, y, x);

	p += c / NPU_GROUP * npu_fm_stride_group(fm) + (i64)(c % NPU_GROUP) * fm->bytes;
	npu85_row_load(fm, p, fm->bytes, n, v);
}

/* Channels that lie side by side from c on, at most a row. */
static u32 channels_at(const struct npu_fm *fm, u32 c)
{
	u32 most = fm->format == NPU_NHWC ? NPU_ROW : NPU_GROUP, left = fm->depth - c;
	return left < most ? left : most;
}

static i64 sum_channels(const struct npu85_job *j, u32 y, u32 x)
{
	i64 v[NPU_ROW], sum = 0;

	for (u32 c = 0, n; c < j->op.ifm.depth; c += n) {
		n = channels_at(&j->op.ifm, c);
		load_channels(j, y, x, c, n, v);
		for (u32 i = 0; i < n; i++)
			sum = npu85_add(sum, v[i]);
	}
	return sum;
}

/* One window, channels c .. c+n-1; with REDUCE_SUM all channels into one. */
static void window_at(const struct npu85_job *j, u32 oy, u32 ox, u32 c, size_t n, struct window *w)
{
	const struct npu_op *op = &j->op;
	i64 v[NPU_ROW];

	window_reset(w, op->mode, n);
	for (u32 ky = 0; ky < op->kernel_h && !npu_given_up(&j->view); ky++)
		for (u32 kx = 0; kx < op->kernel_w; kx++) {
			u32 y, x;
			enum npu_tap tap = npu_tap_at(op, oy, ox, ky, kx, &y, &x);
			if (tap == NPU_TAP_PADDING)
				continue;
			w->count++;
			if (tap == NPU_TAP_ZERO)
				memset(v, 0, n * sizeof(*v));
			else if (op->mode == NPU_POOL_REDUCE_SUM)
				v[0] = sum_channels(j, y, x);
			else
				load_channels(j, y, x, c, n, v);
			window_add(w, op->mode, v, n, op->mode == NPU_POOL_ARGMAX_Y ? ky : kx);
		}
}

/* An extreme goes on from the accumulators that an operation before it has left. */
static bool extreme_goes_on(const struct npu85_job *j)
{
	return j->start && (j->op.mode == NPU_POOL_MAX || j->op.mode == NPU_POOL_MIN);
}

static void go_on(const struct npu85_job *j, size_t at, size_t n, struct window *w)
{
	const size_t bytes = j->op.u85.acc48 ? 8 : 4;
	const struct npu_fm kept = { .bytes = (u8)bytes, .is_signed = 1 };
	i64 v[NPU_ROW];

	npu85_row_load(&kept, j->start + at * bytes, (i64)bytes, n, v);
	for (size_t i = 0; i < n; i++)
		v[i] = npu85_wrap(v[i], j->op.u85.acc48 ? 48 : 32);
	window_add(w, j->op.mode, v, n, 0);
	w->count++;
}

static void put_windows(struct npu85_flow *f, const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	bool whole = op->mode == NPU_POOL_REDUCE_SUM;
	struct window w;

	for (u32 oy = 0; oy < op->ofm.height; oy++)
		for (u32 ox = 0; ox < op->ofm.width && !npu_given_up(&j->view); ox++)
			for (u32 c = 0, n; c < op->ofm.depth; c += n) {
				n = whole ? 1 : channels_at(&op->ifm, c);
				window_at(j, oy, ox, c, n, &w);
				if (extreme_goes_on(j))
					go_on(j, ((size_t)oy * op->ofm.width + ox) * op->ofm.depth + c, n, &w);
				for (u32 i = 0; i < n; i++)
					npu85_flow_put(f, window_value(&w, op, i));
			}
}

/* The largest of n elements that lie side by side: bytes or int16 with a sign, which are not widened for that. */
static i64 most_of_bytes(const u8 *p, u32 n)
{
	i8 most = INT8_MIN;

	for (u32 i = 0; i < n; i++)
		most = (i8)p[i] > most ? (i8)p[i] : most;
	return most;
}

static i64 most_of_halves(const u8 *p, u32 n)
{
	i16 most = INT16_MIN;

	for (u32 i = 0; i < n; i++) {
		i16 e;
		memcpy(&e, p + i * sizeof(e), sizeof(e));
		most = e > most ? e : most;
	}
	return most;
}

/* Where the first of the elements lies that are `most`; there is one. */
static u32 place_of(const u8 *p, unsigned bytes, i64 most)
{
	u32 i = 0;
	i16 e;

	if (bytes == 1) {
		while ((i8)p[i] != most)
			i++;
		return i;
	}
	for (memcpy(&e, p, sizeof(e)); e != most; memcpy(&e, p + i * sizeof(e), sizeof(e)))
		i++;
	return i;
}

/* Taps of one channel side by side, of which the largest is looked for. */
static bool is_most_of_row(const struct npu_op *op)
{
	return (op->mode == NPU_POOL_MAX || op->mode == NPU_POOL_ARGMAX_X) && op->ifm.is_signed && op->ifm.bytes <= 2 &&
	       op->ifm.stride_x * op->dilation_x == op->ifm.bytes;
}

/* Few channels and a window that is one row: the taps are the row. */
static bool along_x(const struct npu_op *op)
{
	const u32 least = op->ofm.depth == 1 ? 2 : NPU85_FEW_CHANNELS;

	return op->ofm.depth < NPU85_FEW_CHANNELS && op->kernel_h == 1 && op->kernel_w >= least && (op->kernel_w <= NPU_ROW || is_most_of_row(op)) &&
	       !op->upscale && !op->ifm.tiled && !op->pad_left && !op->pad_right && !op->pad_top && !op->pad_bottom &&
	       op->mode != NPU_POOL_REDUCE_SUM && op->mode != NPU_POOL_ARGMAX_Y;
}

bool npu85_pool_is_row(const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;

	return !j->start && op->ofm.depth == 1 && op->ofm.height * op->ofm.width > 1 && op->kernel_w >= LEAST_TAPS && along_x(op) && is_most_of_row(op);
}

/* The window of one channel whose taps are v. */
static void window_of_row(struct window *w, unsigned mode, const i64 *v, u32 n)
{
	i64 most = v[0];

	window_reset(w, mode, 1);
	w->count = n;
	if (mode == NPU_POOL_MAX) {
		for (u32 i = 1; i < n; i++)
			most = v[i] > most ? v[i] : most;
		w->value[0] = most;
		return;
	}
	for (u32 i = 0; i < n; i++)
		window_add(w, mode, v + i, 1, i);
}

/* The window whose taps lie `step` bytes apart from p on. */
static i64 row_value(const struct npu_op *op, const u8 *p, i64 step)
{
	struct window w;
	i64 v[NPU_ROW];

	if (is_most_of_row(op)) {
		const i64 most = (op->ifm.bytes == 1 ? most_of_bytes : most_of_halves)(p, op->kernel_w), value = most - op->ifm.zero_point;
		return op->mode == NPU_POOL_MAX ? value : (i64)place_of(p, op->ifm.bytes, most) * 65536 | (value & 0xffff);
	}
	npu85_row_load(&op->ifm, p, step, op->kernel_w, v);
	window_of_row(&w, op->mode, v, op->kernel_w);
	return window_value(&w, op, 0);
}

static void put_rows(struct npu85_flow *f, const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	i64 step = op->ifm.stride_x * op->dilation_x;

	for (u32 oy = 0; oy < op->ofm.height; oy++)
		for (u32 ox = 0; ox < op->ofm.width && !npu_given_up(&j->view); ox++)
			for (u32 c = 0; c < op->ofm.depth; c++) {
				const u8 *p = npu_fm_pixel(&op->ifm, j->view.ifm, oy * op->stride_y, ox * op->stride_x);
				npu85_flow_put(f, row_value(op, p + (i64)c * op->ifm.bytes, step));
			}
}

/* Sums over the depth of int32, int16 and bytes, one for each pixel. */
static bool sums_words(const struct npu_op *op)
{
	const struct npu_fm *ifm = &op->ifm;
	const bool type = ifm->bytes == 1 || (ifm->is_signed && (ifm->bytes == 2 || ifm->bytes == 4));

	return op->mode == NPU_POOL_REDUCE_SUM && op->ofm.depth == 1 && type && ifm->depth <= 65535 && op->kernel_h == 1 && op->kernel_w == 1 &&
	       !op->upscale && !ifm->tiled && !op->pad_left && !op->pad_right && !op->pad_top && !op->pad_bottom;
}

static void put_sums(struct npu85_flow *f, const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	const struct npu_fm *ifm = &op->ifm;
	i64 sum[NPU_ROW];

	for (u32 y = 0; y < op->ofm.height; y++)
		for (u32 x = 0, n; x < op->ofm.width && !npu_given_up(&j->view); x += n) {
			const u8 *p = npu_fm_pixel(ifm, j->view.ifm, y * op->stride_y, x * op->stride_x);
			n = op->ofm.width - x < NPU_ROW ? op->ofm.width - x : NPU_ROW;
			npu_row_sums(f->simd, ifm, p, ifm->stride_x * op->stride_x, n, sum);
			npu85_flow_put_row(f, sum, n);
		}
}

static void put_all(struct npu85_flow *f, const struct npu85_job *j)
{
	if (sums_words(&j->op))
		put_sums(f, j);
	else if (npu85_pool_has_places(j))
		npu85_put_places(f, j);
	else if (along_x(&j->op) && !extreme_goes_on(j))
		put_rows(f, j);
	else
		put_windows(f, j);
	npu85_flow_flush(f);
}

/* What stays of an operation for the next time. */
struct kept {
	struct npu85_flow flow;
	struct npu85_job *j;
};

static bool run_again(struct npu_kernels *k, void *room)
{
	struct kept *const kept = room;

	(void)k;
	npu85_flow_again(&kept->flow, kept->j);
	put_all(&kept->flow, kept->j);
	return true;
}

bool npu85_pool_rows(struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	u64 count = (u64)op->ofm.height * op->ofm.width * op->ofm.depth;
	bool starts = op->mode == NPU_POOL_AVERAGE || op->mode == NPU_POOL_REDUCE_SUM ||
		      op->mode == NPU_POOL_SUM || op->mode == NPU_POOL_NONE;

	if (op->mode == NPU_POOL_NONE)
		return npu85_scaled_sums(j) || npu85_flow_started(j, count);
	struct kept *const room = npu85_flow_lasts(j) ? npu_again_room(j->k, sizeof(*room)) : NULL, own, *const kept = room ? room : &own;
	kept->j = j;
	if (!npu85_flow_open(&kept->flow, j, starts))
		return false;
	put_all(&kept->flow, j);
	if (room)
		npu_again_keep(j->k, room, run_again);
	return true;
}
