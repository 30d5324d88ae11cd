/* SPDX-License-Identifier: Apache-2.0 */
/* Random operations over one arena of memory, as the command stream's decoder would hand them
 * over: legal in themselves, unusual in everything else. */
#ifndef TESTS_KERNELS_RANDOM_OP_H
#define TESTS_KERNELS_RANDOM_OP_H

#include "npu/config.h"
#include "npu/op.h"
#include "tests/kernels/random_parts.h"

/* Fills the arena with random bytes and op with a random operation of `kind`; the view points
 * into the arena. */
void random_op(struct rng *r, const struct npu_config *config, enum npu_kind kind,
	       struct arena *a, struct npu_op *op, struct npu_view *view);

/* One line that tells the operation apart, for failures. */
const char *op_text(const struct npu_op *op, char *buffer, size_t bytes);

#endif
