/* SPDX-License-Identifier: Apache-2.0 */
/* Largest values and averages of windows in two dimensions, and what of a gradient the largest values get. */
#include "runtime/kernels/element.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/pool_axis.h"

#include <math.h>
#include <string.h>

struct pool {
	const struct tensor *in, *out, *second;
	struct pool_axis y, x;
	int32_t in_row, in_column, out_row, out_column; /* strides */
	int32_t planes; /* images times channels */
};

/* First element of plane p. */
static ptrdiff_t plane_at(const struct tensor *t, int32_t p)
{
	if (t->rank == 3)
		return (ptrdiff_t)p * t->strides[0];
	return (ptrdiff_t)(p / t->sizes[1]) * t->strides[0] + (ptrdiff_t)(p % t->sizes[1]) * t->strides[1];
}

static double read(const struct pool *v, ptrdiff_t plane, int32_t y, int32_t x)
{
	return element_double(element_at(v->in->data, v->in->type, plane + (ptrdiff_t)y * v->in_row + (ptrdiff_t)x * v->in_column),
			      v->in->type);
}

static void write(const struct tensor *t, ptrdiff_t at, double x)
{
	const union number n = { .d = x };

	run_write_doubles(element_at(t->data, t->type, at), t->type, 0, &n, 1);
}

/* Largest value and where it lies (row times width plus column). */
static double largest(const struct pool *v, ptrdiff_t plane, struct pool_span rows, struct pool_span columns, int64_t *at)
{
	double most = -INFINITY;

	*at = (int64_t)rows.first * v->x.in + columns.first;
	for (int32_t y = rows.first; y < rows.end; y += v->y.dilation)
		for (int32_t x = columns.first; x < columns.end; x += v->x.dilation) {
			const double value = read(v, plane, y, x);

			if (value > most || isnan(value)) {
				most = value;
				*at = (int64_t)y * v->x.in + x;
			}
		}
	return most;
}

static double sum_of(const struct pool *v, ptrdiff_t plane, struct pool_span rows, struct pool_span columns)
{
	double sum = 0;

	for (int32_t y = rows.first; y < rows.end; y++)
		for (int32_t x = columns.first; x < columns.end; x++)
			sum += read(v, plane, y, x);
	return sum;
}

/* A list of one or two numbers. */
static bool pair(struct kernel_context *c, const struct value *list, int32_t low, const char *what, int32_t *y, int32_t *x)
{
	return pool_number(c, list, 2, 0, low, what, y) && pool_number(c, list, 2, 1, low, what, x);
}

static bool resize(struct kernel_context *c, struct pool *v, struct tensor *out, struct tensor *second)
{
	const unsigned rank = v->in->rank;
	int32_t sizes[4];

	for (unsigned d = 0; d < rank; d++)
		sizes[d] = d + 2 < rank ? v->in->sizes[d] : d + 2 == rank ? v->y.out : v->x.out;
	if (!kernel_resize(c, out, sizes, rank) || (second && !kernel_resize(c, second, sizes, rank)))
		return false;
	v->out = out;
	v->second = second;
	v->out_row = out->strides[rank - 2];
	v->out_column = out->strides[rank - 1];
	return true;
}

static bool begin(struct kernel_context *c, struct pool *v, const struct tensor *in)
{
	*v = (struct pool){ .in = in };
	if (in->rank != 3 && in->rank != 4)
		return kernel_fail(c, "the input has %u dimensions, not 3 or 4", in->rank);
	v->y = (struct pool_axis){ .in = in->sizes[in->rank - 2], .dilation = 1 };
	v->x = (struct pool_axis){ .in = in->sizes[in->rank - 1], .dilation = 1 };
	v->in_row = in->strides[in->rank - 2];
	v->in_column = in->strides[in->rank - 1];
	v->planes = in->rank == 3 ? in->sizes[0] : in->sizes[0] * in->sizes[1];
	return true;
}

/* kernel, stride, padding from args[1..3] */
static bool windows(struct kernel_context *c, struct pool *v, struct value *const *args)
{
	if (!begin(c, v, args[0]->as.tensor) || !pair(c, args[1], 1, "kernel size", &v->y.kernel, &v->x.kernel) ||
	    !pair(c, args[2]->count ? args[2] : args[1], 1, "stride", &v->y.stride, &v->x.stride) ||
	    !pair(c, args[3], 0, "padding", &v->y.padding, &v->x.padding))
		return false;
	if (v->y.padding > v->y.kernel / 2 || v->x.padding > v->x.kernel / 2)
		return kernel_fail(c, "padding is more than half the kernel size");
	return true;
}

/* One output's largest value and where it lies. */
static void write_largest(const struct pool *v, int32_t p, int32_t y, int32_t x, struct pool_span rows, struct pool_span columns)
{
	const struct tensor *indices = v->second;
	const unsigned r = v->out->rank;
	union number at;

	write(v->out, plane_at(v->out, p) + (ptrdiff_t)y * v->out_row + (ptrdiff_t)x * v->out_column,
	      largest(v, plane_at(v->in, p), rows, columns, &at.i));
	run_write_integers(element_at(indices->data, indices->type,
				      plane_at(indices, p) + (ptrdiff_t)y * indices->strides[r - 2] + (ptrdiff_t)x * indices->strides[r - 1]),
			   indices->type, 0, &at, 1);
}

/* max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode, out, indices) */
bool kernel_max_pool2d(struct kernel_context *c, struct value *const *args)
{
	struct pool v;

	if (!windows(c, &v, args) || !pair(c, args[4], 1, "dilation", &v.y.dilation, &v.x.dilation))
		return false;
	v.y.out = pool_extent(&v.y, args[5]->as.boolean);
	v.x.out = pool_extent(&v.x, args[5]->as.boolean);
	if (!resize(c, &v, args[6]->as.tensor, args[7]->as.tensor))
		return false;
	for (int32_t p = 0; p < v.planes; p++)
		for (int32_t y = 0; y < v.y.out; y++)
			for (int32_t x = 0; x < v.x.out; x++)
				write_largest(&v, p, y, x, pool_window(&v.y, y), pool_window(&v.x, x));
	return true;
}

/* max_pool2d_with_indices_backward(grad_output, self, kernel_size, stride, padding, dilation, ceil_mode, indices, grad_input):
 * the windows do not matter, as the indices say where each largest value lay. */
bool kernel_max_pool2d_backward(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *given = args[0]->as.tensor, *self = args[1]->as.tensor, *indices = args[7]->as.tensor;
	struct tensor *out = args[8]->as.tensor;
	struct pool from, to;

	if (!begin(c, &from, given) || !begin(c, &to, self) || !kernel_resize_like(c, out, self))
		return false;
	if (from.planes != to.planes || !tensor_same_shape(given, indices) || out->type != given->type || !dtype_is_float(out->type))
		return kernel_fail(c, "gradient, indices and input do not agree");
	memset(out->data, 0, tensor_bytes(out));
	for (int32_t p = 0; p < from.planes; p++)
		for (int32_t y = 0; y < from.y.in; y++)
			for (int32_t x = 0; x < from.x.in; x++) {
				const unsigned r = given->rank;
				const ptrdiff_t in_indices = plane_at(indices, p) + (ptrdiff_t)y * indices->strides[r - 2] +
							     (ptrdiff_t)x * indices->strides[r - 1];
				const int64_t at = element_integer(element_at(indices->data, indices->type, in_indices), indices->type);
				ptrdiff_t sum;

				if (at < 0 || at >= (int64_t)to.y.in * to.x.in)
					return kernel_fail(c, "index %lld lies outside of the input", (long long)at);
				sum = plane_at(out, p) + (ptrdiff_t)(at / to.x.in) * out->strides[r - 2] +
				      (ptrdiff_t)(at % to.x.in) * out->strides[r - 1];
				write(out, sum, element_double(element_at(out->data, out->type, sum), out->type) +
							read(&from, plane_at(given, p), y, x));
			}
	return true;
}

/* avg_pool2d(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, out) */
bool kernel_avg_pool2d(struct kernel_context *c, struct value *const *args)
{
	const int64_t divisor = value_int_or(args[6], 0);
	struct pool v;

	if (!windows(c, &v, args))
		return false;
	if (!value_is_none(args[6]) && !divisor)
		return kernel_fail(c, "divisor_override is 0");
	v.y.out = pool_extent(&v.y, args[4]->as.boolean);
	v.x.out = pool_extent(&v.x, args[4]->as.boolean);
	if (!resize(c, &v, args[7]->as.tensor, NULL))
		return false;
	for (int32_t p = 0; p < v.planes; p++)
		for (int32_t y = 0; y < v.y.out; y++)
			for (int32_t x = 0; x < v.x.out; x++) {
				const struct pool_span rows = pool_window(&v.y, y), columns = pool_window(&v.x, x);
				const int64_t all = (int64_t)rows.size * columns.size;
				const int64_t inside = (int64_t)pool_inside(&rows) * pool_inside(&columns);

				write(v.out, plane_at(v.out, p) + (ptrdiff_t)y * v.out_row + (ptrdiff_t)x * v.out_column,
				      sum_of(&v, plane_at(v.in, p), rows, columns) /
					      (double)(divisor ? divisor : args[5]->as.boolean ? all : inside));
			}
	return true;
}

/* _adaptive_avg_pool2d(self, output_size, out) */
bool kernel_adaptive_avg_pool2d(struct kernel_context *c, struct value *const *args)
{
	struct pool v;

	if (!begin(c, &v, args[0]->as.tensor) || !pair(c, args[1], 1, "output size", &v.y.out, &v.x.out) ||
	    !resize(c, &v, args[2]->as.tensor, NULL))
		return false;
	for (int32_t p = 0; p < v.planes; p++)
		for (int32_t y = 0; y < v.y.out; y++)
			for (int32_t x = 0; x < v.x.out; x++) {
				const struct pool_span rows = pool_share(&v.y, y), columns = pool_share(&v.x, x);

				write(v.out, plane_at(v.out, p) + (ptrdiff_t)y * v.out_row + (ptrdiff_t)x * v.out_column,
				      sum_of(&v, plane_at(v.in, p), rows, columns) / ((double)pool_inside(&rows) * pool_inside(&columns)));
			}
	return true;
}

/* adaptive_max_pool2d(self, output_size, out, indices) */
bool kernel_adaptive_max_pool2d(struct kernel_context *c, struct value *const *args)
{
	struct pool v;

	if (!begin(c, &v, args[0]->as.tensor) || !pair(c, args[1], 1, "output size", &v.y.out, &v.x.out) ||
	    !resize(c, &v, args[2]->as.tensor, args[3]->as.tensor))
		return false;
	for (int32_t p = 0; p < v.planes; p++)
		for (int32_t y = 0; y < v.y.out; y++)
			for (int32_t x = 0; x < v.x.out; x++)
				write_largest(&v, p, y, x, pool_share(&v.y, y), pool_share(&v.x, x));
	return true;
}
