/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise operations: generic path.
 *
 * 8/16-bit ADD and SUB bring their operands to a common scale first; which operand is scaled
 * is said by op->operand_scaling, the other one is shifted left by L so that both have the
 * same unit. 32-bit operations scale by a shift only (op->scale_is_one).
 * Shifts by less than 0 or more than 31 are not documented: limited to 0..31. */
#include "npu/arith.h"
#include "npu/exec.h"

struct operands {
	i64 a, b;
};

static void scale_operands(const struct npu_op *op, struct operands *o)
{
	unsigned left = op->ifm.bytes == 1 ? 19 : 14;

	switch (op->operand_scaling) {
	case NPU_OPERANDS_16:
		o->a *= op->opa.scale;
		o->b *= op->opb.scale;
		break;
	case NPU_OPERAND_A:
		o->a = npu_scale_round(o->a, op->opa);
		o->b = (i64)((u64)o->b << left);
		break;
	default:
		o->a = (i64)((u64)o->a << left);
		o->b = npu_scale_round(o->b, op->opb);
		break;
	}
}

static i64 count_leading_zeros(i64 v)
{
	u32 bits = (u32)v;
	return bits ? __builtin_clz(bits) : 32;
}

/* Softmax of a thousand nearly equal values shifts by 33: nothing is left, as in TensorFlow Lite. */
static i64 shift_right(i64 a, i64 b, u8 round)
{
	unsigned s = (unsigned)npu_clamp(b, 0, 63);

	if (round == NPU_ROUND_NATURAL)
		return (i64)npu_round_up(a, s);
	if (round == NPU_ROUND_TRUNCATE)
		return a >> s;
	return (i64)npu_round_away(a, s);
}

/* Keeps the low bits, as TOSA's LOGICAL_LEFT_SHIFT, which the compiler maps to it. */
static i64 shift_left(i64 a, i64 b)
{
	return (i32)((u32)a << npu_clamp(b, 0, 31));
}

static i64 elementwise(const struct npu_op *op, struct operands o)
{
	struct npu_scale s = op->ofm_scale;

	switch (op->mode) {
	case NPU_EW_MUL:
		return npu_scale_round(o.a * o.b, s);
	case NPU_EW_ADD:
	case NPU_EW_SUB:
		if (op->ifm.bytes < 4)
			scale_operands(op, &o);
		return npu_scale_round(op->mode == NPU_EW_ADD ? o.a + o.b : o.a - o.b, s);
	case NPU_EW_MIN:
		return npu_scale_round(o.a < o.b ? o.a : o.b, s);
	case NPU_EW_MAX:
		return npu_scale_round(o.a > o.b ? o.a : o.b, s);
	case NPU_EW_LRELU:
		return o.a < 0 ? npu_scale_round(o.a, s) : o.a;
	case NPU_EW_ABS:
		return npu_scale_round(o.a < 0 ? -o.a : o.a, s);
	case NPU_EW_CLZ:
		return count_leading_zeros(o.a);
	case NPU_EW_SHR:
		return shift_right(o.a, o.b, s.round);
	default:
		return shift_left(o.a, o.b);
	}
}

i64 npu_elementwise_value(const struct npu_op *op, i64 first, i64 other)
{
	struct operands o = { .a = op->swap ? other : first, .b = op->swap ? first : other };
	return elementwise(op, o);
}

static i64 second(struct npu_exec *e, u32 y, u32 x, u32 c)
{
	const struct npu_fm *fm = &e->op->ifm2;

	if (e->op->ifm2_scalar)
		return (i64)e->op->scalar - fm->zero_point;
	return npu_load(fm, e->view->ifm2, fm->height == 1 ? 0 : y, fm->width == 1 ? 0 : x,
			fm->depth == 1 ? 0 : c);
}

enum npu_exec_status npu_exec_elementwise(struct npu_exec *e)
{
	const struct npu_op *op = e->op;
	i32 *r = e->result;

	for (u32 y = 0; y < op->ofm.height; y++)
		for (u32 x = 0; x < op->ofm.width && !npu_given_up(e->view); x++)
			for (u32 c = 0; c < op->ofm.depth; c++) {
				i64 first = npu_load(&op->ifm, e->view->ifm, y, x, c);
				struct operands o = { .a = first };
				if (!op->unary) {
					o.b = second(e, y, x, c);
					if (op->swap)
						o = (struct operands){ .a = o.b, .b = first };
				}
				*r++ = npu_output_value(op, e->view->lut, elementwise(op, o));
			}
	return NPU_EXEC_OK;
}
