/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise operations over rows.
 *
 * 8-bit in, 8-bit out with one operand from memory: a table of 256 results, made by the generic
 * path's own arithmetic. 8/16-bit operands whose sums or products are sure to fit: 32-bit
 * lanes; 8-bit operand scaling through a table. Everything else in 64 bits. */
#include <string.h>

#include "npu/arith.h"
#include "npu/exec.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/rows.h"

#define FEW_ELEMENTS 64 /* a table does not pay below */
#define LIMIT32 (INT64_C(1) << 30)

/* How one operand of a 32-bit ADD/SUB is brought to the common scale. */
struct operand {
	const struct npu_fm *fm;
	i32 sign;        /* -1: subtracted */
	bool tabled;
	i32 table[256];  /* 8-bit: by stored byte, scaled and signed */
	struct npu_scale scale;
	unsigned left;   /* shift left instead */
	i32 constant;    /* of a scalar operand, done */
};

struct elementwise {
	const struct npu_op *op;
	const struct npu_simd *simd;
	struct npu_sink sink;
	struct npu_rescale rescale;
	const struct npu_rescale *fast;
	struct operand first, second; /* IFM and IFM2, whatever the order */
	i64 scalar;
	struct npu_add8 sum;
	u8 table[256];
};

static i64 value_of_byte(const struct npu_fm *fm, unsigned byte)
{
	return (fm->is_signed ? (i8)byte : (i32)byte) - (i64)fm->zero_point;
}

static bool few(const struct npu_op *op)
{
	return (u64)op->ofm.height * op->ofm.width * op->ofm.depth < FEW_ELEMENTS;
}

static bool finite8(const struct npu_op *op)
{
	return op->ifm.bytes == 1 && op->ofm.bytes == 1 && (op->unary || op->ifm2_scalar);
}

/* ---- table ---- */

static void table_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS],
		      size_t n)
{
	const struct elementwise *e = ctx;
	npu_row_table(e->table, p[1], stride[1], p[0], stride[0], n);
}

static void table_fill(struct elementwise *e)
{
	const struct npu_op *op = e->op;
	for (unsigned b = 0; b < 256; b++) {
		i64 v = npu_elementwise_value(op, value_of_byte(&op->ifm, b), e->scalar);
		e->table[b] = (u8)npu_output_value(op, e->sink.lut, v);
	}
}

/* ---- 32-bit lanes ---- */

static i64 scaled(const struct operand *o, i64 v)
{
	return o->left ? v * (INT64_C(1) << o->left) : npu_scale_round(v, o->scale);
}

/* Largest magnitude after scaling: scaling is monotonic. */
static i64 reach_of(const struct operand *o)
{
	i64 m = (i64)npu_fm_magnitude(o->fm);
	i64 up = scaled(o, m), down = -scaled(o, -m);
	return up > down ? up : down;
}

static void operand_init(const struct npu_op *op, struct operand *o, const struct npu_fm *fm,
			 bool is_a, i64 scalar)
{
	unsigned left = op->ifm.bytes == 1 ? 19 : 14;
	u8 own = is_a ? NPU_OPERAND_A : NPU_OPERAND_B;

	*o = (struct operand){ .fm = fm, .sign = !is_a && op->mode == NPU_EW_SUB ? -1 : 1 };
	o->scale = is_a ? op->opa : op->opb;
	if (op->operand_scaling == NPU_OPERANDS_16) {
		o->scale.shift = 0;
		o->scale.round = NPU_ROUND_NATURAL;
	} else if (op->operand_scaling != own) {
		o->left = left;
	}
	if (reach_of(o) >= LIMIT32)
		return; /* refused by the caller */
	o->constant = (i32)(scaled(o, scalar) * o->sign);
}

static void operand_table(struct operand *o)
{
	o->tabled = o->fm->bytes == 1;
	for (unsigned b = 0; o->tabled && b < 256; b++)
		o->table[b] = (i32)(scaled(o, value_of_byte(o->fm, b)) * o->sign);
}

static void operand_load(const struct elementwise *e, const struct operand *o, const u8 *p,
			 i64 stride, size_t n, i32 *out)
{
	if (o->tabled) {
		if (stride == 0) {
			i32 v = o->table[*p];
			for (size_t i = 0; i < n; i++)
				out[i] = v;
			return;
		}
		for (size_t i = 0; i < n; i++)
			out[i] = o->table[p[(i64)i * stride]];
		return;
	}
	npu_row_load32(o->fm, p, stride, n, out);
	if (o->left) {
		for (size_t i = 0; i < n; i++)
			out[i] *= 1 << o->left;
	} else {
		npu_row_scale32(e->simd, NULL, out, n, o->scale);
	}
	if (o->sign < 0)
		for (size_t i = 0; i < n; i++)
			out[i] = -out[i];
}

static void second_load(const struct elementwise *e, u8 *const p[NPU_WALK_MAPS],
			const i64 stride[NPU_WALK_MAPS], size_t n, i32 *out)
{
	if (!e->op->ifm2_scalar) {
		npu_row_load32(&e->op->ifm2, p[2], stride[2], n, out);
		return;
	}
	for (size_t i = 0; i < n; i++)
		out[i] = (i32)e->scalar;
}

static void combine32(const struct elementwise *e, u8 *const p[NPU_WALK_MAPS],
		      const i64 stride[NPU_WALK_MAPS], size_t n, i32 *a, i32 *b)
{
	const struct npu_op *op = e->op;

	switch (op->mode) {
	case NPU_EW_ADD:
	case NPU_EW_SUB:
		operand_load(e, &e->first, p[1], stride[1], n, a);
		if (op->ifm2_scalar) {
			for (size_t i = 0; i < n; i++)
				a[i] += e->second.constant;
			return;
		}
		operand_load(e, &e->second, p[2], stride[2], n, b);
		for (size_t i = 0; i < n; i++)
			a[i] += b[i];
		return;
	case NPU_EW_MUL:
		npu_row_load32(&op->ifm, p[1], stride[1], n, a);
		second_load(e, p, stride, n, b);
		for (size_t i = 0; i < n; i++)
			a[i] *= b[i];
		return;
	case NPU_EW_MIN:
		npu_row_load32(&op->ifm, p[1], stride[1], n, a);
		second_load(e, p, stride, n, b);
		for (size_t i = 0; i < n; i++)
			a[i] = a[i] < b[i] ? a[i] : b[i];
		return;
	default: /* MAX */
		npu_row_load32(&op->ifm, p[1], stride[1], n, a);
		second_load(e, p, stride, n, b);
		for (size_t i = 0; i < n; i++)
			a[i] = a[i] > b[i] ? a[i] : b[i];
		return;
	}
}

/* ---- sums of bytes ---- */

static bool operand8_init(struct npu_operand8 *o, const struct operand *from)
{
	const struct npu_fm *fm = from->fm;
	struct npu_scale s = from->scale;

	*o = (struct npu_operand8){ .zero_point = fm->zero_point, .is_signed = fm->is_signed };
	if (from->left || (s.shift == 0 && s.scale <= INT16_MAX)) {
		o->factor = from->left ? 1 << from->left : (i32)s.scale;
		return true;
	}
	/* shifted left by so much that the first rounding is at bit 31 */
	unsigned left = 31u - s.first;
	o->scaled = true;
	o->factor = 1 << left;
	s.shift = (u8)(s.shift + left);
	s.first = 31;
	return left <= 20 && npu_fm_magnitude(fm) << left <= INT32_MAX && npu_rescale_all(&o->rescale, s);
}

/* True when the operation is one for npu_simd.add8; after init32(). */
static bool add8_init(struct elementwise *e)
{
	const struct npu_op *op = e->op;
	struct npu_add8 *s = &e->sum;

	if (!e->simd->add8 || (op->mode != NPU_EW_ADD && op->mode != NPU_EW_SUB) || op->ifm2_scalar ||
	    op->ifm.bytes != 1 || op->ifm2.bytes != 1 || !e->sink.narrow_valid || e->sink.narrow.table)
		return false;
	s->scaled = op->ofm_scale.scale != 1 || op->ofm_scale.shift != 0;
	if ((s->scaled && (!e->fast || e->fast->left)) ||
	    !operand8_init(&s->a, op->swap ? &e->second : &e->first) ||
	    !operand8_init(&s->b, op->swap ? &e->first : &e->second))
		return false;
	s->subtract = op->mode == NPU_EW_SUB;
	s->narrow = e->sink.narrow;
	if (s->scaled)
		s->rescale = e->rescale;
	npu_add8_estimate(s);
	return true;
}

static void row32(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n);

/* For rows that add8 does not take. */
static void tables_init(struct elementwise *e)
{
	bool sum = e->op->mode == NPU_EW_ADD || e->op->mode == NPU_EW_SUB;

	if (!sum || few(e->op) || e->first.tabled)
		return;
	operand_table(&e->first);
	if (!e->op->ifm2_scalar)
		operand_table(&e->second);
}

static void row8(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	struct elementwise *e = ctx;
	unsigned a = e->op->swap ? 2 : 1, b = 3 - a;

	if (stride[0] != 1 || stride[1] != 1 || stride[2] != 1) {
		tables_init(e);
		row32(ctx, p, stride, n);
		return;
	}
	npu_row_add8(e->simd, &e->sum, p[a], p[b], n, p[0]);
}

static void row32(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct elementwise *e = ctx;
	i32 a[NPU_ROW], b[NPU_ROW];

	combine32(e, p, stride, n, a, b);
	npu_row_scale32(e->simd, e->fast, a, n, e->op->ofm_scale);
	npu_row_store32(&e->sink, a, n, p[0], stride[0]);
}

static void row_lrelu(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct elementwise *e = ctx;
	i32 v[NPU_ROW], scaled[NPU_ROW];

	npu_row_load32(&e->op->ifm, p[1], stride[1], n, v);
	memcpy(scaled, v, n * sizeof(*v));
	npu_row_scale32(e->simd, e->fast, scaled, n, e->op->ofm_scale);
	for (size_t i = 0; i < n; i++)
		v[i] = v[i] < 0 ? scaled[i] : v[i];
	npu_row_store32(&e->sink, v, n, p[0], stride[0]);
}

static bool lrelu32(const struct npu_op *op)
{
	i64 reach = (i64)npu_fm_magnitude(&op->ifm);

	return op->mode == NPU_EW_LRELU && op->ifm.bytes <= 2 && npu_scale_round(reach, op->ofm_scale) < LIMIT32 &&
	       npu_scale_round(-reach, op->ofm_scale) > -LIMIT32;
}

/* Decides whether every intermediate value stays below 2^30 in magnitude. */
static bool init32(struct elementwise *e)
{
	const struct npu_op *op = e->op;
	i64 a = (i64)npu_fm_magnitude(&op->ifm);
	i64 b = op->ifm2_scalar ? (e->scalar < 0 ? -e->scalar : e->scalar)
				: (i64)npu_fm_magnitude(&op->ifm2);
	i64 reach;

	if (op->unary || op->mode > NPU_EW_MAX || op->ifm.bytes > 2 || op->ifm2.bytes > 2)
		return false;
	if (op->mode == NPU_EW_ADD || op->mode == NPU_EW_SUB) {
		operand_init(op, &e->first, &op->ifm, !op->swap, 0);
		operand_init(op, &e->second, &op->ifm2, op->swap, e->scalar);
		i64 second = op->ifm2_scalar ? scaled(&e->second, e->scalar) : reach_of(&e->second);
		reach = reach_of(&e->first) + (second < 0 ? -second : second);
		if (reach_of(&e->second) >= LIMIT32 || op->ifm.bytes != op->ifm2.bytes)
			return false;
	} else if (op->mode == NPU_EW_MUL) {
		reach = a * b;
	} else {
		reach = a > b ? a : b;
	}
	return reach < LIMIT32 && npu_scale_round(reach, op->ofm_scale) < LIMIT32 &&
	       npu_scale_round(-reach, op->ofm_scale) > -LIMIT32;
}

/* ---- 64 bits ---- */

/* a: left operand, whichever map it comes from */
static void combine64(const struct npu_op *op, i64 *a, const i64 *b, size_t n)
{
	struct npu_scale s = op->ofm_scale;
	bool plain = op->ifm.bytes == 4; /* no operand scaling */

	switch (op->mode) {
	case NPU_EW_MUL:
		for (size_t i = 0; i < n; i++)
			a[i] *= b[i];
		npu_row_scale64(a, n, s);
		return;
	case NPU_EW_ADD:
		if (!plain)
			break;
		for (size_t i = 0; i < n; i++)
			a[i] += b[i];
		npu_row_scale64(a, n, s);
		return;
	case NPU_EW_SUB:
		if (!plain)
			break;
		for (size_t i = 0; i < n; i++)
			a[i] -= b[i];
		npu_row_scale64(a, n, s);
		return;
	default:
		break;
	}
	for (size_t i = 0; i < n; i++)
		a[i] = op->swap ? npu_elementwise_value(op, b[i], a[i])
				: npu_elementwise_value(op, a[i], b[i]);
}

static void row64(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct elementwise *e = ctx;
	const struct npu_op *op = e->op;
	i64 a[NPU_ROW], b[NPU_ROW];

	npu_row_load64(&op->ifm, p[1], stride[1], n, a);
	if (op->unary || op->ifm2_scalar) {
		for (size_t i = 0; i < n; i++)
			b[i] = e->scalar;
	} else {
		npu_row_load64(&op->ifm2, p[2], stride[2], n, b);
	}
	combine64(op, op->swap ? b : a, op->swap ? a : b, n);
	npu_row_store64(&e->sink, op->swap ? b : a, n, p[0], stride[0]);
}

/* ---- */

/* True when rows may be written while later ones are still to be read. */
static bool inputs_apart(const struct npu_op *op, const struct npu_view *view)
{
	const u8 *const *ofm = (const u8 *const *)view->ofm;

	if (npu_fm_overlap(&op->ifm, view->ifm, &op->ofm, ofm) &&
	    !npu_fm_same(&op->ifm, view->ifm, &op->ofm, ofm))
		return false;
	return op->unary || op->ifm2_scalar ||
	       !npu_fm_overlap(&op->ifm2, view->ifm2, &op->ofm, ofm) ||
	       npu_fm_same(&op->ifm2, view->ifm2, &op->ofm, ofm);
}

bool npu_fast_elementwise(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct elementwise e;
	const struct npu_walk_map maps[NPU_WALK_MAPS] = {
		{ .fm = &op->ofm, .tile = (const u8 *const *)view->ofm, .step_y = 1, .step_x = 1 },
		{ .fm = &op->ifm, .tile = view->ifm, .step_y = 1, .step_x = 1 },
		{ .fm = &op->ifm2, .tile = view->ifm2, .step_y = 1, .step_x = 1 },
	};
	unsigned inputs = op->unary || op->ifm2_scalar ? 1 : 2;

	if (!inputs_apart(op, view))
		return false;
	e.op = op;
	e.simd = k->simd;
	e.scalar = op->unary ? 0 : (i64)op->scalar - op->ifm2.zero_point;
	npu_sink_init(&e.sink, k, op, view, NULL);
	if (finite8(op) && !few(op)) {
		table_fill(&e);
		npu_walk(maps, 2, table_row, &e);
		return true;
	}
	u64 reach = op->unary ? npu_fm_magnitude(&op->ifm) : LIMIT32;
	e.fast = npu_rescale_values(&e.rescale, op->ofm_scale, reach) ? &e.rescale : NULL;
	if (lrelu32(op)) {
		npu_walk(maps, 2, row_lrelu, &e);
		return true;
	}
	bool small = init32(&e), bytes = small && add8_init(&e);
	if (small && !bytes)
		tables_init(&e);
	npu_walk(maps, 1 + inputs, bytes ? row8 : small ? row32 : row64, &e);
	return true;
}
