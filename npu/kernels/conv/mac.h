/* SPDX-License-Identifier: Apache-2.0 */
/* What convolution and depthwise share: operands, constants, the bound on their sums. */
#ifndef NPU_KERNELS_MAC_H
#define NPU_KERNELS_MAC_H

#include "npu/kernels/conv/sink.h"

struct npu_mac {
	const struct npu_op *op;
	const struct npu_view *view;
	const struct npu_simd *simd;
	bool u8;                     /* u8 x int8, four products a lane */
	bool split;                  /* int16 x int8 by bytes, likewise */
	bool mixed;                  /* int16 x int8 for layers of one pixel alone (vector.h); else int16 x int16, two products a lane */
	bool pairs;                  /* these with sums of the weights' low and high parts */
	struct npu_packed *weights;
	u64 magnitude;               /* no channel's sum of |weight| is larger: max_magnitude of these or, where that is too coarse, less */
	u32 era;                     /* of the packer, when these were found */
	bool fixed;                  /* neither weights nor scales can change */
	struct npu_channels channels;
	struct npu_gather gather;
	struct npu_sink sink;
};

/* Weights that these kernels multiply per lane for the operation's IFM: 4, 2, or 0 when it is nothing for them. */
unsigned npu_mac_taps(const struct npu_kernels *k, const struct npu_op *op);

/* Everything but gather and sink. False: nothing for these kernels (a type, the weights' size, maps on top of each
 * other), or memory is short. */
bool npu_mac_init(struct npu_mac *m, struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);
/* After that: with weights of int16, whatever the elements. */
bool npu_mac_words(struct npu_mac *m, struct npu_kernels *k);

/* Whether products of two maps of int16 may be some for npu_simd.layer_pairs, as far as the second map and scales do not decide. */
bool npu_mac_may_pair(const struct npu_simd *simd, const struct npu_op *op);
/* Then: true when they are (`pairs`); where the sums start is in the channels. */
bool npu_mac_pairs(struct npu_mac *m);

/* Then, once it is clear that the operation is done: gather and sink. */
void npu_mac_start(struct npu_mac *m, struct npu_kernels *k);

/* What the elements of a panel have as padding, modulo 2^32: they hold element - zero point + that. Accumulators start less as many times the weights' sum. */
u32 npu_mac_pad(const struct npu_mac *m);

/* Where npu_sink_is_layer(): results are bytes by the fast form of scaling, nothing is left to the sink. The layer points into *m. */
struct npu_layer8 npu_mac_layer(const struct npu_mac *m);
/* The same for lines of whole sets of weights, where there are such. */
void npu_mac_layer_lines(const struct npu_mac *m, struct npu_layer8 *l);

/* Whether npu_mac_again() will do for the same operation on the same view. */
bool npu_mac_lasts(struct npu_mac *m, const struct npu_kernels *k);
/* Later: true when all is as it was, but for the sink's table, which is brought up to date. */
bool npu_mac_again(struct npu_mac *m, const struct npu_kernels *k);

/* The same of products of two maps of bytes to bytes on levels that multiply them as int16, where the second map decides nothing: whether it is enough to pack
 * that anew. Constants of channels go to memory that stays with the operation. */
bool npu_mac_follows(struct npu_mac *m, struct npu_kernels *k);
/* Later: does so. False: memory is short. */
bool npu_mac_follow(struct npu_mac *m, struct npu_kernels *k);

/* True when no accumulator can reach 2^(bits-1), whatever the data. */
bool npu_mac_fits(const struct npu_mac *m, unsigned bits);

/* True when 32-bit sums are right: they fit, or sums that wrap are asked for (U85). */
bool npu_mac_fits_32(const struct npu_mac *m);
/* ... or those of 64 bits that npu_sink_store_wide() takes. */
bool npu_mac_fits_wide(const struct npu_mac *m);
/* Convolutions: whether sums of int16 are made in 64 bits where 32 are not enough. */
bool npu_mac_is_wide(const struct npu_mac *m);
/* ... whether there are sums for it at all, products of two maps of int16 aside. */
bool npu_mac_has_sums(const struct npu_mac *m);

#endif
