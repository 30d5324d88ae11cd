/* SPDX-License-Identifier: Apache-2.0 */
/* Windows along one axis of a pool; those of all axes together are a window in two or three dimensions. */
#ifndef RUNTIME_KERNELS_POOL_AXIS_H
#define RUNTIME_KERNELS_POOL_AXIS_H

#include "runtime/core/kernel.h"

struct pool_axis {
	int32_t in, out, kernel, stride, padding, dilation;
};

/* Window of one output: positions first, first + step, ... below `end`. `size` counts padding, too. */
struct pool_span {
	int32_t first, end, step, size;
};

/* Number k of a list of one (for all) or `axes` numbers, from `low` to 4096. False: the kernel has failed, and said why of `what`. */
bool pool_number(struct kernel_context *c, const struct value *list, unsigned axes, unsigned k, int32_t low, const char *what, int32_t *to);

/* How many windows there are; 0: one is larger than the input. */
int32_t pool_extent(const struct pool_axis *a, bool ceil_mode);

/* The window that a stride, padding and dilation give. */
struct pool_span pool_window(const struct pool_axis *a, int32_t out);

/* The window where windows share the input evenly. */
struct pool_span pool_share(const struct pool_axis *a, int32_t out);

/* Positions from the first to the end. */
static inline int32_t pool_inside(const struct pool_span *s)
{
	return s->end > s->first ? s->end - s->first : 0;
}

#endif
