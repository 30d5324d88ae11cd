/* SPDX-License-Identifier: Apache-2.0 */
/* One result from all elements along some dimensions. */
#ifndef RUNTIME_KERNELS_REDUCTION_H
#define RUNTIME_KERNELS_REDUCTION_H

#include "runtime/kernels/element.h"
#include "runtime/kernels/walk.h"

struct reduction {
	const struct tensor *in;
	uint32_t dims;         /* bit d: dimension d goes */
	size_t count;          /* elements per result */
	struct walk kept;      /* operand 0: out, 1: in (its first element), 2: second output */
	struct walk reduced;   /* operand 0: in, in PyTorch's order */
};

/* Elements of one result, run by run. */
struct runs {
	struct walk w;
	ptrdiff_t at;
	int32_t done;
	unsigned n;            /* elements in the present run */
	union number run[RUN];
};

/* Dimensions from an argument: a list (empty: all), an integer, or none (all). Outputs are resized; the second may be
 * NULL. */
bool reduction_begin(struct kernel_context *c, struct reduction *r, const struct tensor *in, const struct value *dims,
		     bool keepdim, struct tensor *out, struct tensor *second);

/* Begins the elements of the result whose first element is at `at`. */
void runs_begin(struct runs *s, const struct reduction *r, ptrdiff_t at);

/* The next run as doubles or integers; false behind the last. */
bool runs_next_doubles(struct runs *s, const struct reduction *r);
bool runs_next_integers(struct runs *s, const struct reduction *r);

#endif
