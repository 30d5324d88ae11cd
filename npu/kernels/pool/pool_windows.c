/* SPDX-License-Identifier: Apache-2.0 */
/* Pools with windows of U55 and U65: by rows, or by channel group. */
#include "npu/arith.h"
#include "npu/exec.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/conv/gather.h"
#include "npu/kernels/rows/rows.h"
#include "npu/kernels/rows/tabled.h"
#include "npu/kernels/pool/windows_way.h"

#define SINGLE (INT64_C(1) << 22) /* sums below it are halves apart in single precision */

/* Sums less `less` by `count`: nearest, ties away from zero. Half a unit more than the quotient's numerator is further from the next integer than
 * its product with the reciprocal is off. */
#define AVERAGE(T, COPY_SIGN) do { \
	const T by = 1 / (T)count, more = (T)(count / 2) + (T)0.5; \
	for (size_t i = 0; i < n; i++) { \
		const T from = (T)(v[i] - less); \
		v[i] = (i32)((from + COPY_SIGN(more, from)) * by); \
	} } while (0)

static void average(i32 *v, size_t n, i32 less, i32 count)
{
	if ((less < 0 ? -(i64)less : less) + (i64)count * (UINT16_MAX + 1) < SINGLE)
		AVERAGE(float, __builtin_copysignf);
	else
		AVERAGE(double, __builtin_copysign);
}

static void finish(const struct npu_windows *w, u32 count, u32 group, unsigned channels, i32 *acc)
{
	const struct npu_op *op = w->op;
	i32 zero = op->ifm.zero_point, n = (i32)count;

	if (op->mode == NPU_POOL_MAX) {
		/* a window of padding only: below everything */
		for (unsigned c = 0; c < channels; c++)
			acc[c] = n ? acc[c] - zero : -(1 << 29);
	} else if (op->divide_by_count) {
		if (n)
			average(acc, channels, n * zero, n);
	} else {
		const i32 *start = w->channels.start + group * NPU_GROUP;
		for (unsigned c = 0; c < channels; c++)
			acc[c] += start[c] - n * zero;
	}
}

enum { MOST_TAPS = 65536 }; /* of a window, so that a tile of them takes milliseconds */

static u64 taps_of(const struct npu_op *op)
{
	return (u64)op->kernel_h * op->kernel_w;
}

/* Rows: sums must stay below 2^31; a maximum of nothing only where the clamp makes an end of it. */
static bool rows_fit(const struct npu_op *op)
{
	const bool identical = op->ofm_scale.scale == 1 && op->ofm_scale.shift == 0;

	if (op->mode == NPU_POOL_MAX)
		return taps_of(op) < MOST_TAPS && identical && op->ofm.bytes < 4 && op->output <= NPU_OUT_LUT16;
	return taps_of(op) < MOST_TAPS && npu_windows_reach(op, taps_of(op), 0) <= INT32_MAX;
}

/* Groups of channels: sums must stay below 2^30. */
static bool groups_fit(const struct npu_op *op, struct npu_channels *c)
{
	const u64 reach = npu_windows_reach(op, taps_of(op), c->max_bias);

	if (!rows_fit(op) || (op->mode != NPU_POOL_MAX && reach >= (u64)NPU_ROW_LIMIT))
		return false;
	if (op->mode != NPU_POOL_MAX)
		npu_channels_limit(c, reach);
	return true;
}

/* What becomes of sums and maxima that come row by row. */
struct row_results {
	const struct npu_sink *sink;
	struct npu_rescale rescale;
	const struct npu_rescale *fast;
	bool above; /* it is a scale of 32 bits */
};

static void divide_row(const struct npu_windows_lines *w, u32 count, i32 *v, size_t n)
{
	const struct npu_op *op = w->op;
	const i32 zero = op->ifm.zero_point, less = op->mode == NPU_POOL_MAX ? zero : (i32)count * zero;

	if (op->mode != NPU_POOL_MAX && op->divide_by_count)
		average(v, n, less, (i32)count);
	else
		for (size_t i = 0; less && i < n; i++)
			v[i] -= less;
}

static void finish_row(const struct npu_windows_lines *w, i32 *v, size_t n, u8 *to, i64 stride)
{
	const struct row_results *s = w->ctx;

	if (s->above)
		s->sink->simd->rescale_above(v, (n + NPU_GROUP - 1) / NPU_GROUP, &s->rescale);
	else if (!s->sink->unscaled)
		npu_row_scale32(s->sink->simd, s->fast, v, n, w->op->ofm_scale);
	npu_row_store32(s->sink, v, n, to, stride);
}

/* An operation, and what stays of it for the next time. */
struct pool {
	struct npu_windows w;
	struct row_results results;
	struct npu_windows_way way;
};

/* By `run`: npu_pool_lines(), npu_pool_whole() or npu_pool_tall(). False: it is another operation, or its results may exceed 31 bits; nothing has been written. */
static bool run_rows(struct pool *p, bool (*run)(const struct npu_windows_lines *))
{
	const struct npu_windows *const w = &p->w;
	const struct npu_op *op = w->op;
	const i64 reach = (i64)taps_of(op) * (i64)npu_fm_magnitude(&op->ifm);
	const bool small = reach < NPU_ROW_LIMIT; /* others are scaled in 64 bits */
	struct row_results *const s = &p->results;

	p->way.rows = (struct npu_windows_lines){ .op = op, .view = w->view, .simd = w->simd, .team = w->team, .divide = divide_row, .finish = finish_row, .ctx = s };
	if (!w->sink.unscaled && (npu_scale_round(reach, op->ofm_scale) >= NPU_ROW_LIMIT || npu_scale_round(-reach, op->ofm_scale) <= -NPU_ROW_LIMIT))
		return false;
	s->sink = &w->sink;
	s->above = small && !w->sink.unscaled && w->simd->rescale_above && npu_rescale_above(&s->rescale, op->ofm_scale);
	s->fast = small && !s->above && npu_rescale_values(&s->rescale, op->ofm_scale, (u64)reach) ? &s->rescale : NULL;
	return npu_windows_way_rows(&p->way, run);
}

static bool run_bytes(struct pool *p, struct npu_kernels *k)
{
	return npu_windows_bytes(&p->w, k, &p->way.bytes);
}

/* Each channel has a scale of its own. False: it is another operation. */
static bool run_channels(const struct npu_windows *w)
{
	const struct npu_op *op = w->op;
	const bool starts = op->mode != NPU_POOL_MAX && !op->divide_by_count;
	const struct npu_windows_lines l = { .op = op, .view = w->view, .simd = w->simd, .team = w->team, .divide = divide_row, .sink = &w->sink,
					     .bias = starts ? w->channels.start : NULL };

	return op->per_channel && npu_pool_lines(&l);
}

/* Results that were worked out from a table beforehand are other ones when it has changed. */
static bool run_again(struct npu_kernels *k, void *room)
{
	struct pool *const p = room;
	const bool same = npu_sink_again(&p->w.sink);

	if (k->team != p->w.team || (p->way.bytes && !same))
		return false;
	npu_windows_way_again(&p->way);
	return true;
}

/* Whether the next time may look like this one: npu_sink_again() notices other tables, or they are looked at each time. */
static bool lasts(const struct pool *p, const struct npu_kernels *k)
{
	const struct npu_sink *s = &p->w.sink;
	const bool seen = !npu_is_tabled(s->op) || (s->narrow_valid && s->narrow.table);

	return npu_sink_lasts(s, k) && (p->way.run || (p->way.bytes && seen));
}

static bool run_pool(struct npu_kernels *k, struct pool *p)
{
	const struct npu_op *op = p->w.op;
	const bool rows = rows_fit(op);

	if (rows && (run_rows(p, npu_pool_whole) || run_rows(p, npu_pool_tall)))
		return true;
	if (!npu_channels_read(k, op, p->w.view, NULL, &p->w.channels))
		return false;
	if (!groups_fit(op, &p->w.channels))
		return rows && run_rows(p, npu_pool_lines);
	npu_gather_init(&p->w.gather, op, p->w.view);
	p->w.sink.channels = &p->w.channels;
	if (!(npu_pool_lines_first(op, k->simd) ? run_rows(p, npu_pool_lines) || run_bytes(p, k) : run_bytes(p, k) || run_rows(p, npu_pool_lines)) && !run_channels(&p->w))
		npu_windows_run(&p->w);
	return true;
}

bool npu_fast_windows(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct pool *const room = npu_again_room(k, sizeof(*room)), own, *const p = room ? room : &own; /* its tables are set where they are used */

	if (op->upscale == NPU_UPSCALE_ZEROS || op->ifm.bytes > 2)
		return false;
	p->w.op = op;
	p->w.view = view;
	p->w.simd = k->simd;
	p->w.team = k->team;
	p->w.finish = finish;
	npu_windows_way_begin(&p->way);
	npu_sink_init(&p->w.sink, k, op, view, NULL);
	p->w.sink.unscaled = op->mode == NPU_POOL_MAX || op->divide_by_count;
	if (!run_pool(k, p))
		return false;
	if (lasts(p, k))
		npu_again_keep(k, room, run_again);
	return true;
}
