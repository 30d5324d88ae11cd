/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the depth, one pixel to one value; see reduce.h. */
#include "npu/kernels/elementwise/reduce.h"

#include "npu/arith.h"
#include "npu/kernels/elementwise/matrix.h"
#include "npu/kernels/fm.h"

/* False: one does not fit its accumulator. */
static bool sums_fit(const i64 *sum, u32 n, unsigned bits)
{
	const i64 limit = INT64_C(1) << (bits - 1);
	bool fit = true;

	for (u32 i = 0; i < n; i++)
		fit &= sum[i] < limit && sum[i] >= -limit;
	return fit;
}

static bool reduce(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	u64 pixels = (u64)op->ofm.height * op->ofm.width, at = pixels;
	const u8 *const *ofm = (const u8 *const *)view->ofm;
	struct npu_sink sink;

	if (op->ofm.depth != 1 || op->kernel_h != 1 || op->kernel_w != 1 || op->upscale ||
	    op->per_channel ||
	    op->pad_top || op->pad_left || op->pad_bottom || op->pad_right)
		return false;
	i64 *sum = npu_scratch(&k->rows, pixels * sizeof(*sum));
	if (!sum)
		return false;
	/* sums first: if one does not fit its accumulator, nothing has been stored yet */
	const u32 whole = npu_fm_splits_rows(&op->ifm) ? 1 : op->ofm.width;
	for (u32 y = op->ofm.height; y-- && !npu_given_up(view);)
		for (u32 x = op->ofm.width; x;) {
			x -= whole;
			at -= whole;
			npu_row_sums(k->simd, &op->ifm, npu_fm_pixel(&op->ifm, view->ifm, y * op->stride_y, x * op->stride_x),
				     op->ifm.stride_x * op->stride_x, whole, sum + at);
			if (!sums_fit(sum + at, whole, op->acc_bits))
				return false;
		}
	npu_sink_init(&sink, k, op, view, NULL);
	npu_row_scale64(k->simd, sum, pixels, op->ofm_scale);
	const u32 run = npu_fm_splits_rows(&op->ofm) ? 1 : op->ofm.width;
	for (u32 y = 0; y < op->ofm.height; y++)
		for (u32 x = 0; x < op->ofm.width; x += run, sum += run)
			npu_row_store64(&sink, sum, run, (u8 *)npu_fm_pixel(&op->ofm, ofm, y, x), op->ofm.stride_x);
	return true;
}

static void dots_init(struct npu_reduction *r, struct npu_kernels *k)
{
	const struct npu_op *op = r->op;
	const i64 reach = (i64)NPU_DOTS * 255 * 255;

	r->small = (op->output == NPU_OUT_CLAMP || op->output == NPU_OUT_RAW32) && npu_scale_round(reach, op->ofm_scale) < NPU_ROW_LIMIT &&
		   npu_scale_round(-reach, op->ofm_scale) > -NPU_ROW_LIMIT;
	npu_sink_init(&r->sink, k, op, r->view, NULL);
	r->fast = npu_rescale_values(&r->rescale, op->ofm_scale, (u64)reach) ? &r->rescale : NULL;
}

/* `whole` pixels of a row at a time, and stored together where rows join. */
void npu_reduction_dots(const struct npu_simd *simd, const struct npu_reduction *r, const struct npu_owed *p)
{
	const struct npu_fm *a = &p->op->ifm, *b = &p->op->ifm2, *ofm = &r->op->ofm;
	const struct npu_products8 types = { a->zero_point, b->zero_point, a->is_signed, b->is_signed };
	const u32 whole = ofm->width < NPU_ROW ? ofm->width : NPU_ROW;
	const bool joins = whole == ofm->width && ofm->stride_y == ofm->stride_x * (i64)whole;
	i32 v[NPU_ROW];
	u8 *to = NULL;
	u32 held = 0;

	for (u32 y = 0; y < ofm->height && !npu_given_up(r->view); y++)
		for (u32 x = 0, n; x < ofm->width; x += n) {
			n = ofm->width - x < whole ? ofm->width - x : whole;
			to = held ? to : (u8 *)npu_fm_pixel(ofm, (const u8 *const *)r->view->ofm, y, x);
			simd->dots8(&types, npu_fm_pixel(a, p->view->ifm, y, x), a->stride_x, n,
				    npu_fm_pixel(b, p->view->ifm2, b->height == 1 ? 0 : y, 0), a->depth, v + held);
			held += n;
			if (joins && y + 1 < ofm->height && held + whole <= NPU_ROW)
				continue;
			npu_row_scale32(simd, r->fast, v, held, r->op->ofm_scale);
			npu_row_store32(&r->sink, v, held, to, ofm->stride_x);
			held = 0;
		}
}

static bool reduce_again(struct npu_kernels *k, void *room)
{
	struct npu_reduction *r = room;
	const struct npu_owed *p = r->small ? npu_owed_of(k, &r->product, r->op, r->view) : NULL;

	if (p) {
		if (!npu_matrix_add(k, r, p))
			npu_reduction_dots(k->simd, r, p);
		return true;
	}
	npu_kernels_settle(k);
	return reduce(k, r->op, r->view);
}

bool npu_fast_reduce(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	if (!reduce(k, op, view))
		return false;
	struct npu_reduction *room = npu_again_room(k, sizeof(*room));
	if (!room)
		return true;
	*room = (struct npu_reduction){ .op = op, .view = view, .id = ++k->products };
	dots_init(room, k);
	npu_again_keep(k, room, reduce_again);
	k->again->minds_owed = true;
	k->again->sum = room;
	return true;
}
