/* SPDX-License-Identifier: Apache-2.0 */
/* Positions along a dimension that a tensor gives. */
#ifndef RUNTIME_KERNELS_POSITIONS_H
#define RUNTIME_KERNELS_POSITIONS_H

#include "runtime/core/kernel.h"

/* Whether a tensor of this type gives positions. */
bool is_position(unsigned type);

/* The position that element `at` of an index tensor gives in a dimension of `size`; negative ones count from the end.
 * False after kernel_fail. */
bool position_at(struct kernel_context *c, const struct tensor *index, ptrdiff_t at, int32_t size, int32_t *to);

/* Makes `out` a copy of `self`, whose elements are then replaced; they may be one. False after kernel_fail. */
bool copy_whole(struct kernel_context *c, struct tensor *out, const struct tensor *self);

#endif
