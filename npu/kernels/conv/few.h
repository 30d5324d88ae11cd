/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of bytes to a few channels: heads of segmentation, pictures in grey and in colours. Vectors of channels would be nearly empty;
 * here products go along a pixel's receptive field, and pixels are scaled and stored as channels else are. */
#ifndef NPU_KERNELS_FEW_H
#define NPU_KERNELS_FEW_H

#include "npu/kernels/conv/mac.h"

#define NPU_FEW_PIECES 512 /* of a field at most, whose weights stay in the first cache */

/* Cycles of 16 pixels this way; UINT32_MAX: this is nothing for it. */
u32 npu_few_cycles(const struct npu_kernels *k, const struct npu_op *op);

/* Does a convolution that npu_mac_start() has prepared. False: nothing was changed. */
bool npu_fast_few(struct npu_kernels *k, const struct npu_mac *m);

#endif
