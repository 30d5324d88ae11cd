/* SPDX-License-Identifier: Apache-2.0 */
/* Products of int16, their curves and LRELU as compilers make them, which drawing at random hardly ever meets. */
#ifndef TESTS_KERNELS_USUAL_HALVES_H
#define TESTS_KERNELS_USUAL_HALVES_H

#include "npu/op.h"
#include "tests/kernels/random_parts.h"

/* Elementwise operations of U55 and U65: types and scale, some of the time. */
void usual_halves_elementwise(struct rng *r, struct npu_op *op);
/* A pool of theirs becomes one of one element. */
void usual_halves_pool(struct rng *r, struct npu_op *op);
/* Whether that is a pool of int16 to int16, which has a table more often then. */
bool usual_halves_curve(const struct npu_op *op);

/* U85: scales and tables of operations of int16; where the rest is drawn. */
void usual_halves_output85(struct rng *r, struct npu_op *op);

#endif
