/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/conv/turned.h"

#include <string.h>

#include "npu/kernels/conv/mac.h"
#include "npu/kernels/fm.h"

enum {
	LEAST_HEIGHT = 4,     /* results that are worth it */
	MOST_BYTES = 1 << 16, /* of a column in tiles, which is brought together */
};

struct turned {
	struct npu_op op;
	/* Of a column in tiles. */
	struct npu_view view;
	const struct npu_op *from;
	const struct npu_view *from_view;
	u8 *column;
	npu_again_fn *run;
	void *ctx;
};

/* Whether a column's pixels are all there is, each one's channels in one run. */
static bool is_column(const struct npu_fm *fm)
{
	return fm->width == 1 && (fm->format == NPU_NHWC || fm->depth <= NPU_GROUP || fm->stride_c == NPU_GROUP * (i64)fm->bytes);
}

static size_t pixel_bytes(const struct npu_fm *fm)
{
	return (size_t)fm->depth * fm->bytes;
}

/* A kernel of one column has its weights in the same order, turned or not: sub-kernels are as high as wide, and steps of a U85's stream change places with it. */
bool npu_turns(const struct npu_op *op)
{
	return npu_is_mac(op) && op->kernel_w == 1 && op->ofm.height >= LEAST_HEIGHT && is_column(&op->ifm) && is_column(&op->ofm) && !op->ofm.tiled && op->up_width == 1 &&
	       (!op->ifm.tiled || (u64)op->ifm.height * pixel_bytes(&op->ifm) <= MOST_BYTES) &&
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

/* Pixels in tiles, one behind the other. */
static void bring_together(struct turned *t)
{
	const struct npu_fm *const fm = &t->from->ifm;
	const size_t bytes = pixel_bytes(fm);

	t->view = *t->from_view;
	for (u32 y = 0; y < fm->height; y++)
		memcpy(t->column + y * bytes, npu_fm_pixel(fm, t->from_view->ifm, y, 0), bytes);
	memset(t->view.ifm, 0, sizeof(t->view.ifm));
	t->view.ifm[0] = t->column;
}

static bool run_together(struct npu_kernels *k, void *room)
{
	struct turned *const t = room;

	bring_together(t);
	return t->run(k, t->ctx);
}

static bool multiply(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	return (op->kind == NPU_CONV ? npu_fast_conv : npu_fast_depthwise)(k, op, view);
}

static bool multiply_together(struct npu_kernels *k, struct turned *t, const struct npu_op *op, const struct npu_view *view)
{
	t->from = op;
	t->from_view = view;
	bring_together(t);
	if (!multiply(k, &t->op, &t->view))
		return false;
	if (!k->again || !k->again->run)
		return true;
	t->run = k->again->run;
	t->ctx = k->again->ctx;
	npu_again_keep(k, t, run_together);
	return true;
}

bool npu_fast_turned(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	if (!npu_turns(op))
		return false;
	const size_t bytes = op->ifm.tiled ? op->ifm.height * pixel_bytes(&op->ifm) : 0;
	struct npu_again *const again = k->again;
	struct turned *const room = npu_again_room(k, sizeof(*room) + bytes), own, *const turned = room ? room : &own;
	struct npu_op from = *op;

	if (op->ifm.tiled) {
		turned->column = room ? (u8 *)(room + 1) : npu_scratch(&k->column, bytes);
		if (!turned->column)
			return false;
		from.ifm.tiled = from.ifm.stacked = 0;
		from.ifm.stride_y = (i64)pixel_bytes(&op->ifm);
	}
	turn(&turned->op, &from);
	k->again = room ? again : NULL;
	const bool done = op->ifm.tiled ? multiply_together(k, turned, op, view) : multiply(k, &turned->op, view);
	k->again = again;
	return done;
}
