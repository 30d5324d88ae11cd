/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwise convolutions of one channel whose taps along a row lie side by side: means over the last axis of a map, as compilers make them. */
#ifndef NPU_KERNELS_DEPTHWISE_LINE_H
#define NPU_KERNELS_DEPTHWISE_LINE_H

#include "npu/kernels/conv/mac.h"

/* Whether the operation is one; after npu_mac_init(), with sums that fit 32 bits. */
bool npu_depthwise_is_line(const struct npu_mac *m);
/* Then, after npu_mac_start(). False: memory is short, nothing is done. */
bool npu_depthwise_line(const struct npu_mac *m, struct npu_kernels *k);

#endif
