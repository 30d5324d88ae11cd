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

static i64 pool_value(struct npu_exec *e, u32 y, u32 x, u32 c, const struct npu_channel_scale *s)
{
	const struct npu_op *op = e->op;

	if (op->mode == NPU_POOL_REDUCE_SUM) {
		struct window w = gather(e, y, x, 0, op->ifm.depth);
		return npu_scale_round(npu_accumulate(e, w.sum), s->scale);
	}
	struct window w = gather(e, y, x, c, c + 1);
	if (op->mode == NPU_POOL_MAX)
		return npu_scale_round(w.count ? w.max : INT32_MIN, s->scale);
	if (op->divide_by_count)
		return divide(w.sum, w.count);
	return npu_scale_round(npu_accumulate(e, w.sum + s->bias), s->scale);
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
