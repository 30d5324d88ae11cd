/* SPDX-License-Identifier: Apache-2.0 */
/* Ethos-U85: operands, output stage, tables, store with transposition, chains; generic path. */
#include <stdlib.h>
#include <string.h>

#include "npu/u85/arith.h"
#include "npu/u85/u85.h"
#include "npu/view.h"

void npu85_carry_free(struct npu85_carry *c)
{
	for (unsigned i = 0; i < NPU85_CHAINS; i++)
		free(c->chain[i].data);
	free(c->accumulators.data);
	free(c->spare.data);
	memset(c, 0, sizeof(*c));
}

void npu85_tensor_forget(struct npu85_tensor *t)
{
	*t = (struct npu85_tensor){ .data = t->data, .room = t->room };
}

/* Each job begins with a reset: memory given back would be cleared by the host's kernel page by page when the next one takes it. */
void npu85_carry_forget(struct npu85_carry *c)
{
	for (unsigned i = 0; i < NPU85_CHAINS; i++)
		npu85_tensor_forget(&c->chain[i]);
	npu85_tensor_forget(&c->accumulators);
	npu85_tensor_forget(&c->spare);
	c->flag = false;
}

bool npu85_tensor_take(struct npu85_tensor *t, u32 height, u32 width, u32 depth, u8 bytes, u8 is_signed)
{
	size_t need = (size_t)height * width * depth * bytes;

	if (need > t->room || !t->data) {
		free(t->data);
		*t = (struct npu85_tensor){ .data = malloc(need) };
		if (!t->data)
			return false;
		t->room = need;
	}
	t->height = height;
	t->width = width;
	t->depth = depth;
	t->bytes = bytes;
	t->is_signed = is_signed;
	t->bricks = false;
	return true;
}

#define BRICK 16

/* Of element `index` in y, x, c order. */
static const u8 *element_at(const struct npu85_tensor *t, size_t index)
{
	if (t->bricks) {
		const size_t channel = index % t->depth, pixels = (size_t)t->height * t->width;
		index = (channel / BRICK * pixels + index / t->depth) * BRICK + channel % BRICK;
	}
	return t->data + index * t->bytes;
}

i64 npu85_tensor_get(const struct npu85_tensor *t, size_t index)
{
	const struct npu_fm type = { .bytes = t->bytes, .is_signed = t->is_signed };
	return npu_load_element(&type, element_at(t, index));
}

void npu85_tensor_copy(const struct npu85_tensor *t, u8 *to)
{
	const size_t count = (size_t)t->height * t->width * t->depth, run = t->bricks ? BRICK : count;

	for (size_t i = 0; i < count; i += run)
		memcpy(to + i * t->bytes, element_at(t, i), run * t->bytes);
}

bool npu85_tensor_fits(const struct npu85_tensor *t, const struct npu_fm *ofm)
{
	return t->height == ofm->height && t->width == ofm->width && t->depth == ofm->depth;
}

static void put_element(u8 *to, unsigned bytes, i64 v)
{
	for (unsigned i = 0; i < bytes; i++)
		to[i] = (u8)((u64)v >> (8 * i));
}

bool npu85_keep_values(const struct npu85_exec *x, struct npu85_tensor *t, u8 bytes, u8 is_signed)
{
	const struct npu_fm *ofm = &x->op->ofm;
	size_t count = (size_t)ofm->height * ofm->width * ofm->depth;

	if (!npu85_tensor_take(t, ofm->height, ofm->width, ofm->depth, bytes, is_signed))
		return false;
	for (size_t i = 0; i < count; i++)
		put_element(t->data + i * bytes, bytes, x->value[i]);
	return true;
}

size_t npu85_index(const struct npu_op *op, u32 h, u32 w, u32 c)
{
	return ((size_t)h * op->ofm.width + w) * op->ofm.depth + c;
}

static i64 operand(const struct npu85_exec *x, const struct npu_fm *fm, const struct npu85_tensor *chained,
		   const u8 *const tiles[NPU_TILES], bool scalar, u32 h, u32 w, u32 c)
{
	if (scalar)
		return (i64)x->op->scalar - fm->zero_point;
	h = h < fm->height ? h : 0; /* broadcast */
	w = w < fm->width ? w : 0;
	c = c < fm->depth ? c : 0;
	if (chained)
		return npu85_add(npu85_tensor_get(chained, npu85_index(x->op, h, w, c)), -(i64)fm->zero_point);
	return npu_load(fm, tiles, h, w, c);
}

i64 npu85_ifm(const struct npu85_exec *x, u32 h, u32 w, u32 c)
{
	return operand(x, &x->op->ifm, x->ifm, x->e->view->ifm, x->op->u85.ifm_scalar, h, w, c);
}

i64 npu85_ifm2(const struct npu85_exec *x, u32 h, u32 w, u32 c)
{
	return operand(x, &x->op->ifm2, x->ifm2, x->e->view->ifm2, x->op->ifm2_scalar, h, w, c);
}

static i32 table_word(const u8 *table, unsigned index, unsigned bytes)
{
	u32 v = 0;
	for (unsigned i = 0; i < bytes; i++)
		v |= (u32)table[index * bytes + i] << (8 * i);
	return bytes == 1 ? (i8)v : bytes == 2 ? (i16)v : (i32)v;
}

struct segment {
	i64 base, slope, fraction;
};

/* 512 words of base (low half) and slope (high half); the index is v >> bits. */
static struct segment segment_of(const u8 *table, i64 v, unsigned bits)
{
	u32 word = (u32)table_word(table, (unsigned)((v >> bits) + 256) & 511, 4);
	return (struct segment){ (i16)word, (i16)(word >> 16), v & ((1 << bits) - 1) };
}

/* tanh and the symmetric part of sigmoid: base with `bits` more bits of precision. */
static i64 curve(const u8 *table, i64 v, unsigned bits)
{
	i64 limit = (INT64_C(1) << (bits + 8)) - 1;
	v = npu_clamp(v, -limit, limit);
	struct segment s = segment_of(table, v, bits);
	return s.base * (1 << bits) + s.slope * s.fraction - (v < 0);
}

static i64 look_up(const struct npu_op *op, const u8 *table, i64 v)
{
	struct segment s;

	switch (op->u85.table) {
	case NPU85_TABLE_U8_U8: return table[(u8)v];
	case NPU85_TABLE_S8_S8: return table_word(table, (u8)((u64)v + 128), 1);
	case NPU85_TABLE_S8_S16: return table_word(table, (u8)((u64)v + 128), 2);
	case NPU85_TABLE_S8_S32: return table_word(table, (u8)((u64)v + 128), 4);
	case NPU85_TABLE_S16_S16:
		s = segment_of(table, v, 7);
		return s.base + ((s.slope * s.fraction + 64) >> 7);
	case NPU85_TABLE_S16_S32:
		s = segment_of(table, v, 7);
		return s.base * 128 + s.slope * s.fraction;
	default: return v;
	}
}

static i64 clip(const struct npu_op *op, i64 v)
{
	return op->u85.clip_off ? v : npu_clamp(v, op->lo, op->hi);
}

/* The units for tanh and sigmoid take the value unclipped; other tables after the clip. */
i64 npu85_output_value(const struct npu_op *op, const u8 *table, i64 v)
{
	v = npu85_add(v, op->ofm.zero_point);
	if (op->u85.table == NPU85_TABLE_TANH)
		return clip(op, (curve(table, v, 8) + 128) >> 8);
	if (op->u85.table == NPU85_TABLE_SIGMOID)
		return clip(op, ((curve(table, v, 9) + 512) >> 10) + 16384);
	return look_up(op, table, clip(op, v));
}

/* Low bits in the OFM's type, as reading them back gives. */
static i64 narrow(const struct npu_fm *fm, i64 v)
{
	unsigned unused = 64 - 8u * fm->bytes;
	u64 bits = (u64)v << unused;
	return fm->is_signed ? (i64)bits >> unused : (i64)(bits >> unused);
}

struct place {
	u32 h, w, c;
};

/* Where element (h, w, c) of the result lies in the stored tensor. */
static struct place place_of(const struct npu_op *op, u32 h, u32 w, u32 c)
{
	enum { HWC = 0, WHC = 1, HCW = 2, WCH = 3, CHW = 6 };

	if (op->u85.reverse == 1)
		h = op->ofm.height - 1 - h;
	else if (op->u85.reverse == 2)
		w = op->ofm.width - 1 - w;
	else if (op->u85.reverse == 3)
		c = op->ofm.depth - 1 - c;
	switch (op->u85.transpose) {
	case HWC: return (struct place){ h, w, c };
	case WHC: return (struct place){ w, h, c };
	case HCW: return (struct place){ h, c, w };
	case WCH: return (struct place){ w, c, h };
	case CHW: return (struct place){ c, h, w };
	default: return (struct place){ c, w, h };
	}
}

void npu85_result_of(const struct npu_op *op, u32 *h, u32 *w, u32 *c)
{
	/* The axes of the stored tensor are the result's, in place_of()'s order: where each of those went, and from there back. */
	const struct place axis = place_of(&(struct npu_op){ .u85.transpose = op->u85.transpose }, 0, 1, 2);
	const u32 at[3] = { *h, *w, *c }, to[3] = { axis.h, axis.w, axis.c }, size[3] = { op->ofm.height, op->ofm.width, op->ofm.depth };
	u32 result[3];

	for (unsigned i = 0; i < 3; i++)
		result[to[i]] = at[i];
	if (op->u85.reverse)
		result[op->u85.reverse - 1] = size[op->u85.reverse - 1] - 1 - result[op->u85.reverse - 1];
	*h = result[0];
	*w = result[1];
	*c = result[2];
}

static void store(const struct npu85_exec *x, struct place p, i64 v)
{
	const struct npu_fm *fm = &x->op->u85.stored;
	unsigned t = npu_tile_of(fm, &p.h, &p.w);

	put_element(x->e->view->ofm[t] + npu_offset_of(fm, p.h, p.w, p.c), fm->bytes, v);
}

static void finish_values(struct npu85_exec *x)
{
	const struct npu_fm *ofm = &x->op->ofm;
	size_t count = (size_t)ofm->height * ofm->width * ofm->depth;
	const u8 *table = x->e->view->lut + x->op->u85.table_offset;

	for (size_t i = 0; i < count; i++)
		x->value[i] = narrow(ofm, npu85_output_value(x->op, table, x->value[i]));
	if (count == 1)
		x->carry->flag = x->value[0] & 1;
}

static enum npu_exec_status store_all(struct npu85_exec *x)
{
	const struct npu_fm *ofm = &x->op->ofm;
	const i64 *v = x->value;

	if (x->op->u85.ofm_chained)
		return npu85_keep_values(x, &x->carry->chain[ofm->region], ofm->bytes, ofm->is_signed)
			       ? NPU_EXEC_OK : NPU_EXEC_MEMORY;
	if (!ofm->used)
		return NPU_EXEC_OK;
	for (u32 h = 0; h < ofm->height; h++)
		for (u32 w = 0; w < ofm->width; w++)
			for (u32 c = 0; c < ofm->depth; c++)
				store(x, place_of(x->op, h, w, c), *v++);
	return NPU_EXEC_OK;
}

/* The chain buffer an operand is read from; false when it does not hold a tensor of this size. */
static bool chained(const struct npu85_exec *x, bool is_chained, const struct npu_fm *fm,
		    const struct npu85_tensor **data)
{
	const struct npu85_tensor *t = &x->carry->chain[fm->region];

	*data = is_chained ? t : NULL;
	return !is_chained || npu85_tensor_fits(t, &x->op->ofm);
}

enum npu_exec_status npu85_exec(struct npu_exec *e, struct npu85_carry *carry)
{
	const struct npu_op *op = e->op;
	struct npu85_exec x = { .e = e, .op = op, .carry = carry };
	enum npu_exec_status status = NPU_EXEC_OK;
	bool output = true;

	if (!chained(&x, op->u85.ifm_chained, &op->ifm, &x.ifm) ||
	    !chained(&x, op->u85.ifm2_chained, &op->ifm2, &x.ifm2))
		return NPU_EXEC_CHAIN;
	x.value = malloc((size_t)op->ofm.height * op->ofm.width * op->ofm.depth * sizeof(*x.value));
	if (!x.value)
		return NPU_EXEC_MEMORY;
	if (op->kind == NPU_ELEMENTWISE)
		npu85_exec_elementwise(&x);
	else if (op->kind == NPU_RESIZE)
		npu85_exec_resize(&x);
	else
		status = npu85_exec_mac(&x, &output);
	if (status == NPU_EXEC_OK && output && !npu_given_up(e->view)) {
		finish_values(&x);
		status = store_all(&x);
	}
	free(x.value);
	return status;
}
