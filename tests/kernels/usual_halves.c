/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/kernels/usual_halves.h"

#include "npu/u85/arith.h"
#include "npu/u85/u85.h"

static void half_types(struct rng *r, struct npu_op *op)
{
	op->ifm.bytes = op->ofm.bytes = 2;
	op->ifm.is_signed = op->ofm.is_signed = 1;
	op->ifm.zero_point = rng_below(r, 3) ? 0 : rng_range(r, -300, 300);
	op->ofm.zero_point = rng_below(r, 3) ? 0 : rng_range(r, -300, 300);
}

/* What leaves values of int16, or a whole number and less than one bit, or whatever else. */
static struct npu_scale half_scale(struct rng *r, u8 shift)
{
	struct npu_scale s = { .scale = (u32)rng_range(r, 1 << 30, INT32_MAX), .shift = shift, .first = 31 };

	s.round = (u8)rng_below(r, 2);
	if (rng_one_in(r, 3)) {
		s.scale = 1 + rng_below(r, rng_below(r, 2) ? 8 : 40000);
		s.shift = (u8)rng_below(r, 16);
	}
	return s;
}

void usual_halves_elementwise(struct rng *r, struct npu_op *op)
{
	if ((op->mode != NPU_EW_MUL && op->mode != NPU_EW_LRELU) || rng_one_in(r, 3))
		return;
	half_types(r, op);
	op->ofm_scale = half_scale(r, (u8)(op->mode == NPU_EW_MUL ? rng_range(r, 44, 47) : rng_range(r, 30, 34)));
}

void usual_halves_pool(struct rng *r, struct npu_op *op)
{
	op->mode = NPU_POOL_AVERAGE;
	op->kernel_h = op->kernel_w = op->stride_y = op->stride_x = op->dilation_y = op->dilation_x = 1;
	op->pad_top = op->pad_bottom = op->pad_left = op->pad_right = op->upscale = 0;
	op->ifm.height = op->up_height = op->ofm.height;
	op->ifm.width = op->up_width = op->ofm.width;
	op->ifm.depth = op->ofm.depth;
	half_types(r, op);
	op->ofm_scale = half_scale(r, (u8)rng_range(r, 28, 34));
}

bool usual_halves_curve(const struct npu_op *op)
{
	return op->kind == NPU_POOL && op->kernel_h * op->kernel_w == 1 && op->ifm.bytes == 2 && op->ofm.bytes == 2;
}

static struct npu85_scale half_scale85(struct rng *r, u8 shift)
{
	const struct npu_scale s = half_scale(r, shift);
	const u8 round = (u8)rng_below(r, 6), dbl = (u8)(rng_below(r, 2) ? 0 : rng_below(r, 32));

	return (struct npu85_scale){ .scale = s.scale, .shift = s.shift, .round = round, .dbl = dbl };
}

static void clipped(struct rng *r, struct npu_op *op, u8 table)
{
	op->u85.table = table;
	op->u85.table_offset = 0;
	op->u85.clip_off = 0;
	op->u85.clip_signed = 1;
	op->lo = rng_below(r, 2) ? INT16_MIN : rng_range(r, INT16_MIN, -1000);
	op->hi = rng_below(r, 2) ? INT16_MAX : rng_range(r, 1000, INT16_MAX);
	op->output = table ? NPU_OUT_LUT8 : NPU_OUT_CLAMP;
}

void usual_halves_output85(struct rng *r, struct npu_op *op)
{
	static const u8 tables[] = { NPU85_TABLE_S16_S16, NPU85_TABLE_TANH, NPU85_TABLE_SIGMOID };
	struct npu85_op *u = &op->u85;

	if (op->ifm.bytes != 2 || op->ofm.bytes != 2 || rng_one_in(r, 4))
		return;
	if (op->kind == NPU_POOL && op->kernel_h * op->kernel_w == 1 && !op->per_channel && rng_below(r, 2)) {
		u->ofm_scale = half_scale85(r, (u8)rng_range(r, 28, 34));
		clipped(r, op, tables[rng_below(r, 3)]);
	}
	if (op->kind == NPU_ELEMENTWISE && op->mode == NPU_EW_MUL) {
		u->ofm_scale = half_scale85(r, (u8)rng_range(r, 44, 47));
		clipped(r, op, NPU85_TABLE_NONE);
	}
	if (op->kind == NPU_ELEMENTWISE && op->mode == NPU_EW_LRELU) {
		u->ifm_scale = half_scale85(r, (u8)rng_range(r, 30, 34));
		u->ifm2_scale = half_scale85(r, (u8)rng_range(r, 30, 34));
		u->ofm_scale = (struct npu85_scale){ .scale = 1 };
		clipped(r, op, rng_one_in(r, 4) ? tables[rng_below(r, 3)] : NPU85_TABLE_NONE);
	}
}
