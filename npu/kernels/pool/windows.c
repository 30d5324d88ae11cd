/* SPDX-License-Identifier: Apache-2.0 */
/* Windows by channel group; see windows.h. */
#include "npu/kernels/pool/windows.h"

#include "npu/kernels/fm.h"
#include "npu/kernels/team.h"

u32 npu_windows_taps(u32 at, u32 stride, u32 taps, u32 dilation, i32 before, u32 size, u32 *first)
{
	const i64 start = (i64)at * stride - before;
	u32 k = 0, n = 0;

	while (start + (i64)k * dilation < 0)
		k++;
	while (k + n < taps && start + (i64)(k + n) * dilation < size)
		n++;
	*first = k;
	return n;
}

/* True when some window has nothing but padding on this axis. */
static bool empty_window(u32 outputs, u32 stride, u32 taps, u32 dilation, i32 before, u32 size)
{
	u32 first;

	for (u32 o = 0; o < outputs; o++)
		if (!npu_windows_taps(o, stride, taps, dilation, before, size, &first))
			return true;
	return false;
}

bool npu_windows_empty(const struct npu_op *op)
{
	return empty_window(op->ofm.height, op->stride_y, op->kernel_h, op->dilation_y, op->pad_top, op->up_height) ||
	       empty_window(op->ofm.width, op->stride_x, op->kernel_w, op->dilation_x, op->pad_left, op->up_width);
}

u64 npu_windows_reach(const struct npu_op *op, u64 taps, u64 max_bias)
{
	const struct npu_fm *fm = &op->ifm;
	const u64 most = UINT64_C(1) << (8 * fm->bytes - fm->is_signed), zero = (u64)(fm->zero_point < 0 ? -(i64)fm->zero_point : fm->zero_point);

	return taps * (most + zero) + max_bias;
}

static void window_tile(const struct npu_windows *w, struct npu_place *at, unsigned pixels, u32 group)
{
	const struct npu_op *op = w->op;
	NPU_LINE i32 acc[NPU_TILE * NPU_GROUP];
	struct npu_target target;
	u32 left = op->ofm.depth - group * NPU_GROUP;
	unsigned channels = left < NPU_GROUP ? left : NPU_GROUP;
	i64 offset = group * npu_fm_stride_group(&op->ifm);
	u32 y = at->y, x = at->x;

	for (unsigned p = 0; p < pixels; p++) {
		i32 *a = acc + p * NPU_GROUP;
		u32 count = w->simd->pool(&w->gather, y, x, offset, channels,
					  op->mode == NPU_POOL_MAX, a);
		w->finish(w, count, group, channels, a);
		if (++x == op->ofm.width) {
			x = 0;
			y++;
		}
	}
	npu_target_next(&target, op, w->view, at, pixels);
	npu_sink_store(&w->sink, acc, &target, group);
}

static void run_groups(const struct npu_windows *w, u32 first, u32 end)
{
	u64 pixels = (u64)w->op->ofm.height * w->op->ofm.width;

	for (u32 g = first; g < end; g++) {
		struct npu_place at = { 0, 0 };
		for (u64 left = pixels, n; left && !npu_given_up(w->view); left -= n) {
			n = left < NPU_TILE ? left : NPU_TILE;
			window_tile(w, &at, (unsigned)n, g);
		}
	}
}

/* Groups of channels that threads share. */
struct shared {
	const struct npu_windows *windows;
	u32 parts;
};

static void run_part(void *ctx, unsigned part, unsigned place)
{
	const struct shared *s = ctx;
	const u64 groups = s->windows->channels.groups;

	(void)place;
	run_groups(s->windows, (u32)(groups * part / s->parts), (u32)(groups * (part + 1) / s->parts));
}

void npu_windows_run(const struct npu_windows *w)
{
	const struct npu_op *op = w->op;
	const u64 taps = (u64)op->ofm.height * op->ofm.width * op->ofm.depth * op->kernel_h * op->kernel_w;
	struct shared s = { w, npu_team_parts(w->team, NPU_TEAM_ELEMENT * taps) };

	if (s.parts > w->channels.groups)
		s.parts = w->channels.groups;
	npu_team_run(w->team, s.parts, run_part, &s);
}
