/* SPDX-License-Identifier: Apache-2.0 */
/* Accumulators that wait and are only scaled, with a scale and bias for each channel: by groups of 16 channels, as products' sums are stored. */
#include <string.h>

#include "npu/kernels/rows/rescale.h"
#include "npu/kernels/conv/sink.h"
#include "npu/kernels/u85/flow.h"
#include "npu/kernels/u85/pool.h"

#define MOST_LEFT 20

/* The largest magnitude of n words, or what is above it. */
static u64 reach32(const u8 *sums, size_t n)
{
	u32 all = 0;

	for (size_t i = 0; i < n; i++) {
		i32 v;
		memcpy(&v, sums + i * sizeof(v), sizeof(v));
		all |= (u32)(v ^ v >> 31);
	}
	return (u64)all + 1;
}

static u64 reach64(const u8 *sums, size_t n)
{
	u64 all = 0;

	for (size_t i = 0; i < n; i++) {
		i64 v;
		memcpy(&v, sums + i * sizeof(v), sizeof(v));
		all |= (u64)(v ^ v >> 63);
	}
	return all == UINT64_MAX >> 1 ? UINT64_MAX : all + 1;
}

/* Whether n accumulators of 8 bytes, biases of 30 bits added, have 32 bits. */
static bool fit(const u8 *sums, size_t n)
{
	const u64 zero = UINT64_C(1) << 30;
	u64 all = 0;

	for (size_t i = 0; i < n; i++) {
		u64 v;
		memcpy(&v, sums + i * sizeof(v), sizeof(v));
		all |= v + zero;
	}
	return !(all >> 31);
}

/* What is done to the sums of each channel before they are scaled: added, limited, shifted left. */
struct starts {
	i32 *bias, *lo, *hi, *left; /* of all groups */
	bool shifted; /* some are */
	bool limited; /* some sum may be beyond `lo` or `hi` */
};

/* A scale of a half and more has room for its values when these are shifted left first. What has no room for that is so large that its result is
 * clipped, and so is the result of the largest value that has. One rounding for all channels of a group. */
static bool shift_lanes(const struct npu_channels *c, const struct starts *s, struct npu_rescale *rescale, unsigned *most)
{
	for (u32 i = 0; i < c->depth; i++) {
		const u32 scale = c->scale[i].scale;
		const int wants = scale ? 33 - __builtin_clz(scale) - c->scale[i].shift : 0;
		const unsigned left = wants > 0 ? (unsigned)wants : 0;
		if (left > MOST_LEFT || !npu85_rescale_set(&rescale[i / NPU_GROUP], i % NPU_GROUP, npu85_channel_scale(c, i), left))
			return false;
		s->left[i] = (i32)left;
		s->hi[i] = INT32_MAX >> left;
		s->lo[i] = -s->hi[i];
		*most = left > *most ? left : *most;
	}
	return true;
}

static void shift_all(const struct starts *s, size_t n, unsigned left)
{
	for (size_t i = 0; i < n; i++) {
		s->lo[i] = -INT32_MAX;
		s->hi[i] = INT32_MAX;
		s->left[i] = (i32)left;
	}
}

/* Sums, biases added, are at most `reach`. False: memory is short, or the channels have no vectors. */
static bool starts_of(struct npu_kernels *k, struct npu_channels *c, struct starts *s, u64 reach, bool clipped)
{
	const size_t n = (size_t)c->groups * NPU_GROUP;
	struct npu_rescale *const rescale = npu_scratch(&k->roundings, c->groups * sizeof(*rescale) + 3 * n * sizeof(i32));
	unsigned most = 0;

	if (!rescale)
		return false;
	s->bias = c->start;
	s->lo = (i32 *)(rescale + c->groups);
	s->hi = s->lo + n;
	s->left = s->hi + n;
	npu_channels_limit(c, reach);
	s->shifted = c->left != 0;
	s->limited = false;
	shift_all(s, n, c->left);
	c->left = 0; /* it is done to all */
	if (c->fast)
		return true;
	memset(rescale, 0, c->groups * sizeof(*rescale)); /* lanes behind the last channel are scaled, too */
	s->shifted = shift_lanes(c, s, rescale, &most);
	s->limited = s->shifted && reach > (u64)INT32_MAX >> most;
	s->shifted &= clipped || !s->limited;
	if (!s->shifted)
		shift_all(s, n, 0);
	c->rescale = s->shifted ? rescale : c->rescale;
	c->fast = s->shifted;
	c->some &= !s->shifted;
	return c->fast || c->some;
}

#define LOAD(T, n) do { \
	for (unsigned c = 0; c < (n); c++) { \
		T v_; \
		memcpy(&v_, from + sizeof(v_) * c, sizeof(v_)); \
		i32 sum_ = (i32)((u32)v_ + (u32)bias[c]); \
		if (limited) { \
			sum_ = sum_ < lo[c] ? lo[c] : sum_; \
			sum_ = sum_ > hi[c] ? hi[c] : sum_; \
		} \
		acc[c] = (i32)((u32)sum_ << left[c]); \
	} } while (0)

/* A group's channels of pixels. */
struct group {
	const u8 *from;
	size_t step; /* bytes from pixel to pixel */
	struct starts starts;
	unsigned channels;
	bool wide;   /* accumulators have 8 bytes */
	bool alone;  /* all channels of a pixel */
};

/* What lies behind a group is the next pixels': it may come along. Of so many pixels there is enough. */
static unsigned whole_pixels(const struct group *g, unsigned pixels)
{
	const size_t bytes = NPU_GROUP * (g->wide ? sizeof(i64) : sizeof(i32)), behind = (bytes + g->step - 1) / g->step - g->alone;

	return g->channels == NPU_GROUP ? pixels : pixels > behind ? pixels - (unsigned)behind : 0;
}

ALWAYS_INLINE void load_pixels(const struct group *g, const bool limited, unsigned pixels, i32 *restrict acc)
{
	const i32 *restrict const bias = g->starts.bias, *restrict const lo = g->starts.lo, *restrict const hi = g->starts.hi;
	const i32 *restrict const left = g->starts.left;
	const unsigned channels = g->channels, whole = whole_pixels(g, pixels);
	const u8 *restrict from = g->from;
	const bool wide = g->wide;

	memset(acc + whole * NPU_GROUP, 0, (pixels - whole) * NPU_GROUP * sizeof(*acc));
	for (unsigned p = 0; p < pixels; p++, from += g->step, acc += NPU_GROUP)
		if (p < whole && !wide)
			LOAD(i32, NPU_GROUP);
		else if (p < whole)
			LOAD(i64, NPU_GROUP);
		else if (!wide)
			LOAD(i32, channels);
		else
			LOAD(i64, channels);
}

static void load_group(const struct group *g, unsigned pixels, i32 *acc)
{
	if (g->starts.limited)
		load_pixels(g, true, pixels, acc);
	else
		load_pixels(g, false, pixels, acc);
}

/* Whether results come from vectors: what is stored value by value takes less time in the flow. */
static bool has_vectors(const struct npu_sink *s)
{
	return !s->raw && (s->narrow_valid || s->narrow16_valid || (s->channels->fast && s->op->ofm.bytes > 2));
}

static void next_group(struct group *g, size_t bytes)
{
	g->from += bytes;
	g->starts.bias += NPU_GROUP;
	g->starts.lo += NPU_GROUP;
	g->starts.hi += NPU_GROUP;
	g->starts.left += NPU_GROUP;
}

static void store_pixels(const struct npu_sink *sink, const struct group *each, const struct npu_target *t, unsigned pixels)
{
	const struct npu_channels *c = sink->channels;
	struct group one = *each;

	for (u32 g = 0; g < c->groups; g++, next_group(&one, NPU_GROUP * (one.step / c->depth))) {
		NPU_LINE i32 acc[NPU_BATCH * NPU_GROUP];
		const u32 left = c->depth - g * NPU_GROUP;
		one.channels = left < NPU_GROUP ? left : NPU_GROUP;
		load_group(&one, pixels, acc);
		npu_sink_store(sink, acc, t, g);
	}
}

bool npu85_scaled_sums(struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	const struct npu_fm *ofm = &op->ofm;
	const size_t pixels = (size_t)ofm->height * ofm->width, bytes = op->u85.acc48 ? sizeof(i64) : sizeof(i32);
	struct npu_place at = { 0, 0 };
	struct npu_channels channels;
	struct npu_sink sink; /* its tables are set where they are used */

	struct starts starts;

	if (!j->start || !op->per_channel || (op->ofm.bytes > 2 && !npu_sink_is_plain32(op)) || !npu_channels_read(j->k, op, &j->view, NULL, &channels))
		return false;
	/* int16 by the scales as they are: whether sums fit is asked as they come, and the flow begins anew where they do not */
	const bool ask = op->u85.acc48 && ofm->bytes == sizeof(i16) && channels.fast && !channels.left && channels.max_bias >> 30 == 0;
	if (ask && npu85_scaled_words(j, &channels))
		return true;
	const u64 most = ask ? 0 : (op->u85.acc48 ? reach64 : reach32)(j->start, pixels * ofm->depth), reach = most + channels.max_bias;
	if (most > INT32_MAX || reach > INT32_MAX || !starts_of(j->k, &channels, &starts, reach, ofm->bytes <= 2))
		return false;
	npu_sink_init(&sink, j->k, op, &j->view, &channels);
	if (!starts.shifted)
		npu_sink_limit(&sink, reach);
	if (!has_vectors(&sink))
		return false;
	struct group each = { .from = j->start, .step = ofm->depth * bytes, .starts = starts, .wide = op->u85.acc48, .alone = channels.groups == 1 };
	for (size_t i = 0, n; i < pixels && !npu_given_up(&j->view); i += n, each.from += n * each.step) {
		struct npu_target t;
		n = pixels - i < NPU_BATCH ? pixels - i : NPU_BATCH;
		if (ask && !fit(each.from, n * ofm->depth))
			return false;
		npu_target_next(&t, op, &j->view, &at, (unsigned)n);
		store_pixels(&sink, &each, &t, (unsigned)n);
	}
	return true;
}
