/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/gather.h"

#include <string.h>

#include "npu/kernels/fm.h"

bool npu_gather_fits_i16(const struct npu_op *op)
{
	const struct npu_fm *ifm = &op->ifm;

	/* element - zero point must fit int16 */
	if (ifm->bytes == 1)
		return ifm->zero_point > -32000 && ifm->zero_point < 32000;
	return ifm->bytes == 2 && ifm->is_signed && ifm->zero_point == 0;
}

u32 npu_gather_pad(const struct npu_op *op)
{
	return (u32)(op->ifm.zero_point + (op->ifm.is_signed ? 128 : 0));
}

bool npu_gather_fits_u8(const struct npu_op *op)
{
	return op->ifm.bytes == 1 && npu_gather_pad(op) <= 255;
}

void npu_gather_init(struct npu_gather *g, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_fm *ifm = &op->ifm;

	*g = (struct npu_gather){
		.stride_y = ifm->stride_y,
		.stride_x = ifm->stride_x,
		.stride_c = ifm->stride_c,
		.stride_group = npu_fm_stride_group(ifm),
		.height0 = ifm->height0,
		.width0 = ifm->width0,
		.height1 = ifm->height1,
		.depth = ifm->depth,
		.ofm_width = op->ofm.width,
		.kernel_h = op->kernel_h,
		.kernel_w = op->kernel_w,
		.up_height = op->up_height,
		.up_width = op->up_width,
		.pad_top = op->pad_top,
		.pad_left = op->pad_left,
		.stride_h = op->stride_y,
		.stride_w = op->stride_x,
		.dilation_h = op->dilation_y,
		.dilation_w = op->dilation_x,
		.upscale = op->upscale,
		.bytes = ifm->bytes,
		.is_signed = ifm->is_signed,
		.bricks = ifm->format == NPU_NHCWB16 && ifm->depth > NPU_GROUP, /* one brick is one run of channels */
		.splits_rows = npu_fm_splits_rows(ifm),
		.zero_point = ifm->zero_point,
		.flip = ifm->is_signed ? 128 : 0,
		.pad = (u8)npu_gather_pad(op),
	};
	memcpy(g->tile, view->ifm, sizeof(g->tile));
	g->pointwise = op->kernel_h == 1 && op->kernel_w == 1 && !op->upscale && !g->splits_rows &&
		       !op->pad_top && !op->pad_left && !op->pad_bottom && !op->pad_right;
	g->row_runs = !g->bricks && !ifm->tiled && !g->upscale && g->dilation_w == 1 &&
		      g->stride_x == (i64)g->depth * g->bytes;
	g->brick_runs = g->bricks && !ifm->tiled && !g->upscale && g->depth % NPU_GROUP == 0;
	g->end = g->tile[0];
	if (g->row_runs && g->stride_y > 0)
		g->end += g->stride_y * (ifm->height - 1) + g->stride_x * ifm->width;
}
