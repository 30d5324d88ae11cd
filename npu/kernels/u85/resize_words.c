/* SPDX-License-Identifier: Apache-2.0 */
/* U85's bilinear resizes of bytes and int16 in 32 bits: rows of the input are blended along x once, as long as rows of results, and these are made of
 * two of them; the sum is the same. See resize.h. */
#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/u85/resize.h"
#include "npu/kernels/u85/rows.h"

struct words {
	struct npu85_job *j;
	const struct npu85_between *columns;
	struct npu85_stage scale; /* of a result without its 16 bits of fraction */
	struct npu85_out out;
	size_t elements; /* of a row of results */
	bool apart;      /* rows of results do not lie one behind the other as they are made */
	u8 *to;          /* where value[0] goes */
	u8 *bytes, *row; /* a row of the input, and one of results, brought together */
	i32 *plain;      /* the former in 32 bits */
	i32 *line[2];    /* blended along x: rows of even and of odd number */
	i64 held[2];     /* which ones; -1: none */
	/* Of each element of a row, where pixels have so few channels that loops over them would be too short: what it lies between. */
	i32 *left, *right, *near, *far; /* NULL: pixel by pixel */
	unsigned n;
	NPU_LINE i32 value[NPU_ROW];
};

static void set_elements(struct words *w, i32 *room)
{
	const u32 depth = w->j->op.ifm.depth;

	w->left = room;
	w->right = room + w->elements;
	w->near = w->right + w->elements;
	w->far = w->near + w->elements;
	for (u32 x = 0, i = 0; x < w->j->op.ofm.width; x++) {
		const struct npu85_between *at = &w->columns[x];
		for (u32 c = 0; c < depth; c++, i++) {
			w->left[i] = (i32)(at->first * depth + c);
			w->right[i] = (i32)((at->rest ? at->second : at->first) * depth + c);
			w->near[i] = (i32)(at->n - at->rest);
			w->far[i] = (i32)at->rest;
		}
	}
}

/* Where the rows of results are made. False: memory is short. */
static bool find_rows(struct words *w)
{
	const struct npu_fm *ofm = &w->j->op.ofm;

	if (npu_fm_splits_rows(ofm) && !npu85_job_packed(w->j))
		return false;
	w->apart = ofm->tiled || !npu85_resize_is_row(ofm) || ofm->stride_y != (i64)w->elements * ofm->bytes;
	w->to = w->apart ? w->row : w->j->view.ofm[0];
	return true;
}

static bool open(struct words *w, struct npu85_job *j, const struct npu85_between *columns)
{
	const struct npu_op *op = &j->op;
	const size_t line = (size_t)op->ifm.width * op->ifm.depth, elements = (size_t)op->ofm.width * op->ifm.depth;
	const bool few = op->ifm.depth < NPU_GROUP / 2;
	i32 *const room = npu_scratch(&j->k->rows, (line + (few ? 6 : 2) * elements) * sizeof(i32) + line * op->ifm.bytes + elements * op->ofm.bytes);

	if (!room)
		return false;
	w->j = j;
	w->columns = columns;
	w->elements = elements;
	w->plain = room;
	w->line[0] = room + line;
	w->line[1] = w->line[0] + elements;
	w->left = NULL;
	if (few)
		set_elements(w, w->line[1] + elements);
	w->bytes = (u8 *)(w->line[1] + (few ? 5 : 1) * elements);
	w->row = w->bytes + line * op->ifm.bytes;
	w->held[0] = w->held[1] = -1;
	w->n = 0;
	npu85_out_init(&w->out, j->k->simd, op, &j->view);
	return find_rows(w);
}

/* What all may lie at the same place for the compiler: what loops look at is their own. */
static void blend_elements(const struct words *w, const i32 *plain, i32 *restrict to)
{
	const i32 *const left = w->left, *const right = w->right, *const near = w->near, *const far = w->far;
	const size_t n = w->elements;

	for (size_t i = 0; i < n; i++)
		to[i] = plain[left[i]] * near[i] + plain[right[i]] * far[i];
}

static void blend_pixels(const struct words *w, const i32 *plain, i32 *restrict to)
{
	const u32 depth = w->j->op.ifm.depth, width = w->j->op.ofm.width;

	for (u32 x = 0; x < width; x++, to += depth) {
		const struct npu85_between *at = &w->columns[x];
		const i32 *const left = plain + (size_t)at->first * depth, *const right = at->rest ? plain + (size_t)at->second * depth : left;
		const i32 near = (i32)(at->n - at->rest), far = (i32)at->rest;
		for (u32 c = 0; c < depth; c++)
			to[c] = left[c] * near + right[c] * far;
	}
}

static const i32 *line_of(struct words *w, u32 y)
{
	const struct npu_fm *ifm = &w->j->op.ifm;
	i32 *const line = w->line[y & 1];

	if (w->held[y & 1] == y)
		return line;
	w->held[y & 1] = y;
	npu_row_load32(ifm, npu85_resize_row(w->j, y, w->bytes), ifm->bytes, (size_t)ifm->width * ifm->depth, w->plain);
	(w->left ? blend_elements : blend_pixels)(w, w->plain, line);
	return line;
}

static void flush(struct words *w)
{
	const unsigned bytes = w->j->op.ofm.bytes;

	npu85_stage_run32(&w->scale, w->j->k->simd, w->value, w->n);
	npu85_row_store32(&w->out, w->value, w->n, w->to, bytes);
	w->to += w->n * (size_t)bytes;
	w->n = 0;
}

static void blend_row(struct words *w, const struct npu85_between *y)
{
	const i32 *const first = line_of(w, y->first), *const second = y->rest ? line_of(w, y->second) : first;
	const i32 near = (i32)(y->n - y->rest), far = (i32)y->rest;

	for (size_t e = 0, n; e < w->elements; e += n) {
		i32 *restrict const to = w->value + w->n;
		n = w->elements - e < NPU_ROW - w->n ? w->elements - e : NPU_ROW - w->n;
		for (size_t i = 0; i < n; i++)
			to[i] = first[e + i] * near + second[e + i] * far;
		w->n += (unsigned)n;
		if (w->n == NPU_ROW)
			flush(w);
	}
}

/* The row of results before once more, which `apart` lies where it was made. */
static void repeat_row(struct words *w)
{
	const size_t bytes = w->elements * w->j->op.ofm.bytes;

	flush(w);
	if (w->apart)
		return;
	memcpy(w->to, w->to - bytes, bytes);
	w->to += bytes;
}

bool npu85_resize_words(struct npu85_job *j, const struct npu85_between *columns)
{
	const struct npu_op *op = &j->op;
	const struct npu85_op *u = &op->u85;
	struct words w;

	if (op->mode != NPU_RESIZE_BILINEAR || op->ifm.bytes > 2 || op->per_channel || u->acc_output_off || npu_fm_splits_rows(&op->ifm) ||
	    !npu85_resize_scale(j, &w.scale) || !open(&w, j, columns))
		return false;
	struct npu85_between before = { 0 };
	for (u32 y = 0; y < op->ofm.height && !npu_given_up(&j->view); y++) {
		const struct npu85_between row = npu85_between_of(y, u->resize_y.n, u->resize_y.d, u->resize_y.offset, op->ifm.height, op->mode);
		if (y && npu85_resize_repeats(&row, &before))
			repeat_row(&w);
		else
			blend_row(&w, &row);
		before = row;
		if (!w.apart)
			continue;
		flush(&w);
		npu85_resize_put(j, y, w.row);
		w.to = w.row;
	}
	if (!w.apart)
		flush(&w);
	return true;
}
