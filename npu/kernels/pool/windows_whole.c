/* SPDX-License-Identifier: Apache-2.0 */
/* The only window of each channel; see windows_lines.h. */
#include "npu/kernels/fm.h"
#include "npu/kernels/conv/gather.h"
#include "npu/kernels/rows/rows.h"
#include "npu/kernels/team.h"
#include "npu/kernels/pool/windows.h"
#include "npu/kernels/pool/windows_lines.h"

/* Results of all channels lie side by side. Few channels of windows with rows have longer loops by lines. */
static bool is_whole(const struct npu_op *op)
{
	return (op->kernel_h == 1 || op->ofm.depth >= NPU_GROUP / 2) && op->ofm.height == 1 && op->ofm.width == 1 && op->ifm.depth == op->ofm.depth && op->ifm.bytes <= 2 && op->ofm.bytes <= 4 && !op->per_channel &&
	       !op->upscale && op->mode != NPU_POOL_MIN && npu_fm_stride_group(&op->ofm) == (i64)NPU_GROUP * op->ofm.bytes && !npu_windows_empty(op);
}

bool npu_pool_whole(const struct npu_windows_lines *w)
{
	const struct npu_op *op = w->op;
	const i64 group = npu_fm_stride_group(&op->ifm);
	u8 *to = (u8 *)npu_fm_pixel(&op->ofm, (const u8 *const *)w->view->ofm, 0, 0);
	struct npu_gather g;

	if (!is_whole(op) || npu_team_parts(w->team, NPU_TEAM_ELEMENT * (u64)op->ofm.depth * op->kernel_h * op->kernel_w) > 1)
		return false;
	npu_gather_init(&g, op, w->view);
	for (u32 c = 0, n; c < op->ofm.depth && !npu_given_up(w->view); c += n, to += n * op->ofm.bytes) {
		NPU_LINE i32 v[NPU_ROW];
		u32 count = 0;
		n = op->ofm.depth - c < NPU_ROW ? op->ofm.depth - c : NPU_ROW;
		for (u32 i = 0; i < n; i += NPU_GROUP)
			count = w->simd->pool(&g, 0, 0, (c + i) / NPU_GROUP * group, n - i < NPU_GROUP ? n - i : NPU_GROUP, op->mode == NPU_POOL_MAX, v + i);
		w->divide(w, count, v, n);
		w->finish(w, v, n, to, op->ofm.bytes);
	}
	return true;
}
