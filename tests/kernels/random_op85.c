/* SPDX-License-Identifier: Apache-2.0 */
/* Random operations of Ethos-U85; see random_op85.h. Values are those that the command stream's
 * decoder (npu/u85/decode.c) could have made of legal registers. */
#include "tests/kernels/random_op85.h"

#include <string.h>

#include "npu/u85/arith.h"
#include "npu/u85/u85.h"
#include "tests/kernels/random_parts85.h"
#include "tests/kernels/usual_halves.h"
#include "tests/kernels/usual_op85.h"

static const u8 bytes_any[] = { 1, 1, 1, 2, 2, 4, 4, 8 }, bytes_small[] = { 1, 1, 1, 2 };

/* An operand from memory or out of a chain buffer. */
static bool chained_operand(struct rng *r, struct sequence *s, struct npu_fm *fm)
{
	if (!s->chains || rng_below(r, 2))
		return false;
	unsigned i = rng_below(r, s->chains);
	fm->bytes = s->chain[i].bytes;
	fm->is_signed = s->chain[i].is_signed;
	fm->region = (u8)i;
	fm->width0 = fm->width;
	fm->height0 = fm->height1 = fm->height;
	return true;
}

static void random_accumulators(struct rng *r, struct sequence *s, bool more, struct npu_op *op,
				struct npu_view *view)
{
	struct npu85_op *u = &op->u85;
	const bool product = u->weights_ifm2 && op->ifm.bytes == 2 && op->ifm2.bytes == 2;
	const bool rescales = op->kind == NPU_POOL && op->mode == NPU_POOL_NONE;

	u->acc48 = product ? rng_below(r, 4) != 0 : rng_one_in(r, op->ifm.bytes == 2 ? 2 : 8);
	if (s->kept) {
		u->acc_input = NPU85_ACC_KEEP;
		u->acc48 = rng_below(r, 8) ? s->acc48 : !s->acc48;
	} else if (!u->weights_ifm2 && rng_one_in(r, rescales ? 2 : 6)) {
		u8 *tile[NPU_TILES] = { 0 };
		u->acc_input = NPU85_ACC_IFM2;
		random_type(r, &op->ifm2, bytes_any + 4, 4);
		if (rescales && rng_below(r, 4))
			usual_accumulators(op);
		set_size(&op->ifm2, op->ofm.height, op->ofm.width, op->ofm.depth);
		random_map(r, s->arena, &op->ifm2, tile);
		if (rng_below(r, 4))
			small_elements(r, &op->ifm2, tile);
		memcpy(view->ifm2, tile, sizeof(tile));
	}
	op->acc_bits = u->acc48 ? 48 : 32;
	u->acc_output_off = more && rng_one_in(r, 3);
	s->kept = u->acc_output_off;
	s->acc48 = u->acc48;
	op->per_channel = product ? rng_one_in(r, 4) : rng_below(r, 4) != 0;
	if (op->per_channel && !u->acc_output_off)
		random_records(r, s->arena, op, view);
}

static const u8 two_bytes[] = { 2 };

static void random_mac(struct rng *r, struct sequence *s, bool more, struct npu_op *op, struct npu_view *view)
{
	u8 *tile[NPU_TILES] = { 0 };

	random_type(r, &op->ifm, bytes_small, 4);
	op->ifm.depth = op->kind == NPU_CONV ? 1 + rng_below(r, rng_below(r, 3) ? 40 : 3) : op->ofm.depth;
	const bool tap = op->kind == NPU_CONV && more && s->kept && rng_below(r, 2);
	op->u85.weights_ifm2 = op->kind == NPU_CONV && !tap && rng_one_in(r, 4);
	const bool halves = op->u85.weights_ifm2 && rng_below(r, 2); /* int16 by int16 */
	const bool words = !op->u85.weights_ifm2 && rng_one_in(r, 3); /* int16 by bytes to int16, or int32 */
	const bool row = op->u85.weights_ifm2 && !halves && !more && !s->kept && rng_below(r, 2);
	if (op->kind == NPU_DEPTHWISE && !more && !s->kept && rng_one_in(r, 4))
		line_window(r, op);
	else if (!more && !s->kept && rng_one_in(r, 8))
		column_window(r, op);
	else if (words && rng_below(r, 2))
		usual_window(r, op, false);
	else
		random_window(r, op, op->u85.weights_ifm2 && rng_below(r, 4) ? 1 : 4);
	if (tap)
		usual_tap(r, op);
	random_ublock(r, s->config, op);
	if (halves)
		random_type(r, &op->ifm, two_bytes, 1);
	if (words) {
		op->ifm.bytes = 2;
		op->ofm.bytes = rng_one_in(r, 4) ? 4 : 2;
	}
	if (words || (halves && rng_below(r, 2))) {
		op->ifm.is_signed = op->ofm.is_signed = 1;
		op->ifm.zero_point = op->ofm.zero_point = 0;
	}
	if (op->u85.weights_ifm2) {
		random_type(r, &op->ifm2, halves ? two_bytes : bytes_small, halves ? 1 : 4);
		if (halves && rng_below(r, 4))
			usual_product(op);
		if (row)
			usual_row(r, op);
		set_size(&op->ifm2, 1, op->ofm.depth, op->ifm.depth);
		random_map(r, s->arena, &op->ifm2, tile);
		memcpy(view->ifm2, tile, sizeof(tile));
	} else {
		random_weights(r, s->config, s->arena, op, view);
	}
	random_accumulators(r, s, more, op, view);
	if (tap)
		op->u85.acc_output_off = s->kept = true;
	if (row && rng_below(r, 4))
		op->per_channel = 0;
}

static void random_pool(struct rng *r, struct sequence *s, bool more, struct npu_op *op, struct npu_view *view)
{
	op->mode = (u8)rng_below(r, 8);
	random_type(r, &op->ifm, bytes_any, rng_below(r, 2) ? 3 : ARRAY_LEN(bytes_any));
	op->ifm.depth = op->mode == NPU_POOL_REDUCE_SUM ? 1 + rng_below(r, 40) : op->ofm.depth;
	random_window(r, op, rng_below(r, 4) ? 4 : 9);
	if (rng_one_in(r, 4)) { /* along one axis, over what lies there in a row */
		op->kernel_w = 1 + rng_below(r, rng_below(r, 3) ? 60 : 200);
		op->kernel_h = op->dilation_x = op->dilation_y = 1;
		op->pad_top = op->pad_bottom = op->pad_left = op->pad_right = op->upscale = 0;
		op->ifm.height = op->up_height = (op->ofm.height - 1) * op->stride_y + 1;
		op->ifm.width = op->up_width = (op->ofm.width - 1) * op->stride_x + op->kernel_w;
		if (!more && !s->kept && rng_below(r, 2)) { /* as softmax has it */
			op->mode = NPU_POOL_MAX;
			op->ofm.depth = op->ifm.depth = 1;
			op->ifm.is_signed = 1;
			op->ifm.bytes = rng_below(r, 3) ? (u8)(1 + rng_below(r, 2)) : op->ifm.bytes;
		}
	}
	if (!more && !s->kept && rng_one_in(r, 8))
		usual_reduction(r, op);
	else if (!more && rng_one_in(r, 6))
		usual_places(r, op);
	else if (rng_one_in(r, 8))
		usual_copy(r, op);
	else if (rng_one_in(r, 8))
		usual_narrowed(r, op);
	const bool rows = !more && !s->kept && rng_below(r, 2);
	if (rows) {
		op->mode = (u8)(rng_below(r, 3) ? rng_below(r, 2) : rng_below(r, 4) ? NPU_POOL_SUM : NPU_POOL_MIN);
		(rng_below(r, 3) ? bytes_window : axis_window)(r, op);
	}
	if (!rows && rng_one_in(r, 4))
		op->mode = NPU_POOL_NONE;
	random_ublock(r, s->config, op);
	random_accumulators(r, s, more, op, view);
	if ((rows || op->mode == NPU_POOL_REDUCE_SUM) && rng_below(r, 4))
		op->per_channel = 0;
	if (op->mode == NPU_POOL_NONE)
		op->ifm.used = 0;
}

static const u8 modes[] = {
	NPU_EW_MUL, NPU_EW_ADD, NPU_EW_SUB, NPU_EW_MIN, NPU_EW_MAX, NPU_EW_LRELU, NPU_EW_ABS, NPU_EW_CLZ,
	NPU_EW_SHR, NPU_EW_SHL, NPU_EW_LSR, NPU_EW_DIV, NPU_EW_CMP_EQ, NPU_EW_CMP_NE, NPU_EW_CMP_GE,
	NPU_EW_CMP_GT, NPU_EW_AND, NPU_EW_OR, NPU_EW_XOR, NPU_EW_NOT, NPU_EW_AND_NOT,
	/* the usual ones again */
	NPU_EW_MUL, NPU_EW_ADD, NPU_EW_SUB, NPU_EW_MUL, NPU_EW_ADD, NPU_EW_SUB, NPU_EW_MAX,
};

static void broadcast(struct rng *r, struct npu_fm *fm)
{
	if (rng_below(r, 4))
		return;
	const u32 height = rng_below(r, 2) ? 1 : fm->height, width = rng_below(r, 2) ? 1 : fm->width, depth = rng_below(r, 2) ? 1 : fm->depth;
	set_size(fm, height, width, depth);
}

static void random_elementwise(struct rng *r, struct sequence *s, struct npu_op *op, struct npu_view *view)
{
	struct npu85_op *u = &op->u85;
	u8 *tile[NPU_TILES] = { 0 };

	op->mode = modes[rng_below(r, ARRAY_LEN(modes))];
	op->unary = op->mode == NPU_EW_LRELU || op->mode == NPU_EW_ABS || op->mode == NPU_EW_CLZ ||
		    op->mode == NPU_EW_NOT;
	op->scalar = rng_one_in(r, 4) ? (i32)rng_next(r) : rng_range(r, -300, 300);
	u->ifm_scale = random_scale(r);
	u->ifm2_scale = rng_one_in(r, 3) ? u->ifm_scale : random_scale(r);
	random_type(r, &op->ifm, bytes_any, ARRAY_LEN(bytes_any));
	const bool halves = (!op->unary || op->mode == NPU_EW_LRELU) && rng_one_in(r, 4);
	if (halves)
		usual_halves(r, op);
	set_size(&op->ifm, s->height, s->width, s->depth);
	u->ifm_scalar = rng_one_in(r, 12);
	broadcast(r, &op->ifm);
	u->ifm_chained = !u->ifm_scalar && chained_operand(r, s, &op->ifm);
	if (op->unary)
		return;
	op->ifm2 = op->ifm;
	bool mixed = !halves && rng_one_in(r, 4);
	random_type(r, &op->ifm2, mixed ? bytes_any : &op->ifm.bytes, mixed ? ARRAY_LEN(bytes_any) : 1);
	if (halves)
		op->ifm2.is_signed = op->ifm.is_signed;
	set_size(&op->ifm2, s->height, s->width, s->depth);
	op->ifm2_scalar = !u->ifm_scalar && rng_one_in(r, 4);
	if ((op->mode == NPU_EW_SHR || op->mode == NPU_EW_SHL || op->mode == NPU_EW_LSR) && rng_below(r, 3)) {
		op->ifm2_scalar = !u->ifm_scalar; /* sensible amounts */
		op->scalar = rng_range(r, -2, 66);
	}
	broadcast(r, &op->ifm2);
	u->ifm2_chained = !op->ifm2_scalar && chained_operand(r, s, &op->ifm2);
	if (op->ifm2_scalar || u->ifm2_chained)
		return;
	random_map(r, s->arena, &op->ifm2, tile);
	if (op->ifm2.bytes == 4 && rng_below(r, 2))
		few_values(r, &op->ifm2, tile);
	else if (op->ifm2.bytes == 4 && rng_below(r, 2))
		small_elements(r, &op->ifm2, tile);
	memcpy(view->ifm2, tile, sizeof(tile));
}

static void random_resize(struct rng *r, struct npu_op *op)
{
	struct npu85_op *u = &op->u85;

	op->mode = (u8)rng_below(r, 3);
	random_type(r, &op->ifm, bytes_any, 7);
	if (rng_one_in(r, 4))
		usual_halves(r, op);
	const u32 height = 1 + rng_below(r, 8), width = 1 + rng_below(r, 8);
	set_size(&op->ifm, height, width, op->ofm.depth);
	op->kernel_h = op->kernel_w = 1;
	if (op->ifm.bytes == 1 && rng_below(r, 2))
		op->mode = NPU_RESIZE_BILINEAR;
	u->resize_y.n = rng_one_in(r, 8) ? rng_range(r, 1, 2048) : rng_range(r, 1, 16);
	u->resize_x.n = rng_one_in(r, 8) ? rng_range(r, 1, 2048) : rng_range(r, 1, 16);
	u->resize_y.d = rng_range(r, 0, 4 * u->resize_y.n - 1);
	u->resize_x.d = rng_range(r, 0, 4 * u->resize_x.n - 1);
	u->resize_y.offset = rng_range(r, rng_one_in(r, 8) ? -2048 : -8, 8);
	u->resize_x.offset = rng_range(r, rng_one_in(r, 8) ? -2048 : -8, 8);
	if (op->mode == NPU_RESIZE_BILINEAR && rng_below(r, 4)) { /* by factors that are powers of two, from centres of pixels or not */
		u->resize_y.n = 1 << rng_below(r, 5);
		u->resize_x.n = 1 << rng_below(r, 5);
		u->resize_y.d = 1 << rng_below(r, 2);
		u->resize_x.d = 1 << rng_below(r, 2);
		u->resize_x.offset = rng_range(r, -1, 1);
		op->ofm.bytes = 1;
	}
}

static void random_output(struct rng *r, struct sequence *s, struct npu_op *op, struct npu_view *view)
{
	static const u8 tables[] = {
		NPU85_TABLE_U8_U8, NPU85_TABLE_S8_S8, NPU85_TABLE_S8_S16, NPU85_TABLE_S8_S32, NPU85_TABLE_S16_S16,
		NPU85_TABLE_S16_S32, NPU85_TABLE_TANH, NPU85_TABLE_SIGMOID,
	};
	static const u16 sizes[] = { 256, 256, 512, 1024, 2048, 2048, 2048, 2048 };
	struct npu85_op *u = &op->u85;
	struct npu_fm *ofm = &op->ofm;

	view->lut = s->arena->bytes + arena_take(s->arena, NPU_LUT_BYTES);
	u->ofm_scale = random_scale(r);
	const bool words = (op->kind == NPU_CONV || op->kind == NPU_DEPTHWISE) && op->ifm.bytes == 2 && op->ofm.bytes == 2;
	if (words && rng_below(r, 2)) /* as compilers have it */
		u->ofm_scale.round = NPU85_NATURAL;
	if (rng_one_in(r, words ? 8 : 4)) {
		unsigned t = rng_below(r, ARRAY_LEN(tables));
		u->table = tables[t];
		u->table_offset = (u16)(rng_below(r, 8) * sizes[t] % NPU_LUT_BYTES);
	}
	u->clip_off = rng_one_in(r, ofm->bytes == 1 || words ? 6 : 2);
	u->clip_signed = u->table ? u->table != NPU85_TABLE_U8_U8 : ofm->is_signed;
	bool narrow = u->table == NPU85_TABLE_U8_U8 || u->table == NPU85_TABLE_S8_S8 ||
		      u->table == NPU85_TABLE_S8_S16 || u->table == NPU85_TABLE_S8_S32 ||
		      (!u->table && ofm->bytes == 1);
	i32 least = u->clip_signed ? (narrow ? -128 : -32768) : 0;
	i32 most = u->clip_signed ? (narrow ? 127 : 32767) : narrow ? 255 : 65535;
	op->lo = rng_one_in(r, 3) ? rng_range(r, least, most) : least;
	op->hi = rng_one_in(r, 3) ? rng_range(r, op->lo, most) : most;
	op->output = u->table ? NPU_OUT_LUT8 : u->clip_off ? NPU_OUT_RAW32 : NPU_OUT_CLAMP;
}

static void transpose(struct npu_fm *fm, unsigned order)
{
	u32 h = fm->height, w = fm->width, c = fm->depth;

	switch (order) {
	case 1: set_size(fm, w, h, c); break;
	case 2: set_size(fm, h, c, w); break;
	case 3: set_size(fm, w, c, h); break;
	case 6: set_size(fm, c, h, w); break;
	case 7: set_size(fm, c, w, h); break;
	default: break;
	}
}

static void random_ofm(struct rng *r, struct sequence *s, bool more, struct npu_op *op, struct npu_view *view)
{
	static const u8 orders[] = { 0, 1, 2, 3, 6, 7 };
	struct npu85_op *u = &op->u85;

	op->ofm.format = (u8)rng_below(r, 2);
	u->stored = op->ofm;
	if (u->acc_output_off)
		return;
	const bool usual = op->ofm.height == s->height && op->ofm.width == s->width && op->ofm.depth == s->depth;
	if (more && usual && s->chains < ARRAY_LEN(s->chain) && op->kind != NPU_RESIZE) {
		u->ofm_chained = 1;
		op->ofm.region = u->stored.region = (u8)s->chains;
		s->chain[s->chains++] = op->ofm;
		return;
	}
	if (rng_one_in(r, 3)) {
		u->transpose = orders[rng_below(r, ARRAY_LEN(orders))];
		u->reverse = (u8)rng_below(r, 4);
	}
	u->stored = op->ofm;
	transpose(&u->stored, u->transpose);
	random_map(r, s->arena, &u->stored, view->ofm);
	op->ofm.used = 1;
	op->ofm.tiled = u->stored.tiled;
}

void sequence_start(struct rng *r, struct sequence *s, const struct npu_config *config, struct arena *a)
{
	*s = (struct sequence){ .config = config, .arena = a };
	s->height = 1 + rng_below(r, rng_below(r, 3) ? 9 : 2);
	s->width = 1 + rng_below(r, rng_below(r, 4) ? 9 : 40);
	s->depth = rng_one_in(r, 4) ? 16 * (1 + rng_below(r, 3)) /* whole groups */ : 1 + rng_below(r, rng_below(r, 3) ? 40 : 3);
}

/* The OFM lies where the IFM does. */
static void in_place(struct npu_op *op, struct npu_view *view)
{
	struct npu_fm *i = &op->ifm, *o = &op->u85.stored;

	o->format = i->format;
	o->stride_y = i->stride_y;
	o->stride_x = i->stride_x;
	o->stride_c = i->stride_c;
	o->width0 = i->width0;
	o->height0 = i->height0;
	o->height1 = i->height1;
	o->stacked = i->stacked;
	o->tiled = op->ofm.tiled = i->tiled;
	memcpy(view->ofm, view->ifm, sizeof(view->ofm));
}

void random_op85(struct rng *r, struct sequence *s, enum npu_kind kind, bool more, struct npu_op *op,
		 struct npu_view *view)
{
	u8 *tile[NPU_TILES] = { 0 };

	memset(op, 0, sizeof(*op));
	memset(view, 0, sizeof(*view));
	op->kind = (u8)kind;
	op->u85.enabled = 1;
	op->cores = 1;
	op->acc_bits = 32;
	op->block_h = op->block_w = op->block_d = 16;
	const u32 larger = s->kept && rng_one_in(r, 4) ? 1 + rng_below(r, 3) : 0; /* than the accumulators that wait, which do not count then */
	set_size(&op->ofm, s->height + (larger == 1), s->width + (larger == 2), s->depth + (larger == 3));
	random_type(r, &op->ofm, bytes_any, ARRAY_LEN(bytes_any));
	if (kind == NPU_POOL)
		random_pool(r, s, more, op, view);
	else if (kind == NPU_ELEMENTWISE)
		random_elementwise(r, s, op, view);
	else if (kind == NPU_RESIZE)
		random_resize(r, op);
	else
		random_mac(r, s, more, op, view);
	bool reads = !op->u85.ifm_chained && !op->u85.ifm_scalar && !(kind == NPU_POOL && op->mode == NPU_POOL_NONE);
	if (reads) {
		random_map(r, s->arena, &op->ifm, tile);
		if (kind == NPU_ELEMENTWISE && op->ifm.bytes == 4 && rng_one_in(r, 4))
			few_values(r, &op->ifm, tile);
		else if (kind == NPU_ELEMENTWISE && op->ifm.bytes == 4 && rng_below(r, 2))
			small_elements(r, &op->ifm, tile);
		memcpy(view->ifm, tile, sizeof(tile));
	}
	random_ofm(r, s, more, op, view);
	const struct npu_fm *i = &op->ifm, *o = &op->u85.stored;
	bool same = reads && op->ofm.used && i->bytes == o->bytes && i->height == o->height &&
		    i->width == o->width && i->depth == o->depth;
	if (same && rng_one_in(r, 3))
		in_place(op, view);
	random_output(r, s, op, view);
	usual_output(r, op);
	usual_halves_output85(r, op);
}
