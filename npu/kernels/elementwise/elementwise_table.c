/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and differences of bytes through a table of 256 int32: byte_words.h. */
#include "npu/kernels/elementwise/elementwise.h"

static bool is_plain(const struct npu_operand *o)
{
	return !o->left && o->scale.scale == 1 && o->scale.shift == 0;
}

static struct npu_byte_term term_of(const struct npu_operand *o)
{
	return (struct npu_byte_term){ o->sign, o->fm->zero_point, o->fm->is_signed };
}

bool npu_elementwise_table_init(struct npu_elementwise_rows *e)
{
	const struct npu_op *op = e->op;

	if ((op->mode != NPU_EW_ADD && op->mode != NPU_EW_SUB) || op->output != NPU_OUT_LUT32 || op->ifm.bytes != 1 || op->ifm2.bytes != 1 ||
	    op->ofm.bytes != 4 || op->ofm_scale.scale != 1 || op->ofm_scale.shift != 0 || !is_plain(&e->first) || !is_plain(&e->second))
		return false;
	const struct npu_byte_term a = term_of(&e->first), b = term_of(&e->second);
	return npu_byte_words_init(&e->byte_words, &a, op->ifm2_scalar ? NULL : &b, (i64)op->ofm.zero_point + (op->ifm2_scalar ? e->second.constant : 0),
				   op->lo, op->hi);
}

bool npu_elementwise_table_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows,
				size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	const bool one = e->op->ifm2_scalar;
	const struct npu_byte_grid g = { .a = p[1], .b = one ? NULL : p[2], .to = p[0], .down_a = down[1], .down_b = one ? 0 : down[2],
					 .down_to = down[0], .step_b = one ? 0 : stride[2], .rows = rows, .n = n };

	if (stride[0] != sizeof(i32) || stride[1] != 1 || (g.step_b && g.step_b != 1) || npu_walk_joins(rows, n, down[1], 1, down[0], sizeof(i32)))
		return false;
	npu_byte_words_rows(&e->byte_words, e->sink.lut + e->op->lut_offset, &g);
	return true;
}

void npu_elementwise_table_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const i64 down[NPU_WALK_MAPS] = { 0 };

	if (!npu_elementwise_table_grid(ctx, p, down, stride, 1, n))
		npu_elementwise32_row(ctx, p, stride, n);
}
