/* SPDX-License-Identifier: Apache-2.0 */
/* U85 resize: positions per row and column, blending along the channels. */
#include <string.h>

#include "npu/kernels/move/copy.h"
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
	const u32 first = clamped(p.index, size), second = clamped(p.index + 1, size);
	return (struct npu85_between){ first, second, first == second ? 0 : p.rest, n };
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

/* ---- what the parts share ---- */

bool npu85_resize_repeats(const struct npu85_between *y, const struct npu85_between *before)
{
	return y->first == before->first && y->rest == before->rest;
}

/* Without the fraction the shift is shorter, and the first of two roundings is so many bits lower. */
bool npu85_resize_scale(const struct npu85_job *j, struct npu85_stage *scale)
{
	const struct npu_op *op = &j->op;
	struct npu85_scale s = op->u85.ofm_scale;
	const i64 most = (i64)1 << 24;
	const i64 n = op->u85.resize_y.n * (i64)op->u85.resize_x.n, reach = (i64)npu_fm_magnitude(&op->ifm) * n;

	if (s.shift < 16 || s.dbl > 14 || n > most || reach >= NPU_ROW_LIMIT)
		return false;
	s.shift = (u8)(s.shift - 16);
	s.dbl = (u8)(s.dbl + 16);
	npu85_stage_init(scale, s);
	return npu85_stage_small(scale, reach);
}

const u8 *npu85_resize_row(const struct npu85_job *j, u32 y, u8 *room)
{
	const struct npu_fm *ifm = &j->op.ifm;
	const u8 *from = npu_fm_pixel(ifm, j->view.ifm, y, 0);
	const size_t pixel = (size_t)ifm->depth * ifm->bytes, group = NPU_GROUP * (size_t)ifm->bytes;

	if (ifm->stride_x == (i64)pixel && (ifm->format == NPU_NHWC || ifm->depth <= NPU_GROUP))
		return from;
	for (size_t at = 0, bytes; at < pixel; at += bytes, from += npu_fm_stride_group(ifm)) {
		bytes = pixel - at < group ? pixel - at : group;
		npu_copy_runs(room + at, (i64)pixel, from, ifm->stride_x, ifm->width, bytes);
	}
	return room;
}

bool npu85_resize_is_row(const struct npu_fm *ofm)
{
	return ofm->format == NPU_NHWC && ofm->stride_x == (i64)ofm->depth * ofm->bytes;
}

void npu85_resize_put(const struct npu85_job *j, u32 y, const u8 *row)
{
	const struct npu_fm *ofm = &j->op.ofm;
	u8 *to = (u8 *)npu_fm_pixel(ofm, (const u8 *const *)j->view.ofm, y, 0);
	const size_t pixel = (size_t)ofm->depth * ofm->bytes, group = NPU_GROUP * (size_t)ofm->bytes;

	if (npu85_resize_is_row(ofm)) {
		memcpy(to, row, ofm->width * pixel);
		return;
	}
	for (size_t at = 0, bytes; at < pixel; at += bytes, to += npu_fm_stride_group(ofm)) {
		bytes = pixel - at < group ? pixel - at : group;
		npu_copy_runs(to, ofm->stride_x, row + at, (i64)pixel, ofm->width, bytes);
	}
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

/* The row of results before once more; those that wait are stored. */
static void repeat_row(struct npu85_flow *f)
{
	const size_t n = (size_t)f->op->ofm.width * f->op->ofm.depth, bytes = n * f->op->ofm.bytes;

	npu85_flow_flush(f);
	memcpy(f->to, f->to - bytes, bytes);
	f->to += bytes;
	f->done += n;
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
	if (npu85_resize_bytes(j, columns) || npu85_resize_words(j, columns))
		return true;
	i64 *lines = bilinear ? npu_scratch(&j->k->rows, 2 * sizeof(*lines) * op->ifm.width * op->ifm.depth) : NULL;
	if ((bilinear && !lines) || !npu85_flow_open(&f, j, false))
		return false;
	struct npu85_between before = { 0 };
	for (u32 y = 0; y < op->ofm.height && !npu_given_up(&j->view); y++) {
		const struct npu85_between row = npu85_between_of(y, u->resize_y.n, u->resize_y.d, u->resize_y.offset, op->ifm.height, op->mode);
		if (y && npu85_resize_repeats(&row, &before))
			repeat_row(&f);
		else if (bilinear)
			bilinear_row(&f, j, &row, columns, lines);
		else
			nearest_row(&f, j, &row, columns);
		before = row;
	}
	npu85_flow_flush(&f);
	return true;
}
