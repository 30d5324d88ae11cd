/* SPDX-License-Identifier: Apache-2.0 */
/* Random convolutions and depthwises with memory of their own, so that several can be there at a time. */
#ifndef TESTS_KERNELS_OWN_OP_H
#define TESTS_KERNELS_OWN_OP_H

#include "tests/kernels/random_op.h"

struct own_op {
	struct npu_op op;
	struct npu_view view;
	unsigned taps; /* of a set of weights, for whoever packs them */
	u8 *memory;    /* the owner's to free */
	size_t bytes;
};

/* *own becomes one; the arena is where it is drawn. */
void own_op_draw(struct rng *r, const struct npu_config *config, struct arena *a, struct own_op *own);

#endif
