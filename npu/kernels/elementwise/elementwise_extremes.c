/* SPDX-License-Identifier: Apache-2.0 */
/* The larger or lower of two maps' elements where no scaling or zero point makes others of them (struct npu_extreme). */
#include "npu/kernels/elementwise/elementwise.h"

static bool same_type(const struct npu_fm *a, const struct npu_fm *b)
{
	return a->bytes == b->bytes && a->is_signed == b->is_signed && a->zero_point == b->zero_point;
}

bool npu_elementwise_extremes_init(struct npu_elementwise_rows *e, npu_walk_row *apart)
{
	const struct npu_op *op = e->op;
	const struct npu_fm *ifm = &op->ifm;
	const i32 least = !ifm->is_signed ? 0 : ifm->bytes == 1 ? INT8_MIN : INT16_MIN, most = least + (ifm->bytes == 1 ? UINT8_MAX : UINT16_MAX);

	if (!e->simd->extremes || (op->mode != NPU_EW_MIN && op->mode != NPU_EW_MAX) || op->ifm2_scalar || ifm->bytes > 2 ||
	    (ifm->bytes == 2 && !ifm->is_signed) || !same_type(ifm, &op->ifm2) || !same_type(ifm, &op->ofm) || op->ofm_scale.scale != 1 ||
	    op->ofm_scale.shift != 0 || op->output != NPU_OUT_CLAMP || op->lo > op->hi || op->lo > most || op->hi < least)
		return false;
	e->extreme = (struct npu_extreme){ .bytes = (u8)ifm->bytes, .is_signed = ifm->is_signed, .most = op->mode == NPU_EW_MAX,
					   .lo = op->lo < least ? least : op->lo, .hi = op->hi > most ? most : op->hi };
	e->apart = apart;
	return true;
}

bool npu_elementwise_extremes_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows,
				   size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	const i64 bytes = e->extreme.bytes;
	const unsigned a = stride[1] ? 1 : 2, b = 3 - a; /* the second may be one for all */

	return stride[0] == bytes && stride[a] == bytes && (!stride[b] || stride[b] == bytes) &&
	       e->simd->extremes(&e->extreme, &(struct npu_words_grid){ .a = p[a], .b = p[b], .to = p[0], .down_a = down[a], .down_b = down[b],
									.down_to = down[0], .step_b = stride[b], .rows = rows, .n = n });
}

void npu_elementwise_extremes_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	const i64 down[NPU_WALK_MAPS] = { 0 };

	if (!npu_elementwise_extremes_grid(ctx, p, down, stride, 1, n))
		e->apart(ctx, p, stride, n);
}
