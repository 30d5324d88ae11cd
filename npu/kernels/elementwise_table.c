/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and differences of bytes through a table of 256 int32, which the exponentials of a softmax are: from bytes to words in registers,
 * whatever the layout. */
#include "npu/kernels/elementwise.h"

#if ROW_LEVEL == 3
static bool is_plain(const struct npu_operand *o)
{
	return !o->left && o->scale.scale == 1 && o->scale.shift == 0;
}
#endif

bool npu_elementwise_table_fits(const struct npu_elementwise_rows *e)
{
#if ROW_LEVEL == 3
	const struct npu_op *op = e->op;

	return (op->mode == NPU_EW_ADD || op->mode == NPU_EW_SUB) && op->output == NPU_OUT_LUT32 && op->ifm.bytes == 1 && op->ifm2.bytes == 1 &&
	       op->ofm.bytes == 4 && op->ofm_scale.scale == 1 && op->ofm_scale.shift == 0 && is_plain(&e->first) && is_plain(&e->second);
#else
	(void)e;
	return false;
#endif
}

#if ROW_LEVEL != 3
bool npu_elementwise_table_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows,
				size_t n)
{
	return false;
}
#endif

void npu_elementwise_table_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const i64 down[NPU_WALK_MAPS] = { 0 };

	if (!npu_elementwise_table_grid(ctx, p, down, stride, 1, n))
		npu_elementwise32_row(ctx, p, stride, n);
}
