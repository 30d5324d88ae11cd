/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/u85/elementwise.h"

static void row_of_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu85_elementwise *e = ctx;
	const i64 down[NPU_WALK_MAPS] = { 0 };

	if (!e->grid(ctx, p, down, stride, 1, n))
		e->apart(ctx, p, stride, n);
}

void npu85_rows_by_grid(struct npu85_elementwise *e, npu_walk_grid *grid, npu_walk_row *apart)
{
	e->apart = apart;
	e->row = row_of_grid;
	e->grid = grid;
}
