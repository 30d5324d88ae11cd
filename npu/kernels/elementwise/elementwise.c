/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise operations over rows.
 *
 * 8-bit in, 8-bit out with one operand from memory: a table of 256 results, made by the generic
 * path's own arithmetic. 8/16-bit operands whose sums or products are sure to fit: 32-bit
 * lanes; 8-bit operand scaling through a table. Everything else in 64 bits. */
#include "npu/kernels/elementwise/elementwise.h"

#include <string.h>

#include "npu/arith.h"
#include "npu/exec.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/rows/halves.h"
#include "npu/kernels/owed.h"

static bool finite8(const struct npu_op *op)
{
	return op->ifm.bytes == 1 && op->ofm.bytes == 1 && (op->unary || op->ifm2_scalar);
}

/* ---- table ---- */

static void table_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS],
		      size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	npu_row_table(e->simd, e->table, p[1], stride[1], p[0], stride[0], n);
}

static bool table_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu_elementwise_rows *e = ctx;

	return npu_row_table_grid(e->simd, e->table, p, down, stride, rows, n);
}

/* ---- 64 bits ---- */

/* Distances are often the same for all channels of a pixel. */
static void shift_right(const struct npu_simd *simd, i64 *a, const i64 *b, size_t n, u8 round)
{
	for (size_t run; n; n -= run, a += run, b += run) {
		const unsigned s = (unsigned)npu_clamp(b[0], 0, 63);
		const i64 half = s && round != NPU_ROUND_TRUNCATE ? INT64_C(1) << (s - 1) : 0;
		for (run = 1; run < n && b[run] == b[0]; run++)
			;
		simd->scale64(a, run, 1, half, round == NPU_ROUND_NATURAL || !half ? half : half - 1, s);
	}
}

/* Sum or difference of 8/16-bit operands, one of which is brought to the other's scale. */
static void combine_scaled(const struct npu_elementwise_rows *e, i64 *a, const i64 *second, size_t n)
{
	const struct npu_op *op = e->op;
	const i64 left = INT64_C(1) << (op->ifm.bytes == 1 ? 19 : 14), sign = op->mode == NPU_EW_SUB ? -1 : 1;
	const bool both = op->operand_scaling == NPU_OPERANDS_16, first = op->operand_scaling == NPU_OPERAND_A;
	const i64 factor_a = both ? op->opa.scale : first ? 1 : left, factor_b = both ? op->opb.scale : first ? left : 1;
	i64 b[NPU_ROW];

	for (size_t i = 0; i < n; i++) {
		a[i] *= factor_a;
		b[i] = second[i] * factor_b;
	}
	if (!both)
		npu_row_scale64(e->simd, first ? a : b, n, first ? op->opa : op->opb);
	for (size_t i = 0; i < n; i++)
		a[i] += sign * b[i];
	npu_row_scale64(e->simd, a, n, op->ofm_scale);
}

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
		if (!plain) {
			combine_scaled(e, a, b, n);
			return;
		}
		for (size_t i = 0; i < n; i++)
			a[i] += b[i];
		npu_row_scale64(e->simd, a, n, s);
		return;
	case NPU_EW_SUB:
		if (!plain) {
			combine_scaled(e, a, b, n);
			return;
		}
		for (size_t i = 0; i < n; i++)
			a[i] -= b[i];
		npu_row_scale64(e->simd, a, n, s);
		return;
	case NPU_EW_ABS:
		for (size_t i = 0; i < n; i++)
			a[i] = a[i] < 0 ? -a[i] : a[i];
		npu_row_scale64(e->simd, a, n, s);
		return;
	case NPU_EW_MIN:
		for (size_t i = 0; i < n; i++)
			a[i] = a[i] < b[i] ? a[i] : b[i];
		npu_row_scale64(e->simd, a, n, s);
		return;
	case NPU_EW_MAX:
		for (size_t i = 0; i < n; i++)
			a[i] = a[i] > b[i] ? a[i] : b[i];
		npu_row_scale64(e->simd, a, n, s);
		return;
	case NPU_EW_SHR:
		shift_right(e->simd, a, b, n, s.round);
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

static void row64(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	const struct npu_op *op = e->op;
	i64 a[NPU_ROW], b[NPU_ROW];

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

/* ---- int16 ---- */

static void mul16_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	const i64 down[NPU_WALK_MAPS] = { 0 };

	if (!npu_mul16_run(e->simd, &e->mul16, 1, e->op->ifm2_scalar ? 0 : 2, &(struct npu_halves){ p, down, stride, 1, n }))
		e->apart(ctx, p, stride, n);
}

static bool mul16_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu_elementwise_rows *e = ctx;

	return npu_mul16_run(e->simd, &e->mul16, 1, e->op->ifm2_scalar ? 0 : 2, &(struct npu_halves){ p, down, stride, rows, n });
}

static void unary16_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	const i64 down[NPU_WALK_MAPS] = { 0 };

	if (!npu_unary16_run(e->simd, &e->unary16, &(struct npu_halves){ p, down, stride, 1, n }))
		npu_unary32_row(ctx, p, stride, n);
}

static bool unary16_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu_elementwise_rows *e = ctx;

	return npu_unary16_run(e->simd, &e->unary16, &(struct npu_halves){ p, down, stride, rows, n });
}

/* NULL: it is none of these. `unary`: npu_unary32_fits(). */
static npu_walk_row *halves_row(struct npu_elementwise_rows *e, bool unary, npu_walk_row *apart)
{
	if (unary && npu_unary16_init(&e->unary16, &e->sink, e->op->ofm_scale, NULL))
		return unary16_row;
	if (!npu_mul16_init(&e->mul16, &e->sink, e->scalar))
		return NULL;
	e->apart = apart;
	return mul16_row;
}

/* ---- */

/* One operation, ready to be walked. */
struct walked {
	struct npu_elementwise_rows rows;
	const struct npu_view *view;
	struct npu_walk_map maps[NPU_WALK_MAPS];
	struct npu_walk_pixel pixel;
	unsigned count;
	struct npu_owed product; /* of product_again() */
	npu_walk_row *row, *of_bytes; /* the second makes the table that the first one uses; NULL: it uses none */
};

static npu_walk_grid *grid_of(const struct walked *w)
{
	static const struct {
		npu_walk_row *row;
		npu_walk_grid *grid;
	} all[] = {
		{ table_row, table_grid }, { mul16_row, mul16_grid }, { unary16_row, unary16_grid }, { npu_elementwise_words_row, npu_elementwise_words_grid },
		{ npu_elementwise_product_row, npu_elementwise_product_grid }, { npu_elementwise_sum_row, npu_elementwise_sum_grid },
		{ npu_elementwise_sum16_row, npu_elementwise_sum16_grid }, { npu_elementwise_table_row, npu_elementwise_table_grid }, { npu_elementwise_extremes_row, npu_elementwise_extremes_grid },
	};

	for (unsigned i = 0; i < ARRAY_LEN(all); i++)
		if (w->row == all[i].row)
			return all[i].grid;
	return NULL;
}

static void walk(const struct npu_kernels *k, struct walked *w)
{
	if (k->team && w->row == npu_elementwise_sum_row)
		npu_elementwise32_tables(&w->rows); /* else its first thread to need them would */
	if (w->row == npu_elementwise_words_row)
		npu_elementwise_words_begin(&w->rows);
	if (w->pixel.n)
		npu_walk_pixel(&w->pixel, w->view, w->maps, w->count, w->row, &w->rows);
	else if (w->row != npu_product8_row || !npu_product8_all(&w->rows, w->view))
		npu_walk_grids(k->team, k->simd, w->view, w->maps, w->count,
			       &(struct npu_walk_ways){ w->row, grid_of(w), w->row == npu_elementwise_words_row ? npu_elementwise_words_space : NULL }, &w->rows);
}

static bool make_product(struct npu_kernels *k, void *room)
{
	walk(k, room);
	return true;
}

static bool product_again(struct npu_kernels *k, void *room)
{
	struct walked *w = room;

	if (!npu_owed_take(k, &w->product))
		walk(k, w);
	return true;
}

static bool walk_again(struct npu_kernels *k, void *room)
{
	struct walked *w = room;
	const bool same = npu_sink_again(&w->rows.sink);

	if (!same && w->of_bytes)
		npu_row_of_bytes(w->of_bytes, &w->rows, w->rows.table, 1);
	walk(k, w);
	return true;
}

/* Whether what npu_sink_again() does is all that must be. */
static bool lasts(const struct walked *w, const struct npu_kernels *k)
{
	const struct npu_sink *s = &w->rows.sink;
	const bool tables = s->op->output != NPU_OUT_CLAMP && s->op->output != NPU_OUT_RAW32;

	return npu_sink_lasts(s, k) && !(w->of_bytes && tables && !(s->narrow_valid && s->narrow.table));
}

bool npu_fast_elementwise(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct walked *const room = npu_again_room(k, sizeof(*room)), own, *const w = room ? room : &own;
	struct npu_elementwise_rows *const e = &w->rows;
	const struct npu_walk_map maps[NPU_WALK_MAPS] = {
		{ .fm = &op->ofm, .tile = (const u8 *const *)view->ofm, .step_y = 1, .step_x = 1 },
		{ .fm = &op->ifm, .tile = view->ifm, .step_y = 1, .step_x = 1 },
		{ .fm = &op->ifm2, .tile = view->ifm2, .step_y = 1, .step_x = 1 },
	};

	e->op = op;
	e->simd = k->simd;
	e->has_tables = false;
	e->scalar = op->unary ? 0 : (i64)op->scalar - op->ifm2.zero_point;
	npu_sink_init(&e->sink, k, op, view, NULL);
	u64 reach = op->unary ? npu_fm_magnitude(&op->ifm) : NPU_ROW_LIMIT;
	e->fast = npu_rescale_values(&e->rescale, op->ofm_scale, reach) ? &e->rescale : NULL;
	const bool pays = finite8(op) && npu_table_pays(op), unary = npu_unary32_fits(op);
	const bool small = !unary && npu_elementwise32_init(e), sum = small && !pays && npu_elementwise_sum_init(e);
	const bool product = small && !pays && npu_elementwise_product_init(e);
	const bool table = pays || (finite8(op) && room && !sum && !product); /* made for later times as well */
	npu_walk_row *const apart = small ? npu_elementwise32_row : row64, *const halves = halves_row(e, unary, apart);
	const bool words = !op->unary && npu_elementwise_sum16_init(e, apart), extremes = npu_elementwise_extremes_init(e, apart);
	npu_walk_row *row = extremes ? npu_elementwise_extremes_row : halves ? halves : words ? npu_elementwise_sum16_row : unary ? npu_unary32_row : sum ? npu_elementwise_sum_row : product ? npu_elementwise_product_row
			  : (!small || op->ifm.bytes == 2) && npu_elementwise_words_init(e) ? npu_elementwise_words_row : !small ? row64
			  : npu_product8_fits(op) ? npu_product8_row : npu_elementwise_table_init(e) ? npu_elementwise_table_row : npu_elementwise32_row;
	w->view = view;
	memcpy(w->maps, maps, sizeof(maps));
	w->count = op->unary || op->ifm2_scalar ? 2 : 3;
	npu_walk_pixel_init(&w->pixel, w->maps, w->count);
	w->of_bytes = table ? row : NULL;
	w->row = table ? table_row : row;
	if (table)
		npu_row_of_bytes(row, e, e->table, 1);
	else if (small && !sum)
		npu_elementwise32_tables(e);
	walk(k, w);
	if (!lasts(w, k))
		return true;
	if (room && w->row == npu_product8_row && npu_product8_dots(op)) {
		w->product = (struct npu_owed){ .op = op, .view = view, .make = make_product, .room = room };
		npu_owed_note(k, &w->product);
		npu_again_keep(k, room, product_again);
	} else {
		npu_again_keep(k, room, walk_again);
	}
	return true;
}
