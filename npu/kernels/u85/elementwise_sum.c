/* SPDX-License-Identifier: Apache-2.0 */
/* U85's sums of bytes and of int16, and products of bytes, in registers from load to store (struct npu_add8, npu_add16, npu_mul8). */
#include "npu/kernels/fm.h"
#include "npu/kernels/rows/rescale.h"
#include "npu/kernels/rows/halves.h"
#include "npu/kernels/u85/elementwise.h"

#define MOST_LEFT 14 /* of int16 that are only shifted: below 2^30 */

static bool operand_init(struct npu_operand8 *o, const struct npu85_operand *from, unsigned bytes)
{
	if (!from->fm || from->fm->bytes != bytes)
		return false;
	o->zero_point = from->fm->zero_point;
	o->is_signed = from->fm->is_signed;
	return npu85_stage_bytes(&from->scale, (i64)npu_fm_magnitude(from->fm), o);
}

static bool is_sum(const struct npu85_elementwise *e)
{
	return !e->single && (e->op->mode == NPU_EW_ADD || e->op->mode == NPU_EW_SUB) && !e->result.left && (e->result.none || e->result.fast);
}

/* The operands' elements side by side. */
struct pair {
	u8 room[2][NPU_ROW * 2];
	const u8 *a, *b; /* b: NULL where there is one operand */
};

/* False: those of some map lie apart. */
static bool pair_of(struct pair *o, const struct npu85_elementwise *e, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const unsigned bytes = e->a.fm->bytes;
	const bool two = !e->single && e->b.fm;

	o->b = NULL;
	if (stride[0] != bytes)
		return false;
	o->a = npu_row_beside(p[e->a.map], stride[e->a.map], bytes, n, o->room[0]);
	if (two)
		o->b = npu_row_beside(p[e->b.map], stride[e->b.map], bytes, n, o->room[1]);
	return o->a && (o->b || !two);
}

static void sum8_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu85_elementwise *e = ctx;
	struct pair o;

	if (pair_of(&o, e, p, stride, n))
		e->simd->add8(&e->sum, o.a, o.b, n, p[0]);
	else
		e->apart(ctx, p, stride, n);
}

/* As U55 and U65 have it. */
static bool sum8_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu85_elementwise *e = ctx;
	const unsigned a = e->a.map, b = e->b.fm ? e->b.map : a;
	const struct npu_words_grid g = { .a = p[a], .b = p[b], .to = p[0], .down_a = down[a], .down_b = down[b], .down_to = down[0], .rows = rows, .n = n };

	return e->simd->add8_rows && e->b.fm && stride[0] == 1 && stride[a] == 1 && stride[b] == 1 && e->simd->add8_rows(&e->sum, &g);
}

/* All of them lie side by side; of the second operand there may be one for all. */
static bool halves_beside(const struct npu85_elementwise *e, const i64 stride[NPU_WALK_MAPS])
{
	return stride[0] == sizeof(i16) && stride[e->a.map] == sizeof(i16) && (e->single || !stride[e->b.map] || stride[e->b.map] == sizeof(i16));
}

static void sum16_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu85_elementwise *e = ctx;
	struct pair o;

	if (!pair_of(&o, e, p, stride, n)) {
		e->apart(ctx, p, stride, n);
		return;
	}
	npu_row_add16(e->simd, &e->sum16, o.a, o.b, n, p[0]);
	if (e->sum16_tabled)
		npu_unary16_in_place(e->simd, &e->unary16, p[0], 0, 1, n);
}

/* Groups of channels of maps whose layouts differ are short rows: no copies that bring them together. */
static bool sum16_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu85_elementwise *e = ctx;
	const unsigned a = e->a.map, b = e->single ? a : e->b.map;
	const struct npu_words_grid g = { .a = p[a], .b = e->single ? NULL : p[b], .to = p[0], .down_a = down[a], .down_b = down[b], .down_to = down[0],
					  .step_b = stride[b], .rows = rows, .n = n };

	if (n < NPU_GROUP || !halves_beside(e, stride))
		return false;
	e->simd->add16(&e->sum16, &g);
	if (e->sum16_tabled)
		npu_unary16_in_place(e->simd, &e->unary16, p[0], down[0], rows, n);
	return true;
}

bool npu85_sum8_init(struct npu85_elementwise *e, npu_walk_row *apart)
{
	struct npu_add8 *s = &e->sum;
	const bool constant = !e->b.fm;

	if (!e->simd->add8 || !is_sum(e) || !e->out.narrow_valid || !operand_init(&s->a, &e->a, 1) || (!constant && !operand_init(&s->b, &e->b, 1)))
		return false;
	s->subtract = e->op->mode == NPU_EW_SUB;
	if (constant)
		s->b = (struct npu_operand8){ 0 };
	s->constant = constant ? (i32)(s->subtract ? -e->b.constant : e->b.constant) : 0;
	s->scaled = !e->result.none;
	if (s->scaled)
		s->rescale = e->result.lanes;
	s->narrow = e->out.narrow;
	s->estimate = false;
	if (!constant)
		npu_add8_estimate(s);
	e->apart = apart;
	e->row = sum8_row;
	e->grid = sum8_grid;
	return true;
}

static void product8_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu85_elementwise *e = ctx;
	struct pair o;

	if (pair_of(&o, e, p, stride, n))
		e->simd->mul8(&e->product, o.a, o.b, n, p[0]);
	else
		e->apart(ctx, p, stride, n);
}

/* Bricks of pixels that lie one behind the other times the same brick. */
static bool product8_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu85_elementwise *e = ctx;
	const unsigned a = e->a.map, b = e->b.map;

	if (e->single || !e->b.fm || n != NPU_GROUP || stride[0] != 1 || stride[a] != 1 || stride[b] != 1 || down[0] != NPU_GROUP || down[a] != NPU_GROUP || down[b])
		return false;
	e->simd->mul8_repeated(&e->product, p[a], p[b], rows * n, p[0]);
	return true;
}

/* Bytes as they are. */
static bool is_factor(const struct npu85_operand *o)
{
	return o->fm && o->fm->bytes == 1 && o->scale.none;
}

bool npu85_product8_init(struct npu85_elementwise *e, npu_walk_row *apart)
{
	struct npu_mul8 *s = &e->product;
	const bool constant = e->single || !e->b.fm;
	const i64 reach = !is_factor(&e->a) ? INT64_MAX : e->single ? (i64)npu_fm_magnitude(e->a.fm) : e->reach;

	if (!e->simd->mul8 || !is_factor(&e->a) || (!e->single && (e->op->mode != NPU_EW_MUL || (e->b.fm && !is_factor(&e->b)))) ||
	    !e->out.narrow_valid || e->result.left || !(e->result.none || e->result.fast) || reach >= NPU_ROW_LIMIT || !npu85_stage_small(&e->result, reach))
		return false;
	s->scaled = !e->result.none;
	if (s->scaled)
		s->rescale = e->result.lanes;
	s->rescale.left = 0;
	s->zero_a = e->a.fm->zero_point;
	s->signed_a = e->a.fm->is_signed;
	s->zero_b = constant ? 0 : e->b.fm->zero_point;
	s->signed_b = !constant && e->b.fm->is_signed;
	s->factor = e->single ? 1 : constant ? (i32)e->b.constant : 0;
	s->narrow = e->out.narrow;
	npu_mul8_limit(s, (u64)reach);
	e->apart = apart;
	e->row = product8_row;
	e->grid = product8_grid;
	return true;
}

static bool stores_halves(const struct npu85_elementwise *e)
{
	return !e->out.raw && npu_sink_narrows16(e->op);
}

static void sum16_rows(struct npu85_elementwise *e, npu_walk_row *apart)
{
	e->sum16_tabled = false;
	e->sum16.narrow = (struct npu_narrow16){ e->op->ofm.zero_point, e->op->lo, e->op->hi };
	e->apart = apart;
	e->row = sum16_row;
	e->grid = sum16_grid;
}

/* The same of what is clipped and looked up then. */
static bool looks_up_halves(const struct npu85_elementwise *e)
{
	const struct npu_op *op = e->op;

	return !e->out.raw && op->u85.table == NPU85_TABLE_S16_S16 && !op->u85.clip_off && npu_stores_half(op);
}

bool npu85_sum16_init(struct npu85_elementwise *e, npu_walk_row *apart)
{
	struct npu_add16 *s = &e->sum16;

	const bool tabled = looks_up_halves(e);

	if (!e->simd->add16 || !is_sum(e) || (!tabled && !stores_halves(e)) || e->reach > INT32_MAX || !operand_init(&s->a, &e->a, 2) ||
	    !operand_init(&s->b, &e->b, 2) || !s->a.is_signed || !s->b.is_signed)
		return false;
	s->subtract = e->op->mode == NPU_EW_SUB;
	s->scaled = !e->result.none;
	if (s->scaled)
		s->rescale = e->result.lanes;
	sum16_rows(e, apart);
	e->sum16_tabled = tabled;
	if (tabled)
		npu_unary16_pieces(&e->unary16, e->out.table, true);
	return true;
}

bool npu85_scaled16_init(struct npu85_elementwise *e, npu_walk_row *apart)
{
	const struct npu85_stage *stage = &e->result;
	const struct npu_fm *fm = e->a.fm;
	struct npu_add16 *s = &e->sum16;

	if (!e->simd->add16 || !stores_halves(e) || fm->bytes != 2 || !fm->is_signed || stage->by_sign || !(stage->none || stage->left || stage->fast || stage->up) || stage->left > MOST_LEFT)
		return false;
	s->scaled = stage->fast || stage->up;
	s->a = (struct npu_operand8){ .zero_point = fm->zero_point, .is_signed = true, .factor = 1 << (s->scaled ? stage->up : stage->left) };
	s->subtract = false;
	if (s->scaled)
		s->rescale = stage->lanes;
	sum16_rows(e, apart);
	return true;
}
