/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a pool by groups of 16 channels: what U55/U65 and U85 share. */
#ifndef NPU_KERNELS_WINDOWS_H
#define NPU_KERNELS_WINDOWS_H

#include "npu/kernels/conv/sink.h"

struct npu_windows {
	const struct npu_op *op;
	const struct npu_view *view;
	const struct npu_simd *simd;
	struct npu_team *team; /* shares large ones; NULL: nobody does */
	struct npu_channels channels;
	struct npu_gather gather;
	struct npu_sink sink;
	/* Accumulators of one window, before scaling, out of the sums or maxima of the `count`
	 * stored elements under it; in place. */
	void (*finish)(const struct npu_windows *w, u32 count, u32 group, unsigned channels, i32 *acc);
};

/* Taps of output `at` of an axis that lie inside the input, from *first on. */
u32 npu_windows_taps(u32 at, u32 stride, u32 taps, u32 dilation, i32 before, u32 size, u32 *first);

/* True when some window lies in the padding alone, on one axis. */
bool npu_windows_empty(const struct npu_op *op);

/* What sums of so many elements, as they are stored, and what becomes of them before scaling do not exceed. */
u64 npu_windows_reach(const struct npu_op *op, u64 taps, u64 max_bias);

/* All of the operation's windows into its OFM. Small ones of bytes (windows_bytes.h), and such as have one scale (windows_lines.h), take less time
 * otherwise. */
void npu_windows_run(const struct npu_windows *w);

/* Pools with windows of U55 and U65, whose maps lie apart; contract of npu_kernels_execute(). */
bool npu_fast_windows(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);

#endif
