/* SPDX-License-Identifier: Apache-2.0 */
/* From accumulators to memory; see sink.h. */
#include "npu/kernels/conv/sink.h"

#include <string.h>

#include "npu/arith.h"
#include "npu/exec.h"
#include "npu/kernels/fm.h"
#include "npu/u85/arith.h"
#include "npu/u85/u85.h"

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

static inline void store_le(u8 *p, i64 v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (u8)((u64)v >> (8 * i));
}

static unsigned channels_of(const struct npu_sink *s, u32 group)
{
	u32 left = s->channels->depth - group * NPU_GROUP;
	return left < NPU_GROUP ? left : NPU_GROUP;
}

/* One rounding, ties up: NATURAL, and DBL as long as its first step is all there is. */
static inline bool rounds_once(struct npu_scale s)
{
	return s.round == NPU_ROUND_NATURAL || (s.round == NPU_ROUND_DBL && s.shift <= s.first);
}

/* npu_scale_round() in 64 bits where they are enough. */
static inline i64 scale_one(i64 x, struct npu_scale s)
{
	i64 p;

	if (!rounds_once(s) || s.shift > 61 || __builtin_mul_overflow(x, (i64)s.scale, &p) ||
	    p > INT64_MAX / 4 || p < INT64_MIN / 4)
		return npu_scale_round(x, s);
	return s.shift ? (p + (INT64_C(1) << (s.shift - 1))) >> s.shift : p;
}

static i64 output_value(const struct npu_sink *s, i64 v)
{
	return s->u85 ? npu85_output_value(s->op, s->lut, v) : npu_output_value(s->op, s->lut, v);
}

/* Values to bytes without scaling. */
static void store_unscaled(const struct npu_sink *s, const i32 *v, const struct npu_target *t,
			   i64 offset, unsigned channels)
{
	u8 bytes[NPU_GROUP];

	for (unsigned r = 0; r < t->runs; r++)
		for (unsigned p = 0; p < t->run[r].n; p++, v += NPU_GROUP) {
			s->simd->narrow8(v, NPU_GROUP, &s->narrow, bytes);
			memcpy(t->run[r].to + p * t->step + offset, bytes, channels);
		}
}

/* A sum of a channel, scaled. */
static i64 scaled_value(const struct npu_sink *s, i32 sum, u32 channel)
{
	return s->u85 ? npu85_scale_round(sum, npu85_channel_scale(s->channels, channel)) : scale_one(sum, s->channels->scale[channel]);
}

/* One pixel, one value at a time. `scaled`: the values are results already. */
static void store_values(const struct npu_sink *s, const i32 *acc, bool scaled, u32 group,
			 unsigned channels, u8 *to)
{
	unsigned bytes = s->op->ofm.bytes;

	for (unsigned c = 0; c < channels; c++, to += bytes) {
		const i64 v = s->raw || scaled ? acc[c] : scaled_value(s, acc[c], group * NPU_GROUP + c);
		store_le(to, s->raw ? v : output_value(s, v), bytes);
	}
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
		look_up_pixels(s, t, first * group, (end - first - 1) * NPU_GROUP + channels_of(s, end - 1));
		return;
	}
	for (u32 g = first; g < end; g++)
		look_up_pixels(s, t, g * group, channels_of(s, g));
}

void npu_sink_limit(struct npu_sink *s, u64 reach)
{
	s->narrow.small = s->narrow_valid && s->channels->fast && !s->channels->left &&
			  (double)reach * (double)s->channels->max_factor < NPU_SMALL_VALUE;
}

/* Accumulators of so many bytes as they are. */
static void store_raw(const void *acc, unsigned bytes, const struct npu_target *t, i64 offset, unsigned channels)
{
	const u8 *from = acc;

	for (unsigned r = 0; r < t->runs; r++)
		for (unsigned p = 0; p < t->run[r].n; p++, from += NPU_GROUP * bytes) {
			u8 *const to = t->run[r].to + p * t->step + offset;
			if (channels < NPU_GROUP)
				memcpy(to, from, channels * bytes);
			else if (bytes == sizeof(i64)) /* these two without a call */
				memcpy(to, from, NPU_GROUP * sizeof(i64));
			else
				memcpy(to, from, NPU_GROUP * sizeof(i32));
		}
}

/* Factors alone: low words of products. */
static void store_whole(const struct npu_sink *s, const i32 *acc, const struct npu_target *t, u32 group)
{
	const i32 *const whole = s->channels->whole + group * NPU_GROUP;
	const unsigned n = npu_target_pixels(t) * NPU_GROUP;
	i32 out[NPU_BATCH * NPU_GROUP];

	for (unsigned i = 0; i < n; i++)
		out[i] = (i32)((u32)acc[i] * (u32)whole[i % NPU_GROUP]);
	store_raw(out, sizeof(*out), t, group * npu_fm_stride_group(&s->op->ofm), channels_of(s, group));
}

/* Bytes or int16 of most channels by the fast form, those of odd ones after that. */
static void store_mostly(const struct npu_sink *s, const i32 *acc, const struct npu_target *t, u32 group)
{
	const unsigned channels = channels_of(s, group), bytes = s->op->ofm.bytes;
	const i64 offset = group * npu_fm_stride_group(&s->op->ofm);
	const struct npu_rescale *rescale = &s->channels->rescale[group];

	if (s->narrow_valid)
		s->simd->store8(acc, t, rescale, &s->narrow, offset, channels);
	else
		s->simd->store16(acc, t, rescale, &s->narrow16, offset, channels);
	for (u32 odd = rescale->odd & ((1u << channels) - 1); odd; odd &= odd - 1) {
		const unsigned c = (unsigned)__builtin_ctz(odd);
		const i32 *sum = acc + c;
		for (unsigned r = 0; r < t->runs; r++)
			for (unsigned p = 0; p < t->run[r].n; p++, sum += NPU_GROUP)
				store_le(t->run[r].to + p * t->step + offset + c * bytes,
					 output_value(s, scaled_value(s, *sum, group * NPU_GROUP + c)), bytes);
	}
}

static void shift_left(i32 *acc, unsigned pixels, unsigned by)
{
	for (; pixels; pixels--, acc += NPU_GROUP)
		for (unsigned c = 0; c < NPU_GROUP; c++)
			acc[c] = (i32)((u32)acc[c] << by);
}

void npu_sink_store(const struct npu_sink *s, i32 *acc, const struct npu_target *t, u32 group)
{
	if (s->whole && !s->unscaled) {
		store_whole(s, acc, t, group);
		return;
	}
	unsigned channels = channels_of(s, group), pixels = npu_target_pixels(t);
	i64 offset = group * npu_fm_stride_group(&s->op->ofm);
	bool fast = !s->raw && !s->unscaled && s->channels->fast;
	const struct npu_rescale *rescale = fast ? &s->channels->rescale[group] : NULL;

	if (s->channels && s->channels->mostly && !s->raw && !s->unscaled && (s->narrow_valid || s->narrow16_valid)) {
		store_mostly(s, acc, t, group);
		return;
	}
	if (fast && s->channels->left)
		shift_left(acc, pixels, s->channels->left);
	if (fast && s->narrow_valid) {
		s->simd->store8(acc, t, rescale, &s->narrow, offset, channels);
		return;
	}
	if (!s->raw && s->unscaled && s->narrow_valid) {
		store_unscaled(s, acc, t, offset, channels);
		return;
	}
	if (!s->raw && (s->narrow16_valid || s->pieces) && (s->unscaled || fast)) {
		s->simd->store16(acc, t, rescale, &s->narrow16, offset, channels);
		if (s->pieces)
			npu_sink_look_up_pieces(s, t, offset, channels);
		return;
	}
	if (s->raw && s->op->ofm.bytes == sizeof(i64)) {
		i64 wide[NPU_BATCH * NPU_GROUP];
		s->simd->widen32((const u8 *)acc, pixels * NPU_GROUP, wide);
		store_raw(wide, sizeof(*wide), t, offset, channels);
		return;
	}
	if (fast)
		s->simd->rescale(acc, pixels, rescale);
	if (s->op->ofm.bytes == sizeof(i32) && (s->raw || ((s->unscaled || fast) && npu_sink_keeps32(s->op)))) {
		store_raw(acc, sizeof(*acc), t, offset, channels);
		return;
	}
	for (unsigned r = 0; r < t->runs; r++)
		for (unsigned p = 0; p < t->run[r].n; p++, acc += NPU_GROUP)
			store_values(s, acc, s->unscaled || fast, group, channels,
				     t->run[r].to + p * t->step + offset);
}

/* Scalings of a group as they are without overflow. */
struct wide_scales {
	i64 scale[NPU_GROUP], half[NPU_GROUP];
	u8 shift[NPU_GROUP];
};

/* False: a product of a scale and one of the n values might overflow, or a rounding is another one. */
static bool wide_scales_of(const struct npu_scale *scale, unsigned channels, const i64 *acc, size_t n, struct wide_scales *w)
{
	u64 bits = 1;

	for (size_t i = 0; i < n; i++)
		bits |= (u64)(acc[i] ^ acc[i] >> 63);
	for (unsigned c = 0; c < channels; c++) {
		const struct npu_scale one = scale[c];
		/* the magnitudes' bits all set, and one more: of the lowest number */
		if (!rounds_once(one) || one.shift > 61 || one.scale > (u64)INT64_MAX / 4 >> (64 - __builtin_clzll(bits)))
			return false;
		w->scale[c] = one.scale;
		w->half[c] = one.shift ? INT64_C(1) << (one.shift - 1) : 0;
		w->shift[c] = one.shift;
	}
	return true;
}

static void store_wide16(const struct npu_sink *s, const i64 *acc, const struct npu_target *t, const struct wide_scales *w,
			 unsigned channels, i64 offset)
{
	const i64 zero = s->narrow16.zero_point, lo = s->narrow16.lo, hi = s->narrow16.hi;
	i16 out[NPU_GROUP];

	for (unsigned r = 0; r < t->runs; r++)
		for (unsigned p = 0; p < t->run[r].n; p++, acc += NPU_GROUP) {
			for (unsigned c = 0; c < channels; c++)
				out[c] = (i16)npu_clamp(((acc[c] * w->scale[c] + w->half[c]) >> w->shift[c]) + zero, lo, hi);
			memcpy(t->run[r].to + p * t->step + offset, out, channels * sizeof(*out));
		}
}

void npu_sink_store_wide(const struct npu_sink *s, const i64 *acc, const struct npu_target *t, u32 group)
{
	const struct npu_op *op = s->op;
	unsigned channels = channels_of(s, group), bytes = op->ofm.bytes;
	i64 offset = group * npu_fm_stride_group(&op->ofm);
	const struct npu_scale *scale = s->channels->scale + group * NPU_GROUP;
	struct wide_scales wide;

	if (!s->raw && !s->u85 && (s->narrow16_valid || s->pieces) && wide_scales_of(scale, channels, acc, npu_target_pixels(t) * NPU_GROUP, &wide)) {
		store_wide16(s, acc, t, &wide, channels, offset);
		if (s->pieces)
			npu_sink_look_up_pieces(s, t, offset, channels);
		return;
	}
	if (s->raw && bytes == sizeof(*acc)) {
		store_raw(acc, sizeof(*acc), t, offset, channels);
		return;
	}
	for (unsigned r = 0; r < t->runs; r++)
		for (unsigned p = 0; p < t->run[r].n; p++, acc += NPU_GROUP)
			for (unsigned c = 0; c < channels; c++) {
				i64 v = s->raw ? acc[c] : output_value(s, scale_one(acc[c], scale[c]));
				store_le(t->run[r].to + p * t->step + offset + c * bytes, v, bytes);
			}
}
