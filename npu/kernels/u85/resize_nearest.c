/* SPDX-License-Identifier: Apache-2.0 */
/* U85 resize without blending; see resize.h. */
#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/rows/rows.h"
#include "npu/kernels/u85/fast.h"
#include "npu/kernels/u85/resize.h"
#include "npu/kernels/u85/rows.h"

/* What bytes that are not blended become; true: what they were. */
static bool table_of(const struct npu85_job *j, u8 table[256])
{
	struct npu85_stage scale;
	struct npu85_out out;
	i64 v[256];
	bool same = true;

	npu85_stage_init(&scale, j->op.u85.ofm_scale);
	npu85_out_init(&out, j->k->simd, &j->op, &j->view);
	for (unsigned b = 0; b < 256; b++)
		v[b] = npu85_mul(npu_byte_value(&j->op.ifm, b), 65536);
	npu85_stage_run(&scale, j->k->simd, v, 256);
	npu85_row_store(&out, v, 256, table, 1);
	for (unsigned b = 0; b < 256; b++)
		same &= table[b] == b;
	return same;
}

/* Whether int16 that are not blended stay what they are: the 16 bits of fraction are taken off again, and nothing is rounded or limited. */
static bool halves_stay(const struct npu_op *op)
{
	const struct npu85_op *u = &op->u85;
	const struct npu_fm *from = &op->ifm, *to = &op->ofm;

	return from->bytes == 2 && to->bytes == 2 && from->zero_point == to->zero_point && !u->table && npu_is_power(u->ofm_scale.scale) &&
	       npu_log2(u->ofm_scale.scale) + 16 == u->ofm_scale.shift &&
	       (u->clip_off || (from->is_signed && op->lo <= INT16_MIN && op->hi >= INT16_MAX));
}

/* What stays when the operation is done again. */
struct nearest {
	struct npu85_job *j;
	bool same;     /* elements stay what they are */
	u8 table[256]; /* else what bytes become */
	u32 at[];      /* columns of the IFM for those of the OFM, then rows */
};

#define EACH(n) \
	case n: \
		for (u32 x = 0; x < width; x++, to += to_stride) \
			memcpy(to, from + at[x] * from_stride, n); \
		return

/* Pieces of pixels. */
static void copy_pieces(u8 *to, i64 to_stride, const u8 *from, i64 from_stride, const u32 *at, u32 width, size_t bytes)
{
	switch (bytes) { /* a few instructions each */
	EACH(1); EACH(2); EACH(3); EACH(4); EACH(NPU_GROUP); EACH(2 * NPU_GROUP); EACH(4 * NPU_GROUP);
	default:
		for (u32 x = 0; x < width; x++, to += to_stride)
			memcpy(to, from + at[x] * from_stride, bytes);
	}
}
#undef EACH

/* Channels c .. c+n-1 of a row, which lies in one tile. */
static void piece_row(const struct nearest *s, u32 y, u32 c, u32 n)
{
	const struct npu_fm *ifm = &s->j->op.ifm, *ofm = &s->j->op.ofm;
	const struct npu_simd *simd = s->j->k->simd;
	const u32 *const rows = s->at + ofm->width;
	const i64 out = c / NPU_GROUP * npu_fm_stride_group(ofm);
	const size_t bytes = n * (size_t)ofm->bytes;
	const bool dense = ofm->stride_x == (i64)bytes; /* one piece after the other */
	const u8 *const from = npu_fm_pixel(ifm, s->j->view.ifm, rows[y], 0) + c / NPU_GROUP * npu_fm_stride_group(ifm);
	u8 *to = (u8 *)npu_fm_pixel(ofm, (const u8 *const *)s->j->view.ofm, y, 0) + out;

	if (dense && y && rows[y] == rows[y - 1]) {
		memcpy(to, npu_fm_pixel(ofm, (const u8 *const *)s->j->view.ofm, y - 1, 0) + out, ofm->width * bytes);
		return;
	}
	if (s->same || dense)
		copy_pieces(to, ofm->stride_x, from, ifm->stride_x, s->at, ofm->width, bytes);
	if (!s->same && dense)
		simd->look_up(s->table, to, ofm->width * bytes, to);
	for (u32 x = 0; !s->same && !dense && x < ofm->width; x++, to += ofm->stride_x)
		simd->look_up(s->table, from + s->at[x] * ifm->stride_x, n, to);
}

/* The same pixel by pixel. */
static void piece_pixels(const struct nearest *s, u32 y, u32 c, u32 n)
{
	const struct npu_fm *ifm = &s->j->op.ifm, *ofm = &s->j->op.ofm;
	const u32 group = c / NPU_GROUP;

	for (u32 x = 0; x < ofm->width; x++) {
		const u8 *from = npu_fm_pixel(ifm, s->j->view.ifm, s->at[ofm->width + y], s->at[x]) + group * npu_fm_stride_group(ifm);
		u8 *to = (u8 *)npu_fm_pixel(ofm, (const u8 *const *)s->j->view.ofm, y, x) + group * npu_fm_stride_group(ofm);
		if (s->same)
			memcpy(to, from, n * (size_t)ofm->bytes);
		else
			s->j->k->simd->look_up(s->table, from, n, to);
	}
}

static bool run(struct npu_kernels *k, void *room)
{
	const struct nearest *s = room;
	const struct npu_fm *ifm = &s->j->op.ifm, *ofm = &s->j->op.ofm;
	const u32 most = ifm->format != NPU_NHWC || ofm->format != NPU_NHWC ? NPU_GROUP : ofm->depth;
	const bool rows = !npu_fm_splits_rows(ifm) && !npu_fm_splits_rows(ofm);

	(void)k;
	for (u32 y = 0; y < ofm->height && !npu_given_up(&s->j->view); y++)
		for (u32 c = 0, n; c < ofm->depth; c += n) {
			n = ofm->depth - c < most ? ofm->depth - c : most;
			(rows ? piece_row : piece_pixels)(s, y, c, n);
		}
	return true;
}

/* Input rows or columns of `n` of the output. */
static void places(const struct npu_op *op, const struct npu_resize_axis *a, u32 n, u32 size, u32 *at)
{
	for (u32 i = 0; i < n; i++)
		at[i] = npu85_between_of(i, a->n, a->d, a->offset, size, op->mode).first;
}

bool npu85_resize_nearest(struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	const bool bytes = op->ifm.bytes == 1 && op->ofm.bytes == 1 && npu_table_pays(op);
	const size_t size = sizeof(struct nearest) + (op->ofm.width + op->ofm.height) * sizeof(u32);

	if (op->mode == NPU_RESIZE_BILINEAR || op->per_channel || op->u85.acc_output_off || !(bytes || halves_stay(op)))
		return false;
	struct nearest *const room = op->u85.table ? NULL : npu_again_room(j->k, size); /* tables may be other ones next time */
	struct nearest *const s = room ? room : npu_scratch(&j->k->lines, size);
	if (!s)
		return false;
	s->j = j;
	places(op, &op->u85.resize_x, op->ofm.width, op->ifm.width, s->at);
	places(op, &op->u85.resize_y, op->ofm.height, op->ifm.height, s->at + op->ofm.width);
	s->same = op->ifm.bytes == 2 || table_of(j, s->table);
	run(j->k, s);
	npu_again_keep(j->k, room, run);
	return true;
}
