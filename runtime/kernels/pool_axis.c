/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kernels/pool_axis.h"

bool pool_number(struct kernel_context *c, const struct value *list, unsigned axes, unsigned k, int32_t low, const char *what, int32_t *to)
{
	int64_t n;

	if (list->count != 1 && list->count != axes)
		return kernel_fail(c, "%s has %u numbers, not %s", what, (unsigned)list->count, axes == 2 ? "two" : "three");
	n = list->as.integers[list->count == 1 ? 0 : k];
	if (n < low || n > 4096)
		return kernel_fail(c, "%s %lld is not supported", what, (long long)n);
	*to = (int32_t)n;
	return true;
}

int32_t pool_extent(const struct pool_axis *a, bool ceil_mode)
{
	const int32_t span = a->in + 2 * a->padding - a->dilation * (a->kernel - 1) - 1;
	int32_t n;

	if (span < 0)
		return 0;
	n = (span + (ceil_mode ? a->stride - 1 : 0)) / a->stride + 1;
	return ceil_mode && (n - 1) * a->stride >= a->in + a->padding ? n - 1 : n;
}

struct pool_span pool_window(const struct pool_axis *a, int32_t out)
{
	const int32_t start = out * a->stride - a->padding, end = start + a->dilation * (a->kernel - 1) + 1;
	const int32_t padded = a->in + a->padding;
	struct pool_span s = { start, end < a->in ? end : a->in, a->dilation, (end < padded ? end : padded) - start };

	while (s.first < 0)
		s.first += a->dilation;
	return s;
}

struct pool_span pool_share(const struct pool_axis *a, int32_t out)
{
	const int32_t first = (int32_t)((int64_t)out * a->in / a->out), end = (int32_t)((((int64_t)out + 1) * a->in + a->out - 1) / a->out);

	return (struct pool_span){ first, end, 1, end - first };
}
