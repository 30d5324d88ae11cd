/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of a matrix product whose results are neighbours: sums of products that are owed (owed.h), made together by the loops of convolutions. */
#ifndef NPU_KERNELS_COLUMNS_H
#define NPU_KERNELS_COLUMNS_H

#include "npu/kernels/elementwise/reduce.h"

enum { NPU_MATRIX_COLUMNS = 64 }; /* at most */

/* They differ in nothing but the second operand and where they are stored. */
struct npu_matrix_columns {
	unsigned count;
	const struct npu_owed *product;       /* of the first one */
	const struct npu_reduction *sum;      /* its results; those of the others are behind it */
	const u8 *second[NPU_MATRIX_COLUMNS]; /* operands, of the first row of pixels */
	bool even;                            /* these lie equally far from each other: */
	i64 step;
};

/* All of them, whatever their number. */
void npu_matrix_columns_make(struct npu_kernels *k, const struct npu_matrix_columns *c);

#endif
