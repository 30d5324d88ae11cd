/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of products of elements of two tensors: the inner loop of matrix products and convolutions. */
#ifndef RUNTIME_KERNELS_PRODUCT_H
#define RUNTIME_KERNELS_PRODUCT_H

#include "runtime/kernels/element.h"

/* Elements of a tensor, `stride` apart, from `at` on. */
struct vector {
	const struct tensor *tensor;
	ptrdiff_t at;
	int32_t stride;
};

/* start + sum of a[k] * b[k]. Both float32: in float32. Otherwise in double (`.d`) when one of them is real, else in
 * 64 bits (`.i`). */
union number product_sum(struct vector a, struct vector b, int32_t n, union number start);

/* Whether product_sum() gives a double. */
bool product_is_real(const struct tensor *a, const struct tensor *b);

#endif
