/* SPDX-License-Identifier: Apache-2.0 */
/* Products and their sums in turns, as compilers make matrix products, in a plan that is followed: columns are found once, and then made without
 * going from operation to operation. Their last product is owed then, as if they had been done one by one (owed.h). */
#ifndef NPU_KERNELS_BATCHES_H
#define NPU_KERNELS_BATCHES_H

#include "npu/kernels/again.h"

struct npu_batch;
struct npu_owed;

struct npu_batches {
	u32 products;                  /* and as many sums */
	struct npu_owed *first;
	const struct npu_owed *last;
	struct npu_batch *batch;
	size_t bytes;                  /* that all of it takes */
};

/* How the next product and its sum are done again. False: there are no more. */
typedef bool npu_batches_next(void *ctx, const struct npu_again **product, const struct npu_again **sum);

/* Of as many as can be made so; they may be done anew since then, but their views stay as long as this. NULL: there are none, or memory is short. */
struct npu_batches *npu_batches_new(npu_batches_next *next, void *ctx);
void npu_batches_free(struct npu_batches *b); /* NULL: nothing to do */

/* False: operations must be done one by one. */
bool npu_batches_run(struct npu_kernels *k, const struct npu_batches *b);

#endif
