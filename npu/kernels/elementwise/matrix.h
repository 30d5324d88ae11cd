/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of products that are owed (owed.h), one behind the other: columns of a matrix product, as compilers make it for an NPU that has no
 * operation for it. The sums are owed, too, as long as they have the same first operand and nobody writes what they read; then
 * they are made together, by the loops of convolutions. They never outlive the product that is owed, and are made before it. */
#ifndef NPU_KERNELS_MATRIX_H
#define NPU_KERNELS_MATRIX_H

#include "npu/kernels/elementwise/columns.h"

struct npu_matrix {
	unsigned count;
	const struct npu_owed *product[NPU_MATRIX_COLUMNS];
	struct npu_reduction *sum[NPU_MATRIX_COLUMNS];
	uintptr_t read[2], written[2]; /* addresses around all second operands, and all sums: first and end. The first operand is each
					  product's own, which its sum leaves alone (owed.h). */
};

/* The sum r of the product p, later. False: it must be made. */
bool npu_matrix_add(struct npu_kernels *k, struct npu_reduction *r, const struct npu_owed *p);

/* Makes what is owed. */
void npu_matrix_make(struct npu_kernels *k);

static inline void npu_matrix_settle(struct npu_kernels *k)
{
	if (k->matrix && k->matrix->count)
		npu_matrix_make(k);
}

/* Whether it can be owed. */
bool npu_matrix_takes(const struct npu_reduction *r);
/* Whether such a sum may be owed beside those of c. */
bool npu_matrix_joins(const struct npu_matrix *c, struct npu_reduction *r, const struct npu_owed *p);
void npu_matrix_join(struct npu_matrix *c, struct npu_reduction *r, const struct npu_owed *p);
/* False: they are not made together. */
bool npu_matrix_columns_of(const struct npu_matrix *c, struct npu_matrix_columns *to);

#endif
