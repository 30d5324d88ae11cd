/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwises whose weights are all the same, as means over rows, columns or whole maps are compiled: a window's sum times that weight. */
#ifndef NPU_KERNELS_EVEN_H
#define NPU_KERNELS_EVEN_H

#include "npu/kernels/private.h"

/* Does the operation, of few channels; false: it is none for that, or memory is short, and nothing is done. */
bool npu_fast_even(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);
/* The same of bytes of 16 channels and more over whole rows, where the host has npu_simd.pixel_sums. */
bool npu_fast_means(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);

#endif
