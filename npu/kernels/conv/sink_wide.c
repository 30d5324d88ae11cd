/* SPDX-License-Identifier: Apache-2.0 */
/* Scaling in 64 bits and any output stage; see sink_wide.h. Pixels of few channels are brought together first, so that vectors are full. */
#include "npu/kernels/conv/sink_wide.h"

#include <string.h>

#include "npu/arith.h"
#include "npu/exec.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/move/copy.h"
#include "npu/kernels/u85/rows.h"
#include "npu/u85/arith.h"
#include "npu/u85/u85.h"

#define ALL UINT64_MAX

static struct npu_rounding rounding55_of(struct npu_scale s)
{
	const bool twice = s.round == NPU_ROUND_DBL && s.first < 63;
	const u64 first = twice && s.first ? UINT64_C(1) << (s.first - 1) : 0;

	if (s.round == NPU_ROUND_TRUNCATE)
		return (struct npu_rounding){ .rest = { 0, ALL } };
	if (!twice)
		return (struct npu_rounding){ .half = { ALL, ALL } };
	/* the second one has ties away from zero: one less for negative values, which counts where there is no first one */
	return (struct npu_rounding){ .half = { ALL, ALL }, .more = { first, s.first ? -first : ALL }, .above = s.first };
}

static struct npu_rounding rounding85_of(struct npu85_scale s)
{
	const u64 first = s.dbl <= 30 ? UINT64_C(1) << (30 - s.dbl) : 0;
	const u8 above = (u8)(s.dbl <= 30 ? 31 - s.dbl : 0);

	switch (s.round) {
	case NPU85_DOUBLE_SYMMETRIC: return (struct npu_rounding){ .half = { ALL, ALL }, .more = { first, -first }, .above = above };
	case NPU85_NATURAL: return (struct npu_rounding){ .half = { ALL, ALL } };
	case NPU85_DOUBLE_ASYMMETRIC: return (struct npu_rounding){ .half = { ALL, ALL }, .more = { first, first }, .above = above };
	case NPU85_SYMMETRIC: return (struct npu_rounding){ .half = { ALL, ALL }, .more = { 0, ALL } };
	case NPU85_TO_ZERO: return (struct npu_rounding){ .rest = { 0, ALL } };
	default: return (struct npu_rounding){ 0 };
	}
}

/* Of a group's pixels: so many lanes, a power of two. */
static unsigned lanes_of(unsigned channels)
{
	unsigned lanes = NPU_GROUP;

	while (lanes / 2 >= channels)
		lanes /= 2;
	return lanes;
}

static void bring_together(i64 *v, unsigned pixels, unsigned lanes)
{
	for (unsigned p = 0; lanes < NPU_GROUP && p < pixels; p++)
		for (unsigned c = 0; c < lanes; c++)
			v[p * lanes + c] = v[p * NPU_GROUP + c];
}

/* False: some channel's scale has no form for it, nothing has been done. */
static bool scale_lanes(const struct npu_sink *s, i64 *v, unsigned pixels, unsigned lanes, u32 group)
{
	const struct npu_scale *const scale = s->channels->scale + group * NPU_GROUP;
	const struct npu_rounding rounding = s->u85 ? rounding85_of(npu85_scale_of(*scale)) : rounding55_of(*scale);
	struct npu_scale repeated[NPU_GROUP];

	if (lanes == NPU_GROUP)
		return s->simd->rescale_wide(v, pixels, &rounding, scale);
	for (unsigned i = 0; i < NPU_GROUP; i++)
		repeated[i] = scale[i % lanes];
	return s->simd->rescale_wide(v, (pixels * lanes + NPU_GROUP - 1) / NPU_GROUP, &rounding, repeated);
}

void npu_sink_copy(const void *from, unsigned bytes, unsigned lanes, const struct npu_target *t, i64 offset, unsigned channels)
{
	const size_t step = lanes * bytes, n = channels * bytes;
	const u8 *p = from;

	for (unsigned r = 0; r < t->runs; p += t->run[r++].n * step)
		npu_copy_runs(t->run[r].to + offset, t->step, p, (i64)step, t->run[r].n, n);
}

static void put_lanes(const struct npu_sink *s, i64 *v, const struct npu_target *t, unsigned lanes, u32 group)
{
	const unsigned n = npu_target_pixels(t) * lanes, bytes = s->op->ofm.bytes;
	NPU_LINE u8 out[NPU_BATCH * NPU_GROUP * sizeof(i64)];

	for (unsigned i = 0, part; i < n; i += part) {
		part = n - i < NPU_ROW ? n - i : NPU_ROW;
		s->simd->rows->stage(s, v + i, part, out + i * bytes);
	}
	npu_sink_copy(out, bytes, lanes, t, group * npu_fm_stride_group(&s->op->ofm), npu_sink_channels(s, group));
}

void npu_sink_put_wide(const struct npu_sink *s, i64 *v, const struct npu_target *t, u32 group)
{
	const unsigned lanes = lanes_of(npu_sink_channels(s, group));

	bring_together(v, npu_target_pixels(t), lanes);
	put_lanes(s, v, t, lanes, group);
}

/* What is stored for a sum of a channel. */
static i64 value_of(const struct npu_sink *s, i64 sum, u32 channel)
{
	const struct npu_scale scale = s->channels->scale[channel];

	if (s->raw)
		return sum;
	if (s->u85)
		return npu85_output_value(s->op, s->lut, npu85_scale_round(sum, npu85_scale_of(scale)));
	return npu_output_value(s->op, s->lut, npu_scale_round(sum, scale));
}

static void put_values(const struct npu_sink *s, const i64 *acc, unsigned lanes, const struct npu_target *t, u32 group)
{
	const unsigned channels = npu_sink_channels(s, group), bytes = s->op->ofm.bytes;
	const i64 offset = group * npu_fm_stride_group(&s->op->ofm);

	for (unsigned r = 0; r < t->runs; r++)
		for (unsigned p = 0; p < t->run[r].n; p++, acc += lanes)
			for (unsigned c = 0; c < channels; c++) {
				const i64 v = value_of(s, acc[c], group * NPU_GROUP + c);
				memcpy(t->run[r].to + p * t->step + offset + c * bytes, &v, bytes);
			}
}

void npu_sink_store_wide(const struct npu_sink *s, i64 *acc, const struct npu_target *t, u32 group)
{
	const unsigned channels = npu_sink_channels(s, group), lanes = lanes_of(channels), pixels = npu_target_pixels(t);

	if (s->raw && s->op->ofm.bytes == sizeof(*acc)) {
		npu_sink_copy(acc, sizeof(*acc), NPU_GROUP, t, group * npu_fm_stride_group(&s->op->ofm), channels);
		return;
	}
	bring_together(acc, pixels, lanes);
	if (!s->raw && scale_lanes(s, acc, pixels, lanes, group))
		put_lanes(s, acc, t, lanes, group);
	else
		put_values(s, acc, lanes, t, group);
}
