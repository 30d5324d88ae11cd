/* SPDX-License-Identifier: Apache-2.0 */
/* Products of bytes to an int32 map that is summed over its depth and then written over by the next product: a matrix product where
 * the NPU has no operation for it. In a job that nobody can look into, such a map need not be made: its sums are made of the
 * product's inputs, and the product itself is only owed. It is made before anything but its own sum and its successor begins, and when the job ends. */
#ifndef NPU_KERNELS_OWED_H
#define NPU_KERNELS_OWED_H

#include "npu/kernels/private.h"

/* A product that is done again, kept in the operation's room. */
struct npu_owed {
	u64 id;       /* never 0, nor that of another product */
	u64 replaces; /* a product with the same map, found before; 0: none yet */
	const struct npu_op *op;
	const struct npu_view *view;
	npu_again_fn *make;
	void *room;
};

/* The operation at work is such a product, and is kept in the note of it. */
void npu_owed_note(struct npu_kernels *k, struct npu_owed *p);
/* Instead of making it. False: it must be made. */
bool npu_owed_take(struct npu_kernels *k, struct npu_owed *p);
/* Whether op sums its map and writes none of the bytes that it reads. */
bool npu_owed_sums(const struct npu_owed *p, const struct npu_op *op, const struct npu_view *view);
/* The product that is owed, if op sums its map and writes none of its bytes; `of` keeps the id that was found last. */
const struct npu_owed *npu_owed_of(struct npu_kernels *k, u64 *of, const struct npu_op *op, const struct npu_view *view);
/* Makes what is owed. */
void npu_owed_settle(struct npu_kernels *k);

#endif
