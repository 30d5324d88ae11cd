/* SPDX-License-Identifier: Apache-2.0 */
/* Where numbers lie among others: bucketize, searchsorted, histc. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/strided.h"

#include <math.h>
#include <string.h>

/* Numbers in rising order, `stride` elements apart. */
struct line {
	const struct tensor *tensor;
	ptrdiff_t at;
	int32_t n, stride;
};

/* How a number is looked for: behind the equal ones or before them; as a double, if either side is one. */
struct search {
	bool right, real;
};

static union number read_number(const struct tensor *t, ptrdiff_t at, bool real)
{
	union number x;

	(real ? run_read_doubles : run_read_integers)(&x, element_at(t->data, t->type, at), t->type, 0, 1);
	return x;
}

/* How many numbers of the line come before x; all of them come before a NaN. */
static int32_t place_of(const struct search *s, const struct line *l, union number x)
{
	int32_t first = 0, end = l->n;

	while (first < end) {
		const int32_t middle = first + (end - first) / 2;
		const union number m = read_number(l->tensor, l->at + (ptrdiff_t)middle * l->stride, s->real);
		const bool behind = s->real ? (s->right ? m.d > x.d : m.d >= x.d) : (s->right ? m.i > x.i : m.i >= x.i);

		if (behind)
			end = middle;
		else
			first = middle + 1;
	}
	return first;
}

static void write_place(const struct tensor *out, ptrdiff_t at, int32_t place)
{
	const union number n = { .i = place };

	run_write_integers(element_at(out->data, out->type, at), out->type, 0, &n, 1);
}

/* Offset of element number k in PyTorch's order; with fewer dimensions than all, that of its row. */
static ptrdiff_t offset_of(const struct tensor *t, size_t k, const int32_t *strides, unsigned last)
{
	ptrdiff_t at = 0;

	for (unsigned d = t->rank; d--; k /= (size_t)t->sizes[d])
		if (d < last)
			at += (ptrdiff_t)(k % (size_t)t->sizes[d]) * strides[d];
	return at;
}

/* The places of all numbers of `in` in a sequence of one dimension, or in the row of it that stands at the same place. */
static bool places(struct kernel_context *c, const struct tensor *sequence, const struct tensor *in, bool right, struct tensor *out)
{
	const struct search s = { right, dtype_is_float(sequence->type) || dtype_is_float(in->type) };
	const unsigned last = sequence->rank - 1u;

	if (!sequence->rank || (sequence->rank > 1 && sequence->rank != in->rank))
		return kernel_fail(c, "a sequence of %u dimensions for an input of %u", sequence->rank, in->rank);
	for (unsigned d = 0; d < last; d++)
		if (sequence->sizes[d] != in->sizes[d])
			return kernel_fail(c, "dimension %u of the sequence is %d, that of the input %d", d, (int)sequence->sizes[d],
					   (int)in->sizes[d]);
	if (!dtype_is_integer(out->type))
		return kernel_fail(c, "output of type %s", dtype_name(out->type));
	if (!kernel_resize_like(c, out, in))
		return false;
	for (size_t k = 0; k < tensor_elements(in); k++) {
		const struct line l = { sequence, offset_of(in, k, sequence->strides, last), sequence->sizes[last], sequence->strides[last] };

		write_place(out, offset_of(out, k, out->strides, out->rank),
			    place_of(&s, &l, read_number(in, offset_of(in, k, in->strides, in->rank), s.real)));
	}
	return true;
}

/* The same of a plain number. */
static bool place(struct kernel_context *c, const struct tensor *sequence, const struct value *number, bool right, struct tensor *out)
{
	const struct search s = { right, dtype_is_float(sequence->type) || number->kind == VALUE_DOUBLE };
	const union number x = s.real ? (union number){ .d = value_as_double(number) } : (union number){ .i = value_as_int(number) };

	if (sequence->rank != 1 || !dtype_is_integer(out->type))
		return kernel_fail(c, "a sequence of %u dimensions, an output of type %s", sequence->rank, dtype_name(out->type));
	if (!kernel_resize(c, out, NULL, 0))
		return false;
	write_place(out, 0, place_of(&s, &(struct line){ sequence, 0, sequence->sizes[0], sequence->strides[0] }, x));
	return true;
}

/* bucketize(self, boundaries, out_int32, right, out) */
bool kernel_bucketize(struct kernel_context *c, struct value *const *args)
{
	if (args[0]->kind != VALUE_TENSOR)
		return place(c, args[1]->as.tensor, args[0], args[3]->as.boolean, args[4]->as.tensor);
	if (args[1]->as.tensor->rank != 1)
		return kernel_fail(c, "boundaries of %u dimensions", args[1]->as.tensor->rank);
	return places(c, args[1]->as.tensor, args[0]->as.tensor, args[3]->as.boolean, args[4]->as.tensor);
}

/* searchsorted(sorted_sequence, self, out_int32, right, side, sorter, out) */
bool kernel_searchsorted(struct kernel_context *c, struct value *const *args)
{
	const bool right = args[3]->as.boolean || (!value_is_none(args[4]) && !strcmp(args[4]->as.text, "right"));

	if (!value_is_none(args[5]))
		return kernel_fail(c, "a sorter is not supported");
	if (args[1]->kind != VALUE_TENSOR)
		return place(c, args[0]->as.tensor, args[1], right, args[6]->as.tensor);
	return places(c, args[0]->as.tensor, args[1]->as.tensor, right, args[6]->as.tensor);
}

/* The limits of a histogram whose own are equal: those of the numbers; then one apart on either side. */
static bool limits_of(struct kernel_context *c, const struct tensor *in, double *low, double *high)
{
	const size_t elements = tensor_elements(in);

	if (*low == *high)
		for (size_t k = 0; k < elements; k++) {
			const double x = element_double(element_at(in->data, in->type, (ptrdiff_t)k), in->type);

			*low = !k || x < *low || isnan(x) ? x : *low;
			*high = !k || x > *high || isnan(x) ? x : *high;
		}
	if (*low == *high) {
		*low -= 1;
		*high += 1;
	}
	if (!isfinite(*low) || !isfinite(*high) || *low > *high)
		return kernel_fail(c, "the range of the histogram is not finite, or its end lies before its begin");
	return true;
}

/* histc(self, bins, min, max, out) */
bool kernel_histc(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[4]->as.tensor;
	const int64_t bins = args[1]->as.integer;
	const unsigned type = in->type;
	double low = rounded_to(value_as_double(args[2]), type), high = rounded_to(value_as_double(args[3]), type);

	if (!dtype_is_float(type) || !dtype_is_float(out->type))
		return kernel_fail(c, "input of type %s", dtype_name(type));
	if (bins < 1 || bins > INT32_MAX)
		return kernel_fail(c, "%lld bins", (long long)bins);
	if (!limits_of(c, in, &low, &high) || !kernel_resize(c, out, (int32_t[]){ (int32_t)bins }, 1))
		return false;
	memset(out->data, 0, tensor_bytes(out));
	for (size_t k = 0; k < tensor_elements(in); k++) {
		const double x = element_double(element_at(in->data, type, (ptrdiff_t)k), type);
		union number count;
		int64_t bin;

		if (!(x >= low && x <= high))
			continue;
		bin = (int64_t)rounded_to(rounded_to(rounded_to(x - low, type) * (double)bins, type) / rounded_to(high - low, type), type);
		void *at = element_at(out->data, out->type, (ptrdiff_t)(bin < bins ? bin : bins - 1));

		count.d = element_double(at, out->type) + 1;
		run_write_doubles(at, out->type, 0, &count, 1);
	}
	return true;
}
