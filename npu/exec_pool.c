/* SPDX-License-Identifier: Apache-2.0 */
/* Max, average and reduce-sum pooling: generic path. */
#include <stdlib.h>

#include "npu/arith.h"
#include "npu/exec.h"

struct window {
	i64 sum, max;
	i64 count; /* valid elements: all but padding */
};

static struct window gather(struct npu_exec *e, u32 oy, u32 ox, u32 c_first, u32 c_end)
{
	const struct npu_op *op = e->op;
	struct window w = { .max = INT64_MIN };

	for (u32 ky = 0; ky < op->kernel_h && !npu_given_up(e->view); ky++)
		for (u32 kx = 0; kx < op->kernel_w; kx++) {
			u32 y, x;
			enum npu_tap tap = npu_tap_at(op, oy, ox, ky, kx, &y, &x);
			if (tap == NPU_TAP_PADDING)
				continue;
			w.count++;
			for (u32 c = c_first; c < c_end; c++) {
				i64 v = tap == NPU_TAP_DATA ? npu_load(&op->ifm, e->view->ifm, y, x, c) : 0;
				w.sum += v;
				w.max = v > w.max ? v : w.max;
			}
		}
	return w;
}

/* Nearest, ties away from zero, whatever the rounding mode says. */
static i64 divide(i64 sum, i64 count)
{
	if (count == 0)
		return 0;
	return sum >= 0 ? (sum + count / 2) / count : -((-sum + count / 2) / count);
}

/* The accumulator of one element; *count: valid elements of its window. */
static i64 accumulate(struct npu_exec *e, u32 y, u32 x, u32 c, const struct npu_channel_scale *s, i64 *count)
{
	const struct npu_op *op = e->op;
	const bool whole_depth = op->mode == NPU_POOL_REDUCE_SUM;
	const struct window w = gather(e, y, x, whole_depth ? 0 : c, whole_depth ? op->ifm.depth : c + 1);

	*count = w.count;
	if (op->mode == NPU_POOL_MAX)
		return w.count ? w.max : INT32_MIN;
	if (whole_depth)
		return npu_accumulate(e, w.sum);
	return op->divide_by_count ? w.sum : npu_accumulate(e, w.sum + s->bias);
}

static i64 pool_value(struct npu_exec *e, u32 y, u32 x, u32 c, const struct npu_channel_scale *s)
{
	const struct npu_op *op = e->op;
	i64 count;
	const i64 acc = accumulate(e, y, x, c, s, &count);

	return op->mode == NPU_POOL_AVERAGE && op->divide_by_count ? divide(acc, count) : npu_scale_round(acc, s->scale);
}

bool npu_exec_pool_accumulator(struct npu_exec *e, u32 y, u32 x, u32 c, i64 *out)
{
	enum npu_exec_status status = NPU_EXEC_OK;
	struct npu_channel_scale *scales = npu_channel_scales(e, &status);
	i64 count;

	if (scales)
		*out = accumulate(e, y, x, c, &scales[c], &count);
	free(scales);
	return scales != NULL;
}

enum npu_exec_status npu_exec_pool(struct npu_exec *e)
{
	const struct npu_fm *ofm = &e->op->ofm;
	enum npu_exec_status status = NPU_EXEC_OK;
	struct npu_channel_scale *scales = npu_channel_scales(e, &status);
	i32 *r = e->result;

	if (!scales)
		return status;
	for (u32 y = 0; y < ofm->height; y++)
		for (u32 x = 0; x < ofm->width && !npu_given_up(e->view); x++)
			for (u32 c = 0; c < ofm->depth; c++)
				*r++ = npu_output_value(e->op, e->view->lut,
							pool_value(e, y, x, c, &scales[c]));
	free(scales);
	return NPU_EXEC_OK;
}
