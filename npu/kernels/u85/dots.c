/* SPDX-License-Identifier: Apache-2.0 */
/* One pixel times the rows of IFM2, each result the sum of a row's products: nothing is packed where the level multiplies int16. */
#include "npu/integer.h"
#include "npu/kernels/conv/vector.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/u85/job.h"
#include "npu/kernels/u85/rows.h"

struct dots {
	struct npu85_job *job;
	struct npu_products8 types;
	struct npu85_stage scale;
	struct npu85_out out;
};

static bool is_pixel(const struct npu_fm *fm)
{
	return fm->bytes == 1 && npu_is_vector(fm);
}

static bool fits(const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	const bool padded = op->pad_top || op->pad_left || op->pad_bottom || op->pad_right;

	return !j->k->simd->gemm_u8 && op->kind == NPU_CONV && op->u85.weights_ifm2 && op->kernel_h == 1 && op->kernel_w == 1 && !padded && !op->upscale &&
	       !op->per_channel && op->u85.acc_input == NPU85_ACC_RESET && !op->u85.acc_output_off && is_pixel(&op->ifm) && is_pixel(&op->ofm) &&
	       op->ifm2.bytes == 1 && !op->ifm2.tiled && op->ifm.depth <= NPU_DOTS && npu_fm_magnitude(&op->ifm) <= UINT8_MAX && npu_fm_magnitude(&op->ifm2) <= UINT8_MAX;
}

/* n results from `first` on: of bricks each has a part of a row. */
static void sum_rows(const struct dots *d, u32 first, u32 n, i32 *v)
{
	const struct npu_simd *simd = d->job->k->simd;
	const struct npu_fm *const rows = &d->job->op.ifm2;
	const u8 *x = npu_fm_pixel(&d->job->op.ifm, d->job->view.ifm, 0, 0), *row = npu_fm_pixel(rows, d->job->view.ifm2, 0, first);
	const u32 part = rows->format == NPU_NHWC ? rows->depth : NPU_GROUP;
	i32 more[NPU_ROW];

	if (simd->dots8_bricks && part == NPU_GROUP && n >= 8 && rows->depth % NPU_GROUP == 0) {
		simd->dots8_bricks(&d->types, row, rows->stride_x, rows->stride_c, n, x, rows->depth, v);
		return;
	}
	for (u32 at = 0; at < rows->depth; at += part, x += part, row += rows->stride_c) {
		const u32 elements = min_u32(part, rows->depth - at);
		simd->dots8(&d->types, row, rows->stride_x, n, x, elements, at ? more : v);
		for (u32 i = 0; at && i < n; i++)
			v[i] += more[i];
	}
}

static void run(const struct dots *d)
{
	const struct npu_op *op = &d->job->op;
	const struct npu_view *view = &d->job->view;
	const struct npu_simd *simd = d->job->k->simd;
	u8 *const to = (u8 *)npu_fm_pixel(&op->ofm, (const u8 *const *)view->ofm, 0, 0);

	for (u32 done = 0, n; done < op->ofm.depth; done += n) {
		NPU_LINE i32 v[NPU_ROW];
		n = min_u32(op->ofm.depth - done, NPU_ROW);
		sum_rows(d, done, n, v);
		npu85_stage_run32(&d->scale, simd, v, n);
		npu85_row_store32(&d->out, v, n, to + done, 1);
	}
}

static bool run_again(struct npu_kernels *k, void *room)
{
	struct dots *d = room;

	(void)k;
	npu85_out_again(&d->out);
	run(d);
	return true;
}

bool npu85_fast_dots(struct npu85_job *j)
{
	if (!fits(j))
		return false;
	struct dots *const room = npu_again_room(j->k, sizeof(*room)), own, *const d = room ? room : &own;
	const struct npu_op *op = &j->op;

	d->job = j;
	d->types = (struct npu_products8){ op->ifm2.zero_point, op->ifm.zero_point, op->ifm2.is_signed, op->ifm.is_signed };
	npu85_stage_init(&d->scale, op->u85.ofm_scale);
	if (!npu85_stage_small(&d->scale, (i64)op->ifm.depth * UINT8_MAX * UINT8_MAX))
		return false;
	npu85_out_init(&d->out, j->k->simd, op, &j->view);
	run(d);
	npu_again_keep(j->k, room, run_again);
	return true;
}
