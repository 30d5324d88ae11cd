/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of what a view of the input shows: other strides and another beginning. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/strided.h"

struct view {
	int32_t sizes[TENSOR_MAX_RANK], strides[TENSOR_MAX_RANK];
	unsigned rank;
	ptrdiff_t at;
};

static struct view view_of(const struct tensor *t)
{
	struct view v = { .rank = t->rank };

	for (unsigned d = 0; d < t->rank; d++) {
		v.sizes[d] = t->sizes[d];
		v.strides[d] = t->strides[d];
	}
	return v;
}

static void view_drop(struct view *v, unsigned dim)
{
	for (v->rank--; dim < v->rank; dim++) {
		v->sizes[dim] = v->sizes[dim + 1];
		v->strides[dim] = v->strides[dim + 1];
	}
}

static bool copy_view(struct kernel_context *c, const struct view *v, const struct tensor *in, struct tensor *out)
{
	if (!types_copy(c, out, in) || !kernel_resize(c, out, v->sizes, v->rank))
		return false;
	strided_copy((struct part){ out, 0, out->strides }, (struct part){ in, v->at, v->strides }, v->sizes, v->rank, out->order);
	return true;
}

/* Copies `in` to where a view of `out` shows. */
static bool copy_into_view(struct kernel_context *c, const struct view *v, const struct tensor *in, struct tensor *out)
{
	if (in->rank != v->rank)
		return kernel_fail(c, "the source has %u dimensions, not %u", in->rank, v->rank);
	for (unsigned d = 0; d < v->rank; d++)
		if (in->sizes[d] != v->sizes[d])
			return kernel_fail(c, "dimension %u of the source is %d, not %d", d, (int)in->sizes[d], (int)v->sizes[d]);
	strided_copy((struct part){ out, v->at, v->strides }, (struct part){ in, 0, in->strides }, v->sizes, v->rank, in->order);
	return true;
}

/* permute_copy(self, dims, out) */
bool kernel_permute_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct view v = view_of(in);
	uint32_t seen = 0;
	unsigned from;

	if (args[1]->count != in->rank)
		return kernel_fail(c, "%u dimensions are named, the input has %u", (unsigned)args[1]->count, in->rank);
	for (unsigned d = 0; d < in->rank; d++) {
		if (!dim_of(c, args[1]->as.integers[d], in->rank, &from))
			return false;
		if (seen >> from & 1)
			return kernel_fail(c, "dimension %u is named twice", from);
		seen |= 1u << from;
		v.sizes[d] = in->sizes[from];
		v.strides[d] = in->strides[from];
	}
	return copy_view(c, &v, in, args[2]->as.tensor);
}

static bool transpose(struct kernel_context *c, const struct tensor *in, unsigned a, unsigned b, struct tensor *out)
{
	struct view v = view_of(in);

	if (in->rank) {
		v.sizes[a] = in->sizes[b];
		v.strides[a] = in->strides[b];
		v.sizes[b] = in->sizes[a];
		v.strides[b] = in->strides[a];
	}
	return copy_view(c, &v, in, out);
}

/* transpose_copy(self, dim0, dim1, out) */
bool kernel_transpose_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	unsigned a, b;

	return dim_of(c, args[1]->as.integer, in->rank, &a) && dim_of(c, args[2]->as.integer, in->rank, &b) &&
	       transpose(c, in, a, b, args[3]->as.tensor);
}

/* t_copy(self, out) */
bool kernel_t_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;

	if (in->rank > 2)
		return kernel_fail(c, "the input has %u dimensions, more than 2", in->rank);
	return transpose(c, in, 0, in->rank ? in->rank - 1u : 0, args[1]->as.tensor);
}

static bool select_view(struct kernel_context *c, const struct tensor *t, const struct value *dim, const struct value *index,
			struct view *v)
{
	int64_t at = index->as.integer;
	unsigned d;

	*v = view_of(t);
	if (!t->rank)
		return kernel_fail(c, "a tensor without dimensions has nothing to select");
	if (!dim_of(c, dim->as.integer, t->rank, &d))
		return false;
	at += at < 0 ? t->sizes[d] : 0;
	if (at < 0 || at >= t->sizes[d])
		return kernel_fail(c, "index %lld is not in a dimension of %d", (long long)index->as.integer, (int)t->sizes[d]);
	v->at = (ptrdiff_t)at * t->strides[d];
	view_drop(v, d);
	return true;
}

/* select_copy(self, dim, index, out) */
bool kernel_select_copy(struct kernel_context *c, struct value *const *args)
{
	struct view v;

	return select_view(c, args[0]->as.tensor, args[1], args[2], &v) &&
	       copy_view(c, &v, args[0]->as.tensor, args[3]->as.tensor);
}

static bool copy_all(struct kernel_context *c, const struct tensor *in, struct tensor *out)
{
	const struct view v = view_of(in);

	return copy_view(c, &v, in, out);
}

/* select_scatter(self, source, dim, index, out) */
bool kernel_select_scatter(struct kernel_context *c, struct value *const *args)
{
	struct tensor *out = args[4]->as.tensor;
	struct view v;

	return copy_all(c, args[0]->as.tensor, out) && select_view(c, out, args[2], args[3], &v) &&
	       copy_into_view(c, &v, args[1]->as.tensor, out);
}

static int64_t within(int64_t x, int64_t size)
{
	x += x < 0 ? size : 0;
	return x < 0 ? 0 : x > size ? size : x;
}

static bool slice_view(struct kernel_context *c, const struct tensor *t, int64_t dim, int64_t start, int64_t end, int64_t step,
		       struct view *v)
{
	unsigned d;

	*v = view_of(t);
	if (!t->rank || step < 1)
		return kernel_fail(c, "step %lld or a tensor without dimensions", (long long)step);
	if (!dim_of(c, dim, t->rank, &d))
		return false;
	start = within(start, t->sizes[d]);
	end = within(end, t->sizes[d]);
	step = step > INT32_MAX ? INT32_MAX : step;
	v->at = (ptrdiff_t)start * t->strides[d];
	v->sizes[d] = end > start ? (int32_t)((end - start - 1) / step + 1) : 0;
	v->strides[d] = v->sizes[d] > 1 ? (int32_t)(t->strides[d] * step) : t->strides[d];
	return true;
}

/* slice_copy(self, dim, start, end, step, out) */
bool kernel_slice_copy(struct kernel_context *c, struct value *const *args)
{
	struct view v;

	return slice_view(c, args[0]->as.tensor, args[1]->as.integer, value_int_or(args[2], 0), value_int_or(args[3], INT32_MAX),
			  args[4]->as.integer, &v) &&
	       copy_view(c, &v, args[0]->as.tensor, args[5]->as.tensor);
}

/* slice_scatter(self, source, dim, start, end, step, out) */
bool kernel_slice_scatter(struct kernel_context *c, struct value *const *args)
{
	struct tensor *out = args[6]->as.tensor;
	struct view v;

	return copy_all(c, args[0]->as.tensor, out) &&
	       slice_view(c, out, args[2]->as.integer, value_int_or(args[3], 0), value_int_or(args[4], INT32_MAX),
			  args[5]->as.integer, &v) &&
	       copy_into_view(c, &v, args[1]->as.tensor, out);
}

/* narrow_copy(self, dim, start, length, out) */
bool kernel_narrow_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	int64_t start = args[2]->as.integer;
	struct view v;
	unsigned d;

	if (!dim_of(c, args[1]->as.integer, in->rank, &d))
		return false;
	if (!in->rank)
		return kernel_fail(c, "a tensor without dimensions has nothing to narrow");
	start += start < 0 ? in->sizes[d] : 0;
	if (start < 0 || args[3]->as.integer < 0 || start > in->sizes[d] || args[3]->as.integer > in->sizes[d] - start)
		return kernel_fail(c, "%lld elements from %lld are not in a dimension of %d", (long long)args[3]->as.integer,
				   (long long)start, (int)in->sizes[d]);
	return slice_view(c, in, d, start, start + args[3]->as.integer, 1, &v) && copy_view(c, &v, in, args[4]->as.tensor);
}

/* diagonal_copy(self, offset, dim1, dim2, out) */
bool kernel_diagonal_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	const int64_t offset = args[1]->as.integer;
	struct view v = view_of(in);
	unsigned a, b;

	if (!dim_of(c, args[2]->as.integer, in->rank, &a) || !dim_of(c, args[3]->as.integer, in->rank, &b))
		return false;
	if (a == b || in->rank < 2)
		return kernel_fail(c, "both dimensions are %u", a);

	const int64_t rows = in->sizes[a] + (offset < 0 ? offset : 0), columns = in->sizes[b] - (offset > 0 ? offset : 0);
	const int64_t n = rows < columns ? rows : columns;
	const int32_t stride = in->strides[a] + in->strides[b];

	if (n > 0)
		v.at = (ptrdiff_t)(offset < 0 ? -offset * in->strides[a] : offset * in->strides[b]);
	view_drop(&v, a > b ? a : b);
	view_drop(&v, a > b ? b : a);
	v.sizes[v.rank] = n > 0 ? (int32_t)n : 0;
	v.strides[v.rank++] = stride;
	return copy_view(c, &v, in, args[4]->as.tensor);
}

/* unfold_copy(self, dim, size, step, out): windows of a dimension become the last one. */
bool kernel_unfold_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	const int64_t size = args[2]->as.integer, step = args[3]->as.integer;
	struct view v = view_of(in);
	unsigned d;

	if (!dim_of(c, args[1]->as.integer, in->rank, &d))
		return false;
	if (!in->rank || in->rank == TENSOR_MAX_RANK)
		return kernel_fail(c, "an input of %u dimensions is not supported", in->rank);
	if (size < 1 || step < 1 || size > in->sizes[d])
		return kernel_fail(c, "windows of %lld with step %lld do not fit into %d", (long long)size, (long long)step,
				   (int)in->sizes[d]);
	v.sizes[v.rank] = (int32_t)size;
	v.strides[v.rank++] = in->strides[d];
	v.sizes[d] = (int32_t)((in->sizes[d] - size) / step + 1);
	v.strides[d] = v.sizes[d] > 1 ? (int32_t)(in->strides[d] * step) : in->strides[d];
	return copy_view(c, &v, in, args[4]->as.tensor);
}

/* as_strided_copy(self, size, stride, storage_offset, out) */
bool kernel_as_strided_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	const int64_t first = value_int_or(args[3], 0), elements = (int64_t)tensor_elements(in);
	struct view v = { .rank = args[1]->count };
	int64_t last = first;

	if (args[1]->count != args[2]->count || v.rank > TENSOR_MAX_RANK || first < 0)
		return kernel_fail(c, "sizes and strides are not of one length, or the offset is negative");
	for (unsigned d = 0; d < v.rank; d++) {
		const int64_t size = args[1]->as.integers[d], stride = args[2]->as.integers[d];

		if (size < 0 || stride < 0 || size > INT32_MAX || stride > INT32_MAX || last > elements)
			return kernel_fail(c, "size %lld with stride %lld leaves the input", (long long)size, (long long)stride);
		last += size ? (size - 1) * stride : 0;
		v.sizes[d] = (int32_t)size;
		v.strides[d] = (int32_t)stride;
	}
	if (last >= elements)
		return kernel_fail(c, "element %lld is not among %lld", (long long)last, (long long)elements);
	v.at = (ptrdiff_t)first;
	return copy_view(c, &v, in, args[4]->as.tensor);
}
