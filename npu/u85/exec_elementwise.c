/* SPDX-License-Identifier: Apache-2.0 */
/* Ethos-U85: elementwise operations and resize, generic path. */
#include "npu/u85/arith.h"
#include "npu/u85/u85.h"

bool npu85_scales_operands(unsigned mode)
{
	return mode == NPU_EW_ADD || mode == NPU_EW_SUB || mode == NPU_EW_MIN || mode == NPU_EW_MAX ||
	       mode == NPU_EW_ABS || (mode >= NPU_EW_CMP_EQ && mode <= NPU_EW_CMP_GT);
}

static i64 logical_shift(i64 a, i64 b, unsigned bits)
{
	u64 pattern = bits < 64 ? (u64)a & ((UINT64_C(1) << bits) - 1) : (u64)a;
	return b < 0 || b > 63 ? 0 : (i64)(pattern >> b);
}

static i64 shift_right(const struct npu_op *op, i64 a, i64 b)
{
	struct npu85_scale s = { .scale = 1, .shift = (u8)npu_clamp(b, 0, 63), .round = op->u85.ofm_scale.round };
	return npu85_scale_round(a, s);
}

/* Division by zero is not documented: 0. */
static i64 divide(i64 a, i64 b)
{
	return b == -1 ? (i64)-(u64)a : b ? a / b : 0;
}

i64 npu85_elementwise_result(const struct npu_op *op, i64 a, i64 b)
{
	switch ((enum npu_elementwise)op->mode) {
	case NPU_EW_MUL: return npu85_mul(a, b);
	case NPU_EW_ADD: return npu85_add(a, b);
	case NPU_EW_SUB: return (i64)((u64)a - (u64)b);
	case NPU_EW_MIN: return a < b ? a : b;
	case NPU_EW_MAX: return a > b ? a : b;
	case NPU_EW_LRELU: return npu85_scale_round(a, a >= 0 ? op->u85.ifm_scale : op->u85.ifm2_scale);
	case NPU_EW_ABS: return a < 0 ? (i64)-(u64)a : a;
	case NPU_EW_CLZ: return (u32)a ? __builtin_clz((u32)a) : 32;
	case NPU_EW_SHR: return shift_right(op, a, b);
	case NPU_EW_SHL: return b < 0 || b > 63 ? 0 : (i64)((u64)a << b);
	case NPU_EW_LSR: return logical_shift(a, b, 8u * op->ifm.bytes);
	case NPU_EW_DIV: return divide(a, b);
	case NPU_EW_CMP_EQ: return -(a == b);
	case NPU_EW_CMP_NE: return -(a != b);
	case NPU_EW_CMP_GE: return -(a >= b);
	case NPU_EW_CMP_GT: return -(a > b);
	case NPU_EW_AND: return a & b;
	case NPU_EW_OR: return a | b;
	case NPU_EW_XOR: return a ^ b;
	case NPU_EW_NOT: return ~a;
	case NPU_EW_AND_NOT: return a & ~b;
	}
	return 0;
}

/* Scaled result for elements minus zero points; unary: b is 0. */
static i64 value_of(const struct npu_op *op, i64 a, i64 b)
{
	struct npu85_scale s = op->u85.ofm_scale;

	if (npu85_scales_operands(op->mode)) {
		a = npu85_scale_round(a, op->u85.ifm_scale);
		b = op->unary ? 0 : npu85_scale_round(b, op->u85.ifm2_scale);
	}
	/* 32-bit products are scaled by the shift alone */
	if (op->mode == NPU_EW_MUL && op->ifm.bytes == 4)
		s.scale = 1;
	return npu85_scale_round(npu85_elementwise_result(op, a, b), s);
}

void npu85_exec_elementwise(struct npu85_exec *x)
{
	const struct npu_op *op = x->op;
	i64 *r = x->value;

	for (u32 h = 0; h < op->ofm.height; h++)
		for (u32 w = 0; w < op->ofm.width && !npu_given_up(x->e->view); w++)
			for (u32 c = 0; c < op->ofm.depth; c++)
				*r++ = value_of(op, npu85_ifm(x, h, w, c), op->unary ? 0 : npu85_ifm2(x, h, w, c));
}

struct npu85_position npu85_position_of(u32 out, i32 n, i32 d, i32 offset)
{
	i64 at = (i64)out * d + offset;
	i64 index = at >= 0 ? at / n : -((-at + n - 1) / n);

	return (struct npu85_position){ index, at - index * n };
}

static i64 at(const struct npu85_exec *x, i64 h, i64 w, u32 c)
{
	const struct npu_fm *f = &x->op->ifm;

	return npu85_ifm(x, (u32)npu_clamp(h, 0, f->height - 1), (u32)npu_clamp(w, 0, f->width - 1), c);
}

static i64 resized(const struct npu85_exec *x, struct npu85_position py, struct npu85_position px, u32 c)
{
	i64 ny = x->op->u85.resize_y.n, nx = x->op->u85.resize_x.n;

	if (x->op->mode == NPU_RESIZE_REPLICATE)
		return at(x, py.index, px.index, c);
	if (x->op->mode == NPU_RESIZE_NEAREST)
		return at(x, py.index + (2 * py.rest >= ny), px.index + (2 * px.rest >= nx), c);
	i64 above = npu85_add(npu85_mul(at(x, py.index, px.index, c), nx - px.rest),
			      npu85_mul(at(x, py.index, px.index + 1, c), px.rest));
	i64 below = npu85_add(npu85_mul(at(x, py.index + 1, px.index, c), nx - px.rest),
			      npu85_mul(at(x, py.index + 1, px.index + 1, c), px.rest));
	return npu85_add(npu85_mul(above, ny - py.rest), npu85_mul(below, py.rest));
}

void npu85_exec_resize(struct npu85_exec *x)
{
	const struct npu_op *op = x->op;
	const struct npu85_op *u = &op->u85;
	i64 *r = x->value;

	for (u32 h = 0; h < op->ofm.height; h++)
		for (u32 w = 0; w < op->ofm.width && !npu_given_up(x->e->view); w++)
			for (u32 c = 0; c < op->ofm.depth; c++) {
				struct npu85_position py = npu85_position_of(h, u->resize_y.n, u->resize_y.d, u->resize_y.offset);
				struct npu85_position px = npu85_position_of(w, u->resize_x.n, u->resize_x.d, u->resize_x.offset);
				/* the unit delivers its result with 16 bits of fraction */
				*r++ = npu85_scale_round(npu85_mul(resized(x, py, px, c), 65536), u->ofm_scale);
			}
}
