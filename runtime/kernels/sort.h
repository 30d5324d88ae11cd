/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a tensor in order. Equal elements keep their order; a NaN counts as the largest number. */
#ifndef RUNTIME_KERNELS_SORT_H
#define RUNTIME_KERNELS_SORT_H

#include "runtime/kernels/element.h"

struct ranked {
	union number value; /* a double of floating-point types, else an integer */
	int32_t at;
};

/* Lines of one tensor, and how to put them in order. */
struct order {
	const struct tensor *in;
	unsigned dim;
	int32_t n; /* elements of a line */
	bool largest, is_real;
};

/* The lines of `in` along `dim`; false after kernel_fail. */
bool order_begin(struct kernel_context *c, struct order *o, const struct tensor *in, int64_t dim, bool largest);

/* The whole line that begins at `from`, in order; `room` has twice as many elements as the line. The result begins the room or its
 * second half. */
struct ranked *rank_all(const struct order *o, struct ranked *room, ptrdiff_t from);

#endif
