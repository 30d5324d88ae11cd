/* SPDX-License-Identifier: Apache-2.0 */
/* A walk over the elements of up to four tensors at once, in rows: all that shape, broadcasting, views and order in
 * memory amount to is one stride per operand and dimension. */
#ifndef RUNTIME_KERNELS_WALK_H
#define RUNTIME_KERNELS_WALK_H

#include "runtime/core/tensor.h"

#define WALK_OPERANDS 4
#define WALK_RANK (TENSOR_MAX_RANK + 2)

struct walk {
	unsigned rank, operands;
	int32_t sizes[WALK_RANK]; /* outermost first */
	int32_t strides[WALK_OPERANDS][WALK_RANK];
	int32_t index[WALK_RANK];
	ptrdiff_t at[WALK_OPERANDS]; /* element that the present row begins with */
	int32_t row;                 /* elements of a row, 0: the walk is over */
};

/* Begins a walk of no dimensions: one row of one element. */
void walk_begin(struct walk *w, unsigned operands);

/* Adds a dimension inside all that were added before; one stride (elements) per operand. Dimensions of one element are
 * left out, and one that continues its neighbour in all operands is joined to it. */
void walk_add(struct walk *w, int32_t size, const int32_t *strides);

/* After the last dimension: the innermost becomes the row. */
void walk_ready(struct walk *w);

/* Stride of an operand along the row. */
static inline int32_t walk_stride(const struct walk *w, unsigned operand)
{
	return w->rank ? w->strides[operand][w->rank - 1] : 1;
}

/* To the next row; false (and row 0) behind the last. */
bool walk_next(struct walk *w);

/* Begins a walk over the elements of `out` in the order of its memory; operand 0 is `out`, operand k is in[k - 1],
 * broadcast to the shape of `out` (NULL: one element that does not move). False when an input does not broadcast. */
bool walk_broadcast(struct walk *w, const struct tensor *out, const struct tensor *const *in, unsigned inputs);

#endif
