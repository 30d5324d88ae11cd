/* SPDX-License-Identifier: Apache-2.0 */
/* From an operation to struct npu_gather (simd.h): where the inner loops find what lies under a window. */
#ifndef NPU_KERNELS_GATHER_H
#define NPU_KERNELS_GATHER_H

#include "npu/kernels/simd/simd.h"

/* Bytes of a map of receptive fields at most, which takes the place of panels that are several times as large. */
#define NPU_GATHER_FIELDS ((u64)16 << 20)

/* Everything but `row`. */
void npu_gather_init(struct npu_gather *g, const struct npu_op *op, const struct npu_view *view);

/* True when element - zero point of the IFM fits int16. */
bool npu_gather_fits_i16(const struct npu_op *op);
/* True when the IFM is 8-bit and its zero point is one of its values: it fits u8 panels. */
bool npu_gather_fits_u8(const struct npu_op *op);
/* Then: what these have as padding. They hold element - zero point + pad. */
u32 npu_gather_pad(const struct npu_op *op);

/* Then, once `row` is known: a panel of pixels of many channels that lie one behind the other keeps their order where `simd` has no need of bricks. */
void npu_gather_as_rows(struct npu_gather *g, const struct npu_simd *simd);
/* Whether fields of bytes that consist of three short lines become words in bricks, which layers take less time for; says so in *g. */
bool npu_gather_as_bricks(struct npu_gather *g, const struct npu_simd *simd);

struct npu_kernels;

/* Gives a small map of an operation `ofm_height` rows high its padding: a copy in k->padded, in which no window reaches beyond
 * the map. Where taps at the edges are looked at one by one a copy takes less time. Channels of a pixel that lie otherwise than together or in whole
 * bricks are brought together. Nothing happens where the map needs none, is large, or does not lie in one piece. */
void npu_gather_surround(struct npu_gather *g, struct npu_kernels *k, u32 ofm_height);
/* The same of larger maps, where panels take longer than such a copy. */
void npu_gather_surround_large(struct npu_gather *g, struct npu_kernels *k, u32 ofm_height);

/* A map as simd->layer_fields() or, of int16, layer_split() reads it, in k->padded; false where that is not to be, or memory is short: fields are gathered. */
bool npu_gather_fields(const struct npu_gather *g, struct npu_kernels *k, u32 ofm_height, struct npu_fields *f);

#endif
