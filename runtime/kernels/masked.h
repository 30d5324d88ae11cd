/* SPDX-License-Identifier: Apache-2.0 */
/* What a mask chooses, as positions. */
#ifndef RUNTIME_KERNELS_MASKED_H
#define RUNTIME_KERNELS_MASKED_H

#include "runtime/core/kernel.h"

/* Whether a tensor of this type chooses elements by what is not 0. */
bool is_mask(unsigned type);

/* For each dimension of the mask a tensor (one dimension, int32, in temporary memory) of the positions of its elements that are
 * set, in PyTorch's order. NULL after kernel_fail. */
struct tensor *mask_positions(struct kernel_context *c, const struct tensor *mask);

#endif
