/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwise convolutions of 3x3 and less from memory to memory, without expanded lines. */
#include "npu/kernels/conv/depthwise.h"

#include <stddef.h>
#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/conv/gather.h"

struct npu_depthwise8 npu_depthwise_group(const struct depthwise *d, u32 group)
{
	const struct npu_packed *w = d->mac.weights;

	return (struct npu_depthwise8){
		.weights = (const i8 *)w->weights + group * w->group_step * (d->mac.u8 ? 1 : sizeof(i16)),
		.start = d->mac.channels.start + group * NPU_GROUP,
		.rescale = d->mac.channels.rescale + group,
		.narrow = &d->mac.sink.narrow,
		.offset = group * npu_fm_stride_group(&d->mac.op->ofm),
	};
}

/* Input rows that are gone through column by column: what the first cache has room for. */
#define COLUMN_BYTES 30000
#define LEAST_ROWS 4

/* Taps of which some are apart, or that are, where more were in the kernel: then all nine, as fewer are expanded in less time. A map without columns is
 * nothing but padding. */
static bool is_down(const struct depthwise *d)
{
	const struct npu_gather *g = &d->mac.gather;
	const bool nine = g->kernel_h == 3 && g->kernel_w == 3, apart = g->dilation_h > 1 || g->dilation_w > 1;

	return d->mac.simd->window_rows && d->mac.u8 && g->kernel_h <= 3 && g->kernel_w <= 3 && g->stride_h == g->stride_w && g->stride_w <= 2 &&
	       (!apart || (nine && g->stride_w == 1)) && !g->upscale && g->up_width > 0 && !g->splits_rows &&
	       npu_sink_is_layer(&d->mac.sink) && !npu_fm_splits_rows(&d->mac.op->ofm) && !d->mac.sink.narrow.table;
}

/* A map without columns is nothing but padding. */
static bool is_window(const struct depthwise *d)
{
	const struct npu_op *op = d->mac.op;

	return op->kernel_h == 3 && op->kernel_w == 3 && op->dilation_x == 1 && op->dilation_y == 1 && op->stride_x == op->stride_y &&
	       op->stride_x <= 2 && !op->upscale && d->mac.gather.up_width > 0 && !d->mac.gather.splits_rows;
}

/* They are multiplied as signed ones. */
static bool is_window_of_bytes(const struct npu_mac *m)
{
	return m->simd->window_u8 && m->gather.stride_x == NPU_GROUP && npu_gather_fits_u8(m->op) && m->op->ifm.is_signed;
}

/* Bytes: every row of an input row's pixels lies as bricks. */
void npu_depthwise_window_init(struct depthwise *d)
{
	const struct npu_mac *m = &d->mac;
	const bool window = is_window(d);

	d->down = is_down(d);
	d->window = window && is_window_of_bytes(m);
	d->words = window && m->simd->window_words && m->op->ifm.bytes == 2 && m->sink.narrow16_valid && !m->sink.raw && m->channels.fast &&
		   !m->channels.left && m->op->ofm.zero_point == 0 && !npu_fm_splits_rows(&m->op->ofm);
}

/* Part of a group, or pixels apart: by way of `results`. Bricks of a part are read whole: what follows a row is the
 * next one. */
static bool is_window_apart(const struct depthwise *d, u32 group, unsigned channels)
{
	const struct npu_fm *ifm = &d->mac.op->ifm;
	const bool behind = channels == NPU_GROUP ||
			    (!ifm->tiled && ifm->stride_y >= (i64)d->mac.gather.up_width * NPU_GROUP);

	return d->window && behind && npu_sink_is_layer(&d->mac.sink) && !npu_fm_splits_rows(&d->mac.op->ofm) &&
	       !d->mac.sink.narrow.table && npu_estimates(d->mac.channels.rescale + group, &d->mac.sink.narrow);
}

/* Input row y of channel group `group`; where there is none, a line of padding. */
static const u8 *window_row(const struct depthwise *d, i32 y, u32 group, unsigned channels)
{
	const size_t bytes = d->mac.gather.up_width * (size_t)NPU_GROUP;

	if (y < 0 || (u32)y >= d->mac.gather.up_height)
		return d->line;
	const u8 *row = npu_fm_pixel(&d->mac.op->ifm, d->mac.view->ifm, (u32)y, 0) +
			group * npu_fm_stride_group(&d->mac.op->ifm);
	if (channels == NPU_GROUP || (u32)y + 1 < d->mac.gather.up_height)
		return row;
	memcpy(d->last, row, bytes - NPU_GROUP + channels);
	return d->last;
}

/* Rows that window_u8 has left in `results` to where they belong. */
static void put_results(const struct depthwise *d, u32 y, u32 rows, i64 offset, unsigned channels)
{
	const struct npu_fm *ofm = &d->mac.op->ofm;
	struct npu_target t;

	t.step = ofm->stride_x;
	t.runs = 1;
	for (u32 r = 0; r < rows; r++) {
		t.run[0] = (struct npu_run){ (u8 *)npu_fm_pixel(ofm, (const u8 *const *)d->mac.view->ofm, y + r, 0), ofm->width };
		d->mac.simd->put_groups(d->results + r * (size_t)ofm->width * NPU_GROUP, &t, offset, channels);
	}
}

/* What window_u8 wants of the group to come: other operations have taken its place in the first caches. */
static void fetch_ahead(const struct depthwise *d, u32 group)
{
	const struct npu_depthwise8 next = npu_depthwise_group(d, group);
	const size_t weights = d->mac.weights->group_step * sizeof(i16), line = 64;

	for (size_t i = 0; i < weights; i += line)
		__builtin_prefetch((const u8 *)next.weights + i);
	for (size_t i = 0; i < offsetof(struct npu_rescale, scale); i += line)
		__builtin_prefetch((const u8 *)next.rescale + i);
	__builtin_prefetch(next.start);
}

static void run_window(const struct depthwise *d, u32 group, unsigned channels, bool direct)
{
	const struct npu_op *op = d->mac.op;
	const struct npu_depthwise8 to = npu_depthwise_group(d, group);
	const u32 most = op->stride_y == 1 ? 2 : 1;
	const u8 *const *ofm = (const u8 *const *)d->mac.view->ofm;
	NPU_LINE u8 room[NPU_WINDOW_ROOM];
	struct npu_window in = { .in_width = d->mac.gather.up_width, .first = -op->pad_left, .width = op->ofm.width,
				 .stride = op->stride_x, .flip = d->mac.gather.flip, .pad = d->mac.gather.pad, .room = room };

	if (group + 1 < d->mac.channels.groups)
		fetch_ahead(d, group + 1);
	for (u32 y = d->first, rows; y < d->end && !npu_given_up(d->mac.view); y += rows) {
		rows = d->end - y < most ? d->end - y : most;
		for (u32 i = 0; i < 4; i++)
			in.row[i] = window_row(d, (i32)(y * op->stride_y + i) - op->pad_top, group, channels);
		for (u32 r = 0; r < 2; r++)
			in.to[r] = r >= rows ? NULL : direct ? (u8 *)npu_fm_pixel(&op->ofm, ofm, y + r, 0) + to.offset
							     : d->results + r * (size_t)op->ofm.width * NPU_GROUP;
		d->mac.simd->window_u8(&to, &in);
		in.ready = true;
		if (!direct)
			put_results(d, y, rows, to.offset, channels);
	}
}

/* Output rows that are done together, every `apart`th of `left`: as many each time. */
static u32 rows_together(const struct depthwise *d, u32 left)
{
	const size_t row = d->mac.gather.up_width * (size_t)NPU_GROUP * d->mac.gather.stride_h;
	const size_t room = COLUMN_BYTES / row < LEAST_ROWS ? LEAST_ROWS : COLUMN_BYTES / row;
	const u32 most = room < NPU_WINDOW_ROWS ? (u32)room : NPU_WINDOW_ROWS, parts = (left + most - 1) / most;

	return (left + parts - 1) / parts;
}

/* `in->rows` output rows from y on. */
static void place_rows(const struct depthwise *d, u32 y, u32 group, struct npu_window_rows *in)
{
	const struct npu_op *op = d->mac.op;
	const struct npu_gather *g = &d->mac.gather;
	const i64 offset = group * npu_fm_stride_group(&op->ifm);
	i32 row = (i32)(y * g->stride_h) - g->pad_top;

	for (u32 i = 0; i < in->rows * g->stride_h + 3 - g->stride_h; i++, row += g->dilation_h) {
		const bool inside = row >= 0 && (u32)row < g->up_height;
		in->row[i] = inside ? npu_fm_pixel(&op->ifm, d->mac.view->ifm, (u32)row, 0) + offset : NULL;
	}
	for (u32 r = 0; r < in->rows; r++)
		in->to[r] = (u8 *)npu_fm_pixel(&op->ofm, (const u8 *const *)d->mac.view->ofm, y + r * g->dilation_h, 0);
}

/* Rows that share input rows are as far apart as taps. */
static void run_down(const struct depthwise *d, u32 group, u32 groups, unsigned channels)
{
	const struct npu_op *op = d->mac.op;
	const struct npu_gather *g = &d->mac.gather;
	const struct npu_depthwise8 to = npu_depthwise_group(d, group);
	const u32 apart = g->dilation_h;
	struct npu_window_rows in = { .step = op->ifm.stride_x, .to_step = op->ofm.stride_x, .groups = groups,
				      .group_from = npu_fm_stride_group(&op->ifm), .group_to = npu_fm_stride_group(&op->ofm),
				      .group_weights = d->mac.weights->group_step, .in_width = g->up_width, .first = -g->pad_left,
				      .apart = g->dilation_w, .width = op->ofm.width, .lines = (u8)g->kernel_h, .stride = g->stride_w, .channels = (u8)channels,
				      .flip = g->flip, .pad = g->pad };

	for (u32 first = d->first; first < d->end && first < d->first + apart; first++)
		for (u32 y = first; y < d->end && !npu_given_up(d->mac.view); y += in.rows * apart) {
			in.rows = rows_together(d, (d->end - y + apart - 1) / apart);
			place_rows(d, y, group, &in);
			d->mac.simd->window_rows(&to, &in);
		}
}

u32 npu_depthwise_down(const struct depthwise *d, u32 group, u32 end)
{
	const u32 depth = d->mac.op->ofm.depth, left = depth - group * NPU_GROUP;
	u32 n = 0;

	if (!d->down)
		return 0;
	while (group + n < end && npu_estimates(d->mac.channels.rescale + group + n, &d->mac.sink.narrow))
		n++;
	const u32 whole = n * NPU_GROUP <= left ? n : n - 1;
	if (whole)
		run_down(d, group, whole, NPU_GROUP);
	if (whole < n)
		run_down(d, group + whole, 1, left % NPU_GROUP);
	return n;
}

/* The same of int16, wherever pixels lie. */
static void run_words(const struct depthwise *d, u32 group, unsigned channels)
{
	const struct npu_op *op = d->mac.op;
	const u32 most = op->stride_y == 1 ? 2 : 1;
	const i64 from = group * npu_fm_stride_group(&op->ifm), to = group * npu_fm_stride_group(&op->ofm);
	struct npu_window_words w = { .step = op->ifm.stride_x, .in_width = d->mac.gather.up_width, .first = -op->pad_left, .width = op->ofm.width,
				      .stride = op->stride_x, .channels = (u8)channels, .to_step = op->ofm.stride_x,
				      .weights = (const i16 *)d->mac.weights->weights + group * d->mac.weights->group_step,
				      .start = d->mac.channels.start + group * NPU_GROUP, .rescale = d->mac.channels.rescale + group,
				      .narrow = &d->mac.sink.narrow16 };

	for (u32 y = d->first, rows; y < d->end && !npu_given_up(d->mac.view); y += rows) {
		rows = d->end - y < most ? d->end - y : most;
		for (u32 i = 0; i < rows + 2; i++) {
			const i32 row = (i32)(y * op->stride_y + i) - op->pad_top;
			const bool inside = row >= 0 && (u32)row < d->mac.gather.up_height;
			w.row[i] = inside ? npu_fm_pixel(&op->ifm, d->mac.view->ifm, (u32)row, 0) + from : NULL;
		}
		for (u32 r = 0; r < 2; r++)
			w.to[r] = r < rows ? (u8 *)npu_fm_pixel(&op->ofm, (const u8 *const *)d->mac.view->ofm, y + r, 0) + to : NULL;
		d->mac.simd->window_words(&w);
	}
}

bool npu_depthwise_window(const struct depthwise *d, u32 group, unsigned channels, bool direct)
{
	if (d->words && !d->mac.channels.rescale[group].negative) {
		run_words(d, group, channels);
		return true;
	}
	if (direct ? !d->window : !is_window_apart(d, group, channels))
		return false;
	run_window(d, group, channels, direct);
	return true;
}
