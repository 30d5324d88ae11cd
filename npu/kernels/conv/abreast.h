/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions and depthwises of few output channels, which would leave most lanes of a vector empty: neighbouring pixels of a row are done as the
 * channels of one, by a kernel that is as much wider and has zeros where a pixel's own has no taps. */
#ifndef NPU_KERNELS_ABREAST_H
#define NPU_KERNELS_ABREAST_H

#include "npu/kernels/private.h"

/* False: it would take longer, or nothing was changed for another reason. */
bool npu_fast_abreast(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);

/* Cycles of 16 pixels of a convolution otherwise. */
u32 npu_abreast_plain_cycles(const struct npu_kernels *k, const struct npu_op *op);

/* The operation that such a part was made of, as far as its weights are concerned. */
struct npu_op npu_abreast_plain(const struct npu_op *op);

/* Elements of a row of a set's wide kernel. */
size_t npu_abreast_row(const struct npu_packed_key *key);
/* From weights as others have them to those of the wide kernel, which there is room for. False: memory is short, nothing is done. */
bool npu_abreast_weights(struct npu_packed *s);

#endif
