/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors made of numbers alone. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/strided.h"

#include <math.h>

/* Writes one number to all elements. */
static void fill_all(const struct tensor *out, const struct value *number)
{
	const size_t n = tensor_elements(out);
	union number run[RUN];

	for (unsigned k = 0; k < RUN; k++)
		if (dtype_is_float(out->type) || number->kind == VALUE_DOUBLE)
			run[k].d = value_as_double(number);
		else
			run[k].i = value_as_int(number);
	for (size_t done = 0; done < n; done += RUN) {
		void *to = element_at(out->data, out->type, (ptrdiff_t)done);
		const unsigned part = (unsigned)(n - done < RUN ? n - done : RUN);

		if (dtype_is_float(out->type) || number->kind == VALUE_DOUBLE)
			run_write_doubles(to, out->type, 1, run, part);
		else
			run_write_integers(to, out->type, 1, run, part);
	}
}

static bool full_of(struct kernel_context *c, struct tensor *out, const struct value *size, const struct value *number)
{
	if (!kernel_resize_list(c, out, size))
		return false;
	fill_all(out, number);
	return true;
}

/* full(size, fill_value, out) */
bool kernel_full(struct kernel_context *c, struct value *const *args)
{
	return full_of(c, args[2]->as.tensor, args[0], args[1]);
}

/* zeros(size, out) and ones(size, out) */
bool kernel_zeros(struct kernel_context *c, struct value *const *args)
{
	return full_of(c, args[1]->as.tensor, args[0], &(struct value){ .kind = VALUE_INT, .as.integer = 0 });
}

bool kernel_ones(struct kernel_context *c, struct value *const *args)
{
	return full_of(c, args[1]->as.tensor, args[0], &(struct value){ .kind = VALUE_INT, .as.integer = 1 });
}

/* empty(size, format or order, out): zeros, so that results do not depend on what was in memory. */
bool kernel_empty(struct kernel_context *c, struct value *const *args)
{
	return full_of(c, args[2]->as.tensor, args[0], &(struct value){ .kind = VALUE_INT, .as.integer = 0 });
}

/* full_like(self, fill_value, memory_format, out) */
bool kernel_full_like(struct kernel_context *c, struct value *const *args)
{
	if (!kernel_resize_like(c, args[3]->as.tensor, args[0]->as.tensor))
		return false;
	fill_all(args[3]->as.tensor, args[1]);
	return true;
}

/* fill(self, value, out); the value may be a tensor of one element. */
bool kernel_fill(struct kernel_context *c, struct value *const *args)
{
	struct tensor *out = args[2]->as.tensor;
	struct value number = *args[1];

	if (number.kind == VALUE_TENSOR) {
		const struct tensor *t = number.as.tensor;

		if (tensor_elements(t) != 1)
			return kernel_fail(c, "the value has %zu elements, not one", tensor_elements(t));
		number.kind = dtype_is_float(t->type) ? VALUE_DOUBLE : VALUE_INT;
		if (number.kind == VALUE_DOUBLE)
			number.as.number = element_double(t->data, t->type);
		else
			number.as.integer = element_integer(t->data, t->type);
	}
	if (!kernel_resize_like(c, out, args[0]->as.tensor))
		return false;
	fill_all(out, &number);
	return true;
}

/* scalar_tensor(value, out) */
bool kernel_scalar_tensor(struct kernel_context *c, struct value *const *args)
{
	if (!kernel_resize(c, args[1]->as.tensor, (int32_t[]){ 0 }, 0))
		return false;
	fill_all(args[1]->as.tensor, args[0]);
	return true;
}

static bool arange(struct kernel_context *c, const struct value *start, const struct value *end, const struct value *step,
		   struct tensor *out)
{
	const double first = value_as_double(start), by = value_as_double(step);
	const double count = ceil((value_as_double(end) - first) / by);
	union number n;

	if (!(by != 0) || !(count >= 0) || count > INT32_MAX)
		return kernel_fail(c, "start, end and step give no list");
	if (!kernel_resize(c, out, (int32_t[]){ (int32_t)count }, 1))
		return false;
	for (int32_t k = 0; k < (int32_t)count; k++) {
		void *to = element_at(out->data, out->type, k);

		if (start->kind != VALUE_DOUBLE && step->kind != VALUE_DOUBLE) {
			n.i = value_as_int(start) + value_as_int(step) * k;
			run_write_integers(to, out->type, 0, &n, 1);
		} else {
			n.d = first + by * k;
			run_write_doubles(to, out->type, 0, &n, 1);
		}
	}
	return true;
}

/* arange(end, out) */
bool kernel_arange(struct kernel_context *c, struct value *const *args)
{
	return arange(c, &(struct value){ .kind = VALUE_INT, .as.integer = 0 }, args[0],
		      &(struct value){ .kind = VALUE_INT, .as.integer = 1 }, args[1]->as.tensor);
}

/* arange(start, end, step, out) */
bool kernel_arange_start(struct kernel_context *c, struct value *const *args)
{
	return arange(c, args[0], args[1], args[2], args[3]->as.tensor);
}

/* Where row i of a triangle begins and ends: the diagonal of an offset crosses it at column i + offset. */
static int64_t column_within(int64_t column, int64_t columns)
{
	return column < 0 ? 0 : column > columns ? columns : column;
}

static int64_t row_start(int64_t i, int64_t columns, int64_t offset, bool below)
{
	return below ? 0 : column_within(i + offset, columns);
}

static int64_t row_end(int64_t i, int64_t columns, int64_t offset, bool below)
{
	return below ? column_within(i + offset + 1, columns) : columns;
}

/* Rows, then columns, of the places of a matrix on and below a diagonal, or on and above it, row by row */
static bool triangle(struct kernel_context *c, struct value *const *args, bool below)
{
	const int64_t rows = args[0]->as.integer, columns = args[1]->as.integer, offset = args[2]->as.integer;
	struct tensor *out = args[3]->as.tensor;
	int64_t count = 0, k = 0;

	if (rows < 0 || columns < 0 || rows > INT32_MAX || columns > INT32_MAX || offset > INT32_MAX || offset < INT32_MIN)
		return kernel_fail(c, "a matrix of %lld x %lld, diagonal %lld", (long long)rows, (long long)columns, (long long)offset);
	for (int64_t i = 0; i < rows && count <= INT32_MAX; i++)
		count += row_end(i, columns, offset, below) - row_start(i, columns, offset, below);
	if (count > INT32_MAX)
		return kernel_fail(c, "more places than a tensor holds");
	if (!kernel_resize(c, out, (int32_t[]){ 2, (int32_t)count }, 2))
		return false;
	for (int64_t i = 0; i < rows; i++)
		for (int64_t j = row_start(i, columns, offset, below); j < row_end(i, columns, offset, below); j++, k++) {
			const union number row = { .i = i }, column = { .i = j };

			run_write_integers(element_at(out->data, out->type, (ptrdiff_t)k * out->strides[1]), out->type, 0, &row, 1);
			run_write_integers(element_at(out->data, out->type, out->strides[0] + (ptrdiff_t)k * out->strides[1]), out->type, 0,
					   &column, 1);
		}
	return true;
}

/* tril_indices(row, col, offset, out) */
bool kernel_tril_indices(struct kernel_context *c, struct value *const *args)
{
	return triangle(c, args, true);
}

/* triu_indices(row, col, offset, out) */
bool kernel_triu_indices(struct kernel_context *c, struct value *const *args)
{
	return triangle(c, args, false);
}

/* tril(self, diagonal, out): what lies above the diagonal becomes 0. */
bool kernel_tril(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[2]->as.tensor;
	const union number zero = { .i = 0 };
	struct walk w;

	if (in->rank < 2)
		return kernel_fail(c, "the input has %u dimensions, fewer than 2", in->rank);
	if (!kernel_resize_like(c, out, in))
		return false;

	const int32_t rows = in->sizes[in->rank - 2], columns = in->sizes[in->rank - 1];
	const int32_t row_stride = out->strides[in->rank - 2], column_stride = out->strides[in->rank - 1];

	strided_copy((struct part){ out, 0, out->strides }, (struct part){ in, 0, in->strides }, in->sizes, in->rank, out->order);
	walk_begin(&w, 1);
	for (unsigned d = 0; d + 2 < in->rank; d++)
		walk_add(&w, in->sizes[d], &out->strides[d]);
	walk_ready(&w);
	for (; w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++)
			for (int32_t i = 0; i < rows; i++)
				for (int64_t j = i + args[1]->as.integer + 1 > 0 ? i + args[1]->as.integer + 1 : 0; j < columns; j++)
					run_write_integers(element_at(out->data, out->type, w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0) +
										  (ptrdiff_t)i * row_stride + (ptrdiff_t)j * column_stride),
							   out->type, 0, &zero, 1);
	return true;
}
