/* SPDX-License-Identifier: Apache-2.0 */
/* Weights that are data: a convolution whose weights are IFM2 (matrix products). */
#ifndef NPU_KERNELS_U85_DYNAMIC_H
#define NPU_KERNELS_U85_DYNAMIC_H

#include "npu/kernels/private.h"

/* IFM2 minus its zero point in the form of npu_pack() for `taps` 4 or 2. NULL when memory is
 * short or the weights exceed int16. Valid until the next call. */
struct npu_packed *npu85_pack_ifm2(struct npu_kernels *k, const struct npu_op *op,
				   const struct npu_view *view, unsigned taps);

/* Whether bounds of IFM2 are those of its type, bytes, so that what is chosen by them holds for whatever data: sums have 32 bits even so. */
bool npu85_type_bounds(const struct npu_op *op);

/* IFM2 for npu_simd.pack_words; false: it has tiles or no elements. */
bool npu85_word_rows(struct npu_word_rows *r, const struct npu_op *op, const struct npu_view *view);

#endif
