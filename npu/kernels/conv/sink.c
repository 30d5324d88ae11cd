/* SPDX-License-Identifier: Apache-2.0 */
/* From accumulators to memory; see sink.h. */
#include "npu/kernels/conv/sink.h"

#include <string.h>

#include "npu/kernels/conv/sink_wide.h"
#include "npu/kernels/fm.h"

bool npu_narrow_init(struct npu_narrow8 *n, const struct npu_op *op)
{
	i32 zero = op->ofm.zero_point;

	*n = (struct npu_narrow8){ .zero_point = zero, .lo = op->lo, .hi = op->hi,
				   .is_unsigned = op->hi > INT8_MAX };
	return zero >= -32000 && zero <= 32000 && op->hi <= UINT8_MAX &&
	       op->lo >= (n->is_unsigned ? 0 : INT8_MIN);
}

bool npu_sink_narrows16(const struct npu_op *op)
{
	return op->ofm.bytes == 2 && op->lo >= INT16_MIN && op->hi <= INT16_MAX &&
	       (op->u85.enabled ? op->u85.table == NPU85_TABLE_NONE && !op->u85.clip_off : op->output == NPU_OUT_CLAMP);
}

bool npu_sink_is_plain32(const struct npu_op *op)
{
	return op->u85.enabled && op->ofm.bytes == sizeof(i32) && op->u85.clip_off && op->u85.table == NPU85_TABLE_NONE && !op->ofm.zero_point;
}

bool npu_sink_keeps32(const struct npu_op *op)
{
	const bool raw = !op->u85.enabled && op->output == NPU_OUT_RAW32 && op->lo == INT32_MIN && op->hi == INT32_MAX;

	return op->ofm.bytes == sizeof(i32) && (raw || npu_sink_is_plain32(op));
}

static void sink_init85(struct npu_sink *s, const struct npu_op *op, const struct npu_view *view)
{
	u8 table = op->u85.table;

	s->lut = view->lut + op->u85.table_offset;
	s->narrow_valid = op->ofm.bytes == 1 && npu_narrow_init(&s->narrow, op) && !op->u85.clip_off &&
			  (table == NPU85_TABLE_NONE || table == NPU85_TABLE_U8_U8 ||
			   table == NPU85_TABLE_S8_S8);
	if (!s->narrow_valid || table == NPU85_TABLE_NONE)
		return;
	npu_table_by_byte(s->table, s->lut, table == NPU85_TABLE_S8_S8);
	s->narrow.table = s->table;
}

/* Of U55 and U65; the units for tanh and sigmoid have none. */
static unsigned table_bytes(const struct npu_op *op)
{
	switch (op->output) {
	case NPU_OUT_LUT8: return 256;
	case NPU_OUT_LUT16: return 2048;
	case NPU_OUT_LUT32: return 1024;
	default: return 0;
	}
}

void npu_sink_init(struct npu_sink *s, struct npu_kernels *k, const struct npu_op *op,
		   const struct npu_view *view, const struct npu_channels *c)
{
	const struct npu_fm *ofm = &op->ofm;

	s->u85 = op->u85.enabled;
	s->simd = k->simd;
	s->op = op;
	s->channels = c;
	s->unscaled = s->late = false;
	s->raw = op->u85.acc_output_off;
	s->narrow_valid = ofm->bytes == 1 && npu_narrow_init(&s->narrow, op) &&
			  (op->output == NPU_OUT_CLAMP || op->output == NPU_OUT_LUT8);
	s->narrow16 = (struct npu_narrow16){ ofm->zero_point, op->lo, op->hi };
	s->narrow16_valid = npu_sink_narrows16(op);
	s->pieces = npu_sink_has_pieces(k->simd, op);
	s->whole = !s->raw && npu_sink_is_plain32(op) && c && c->whole;
	if (op->u85.enabled) {
		sink_init85(s, op, view);
		return;
	}
	if (op->output == NPU_OUT_CLAMP || op->output == NPU_OUT_RAW32) {
		s->lut = view->lut; /* not looked at */
		return;
	}
	s->lut = view->lut;
	if (op->lut_offset > NPU_LUT_BYTES - table_bytes(op)) {
		/* tables wrap around the table memory, as in the generic path */
		memcpy(k->lut_copy, view->lut, NPU_LUT_BYTES);
		memcpy(k->lut_copy + NPU_LUT_BYTES, view->lut, NPU_LUT_BYTES);
		s->lut = k->lut_copy;
	}
	if (op->output == NPU_OUT_LUT8) {
		npu_table_by_byte(s->table, s->lut + op->lut_offset, ofm->is_signed);
		s->narrow.table = s->table;
	}
}

bool npu_sink_lasts(const struct npu_sink *s, const struct npu_kernels *k)
{
	return s->lut != k->lut_copy;
}

bool npu_sink_is_layer(const struct npu_sink *s)
{
	return !s->raw && !s->unscaled && s->narrow_valid && s->channels->fast && !s->channels->left;
}

void npu_sink_postpone(struct npu_sink *s)
{
	s->late = s->simd->layer_fields && npu_sink_is_layer(s) && s->narrow.table;
	if (s->late)
		s->narrow.table = NULL;
}

/* So many bytes of each pixel, from `offset` on. */
static void look_up_pixels(const struct npu_sink *s, const struct npu_target *t, i64 offset, size_t bytes)
{
	for (unsigned r = 0; r < t->runs; r++)
		s->simd->look_up_pixels(s->table, t->run[r].to + offset, t->step, t->run[r].n, bytes);
}

void npu_sink_look_up(const struct npu_sink *s, const struct npu_target *t, u32 first, u32 end)
{
	const i64 group = npu_fm_stride_group(&s->op->ofm);

	if (group == NPU_GROUP) { /* the channels lie side by side */
		look_up_pixels(s, t, first * group, (end - first - 1) * NPU_GROUP + npu_sink_channels(s, end - 1));
		return;
	}
	for (u32 g = first; g < end; g++)
		look_up_pixels(s, t, g * group, npu_sink_channels(s, g));
}

void npu_sink_limit(struct npu_sink *s, u64 reach)
{
	s->narrow.small = s->narrow_valid && s->channels->fast && !s->channels->left &&
			  (double)reach * (double)s->channels->max_factor < NPU_SMALL_VALUE;
}

/* Factors alone: low words of products. */
static void store_whole(const struct npu_sink *s, i32 *acc, const struct npu_target *t, u32 group)
{
	s->simd->rows->whole(acc, npu_target_pixels(t), s->channels->whole + group * NPU_GROUP);
	npu_sink_copy(acc, sizeof(*acc), NPU_GROUP, t, group * npu_fm_stride_group(&s->op->ofm), npu_sink_channels(s, group));
}

static void put_bytes(const struct npu_sink *s, const i32 *v, const struct npu_target *t, i64 offset, unsigned channels)
{
	NPU_LINE u8 bytes[NPU_BATCH * NPU_GROUP];

	s->simd->narrow8(v, npu_target_pixels(t) * NPU_GROUP, &s->narrow, bytes);
	npu_sink_copy(bytes, 1, NPU_GROUP, t, offset, channels);
}

/* `rescale`: NULL, or the scaling. */
static void put_halves(const struct npu_sink *s, const i32 *v, const struct npu_target *t, const struct npu_rescale *rescale, i64 offset, unsigned channels)
{
	s->simd->store16(v, t, rescale, &s->narrow16, offset, channels);
	if (s->pieces)
		npu_sink_look_up_pieces(s, t, offset, channels);
}

static void widen(const struct npu_sink *s, const i32 *v, const struct npu_target *t, i64 *wide)
{
	s->simd->widen32((const u8 *)v, npu_target_pixels(t) * NPU_GROUP, wide);
}

void npu_sink_put(const struct npu_sink *s, const i32 *v, const struct npu_target *t, u32 group)
{
	const i64 offset = group * npu_fm_stride_group(&s->op->ofm);
	const unsigned channels = npu_sink_channels(s, group);

	if (s->narrow_valid) {
		put_bytes(s, v, t, offset, channels);
	} else if (s->narrow16_valid || s->pieces) {
		put_halves(s, v, t, NULL, offset, channels);
	} else if (npu_sink_keeps32(s->op)) {
		npu_sink_copy(v, sizeof(*v), NPU_GROUP, t, offset, channels);
	} else {
		NPU_LINE i64 wide[NPU_BATCH * NPU_GROUP];
		widen(s, v, t, wide);
		npu_sink_put_wide(s, wide, t, group);
	}
}

static void shift_left(i32 *acc, unsigned pixels, unsigned by)
{
	for (; pixels; pixels--, acc += NPU_GROUP)
		for (unsigned c = 0; c < NPU_GROUP; c++)
			acc[c] = (i32)((u32)acc[c] << by);
}

/* By the fast form of scaling. */
static void store_fast(const struct npu_sink *s, i32 *acc, const struct npu_target *t, u32 group)
{
	const struct npu_rescale *const rescale = &s->channels->rescale[group];
	const i64 offset = group * npu_fm_stride_group(&s->op->ofm);
	const unsigned channels = npu_sink_channels(s, group), pixels = npu_target_pixels(t);

	if (s->channels->left)
		shift_left(acc, pixels, s->channels->left);
	if (s->narrow_valid) {
		s->simd->store8(acc, t, rescale, &s->narrow, offset, channels);
	} else if (s->narrow16_valid || s->pieces) {
		put_halves(s, acc, t, rescale, offset, channels);
	} else {
		s->simd->rescale(acc, pixels, rescale);
		npu_sink_put(s, acc, t, group);
	}
}

void npu_sink_store(const struct npu_sink *s, i32 *acc, const struct npu_target *t, u32 group)
{
	if (s->raw && s->op->ofm.bytes == sizeof(*acc)) {
		npu_sink_copy(acc, sizeof(*acc), NPU_GROUP, t, group * npu_fm_stride_group(&s->op->ofm), npu_sink_channels(s, group));
	} else if (!s->raw && s->unscaled) {
		npu_sink_put(s, acc, t, group);
	} else if (!s->raw && s->whole) {
		store_whole(s, acc, t, group);
	} else if (!s->raw && npu_channels_fit(s->channels, group)) {
		store_fast(s, acc, t, group);
	} else {
		NPU_LINE i64 wide[NPU_BATCH * NPU_GROUP];
		widen(s, acc, t, wide);
		npu_sink_store_wide(s, wide, t, group);
	}
}
