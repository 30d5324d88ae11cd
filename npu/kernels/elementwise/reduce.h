/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the depth: of a map, or of the inputs of a product that has not been made (owed.h). */
#ifndef NPU_KERNELS_REDUCE_H
#define NPU_KERNELS_REDUCE_H

#include "npu/kernels/owed.h"
#include "npu/kernels/rows/rows.h"

/* One that is done again. */
struct npu_reduction {
	const struct npu_op *op;
	const struct npu_view *view;
	u64 id;      /* never 0, nor that of another one or of a product */
	u64 product; /* whose map it sums; see owed.h */
	u64 like;    /* the first of a batch that it fits into: see matrix.c */
	u64 boxed;   /* the product whose second operand lies within `read`; 0: none yet */
	uintptr_t read[2], written[2]; /* addresses around it, and around the sums: first and end */
	bool small;  /* sums of NPU_DOTS products of bytes and their results are below NPU_ROW_LIMIT, and go through no table: the rest is valid */
	struct npu_sink sink;
	struct npu_rescale rescale;
	const struct npu_rescale *fast;
};

/* All of such an operation; contract of npu_kernels_execute(). */
bool npu_fast_reduce(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);

/* The sums of p, which has not been made, where r is `small`. */
void npu_reduction_dots(const struct npu_simd *simd, const struct npu_reduction *r, const struct npu_owed *p);

#endif
