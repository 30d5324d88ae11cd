/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kernels/product.h"

bool product_is_real(const struct tensor *a, const struct tensor *b)
{
	return dtype_is_float(a->type) || dtype_is_float(b->type);
}

static float sum_floats(struct vector a, struct vector b, int32_t n, float sum)
{
	const float *x = (const float *)a.tensor->data + a.at, *y = (const float *)b.tensor->data + b.at;

	for (; n > 0; n--, x += a.stride, y += b.stride)
		sum += *x * *y;
	return sum;
}

union number product_sum(struct vector a, struct vector b, int32_t n, union number start)
{
	const bool real = product_is_real(a.tensor, b.tensor);

	if (a.tensor->type == DTYPE_FLOAT32 && b.tensor->type == DTYPE_FLOAT32) {
		start.d = (double)sum_floats(a, b, n, (float)start.d);
		return start;
	}
	for (int32_t k = 0; k < n; k++) {
		const void *x = element_at(a.tensor->data, a.tensor->type, a.at + (ptrdiff_t)k * a.stride);
		const void *y = element_at(b.tensor->data, b.tensor->type, b.at + (ptrdiff_t)k * b.stride);

		if (real)
			start.d += element_double(x, a.tensor->type) * element_double(y, b.tensor->type);
		else
			start.i = (int64_t)((uint64_t)start.i + (uint64_t)element_integer(x, a.tensor->type) *
									(uint64_t)element_integer(y, b.tensor->type));
	}
	return start;
}
