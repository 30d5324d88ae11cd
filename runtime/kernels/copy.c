/* SPDX-License-Identifier: Apache-2.0 */
/* Copies that keep the order of the elements: plain ones, to another type or order in memory, to another shape. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/strided.h"

/* Copies `in`, broadcast to the shape that `out` has. */
static bool copy_broadcast(struct kernel_context *c, struct tensor *out, const struct tensor *in)
{
	struct walk w;

	if (!types_copy(c, out, in))
		return false;
	if (!walk_broadcast(&w, out, &in, 1))
		return kernel_fail(c, "the source does not broadcast to the output");
	walk_copy(&w, out, in);
	return true;
}

static bool copy_like(struct kernel_context *c, struct tensor *out, const struct tensor *in)
{
	return kernel_resize_like(c, out, in) && copy_broadcast(c, out, in);
}

/* alias_copy, detach_copy, lift_fresh_copy(self, out) */
bool kernel_alias_copy(struct kernel_context *c, struct value *const *args)
{
	return copy_like(c, args[1]->as.tensor, args[0]->as.tensor);
}

/* clone(self, memory_format, out): the output's own order counts. */
bool kernel_clone(struct kernel_context *c, struct value *const *args)
{
	return copy_like(c, args[2]->as.tensor, args[0]->as.tensor);
}

/* _to_copy, _to_dim_order_copy, _clone_dim_order(self, non_blocking, format or order, out) */
bool kernel_to_copy(struct kernel_context *c, struct value *const *args)
{
	return copy_like(c, args[3]->as.tensor, args[0]->as.tensor);
}

/* copy(self, source, non_blocking, out): self gives the shape. */
bool kernel_copy(struct kernel_context *c, struct value *const *args)
{
	return kernel_resize_like(c, args[3]->as.tensor, args[0]->as.tensor) &&
	       copy_broadcast(c, args[3]->as.tensor, args[1]->as.tensor);
}

/* copy_(self, source, non_blocking) */
bool kernel_copy_in_place(struct kernel_context *c, struct value *const *args)
{
	return copy_broadcast(c, args[0]->as.tensor, args[1]->as.tensor);
}

/* expand_copy(self, size, implicit, out): -1 keeps a size. */
bool kernel_expand_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	const struct value *size = args[1];
	int32_t sizes[TENSOR_MAX_RANK];

	if (size->count > TENSOR_MAX_RANK || size->count < in->rank)
		return kernel_fail(c, "%u sizes for an input of %u dimensions", (unsigned)size->count, in->rank);
	for (unsigned d = 0; d < size->count; d++) {
		const unsigned missing = size->count - in->rank;

		sizes[d] = (int32_t)size->as.integers[d];
		if (sizes[d] == -1 && d >= missing)
			sizes[d] = in->sizes[d - missing];
	}
	return kernel_resize(c, args[3]->as.tensor, sizes, size->count) && copy_broadcast(c, args[3]->as.tensor, in);
}

/* Element k, counted in PyTorch's order. */
static ptrdiff_t logical_offset(const struct tensor *t, size_t k)
{
	ptrdiff_t at = 0;

	for (unsigned d = t->rank; d--; k /= (size_t)t->sizes[d])
		at += (ptrdiff_t)(k % (size_t)t->sizes[d]) * t->strides[d];
	return at;
}

/* Elements in PyTorch's order into a tensor of another shape. */
static void copy_reshaped(const struct tensor *out, const struct tensor *in)
{
	const size_t n = tensor_elements(out);

	if (tensor_is_contiguous(out) && tensor_is_contiguous(in)) {
		run_copy(out->data, out->type, 1, in->data, in->type, 1, n);
		return;
	}
	for (size_t k = 0; k < n; k++)
		run_copy(element_at(out->data, out->type, logical_offset(out, k)), out->type, 1,
			 element_at(in->data, in->type, logical_offset(in, k)), in->type, 1, 1);
}

/* view_copy(self, size, out): one size may be -1. */
bool kernel_view_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[2]->as.tensor;
	const struct value *size = args[1];
	int32_t sizes[TENSOR_MAX_RANK];
	int64_t known = 1;
	int open = -1;

	if (size->count > TENSOR_MAX_RANK)
		return kernel_fail(c, "%u dimensions are too many", (unsigned)size->count);
	for (unsigned d = 0; d < size->count; d++) {
		sizes[d] = (int32_t)size->as.integers[d];
		if (sizes[d] == -1 && open < 0)
			open = (int)d;
		else if (sizes[d] < 0 || known > INT32_MAX)
			return kernel_fail(c, "size %d of dimension %u is not possible", (int)sizes[d], d);
		else
			known *= sizes[d];
	}
	if (open >= 0)
		sizes[open] = known ? (int32_t)((int64_t)tensor_elements(in) / known) : 0;
	if (open >= 0 ? known * sizes[open] != (int64_t)tensor_elements(in) : known != (int64_t)tensor_elements(in))
		return kernel_fail(c, "%zu elements do not have the shape asked for", tensor_elements(in));
	if (!types_copy(c, out, in) || !kernel_resize(c, out, sizes, size->count))
		return false;
	copy_reshaped(out, in);
	return true;
}

/* The input without dimensions of one element: those in `drop`. */
static bool squeeze(struct kernel_context *c, const struct tensor *in, uint32_t drop, struct tensor *out)
{
	int32_t sizes[TENSOR_MAX_RANK], strides[TENSOR_MAX_RANK];
	unsigned rank = 0;

	for (unsigned d = 0; d < in->rank; d++)
		if (!(drop >> d & 1) || in->sizes[d] != 1) {
			sizes[rank] = in->sizes[d];
			strides[rank++] = in->strides[d];
		}
	if (!types_copy(c, out, in) || !kernel_resize(c, out, sizes, rank))
		return false;
	strided_copy((struct part){ out, 0, out->strides }, (struct part){ in, 0, strides }, sizes, rank, out->order);
	return true;
}

/* squeeze_copy(self, dim or dims, out) */
bool kernel_squeeze_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	const struct value *dims = args[1];
	const bool list = dims->kind == VALUE_INT_LIST;
	uint32_t drop = 0;
	unsigned d;

	for (unsigned i = 0; i < (list ? dims->count : 1); i++) {
		if (!dim_of(c, list ? dims->as.integers[i] : dims->as.integer, in->rank, &d))
			return false;
		drop |= 1u << d;
	}
	return squeeze(c, in, drop, args[2]->as.tensor);
}

/* unsqueeze_copy(self, dim, out) */
bool kernel_unsqueeze_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[2]->as.tensor;
	int32_t sizes[TENSOR_MAX_RANK + 1], strides[TENSOR_MAX_RANK + 1];
	unsigned dim;

	if (in->rank == TENSOR_MAX_RANK || !dim_of(c, args[1]->as.integer, in->rank + 1u, &dim))
		return in->rank == TENSOR_MAX_RANK ? kernel_fail(c, "the input has %u dimensions already", in->rank) : false;
	for (unsigned d = 0; d <= in->rank; d++) {
		sizes[d] = d == dim ? 1 : in->sizes[d - (d > dim)];
		strides[d] = d == dim ? 1 : in->strides[d - (d > dim)];
	}
	if (!types_copy(c, out, in) || !kernel_resize(c, out, sizes, in->rank + 1u))
		return false;
	strided_copy((struct part){ out, 0, out->strides }, (struct part){ in, 0, strides }, sizes, in->rank + 1u, out->order);
	return true;
}
