/* SPDX-License-Identifier: Apache-2.0 */
/* From accumulators to memory: per-channel constants and stores of one operation. */
#ifndef NPU_KERNELS_CHANNELS_H
#define NPU_KERNELS_CHANNELS_H

#include "npu/kernels/private.h"

/* Arrays are rounded up to whole groups of 16 channels. */
struct npu_channels {
	u32 depth, groups;
	i64 *bias;              /* of the scale stream, 40 bits */
	i32 *start;             /* accumulators start here: bias and zero point corrections */
	struct npu_scale *scale; /* U85: .round and .first are npu85_scale's round and dbl */
	struct npu_rescale *rescale; /* per group; valid when `fast` */
	bool fast;              /* every channel's scaling fits struct npu_rescale */
	bool doubled;           /* ... once accumulators, then below 2^30, have been doubled */
	u64 max_bias;           /* largest |bias| */
	float max_factor;       /* `fast`: largest factor of an estimate */
};

/* Reads the scale stream (or the global scale) into k->channels; start = bias. False when the
 * stream is too short or memory is. */
bool npu_channels_read(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view,
		       struct npu_channels *c);

/* What no accumulator exceeds, whatever the data: channels' weights have magnitudes of at most `weights` together. */
u64 npu_channels_reach(const struct npu_channels *c, const struct npu_fm *ifm, u64 weights);

/* Sets lane `lane` of r; false when the scaling does not fit the fast form. */
bool npu_rescale_set(struct npu_rescale *r, unsigned lane, struct npu_scale s);

/* The same for the scaling of U85; values come shifted left by `left` bits. */
bool npu85_rescale_set(struct npu_rescale *r, unsigned lane, struct npu85_scale s, unsigned left);

/* Whether and how a sum may be estimated; everything else is set. */
void npu_add8_estimate(struct npu_add8 *s);

/* A channel's scaling as U85 has it. */
struct npu85_scale npu85_channel_scale(const struct npu_channels *c, u32 channel);

/* How results are stored. */
struct npu_sink {
	const struct npu_simd *simd;
	const struct npu_op *op;
	const struct npu_channels *channels;
	struct npu_narrow8 narrow;
	bool u85;                   /* its scaling and output stage */
	bool raw;                   /* accumulators are stored as they are */
	bool unscaled;              /* accumulators are results already, below 2^30 */
	bool narrow_valid;          /* 8-bit OFM, clamp or byte table */
	bool narrow16_valid;        /* int16 OFM, clamp */
	struct npu_narrow16 narrow16;
	u8 table[256];              /* lookup by stored byte */
	const u8 *lut;              /* doubled tables for npu_output_value() */
	u8 lut_copy[2 * NPU_LUT_BYTES];
};

/* Zero point and clamp of the operation's OFM; false when the clamp is not one of bytes. */
bool npu_narrow_init(struct npu_narrow8 *n, const struct npu_op *op);

/* Everything but the accumulators, from the operation; `c`: scaling of its channels, kept. */
void npu_sink_init(struct npu_sink *s, const struct npu_kernels *k, const struct npu_op *op,
		   const struct npu_view *view, const struct npu_channels *c);

/* True when npu_sink_store() is store8() with the channels' scaling and nothing else. */
bool npu_sink_is_layer(const struct npu_sink *s);

/* Sums are at most `reach`: bytes of small results may be estimated. */
void npu_sink_limit(struct npu_sink *s, u64 reach);

/* acc[][16], channel group `group`, to the target's pixels. acc is overwritten. */
void npu_sink_store(const struct npu_sink *s, i32 *acc, const struct npu_target *t, u32 group);
/* The same for 64-bit accumulators, already wrapped to their width. */
void npu_sink_store_wide(const struct npu_sink *s, const i64 *acc, const struct npu_target *t, u32 group);

/* The next n <= NPU_BATCH pixels of the OFM from *at on, counted along rows; *at moves on. */
void npu_target_next(struct npu_target *t, const struct npu_op *op, const struct npu_view *view,
		     struct npu_place *at, unsigned n);
unsigned npu_target_pixels(const struct npu_target *t);

/* Largest |element - zero point| of a feature map's type. */
u64 npu_fm_magnitude(const struct npu_fm *fm);

#endif
