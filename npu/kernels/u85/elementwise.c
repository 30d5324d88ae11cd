/* SPDX-License-Identifier: Apache-2.0 */
/* U85 elementwise operations, and pools of one element, over rows.
 *
 * One 8-bit operand from memory: a table of 256 results, made by the generic path's own arithmetic.
 * Sums of bytes and of int16: elementwise_sum.c; products of int16, and int16 through tables: halves.c; int32: elementwise_words.c. 8/16-bit operands whose results are sure to fit:
 * 32-bit lanes, operand scaling of bytes through a table. Everything else in 64 bits. */
#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/rows/rescale.h"
#include "npu/kernels/rows/straight.h"
#include "npu/kernels/u85/combine.h"
#include "npu/kernels/u85/elementwise.h"

static i64 constant_of(const struct npu_op *op, const struct npu_fm *fm)
{
	return (i64)op->scalar - fm->zero_point;
}

/* ---- table ---- */

static void table_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu85_elementwise *e = ctx;

	if (e->is_straight && stride[0] == 1 && stride[1] == 1)
		e->simd->straight(&e->straight, p[1], n, p[0]);
	else
		npu_row_look_up(e->simd, e->table, e->op->ofm.bytes, p[1], stride[1], p[0], stride[0], n);
}

/* ---- 32 bits ---- */

static void load32(const struct npu85_elementwise *e, const struct npu85_operand *o, u8 *const *p, const i64 *stride, size_t n, i32 *out)
{
	const i64 constant = o->constant;

	if (!o->fm) {
		for (size_t i = 0; i < n; i++)
			out[i] = (i32)constant;
		return;
	}
	const u8 *from = p[o->map];
	i64 step = stride[o->map];
	if (o->tabled && step == 0) {
		i32 v = o->table[*from];
		for (size_t i = 0; i < n; i++)
			out[i] = v;
	} else if (o->tabled) {
		for (size_t i = 0; i < n; i++)
			out[i] = o->table[from[(i64)i * step]];
	} else {
		npu_row_load32(o->fm, from, step, n, out);
		npu85_stage_run32(&o->scale, e->simd, out, n);
	}
}

static void row32(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu85_elementwise *e = ctx;
	NPU_LINE i32 a[NPU_ROW];
	NPU_LINE i32 b[NPU_ROW];

	load32(e, &e->a, p, stride, n, a);
	if (!e->op->unary)
		load32(e, &e->b, p, stride, n, b);
	npu85_combine32(e->op->mode, a, b, n);
	npu85_stage_run32(&e->result, e->simd, a, n);
	npu85_row_store32(&e->out, a, n, p[0], stride[0]);
}

/* One operand that is not scaled for itself. */
static void single32(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu85_elementwise *e = ctx;
	NPU_LINE i32 a[NPU_ROW];

	npu_row_load32(e->a.fm, p[e->a.map], stride[e->a.map], n, a);
	npu85_stage_run32(&e->result, e->simd, a, n);
	npu85_row_store32(&e->out, a, n, p[0], stride[0]);
}

/* Each sign has a scale of its own. */
static void leaky32(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu85_elementwise *e = ctx;
	NPU_LINE i32 a[NPU_ROW];
	NPU_LINE i32 negative[NPU_ROW];

	npu_row_load32(e->a.fm, p[e->a.map], stride[e->a.map], n, a);
	for (size_t i = 0; i < n; i++) {
		negative[i] = a[i] < 0 ? a[i] : 0;
		a[i] = a[i] < 0 ? 0 : a[i];
	}
	npu85_stage_run32(&e->a.scale, e->simd, a, n);
	npu85_stage_run32(&e->b.scale, e->simd, negative, n);
	for (size_t i = 0; i < n; i++)
		a[i] += negative[i]; /* one of them is 0, and stays so */
	npu85_stage_run32(&e->result, e->simd, a, n);
	npu85_row_store32(&e->out, a, n, p[0], stride[0]);
}

/* Elements may have to be shifted for the scale to fit the vectors' form. */
static bool is_single32(struct npu85_elementwise *e)
{
	if (!e->single || e->a.fm->bytes > 2 || npu_fm_magnitude(e->a.fm) >= NPU_ROW_LIMIT >> NPU85_MOST_UP ||
	    !npu85_stage_small(&e->result, (i64)npu_fm_magnitude(e->a.fm)))
		return false;
	e->result.room = true;
	return true;
}

static i64 magnitude(i64 v)
{
	return v < 0 ? -v : v;
}

/* Largest magnitude of a scaled operand; INT64_MAX: does not stay small. */
static i64 reach_of(const struct npu85_operand *o)
{
	if (!o->fm)
		return magnitude(o->constant);
	if (o->fm->bytes > 2 || !npu85_stage_small(&o->scale, (i64)npu_fm_magnitude(o->fm)))
		return INT64_MAX;
	i64 m = (i64)npu_fm_magnitude(o->fm);
	i64 up = npu85_scale_round(m, o->scale.scale), down = -npu85_scale_round(-m, o->scale.scale);
	return up > down ? up : down;
}

/* Whether every value of it stays below 2^30 in magnitude. */
static bool is_leaky32(const struct npu85_elementwise *e)
{
	const i64 reach = e->a.fm && e->a.fm->bytes <= 2 ? (i64)npu_fm_magnitude(e->a.fm) : INT64_MAX;

	if (e->single || e->op->mode != NPU_EW_LRELU || !npu85_stage_small(&e->a.scale, reach) || !npu85_stage_small(&e->b.scale, reach))
		return false;
	const i64 most = npu85_scale_round(reach, e->a.scale.scale), least = npu85_scale_round(-reach, e->b.scale.scale);
	return npu85_stage_small(&e->result, (most > -least ? most : -least) + 1);
}

/* Of bytes whose scaling takes more than a shift. */
static void operand_table(struct npu85_operand *o)
{
	if (!o->fm || o->fm->bytes > 1 || o->scale.none || o->scale.left)
		return;
	o->tabled = true;
	for (unsigned b = 0; b < 256; b++)
		o->table[b] = (i32)npu85_scale_round(npu_byte_value(o->fm, b), o->scale.scale);
}

/* Whether every intermediate value stays below 2^30 in magnitude. */
static bool init32(struct npu85_elementwise *e)
{
	const struct npu_op *op = e->op;
	i64 a = reach_of(&e->a), b = op->unary ? 0 : reach_of(&e->b), reach;

	e->reach = INT64_MAX;
	if (e->single || a > INT32_MAX || b > INT32_MAX || !npu85_combine32_has(op->mode))
		return false;
	if (op->mode == NPU_EW_MUL)
		reach = a * b;
	else if (op->mode == NPU_EW_ADD || op->mode == NPU_EW_SUB)
		reach = a + b;
	else
		reach = 2 * (a > b ? a : b) + 1; /* of bits as well */
	e->reach = reach;
	return npu85_stage_small(&e->result, reach);
}

/* ---- 64 bits ---- */

static void load64(const struct npu85_elementwise *e, const struct npu85_operand *o, u8 *const *p, const i64 *stride, size_t n, i64 *out)
{
	const i64 constant = o->constant;

	if (!o->fm) {
		for (size_t i = 0; i < n; i++)
			out[i] = constant;
		return;
	}
	npu85_row_load(o->fm, p[o->map], stride[o->map], n, out);
	if (e->op->mode != NPU_EW_LRELU || e->single)
		npu85_stage_run(&o->scale, e->simd, out, n);
}

/* Each sign has a scale of its own. */
static void leaky(const struct npu85_elementwise *e, i64 *a, size_t n)
{
	i64 negative[NPU_ROW];
	bool below[NPU_ROW];

	for (size_t i = 0; i < n; i++) {
		below[i] = a[i] < 0;
		negative[i] = below[i] ? a[i] : 0;
		a[i] = below[i] ? 0 : a[i];
	}
	npu85_stage_run(&e->a.scale, e->simd, a, n);
	npu85_stage_run(&e->b.scale, e->simd, negative, n);
	for (size_t i = 0; i < n; i++)
		a[i] = below[i] ? negative[i] : a[i];
}

static void row64(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu85_elementwise *e = ctx;
	const struct npu_op *op = e->op;
	i64 a[NPU_ROW], b[NPU_ROW];

	load64(e, &e->a, p, stride, n, a);
	if (e->single) {
		const unsigned bits = op->acc_bits;
		for (size_t i = 0, wide = op->ifm.bytes > 2 ? n : 0; i < wide; i++)
			a[i] = npu85_wrap(a[i], bits);
	} else if (op->mode == NPU_EW_LRELU) {
		leaky(e, a, n);
	} else {
		if (!op->unary)
			load64(e, &e->b, p, stride, n, b);
		npu85_combine64(op, a, b, n);
	}
	npu85_stage_run(&e->result, e->simd, a, n);
	npu85_row_store(&e->out, a, n, p[0], stride[0]);
}

/* ---- */

static const struct npu85_scale no_scale = { .scale = 1 };

static void operand_init(struct npu85_operand *o, const struct npu_op *op, const struct npu_fm *fm, bool scalar,
			 struct npu85_scale scale)
{
	npu85_stage_init(&o->scale, scale);
	o->tabled = false;
	o->fm = scalar ? NULL : fm;
	if (scalar)
		o->constant = npu85_scale_round(constant_of(op, fm), scale);
}

static void operands_init(struct npu85_elementwise *e)
{
	const struct npu_op *op = e->op;
	bool scaled = npu85_scales_operands(op->mode) || op->mode == NPU_EW_LRELU;
	struct npu85_scale a = scaled && !e->single ? op->u85.ifm_scale : no_scale;
	struct npu85_scale b = scaled && !e->single ? op->u85.ifm2_scale : no_scale;
	struct npu85_scale result = op->u85.ofm_scale;

	if (!e->single && op->mode == NPU_EW_MUL && op->ifm.bytes == 4)
		result.scale = 1; /* 32-bit products are scaled by the shift alone */
	operand_init(&e->a, op, &op->ifm, op->u85.ifm_scalar && !e->single, a);
	operand_init(&e->b, op, &op->ifm2, op->unary || op->ifm2_scalar, b);
	npu85_stage_init(&e->result, result);
}

static void maps_init(struct npu85_elementwise *e, const struct npu85_job *j, u32 step_y, u32 step_x)
{
	const struct npu_op *op = e->op;

	e->view = &j->view;
	e->count = 0;
	e->maps[e->count++] = (struct npu_walk_map){ .fm = &op->ofm, .tile = (const u8 *const *)j->view.ofm, .step_y = 1, .step_x = 1 };
	if (e->a.fm) {
		e->a.map = e->count;
		e->maps[e->count++] = (struct npu_walk_map){ .fm = &op->ifm, .tile = j->view.ifm, .step_y = step_y, .step_x = step_x };
	}
	if (!e->single && e->b.fm) {
		e->b.map = e->count;
		e->maps[e->count++] = (struct npu_walk_map){ .fm = &op->ifm2, .tile = j->view.ifm2, .step_y = 1, .step_x = 1 };
	}
}

/* Elements of int16 or int32 as they are, to another layout. */
static bool is_copy(const struct npu85_elementwise *e)
{
	const struct npu_op *op = e->op;
	const struct npu_fm *from = &op->ifm, *to = &op->ofm;
	const bool words = from->bytes == 4 && op->acc_bits == 32 && npu_row_plain32(from, sizeof(i32));
	const i32 lo = words ? INT32_MIN : INT16_MIN, hi = words ? INT32_MAX : INT16_MAX;

	return e->single && e->result.none && !e->out.raw && !op->u85.table && (words || from->bytes == 2) && from->bytes == to->bytes &&
	       from->zero_point == to->zero_point && (op->u85.clip_off || (from->is_signed && op->lo <= lo && op->hi >= hi));
}

/* Both operands are int16, or the only one. */
static bool halves(const struct npu85_elementwise *e)
{
	return e->a.fm && e->a.fm->bytes == 2 && (!e->b.fm || e->b.fm->bytes == 2);
}

/* Bytes to int16 and int32, which vectors scale in less time than a table is looked up. */
static bool widens(const struct npu85_elementwise *e, npu_walk_row *row)
{
#ifdef ROW_LEVEL
	return (e->out.halves || e->out.words) && (row == row32 || row == single32);
#else
	(void)e;
	(void)row;
	return false;
#endif
}

/* What rows of `of_bytes` give is looked up from now on. */
static void take_table(struct npu85_elementwise *e)
{
	const struct npu_fm *from = e->maps[1].fm;

	e->row = npu_row_of_bytes(e->of_bytes, e, e->table, e->op->ofm.bytes) ? NULL : table_row;
	e->is_straight = e->simd->straight && e->row && e->op->ofm.bytes == 1 && from->is_signed && npu_straight_find(&e->straight, e->table, from->zero_point);
}

/* Of one operand of bytes results are looked up, where that takes less time; with `lasts` the table is made for later times as well. */
static void choose_row(struct npu85_elementwise *e, bool lasts)
{
	const struct npu_op *op = e->op;
	const bool of_one = e->count == 2 && e->maps[1].fm->bytes == 1, small = init32(e);
	npu_walk_row *const row = small ? row32 : is_single32(e) ? single32 : is_leaky32(e) ? leaky32 : row64;

	e->of_bytes = NULL;
	e->grid = NULL;
	e->space = NULL;
	e->words_curve = false;
	if (npu85_extremes_init(e, row) || npu85_widened_init(e, row) || npu85_narrowed_init(e, row))
		return;
	if (!(of_one && npu_table_pays(op)) && ((small && npu85_sum8_init(e, row32)) || npu85_product8_init(e, row) || npu85_sum16_init(e, row)))
		return;
	if (of_one && (npu_table_pays(op) || lasts) && !widens(e, row)) {
		e->of_bytes = row;
		take_table(e);
		if (op->ofm.bytes == sizeof(i32))
			npu85_table_words_init(e);
		return;
	}
	if (npu85_mul16_init(e, row) || npu85_unary16_init(e, row))
		return;
	e->row = is_copy(e) ? NULL : row;
	if (e->row == single32 && npu85_scaled16_init(e, row))
		return;
	if (e->row && (!small || halves(e)) && npu85_words_init(e, row64))
		return;
	if (e->row == row64 && (npu85_single_words_init(e, row64) || npu85_bits_init(e)))
		return;
	if (e->row == row32 && npu85_byte_words_init(e, row32))
		return;
	if (e->row == row32 && npu_operand_tables_pay(op)) {
		operand_table(&e->a);
		operand_table(&e->b);
	}
}

static void walk(const struct npu_kernels *k, struct npu85_elementwise *e)
{
	npu85_unary16_begin(e);
	if (e->row && e->pixel.n)
		npu_walk_pixel(&e->pixel, e->view, e->maps, e->count, e->row, e);
	else if (e->row)
		npu_walk_grids(k->team, k->simd, e->view, e->maps, e->count, &(struct npu_walk_ways){ e->row, e->grid, e->space }, e);
	else
		npu_walk_copy(k->team, e->view, e->maps);
}

static bool walk_again(struct npu_kernels *k, void *ctx)
{
	struct npu85_elementwise *e = ctx;

	if (!npu85_out_again(&e->out) && e->of_bytes)
		take_table(e);
	walk(k, e);
	return true;
}

static bool run(struct npu85_job *j, bool single, u32 step_y, u32 step_x)
{
	struct npu85_elementwise *const room = npu_again_room(j->k, sizeof(*room)), own, *const e = room ? room : &own; /* its tables are set where they are used */

	e->op = &j->op;
	e->simd = j->k->simd;
	e->single = single;
	operands_init(e);
	maps_init(e, j, step_y, step_x);
	if (e->count == 1)
		return false; /* a constant */
	npu_walk_pixel_init(&e->pixel, e->maps, e->count);
	npu85_out_init(&e->out, j->k->simd, e->op, &j->view);
	choose_row(e, room);
	if (!e->row && npu85_job_turn(j, e->maps, &e->turned))
		npu_walk_pixel_init(&e->pixel, e->maps, e->count);
	walk(j->k, e);
	if (!e->of_bytes || !e->op->u85.table || e->out.narrow_valid) /* else the table has entries that may change */
		npu_again_keep(j->k, room, walk_again);
	return true;
}

bool npu85_fast_elementwise(struct npu85_job *j)
{
	return run(j, false, 1, 1);
}

bool npu85_fast_single(struct npu85_job *j)
{
	return run(j, true, j->op.stride_y, j->op.stride_x);
}
