/* SPDX-License-Identifier: Apache-2.0 */
/* Accumulators that wait and are only scaled, with a scale and bias for each channel: by groups of 16 channels, as products' sums are stored. */
#include <string.h>

#include "npu/kernels/sink.h"
#include "npu/kernels/u85/flow.h"
#include "npu/kernels/u85/pool.h"

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

#define LOAD(T, n) do { \
	for (unsigned c = 0; c < (n); c++) { \
		T v_; \
		memcpy(&v_, from + sizeof(v_) * c, sizeof(v_)); \
		acc[c] = (i32)((u32)v_ + (u32)bias[c]) * factor; \
	} } while (0)

/* A group's channels of pixels, and what is done to them first. */
struct group {
	const u8 *from;
	size_t step; /* bytes from pixel to pixel */
	const i32 *bias;
	i32 factor;
	unsigned channels;
	bool wide;   /* accumulators have 8 bytes */
};

static void load_group(const struct group *g, unsigned pixels, i32 *restrict acc)
{
	const i32 *restrict const bias = g->bias;
	const i32 factor = g->factor;
	const unsigned channels = g->channels;
	const u8 *restrict from = g->from;
	const bool wide = g->wide;

	for (unsigned p = 0; p < pixels; p++, from += g->step, acc += NPU_GROUP)
		if (channels == NPU_GROUP && !wide)
			LOAD(i32, NPU_GROUP);
		else if (channels == NPU_GROUP)
			LOAD(i64, NPU_GROUP);
		else if (!wide)
			LOAD(i32, channels);
		else
			LOAD(i64, channels);
}

/* Whether results come from vectors: what is stored value by value takes less time in the flow. */
static bool has_vectors(const struct npu_sink *s)
{
	return (s->channels->fast || s->channels->mostly) && !s->raw && (s->narrow_valid || s->narrow16_valid);
}

static void store_pixels(const struct npu_sink *sink, const struct group *each, const struct npu_target *t, unsigned pixels)
{
	const struct npu_channels *c = sink->channels;
	struct group one = *each;

	for (u32 g = 0; g < c->groups; g++, one.from += NPU_GROUP * (one.step / c->depth), one.bias += NPU_GROUP) {
		NPU_LINE i32 acc[NPU_BATCH * NPU_GROUP];
		const u32 left = c->depth - g * NPU_GROUP;
		one.channels = left < NPU_GROUP ? left : NPU_GROUP;
		if (one.channels < NPU_GROUP)
			memset(acc, 0, pixels * NPU_GROUP * sizeof(*acc));
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

	if (!j->start || !op->per_channel || op->ofm.bytes > 2 || !npu_channels_read(j->k, op, &j->view, &channels))
		return false;
	const u64 most = (op->u85.acc48 ? reach64 : reach32)(j->start, pixels * ofm->depth), reach = most + channels.max_bias;
	if (most > INT32_MAX || reach > INT32_MAX)
		return false;
	npu_channels_limit(&channels, reach);
	npu_sink_init(&sink, j->k, op, &j->view, &channels);
	npu_sink_limit(&sink, reach);
	if (!has_vectors(&sink))
		return false;
	struct group each = { .from = j->start, .step = ofm->depth * bytes, .bias = channels.start, .factor = 1 << channels.left, .wide = op->u85.acc48 };
	channels.left = 0; /* it is in the factor */
	for (size_t i = 0, n; i < pixels && !npu_given_up(&j->view); i += n, each.from += n * each.step) {
		struct npu_target t;
		n = pixels - i < NPU_BATCH ? pixels - i : NPU_BATCH;
		npu_target_next(&t, op, &j->view, &at, (unsigned)n);
		store_pixels(&sink, &each, &t, (unsigned)n);
	}
	return true;
}
