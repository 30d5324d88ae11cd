/* SPDX-License-Identifier: Apache-2.0 */
/* The larger or lower of two maps' elements where no scaling or zero point makes others of them (struct npu_extreme). */
#include "npu/kernels/elementwise/elementwise.h"
#include "npu/kernels/rows/extremes.h"

bool npu_elementwise_extremes_init(struct npu_elementwise_rows *e, npu_walk_row *apart)
{
	const struct npu_op *op = e->op;

	if (!e->simd->extremes || op->ifm2_scalar || op->ofm_scale.scale != 1 || op->ofm_scale.shift != 0 || op->output != NPU_OUT_CLAMP ||
	    !npu_extreme_init(&e->extreme, op, op->lo, op->hi))
		return false;
	e->apart = apart;
	return true;
}

bool npu_elementwise_extremes_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows,
				   size_t n)
{
	const struct npu_elementwise_rows *e = ctx;

	return npu_extreme_grid(e->simd, &e->extreme, p, down, stride, rows, n);
}

void npu_elementwise_extremes_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	const i64 down[NPU_WALK_MAPS] = { 0 };

	if (!npu_elementwise_extremes_grid(ctx, p, down, stride, 1, n))
		e->apart(ctx, p, stride, n);
}
