/* SPDX-License-Identifier: Apache-2.0 */
/* U85 pools: windows of 8/16-bit maps by rows or by channel group, as those of U55/U65; everything else in rows of 64 bits (pool_rows.c). */
#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/conv/gather.h"
#include "npu/kernels/u85/flow.h"
#include "npu/kernels/u85/pool.h"
#include "npu/kernels/pool/windows_way.h"

#define FEW 64 /* sums that are divided while constants are made for many */

/* npu85_average() of sums below 2^31: their products with the reciprocal stay in 64 bits. */
static void average_few(const struct npu_simd *simd, const struct npu_op *op, i32 *acc, size_t n, u32 count)
{
	const struct npu85_scale s = npu85_average_scale(op, count);
	const struct npu85_rounding r = npu85_rounding_of(s);
	i64 wide[FEW];

	for (size_t i = 0; i < n; i++)
		wide[i] = acc[i];
	simd->scale64(wide, n, s.scale, r.plus, r.minus, s.shift);
	for (size_t i = 0; i < n; i++)
		acc[i] = (i32)wide[i];
}

/* ---- groups of 16 channels in 32 bits ---- */

static void finish(const struct npu_windows *w, u32 count, u32 group, unsigned channels, i32 *acc)
{
	const struct npu_op *op = w->op;
	const i32 *bias = w->channels.start + group * NPU_GROUP;
	i32 zero = op->ifm.zero_point * (op->mode == NPU_POOL_MAX ? 1 : (i32)count);

	for (unsigned c = 0; c < channels; c++)
		acc[c] -= zero;
	if (op->mode == NPU_POOL_AVERAGE)
		average_few(w->simd, op, acc, channels, count);
	for (unsigned c = 0; c < channels; c++)
		acc[c] += bias[c];
}

static bool groups_fit(const struct npu85_job *j, struct npu_channels *c)
{
	const struct npu_op *op = &j->op;
	const u64 taps = (u64)op->kernel_h * op->kernel_w;
	const u64 reach = npu_windows_reach(op, taps, c->max_bias);

	npu_channels_limit(c, reach);
	return taps < 16384 && reach < (u64)NPU_ROW_LIMIT && !npu_windows_empty(op);
}

/* ---- rows of 32 bits ---- */

struct row_results {
	struct npu85_out out;
	struct npu85_stage result, average;
	u32 taps; /* that `average` is for */
};

static void average_row(const struct row_results *s, const struct npu85_stage *average, i32 *v, size_t n)
{
	NPU_LINE i32 rest[NPU_GROUP];
	const size_t whole = n / NPU_GROUP * NPU_GROUP;

	for (size_t i = 0, part; i < whole; i += part) {
		part = whole - i < NPU_ROW ? whole - i : NPU_ROW;
		npu85_stage_run32(average, s->out.simd, v + i, part);
	}
	if (whole < n) { /* what lies behind is no room */
		memcpy(rest, v + whole, (n - whole) * sizeof(*v));
		npu85_stage_run32(average, s->out.simd, rest, n - whole);
		memcpy(v + whole, rest, (n - whole) * sizeof(*v));
	}
}

static void divide_row(const struct npu_windows_lines *w, u32 count, i32 *v, size_t n)
{
	const struct row_results *s = w->ctx;
	const struct npu_op *op = w->op;
	const bool extreme = op->mode == NPU_POOL_MAX || op->mode == NPU_POOL_MIN;
	const i32 less = op->ifm.zero_point * (extreme ? 1 : (i32)count);
	struct npu85_stage other; /* at the edges */

	for (size_t i = 0; less && i < n; i++)
		v[i] -= less;
	if (op->mode != NPU_POOL_AVERAGE)
		return;
	if (count == s->taps) {
		average_row(s, &s->average, v, n);
	} else if (n <= FEW) {
		average_few(s->out.simd, op, v, n, count);
	} else {
		npu85_stage_init(&other, npu85_average_scale(op, count));
		average_row(s, &other, v, n);
	}
}

static void finish_row(const struct npu_windows_lines *w, i32 *v, size_t n, u8 *to, i64 stride)
{
	const struct row_results *s = w->ctx;

	npu85_stage_run32(&s->result, s->out.simd, v, n);
	npu85_row_store32(&s->out, v, n, to, stride);
}

/* Sums from 2^30 on are scaled in 64 bits. */
static void stage_init(struct npu85_stage *s, struct npu85_scale scale, u64 reach)
{
	npu85_stage_init(s, scale);
	s->fast = s->fast && reach < (u64)NPU_ROW_LIMIT;
}

/* An operation, and what stays of it for the next time. */
struct pool {
	struct npu_windows w;
	struct row_results results;
	struct npu_windows_way way;
};

/* By `run`: npu_pool_lines(), npu_pool_whole() or npu_pool_tall(). */
static bool run_rows(struct npu85_job *j, struct pool *p, bool (*run)(const struct npu_windows_lines *))
{
	const struct npu_op *op = &j->op;
	const bool extreme = op->mode == NPU_POOL_MAX || op->mode == NPU_POOL_MIN, mode = extreme || op->mode == NPU_POOL_AVERAGE || op->mode == NPU_POOL_SUM;
	const u64 taps = (u64)op->kernel_h * op->kernel_w, magnitude = npu_fm_magnitude(&op->ifm);
	const u64 sums = extreme ? magnitude : taps * magnitude, reach = op->mode == NPU_POOL_AVERAGE ? magnitude + 1 : sums;
	struct row_results *const s = &p->results;

	p->way.rows = (struct npu_windows_lines){ .op = op, .view = &j->view, .simd = j->k->simd, .team = j->k->team, .divide = divide_row, .finish = finish_row, .ctx = s };
	stage_init(&s->result, op->u85.ofm_scale, reach);
	if (!mode || op->ifm.stacked || j->start || op->u85.acc_output_off || taps >= 65536 || sums > INT32_MAX || !npu85_stage_fits(&s->result, (i64)reach))
		return false;
	npu85_out_init(&s->out, j->k->simd, op, &j->view);
	s->taps = (u32)taps;
	stage_init(&s->average, npu85_average_scale(op, s->taps), sums);
	return npu_windows_way_rows(&p->way, run);
}

static bool run_bytes(struct npu85_job *j, struct pool *p)
{
	return npu_windows_bytes(&p->w, j->k, &p->way.bytes);
}

/* Each channel has a scale of its own. False: it is another operation. */
static bool run_channels(const struct npu_windows *w)
{
	const struct npu_op *op = w->op;
	struct row_results s;
	const struct npu_windows_lines l = { .op = op, .view = w->view, .simd = w->simd, .team = w->team, .divide = divide_row, .sink = &w->sink,
					     .bias = w->channels.start, .ctx = &s };

	s.out.simd = w->simd;
	s.taps = op->kernel_h * op->kernel_w;
	npu85_stage_init(&s.average, npu85_average_scale(op, s.taps));
	return op->per_channel && npu_pool_lines(&l);
}

static bool run_groups(struct npu85_job *j, struct pool *p)
{
	const struct npu_op *op = &j->op;
	struct npu_windows *const w = &p->w;
	bool mode = op->mode == NPU_POOL_MAX || op->mode == NPU_POOL_AVERAGE || op->mode == NPU_POOL_SUM;

	if (!mode || op->ifm.bytes > 2 || op->ofm.bytes > 4 || op->ifm.stacked || op->upscale == NPU_UPSCALE_ZEROS ||
	    j->start || op->u85.acc_output_off ||
	    !npu_channels_read(j->k, op, &j->view, NULL, &w->channels) || !groups_fit(j, &w->channels))
		return false;
	w->op = op;
	w->view = &j->view;
	w->simd = j->k->simd;
	w->team = j->k->team;
	w->finish = finish;
	npu_gather_init(&w->gather, op, &j->view);
	npu_sink_init(&w->sink, j->k, op, &j->view, &w->channels);
	if (npu_pool_lines_first(op, j->k->simd) ? run_rows(j, p, npu_pool_lines) || run_bytes(j, p) : run_bytes(j, p) || run_rows(j, p, npu_pool_lines))
		return true;
	if (run_channels(w))
		return true;
	if (op->ofm.depth < NPU85_FEW_CHANNELS)
		return false;
	npu_windows_run(w);
	return true;
}

static bool run_again(struct npu_kernels *k, void *room)
{
	const struct pool *const p = room;

	if (k->team != p->way.rows.team)
		return false;
	npu_windows_way_again(&p->way);
	return true;
}

/* Maps stay where they are, and no table changes results that were worked out beforehand. */
static bool lasts(const struct npu85_job *j, const struct pool *p)
{
	return !j->op.u85.table && !j->op.u85.ifm_chained && !j->kept && !j->through && (p->way.run || p->way.bytes);
}

/* False: nothing has been written. */
static bool run_windows(struct npu85_job *j)
{
	struct pool *const room = npu_again_room(j->k, sizeof(*room)), own, *const p = room ? room : &own; /* its tables are set where they are used */

	npu_windows_way_begin(&p->way);
	if (!run_rows(j, p, npu_pool_whole) && !run_rows(j, p, npu_pool_tall) && !run_groups(j, p) && !run_rows(j, p, npu_pool_lines))
		return false;
	if (lasts(j, p))
		npu_again_keep(j->k, room, run_again);
	return true;
}

/* ---- */

static bool is_single(const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	bool mode = op->mode == NPU_POOL_MAX || op->mode == NPU_POOL_MIN || op->mode == NPU_POOL_SUM;

	return mode && op->kernel_h == 1 && op->kernel_w == 1 && !op->upscale && !op->pad_top && !op->pad_left &&
	       !op->pad_bottom && !op->pad_right && !op->per_channel && !j->start && !op->u85.acc_output_off &&
	       (!op->ifm.tiled || (op->stride_y == 1 && op->stride_x == 1));
}

/* A sum over a depth of one is the element. */
static void simplify(struct npu_op *op)
{
	if (op->mode == NPU_POOL_REDUCE_SUM && op->ifm.depth == 1 && op->ofm.depth == 1)
		op->mode = NPU_POOL_SUM;
}

bool npu85_fast_pool(struct npu85_job *j)
{
	simplify(&j->op);
	if (is_single(j))
		return npu85_fast_single(j);
	if (npu85_pool_is_row(j) || npu85_pool_has_places(j) || j->op.mode == NPU_POOL_REDUCE_SUM)
		return npu85_pool_rows(j);
	return run_windows(j) || npu85_pool_rows(j);
}
