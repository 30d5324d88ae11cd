/* SPDX-License-Identifier: Apache-2.0 */
/* U85 resize without blending; see resize.h. */
#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/rows.h"
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

static void copy_group(u8 *to, const u8 *from, size_t bytes)
{
	switch (bytes) { /* a few instructions each */
	case NPU_GROUP: memcpy(to, from, NPU_GROUP); return;
	case 2 * NPU_GROUP: memcpy(to, from, 2 * NPU_GROUP); return;
	default: memcpy(to, from, bytes); return;
	}
}

static void plain_row(const struct npu85_job *j, u32 from_y, u32 to_y, const struct npu85_between *columns, const u8 *table)
{
	const struct npu_fm *ifm = &j->op.ifm, *ofm = &j->op.ofm;
	const bool bricks = ifm->format != NPU_NHWC || ofm->format != NPU_NHWC;
	const u32 most = bricks ? NPU_GROUP : ofm->depth;

	for (u32 c = 0, n; c < ofm->depth; c += n) {
		const i64 in = c / NPU_GROUP * npu_fm_stride_group(ifm), out = c / NPU_GROUP * npu_fm_stride_group(ofm);
		n = ofm->depth - c < most ? ofm->depth - c : most;
		for (u32 x = 0; x < ofm->width; x++) {
			const u8 *from = npu_fm_pixel(ifm, j->view.ifm, from_y, columns[x].first) + in;
			u8 *to = (u8 *)npu_fm_pixel(ofm, (const u8 *const *)j->view.ofm, to_y, x) + out;
			if (table)
				j->k->simd->look_up(table, from, n, to);
			else
				copy_group(to, from, n * (size_t)ofm->bytes);
		}
	}
}

/* Whether a row of the OFM is as many bytes as its elements have. */
static bool dense_row(const struct npu_fm *ofm)
{
	return ofm->format == NPU_NHWC && !ofm->tiled && ofm->stride_x == (i64)ofm->depth * ofm->bytes;
}

static void nearest_rows(struct npu85_job *j, const struct npu85_between *columns, const u8 *table)
{
	const struct npu_op *op = &j->op;
	const struct npu85_op *u = &op->u85;
	const struct npu_fm *ofm = &op->ofm;
	const bool dense = dense_row(ofm);
	i64 before = -1;

	for (u32 y = 0; y < ofm->height && !npu_given_up(&j->view); y++) {
		const u32 from = npu85_between_of(y, u->resize_y.n, u->resize_y.d, u->resize_y.offset, op->ifm.height, op->mode).first;
		u8 *const to = (u8 *)npu_fm_pixel(ofm, (const u8 *const *)j->view.ofm, y, 0);
		if (dense && from == before)
			memcpy(to, to - ofm->stride_y, (size_t)ofm->width * ofm->depth * ofm->bytes);
		else
			plain_row(j, from, y, columns, table);
		before = from;
	}
}

bool npu85_resize_nearest(struct npu85_job *j, const struct npu85_between *columns)
{
	const struct npu_op *op = &j->op;
	const bool bytes = op->ifm.bytes == 1 && op->ofm.bytes == 1 && npu_table_pays(op);
	u8 table[256];

	if (op->mode == NPU_RESIZE_BILINEAR || op->per_channel || op->u85.acc_output_off || !(bytes || halves_stay(op)))
		return false;
	nearest_rows(j, columns, op->ifm.bytes == 2 || table_of(j, table) ? NULL : table);
	return true;
}
