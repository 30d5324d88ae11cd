/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise operations over rows.
 *
 * 8-bit in, 8-bit out with one operand from memory: a table of 256 results, made by the generic
 * path's own arithmetic. 8/16-bit operands whose sums or products are sure to fit: 32-bit
 * lanes; 8-bit operand scaling through a table. Everything else in 64 bits. */
#include "npu/kernels/elementwise.h"

#include "npu/arith.h"
#include "npu/exec.h"
#include "npu/kernels/fm.h"

static bool finite8(const struct npu_op *op)
{
	return op->ifm.bytes == 1 && op->ofm.bytes == 1 && (op->unary || op->ifm2_scalar);
}

/* ---- table ---- */

static void table_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS],
		      size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	npu_row_table(e->table, p[1], stride[1], p[0], stride[0], n);
}

static void table_fill(struct npu_elementwise_rows *e)
{
	const struct npu_op *op = e->op;
	for (unsigned b = 0; b < 256; b++) {
		i64 v = npu_elementwise_value(op, npu_byte_value(&op->ifm, b), e->scalar);
		e->table[b] = (u8)npu_output_value(op, e->sink.lut, v);
	}
}

/* ---- 64 bits ---- */

/* a: left operand, whichever map it comes from */
static void combine64(const struct npu_elementwise_rows *e, i64 *a, const i64 *b, size_t n)
{
	const struct npu_op *op = e->op;
	struct npu_scale s = op->ofm_scale;
	bool plain = op->ifm.bytes == 4; /* no operand scaling */

	switch (op->mode) {
	case NPU_EW_MUL:
		for (size_t i = 0; i < n; i++)
			a[i] *= b[i];
		npu_row_scale64(e->simd, a, n, s);
		return;
	case NPU_EW_ADD:
		if (!plain)
			break;
		for (size_t i = 0; i < n; i++)
			a[i] += b[i];
		npu_row_scale64(e->simd, a, n, s);
		return;
	case NPU_EW_SUB:
		if (!plain)
			break;
		for (size_t i = 0; i < n; i++)
			a[i] -= b[i];
		npu_row_scale64(e->simd, a, n, s);
		return;
	default:
		break;
	}
	for (size_t i = 0; i < n; i++)
		a[i] = op->swap ? npu_elementwise_value(op, b[i], a[i])
				: npu_elementwise_value(op, a[i], b[i]);
}

static void load64(const struct npu_simd *simd, const struct npu_fm *fm, const u8 *p, i64 stride, size_t n, i64 *out)
{
	if (npu_row_plain32(fm, stride))
		simd->widen32(p, n, out);
	else
		npu_row_load64(fm, p, stride, n, out);
}

/* Products of int32; false when the row is of another kind. */
static bool products32(const struct npu_elementwise_rows *e, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS],
		       size_t n, i64 *out)
{
	const struct npu_op *op = e->op;

	if (op->mode != NPU_EW_MUL || !npu_row_plain32(&op->ifm, stride[1]))
		return false;
	if (op->ifm2_scalar && e->scalar == (i32)e->scalar)
		e->simd->product32_by(p[1], (i32)e->scalar, n, out);
	else if (!op->ifm2_scalar && npu_row_plain32(&op->ifm2, stride[2]))
		e->simd->product32(p[1], p[2], n, out);
	else
		return false;
	return true;
}

static void row64(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	const struct npu_op *op = e->op;
	i64 a[NPU_ROW], b[NPU_ROW];

	if (products32(e, p, stride, n, a)) {
		npu_row_scale64(e->simd, a, n, op->ofm_scale);
		npu_row_store64(&e->sink, a, n, p[0], stride[0]);
		return;
	}
	load64(e->simd, &op->ifm, p[1], stride[1], n, a);
	if (op->unary || op->ifm2_scalar) {
		for (size_t i = 0; i < n; i++)
			b[i] = e->scalar;
	} else {
		load64(e->simd, &op->ifm2, p[2], stride[2], n, b);
	}
	combine64(e, op->swap ? b : a, op->swap ? a : b, n);
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
	struct npu_elementwise_rows e;
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
	if (finite8(op) && npu_table_pays(op)) {
		table_fill(&e);
		npu_walk(maps, 2, table_row, &e);
		return true;
	}
	u64 reach = op->unary ? npu_fm_magnitude(&op->ifm) : NPU_ROW_LIMIT;
	e.fast = npu_rescale_values(&e.rescale, op->ofm_scale, reach) ? &e.rescale : NULL;
	if (npu_lrelu32_fits(op)) {
		npu_walk(maps, 2, npu_lrelu32_row, &e);
		return true;
	}
	bool small = npu_elementwise32_init(&e), bytes = small && npu_elementwise_sum_init(&e);
	if (small && !bytes)
		npu_elementwise32_tables(&e);
	npu_walk(maps, 1 + inputs, bytes ? npu_elementwise_sum_row : small ? npu_elementwise32_row : row64, &e);
	return true;
}
