/* SPDX-License-Identifier: Apache-2.0 */
/* U85's maxima and minima of two maps' elements as they are stored. */
#include "npu/kernels/rows/extremes.h"
#include "npu/kernels/u85/elementwise.h"

static bool extremes_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu85_elementwise *e = ctx;

	return npu_extreme_grid(e->simd, &e->extreme, p, down, stride, rows, n);
}

bool npu85_extremes_init(struct npu85_elementwise *e, npu_walk_row *apart)
{
	const struct npu_op *op = e->op;
	const bool clips = !op->u85.clip_off;

	if (!e->simd->extremes || e->single || !e->a.fm || !e->b.fm || !e->a.scale.none || !e->b.scale.none || !e->result.none || e->out.raw ||
	    op->u85.table || !npu_extreme_init(&e->extreme, op, clips ? op->lo : INT32_MIN, clips ? op->hi : INT32_MAX))
		return false;
	npu85_rows_by_grid(e, extremes_grid, apart);
	return true;
}
