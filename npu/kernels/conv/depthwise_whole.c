/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwise convolutions to one pixel, which means over maps are: each element is read once and used once. */
#include "npu/kernels/conv/depthwise.h"

#include <string.h>

#include "npu/kernels/fm.h"

#define ROWS 64 /* done together */

void npu_depthwise_whole_init(struct depthwise *d)
{
	const struct npu_gather *g = &d->mac.gather;
	const struct npu_fm *ofm = &d->mac.op->ofm;

	d->whole = d->mac.simd->depthwise_rows && d->mac.u8 && ofm->height == 1 && ofm->width == 1 && g->stride_x == NPU_GROUP && g->dilation_w == 1 &&
		   !g->upscale && !g->splits_rows && g->up_width > 0;
}

/* Of the rows under the taps from `ky` on; where there is none, padding. */
static u32 find_rows(const struct depthwise *d, u32 ky, u32 group, const u8 *row[ROWS])
{
	const struct npu_gather *g = &d->mac.gather;
	const i64 offset = group * npu_fm_stride_group(&d->mac.op->ifm);
	const u32 n = g->kernel_h - ky < ROWS ? g->kernel_h - ky : ROWS;

	for (u32 i = 0; i < n; i++) {
		const i64 y = (i64)(ky + i) * g->dilation_h - g->pad_top;
		row[i] = y < 0 || y >= g->up_height ? NULL : npu_fm_pixel(&d->mac.op->ifm, d->mac.view->ifm, (u32)y, 0) + offset;
	}
	return n;
}

bool npu_depthwise_whole(const struct depthwise *d, u32 group, unsigned channels)
{
	const struct npu_gather *g = &d->mac.gather;
	const struct npu_packed *w = d->mac.weights;
	const i8 *weights = (const i8 *)w->weights + group * w->group_step;
	const struct npu_row_taps taps = { .sets = d->sets, .first = -g->pad_left, .in_width = g->up_width, .flip = g->flip, .pad = g->pad };
	NPU_LINE i32 acc[NPU_GROUP];
	const u8 *row[ROWS];
	struct npu_target target;
	struct npu_place at = { 0, 0 };

	if (!d->whole || channels < NPU_GROUP)
		return false;
	memcpy(acc, d->mac.channels.start + group * NPU_GROUP, sizeof(acc));
	for (u32 ky = 0, n; ky < g->kernel_h && !npu_given_up(d->mac.view); ky += n) {
		n = find_rows(d, ky, group, row);
		d->mac.simd->depthwise_rows(&taps, row, n, weights + (size_t)ky * d->sets * 4 * NPU_GROUP, acc);
	}
	npu_target_next(&target, d->mac.op, d->mac.view, &at, 1);
	npu_sink_store(&d->mac.sink, acc, &target, group);
	return true;
}
