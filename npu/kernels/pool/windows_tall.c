/* SPDX-License-Identifier: Apache-2.0 */
/* Maxima of bytes over many rows, one window for each column: the first step of a softmax over rows, as U85 has it. */
#include <string.h>

#include "npu/kernels/move/copy.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/rows/rows.h"
#include "npu/kernels/pool/windows.h"
#include "npu/kernels/pool/windows_lines.h"

#define LEAST_ROWS 16 /* windows of fewer are as fast otherwise */
#define AT_ONCE 64    /* rows */

/* Results that are made together: `pixels` of `channels` each, from the first one of them on. */
struct part {
	u32 x, pixels, first, channels;
	size_t pixel; /* bytes from one to the next in the map */
};

static bool is_tall(const struct npu_op *op)
{
	return op->mode == NPU_POOL_MAX && op->ifm.bytes == 1 && op->ofm.bytes <= 4 && op->ofm.height == 1 && op->ofm.width == op->ifm.width &&
	       op->kernel_h >= LEAST_ROWS && op->kernel_h <= op->ifm.height && op->dilation_y == 1 && !op->pad_top && op->kernel_w == 1 && op->stride_x == 1 &&
	       !op->pad_left && !op->upscale && !op->per_channel && op->ifm.depth == op->ofm.depth && !op->ifm.stacked && !op->ofm.stacked &&
	       !npu_fm_splits_rows(&op->ifm) && !npu_fm_splits_rows(&op->ofm);
}

/* The largest of each column's bytes, some rows at a time: what those before gave is one of the next ones. */
static void most_of(const struct npu_windows_lines *w, const struct part *p, size_t n, u8 *most)
{
	const struct npu_op *op = w->op;
	const i64 at = p->first / NPU_GROUP * npu_fm_stride_group(&op->ifm);
	const u8 *row[AT_ONCE + 1];
	u32 known = 0;

	for (u32 y = 0, rows; y < op->kernel_h; y += rows, known = 1) {
		rows = op->kernel_h - y < AT_ONCE ? op->kernel_h - y : AT_ONCE;
		row[0] = most;
		for (u32 i = 0; i < rows; i++)
			row[known + i] = npu_fm_pixel(&op->ifm, w->view->ifm, y + i, p->x) + at;
		w->simd->most_rows(op->ifm.is_signed, row, known + rows, n, most);
	}
}

static void put(const struct npu_windows_lines *w, const struct part *p, const u8 *results)
{
	const struct npu_fm *ofm = &w->op->ofm;
	const size_t bytes = ofm->bytes;
	u8 *const to = (u8 *)npu_fm_pixel(ofm, (const u8 *const *)w->view->ofm, 0, p->x);

	for (u32 c = 0, n; c < p->channels; c += n) { /* a group, or all of them where these lie side by side */
		n = npu_fm_stride_group(ofm) == (i64)(NPU_GROUP * bytes) || p->channels - c < NPU_GROUP ? p->channels - c : NPU_GROUP;
		npu_copy_runs(to + (p->first + c) / NPU_GROUP * npu_fm_stride_group(ofm), ofm->stride_x, results + c * bytes, (i64)(p->pixel * bytes),
			      p->pixels, n * bytes);
	}
}

static void run_part(const struct npu_windows_lines *w, const struct part *p)
{
	const size_t n = (p->pixels - 1) * p->pixel + p->channels;
	u8 most[NPU_ROW], results[NPU_ROW * 4];
	NPU_LINE i32 v[NPU_ROW];

	most_of(w, p, n, most);
	for (size_t i = 0; i < n; i++)
		v[i] = w->op->ifm.is_signed ? (i8)most[i] : most[i];
	for (size_t i = n; i % NPU_GROUP; i++)
		v[i] = 0;
	w->divide(w, w->op->kernel_h, v, n);
	w->finish(w, v, n, results, w->op->ofm.bytes);
	put(w, p, results);
}

bool npu_pool_tall(const struct npu_windows_lines *w)
{
	const struct npu_fm *ifm = &w->op->ifm;
	const bool bricks = ifm->format == NPU_NHCWB16;
	const u32 most = bricks ? NPU_GROUP : NPU_ROW;
	struct part p;

	if (!is_tall(w->op))
		return false;
	p.pixel = bricks ? NPU_GROUP : ifm->depth;
	const u32 together = ifm->stride_x == (i64)p.pixel && p.pixel <= NPU_ROW ? (u32)(NPU_ROW / p.pixel) : 1;
	for (p.first = 0; p.first < ifm->depth; p.first += p.channels) {
		p.channels = ifm->depth - p.first < most ? ifm->depth - p.first : most;
		for (p.x = 0; p.x < ifm->width && !npu_given_up(w->view); p.x += p.pixels) {
			p.pixels = ifm->width - p.x < together ? ifm->width - p.x : together;
			run_part(w, &p);
		}
	}
	return true;
}
