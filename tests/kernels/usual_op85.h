/* SPDX-License-Identifier: Apache-2.0 */
/* What compilers make of operations of Ethos-U85, which drawing at random hardly ever meets. */
#ifndef TESTS_KERNELS_USUAL_OP85_H
#define TESTS_KERNELS_USUAL_OP85_H

#include "npu/op.h"
#include "tests/kernels/random_parts.h"

/* A pool becomes a sum over the depth, as softmax has it. */
void usual_reduction(struct rng *r, struct npu_op *op);
/* Positions of maxima along one axis. */
void usual_places(struct rng *r, struct npu_op *op);
/* A pool becomes a copy of int16 or int32 to another layout, or widens what is shorter. */
void usual_copy(struct rng *r, struct npu_op *op);
/* The same from bytes to int16, from int16 to bytes, or from int32 to both. */
void usual_narrowed(struct rng *r, struct npu_op *op);
/* Input and output are int16 that may stay what they are. */
void usual_halves(struct rng *r, struct npu_op *op);
/* The second operand is accumulators that wait, as they are. */
void usual_accumulators(struct npu_op *op);
/* Two maps of int16 as attention multiplies them: their types and the window. */
void usual_product(struct npu_op *op);
/* One pixel times rows of bytes, more channels than others have. */
void usual_row(struct rng *r, struct npu_op *op);
/* A single tap of few channels, of which some pixels lie beyond the map, as large strides are compiled. */
void usual_tap(struct rng *r, struct npu_op *op);
/* Scales and tables of sums, products, copies and resizes; where the rest is drawn. */
void usual_output(struct rng *r, struct npu_op *op);

#endif
