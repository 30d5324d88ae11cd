/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwise convolutions whatever the size of their kernels and sums, a tap at a time: for those that npu_fast_depthwise() has no lines for. */
#ifndef NPU_KERNELS_DEPTHWISE_TAPS_H
#define NPU_KERNELS_DEPTHWISE_TAPS_H

#include "npu/kernels/conv/mac.h"

/* Contract of npu_kernels_execute(). */
bool npu_depthwise_taps(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);

#endif
