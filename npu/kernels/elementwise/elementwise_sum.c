/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of bytes and of int16, and products of bytes, in registers from load to store (struct npu_add8, npu_add16, npu_mul8). */
#include "npu/kernels/elementwise/elementwise.h"

#include "npu/kernels/fm.h"
#include "npu/kernels/rows/halves.h"
#include "npu/kernels/rows/rescale.h"

#define MOST_LEFT 20 /* of operands whose first rounding is at bit 11 */

static bool operand8_init(struct npu_operand8 *o, const struct npu_operand *from)
{
	const struct npu_fm *fm = from->fm;
	struct npu_scale s = from->scale;

	*o = (struct npu_operand8){ .zero_point = fm->zero_point, .is_signed = fm->is_signed };
	if (from->left || (s.shift == 0 && s.scale <= UINT16_MAX)) {
		o->factor = from->left ? 1 << from->left : (i32)s.scale;
		return true;
	}
	/* shifted left by so much that the first rounding is at bit 31 */
	const unsigned left = 31u - s.first;
	if (left > MOST_LEFT || npu_fm_magnitude(fm) << left > INT32_MAX)
		return false;
	o->scaled = true;
	o->factor = 1 << left;
	s.shift = (u8)(s.shift + left);
	s.first = 31;
	return npu_rescale_all(&o->rescale, s);
}

/* True when the operation is one for npu_simd.add8; after npu_elementwise32_init(). */
bool npu_elementwise_sum_init(struct npu_elementwise_rows *e)
{
	const struct npu_op *op = e->op;
	struct npu_add8 *s = &e->sum;
	const bool constant = op->ifm2_scalar;

	if (!e->simd->add8 || (op->mode != NPU_EW_ADD && op->mode != NPU_EW_SUB) || (constant && op->swap) ||
	    op->ifm.bytes != 1 || op->ifm2.bytes != 1 || !e->sink.narrow_valid)
		return false;
	s->scaled = op->ofm_scale.scale != 1 || op->ofm_scale.shift != 0;
	if ((s->scaled && (!e->fast || e->fast->left)) ||
	    !operand8_init(&s->a, op->swap ? &e->second : &e->first) ||
	    (!constant && !operand8_init(&s->b, op->swap ? &e->first : &e->second)))
		return false;
	if (constant)
		s->b = (struct npu_operand8){ 0 };
	s->subtract = op->mode == NPU_EW_SUB;
	s->constant = e->second.constant;
	s->narrow = e->sink.narrow;
	if (s->scaled)
		s->rescale = e->rescale;
	s->estimate = false;
	if (!constant)
		npu_add8_estimate(s);
	return true;
}

/* The same for npu_simd.mul8. */
bool npu_elementwise_product_init(struct npu_elementwise_rows *e)
{
	const struct npu_op *op = e->op;
	struct npu_mul8 *s = &e->product;

	if (!e->simd->mul8 || op->mode != NPU_EW_MUL || op->ifm.bytes != 1 || (op->ifm2.bytes != 1 && !op->ifm2_scalar) || !e->sink.narrow_valid)
		return false;
	s->scaled = op->ofm_scale.scale != 1 || op->ofm_scale.shift != 0;
	s->rescale.left = 0;
	if (s->scaled && !e->fast)
		return false;
	if (s->scaled)
		s->rescale = e->rescale;
	s->zero_a = op->ifm.zero_point;
	s->signed_a = op->ifm.is_signed;
	s->zero_b = op->ifm2.zero_point;
	s->signed_b = op->ifm2.is_signed;
	s->factor = (i32)e->scalar;
	s->narrow = e->sink.narrow;
	npu_mul8_limit(s, npu_fm_magnitude(&op->ifm) * (op->ifm2_scalar ? (u64)(e->scalar < 0 ? -e->scalar : e->scalar) : npu_fm_magnitude(&op->ifm2)));
	return true;
}

bool npu_elementwise_sum16_init(struct npu_elementwise_rows *e, npu_walk_row *apart)
{
	const struct npu_op *op = e->op;
	struct npu_add16 *s = &e->sum16;
	const bool tabled = op->output == NPU_OUT_LUT16 && npu_stores_half(op);

	if (!e->simd->add16 || (op->mode != NPU_EW_ADD && op->mode != NPU_EW_SUB) || op->ifm2_scalar || op->ifm.bytes != 2 ||
	    op->ifm2.bytes != 2 || !op->ifm.is_signed || !op->ifm2.is_signed || (!tabled && !e->sink.narrow16_valid) || e->reach > INT32_MAX)
		return false;
	s->scaled = op->ofm_scale.scale != 1 || op->ofm_scale.shift != 0;
	if ((s->scaled && (!e->fast || e->fast->left)) ||
	    !operand8_init(&s->a, op->swap ? &e->second : &e->first) ||
	    !operand8_init(&s->b, op->swap ? &e->first : &e->second))
		return false;
	s->subtract = op->mode == NPU_EW_SUB;
	s->narrow = e->sink.narrow16;
	if (s->scaled)
		s->rescale = e->rescale;
	e->sum16_tabled = tabled;
	if (tabled)
		npu_unary16_pieces(&e->unary16, e->sink.lut + op->lut_offset, false);
	e->apart = apart;
	return true;
}

/* The second map's elements side by side; the others lie so, else NULL. */
static const u8 *second_beside(u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], unsigned bytes, size_t n, u8 room[NPU_ROW * 2])
{
	return stride[0] == bytes && stride[1] == bytes ? npu_row_beside(p[2], stride[2], bytes, n, room) : NULL;
}

void npu_elementwise_sum16_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	u8 room[NPU_ROW * 2];
	const u8 *const second = second_beside(p, stride, sizeof(i16), n, room);

	if (!second) {
		e->apart(ctx, p, stride, n);
		return;
	}
	npu_row_add16(e->simd, &e->sum16, e->op->swap ? second : p[1], e->op->swap ? p[1] : second, n, p[0]);
	if (e->sum16_tabled)
		npu_unary16_in_place(e->simd, &e->unary16, p[0], 0, 1, n);
}

/* Groups of channels of maps whose layouts differ are short rows: no copies that bring them together. */
bool npu_elementwise_sum16_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	const unsigned a = e->op->swap ? 2 : 1, b = 3 - a;
	const struct npu_words_grid g = { .a = p[a], .b = p[b], .to = p[0], .down_a = down[a], .down_b = down[b], .down_to = down[0], .step_b = stride[b],
					  .rows = rows, .n = n };

	if (n < NPU_GROUP || stride[0] != sizeof(i16) || stride[a] != sizeof(i16) || (stride[b] && stride[b] != sizeof(i16)))
		return false;
	e->simd->add16(&e->sum16, &g);
	if (e->sum16_tabled)
		npu_unary16_in_place(e->simd, &e->unary16, p[0], down[0], rows, n);
	return true;
}

/* Elements lie side by side in all maps that there are. */
static bool plain(const struct npu_elementwise_rows *e, const i64 stride[NPU_WALK_MAPS])
{
	return stride[0] == 1 && stride[1] == 1 && (e->op->ifm2_scalar || stride[2] == 1);
}

void npu_elementwise_sum_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	struct npu_elementwise_rows *e = ctx;
	u8 room[NPU_ROW * 2];
	const u8 *const second = e->op->ifm2_scalar ? NULL : second_beside(p, stride, 1, n, room);

	if (second || plain(e, stride)) {
		e->simd->add8(&e->sum, e->op->swap ? second : p[1], e->op->swap ? p[1] : second, n, p[0]);
		return;
	}
	npu_elementwise32_tables(e);
	npu_elementwise32_row(ctx, p, stride, n);
}

/* Groups of channels of maps whose layouts differ, and the last channels of bricks. */
bool npu_elementwise_sum_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows,
			      size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	const unsigned a = e->op->swap ? 2 : 1, b = 3 - a;
	const struct npu_words_grid g = { .a = p[a], .b = p[b], .to = p[0], .down_a = down[a], .down_b = down[b], .down_to = down[0], .rows = rows, .n = n };

	return e->simd->add8_rows && !e->op->ifm2_scalar && plain(e, stride) && e->simd->add8_rows(&e->sum, &g);
}

void npu_elementwise_product_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	u8 room[NPU_ROW * 2];
	const u8 *const second = e->op->ifm2_scalar ? NULL : second_beside(p, stride, 1, n, room);

	if (second || plain(e, stride))
		e->simd->mul8(&e->product, p[1], second, n, p[0]);
	else
		npu_elementwise32_row(ctx, p, stride, n);
}

/* Bricks of pixels that lie one behind the other times the same brick. */
bool npu_elementwise_product_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows,
				  size_t n)
{
	const struct npu_elementwise_rows *e = ctx;

	if (e->op->ifm2_scalar || n != NPU_GROUP || !plain(e, stride) || down[0] != NPU_GROUP || down[1] != NPU_GROUP || down[2] != 0)
		return false;
	e->simd->mul8_repeated(&e->product, p[1], p[2], rows * n, p[0]);
	return true;
}
