/* SPDX-License-Identifier: Apache-2.0 */
/* Running results along a dimension: sums, products, logarithms of sums of powers, extremes. */
#include "runtime/kernels/element.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/strided.h"

#include <math.h>

enum cumulation { SUMS, PRODUCTS, LOG_SUMS };

/* The logarithm of exp(a) + exp(b), without powers that are too large. */
static double log_of_sum(double a, double b)
{
	const double most = a > b ? a : b, least = a > b ? b : a;

	if (isnan(a) || isnan(b))
		return NAN;
	return isinf(most) ? most : most + log1p(exp(least - most));
}

/* The running result with one element more. */
static union number accumulate(union number a, union number x, bool real, enum cumulation what)
{
	if (real)
		return (union number){ .d = what == PRODUCTS ? a.d * x.d : what == SUMS ? a.d + x.d : log_of_sum(a.d, x.d) };
	return (union number){ .i = (int64_t)(what == PRODUCTS ? (uint64_t)a.i * (uint64_t)x.i : (uint64_t)a.i + (uint64_t)x.i) };
}

static bool cumulate(struct kernel_context *c, struct value *const *args, struct tensor *out, enum cumulation what)
{
	const struct tensor *in = args[0]->as.tensor;
	const bool real = dtype_is_float(out->type);
	const double nothing = what == LOG_SUMS ? -INFINITY : what == PRODUCTS;
	const union number first = real ? (union number){ .d = nothing } : (union number){ .i = what == PRODUCTS };
	struct walk w;
	unsigned dim;

	if (!dim_of(c, args[1]->as.integer, in->rank, &dim) || !kernel_resize_like(c, out, in))
		return false;
	walk_lines(&w, dim, in, out, NULL);
	for (; w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++) {
			union number now = first, x;

			for (int32_t i = 0; i < (in->rank ? in->sizes[dim] : 1); i++) {
				const ptrdiff_t step = in->rank ? i : 0;
				const void *from = element_at(in->data, in->type, w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1) +
									 step * (in->rank ? in->strides[dim] : 0));
				void *to = element_at(out->data, out->type, w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0) +
								    step * (in->rank ? out->strides[dim] : 0));

				(real ? run_read_doubles : run_read_integers)(&x, from, in->type, 0, 1);
				now = accumulate(now, x, real, what);
				(real ? run_write_doubles : run_write_integers)(to, out->type, 0, &now, 1);
			}
		}
	return true;
}

/* cumsum, cumprod(self, dim, dtype, out) */
bool kernel_cumsum(struct kernel_context *c, struct value *const *args)
{
	return cumulate(c, args, args[3]->as.tensor, SUMS);
}

bool kernel_cumprod(struct kernel_context *c, struct value *const *args)
{
	return cumulate(c, args, args[3]->as.tensor, PRODUCTS);
}

/* logcumsumexp(self, dim, out) */
bool kernel_logcumsumexp(struct kernel_context *c, struct value *const *args)
{
	struct tensor *out = args[2]->as.tensor;

	if (!dtype_is_float(out->type))
		return kernel_fail(c, "output of type %s", dtype_name(out->type));
	return cumulate(c, args, out, LOG_SUMS);
}

static union number read_number(const struct tensor *t, ptrdiff_t at)
{
	union number x;

	(dtype_is_float(t->type) ? run_read_doubles : run_read_integers)(&x, element_at(t->data, t->type, at), t->type, 0, 1);
	return x;
}

/* The largest or smallest so far stays unless x is no less extreme; a NaN stays, and only a NaN replaces it. */
static bool takes_over(union number x, union number best, bool is_real, bool largest)
{
	if (!is_real)
		return largest ? x.i >= best.i : x.i <= best.i;
	return isnan(x.d) || (!isnan(best.d) && (largest ? x.d >= best.d : x.d <= best.d));
}

/* cummax, cummin(self, dim, values, positions) */
static bool running_extremes(struct kernel_context *c, struct value *const *args, bool largest)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *values = args[2]->as.tensor, *positions = args[3]->as.tensor;
	struct walk w;
	unsigned dim;

	if (!dim_of(c, args[1]->as.integer, in->rank, &dim) || !kernel_resize_like(c, values, in) || !kernel_resize_like(c, positions, in))
		return false;
	if (values->type != in->type)
		return kernel_fail(c, "values of type %s", dtype_name(values->type));
	walk_lines(&w, dim, in, values, positions);
	for (; w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++) {
			union number best = { 0 }, place = { 0 };

			for (int32_t i = 0; i < (in->rank ? in->sizes[dim] : 1); i++) {
				const ptrdiff_t step = i, at[] = { w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0) + (in->rank ? step * values->strides[dim] : 0),
								   w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1) + (in->rank ? step * in->strides[dim] : 0),
								   w.at[2] + (ptrdiff_t)k * walk_stride(&w, 2) + (in->rank ? step * positions->strides[dim] : 0) };
				const union number x = read_number(in, at[1]);

				if (!i || takes_over(x, best, dtype_is_float(in->type), largest)) {
					best = x;
					place.i = i;
				}
				(dtype_is_float(in->type) ? run_write_doubles : run_write_integers)(element_at(values->data, values->type, at[0]),
												    values->type, 0, &best, 1);
				run_write_integers(element_at(positions->data, positions->type, at[2]), positions->type, 0, &place, 1);
			}
		}
	return true;
}

bool kernel_cummax(struct kernel_context *c, struct value *const *args)
{
	return running_extremes(c, args, true);
}

bool kernel_cummin(struct kernel_context *c, struct value *const *args)
{
	return running_extremes(c, args, false);
}
