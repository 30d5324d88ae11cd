/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_KERNELS_RANDOM_WEIGHTS_H
#define TESTS_KERNELS_RANDOM_WEIGHTS_H

#include "npu/config.h"
#include "tests/kernels/random_parts.h"

/* Weight streams of an operation of U55 and U65, now and then those of a kernel with zeros between its taps, as compilers make of a
 * dilated one. */
void random_streams(struct rng *r, const struct npu_config *config, struct arena *a, struct npu_op *op, struct npu_view *view);
/* The same anew: each channel's weights are all the same, but for one of them all now and then. */
void random_even_streams(struct rng *r, const struct npu_config *config, struct arena *a, struct npu_op *op, struct npu_view *view);

#endif
