/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a table that positions choose, one by one or as bags. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/positions.h"
#include "runtime/kernels/strided.h"

/* embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse, out) */
bool kernel_embedding(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *weight = args[0]->as.tensor, *indices = args[1]->as.tensor;
	struct tensor *out = args[5]->as.tensor;
	const int32_t row_stride = 1;
	int32_t sizes[TENSOR_MAX_RANK], at;

	if (weight->rank != 2 || indices->rank + 1u > TENSOR_MAX_RANK || !is_position(indices->type) ||
	    !tensor_is_contiguous(indices))
		return kernel_fail(c, "a weight of %u dimensions with indices of type %s", weight->rank, dtype_name(indices->type));
	for (unsigned d = 0; d < indices->rank; d++)
		sizes[d] = indices->sizes[d];
	sizes[indices->rank] = weight->sizes[1];
	if (!kernel_resize(c, out, sizes, indices->rank + 1u))
		return false;
	if (!tensor_is_contiguous(out))
		return kernel_fail(c, "the output is not contiguous");
	for (size_t k = 0; k < tensor_elements(indices); k++) {
		if (!position_at(c, indices, (ptrdiff_t)k, weight->sizes[0], &at))
			return false;
		strided_copy((struct part){ out, (ptrdiff_t)k * weight->sizes[1], &row_stride },
			     (struct part){ weight, (ptrdiff_t)at * weight->strides[0], &weight->strides[1] }, &weight->sizes[1], 1, NULL);
	}
	return true;
}

/* Rows of one bag: those that positions first .. end - 1 name. */
struct bag {
	int32_t first, end;
};

enum bag_mode { BAG_SUM, BAG_MEAN, BAG_LARGEST };

struct bags {
	const struct tensor *weight, *indices, *offsets, *factors; /* factors: of each position, or NULL */
	int32_t count, positions;
	enum bag_mode mode;
	bool last_offset; /* the last offset is where the last bag ends */
	int64_t padding;  /* the row that does not count, or -1 */
};

static int64_t number_at(const struct tensor *t, int32_t k)
{
	return element_integer(element_at(t->data, t->type, k), t->type);
}

static struct bag bag_of(const struct bags *b, int32_t k)
{
	const bool has_next = k + 1 < b->count || b->last_offset;

	return (struct bag){ (int32_t)number_at(b->offsets, k), has_next ? (int32_t)number_at(b->offsets, k + 1) : b->positions };
}

/* Indices are rows of the weight, and bags lie one behind the other within them. */
static bool bags_are_sound(struct kernel_context *c, const struct bags *b)
{
	int64_t before = 0;
	int32_t row;

	for (int32_t k = 0; k < b->offsets->sizes[0]; k++) {
		const int64_t offset = number_at(b->offsets, k);

		if (offset < before || offset > b->positions || (!k && offset))
			return kernel_fail(c, "offset %lld lies before another one, or behind the indices", (long long)offset);
		before = offset;
	}
	for (int32_t k = 0; k < b->positions; k++)
		if (!position_at(c, b->indices, k, b->weight->sizes[0], &row))
			return false;
	return true;
}

static bool bags_begin(struct kernel_context *c, struct bags *b, struct value *const *args)
{
	const struct tensor *weight = args[0]->as.tensor, *indices = args[1]->as.tensor, *offsets = args[2]->as.tensor;
	const struct tensor *factors = value_tensor_or_null(args[6]);
	const int64_t mode = args[4]->as.integer;

	if (weight->rank != 2 || !dtype_is_float(weight->type) || indices->rank != 1 || offsets->rank != 1 ||
	    !is_position(indices->type) || !is_position(offsets->type))
		return kernel_fail(c, "a weight of type %s with indices of %u dimensions", dtype_name(weight->type), indices->rank);
	if (mode < BAG_SUM || mode > BAG_LARGEST)
		return kernel_fail(c, "mode %lld does not exist", (long long)mode);
	*b = (struct bags){ .weight = weight, .indices = indices, .offsets = offsets, .factors = factors, .positions = indices->sizes[0],
			    .mode = (enum bag_mode)mode, .last_offset = args[7]->as.boolean, .padding = args[8]->as.integer };
	b->count = offsets->sizes[0] - b->last_offset;
	if (b->count < 0)
		return kernel_fail(c, "there is no last offset");
	if (factors && (b->mode != BAG_SUM || !tensor_same_shape(factors, indices)))
		return kernel_fail(c, "weights of the positions go with sums only, one for each position");
	return bags_are_sound(c, b);
}

/* One number of a bag's result; *rows: how many rows counted, *at: the row of the largest. */
static double bag_number(const struct bags *b, struct bag bag, int32_t column, int32_t *rows, int64_t *at)
{
	double result = 0;

	*rows = 0;
	*at = 0;
	for (int32_t k = bag.first; k < bag.end; k++) {
		const int64_t given = number_at(b->indices, k), row = given < 0 ? given + b->weight->sizes[0] : given;
		double x = element_double(element_at(b->weight->data, b->weight->type, (ptrdiff_t)row * b->weight->strides[0] +
										    (ptrdiff_t)column * b->weight->strides[1]), b->weight->type);

		if (row == b->padding)
			continue;
		if (b->factors)
			x *= element_double(element_at(b->factors->data, b->factors->type, k), b->factors->type);
		if (b->mode != BAG_LARGEST) {
			result += x;
		} else if (!*rows || x > result) {
			result = x;
			*at = row;
		}
		++*rows;
	}
	return b->mode == BAG_MEAN && *rows ? result / *rows : result;
}

static void write_integer(const struct tensor *t, ptrdiff_t at, int64_t x)
{
	run_write_integers(element_at(t->data, t->type, at), t->type, 0, &(union number){ .i = x }, 1);
}

/* Which bag each position lies in. Programs have no room for it where PyTorch needs it not. */
static bool write_bags_of_positions(struct kernel_context *c, const struct bags *b, struct tensor *out)
{
	if (out->rank == 1 && !out->sizes[0])
		return true;
	if (!kernel_resize(c, out, &b->positions, 1))
		return false;
	for (int32_t k = 0; k < b->count; k++)
		for (int32_t i = bag_of(b, k).first; i < bag_of(b, k).end; i++)
			write_integer(out, i, k);
	return true;
}

/* _embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx,
 * output, offset2bag, bag_size, max_indices) */
bool kernel_embedding_bag(struct kernel_context *c, struct value *const *args)
{
	struct tensor *out = args[9]->as.tensor, *sizes = args[11]->as.tensor, *largest = args[12]->as.tensor;
	struct bags b;

	if (!bags_begin(c, &b, args))
		return false;
	const int32_t shape[] = { b.count, b.weight->sizes[1] };

	if (!kernel_resize(c, out, shape, 2) || !write_bags_of_positions(c, &b, args[10]->as.tensor) || !kernel_resize(c, sizes, shape, 1) ||
	    !kernel_resize(c, largest, shape, b.mode == BAG_LARGEST ? 2 : 1))
		return false;
	for (int32_t k = 0; k < b.count; k++) {
		const struct bag bag = bag_of(&b, k);
		int32_t rows = 0;

		for (int32_t column = 0; column < shape[1]; column++) {
			union number x;
			int64_t at;

			x.d = bag_number(&b, bag, column, &rows, &at);
			run_write_doubles(element_at(out->data, out->type, (ptrdiff_t)k * out->strides[0] + (ptrdiff_t)column * out->strides[1]),
					  out->type, 0, &x, 1);
			if (b.mode == BAG_LARGEST)
				write_integer(largest, (ptrdiff_t)k * largest->strides[0] + (ptrdiff_t)column * largest->strides[1], at);
		}
		write_integer(sizes, k, shape[1] ? rows : bag.end - bag.first);
		if (b.mode != BAG_LARGEST)
			write_integer(largest, k, 0);
	}
	return true;
}
