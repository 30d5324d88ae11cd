/* SPDX-License-Identifier: Apache-2.0 */
/* The element that has a certain place in the order of its line: median, nanmedian, kthvalue, mode. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/sort.h"
#include "runtime/kernels/strided.h"

#include <math.h>

/* Which of the n elements of an ordered line (of doubles, if is_real) is the result. */
typedef int32_t choose_function(const struct ranked *line, int32_t n, bool is_real, int64_t parameter);

static int32_t numbers_of(const struct ranked *line, int32_t n, bool is_real)
{
	while (is_real && n && isnan(line[n - 1].value.d))
		n--;
	return n;
}

/* The lower one of two in the middle; a NaN if there is one. */
static int32_t choose_median(const struct ranked *line, int32_t n, bool is_real, int64_t parameter)
{
	const int32_t numbers = numbers_of(line, n, is_real);

	(void)parameter;
	return numbers < n ? numbers : (n - 1) / 2;
}

static int32_t choose_nanmedian(const struct ranked *line, int32_t n, bool is_real, int64_t parameter)
{
	const int32_t numbers = numbers_of(line, n, is_real);

	(void)parameter;
	return numbers ? (numbers - 1) / 2 : 0;
}

static int32_t choose_kth(const struct ranked *line, int32_t n, bool is_real, int64_t parameter)
{
	(void)line, (void)n, (void)is_real;
	return (int32_t)parameter - 1;
}

static bool is_equal(const struct ranked *a, const struct ranked *b, bool is_real)
{
	return is_real ? a->value.d == b->value.d : a->value.i == b->value.i;
}

/* The smallest of those that occur most often, and of these the last. */
static int32_t choose_mode(const struct ranked *line, int32_t n, bool is_real, int64_t parameter)
{
	int32_t best = 0, most = 0;

	(void)parameter;
	for (int32_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && is_equal(&line[first], &line[end], is_real); end++)
			;
		if (end - first > most) {
			most = end - first;
			best = end - 1;
		}
	}
	return best;
}

/* The result of one line into element `value` of values and, where these are given, its place into element `place` of positions. */
static void write_chosen(const struct order *o, ptrdiff_t from, int32_t at, const struct tensor *values, ptrdiff_t value,
			 const struct tensor *positions, ptrdiff_t place)
{
	const ptrdiff_t step = o->in->rank ? (ptrdiff_t)at * o->in->strides[o->dim] : 0;
	const union number n = { .i = at };

	run_copy(element_at(values->data, values->type, value), values->type, 1, element_at(o->in->data, o->in->type, from + step),
		 o->in->type, 1, 1);
	if (positions)
		run_write_integers(element_at(positions->data, positions->type, place), positions->type, 0, &n, 1);
}

/* Strides of an output in the dimensions of the input: one that is gone has none. */
static void strides_of(const struct tensor *out, const struct tensor *in, unsigned dim, bool keepdim, int32_t *strides)
{
	for (unsigned d = 0, k = 0; d < in->rank; d++)
		strides[d] = d == dim && !keepdim ? 0 : out->strides[k++];
}

/* For each line along a dimension one element and its place. */
static bool choose(struct kernel_context *c, const struct tensor *in, const struct value *dim, bool keepdim, struct tensor *values,
		   struct tensor *positions, choose_function *function, int64_t parameter)
{
	int32_t sizes[TENSOR_MAX_RANK], value_strides[TENSOR_MAX_RANK], position_strides[TENSOR_MAX_RANK];
	struct ranked *room;
	struct order o;
	struct walk w;
	unsigned rank = 0;

	if (!order_begin(c, &o, in, dim->as.integer, false))
		return false;
	if (!o.n || parameter < 1 || parameter > o.n)
		return kernel_fail(c, "element %lld of %d does not exist", (long long)parameter, (int)o.n);
	for (unsigned d = 0; d < in->rank; d++)
		if (d != o.dim || keepdim)
			sizes[rank++] = d == o.dim ? 1 : in->sizes[d];
	room = kernel_temp(c, 2 * sizeof *room * (size_t)o.n);
	if (!room || !kernel_resize(c, values, sizes, rank) || !kernel_resize(c, positions, sizes, rank))
		return false;
	strides_of(values, in, o.dim, keepdim, value_strides);
	strides_of(positions, in, o.dim, keepdim, position_strides);
	walk_begin(&w, 3);
	for (unsigned d = 0; d < in->rank; d++)
		if (d != o.dim)
			walk_add(&w, in->sizes[d], (int32_t[]){ value_strides[d], in->strides[d], position_strides[d] });
	walk_ready(&w);
	for (; w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++) {
			const ptrdiff_t from = w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1);
			const struct ranked *line = rank_all(&o, room, from);

			write_chosen(&o, from, line[function(line, o.n, o.is_real, parameter)].at, values,
				     w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0), positions, w.at[2] + (ptrdiff_t)k * walk_stride(&w, 2));
		}
	return true;
}

/* kthvalue(self, k, dim, keepdim, values, positions) */
bool kernel_kthvalue(struct kernel_context *c, struct value *const *args)
{
	return choose(c, args[0]->as.tensor, args[2], args[3]->as.boolean, args[4]->as.tensor, args[5]->as.tensor, choose_kth,
		      args[1]->as.integer);
}

/* median, nanmedian, mode(self, dim, keepdim, values, positions) */
bool kernel_median_dim(struct kernel_context *c, struct value *const *args)
{
	return choose(c, args[0]->as.tensor, args[1], args[2]->as.boolean, args[3]->as.tensor, args[4]->as.tensor, choose_median, 1);
}

bool kernel_nanmedian_dim(struct kernel_context *c, struct value *const *args)
{
	return choose(c, args[0]->as.tensor, args[1], args[2]->as.boolean, args[3]->as.tensor, args[4]->as.tensor, choose_nanmedian, 1);
}

bool kernel_mode(struct kernel_context *c, struct value *const *args)
{
	return choose(c, args[0]->as.tensor, args[1], args[2]->as.boolean, args[3]->as.tensor, args[4]->as.tensor, choose_mode, 1);
}

/* Of all elements: the line is the memory, whose order does not matter. Of none it is NaN, as in PyTorch. */
static bool choose_of_all(struct kernel_context *c, struct value *const *args, choose_function *function)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[1]->as.tensor;
	int32_t size = (int32_t)tensor_elements(in), stride = 1;
	const struct tensor flat = { .data = in->data, .sizes = &size, .strides = &stride, .type = in->type, .rank = 1 };
	const struct order o = { .in = &flat, .n = size, .is_real = dtype_is_float(in->type) };
	const struct ranked *line;
	struct ranked *room;

	room = kernel_temp(c, 2 * sizeof *room * (size_t)size);
	if (!room || !kernel_resize(c, out, NULL, 0))
		return false;
	if (!size) {
		run_write_doubles(out->data, out->type, 0, &(union number){ .d = NAN }, 1);
		return true;
	}
	line = rank_all(&o, room, 0);
	write_chosen(&o, 0, line[function(line, size, o.is_real, 1)].at, out, 0, NULL, 0);
	return true;
}

/* median, nanmedian(self, out) */
bool kernel_median(struct kernel_context *c, struct value *const *args)
{
	return choose_of_all(c, args, choose_median);
}

bool kernel_nanmedian(struct kernel_context *c, struct value *const *args)
{
	return choose_of_all(c, args, choose_nanmedian);
}
