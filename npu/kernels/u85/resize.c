/* SPDX-License-Identifier: Apache-2.0 */
/* U85 resize: positions per row and column, blending along the channels. */
#include <string.h>

#include "npu/kernels/copy.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/u85/flow.h"
#include "npu/kernels/u85/resize.h"

static u32 clamped(i64 at, u32 size)
{
	return (u32)npu_clamp(at, 0, (i64)size - 1);
}

struct npu85_between npu85_between_of(u32 out, i32 n, i32 d, i32 offset, u32 size, unsigned mode)
{
	struct npu85_position p = npu85_position_of(out, n, d, offset);

	if (mode == NPU_RESIZE_NEAREST)
		p.index += 2 * p.rest >= n;
	if (mode != NPU_RESIZE_BILINEAR)
		p.rest = 0;
	return (struct npu85_between){ clamped(p.index, size), clamped(p.index + 1, size), p.rest, n };
}

static void load(const struct npu85_job *j, u32 y, u32 x, u32 c, u32 n, i64 *v)
{
	const struct npu_fm *fm = &j->op.ifm;
	const u8 *p = npu_fm_pixel(fm, j->view.ifm, y, x);

	p += c / NPU_GROUP * npu_fm_stride_group(fm) + (i64)(c % NPU_GROUP) * fm->bytes;
	npu85_row_load(fm, p, fm->bytes, n, v);
}

/* The unit delivers its result with 16 bits of fraction. */
static void put(struct npu85_flow *f, i64 *v, u32 n)
{
	for (u32 i = 0; i < n; i++)
		v[i] = npu85_mul(v[i], 65536);
	npu85_flow_put_row(f, v, n);
}

/* to = v * (n - rest) + other * rest, wrapping */
static void blend(i64 *to, const i64 *v, const i64 *other, const struct npu85_between *b, size_t n)
{
	const i64 near = b->n - b->rest, far = b->rest;

	for (size_t i = 0; i < n; i++)
		to[i] = npu85_add(npu85_mul(v[i], near), npu85_mul(other[i], far));
}

/* All channels of a row's pixels. */
static void load_line(const struct npu85_job *j, u32 y, i64 *line)
{
	const struct npu_fm *ifm = &j->op.ifm;
	const u32 most = ifm->format == NPU_NHWC ? ifm->depth : NPU_GROUP;

	for (u32 x = 0; x < ifm->width; x++, line += ifm->depth)
		for (u32 c = 0, n; c < ifm->depth; c += n) {
			n = ifm->depth - c < most ? ifm->depth - c : most;
			load(j, y, x, c, n, line + c);
		}
}

/* Rows of the input are blended first, each output row's two once: the sum is the same. `lines`: room for two. */
static void bilinear_row(struct npu85_flow *f, const struct npu85_job *j, const struct npu85_between *y, const struct npu85_between *columns, i64 *lines)
{
	const u32 depth = j->op.ifm.depth;
	const size_t line = (size_t)j->op.ifm.width * depth;
	i64 *const below = lines + line;
	i64 v[NPU_ROW];

	load_line(j, y->first, lines);
	if (y->rest)
		load_line(j, y->second, below);
	blend(lines, lines, y->rest ? below : lines, y, line);
	for (u32 x = 0; x < j->op.ofm.width; x++) {
		const struct npu85_between *at = &columns[x];
		const i64 *left = lines + (size_t)at->first * depth, *right = at->rest ? lines + (size_t)at->second * depth : left;
		for (u32 c = 0, n; c < depth; c += n) {
			n = depth - c < NPU_ROW ? depth - c : NPU_ROW;
			blend(v, left + c, right + c, at, n);
			put(f, v, n);
		}
	}
}

/* ---- bilinear in 32 bits ---- */

/* Where the element of a result lies between two of a line: for pixels of few channels, whose loops would be too short. */
struct apart {
	u32 left, right;
	i32 near, far;
};

struct words {
	const struct npu85_job *j;
	const struct npu85_between *columns;
	struct npu85_stage scale; /* of a result without its 16 bits of fraction */
	struct npu85_out out;
	u8 *to;
	i32 *line[3];             /* rows of the input, of even and of odd number, and between them */
	struct apart *apart;      /* of each element of a row; NULL: pixel by pixel */
	i64 held[2];              /* which ones; -1: none */
	unsigned n;
	i32 value[NPU_ROW];
};

/* Without the fraction the shift is shorter, and the first of two roundings is so many bits lower. */
bool npu85_resize_scale(const struct npu85_job *j, struct npu85_stage *scale)
{
	const struct npu_op *op = &j->op;
	struct npu85_scale s = op->u85.ofm_scale;
	const i64 most = (i64)1 << 24;
	const i64 n = op->u85.resize_y.n * (i64)op->u85.resize_x.n, reach = (i64)npu_fm_magnitude(&op->ifm) * n;

	if (s.shift <= 16 || s.dbl > 14 || n > most || reach >= NPU_ROW_LIMIT)
		return false;
	s.shift = (u8)(s.shift - 16);
	s.dbl = (u8)(s.dbl + 16);
	npu85_stage_init(scale, s);
	return npu85_stage_small(scale, reach);
}

static struct apart apart_of(const struct npu85_between *at, u32 depth, u32 channel)
{
	const u32 second = at->rest ? at->second : at->first;

	return (struct apart){ at->first * depth + channel, second * depth + channel, (i32)(at->n - at->rest), (i32)at->rest };
}

static bool words_open(struct words *w, struct npu85_job *j, const struct npu85_between *columns)
{
	const struct npu_op *op = &j->op;
	const size_t line = (size_t)op->ifm.width * op->ifm.depth;

	if (op->ifm.bytes > 2 || op->per_channel || op->u85.acc_output_off || !npu85_resize_scale(j, &w->scale))
		return false;
	const size_t elements = op->ifm.depth < NPU_GROUP / 2 ? (size_t)op->ofm.width * op->ifm.depth : 0;
	w->line[0] = npu_scratch(&j->k->rows, 3 * line * sizeof(i32) + elements * sizeof(*w->apart));
	w->to = w->line[0] ? npu85_job_packed(j) : NULL;
	if (!w->to)
		return false;
	w->line[1] = w->line[0] + line;
	w->line[2] = w->line[1] + line;
	w->held[0] = w->held[1] = -1;
	w->j = j;
	w->columns = columns;
	w->n = 0;
	w->apart = elements ? (struct apart *)(w->line[2] + line) : NULL;
	for (size_t i = 0; i < elements; i++)
		w->apart[i] = apart_of(&columns[i / op->ifm.depth], op->ifm.depth, (u32)(i % op->ifm.depth));
	npu85_out_init(&w->out, j->k->simd, op, &j->view);
	return true;
}

/* A row whose pixels are runs of bytes; false: it is none. */
static bool load_runs(const struct npu85_job *j, u32 y, i32 *line)
{
	const struct npu_fm *ifm = &j->op.ifm;
	const u8 *p = npu_fm_pixel(ifm, j->view.ifm, y, 0);
	const size_t pixel = (size_t)ifm->depth * ifm->bytes;
	u8 packed[NPU_ROW * 2];

	if (ifm->tiled || ifm->depth >= NPU_GROUP)
		return false;
	if (ifm->stride_x == (i64)pixel || ifm->depth == 1) {
		npu_row_load32(ifm, p, ifm->depth == 1 ? ifm->stride_x : ifm->bytes, (size_t)ifm->width * ifm->depth, line);
		return true;
	}
	for (u32 x = 0, n; x < ifm->width; x += n, p += n * ifm->stride_x, line += n * ifm->depth) {
		n = ifm->width - x < NPU_ROW / ifm->depth ? ifm->width - x : NPU_ROW / ifm->depth;
		npu_copy_runs(packed, (i64)pixel, p, ifm->stride_x, n, pixel);
		npu_row_load32(ifm, packed, ifm->bytes, (size_t)n * ifm->depth, line);
	}
	return true;
}

static const i32 *words_line(struct words *w, u32 y)
{
	const struct npu_fm *ifm = &w->j->op.ifm;
	const u32 most = ifm->format == NPU_NHWC ? ifm->depth : NPU_GROUP;
	i32 *line = w->line[y & 1];

	if (w->held[y & 1] == y)
		return line;
	w->held[y & 1] = y;
	if (load_runs(w->j, y, line))
		return line;
	for (u32 x = 0; x < ifm->width; x++) {
		const u8 *p = npu_fm_pixel(ifm, w->j->view.ifm, y, x);
		for (u32 c = 0, n; c < ifm->depth; c += n, line += n) {
			n = ifm->depth - c < most ? ifm->depth - c : most;
			npu_row_load32(ifm, p + c / NPU_GROUP * npu_fm_stride_group(ifm) + (i64)(c % NPU_GROUP) * ifm->bytes, ifm->bytes, n, line);
		}
	}
	return w->line[y & 1];
}

static void words_flush(struct words *w)
{
	const unsigned bytes = w->j->op.ofm.bytes;

	npu85_stage_run32(&w->scale, w->j->k->simd, w->value, w->n);
	npu85_row_store32(&w->out, w->value, w->n, w->to, bytes);
	w->to += w->n * (size_t)bytes;
	w->n = 0;
}

static void words_blend(i32 *to, const i32 *v, const i32 *other, const struct npu85_between *b, size_t n)
{
	const i32 near = (i32)(b->n - b->rest), far = (i32)b->rest;

	for (size_t i = 0; i < n; i++)
		to[i] = v[i] * near + other[i] * far;
}

static void words_elements(struct words *w)
{
	const size_t elements = (size_t)w->j->op.ofm.width * w->j->op.ifm.depth;
	const i32 *const line = w->line[2];

	for (size_t e = 0, n; e < elements; e += n) {
		const struct apart *const at = w->apart + e;
		i32 *const to = w->value + w->n;
		n = elements - e < NPU_ROW - w->n ? elements - e : NPU_ROW - w->n;
		for (size_t i = 0; i < n; i++)
			to[i] = line[at[i].left] * at[i].near + line[at[i].right] * at[i].far;
		w->n += (unsigned)n;
		if (w->n == NPU_ROW)
			words_flush(w);
	}
}

static void words_row(struct words *w, const struct npu85_between *y)
{
	const u32 depth = w->j->op.ifm.depth;
	const i32 *first = words_line(w, y->first), *second = y->rest ? words_line(w, y->second) : first;

	words_blend(w->line[2], first, second, y, (size_t)w->j->op.ifm.width * depth);
	if (w->apart) {
		words_elements(w);
		return;
	}
	for (u32 x = 0; x < w->j->op.ofm.width; x++) {
		const struct npu85_between *at = &w->columns[x];
		const i32 *left = w->line[2] + (size_t)at->first * depth, *right = at->rest ? w->line[2] + (size_t)at->second * depth : left;
		for (u32 c = 0, n; c < depth; c += n) {
			n = depth - c < NPU_ROW - w->n ? depth - c : NPU_ROW - w->n;
			words_blend(w->value + w->n, left + c, right + c, at, n);
			w->n += n;
			if (w->n == NPU_ROW)
				words_flush(w);
		}
	}
}

static void words_run(struct words *w)
{
	const struct npu_op *op = &w->j->op;
	const struct npu85_op *u = &op->u85;

	for (u32 y = 0; y < op->ofm.height && !npu_given_up(&w->j->view); y++) {
		const struct npu85_between row = npu85_between_of(y, u->resize_y.n, u->resize_y.d, u->resize_y.offset, op->ifm.height, op->mode);
		words_row(w, &row);
	}
	words_flush(w);
}

/* ---- */

static void nearest_row(struct npu85_flow *f, const struct npu85_job *j, const struct npu85_between *y, const struct npu85_between *columns)
{
	const struct npu_fm *ifm = &j->op.ifm;
	const u32 most = ifm->format == NPU_NHWC ? NPU_ROW : NPU_GROUP;
	i64 v[NPU_ROW];

	for (u32 x = 0; x < j->op.ofm.width; x++)
		for (u32 c = 0, n; c < ifm->depth; c += n) {
			n = ifm->depth - c < most ? ifm->depth - c : most;
			load(j, y->first, columns[x].first, c, n, v);
			put(f, v, n);
		}
}

bool npu85_fast_resize(struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	const struct npu85_op *u = &op->u85;
	struct npu85_flow f;

	if (npu85_resize_nearest(j))
		return true;
	struct npu85_between *columns = npu_scratch(&j->k->lines, op->ofm.width * sizeof(*columns));
	if (!columns)
		return false;
	for (u32 x = 0; x < op->ofm.width; x++)
		columns[x] = npu85_between_of(x, u->resize_x.n, u->resize_x.d, u->resize_x.offset, op->ifm.width, op->mode);
	const bool bilinear = op->mode == NPU_RESIZE_BILINEAR;
	struct words w;
	if (npu85_resize_bytes(j, columns))
		return true;
	if (bilinear && words_open(&w, j, columns)) {
		words_run(&w);
		return true;
	}
	i64 *lines = bilinear ? npu_scratch(&j->k->rows, 2 * sizeof(*lines) * op->ifm.width * op->ifm.depth) : NULL;
	if ((bilinear && !lines) || !npu85_flow_open(&f, j, false))
		return false;
	for (u32 y = 0; y < op->ofm.height && !npu_given_up(&j->view); y++) {
		const struct npu85_between row = npu85_between_of(y, u->resize_y.n, u->resize_y.d, u->resize_y.offset, op->ifm.height, op->mode);
		if (bilinear)
			bilinear_row(&f, j, &row, columns, lines);
		else
			nearest_row(&f, j, &row, columns);
	}
	npu85_flow_flush(&f);
	return true;
}
