/* SPDX-License-Identifier: Apache-2.0 */
/* U85's products of int16, and int16 through tables or with a scale for each sign (npu/kernels/rows/halves.h). */
#include "npu/kernels/fm.h"
#include "npu/kernels/rows/halves.h"
#include "npu/kernels/rows/rescale.h"
#include "npu/kernels/u85/elementwise.h"

#define MOST_LEFT 15 /* of int16 */

/* Values up to `reach`; what that gives has 32 bits. */
static bool stage_of(struct npu_operand8 *o, const struct npu85_stage *s, i64 reach)
{
	struct npu85_scale one = s->scale;

	o->by_sign = s->by_sign && reach <= INT32_MAX >> s->up;
	if (o->by_sign) {
		o->factor = 1 << s->up;
		o->scaled = true;
		o->signs = s->signs;
		return true;
	}
	if (s->left <= MOST_LEFT && npu85_stage_bytes(s, reach, o) && reach * o->factor <= INT32_MAX)
		return true;
	if (!npu_scale_first(o, s->scale.scale, s->scale.shift, (u64)reach))
		return false;
	one.scale = 1;
	return !o->scaled || npu85_rescale_all(&o->rescale, one, 0);
}

static bool mul16_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu85_elementwise *e = ctx;

	return npu_mul16_run(e->simd, &e->mul16, e->a.map, e->b.fm ? e->b.map : 0, &(struct npu_halves){ p, down, stride, rows, n });
}

bool npu85_mul16_init(struct npu85_elementwise *e, npu_walk_row *apart)
{
	const struct npu_op *op = e->op;
	struct npu_mul16 *m = &e->mul16;

	if (!e->simd->mul16 || e->single || op->mode != NPU_EW_MUL || e->out.raw || !npu_sink_narrows16(op) || !npu_stores_half(op) || !e->a.fm || !npu_is_half(e->a.fm) ||
	    (e->b.fm && !npu_is_half(e->b.fm)) || e->reach > INT32_MAX || !stage_of(&m->scale, &e->result, e->reach))
		return false;
	m->zero_a = e->a.fm->zero_point;
	m->zero_b = e->b.fm ? e->b.fm->zero_point : 0;
	m->factor = e->b.fm ? 0 : (i32)e->b.constant;
	m->narrow = (struct npu_narrow16){ op->ofm.zero_point, op->lo, op->hi };
	npu85_rows_by_grid(e, mul16_grid, apart);
	return true;
}

static bool unary16_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu85_elementwise *e = ctx;

	return npu_unary16_run(e->simd, &e->unary16, &(struct npu_halves){ p, down, stride, rows, n });
}

void npu85_unary16_begin(struct npu85_elementwise *e)
{
	_Static_assert(sizeof(e->table) >= NPU_CURVE_BYTES, "room");

	if (e->grid == unary16_grid)
		npu_unary16_begin(&e->unary16, e->simd, e->op, e->table);
	else if (e->words_curve)
		npu_words_begin(&e->words, &e->unary16, e->simd, e->op, e->table);
}

/* The unit for tanh or sigmoid; its results are clipped, not its values. */
static struct npu_curve16 unit_of(const struct npu_op *op, const u8 *table, u8 bits)
{
	const i32 limit = (256 << bits) - 1;

	return (struct npu_curve16){ .table = table, .zero_point = op->ofm.zero_point, .lo = -limit, .hi = limit, .bits = bits, .first = 256,
				     .less = true, .least = op->lo, .most = op->hi };
}

/* False: the table is another one. */
static bool curve_of(struct npu_curve16 *c, const struct npu_op *op, const u8 *table)
{
	switch (op->u85.table) {
	case NPU85_TABLE_S16_S16:
		*c = (struct npu_curve16){ .table = table, .zero_point = op->ofm.zero_point, .lo = op->lo, .hi = op->hi, .bits = 7, .down = 7,
					   .first = 256, .add = 64, .wraps = true };
		return true;
	case NPU85_TABLE_TANH:
		*c = unit_of(op, table, 8);
		c->down = 8;
		c->add = 128;
		return true;
	case NPU85_TABLE_SIGMOID:
		*c = unit_of(op, table, 9);
		c->down = 10;
		c->add = 512 + (16384 << 10);
		return true;
	default:
		return false;
	}
}

bool npu85_unary16_init(struct npu85_elementwise *e, npu_walk_row *apart)
{
	const struct npu_op *op = e->op;
	const bool leaky = !e->single && op->mode == NPU_EW_LRELU, magnitudes = !e->single && op->mode == NPU_EW_ABS;
	struct npu_unary16 *u = &e->unary16;

	u->curved = op->u85.table != NPU85_TABLE_NONE;
	u->signs = leaky;
	u->magnitudes = magnitudes;
	const bool one_stage = leaky ? e->result.none : magnitudes ? e->a.scale.none && !u->curved : e->single && (u->curved || e->result.by_sign);
	if (!e->simd->unary16 || !one_stage || e->out.raw || op->u85.clip_off || !npu_stores_half(op) || !e->a.fm || !npu_is_half(e->a.fm))
		return false;
	const i64 reach = (i64)npu_fm_magnitude(e->a.fm);
	if (!stage_of(&u->up, leaky ? &e->a.scale : &e->result, reach) || (leaky && !stage_of(&u->down, &e->b.scale, reach)) ||
	    (u->curved && !curve_of(&u->curve, op, e->out.table)))
		return false;
	if (!u->curved)
		u->curve = (struct npu_curve16){ 0 };
	u->zero_point = e->a.fm->zero_point;
	u->narrow = (struct npu_narrow16){ op->ofm.zero_point, op->lo, op->hi };
	npu85_rows_by_grid(e, unary16_grid, apart);
	return true;
}
