/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise operations in 32-bit lanes: 8/16-bit operands whose sums or products are sure to fit. */
#include "npu/kernels/elementwise/elementwise.h"

#include <string.h>

#include "npu/arith.h"
#include "npu/kernels/fm.h"

static i64 scaled(const struct npu_operand *o, i64 v)
{
	return o->left ? v * (INT64_C(1) << o->left) : npu_scale_round(v, o->scale);
}

/* Largest magnitude after scaling: scaling is monotonic. */
static i64 reach_of(const struct npu_operand *o)
{
	i64 m = (i64)npu_fm_magnitude(o->fm);
	i64 up = scaled(o, m), down = -scaled(o, -m);
	return up > down ? up : down;
}

static void operand_init(const struct npu_op *op, struct npu_operand *o, const struct npu_fm *fm,
			 bool is_a, i64 scalar)
{
	unsigned left = op->ifm.bytes == 1 ? 19 : 14;
	u8 own = is_a ? NPU_OPERAND_A : NPU_OPERAND_B;

	*o = (struct npu_operand){ .fm = fm, .sign = !is_a && op->mode == NPU_EW_SUB ? -1 : 1 };
	o->scale = is_a ? op->opa : op->opb;
	if (op->operand_scaling == NPU_OPERANDS_16) {
		o->scale.shift = 0;
		o->scale.round = NPU_ROUND_NATURAL;
	} else if (op->operand_scaling != own) {
		o->left = left;
	} else if (npu_is_power(o->scale.scale) && o->scale.shift < npu_log2(o->scale.scale)) {
		o->left = npu_log2(o->scale.scale) - o->scale.shift; /* nothing to round */
	}
	if (reach_of(o) >= NPU_ROW_LIMIT)
		return; /* refused by the caller */
	o->constant = (i32)(scaled(o, scalar) * o->sign);
}

static void operand_table(struct npu_operand *o)
{
	o->tabled = o->fm->bytes == 1 && !o->left && o->scale.shift; /* else that is a product */
	for (unsigned b = 0; o->tabled && b < 256; b++)
		o->table[b] = (i32)(scaled(o, npu_byte_value(o->fm, b)) * o->sign);
}

static void operand_load(const struct npu_elementwise_rows *e, const struct npu_operand *o, const u8 *p,
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

static void second_load(const struct npu_elementwise_rows *e, u8 *const p[NPU_WALK_MAPS],
			const i64 stride[NPU_WALK_MAPS], size_t n, i32 *out)
{
	if (!e->op->ifm2_scalar) {
		npu_row_load32(&e->op->ifm2, p[2], stride[2], n, out);
		return;
	}
	for (size_t i = 0; i < n; i++)
		out[i] = (i32)e->scalar;
}

static void combine32(const struct npu_elementwise_rows *e, u8 *const p[NPU_WALK_MAPS],
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

/* For rows that add8 does not take. */
void npu_elementwise32_tables(struct npu_elementwise_rows *e)
{
	bool sum = e->op->mode == NPU_EW_ADD || e->op->mode == NPU_EW_SUB;

	if (!sum || !npu_operand_tables_pay(e->op) || e->has_tables)
		return;
	e->has_tables = true;
	operand_table(&e->first);
	if (!e->op->ifm2_scalar)
		operand_table(&e->second);
}

void npu_elementwise32_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	i32 a[NPU_ROW], b[NPU_ROW];

	combine32(e, p, stride, n, a, b);
	npu_row_scale32(e->simd, e->fast, a, n, e->op->ofm_scale);
	npu_row_store32(&e->sink, a, n, p[0], stride[0]);
}

/* Products as they are, of bytes: what a matrix product of data is made of where there is no operator for it. */
#define PRODUCTS(A, B, STEP) do { \
	for (size_t i = 0; i < n; i++) { \
		const i32 v_ = ((A)a[i] - zero_a) * ((B)b[(STEP) * i] - zero_b); \
		memcpy(to + i * sizeof(v_), &v_, sizeof(v_)); \
	} } while (0)
#define PRODUCTS_OF(A, STEP) do { \
	if (e->op->ifm2.is_signed) \
		PRODUCTS(A, i8, STEP); \
	else \
		PRODUCTS(A, u8, STEP); } while (0)

void npu_product8_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	const i32 zero_a = e->op->ifm.zero_point, zero_b = e->op->ifm2.zero_point;
	const u8 *restrict a = p[1], *restrict b = p[2];
	u8 *restrict to = p[0];

	if (stride[0] != sizeof(i32) || stride[1] != 1 || stride[2] < 0 || stride[2] > 1)
		npu_elementwise32_row(ctx, p, stride, n);
	else if (e->op->ifm.is_signed && stride[2])
		PRODUCTS_OF(i8, 1);
	else if (e->op->ifm.is_signed)
		PRODUCTS_OF(i8, 0);
	else if (stride[2])
		PRODUCTS_OF(u8, 1);
	else
		PRODUCTS_OF(u8, 0);
}

bool npu_product8_fits(const struct npu_op *op)
{
	return op->mode == NPU_EW_MUL && !op->ifm2_scalar && op->ifm.bytes == 1 && op->ifm2.bytes == 1 && op->ofm.bytes == 4 &&
	       (op->output == NPU_OUT_RAW32 || (op->output == NPU_OUT_CLAMP && op->ofm.zero_point == 0)) &&
	       op->lo < -NPU_ROW_LIMIT && op->hi > NPU_ROW_LIMIT && op->ofm_scale.scale == 1 && op->ofm_scale.shift == 0;
}

static bool plain_rows(const struct npu_fm *fm)
{
	return fm->format == NPU_NHWC && !fm->tiled;
}

/* Rows of pixels of all maps, each with one pixel of the second operand. */
static bool row_by_pixel(const struct npu_op *op)
{
	const struct npu_fm *ofm = &op->ofm, *ifm = &op->ifm, *ifm2 = &op->ifm2;

	return plain_rows(ofm) && plain_rows(ifm) && plain_rows(ifm2) && ifm->depth == ofm->depth && ifm2->depth == ofm->depth &&
	       ifm->width == ofm->width && ifm2->width == 1 && ifm->height == ofm->height;
}

bool npu_product8_dots(const struct npu_op *op)
{
	return row_by_pixel(op) && op->ofm.depth <= NPU_DOTS && npu_fm_magnitude(&op->ifm) <= UINT8_MAX && npu_fm_magnitude(&op->ifm2) <= UINT8_MAX;
}

bool npu_product8_all(const struct npu_elementwise_rows *e, const struct npu_view *view)
{
	const struct npu_fm *ofm = &e->op->ofm, *ifm = &e->op->ifm, *ifm2 = &e->op->ifm2;
	const struct npu_products8 types = { ifm->zero_point, ifm2->zero_point, ifm->is_signed, ifm2->is_signed };

	if (!row_by_pixel(e->op) || ofm->depth % NPU_GROUP || ofm->depth > NPU_PRODUCTS)
		return false;
	for (u32 y = 0; y < ofm->height && !npu_given_up(view); y++)
		e->simd->products8(&types, (u8 *)npu_fm_pixel(ofm, (const u8 *const *)view->ofm, y, 0), ofm->stride_x,
				   npu_fm_pixel(ifm, view->ifm, y, 0), ifm->stride_x,
				   npu_fm_pixel(ifm2, view->ifm2, ifm2->height == 1 ? 0 : y, 0), ofm->width, ofm->depth);
	return true;
}

void npu_unary32_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	const bool all = e->op->mode == NPU_EW_ABS; /* are scaled, not only negative values */
	i32 v[NPU_ROW], scaled[NPU_ROW];

	npu_row_load32(&e->op->ifm, p[1], stride[1], n, v);
	if (all)
		for (size_t i = 0; i < n; i++)
			v[i] = v[i] < 0 ? -v[i] : v[i];
	memcpy(scaled, v, n * sizeof(*v));
	npu_row_scale32(e->simd, e->fast, scaled, n, e->op->ofm_scale);
	for (size_t i = 0; i < n; i++)
		v[i] = v[i] < 0 || all ? scaled[i] : v[i];
	npu_row_store32(&e->sink, v, n, p[0], stride[0]);
}

bool npu_unary32_fits(const struct npu_op *op)
{
	i64 reach = (i64)npu_fm_magnitude(&op->ifm);

	return (op->mode == NPU_EW_LRELU || op->mode == NPU_EW_ABS) && op->ifm.bytes <= 2 && npu_scale_round(reach, op->ofm_scale) < NPU_ROW_LIMIT &&
	       npu_scale_round(-reach, op->ofm_scale) > -NPU_ROW_LIMIT;
}

/* Decides whether every intermediate value stays below 2^30 in magnitude. */
bool npu_elementwise32_init(struct npu_elementwise_rows *e)
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
		e->reach = reach;
		if (reach_of(&e->second) >= NPU_ROW_LIMIT || op->ifm.bytes != op->ifm2.bytes)
			return false;
	} else if (op->mode == NPU_EW_MUL) {
		reach = a * b;
	} else {
		reach = a > b ? a : b;
	}
	return reach < NPU_ROW_LIMIT && npu_scale_round(reach, op->ofm_scale) < NPU_ROW_LIMIT &&
	       npu_scale_round(-reach, op->ofm_scale) > -NPU_ROW_LIMIT;
}
