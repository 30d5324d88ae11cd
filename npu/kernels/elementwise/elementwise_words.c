/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise operations of int32, and of int16 that are not scaled, by struct npu_words. */
#include "npu/kernels/elementwise/elementwise.h"
#include "npu/kernels/rows/halves.h"
#include "npu/kernels/u85/rows.h"

static bool is_word(const struct npu_fm *fm)
{
	return npu_row_plain32(fm, sizeof(i32));
}

static bool only_shifts(struct npu_scale s)
{
	return s.scale == 1 && s.shift <= 61;
}

/* Sums of int32 are shifted with ties upwards or not at all; half of a difference leaves 32 bits when it is rounded up. */
static bool sums_scale(const struct npu_op *op)
{
	const struct npu_scale s = op->ofm_scale;
	const bool up = s.round == NPU_ROUND_NATURAL || (s.round == NPU_ROUND_DBL && s.shift <= s.first);

	return only_shifts(s) && (!s.shift || (up && s.shift <= 31 && s.shift > (op->mode == NPU_EW_SUB) && op->ifm.bytes == 4));
}

/* Whether the scaling of int32 is one of struct npu_words. */
static bool words_scale(const struct npu_op *op)
{
	const struct npu_scale s = op->ofm_scale;

	switch (op->mode) {
	case NPU_EW_MUL: return only_shifts(s);
	case NPU_EW_SHR: return s.round == NPU_ROUND_NATURAL;
	case NPU_EW_CLZ:
	case NPU_EW_SHL: return true; /* none */
	case NPU_EW_ADD:
	case NPU_EW_SUB: return sums_scale(op);
	case NPU_EW_MIN:
	case NPU_EW_MAX: return only_shifts(s) && !s.shift;
	default: return false;
	}
}

/* int16 that are taken as they are: of products with anything, of sums where they lose nothing. */
static bool halves_fit(const struct npu_op *op)
{
	const bool both = op->ifm.bytes == 2 && (op->ifm2_scalar || op->ifm2.bytes == 2), sum = op->mode == NPU_EW_ADD || op->mode == NPU_EW_SUB;

	return op->mode == NPU_EW_MUL || (sum && both && op->ofm.bytes == sizeof(i32) && op->operand_scaling == NPU_OPERANDS_16 && op->opa.scale == 1 && op->opb.scale == 1);
}

static bool is_half(const struct npu_fm *fm)
{
	return fm->bytes == 2 && fm->is_signed && !fm->zero_point;
}

/* Tables are of bytes or of int16. */
static bool words_table(struct npu_elementwise_rows *e)
{
	const struct npu_op *op = e->op;

	if (op->output != NPU_OUT_LUT16)
		return op->output == NPU_OUT_LUT8 && e->sink.narrow_valid;
	e->words.table = e->sink.lut + op->lut_offset;
	e->words.table_rounds = e->words.table_clips = true;
	npu_unary16_pieces(&e->unary16, e->words.table, false);
	e->words_curve = npu_stores_half(op);
	return e->words_curve;
}

static unsigned bytes_of(const struct npu_fm *fm)
{
	return fm->bytes == 2 ? 2 : sizeof(i32);
}

bool npu_elementwise_words_init(struct npu_elementwise_rows *e)
{
	const struct npu_op *op = e->op;
	const struct npu_scale s = op->ofm_scale;
	struct npu_words *w = &e->words;
	const bool one = op->unary || op->ifm2_scalar, halves = is_half(&op->ifm) || (!one && is_half(&op->ifm2));

	e->words_curve = false;
	if (!words_scale(op) || !(is_word(&op->ifm) || is_half(&op->ifm)) || (halves && !halves_fit(op)) ||
	    (one ? e->scalar != (i32)e->scalar : !is_word(&op->ifm2) && !is_half(&op->ifm2)))
		return false;
	w->mode = op->mode;
	w->shift = op->mode == NPU_EW_MUL || op->mode == NPU_EW_ADD || op->mode == NPU_EW_SUB ? s.shift : 0;
	w->plus = w->minus = 0;
	if (w->shift)
		npu_rounding_of(s, &w->plus, &w->minus);
	const bool raw = op->output == NPU_OUT_RAW32, fits = npu_words_output(w, op, raw ? 0 : op->ofm.zero_point, true);
	w->swap = op->swap && (op->mode == NPU_EW_SUB || op->mode == NPU_EW_SHR || op->mode == NPU_EW_SHL);
	w->bytes_a = bytes_of(&op->ifm);
	w->bytes_b = one ? sizeof(i32) : bytes_of(&op->ifm2);
	return fits && (!halves || npu_words_take_halves(w)) && (raw || op->output == NPU_OUT_CLAMP || words_table(e));
}

void npu_elementwise_words_begin(struct npu_elementwise_rows *e)
{
	if (e->words_curve)
		npu_words_begin(&e->words, &e->unary16, e->simd, e->op, e->curve_bytes);
}

/* Results as they are stored, through their table where there is one. */
static void look_up_words(const struct npu_elementwise_rows *e, u8 *to, i64 down, size_t rows, size_t n)
{
	if (e->op->output == NPU_OUT_LUT8)
		e->simd->look_up_pixels(e->sink.table, to, down, rows, n);
	else if (e->words_curve && !e->words.table)
		npu_unary16_in_place(e->simd, &e->unary16, to, down, rows, n);
}

/* Elements side by side: those that lie apart are brought together. */
static const u8 *words_beside(const u8 *p, unsigned bytes, i64 stride, size_t n, i32 *room)
{
	if (stride == bytes)
		return p;
	npu_row_copy(bytes, p, stride, (u8 *)room, bytes, n);
	return (const u8 *)room;
}

void npu_elementwise_words_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu_elementwise_rows *e = ctx;
	const struct npu_words *w = &e->words;
	const i32 scalar = (i32)e->scalar;
	const bool one = e->op->unary || e->op->ifm2_scalar, beside = stride[0] == w->bytes;
	const u8 *const second = one ? (const u8 *)&scalar : p[2];
	const i64 step = one ? 0 : stride[2];
	i32 a[NPU_ROW], b[NPU_ROW], r[NPU_ROW];
	u8 *const to = beside ? p[0] : (u8 *)r;

	npu_words_row(w, words_beside(p[1], w->bytes_a, stride[1], n, a), step ? words_beside(second, w->bytes_b, step, n, b) : second, step ? w->bytes_b : 0, n, to);
	look_up_words(e, to, 0, 1, n);
	if (!beside)
		npu_row_copy(w->bytes, to, w->bytes, p[0], stride[0], n);
}

static bool run_planes(const struct npu_elementwise_rows *e, const struct npu_walk_planes *g)
{
	const struct npu_words *w = &e->words;
	const bool constant = e->op->unary || e->op->ifm2_scalar;
	const i64 *const deep = g->deep, *const down = g->down, *const stride = g->stride;
	const i32 scalar = (i32)e->scalar;
	const struct npu_words_grid plane = { .a = g->p[1], .b = constant ? (const u8 *)&scalar : g->p[2], .to = g->p[0], .down_a = down[1],
					      .down_b = constant ? 0 : down[2], .down_to = down[0], .step_b = constant ? 0 : stride[2], .rows = g->rows, .n = g->n };
	const struct npu_words_space all = { plane, deep[1], constant ? 0 : deep[2], deep[0], g->planes };

	if (stride[0] != w->bytes || stride[1] != w->bytes_a || (plane.step_b && plane.step_b != w->bytes_b) ||
	    npu_walk_joins(g->rows, g->n, down[1], w->bytes_a, down[0], w->bytes) || !(g->planes > 1 ? npu_words_planes(w, &all) : npu_words_rows(w, &plane)))
		return false;
	for (size_t i = 0; i < g->planes; i++)
		look_up_words(e, g->p[0] + (i64)i * deep[0], down[0], g->rows, g->n);
	return true;
}

bool npu_elementwise_words_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const i64 deep[NPU_WALK_MAPS] = { 0 };

	return run_planes(ctx, &(struct npu_walk_planes){ p, deep, down, stride, 1, rows, n });
}

bool npu_elementwise_words_space(void *ctx, const struct npu_walk_planes *g)
{
	return run_planes(ctx, g);
}
