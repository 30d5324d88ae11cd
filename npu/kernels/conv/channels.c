/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the constants of channels; see channels.h. */
#include "npu/kernels/conv/channels.h"

#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/rows/rescale.h"
#include "npu/u85/arith.h"

#define RECORD_BYTES 10
#define MOST_LEFT 20

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
	c->left = 1;
	return true;
}

/* Whether results below 0 all end as 0 does. */
static bool is_floored(const struct npu_op *op)
{
	const enum npu_channels_results results = npu_channels_results(op);

	return results == NPU_RESULTS_FLOORED || results == NPU_RESULTS_SMALL_FLOORED;
}

/* Sums come shifted left by `left` bits. */
static bool lane_set(const struct npu_op *op, const struct npu_channels *c, struct npu_rescale *r, unsigned lane, u32 channel, unsigned left)
{
	return npu_rescale_set_channel(r, lane, c->scale[channel], left, is_floored(op), op->u85.enabled);
}

/* Accumulators take the powers of two that scales above a half have no room for. */
static bool shift_values(const struct npu_op *op, struct npu_channels *c)
{
	int left = 0;

	for (u32 i = 0; i < c->depth; i++) {
		const struct npu_scale s = c->scale[i];
		if (s.scale > INT32_MAX)
			return false;
		const int wants = s.scale ? 33 - __builtin_clz(s.scale) - s.shift : 0;
		left = wants > left ? wants : left;
	}
	for (u32 i = 0; left <= MOST_LEFT && i < c->depth; i++) {
		if (!lane_set(op, c, &c->rescale[i / NPU_GROUP], i % NPU_GROUP, i, (unsigned)left))
			return false;
	}
	c->left = (u8)left;
	return left <= MOST_LEFT;
}

/* Each group for itself; false: none has the fast form. */
static bool set_groups(const struct npu_op *op, struct npu_channels *c)
{
	bool some = false;

	for (u32 g = 0; g < c->groups; g++) {
		const u32 first = g * NPU_GROUP, lanes = min_u32(c->depth - first, NPU_GROUP);
		bool fits = true;
		for (u32 i = 0; fits && i < lanes; i++)
			fits = lane_set(op, c, &c->rescale[g], i, first + i, 0);
		c->rescale[g].fits = fits;
		some |= fits;
	}
	return some;
}

/* Hosts are little-endian: see npu_kernels_execute(). */
static u64 load64(const u8 *p)
{
	u64 v;
	memcpy(&v, p, sizeof(v));
	return v;
}

/* Pixels that are channels of one have the same records. */
static u32 records_of(const struct npu_op *op)
{
	return op->abreast.pixels ? op->ofm.depth / op->abreast.pixels : op->ofm.depth;
}

/* Whether the streams have the records of so many channels. */
static bool has_records(const struct npu_op *op, u32 records)
{
	const u32 streams = op->u85.enabled ? 1 : op->cores;

	for (u32 i = 0; i < streams; i++)
		if ((u64)RECORD_BYTES * ((records + streams - 1 - i) / streams) > op->scales[i].length)
			return false;
	return true;
}

/* Bias and scale of one channel. */
ALWAYS_INLINE void read_record(const struct npu_op *op, const struct npu_view *view, u32 channel,
			i64 *bias, struct npu_scale *scale)
{
	const u8 *const p = op->cores == 2 ? view->scales[channel & 1] + (u64)RECORD_BYTES * (channel >> 1) : view->scales[0] + (u64)RECORD_BYTES * channel;

	*bias = (i64)(load64(p) << 24) >> 24;
	scale->scale = (u32)(load64(p + 2) >> 24);
	scale->shift = p[9] & 63;
}

/* U85: one stream whatever the number of decoders; 32-bit bias and 31-bit scale, or 48-bit bias
 * and 15-bit scale. */
ALWAYS_INLINE void read_record85(const struct npu_op *op, const struct npu_view *view, u32 channel,
			  i64 *bias, struct npu_scale *scale)
{
	const u8 *p = view->scales[0] + (u64)RECORD_BYTES * channel;
	const bool wide = op->u85.acc48;

	*bias = npu85_wrap((i64)load64(p), wide ? 48 : 32);
	scale->scale = (u32)(load64(p) >> (wide ? 48 : 32)) & (wide ? INT16_MAX : INT32_MAX);
	scale->shift = p[8] & 63;
}

static bool channels_alloc(struct npu_kernels *k, struct npu_store *store, struct npu_channels *c, u32 depth)
{
	const u32 groups = (depth + NPU_GROUP - 1) / NPU_GROUP, n = groups * NPU_GROUP;
	const size_t stays = groups * sizeof(*c->rescale) + n * sizeof(*c->start);
	const size_t goes = n * (sizeof(*c->bias) + sizeof(*c->scale) + sizeof(*c->high) + sizeof(*c->whole)); /* whole lines: 16 channels */
	u8 *const p = npu_scratch(&k->channels, goes + (store ? 0 : stays)), *const own = store && p ? npu_store_take(store, stays) : p ? p + goes : NULL;

	if (!own)
		return false;
	memset(p, 0, goes + (store ? 0 : stays));
	*c = (struct npu_channels){ .depth = depth, .groups = groups, .fast = true };
	c->rescale = (void *)own;
	c->start = (void *)(c->rescale + groups);
	c->bias = (void *)p;
	c->scale = (void *)(c->bias + n);
	c->high = (void *)(c->scale + n);
	c->whole = c->high + n;
	return true;
}

/* One scale for all, no bias. */
static void read_global(const struct npu_op *op, struct npu_scale global, struct npu_channels *c)
{
	for (u32 i = 0; i < c->depth; i++)
		c->scale[i] = global;
	c->fast = !c->depth || lane_set(op, c, c->rescale, 0, 0, 0);
	if (!c->fast || !c->depth)
		return;
	npu_rescale_spread(c->rescale);
	for (u32 g = 1; g < c->groups; g++)
		c->rescale[g] = c->rescale[0];
}

static void read_whole(const struct npu_op *op, struct npu_channels *c)
{
	bool whole = op->u85.enabled;

	for (u32 i = 0; whole && i < c->depth; i++) {
		c->whole[i] = (i32)c->scale[i].scale;
		whole = c->scale[i].shift == 0;
	}
	if (!whole)
		c->whole = NULL;
}

#define LARGE_BIAS (UINT64_C(1) << 29)
#define SMALL_SUM (INT64_C(1) << 25)

/* Channels that do not matter have weights of next to no scale and a bias at the end of what there is: whatever their sums, which may wrap, the result is 0. U85's do not wrap with the bias. */
static bool is_idle(const struct npu_op *op, struct npu_scale s, i64 bias)
{
	const i64 most = (INT64_C(1) << (op->acc_bits - 1)) + (bias < 0 ? -bias : bias);

	if (npu_channels_results(op) == NPU_RESULTS_SUMS)
		return false;
	if (op->u85.enabled)
		return !npu85_scale_round(most, npu85_scale_of(s)) && !npu85_scale_round(-most, npu85_scale_of(s));
	return !npu_scale_round(most, s) && !npu_scale_round(-most, s);
}

/* A smaller bias with the same results, if there is one: any sum leads to 0, or all are below 0, which a ReLU does not tell from 0. */
static NOINLINE i64 settled(const struct npu_op *op, struct npu_scale s, i64 bias)
{
	if (is_idle(op, s, bias))
		return 0;
	const bool wraps = bias < SMALL_SUM - (INT64_C(1) << (op->acc_bits - 1));

	return bias < 0 && !wraps && npu_channels_results(op) == NPU_RESULTS_SMALL_FLOORED ? -SMALL_SUM : bias;
}

/* Scales and biases of a group's channels. */
ALWAYS_INLINE void read_group(const struct npu_op *op, const struct npu_view *view, struct npu_scale global, struct npu_channels *c, u32 first,
			      unsigned lanes, const bool u85)
{
	const u32 records = records_of(op);
	u64 largest = c->max_bias;

	for (u32 i = first; i < first + lanes; i++) {
		struct npu_scale s = global;
		const u32 record = i < records ? i : i % records;
		i64 bias;
		(u85 ? read_record85 : read_record)(op, view, record, &bias, &s);
		if ((u64)(bias < 0 ? -bias : bias) >= LARGE_BIAS)
			bias = settled(op, s, bias);
		const u64 magnitude = (u64)(bias < 0 ? -bias : bias);
		largest = magnitude > largest ? magnitude : largest;
		c->scale[i] = s;
		c->bias[i] = bias;
		c->start[i] = (i32)bias;
	}
	c->max_bias = largest;
}

/* The scale stream. */
static void read_channels(const struct npu_op *op, const struct npu_view *view, struct npu_scale global, struct npu_channels *c)
{
	const bool u85 = op->u85.enabled;
	struct npu_rescale_kinds kinds;

	kinds.shifts = 0;
	kinds.floored = is_floored(op);
	for (u32 g = 0, first = 0; g < c->groups; g++, first += NPU_GROUP) {
		const unsigned lanes = min_u32(c->depth - first, NPU_GROUP);
		if (u85)
			read_group(op, view, global, c, first, lanes, true);
		else
			read_group(op, view, global, c, first, lanes, false);
		c->fast &= npu_rescale_set_lanes(&kinds, &c->rescale[g], &c->scale[first], lanes, u85);
	}
}

/* What no channel's factor exceeds. None is negative, so that their bits are in the same order, which compilers have vectors for. */
static void find_largest(struct npu_channels *c)
{
	i32 largest = 0;

	for (u32 g = 0; g < c->groups; g++) {
		i32 bits[NPU_GROUP]; /* lanes without a channel are zero */
		memcpy(bits, c->rescale[g].factor, sizeof(bits));
		for (unsigned i = 0; i < NPU_GROUP; i++)
			largest = bits[i] > largest ? bits[i] : largest;
	}
	memcpy(&c->max_factor, &largest, sizeof(largest));
}

bool npu_channels_read(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view,
		       struct npu_store *store, struct npu_channels *c)
{
	if ((op->per_channel && !has_records(op, records_of(op))) || !channels_alloc(k, store, c, op->ofm.depth))
		return false;
	bool u85 = op->u85.enabled;
	const struct npu85_scale *global85 = &op->u85.ofm_scale;
	struct npu_scale global = op->ofm_scale;
	if (u85)
		global = (struct npu_scale){ .scale = global85->scale, .shift = global85->shift,
					     .round = global85->round, .first = global85->dbl };
	if (!op->per_channel)
		read_global(op, global, c);
	else
		read_channels(op, view, global, c);
	read_whole(op, c);
	if (c->fast)
		find_largest(c);
	if (!c->fast)
		c->fast = (!u85 && double_scales(c)) || shift_values(op, c);
	if (!c->fast)
		c->left = 0;
	npu_channels_limit(c, c->max_bias); /* no reach is smaller */
	c->some = !c->fast && op->per_channel && set_groups(op, c);
	return true;
}

/* Products are of bytes less their zero point and 9 bits of a weight: 2^17. Sums that go on from others may be anything. */
static bool sums_are_small(const struct npu_op *op)
{
	const u64 taps = (u64)op->kernel_h * op->kernel_w * (op->kind == NPU_CONV ? op->ifm.depth : 1);
	const bool bytes = op->ifm.bytes == 1 && op->ifm.zero_point >= -256 && op->ifm.zero_point <= 256;

	return (op->kind == NPU_CONV || op->kind == NPU_DEPTHWISE) && bytes && taps <= (u64)SMALL_SUM >> 17 && op->u85.acc_input == NPU85_ACC_RESET;
}

enum npu_channels_results npu_channels_results(const struct npu_op *op)
{
	if (op->u85.acc_output_off)
		return NPU_RESULTS_SUMS;
	const bool clamps = op->output == NPU_OUT_CLAMP || (op->output == NPU_OUT_LUT8 && !op->u85.enabled); /* U85's curves come before its clamp */

	if (!clamps || op->u85.clip_off || op->lo < op->ofm.zero_point)
		return NPU_RESULTS_ALL;
	return sums_are_small(op) ? NPU_RESULTS_SMALL_FLOORED : NPU_RESULTS_FLOORED;
}

void npu_channels_limit(struct npu_channels *c, u64 reach)
{
	if (c->left && reach >> (31 - c->left)) {
		c->fast = false;
		c->left = 0;
	}
}

u64 npu_channels_reach(const struct npu_channels *c, const struct npu_fm *ifm, u64 weights)
{
	u64 sum;

	if (__builtin_mul_overflow(npu_fm_magnitude(ifm), weights, &sum) ||
	    __builtin_add_overflow(sum, c->max_bias, &sum))
		return UINT64_MAX;
	return sum;
}
