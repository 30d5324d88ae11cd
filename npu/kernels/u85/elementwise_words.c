/* SPDX-License-Identifier: Apache-2.0 */
/* U85's elementwise operations whose operands are int32 or, where there are vectors for it, int16 (struct npu_words), and of bytes to int32
 * (struct npu_byte_words). */
#include "npu/kernels/u85/elementwise.h"

#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/rows/halves.h"

static bool is_word(const struct npu85_operand *o)
{
	return (!o->fm || npu_row_plain32(o->fm, sizeof(i32))) && o->scale.none;
}

/* int32 or, where there are vectors for it, int16. */
static bool is_word_or_half(const struct npu85_operand *o)
{
	const struct npu_fm *fm = o->fm;

	return is_word(o) || (fm && fm->bytes == 2 && fm->is_signed && !fm->zero_point && o->scale.none);
}

/* Of bytes or of int16. */
static bool words_table(struct npu85_elementwise *e)
{
	const struct npu_op *op = e->op;

	if (op->u85.table != NPU85_TABLE_S16_S16 && op->u85.table != NPU85_TABLE_S16_S32)
		return e->out.narrow_valid && e->out.narrow.table;
	e->words.table = e->out.table;
	e->words.table_rounds = op->u85.table == NPU85_TABLE_S16_S16;
	if (e->words.table_rounds && op->ofm.bytes == 2)
		npu_unary16_pieces(&e->unary16, e->out.table, true);
	return !op->u85.clip_off && op->lo >= INT16_MIN && op->hi <= INT16_MAX;
}

/* Whether rows of n results are stored before they go through their table of words: with AVX2 looking up many at a time takes less than what each vector leaves to do. */
static bool stores_first(const struct npu85_elementwise *e, size_t n)
{
	return e->words_curve && NPU_WORDS_LEVEL == 2 && n >= NPU_GROUP;
}

/* Results as they are stored, through their table where `w` has not done that. */
static void look_up_words(const struct npu85_elementwise *e, const struct npu_words *w, u8 *to, i64 down, size_t rows, size_t n)
{
	if (e->out.narrow_valid && e->out.narrow.table)
		e->simd->look_up_pixels(e->out.bytes, to, down, rows, n);
	else if (e->words_curve && !w->table)
		npu_unary16_in_place(e->simd, &e->unary16, to, down, rows, n);
}

static void words_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu85_elementwise *e = ctx;
	const i32 constant = (i32)e->b.constant;
	const u8 *b = e->b.fm ? p[e->b.map] : (const u8 *)&constant;
	const i64 step = e->b.fm ? stride[e->b.map] : 0;
	const bool repeats = !stride[e->a.map] && e->words.bytes_a == sizeof(i32);
	struct npu_words w = e->words;
	i32 all[NPU_ROW];

	if (stride[0] != w.bytes || (!repeats && stride[e->a.map] != w.bytes_a) || (step && step != w.bytes_b)) {
		e->apart(ctx, p, stride, n);
		return;
	}
	if (repeats) {
		memcpy(all, p[e->a.map], sizeof(*all));
		for (size_t i = 1; i < n; i++)
			all[i] = all[0];
	}
	w.table = stores_first(e, n) ? NULL : w.table;
	npu_words_row(&w, repeats ? (const u8 *)all : p[e->a.map], b, step, n, p[0]);
	look_up_words(e, &w, p[0], 0, 1, n);
}

static bool words_space(void *ctx, const struct npu_walk_planes *g)
{
	const struct npu85_elementwise *e = ctx;
	const i32 constant = (i32)e->b.constant;
	const bool one = !e->b.fm, turned = !one && !g->stride[e->a.map]; /* the first operand may be one for all as well */
	const unsigned a = turned ? e->b.map : e->a.map, b = turned ? e->a.map : e->b.map;
	const struct npu_words_grid plane = { .a = g->p[a], .b = one ? (const u8 *)&constant : g->p[b], .to = g->p[0], .down_a = g->down[a],
					      .down_b = one ? 0 : g->down[b], .down_to = g->down[0], .step_b = one ? 0 : g->stride[b], .rows = g->rows, .n = g->n };
	const struct npu_words_space all = { plane, g->deep[a], one ? 0 : g->deep[b], g->deep[0], g->planes };
	struct npu_words w = e->words;

	w.table = stores_first(e, g->n) ? NULL : w.table;
	if (turned) {
		w.swap = true;
		w.bytes_a = e->words.bytes_b;
		w.bytes_b = e->words.bytes_a;
	}
	if (g->stride[0] != w.bytes || g->stride[a] != w.bytes_a || (plane.step_b && plane.step_b != w.bytes_b) ||
	    npu_walk_joins(g->rows, g->n, plane.down_a, w.bytes_a, plane.down_to, w.bytes) || !(g->planes > 1 ? npu_words_planes(&w, &all) : npu_words_rows(&w, &plane)))
		return false;
	for (size_t i = 0; i < g->planes; i++)
		look_up_words(e, &w, g->p[0] + (i64)i * g->deep[0], g->down[0], g->rows, g->n);
	return true;
}

static bool words_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const i64 deep[NPU_WALK_MAPS] = { 0 };

	return words_space(ctx, &(struct npu_walk_planes){ p, deep, down, stride, 1, rows, n });
}

bool npu85_words_halve(const struct npu85_elementwise *e)
{
	const struct npu85_stage *s = &e->result;
	const bool sum = e->op->mode == NPU_EW_ADD || e->op->mode == NPU_EW_SUB, up = s->shifts && s->plus == s->minus && s->plus == 1 << (s->down - 1);

	return !e->single && sum && up && s->down > (e->op->mode == NPU_EW_SUB) && e->a.fm && is_word(&e->a) && is_word(&e->b);
}

bool npu85_words_init(struct npu85_elementwise *e, npu_walk_row *apart)
{
	const struct npu_op *op = e->op;
	const struct npu85_scale s = e->result.scale;
	struct npu_words *w = &e->words;
	const bool sum = op->mode == NPU_EW_ADD || op->mode == NPU_EW_SUB, product = op->mode == NPU_EW_MUL;
	const bool chosen = op->mode == NPU_EW_MIN || op->mode == NPU_EW_MAX || op->mode == NPU_EW_CLZ;

	if (e->single || (op->unary && !chosen) || !e->a.fm || !is_word_or_half(&e->a) || !is_word_or_half(&e->b) || (!e->b.fm && e->b.constant != (i32)e->b.constant))
		return false;
	const bool halved = npu85_words_halve(e), shift = op->mode == NPU_EW_SHR && is_word(&e->a) && is_word(&e->b);
	if (!(product && s.scale == 1 && s.shift <= NPU85_SHIFT_LIMIT) &&
	    !((sum || chosen) && e->result.none) && !halved && !(shift && e->result.none && s.round == NPU85_NATURAL))
		return false;
	w->mode = op->mode;
	w->shift = product ? s.shift : halved ? e->result.down : 0;
	w->plus = product ? e->result.rounding.plus : halved ? e->result.plus : 0;
	w->minus = product ? e->result.rounding.minus : w->plus;
	if (!npu_words_output(w, op, e->out.raw ? 0 : op->ofm.zero_point, !e->out.raw && !op->u85.clip_off))
		return false;
	w->bytes_a = e->a.fm->bytes;
	w->bytes_b = e->b.fm ? e->b.fm->bytes : sizeof(i32);
	const bool tabled = !e->out.raw && op->u85.table;
	if ((tabled && !words_table(e)) || ((w->bytes_a != sizeof(i32) || w->bytes_b != sizeof(i32)) && !npu_words_take_halves(w)))
		return false;
	e->words_curve = tabled && w->table && w->table_rounds && w->bytes == 2;
	e->apart = apart;
	e->row = words_row;
	e->grid = words_grid;
	e->space = words_space;
	return true;
}

static bool byte_words_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu85_elementwise *e = ctx;
	const unsigned a = e->a.map, b = e->b.map;
	const bool one = !e->b.fm;
	const struct npu_byte_grid g = { .a = p[a], .b = one ? NULL : p[b], .to = p[0], .down_a = down[a], .down_b = one ? 0 : down[b],
					 .down_to = down[0], .step_b = one ? 0 : stride[b], .rows = rows, .n = n };

	if (stride[0] != sizeof(i32) || stride[a] != 1 || (g.step_b && g.step_b != 1) || npu_walk_joins(rows, n, down[a], 1, down[0], sizeof(i32)))
		return false;
	npu_byte_words_rows(&e->byte_words, e->out.table, &g);
	return true;
}

bool npu85_byte_words_init(struct npu85_elementwise *e, npu_walk_row *apart)
{
	const struct npu_op *op = e->op;
	const bool subtracts = op->mode == NPU_EW_SUB;

	if ((op->mode != NPU_EW_ADD && !subtracts) || op->u85.table != NPU85_TABLE_S8_S32 || op->u85.clip_off || e->out.raw || op->ofm.bytes != 4 ||
	    !e->a.fm || e->a.fm->bytes != 1 || (e->b.fm && e->b.fm->bytes != 1) || !e->a.scale.none || !e->b.scale.none || !e->result.none)
		return false;
	const struct npu_byte_term a = { 1, e->a.fm->zero_point, e->a.fm->is_signed };
	const struct npu_byte_term b = { subtracts ? -1 : 1, e->b.fm ? e->b.fm->zero_point : 0, e->b.fm && e->b.fm->is_signed };
	const i64 more = e->b.fm ? 0 : subtracts ? -e->b.constant : e->b.constant;
	if (!npu_byte_words_init(&e->byte_words, &a, e->b.fm ? &b : NULL, op->ofm.zero_point + more, op->lo, op->hi))
		return false;
	npu85_rows_by_grid(e, byte_words_grid, apart);
	return true;
}

static bool table_words_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu85_elementwise *e = ctx;
	const struct npu_byte_grid g = { .a = p[1], .to = p[0], .down_a = down[1], .down_to = down[0], .rows = rows, .n = n };

	if (stride[0] != sizeof(i32) || stride[1] != 1)
		return false;
	npu_byte_words_rows(&e->byte_words, e->table, &g);
	return true;
}

void npu85_table_words_init(struct npu85_elementwise *e)
{
	const struct npu_byte_term byte = { .sign = 1 };

	npu_byte_words_init(&e->byte_words, &byte, NULL, INT8_MIN, INT8_MIN, INT8_MAX); /* each byte is the number of its word */
	e->grid = table_words_grid;
}

/* Shifted to the left, and of that the low words: no value is too large. */
static void shifted_words_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu85_elementwise *e = ctx;
	NPU_LINE i32 v[NPU_ROW];

	if (stride[0] != sizeof(*v) || stride[1] != sizeof(*v)) {
		e->apart(ctx, p, stride, n);
		return;
	}
	memcpy(v, p[1], n * sizeof(*v));
	npu85_stage_run32(&e->result, e->simd, v, n);
	memcpy(p[0], v, n * sizeof(*v));
}

static void single_words_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu85_elementwise *e = ctx;
	NPU_LINE i32 v[NPU_ROW];
	u32 all = 0;

	for (size_t i = 0; stride[1] == sizeof(*v) && i < n; i++) {
		memcpy(&v[i], p[1] + i * sizeof(*v), sizeof(*v));
		all |= (u32)(v[i] ^ v[i] >> 31);
	}
	if (stride[1] != sizeof(*v) || !npu85_stage_small(&e->result, (i64)all + 1)) {
		e->apart(ctx, p, stride, n);
		return;
	}
	npu85_stage_run32(&e->result, e->simd, v, n);
	npu85_row_store32(&e->out, v, n, p[0], stride[0]);
}

bool npu85_single_words_init(struct npu85_elementwise *e, npu_walk_row *apart)
{
	if (!e->single || e->op->acc_bits != 32 || !npu_row_plain32(e->a.fm, sizeof(i32))) /* accumulators of as many bits change nothing */
		return false;
	e->apart = apart;
	e->row = e->result.left && npu_sink_is_plain32(e->op) ? shifted_words_row : single_words_row;
	return true;
}
