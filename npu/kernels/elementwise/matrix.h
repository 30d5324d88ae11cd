/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of products that are owed (owed.h), one behind the other: columns of a matrix product, as compilers make it for an NPU that has no
 * operation for it. The sums are owed, too, as long as they have the same first operand and nobody writes what they read; then
 * they are made together, by the loops of convolutions. They never outlive the product that is owed, and are made before it. */
#ifndef NPU_KERNELS_MATRIX_H
#define NPU_KERNELS_MATRIX_H

#include "npu/kernels/private.h"

enum { NPU_MATRIX_COLUMNS = 64 };

struct npu_reduction;

struct npu_matrix {
	unsigned count;
	const struct npu_owed *product[NPU_MATRIX_COLUMNS];
	const struct npu_reduction *sum[NPU_MATRIX_COLUMNS];
	uintptr_t read[2], written[2]; /* addresses around all second operands, and all sums: first and end. The first operand is each
					  product's own, which its sum leaves alone (owed.h). */
	void (*make)(struct npu_kernels *k);
};

/* The sum r of the product p, later. False: it must be made. */
bool npu_matrix_add(struct npu_kernels *k, struct npu_reduction *r, const struct npu_owed *p);

/* Makes what is owed. */
static inline void npu_matrix_settle(struct npu_kernels *k)
{
	if (k->matrix && k->matrix->count)
		k->matrix->make(k);
}

#endif
