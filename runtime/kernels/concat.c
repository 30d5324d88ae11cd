/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors put together along a dimension, and taken apart. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/strided.h"

/* An empty tensor of one dimension goes with everything (as in PyTorch). */
static bool is_nothing(const struct tensor *t)
{
	return t->rank == 1 && !t->sizes[0];
}

static bool same_but(const struct tensor *a, const struct tensor *b, unsigned dim)
{
	for (unsigned d = 0; d < a->rank; d++)
		if (d != dim && (b->rank != a->rank || a->sizes[d] != b->sizes[d]))
			return false;
	return a->rank == b->rank;
}

/* cat(tensors, dim, out) */
bool kernel_cat(struct kernel_context *c, struct value *const *args)
{
	const struct value *list = args[0];
	struct tensor *const *in = list->as.tensors, *out = args[2]->as.tensor;
	const struct tensor *model = NULL;
	int32_t sizes[TENSOR_MAX_RANK];
	int64_t total = 0;
	ptrdiff_t at = 0;
	unsigned dim;

	for (unsigned i = 0; i < list->count; i++)
		if (!model && !is_nothing(in[i]))
			model = in[i];
	if (!model)
		return list->count ? kernel_resize(c, out, (int32_t[]){ 0 }, 1) : kernel_fail(c, "there are no tensors");
	if (!dim_of(c, args[1]->as.integer, model->rank, &dim))
		return false;
	if (!model->rank)
		return kernel_fail(c, "tensors without dimensions cannot be put together");
	for (unsigned i = 0; i < list->count; i++) {
		if (!is_nothing(in[i]) && !same_but(model, in[i], dim))
			return kernel_fail(c, "tensor %u differs in more than dimension %u", i, dim);
		total += is_nothing(in[i]) ? 0 : in[i]->sizes[dim];
	}
	for (unsigned d = 0; d < model->rank; d++)
		sizes[d] = d == dim ? (int32_t)total : model->sizes[d];
	if (!kernel_resize(c, out, sizes, model->rank))
		return false;
	for (unsigned i = 0; i < list->count; i++) {
		if (is_nothing(in[i]))
			continue;
		strided_copy((struct part){ out, at, out->strides }, (struct part){ in[i], 0, in[i]->strides }, in[i]->sizes,
			     out->rank, out->order);
		at += (ptrdiff_t)in[i]->sizes[dim] * out->strides[dim];
	}
	return true;
}

/* A tensor's strides with dimension `dim` left out. */
static void strides_without(int32_t *to, const struct tensor *t, unsigned dim)
{
	for (unsigned d = 0; d < t->rank; d++)
		if (d != dim)
			*to++ = t->strides[d];
}

/* stack(tensors, dim, out) */
bool kernel_stack(struct kernel_context *c, struct value *const *args)
{
	const struct value *list = args[0];
	struct tensor *const *in = list->as.tensors, *out = args[2]->as.tensor;
	int32_t sizes[TENSOR_MAX_RANK + 1], strides[TENSOR_MAX_RANK];
	unsigned dim, rank;

	if (!list->count || in[0]->rank == TENSOR_MAX_RANK)
		return kernel_fail(c, "there are no tensors, or they have too many dimensions");
	rank = in[0]->rank + 1u;
	if (!dim_of(c, args[1]->as.integer, rank, &dim))
		return false;
	for (unsigned i = 1; i < list->count; i++)
		if (!tensor_same_shape(in[0], in[i]))
			return kernel_fail(c, "tensor %u has another shape than the first", i);
	for (unsigned d = 0; d < rank; d++)
		sizes[d] = d == dim ? (int32_t)list->count : in[0]->sizes[d - (d > dim)];
	if (!kernel_resize(c, out, sizes, rank))
		return false;
	strides_without(strides, out, dim);
	for (unsigned i = 0; i < list->count; i++)
		strided_copy((struct part){ out, (ptrdiff_t)i * out->strides[dim], strides },
			     (struct part){ in[i], 0, in[i]->strides }, in[i]->sizes, in[i]->rank, in[i]->order);
	return true;
}

/* Outputs in a list: the executor does not check that they may be written. */
static bool are_outputs(struct kernel_context *c, const struct value *list)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->as.tensors[i]->is_constant)
			return kernel_fail(c, "output %u is a constant", i);
	return true;
}

/* An output gets `count` elements of the dimension, from `from` on. */
static bool take(struct kernel_context *c, const struct tensor *in, unsigned dim, int64_t from, int64_t count, struct tensor *out)
{
	int32_t sizes[TENSOR_MAX_RANK];

	if (count < 0 || from + count > in->sizes[dim])
		return kernel_fail(c, "%lld elements from %lld are not in a dimension of %d", (long long)count, (long long)from,
				   (int)in->sizes[dim]);
	for (unsigned d = 0; d < in->rank; d++)
		sizes[d] = d == dim ? (int32_t)count : in->sizes[d];
	if (!kernel_resize(c, out, sizes, in->rank))
		return false;
	strided_copy((struct part){ out, 0, out->strides },
		     (struct part){ in, (ptrdiff_t)from * in->strides[dim], in->strides }, sizes, in->rank, out->order);
	return true;
}

/* split_copy(self, split_size, dim, outputs) and split_with_sizes_copy(self, split_sizes, dim, outputs) */
bool kernel_split_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	const bool list = args[1]->kind == VALUE_INT_LIST;
	const struct value *outs = args[3];
	int64_t from = 0;
	unsigned dim;

	if (!are_outputs(c, outs) || !dim_of(c, args[2]->as.integer, in->rank, &dim))
		return false;
	if (!in->rank)
		return kernel_fail(c, "a tensor without dimensions cannot be taken apart");
	if (list && args[1]->count != outs->count)
		return kernel_fail(c, "there are %u sizes for %u outputs", (unsigned)args[1]->count, (unsigned)outs->count);
	for (unsigned i = 0; i < outs->count; i++) {
		const int64_t left = in->sizes[dim] - from;
		int64_t count = list ? args[1]->as.integers[i] : args[1]->as.integer;

		count = !list && count > left ? left : count;
		if (!take(c, in, dim, from, count, outs->as.tensors[i]))
			return false;
		from += count;
	}
	return from == in->sizes[dim] || kernel_fail(c, "the outputs take %lld of %d elements", (long long)from, (int)in->sizes[dim]);
}

/* unbind_copy(self, dim, outputs) */
bool kernel_unbind_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	const struct value *outs = args[2];
	int32_t sizes[TENSOR_MAX_RANK], strides[TENSOR_MAX_RANK];
	unsigned dim, rank = 0;

	if (!are_outputs(c, outs) || !dim_of(c, args[1]->as.integer, in->rank, &dim))
		return false;
	if (!in->rank)
		return kernel_fail(c, "a tensor without dimensions cannot be taken apart");
	if (outs->count != (uint32_t)in->sizes[dim])
		return kernel_fail(c, "there are %u outputs for a dimension of %d", (unsigned)outs->count, (int)in->sizes[dim]);
	strides_without(strides, in, dim);
	for (unsigned d = 0; d < in->rank; d++)
		if (d != dim)
			sizes[rank++] = in->sizes[d];
	for (unsigned i = 0; i < outs->count; i++) {
		struct tensor *out = outs->as.tensors[i];

		if (!kernel_resize(c, out, sizes, rank))
			return false;
		strided_copy((struct part){ out, 0, out->strides }, (struct part){ in, (ptrdiff_t)i * in->strides[dim], strides },
			     sizes, rank, out->order);
	}
	return true;
}
