/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix products of any type. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/product.h"

/* A matrix within a tensor. */
struct matrix {
	const struct tensor *tensor;
	ptrdiff_t at;
	int32_t rows, columns, row_stride, column_stride;
};

static struct matrix matrix_of(const struct tensor *t, ptrdiff_t at)
{
	const unsigned r = t->rank - 2u, k = t->rank - 1u;

	return (struct matrix){ t, at, t->sizes[r], t->sizes[k], t->strides[r], t->strides[k] };
}

static struct matrix transposed(struct matrix m)
{
	return (struct matrix){ m.tensor, m.at, m.columns, m.rows, m.column_stride, m.row_stride };
}

static void write(const struct matrix *out, int32_t i, int32_t j, union number x, bool real)
{
	void *to = element_at(out->tensor->data, out->tensor->type,
			      out->at + (ptrdiff_t)i * out->row_stride + (ptrdiff_t)j * out->column_stride);

	if (real)
		run_write_doubles(to, out->tensor->type, 0, &x, 1);
	else
		run_write_integers(to, out->tensor->type, 0, &x, 1);
}

/* What is added to each product: beta * add[i, j], and the factor of the product itself. */
struct addition {
	const struct tensor *tensor; /* NULL: nothing; broadcast to the output */
	const struct value *beta, *alpha;
};

static union number with_addition(const struct addition *a, int32_t i, int32_t j, union number x, bool real)
{
	const struct tensor *t = a->tensor;
	ptrdiff_t at = 0;

	if (!t)
		return x;
	if (t->rank == 2 && t->sizes[0] > 1)
		at += (ptrdiff_t)i * t->strides[0];
	if (t->rank && t->sizes[t->rank - 1] > 1)
		at += (ptrdiff_t)j * t->strides[t->rank - 1];

	const void *from = element_at(t->data, t->type, at);

	if (real)
		x.d = (a->alpha ? value_as_double(a->alpha) * x.d : x.d) +
		      (a->beta ? value_as_double(a->beta) * element_double(from, t->type) : element_double(from, t->type));
	else
		x.i = (a->alpha ? value_as_int(a->alpha) * x.i : x.i) +
		      (a->beta ? value_as_int(a->beta) * element_integer(from, t->type) : element_integer(from, t->type));
	return x;
}

static void multiply(const struct matrix *out, const struct matrix *a, const struct matrix *b, const struct addition *add)
{
	const bool real = product_is_real(a->tensor, b->tensor);
	const union number zero = { .i = 0 };

	for (int32_t i = 0; i < a->rows; i++)
		for (int32_t j = 0; j < b->columns; j++) {
			const struct vector row = { a->tensor, a->at + (ptrdiff_t)i * a->row_stride, a->column_stride };
			const struct vector column = { b->tensor, b->at + (ptrdiff_t)j * b->column_stride, b->row_stride };

			write(out, i, j, with_addition(add, i, j, product_sum(row, column, a->columns, zero), real), real);
		}
}

static bool fits(struct kernel_context *c, const struct matrix *a, const struct matrix *b)
{
	return a->columns == b->rows || kernel_fail(c, "matrices of %d columns and %d rows do not multiply", (int)a->columns,
						    (int)b->rows);
}

static bool product(struct kernel_context *c, const struct tensor *a, const struct tensor *b, const struct addition *add,
		    struct tensor *out)
{
	struct matrix left, right, to;

	if (a->rank != 2 || b->rank != 2)
		return kernel_fail(c, "matrices of %u and %u dimensions", a->rank, b->rank);
	left = matrix_of(a, 0);
	right = matrix_of(b, 0);
	if (!fits(c, &left, &right) || !kernel_resize(c, out, (int32_t[]){ left.rows, right.columns }, 2))
		return false;
	to = matrix_of(out, 0);
	multiply(&to, &left, &right, add);
	return true;
}

/* mm(self, mat2, out) */
bool kernel_mm(struct kernel_context *c, struct value *const *args)
{
	return product(c, args[0]->as.tensor, args[1]->as.tensor, &(struct addition){ 0 }, args[2]->as.tensor);
}

static bool broadcasts(const struct tensor *t, int32_t rows, int32_t columns)
{
	return t->rank <= 2 && (t->rank < 1 || t->sizes[t->rank - 1] == 1 || t->sizes[t->rank - 1] == columns) &&
	       (t->rank < 2 || t->sizes[0] == 1 || t->sizes[0] == rows);
}

/* addmm(self, mat1, mat2, beta, alpha, out) */
bool kernel_addmm(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *a = args[1]->as.tensor, *b = args[2]->as.tensor;
	const struct addition add = { args[0]->as.tensor, args[3], args[4] };

	if (a->rank != 2 || b->rank != 2 || !broadcasts(add.tensor, a->sizes[0], b->sizes[1]))
		return kernel_fail(c, "self does not broadcast to the product");
	return product(c, a, b, &add, args[5]->as.tensor);
}

/* bmm(self, mat2, out) */
bool kernel_bmm(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *a = args[0]->as.tensor, *b = args[1]->as.tensor;
	struct tensor *out = args[2]->as.tensor;

	if (a->rank != 3 || b->rank != 3 || a->sizes[0] != b->sizes[0] || a->sizes[2] != b->sizes[1])
		return kernel_fail(c, "the inputs are no batches of matrices that multiply");
	if (!kernel_resize(c, out, (int32_t[]){ a->sizes[0], a->sizes[1], b->sizes[2] }, 3))
		return false;
	for (int32_t n = 0; n < a->sizes[0]; n++) {
		const struct matrix left = matrix_of(a, (ptrdiff_t)n * a->strides[0]);
		const struct matrix right = matrix_of(b, (ptrdiff_t)n * b->strides[0]);
		const struct matrix to = matrix_of(out, (ptrdiff_t)n * out->strides[0]);

		multiply(&to, &left, &right, &(struct addition){ 0 });
	}
	return true;
}

/* linear(input, weight, bias, out) */
bool kernel_linear(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor, *weight = args[1]->as.tensor;
	const struct addition add = { .tensor = value_tensor_or_null(args[2]) };
	struct tensor *out = args[3]->as.tensor;
	int32_t sizes[TENSOR_MAX_RANK], rows = 1;
	struct matrix left, right, to;

	if (!in->rank || weight->rank != 2 || in->sizes[in->rank - 1] != weight->sizes[1] ||
	    (add.tensor && !broadcasts(add.tensor, 1, weight->sizes[0])))
		return kernel_fail(c, "input, weight and bias do not agree");
	for (unsigned d = 0; d < in->rank; d++) {
		sizes[d] = d + 1 < in->rank ? in->sizes[d] : weight->sizes[0];
		rows *= d + 1 < in->rank ? in->sizes[d] : 1;
	}
	if (!kernel_resize(c, out, sizes, in->rank))
		return false;
	if (!tensor_is_contiguous(in) || !tensor_is_contiguous(out))
		return kernel_fail(c, "input and output are not both contiguous");
	left = (struct matrix){ in, 0, rows, weight->sizes[1], weight->sizes[1], 1 };
	right = transposed(matrix_of(weight, 0));
	to = (struct matrix){ out, 0, rows, weight->sizes[0], weight->sizes[0], 1 };
	multiply(&to, &left, &right, &add);
	return true;
}
