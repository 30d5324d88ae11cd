/* SPDX-License-Identifier: Apache-2.0 */
/* See scarce.h. */
#include "tests/kernels/scarce.h"

#include <stddef.h>

static unsigned left;

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
	return left && --left == 0 ? NULL : __real_aligned_alloc(alignment, bytes);
}

void scarce(unsigned n)
{
	left = n;
}
