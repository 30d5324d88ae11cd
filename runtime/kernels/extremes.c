/* SPDX-License-Identifier: Apache-2.0 */
/* Where extremes lie: argmax, argmin, max and min with positions. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/reduction.h"
#include "runtime/kernels/strided.h"

#include <math.h>

struct best {
	double value;
	int64_t exact; /* the same of integers */
	int64_t at;
};

static bool better(double a, int64_t i, const struct best *b, bool real, bool largest)
{
	if (!real)
		return largest ? i > b->exact : i < b->exact;
	if (isnan(b->value))
		return false;
	return isnan(a) || (largest ? a > b->value : a < b->value);
}

/* The first extreme; a NaN is more extreme than any number. */
static struct best find(const struct reduction *r, ptrdiff_t at, bool largest)
{
	const bool real = dtype_is_float(r->in->type);
	struct best best = { 0, 0, -1 };
	int64_t position = 0;
	struct runs s;

	runs_begin(&s, r, at);
	while (real ? runs_next_doubles(&s, r) : runs_next_integers(&s, r))
		for (unsigned k = 0; k < s.n; k++, position++) {
			const double x = real ? s.run[k].d : 0;
			const int64_t i = real ? 0 : s.run[k].i;

			if (best.at < 0 || better(x, i, &best, real, largest))
				best = (struct best){ x, i, position };
		}
	return best;
}

/* Positions, and values where `values` is given. */
static bool extremes(struct kernel_context *c, const struct tensor *in, const struct value *dims, bool keepdim,
		     struct tensor *positions, struct tensor *values, bool largest)
{
	struct reduction r;

	if (!reduction_begin(c, &r, in, dims, keepdim, positions, values))
		return false;
	if (!r.count)
		return kernel_fail(c, "a dimension without elements has no extreme");
	for (; r.kept.row; walk_next(&r.kept))
		for (int32_t k = 0; k < r.kept.row; k++) {
			const struct best b = find(&r, r.kept.at[1] + (ptrdiff_t)k * walk_stride(&r.kept, 1), largest);
			const union number at = { .i = b.at }, exact = { .i = b.exact }, value = { .d = b.value };
			void *to;

			run_write_integers(element_at(positions->data, positions->type,
						      r.kept.at[0] + (ptrdiff_t)k * walk_stride(&r.kept, 0)), positions->type, 0, &at, 1);
			if (!values)
				continue;
			to = element_at(values->data, values->type, r.kept.at[2] + (ptrdiff_t)k * walk_stride(&r.kept, 2));
			if (dtype_is_float(in->type))
				run_write_doubles(to, values->type, 0, &value, 1);
			else
				run_write_integers(to, values->type, 0, &exact, 1);
		}
	return true;
}

/* argmax, argmin(self, dim, keepdim, out) */
bool kernel_argmax(struct kernel_context *c, struct value *const *args)
{
	return extremes(c, args[0]->as.tensor, args[1], args[2]->as.boolean, args[3]->as.tensor, NULL, true);
}

bool kernel_argmin(struct kernel_context *c, struct value *const *args)
{
	return extremes(c, args[0]->as.tensor, args[1], args[2]->as.boolean, args[3]->as.tensor, NULL, false);
}

/* max, min(self, dim, keepdim, values, positions) */
bool kernel_max_dim(struct kernel_context *c, struct value *const *args)
{
	return extremes(c, args[0]->as.tensor, args[1], args[2]->as.boolean, args[4]->as.tensor, args[3]->as.tensor, true);
}

bool kernel_min_dim(struct kernel_context *c, struct value *const *args)
{
	return extremes(c, args[0]->as.tensor, args[1], args[2]->as.boolean, args[4]->as.tensor, args[3]->as.tensor, false);
}
