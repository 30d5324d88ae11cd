/* SPDX-License-Identifier: Apache-2.0 */
/* Layers of one output pixel. */
#ifndef NPU_KERNELS_VECTOR_H
#define NPU_KERNELS_VECTOR_H

#include "npu/kernels/conv/mac.h"

/* Whether it is a map of one pixel whose channels lie side by side. */
bool npu_is_vector(const struct npu_fm *fm);

/* All of the operation, ready to be done with 32-bit sums or split words (npu_mac_start()). False: it is not such a layer, or the host's level has nothing
 * for it; nothing was changed. */
bool npu_fast_vector(struct npu_kernels *k, const struct npu_mac *m);

/* Whether the level multiplies bytes for such a layer, but not for others. */
bool npu_vector_of_bytes(const struct npu_simd *simd, const struct npu_op *op);
/* The same of int16 by bytes: npu_mac.mixed. */
bool npu_vector_is_mixed(const struct npu_simd *simd, const struct npu_op *op);

#endif
