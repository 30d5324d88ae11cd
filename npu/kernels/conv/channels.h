/* SPDX-License-Identifier: Apache-2.0 */
/* Constants of an operation's channels: where accumulators start, how they are scaled. */
#ifndef NPU_KERNELS_CHANNELS_H
#define NPU_KERNELS_CHANNELS_H

#include "npu/kernels/private.h"

/* Arrays are rounded up to whole groups of 16 channels. */
struct npu_channels {
	u32 depth, groups;
	i64 *bias;              /* of the scale stream: 40 bits, U85 up to 48 */
	i32 *start;             /* accumulators start here: bias and zero point corrections */
	i32 *high;              /* split words: where the sums of high bytes start, `start` being that of low ones */
	struct npu_scale *scale; /* U85: .round and .first are npu85_scale's round and dbl */
	struct npu_rescale *rescale; /* per group; valid when `fast` */
	i32 *whole;             /* U85: factors, where no channel's product is shifted; else NULL */
	bool fast;              /* every channel's scaling fits struct npu_rescale */
	bool some;              /* ... those of some groups do (`fits`); not `fast` then */
	u8 left;                /* ... once accumulators have been shifted left so far: see npu_channels_limit() */
	u64 max_bias;           /* largest |bias| */
	float max_factor;       /* `fast`, nothing to be shifted: largest factor of an estimate */
	const struct npu_prepared *kept; /* beside the weights, which the arrays then stay with; else NULL */
};

/* What an operation makes of its scaled sums: any value, none below that of 0 (a ReLU; of sums that are below 2^25 before their bias, or of any), or it stores
 * the sums as they were. */
enum npu_channels_results { NPU_RESULTS_ALL, NPU_RESULTS_SMALL_FLOORED, NPU_RESULTS_FLOORED, NPU_RESULTS_SUMS };
enum npu_channels_results npu_channels_results(const struct npu_op *op);

/* Reads the scale stream (or the global scale) into k->channels; start = bias. `store`: NULL, or where .start and .rescale stay.
 * False when the stream is too short or memory is. */
bool npu_channels_read(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view,
		       struct npu_store *store, struct npu_channels *c);

/* Accumulators are at most `reach` in magnitude: the fast form is given up where the shift would push bits out. */
void npu_channels_limit(struct npu_channels *c, u64 reach);

/* What no accumulator exceeds, whatever the data: channels' weights have magnitudes of at most `weights` together. */
u64 npu_channels_reach(const struct npu_channels *c, const struct npu_fm *ifm, u64 weights);

/* Whether a group's rescale holds. */
static inline bool npu_channels_fit(const struct npu_channels *c, u32 group)
{
	return c->fast || (c->some && c->rescale[group].fits);
}

/* A channel's scaling as U85 has it; see npu_channels.scale. */
static inline struct npu85_scale npu85_scale_of(struct npu_scale s)
{
	return (struct npu85_scale){ .scale = s.scale, .shift = s.shift, .round = s.round, .dbl = s.first };
}

static inline struct npu85_scale npu85_channel_scale(const struct npu_channels *c, u32 channel)
{
	return npu85_scale_of(c->scale[channel]);
}

#endif
