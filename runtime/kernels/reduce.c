/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, means, products, extremes, truth values and variances along dimensions. Integers are added in 64 bits, real
 * numbers in double: no result is less exact than PyTorch's. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/reduction.h"

#include <math.h>

/* Takes a run into the result so far. */
typedef void fold_function(union number *result, const union number *run, unsigned n);

#define FOLD(name, member, statement) \
	static void name(union number *result, const union number *run, unsigned n) \
	{ \
		for (unsigned k = 0; k < n; k++) { \
			const __typeof__(run->member) x = run[k].member; \
			statement; \
		} \
	}

FOLD(sum_integers, i, result->i = (int64_t)((uint64_t)result->i + (uint64_t)x))
FOLD(sum_doubles, d, result->d += x)
FOLD(product_integers, i, result->i = (int64_t)((uint64_t)result->i * (uint64_t)x))
FOLD(product_doubles, d, result->d *= x)
FOLD(most_integers, i, result->i = x > result->i ? x : result->i)
FOLD(most_doubles, d, result->d = x > result->d || isnan(x) ? x : result->d)
FOLD(least_integers, i, result->i = x < result->i ? x : result->i)
FOLD(least_doubles, d, result->d = x < result->d || isnan(x) ? x : result->d)
FOLD(any_doubles, d, result->d = x != 0 ? 1 : result->d)

struct fold {
	fold_function *integers, *doubles;
	union number integer, real; /* results of no elements */
	bool mean, not_empty;
};

static union number fold_one(const struct fold *f, const struct reduction *r, bool doubles, ptrdiff_t at)
{
	union number result = doubles ? f->real : f->integer;
	struct runs s;

	runs_begin(&s, r, at);
	while (doubles ? runs_next_doubles(&s, r) : runs_next_integers(&s, r))
		(doubles ? f->doubles : f->integers)(&result, s.run, s.n);
	if (f->mean)
		result.d /= (double)r->count;
	return result;
}

/* `doubles`: compute in real numbers. */
static bool fold_all(struct kernel_context *c, const struct fold *f, const struct tensor *in, const struct value *dims,
		     bool keepdim, struct tensor *out, bool doubles)
{
	struct reduction r;

	if (f->mean && !dtype_is_float(out->type))
		return kernel_fail(c, "a mean does not go into an output of type %s", dtype_name(out->type));
	if (!reduction_begin(c, &r, in, dims, keepdim, out, NULL))
		return false;
	if (f->not_empty && !r.count)
		return kernel_fail(c, "a dimension without elements has no extreme");
	for (; r.kept.row; walk_next(&r.kept))
		for (int32_t k = 0; k < r.kept.row; k++) {
			const union number x = fold_one(f, &r, doubles, r.kept.at[1] + (ptrdiff_t)k * walk_stride(&r.kept, 1));
			void *to = element_at(out->data, out->type, r.kept.at[0] + (ptrdiff_t)k * walk_stride(&r.kept, 0));

			if (doubles)
				run_write_doubles(to, out->type, 0, &x, 1);
			else
				run_write_integers(to, out->type, 0, &x, 1);
		}
	return true;
}

static const struct value all_dims = { .kind = VALUE_NONE };
static const struct fold sum_fold = { .integers = sum_integers, .doubles = sum_doubles };
static const struct fold mean_fold = { .doubles = sum_doubles, .mean = true };
static const struct fold product_fold = { product_integers, product_doubles, { .i = 1 }, { .d = 1 }, false, false };
static const struct fold any_fold = { .doubles = any_doubles };
static const struct fold most_fold = { most_integers, most_doubles, { .i = INT64_MIN }, { .d = -INFINITY }, false, true };
static const struct fold least_fold = { least_integers, least_doubles, { .i = INT64_MAX }, { .d = INFINITY }, false, true };

/* Real numbers go in, or the result is one. */
static bool is_real(const struct tensor *in, const struct tensor *out)
{
	return dtype_is_float(in->type) || dtype_is_float(out->type);
}

/* sum(self, dim, keepdim, dtype, out) */
bool kernel_sum(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[4]->as.tensor;

	return fold_all(c, &sum_fold, in, args[1], args[2]->as.boolean, out, is_real(in, out));
}

/* mean(self, dim, keepdim, dtype, out) */
bool kernel_mean(struct kernel_context *c, struct value *const *args)
{
	return fold_all(c, &mean_fold, args[0]->as.tensor, args[1], args[2]->as.boolean, args[4]->as.tensor, true);
}

/* mean(self, dtype, out) */
bool kernel_mean_all(struct kernel_context *c, struct value *const *args)
{
	return fold_all(c, &mean_fold, args[0]->as.tensor, &all_dims, false, args[2]->as.tensor, true);
}

/* prod(self, dim, keepdim, dtype, out) */
bool kernel_prod(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[4]->as.tensor;

	return fold_all(c, &product_fold, in, args[1], args[2]->as.boolean, out, is_real(in, out));
}

/* prod(self, dtype, out) */
bool kernel_prod_all(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[2]->as.tensor;

	return fold_all(c, &product_fold, in, &all_dims, false, out, is_real(in, out));
}

/* amax, amin(self, dim, keepdim, out) */
bool kernel_amax(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;

	return fold_all(c, &most_fold, in, args[1], args[2]->as.boolean, args[3]->as.tensor, dtype_is_float(in->type));
}

bool kernel_amin(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;

	return fold_all(c, &least_fold, in, args[1], args[2]->as.boolean, args[3]->as.tensor, dtype_is_float(in->type));
}

/* max, min(self, out) */
bool kernel_max_all(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;

	return fold_all(c, &most_fold, in, &all_dims, false, args[1]->as.tensor, dtype_is_float(in->type));
}

bool kernel_min_all(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;

	return fold_all(c, &least_fold, in, &all_dims, false, args[1]->as.tensor, dtype_is_float(in->type));
}

/* any(self, dim or dims, keepdim, out) */
bool kernel_any(struct kernel_context *c, struct value *const *args)
{
	return fold_all(c, &any_fold, args[0]->as.tensor, args[1], args[2]->as.boolean, args[3]->as.tensor, true);
}

/* any(self, out) */
bool kernel_any_all(struct kernel_context *c, struct value *const *args)
{
	return fold_all(c, &any_fold, args[0]->as.tensor, &all_dims, false, args[1]->as.tensor, true);
}

/* Sum of squares of the distances from the mean. */
static double squares(const struct reduction *r, ptrdiff_t at, double mean)
{
	struct runs s;
	double sum = 0;

	runs_begin(&s, r, at);
	while (runs_next_doubles(&s, r))
		for (unsigned k = 0; k < s.n; k++)
			sum += (s.run[k].d - mean) * (s.run[k].d - mean);
	return sum;
}

static bool variance(struct kernel_context *c, const struct tensor *in, const struct value *dims, double correction, bool keepdim,
		     struct tensor *out, struct tensor *means)
{
	struct reduction r;

	if (!dtype_is_float(in->type) || !dtype_is_float(out->type))
		return kernel_fail(c, "the variance of %s into %s is not supported", dtype_name(in->type), dtype_name(out->type));
	if (!reduction_begin(c, &r, in, dims, keepdim, out, means))
		return false;
	for (; r.kept.row; walk_next(&r.kept))
		for (int32_t k = 0; k < r.kept.row; k++) {
			const ptrdiff_t at = r.kept.at[1] + (ptrdiff_t)k * walk_stride(&r.kept, 1);
			const union number mean = fold_one(&mean_fold, &r, true, at);
			const double less = (double)r.count - correction;
			const union number x = { .d = squares(&r, at, mean.d) / (less > 0 ? less : 0) };

			run_write_doubles(element_at(out->data, out->type, r.kept.at[0] + (ptrdiff_t)k * walk_stride(&r.kept, 0)),
					  out->type, 0, &x, 1);
			if (means)
				run_write_doubles(element_at(means->data, means->type, r.kept.at[2] + (ptrdiff_t)k * walk_stride(&r.kept, 2)),
						  means->type, 0, &mean, 1);
		}
	return true;
}

/* var(self, dim, correction, keepdim, out) */
bool kernel_var_correction(struct kernel_context *c, struct value *const *args)
{
	return variance(c, args[0]->as.tensor, args[1], value_is_none(args[2]) ? 1 : value_as_double(args[2]), args[3]->as.boolean,
			args[4]->as.tensor, NULL);
}

/* var(self, dim, unbiased, keepdim, out) */
bool kernel_var(struct kernel_context *c, struct value *const *args)
{
	return variance(c, args[0]->as.tensor, args[1], args[2]->as.boolean, args[3]->as.boolean, args[4]->as.tensor, NULL);
}

/* var_mean(self, dim, correction, keepdim, variances, means) */
bool kernel_var_mean(struct kernel_context *c, struct value *const *args)
{
	return variance(c, args[0]->as.tensor, args[1], value_is_none(args[2]) ? 1 : value_as_double(args[2]), args[3]->as.boolean,
			args[4]->as.tensor, args[5]->as.tensor);
}
