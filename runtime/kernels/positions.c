/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kernels/positions.h"
#include "runtime/kernels/strided.h"

bool is_position(unsigned type)
{
	return type == DTYPE_INT32 || type == DTYPE_INT64;
}

bool position_at(struct kernel_context *c, const struct tensor *index, ptrdiff_t at, int32_t size, int32_t *to)
{
	const int64_t given = element_integer(element_at(index->data, index->type, at), index->type);
	const int64_t i = given < 0 ? given + size : given;

	if (i < 0 || i >= size)
		return kernel_fail(c, "index %lld is not in a dimension of %d", (long long)given, (int)size);
	*to = (int32_t)i;
	return true;
}

bool copy_whole(struct kernel_context *c, struct tensor *out, const struct tensor *self)
{
	if (!kernel_resize_like(c, out, self))
		return false;
	if (out->data != self->data)
		strided_copy((struct part){ out, 0, out->strides }, (struct part){ self, 0, self->strides }, self->sizes, self->rank,
			     out->order);
	return true;
}
