/* SPDX-License-Identifier: Apache-2.0 */
/* Results whose way is not the shortest: of sums whose scaling has no fast form or that have more than 32 bits, and those of output stages that do more than
 * narrowing. */
#ifndef NPU_KERNELS_SINK_WIDE_H
#define NPU_KERNELS_SINK_WIDE_H

#include "npu/kernels/conv/sink.h"

/* Channels of a group: 16, or what the last one has. */
static inline unsigned npu_sink_channels(const struct npu_sink *s, u32 group)
{
	const u32 left = s->channels->depth - group * NPU_GROUP;

	return left < NPU_GROUP ? left : NPU_GROUP;
}

/* v[][16], sums that have been scaled, through any output stage to the target's pixels. v is overwritten. */
void npu_sink_put_wide(const struct npu_sink *s, i64 *v, const struct npu_target *t, u32 group);

/* Elements of `bytes` bytes, `lanes` for each of the target's pixels, as they are: `channels` of each. */
void npu_sink_copy(const void *from, unsigned bytes, unsigned lanes, const struct npu_target *t, i64 offset, unsigned channels);

/* n <= NPU_ROW scaled values, which are overwritten, to elements side by side. Compiled for each level: npu_row_kernels.stage. */
void npu_sink_stage(const struct npu_sink *s, i64 *v, size_t n, u8 *to);
/* v[pixels][16] by each channel's factor, low words. Likewise: .whole. */
void npu_sink_whole(i32 *v, unsigned pixels, const i32 *factor);

#endif
