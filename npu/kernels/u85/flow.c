/* SPDX-License-Identifier: Apache-2.0 */
/* Results in order; see flow.h. */
#include "npu/kernels/u85/flow.h"

#include <string.h>

#include "npu/kernels/u85/pool.h"

enum { PERIOD = 64 };

static bool channels_open(struct npu85_flow *f, struct npu85_job *j)
{
	struct npu85_flow_channels *const e = &f->each;

	if (!npu_channels_read(j->k, f->op, &j->view, NULL, &f->channels))
		return false;
	const u32 depth = f->channels.depth;
	e->period = depth < PERIOD ? (PERIOD + depth - 1) / depth * depth : depth;
	e->bias = npu_scratch(&j->k->roundings, 5 * sizeof(*e->bias) * e->period);
	if (!e->bias)
		return false;
	e->scale = e->bias + e->period;
	e->plus = e->scale + e->period;
	e->minus = e->plus + e->period;
	e->shift = e->minus + e->period;
	e->limit = INT64_MAX;
	for (u32 i = 0; i < e->period; i++) {
		const struct npu85_scale s = npu85_channel_scale(&f->channels, i % depth);
		const struct npu85_rounding r = npu85_rounding_of(s);
		const i64 limit = s.shift > NPU85_SHIFT_LIMIT ? -1 : s.scale ? NPU85_PRODUCT_LIMIT / s.scale : INT64_MAX;
		e->bias[i] = f->channels.bias[i % depth];
		e->scale[i] = s.scale;
		e->plus[i] = r.plus;
		e->minus[i] = r.minus;
		e->shift[i] = s.shift;
		e->limit = limit < e->limit ? limit : e->limit;
	}
	return true;
}

bool npu85_flow_open(struct npu85_flow *f, struct npu85_job *j, bool starts)
{
	f->op = &j->op;
	f->simd = j->k->simd;
	f->start = starts ? j->start : NULL;
	f->done = f->n = 0;
	if (f->op->per_channel && !channels_open(f, j))
		return false;
	f->to = npu85_job_packed(j);
	npu85_stage_init(&f->scale, f->op->u85.ofm_scale);
	npu85_out_init(&f->out, f->simd, f->op, &j->view);
	f->words = npu_sink_is_plain32(f->op) && (f->scale.none || f->scale.left);
	return f->to != NULL;
}

/* As all may lie at the same place for the compiler, what loops look at is their own: else they are not done in vectors. */
static void accumulate(struct npu85_flow *f)
{
	const bool acc48 = f->op->u85.acc48;
	const unsigned bits = f->op->acc_bits, n = f->n;
	i64 *const value = f->value;

	if (f->start && acc48) {
		const i64 *start = (const i64 *)f->start + f->done;
		for (unsigned i = 0; i < n; i++)
			value[i] = npu85_add(value[i], start[i]);
	} else if (f->start) {
		const i32 *start = (const i32 *)f->start + f->done;
		for (unsigned i = 0; i < n; i++)
			value[i] = npu85_add(value[i], start[i]);
	}
	for (unsigned i = 0; i < n; i++)
		value[i] = npu85_wrap(value[i], bits);
}

/* n values from channel `at` of the period on, which do not reach its end. */
static void scale_run(const struct npu85_flow_channels *e, u32 at, i64 *value, unsigned n)
{
	const i64 *const bias = e->bias + at, *const scale = e->scale + at, *const plus = e->plus + at, *const minus = e->minus + at;
	const i64 *const shift = e->shift + at;

	for (unsigned i = 0; i < n; i++) {
		const i64 v = value[i] + bias[i];
		value[i] = (v * scale[i] + (v < 0 ? minus[i] : plus[i])) >> shift[i];
	}
}

static void scale_each(const struct npu85_flow *f, u32 at, i64 *value, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		value[i] = npu85_scale_round(value[i] + f->each.bias[at + i], npu85_channel_scale(&f->channels, (at + i) % f->channels.depth));
}

static void scale_channels(struct npu85_flow *f)
{
	const struct npu85_flow_channels *const e = &f->each;
	u32 at = (u32)(f->done % e->period);
	i64 most = 0, least = 0;

	for (unsigned i = 0; i < f->n; i++) {
		most = f->value[i] > most ? f->value[i] : most;
		least = f->value[i] < least ? f->value[i] : least;
	}
	const i64 limit = e->limit - (i64)f->channels.max_bias;
	const bool exact = most <= limit && least >= -limit;
	for (unsigned i = 0, n; i < f->n; i += n, at = 0) {
		n = f->n - i < e->period - at ? f->n - i : e->period - at;
		if (exact)
			scale_run(e, at, f->value + i, n);
		else
			scale_each(f, at, f->value + i, n);
	}
}

/* Values of one scale that are small, and stay so, in 32 bits, and such of which no more than the low words count. False: nothing was done. */
static bool flush_small(struct npu85_flow *f, unsigned bytes)
{
	NPU_LINE i32 v[NPU_ROW];
	const i64 *const value = f->value;
	const unsigned n = f->n;
	u64 all = 0;

	if (f->op->per_channel || f->out.raw)
		return false;
	for (unsigned i = 0; !f->words && i < n; i++)
		all |= (u64)(value[i] ^ value[i] >> 63);
	if (all >= (u64)NPU_ROW_LIMIT || (!f->words && !npu85_stage_small(&f->scale, (i64)all + 1)))
		return false;
	for (unsigned i = 0; i < n; i++)
		v[i] = (i32)value[i];
	npu85_stage_run32(&f->scale, f->simd, v, n);
	if (f->words)
		memcpy(f->to, v, n * sizeof(*v));
	else
		npu85_row_store32(&f->out, v, n, f->to, bytes);
	return true;
}

static void flush_any(struct npu85_flow *f, unsigned bytes)
{
	if (f->op->per_channel)
		scale_channels(f);
	else if (!f->out.raw)
		npu85_stage_run(&f->scale, f->simd, f->value, f->n);
	npu85_row_store(&f->out, f->value, f->n, f->to, bytes);
}

void npu85_flow_flush(struct npu85_flow *f)
{
	const unsigned bytes = f->op->ofm.bytes;

	if (f->op->kind != NPU_RESIZE)
		accumulate(f);
	if (!flush_small(f, bytes))
		flush_any(f, bytes);
	f->to += (size_t)f->n * bytes;
	f->done += f->n;
	f->n = 0;
}

/* Sums of `bytes` bytes each, NULL: zeros. */
static void put_sums(struct npu85_flow *f, const u8 *sums, size_t count, unsigned bytes)
{
	for (size_t part; count; count -= part) {
		part = count < NPU_ROW ? count : NPU_ROW;
		if (!sums)
			memset(f->value, 0, part * sizeof(*f->value));
		else if (bytes == sizeof(i64))
			memcpy(f->value, sums, part * bytes);
		else
			f->simd->widen32(sums, part, f->value);
		sums += sums ? part * bytes : 0;
		f->n = (unsigned)part;
		npu85_flow_flush(f);
	}
}

/* Accumulators of 32 bits that go on from others and are kept. */
static void add_words(const i32 *restrict start, const i32 *restrict sums, size_t count, i32 *restrict to)
{
	for (size_t i = 0; i < count; i++)
		to[i] = (i32)((u32)sums[i] + (u32)start[i]);
}

static void add_onto32(const i32 *restrict start, i32 *restrict sums, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sums[i] = (i32)((u32)sums[i] + (u32)start[i]);
}

static void add_onto64(const i64 *restrict start, i64 *restrict sums, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sums[i] = npu85_add(sums[i], start[i]);
}

/* Those that wait are added to the others, so that both are scaled as accumulators that wait alone are, without going through 64 bits. */
static bool scale_waiting(struct npu85_job *j, u8 *sums, size_t count)
{
	const void *const start = j->start;

	if (j->op.u85.acc48)
		add_onto64(start, (void *)sums, count);
	else
		add_onto32(start, (void *)sums, count);
	j->start = sums;
	const bool done = npu85_scaled_sums(j) || npu85_flow_started(j, count);
	j->start = start;
	return done;
}

bool npu85_flow_sums(struct npu85_job *j, u8 *sums, size_t count, unsigned bytes)
{
	struct npu85_flow f;

	if (j->op.u85.acc_output_off && j->start && bytes == sizeof(i32)) {
		u8 *const to = npu85_job_packed(j);
		if (to)
			add_words(j->start, (const void *)sums, count, (void *)to);
		return to;
	}
	if (j->start && j->op.per_channel)
		return scale_waiting(j, sums, count);
	if (!npu85_flow_open(&f, j, true))
		return false;
	put_sums(&f, sums, count, bytes);
	return true;
}

bool npu85_flow_started(struct npu85_job *j, size_t count)
{
	struct npu85_flow f;

	if (!npu85_flow_open(&f, j, false))
		return false;
	put_sums(&f, j->start, count, j->op.u85.acc48 ? sizeof(i64) : sizeof(i32));
	return true;
}
