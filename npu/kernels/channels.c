/* SPDX-License-Identifier: Apache-2.0 */
/* From accumulators to memory; see channels.h. */
#include "npu/kernels/channels.h"

#include <string.h>

#include "npu/arith.h"
#include "npu/exec.h"
#include "npu/kernels/fm.h"
#include "npu/u85/arith.h"
#include "npu/u85/u85.h"

#define RECORD_BYTES 10

static struct npu85_scale scale85(struct npu_scale s)
{
	return (struct npu85_scale){ .scale = s.scale, .shift = s.shift, .round = s.round, .dbl = s.first };
}

struct npu85_scale npu85_channel_scale(const struct npu_channels *c, u32 channel)
{
	return scale85(c->scale[channel]);
}

/* A scale of 2^31 is one too much: half of it, and twice the accumulator. 2^31 + 1 (bilinear
 * resize) is the same, but takes ties away from zero whatever the rounding. */
static bool double_scales(struct npu_channels *c)
{
	for (u32 i = 0; i < c->depth; i++) {
		struct npu_scale s = c->scale[i];
		u32 above = s.scale - (UINT32_C(1) << 31);
		if (above > 1 || s.shift < 31 || s.round == NPU_ROUND_TRUNCATE || s.first != 31)
			return false;
		if (above)
			s.round = NPU_ROUND_DBL;
		s.scale = UINT32_C(1) << 30;
		if (!npu_rescale_set(&c->rescale[i / NPU_GROUP], i % NPU_GROUP, s))
			return false;
	}
	return true;
}

/* Hosts are little-endian: see npu_kernels_execute(). */
static u64 load64(const u8 *p)
{
	u64 v;
	memcpy(&v, p, sizeof(v));
	return v;
}

/* Bias and scale of one channel; false behind the end of the stream. */
static bool read_record(const struct npu_op *op, const struct npu_view *view, u32 channel,
			i64 *bias, struct npu_scale *scale)
{
	u32 core = channel % op->cores;
	u64 at = (u64)RECORD_BYTES * (channel / op->cores);

	if (at + RECORD_BYTES > op->scales[core].length)
		return false;
	const u8 *p = view->scales[core] + at;
	*bias = (i64)(load64(p) << 24) >> 24;
	scale->scale = (u32)(load64(p + 2) >> 24);
	scale->shift = p[9] & 63;
	return true;
}

/* U85: one stream whatever the number of decoders; 32-bit bias and 31-bit scale, or 48-bit bias
 * and 15-bit scale. */
static bool read_record85(const struct npu_op *op, const struct npu_view *view, u32 channel,
			  i64 *bias, struct npu_scale *scale)
{
	u64 at = (u64)RECORD_BYTES * channel;

	if (at + RECORD_BYTES > op->scales[0].length)
		return false;
	const u8 *p = view->scales[0] + at;
	bool wide = op->u85.acc48;
	*bias = npu85_wrap((i64)load64(p), wide ? 48 : 32);
	scale->scale = (u32)(load64(p) >> (wide ? 48 : 32)) & (wide ? INT16_MAX : INT32_MAX);
	scale->shift = p[8] & 63;
	return true;
}

static bool channels_alloc(struct npu_kernels *k, struct npu_channels *c, u32 depth)
{
	u32 groups = (depth + NPU_GROUP - 1) / NPU_GROUP, n = groups * NPU_GROUP;
	size_t bytes = groups * sizeof(*c->rescale) +
		       n * (sizeof(*c->bias) + sizeof(*c->scale) + sizeof(*c->start));
	u8 *p = npu_scratch(&k->channels, bytes);

	if (!p)
		return false;
	memset(p, 0, bytes);
	*c = (struct npu_channels){ .depth = depth, .groups = groups, .fast = true };
	c->rescale = (void *)p;
	c->bias = (void *)(c->rescale + groups);
	c->scale = (void *)(c->bias + n);
	c->start = (void *)(c->scale + n);
	return true;
}

bool npu_channels_read(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view,
		       struct npu_channels *c)
{
	if (!channels_alloc(k, c, op->ofm.depth))
		return false;
	bool u85 = op->u85.enabled;
	const struct npu85_scale *global85 = &op->u85.ofm_scale;
	struct npu_scale global = op->ofm_scale;
	if (u85)
		global = (struct npu_scale){ .scale = global85->scale, .shift = global85->shift,
					     .round = global85->round, .first = global85->dbl };
	for (u32 i = 0; i < c->depth; i++) {
		c->scale[i] = global;
		if (op->per_channel && !(u85 ? read_record85 : read_record)(op, view, i, &c->bias[i],
									     &c->scale[i]))
			return false;
		u64 magnitude = (u64)(c->bias[i] < 0 ? -c->bias[i] : c->bias[i]);
		if (magnitude > c->max_bias)
			c->max_bias = magnitude;
		c->start[i] = (i32)c->bias[i];
		struct npu_rescale *lanes = &c->rescale[i / NPU_GROUP];
		c->fast &= u85 ? npu85_rescale_set(lanes, i % NPU_GROUP, scale85(c->scale[i]), 0)
			       : npu_rescale_set(lanes, i % NPU_GROUP, c->scale[i]);
	}
	for (u32 i = 0; c->fast && i < c->depth; i++) {
		const float factor = c->rescale[i / NPU_GROUP].factor[i % NPU_GROUP];
		c->max_factor = factor > c->max_factor ? factor : c->max_factor;
	}
	c->doubled = !c->fast && !u85 && double_scales(c);
	c->fast |= c->doubled;
	return true;
}

u64 npu_fm_magnitude(const struct npu_fm *fm)
{
	unsigned bits = 8u * fm->bytes;
	i64 lo = fm->is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
	i64 hi = fm->is_signed ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
	i64 below = fm->zero_point - lo, above = hi - fm->zero_point;

	below = below < 0 ? -below : below;
	above = above < 0 ? -above : above;
	return (u64)(below > above ? below : above);
}

u64 npu_channels_reach(const struct npu_channels *c, const struct npu_fm *ifm, u64 weights)
{
	u64 sum;

	if (__builtin_mul_overflow(npu_fm_magnitude(ifm), weights, &sum) ||
	    __builtin_add_overflow(sum, c->max_bias, &sum))
		return UINT64_MAX;
	return sum;
}

bool npu_narrow_init(struct npu_narrow8 *n, const struct npu_op *op)
{
	i32 zero = op->ofm.zero_point;

	*n = (struct npu_narrow8){ .zero_point = zero, .lo = op->lo, .hi = op->hi,
				   .is_unsigned = op->hi > INT8_MAX };
	return zero >= -32000 && zero <= 32000 && op->hi <= UINT8_MAX &&
	       op->lo >= (n->is_unsigned ? 0 : INT8_MIN);
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
	for (unsigned i = 0; i < 256; i++)
		s->table[i] = s->lut[table == NPU85_TABLE_S8_S8 ? i ^ 128 : i];
	s->narrow.table = s->table;
}

void npu_sink_init(struct npu_sink *s, const struct npu_kernels *k, const struct npu_op *op,
		   const struct npu_view *view, const struct npu_channels *c)
{
	const struct npu_fm *ofm = &op->ofm;

	s->u85 = op->u85.enabled;
	s->simd = k->simd;
	s->op = op;
	s->channels = c;
	s->unscaled = false;
	s->raw = op->u85.acc_output_off;
	s->narrow_valid = ofm->bytes == 1 && npu_narrow_init(&s->narrow, op) &&
			  (op->output == NPU_OUT_CLAMP || op->output == NPU_OUT_LUT8);
	s->narrow16 = (struct npu_narrow16){ ofm->zero_point, op->lo, op->hi };
	s->narrow16_valid = ofm->bytes == 2 && op->output == NPU_OUT_CLAMP && !op->u85.enabled &&
			    op->lo >= INT16_MIN && op->hi <= INT16_MAX;
	if (op->u85.enabled) {
		sink_init85(s, op, view);
		return;
	}
	if (op->output == NPU_OUT_CLAMP || op->output == NPU_OUT_RAW32) {
		s->lut = view->lut; /* not looked at */
		return;
	}
	/* tables wrap around the table memory, as in the generic path */
	memcpy(s->lut_copy, view->lut, NPU_LUT_BYTES);
	memcpy(s->lut_copy + NPU_LUT_BYTES, view->lut, NPU_LUT_BYTES);
	s->lut = s->lut_copy;
	if (op->output == NPU_OUT_LUT8) {
		for (unsigned i = 0; i < 256; i++)
			s->table[i] = s->lut[op->lut_offset + (ofm->is_signed ? i ^ 128 : i)];
		s->narrow.table = s->table;
	}
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

/* npu_scale_round() in 64 bits where they are enough. */
static inline i64 scale_one(i64 x, struct npu_scale s)
{
	/* one rounding, ties up: NATURAL, and DBL as long as its first step is all there is */
	bool once = s.round == NPU_ROUND_NATURAL || (s.round == NPU_ROUND_DBL && s.shift <= s.first);
	i64 p;

	if (!once || s.shift > 61 || __builtin_mul_overflow(x, (i64)s.scale, &p) ||
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

/* One pixel, one value at a time. `scaled`: the values are results already. */
static void store_values(const struct npu_sink *s, const i32 *acc, bool scaled, u32 group,
			 unsigned channels, u8 *to)
{
	unsigned bytes = s->op->ofm.bytes;

	for (unsigned c = 0; c < channels; c++, to += bytes) {
		i64 v = acc[c];
		if (!s->raw && !scaled) {
			struct npu_scale scale = s->channels->scale[group * NPU_GROUP + c];
			v = s->u85 ? npu85_scale_round(v, scale85(scale)) : scale_one(v, scale);
		}
		store_le(to, s->raw ? v : output_value(s, v), bytes);
	}
}

bool npu_sink_is_layer(const struct npu_sink *s)
{
	return !s->raw && !s->unscaled && s->narrow_valid && s->channels->fast && !s->channels->doubled;
}

void npu_sink_limit(struct npu_sink *s, u64 reach)
{
	s->narrow.small = s->narrow_valid && s->channels->fast && !s->channels->doubled &&
			  (double)reach * (double)s->channels->max_factor < NPU_SMALL_VALUE;
}

void npu_sink_store(const struct npu_sink *s, i32 *acc, const struct npu_target *t, u32 group)
{
	unsigned channels = channels_of(s, group), pixels = npu_target_pixels(t);
	i64 offset = group * npu_fm_stride_group(&s->op->ofm);
	bool fast = !s->raw && !s->unscaled && s->channels->fast;
	const struct npu_rescale *rescale = fast ? &s->channels->rescale[group] : NULL;

	for (unsigned i = 0; fast && s->channels->doubled && i < pixels * NPU_GROUP; i++)
		acc[i] *= 2;
	if (fast && s->narrow_valid) {
		s->simd->store8(acc, t, rescale, &s->narrow, offset, channels);
		return;
	}
	if (!s->raw && s->unscaled && s->narrow_valid) {
		store_unscaled(s, acc, t, offset, channels);
		return;
	}
	if (!s->raw && s->narrow16_valid && (s->unscaled || fast)) {
		s->simd->store16(acc, t, rescale, &s->narrow16, offset, channels);
		return;
	}
	if (fast)
		s->simd->rescale(acc, pixels, rescale);
	for (unsigned r = 0; r < t->runs; r++)
		for (unsigned p = 0; p < t->run[r].n; p++, acc += NPU_GROUP)
			store_values(s, acc, s->unscaled || fast, group, channels,
				     t->run[r].to + p * t->step + offset);
}

void npu_sink_store_wide(const struct npu_sink *s, const i64 *acc, const struct npu_target *t, u32 group)
{
	const struct npu_op *op = s->op;
	unsigned channels = channels_of(s, group), bytes = op->ofm.bytes;
	i64 offset = group * npu_fm_stride_group(&op->ofm);
	const struct npu_scale *scale = s->channels->scale + group * NPU_GROUP;

	for (unsigned r = 0; r < t->runs; r++)
		for (unsigned p = 0; p < t->run[r].n; p++, acc += NPU_GROUP)
			for (unsigned c = 0; c < channels; c++) {
				i64 v = s->raw ? acc[c] : output_value(s, scale_one(acc[c], scale[c]));
				store_le(t->run[r].to + p * t->step + offset + c * bytes, v, bytes);
			}
}

unsigned npu_target_pixels(const struct npu_target *t)
{
	unsigned n = 0;

	for (unsigned r = 0; r < t->runs; r++)
		n += t->run[r].n;
	return n;
}

void npu_target_next(struct npu_target *t, const struct npu_op *op, const struct npu_view *view,
		     struct npu_place *at, unsigned n)
{
	const struct npu_fm *ofm = &op->ofm;
	unsigned part;

	t->step = ofm->stride_x;
	t->runs = 0;
	for (; n; n -= part) {
		unsigned left = npu_fm_splits_rows(ofm) ? 1 : ofm->width - at->x;
		u8 *to = (u8 *)npu_fm_pixel(ofm, (const u8 *const *)view->ofm, at->y, at->x);
		struct npu_run *last = t->runs ? &t->run[t->runs - 1] : NULL;
		part = n < left ? n : left;
		if (last && to == last->to + last->n * t->step)
			last->n += part;
		else
			t->run[t->runs++] = (struct npu_run){ to, part };
		at->x += part;
		if (at->x == ofm->width)
			*at = (struct npu_place){ at->y + 1, 0 };
	}
}
