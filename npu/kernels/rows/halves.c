/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of int16 to int16; see halves.h. */
#include "npu/kernels/rows/halves.h"

#include "npu/kernels/fm.h"
#include "npu/kernels/rows/tabled.h"
#include "npu/sigmoid.h"

/* Rows of less than a vector take as long as one each, and less when they are brought together. */
static bool is_short(const struct npu_halves *h)
{
	return h->rows > 1 && h->n < NPU_GROUP;
}

bool npu_unary16_run(const struct npu_simd *simd, const struct npu_unary16 *u, const struct npu_halves *h)
{
	if (h->stride[0] != sizeof(i16) || h->stride[1] != sizeof(i16) || is_short(h))
		return false;
	simd->unary16(u, &(struct npu_words_grid){ .a = h->p[1], .to = h->p[0], .down_a = h->down[1], .down_to = h->down[0], .rows = h->rows, .n = h->n });
	return true;
}

void npu_unary16_begin(struct npu_unary16 *u, const struct npu_simd *simd, const struct npu_op *op, u8 room[NPU_CURVE_BYTES])
{
	const bool pays = simd->curve_bytes && u->curved && !u->signs && npu_table_pays(op);

	u->curve.bytes = pays && simd->curve_bytes(&u->curve, room) ? room : NULL;
}

void npu_words_begin(struct npu_words *w, struct npu_unary16 *u, const struct npu_simd *simd, const struct npu_op *op, u8 room[NPU_CURVE_BYTES])
{
	npu_unary16_begin(u, simd, op, room);
	w->table = u->curve.bytes ? NULL : u->curve.table;
}

void npu_unary16_in_place(const struct npu_simd *simd, const struct npu_unary16 *u, u8 *to, i64 down, size_t rows, size_t n)
{
	simd->unary16(u, &(struct npu_words_grid){ .a = to, .to = to, .down_a = down, .down_to = down, .rows = rows, .n = n });
}

bool npu_mul16_run(const struct npu_simd *simd, const struct npu_mul16 *m, unsigned a, unsigned b, const struct npu_halves *h)
{
	const unsigned first = b && !h->stride[a] && m->zero_a == m->zero_b ? b : a, second = first == a ? b : a;
	const i64 step = b ? h->stride[second] : 0;

	if (h->stride[0] != sizeof(i16) || h->stride[first] != sizeof(i16) || (step && step != sizeof(i16)) || is_short(h))
		return false;
	simd->mul16(m, &(struct npu_words_grid){ .a = h->p[first], .b = b ? h->p[second] : NULL, .to = h->p[0], .down_a = h->down[first],
						 .down_b = b ? h->down[second] : 0, .down_to = h->down[0], .step_b = step, .rows = h->rows, .n = h->n });
	return true;
}

bool npu_is_half(const struct npu_fm *fm)
{
	return fm->bytes == 2 && fm->is_signed && fm->zero_point == (i16)fm->zero_point;
}

bool npu_stores_half(const struct npu_op *op)
{
	return op->ofm.bytes == 2 && op->lo >= INT16_MIN && op->hi <= INT16_MAX && op->ofm.zero_point == (i16)op->ofm.zero_point;
}

bool npu_scale_first(struct npu_operand8 *o, u32 scale, u8 shift, u64 reach)
{
	const bool whole = scale && shift < 32 && scale % (UINT32_C(1) << shift) == 0; /* nothing is rounded */

	if (whole)
		scale >>= shift;
	if (reach * scale > INT32_MAX)
		return false;
	o->factor = (i32)scale;
	o->scaled = shift != 0 && !whole;
	o->by_sign = false;
	return true;
}

static bool stage_by_factor(struct npu_operand8 *o, struct npu_scale s, u64 reach)
{
	if (!npu_scale_first(o, s.scale, s.shift, reach))
		return false;
	s.scale = 1;
	return !o->scaled || npu_rescale_all(&o->rescale, s);
}

/* Values up to `reach` < 2^32; what that gives has 32 bits. */
static bool stage_init(struct npu_operand8 *o, struct npu_scale s, u64 reach)
{
	o->scaled = true;
	o->by_sign = false;
	if (!s.shift || reach > INT32_MAX || !npu_rescale_values(&o->rescale, s, reach))
		return stage_by_factor(o, s, reach);
	o->factor = 1 << o->rescale.left;
	return true;
}

/* As a table of pieces: of magnitudes, 2^15 less, so that bases are int16. From the last one on it is flat. */
static void unit_words(i32 words[NPU_CURVE_WORDS], i32 last)
{
	for (unsigned i = 0; i < NPU_CURVE_WORDS - 1; i++) {
		const i32 base = npu_sigmoid_table[i] - 32768, slope = npu_sigmoid_table[i + 1] - npu_sigmoid_table[i];
		words[i] = (i32)((u32)(u16)base | (u32)slope << 16);
	}
	words[NPU_CURVE_WORDS - 1] = last;
}

/* Whatever unit: its value is a base between -1/2 and 1/2, which tanh takes twice and sigmoid adds 1/2 to. Results of negative values are
 * rounded as ~r, for ties go upwards. */
static void unit_init(struct npu_curve16 *c, const struct npu_op *op, i32 words[NPU_CURVE_WORDS])
{
	const bool tanh = op->output == NPU_OUT_TANH;
	const u8 bits = tanh ? 8 : 9;
	const i32 limit = (NPU_CURVE_WORDS << bits) - 1;

	*c = (struct npu_curve16){ .table = words, .lo = -limit, .hi = limit, .bits = bits, .folds = true, .least = op->lo, .most = op->hi };
	c->down = tanh ? 8 : 10;
	c->add = tanh ? 1 << 7 : (1 << 24) + (1 << 9);
	unit_words(words, tanh ? 0x7fff : 0x7ffe);
}

static void segments_init(struct npu_curve16 *c, const struct npu_sink *sink)
{
	const struct npu_op *op = sink->op;

	*c = (struct npu_curve16){ .table = sink->lut + op->lut_offset, .zero_point = op->ofm.zero_point, .lo = op->lo, .hi = op->hi, .bits = 7,
				   .down = 7, .first = 256, .add = 64, .least = INT16_MIN, .most = INT16_MAX };
}

bool npu_unary16_init(struct npu_unary16 *u, const struct npu_sink *sink, struct npu_scale scale, i32 words[NPU_CURVE_WORDS])
{
	const struct npu_op *op = sink->op;
	const u64 reach = npu_fm_magnitude(&op->ifm);

	u->curved = op->output != NPU_OUT_CLAMP;
	u->signs = op->kind == NPU_ELEMENTWISE && op->mode == NPU_EW_LRELU;
	u->magnitudes = op->kind == NPU_ELEMENTWISE && op->mode == NPU_EW_ABS;
	if (!sink->simd->unary16 || (u->magnitudes && u->curved) || !npu_is_half(&op->ifm) || !npu_stores_half(op) || (u->curved && op->output != NPU_OUT_LUT16 && !(npu_is_unit(op) && words && npu_table_pays(op))) ||
	    !stage_init(u->signs ? &u->down : &u->up, scale, reach))
		return false;
	if (u->signs) {
		u->up.factor = 1;
		u->up.scaled = u->up.by_sign = false;
	}
	u->zero_point = op->ifm.zero_point;
	if (npu_is_unit(op))
		unit_init(&u->curve, op, words);
	else if (u->curved)
		segments_init(&u->curve, sink);
	else
		u->curve = (struct npu_curve16){ 0 };
	u->narrow = sink->narrow16;
	return true;
}

bool npu_mul16_init(struct npu_mul16 *m, const struct npu_sink *sink, i64 factor)
{
	const struct npu_op *op = sink->op;
	const u64 reach = npu_fm_magnitude(&op->ifm) * (op->ifm2_scalar ? (u64)(factor < 0 ? -factor : factor) : npu_fm_magnitude(&op->ifm2));

	if (!sink->simd->mul16 || op->mode != NPU_EW_MUL || !npu_is_half(&op->ifm) || !(op->ifm2_scalar || npu_is_half(&op->ifm2)) || !sink->narrow16_valid ||
	    !npu_stores_half(op) || reach > INT32_MAX || !stage_init(&m->scale, op->ofm_scale, reach))
		return false;
	m->zero_a = op->ifm.zero_point;
	m->zero_b = op->ifm2_scalar ? 0 : op->ifm2.zero_point;
	m->factor = op->ifm2_scalar ? (i32)factor : 0;
	m->narrow = sink->narrow16;
	return true;
}
