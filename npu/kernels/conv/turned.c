/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/conv/turned.h"

#include "npu/kernels/conv/mac.h"

#define LEAST_HEIGHT 4 /* results that are worth it */

/* Whether a column's pixels are all there is, each one's channels in one run. */
static bool is_column(const struct npu_fm *fm)
{
	return fm->width == 1 && !fm->tiled && (fm->format == NPU_NHWC || fm->depth <= NPU_GROUP || fm->stride_c == NPU_GROUP * (i64)fm->bytes);
}

/* A kernel of one column has its weights in the same order, turned or not: sub-kernels are as high as wide, and steps of a U85's stream change places with it. */
bool npu_turns(const struct npu_op *op)
{
	return npu_is_mac(op) && op->kernel_w == 1 && op->ofm.height >= LEAST_HEIGHT && is_column(&op->ifm) && is_column(&op->ofm) && op->up_width == 1 &&
	       !op->upscale && !op->phase && !op->pad_left && !op->pad_right;
}

/* The column as a row. */
static void turn_map(struct npu_fm *fm)
{
	const i64 down = fm->stride_y;

	fm->stride_y = fm->stride_x;
	fm->stride_x = down;
	fm->stride_c = fm->bytes;
	fm->format = NPU_NHWC;
	fm->width = fm->width0 = fm->height;
	fm->height = fm->height0 = fm->height1 = 1;
}

static void turn(struct npu_op *to, const struct npu_op *op)
{
	*to = *op;
	turn_map(&to->ifm);
	turn_map(&to->ofm);
	to->u85.stored = to->ofm;
	to->kernel_h = 1;
	to->kernel_w = op->kernel_h;
	to->stride_y = op->stride_x;
	to->stride_x = op->stride_y;
	to->dilation_y = op->dilation_x;
	to->dilation_x = op->dilation_y;
	to->pad_top = to->pad_bottom = 0;
	to->pad_left = op->pad_top;
	to->pad_right = op->pad_bottom;
	to->up_height = 1;
	to->up_width = op->up_height;
}

bool npu_fast_turned(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	if (!npu_turns(op))
		return false;
	struct npu_again *const again = k->again;
	struct npu_op *const room = npu_again_room(k, sizeof(*room)), own, *const turned = room ? room : &own;

	turn(turned, op);
	k->again = room ? again : NULL;
	const bool done = (op->kind == NPU_CONV ? npu_fast_conv : npu_fast_depthwise)(k, turned, view);
	k->again = again;
	return done;
}
