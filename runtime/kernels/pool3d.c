/* SPDX-License-Identifier: Apache-2.0 */
/* Largest values and averages of windows in three dimensions. */
#include "runtime/kernels/element.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/pool_axis.h"

#include <math.h>

#define AXES 3 /* depth, height, width */

struct pool {
	const struct tensor *in;
	struct tensor *out, *second; /* second: where the largest values lie, or NULL */
	struct pool_axis axes[AXES];
	unsigned first;              /* dimension of the tensors that is axis 0 */
};

struct box {
	struct pool_span spans[AXES];
};

static int64_t count_of(const struct box *b, bool with_padding)
{
	int64_t count = 1;

	for (unsigned k = 0; k < AXES; k++)
		count *= with_padding ? b->spans[k].size : pool_inside(&b->spans[k]);
	return count;
}

static bool begin(struct kernel_context *c, struct pool *v, const struct tensor *in, struct tensor *out, struct tensor *second)
{
	*v = (struct pool){ .in = in, .out = out, .second = second, .first = in->rank - AXES };
	if (in->rank != AXES + 1 && in->rank != AXES + 2)
		return kernel_fail(c, "the input has %u dimensions, not 4 or 5", in->rank);
	for (unsigned k = 0; k < AXES; k++)
		v->axes[k] = (struct pool_axis){ .in = in->sizes[v->first + k], .kernel = 1, .stride = 1, .dilation = 1 };
	return true;
}

/* kernel size, stride and padding are args[1..3] */
static bool windows(struct kernel_context *c, struct pool *v, struct value *const *args, const struct value *dilation, bool ceil_mode)
{
	const struct value *stride = args[2]->count ? args[2] : args[1];

	for (unsigned k = 0; k < AXES; k++) {
		struct pool_axis *a = &v->axes[k];

		if (!pool_number(c, args[1], AXES, k, 1, "kernel size", &a->kernel) ||
		    !pool_number(c, stride, AXES, k, 1, "stride", &a->stride) ||
		    !pool_number(c, args[3], AXES, k, 0, "padding", &a->padding) ||
		    (dilation && !pool_number(c, dilation, AXES, k, 1, "dilation", &a->dilation)))
			return false;
		if (a->padding > a->kernel / 2)
			return kernel_fail(c, "padding is more than half the kernel size");
		a->out = pool_extent(a, ceil_mode);
		if (!a->out)
			return kernel_fail(c, "the window is larger than the input's %d with its padding", (int)a->in);
	}
	return true;
}

static bool resize(struct kernel_context *c, struct pool *v)
{
	int32_t sizes[AXES + 2];

	for (unsigned d = 0; d < v->in->rank; d++)
		sizes[d] = d < v->first ? v->in->sizes[d] : v->axes[d - v->first].out;
	return kernel_resize(c, v->out, sizes, v->in->rank) && (!v->second || kernel_resize(c, v->second, sizes, v->in->rank));
}

/* Offset of the element that the first `dims` numbers of an index name. */
static ptrdiff_t offset_of(const struct tensor *t, const int32_t *index, unsigned dims)
{
	ptrdiff_t at = 0;

	for (unsigned d = 0; d < dims; d++)
		at += (ptrdiff_t)index[d] * t->strides[d];
	return at;
}

/* A loop over the inputs of a window. */
#define EACH_OF_WINDOW(b, z, y, x) \
	for (int32_t z = (b)->spans[0].first; z < (b)->spans[0].end; z += (b)->spans[0].step) \
		for (int32_t y = (b)->spans[1].first; y < (b)->spans[1].end; y += (b)->spans[1].step) \
			for (int32_t x = (b)->spans[2].first; x < (b)->spans[2].end; x += (b)->spans[2].step)

static double read(const struct pool *v, ptrdiff_t plane, int32_t z, int32_t y, int32_t x)
{
	const int32_t *strides = v->in->strides + v->first;

	return element_double(element_at(v->in->data, v->in->type, plane + (ptrdiff_t)z * strides[0] + (ptrdiff_t)y * strides[1] +
									 (ptrdiff_t)x * strides[2]), v->in->type);
}

/* The largest value; *at: where it lies, counted through depth, height and width. */
static double largest(const struct pool *v, ptrdiff_t plane, const struct box *b, int64_t *at)
{
	const int64_t height = v->axes[1].in, width = v->axes[2].in;
	double most = -INFINITY;

	*at = (b->spans[0].first * height + b->spans[1].first) * width + b->spans[2].first;
	EACH_OF_WINDOW(b, z, y, x) {
		const double value = read(v, plane, z, y, x);

		if (value > most || isnan(value)) {
			most = value;
			*at = (z * height + y) * width + x;
		}
	}
	return most;
}

static double sum_of(const struct pool *v, ptrdiff_t plane, const struct box *b)
{
	double sum = 0;

	EACH_OF_WINDOW(b, z, y, x)
		sum += read(v, plane, z, y, x);
	return sum;
}

/* What is made of a window's values. */
struct result {
	int64_t divisor;   /* of an average; 0: the window's size */
	bool with_padding; /* which counts, too */
};

static void write_one(const struct pool *v, const int32_t *index, const struct box *b, const struct result *r)
{
	const ptrdiff_t plane = offset_of(v->in, index, v->first), to = offset_of(v->out, index, v->in->rank);
	union number value, at;

	if (v->second) {
		value.d = largest(v, plane, b, &at.i);
		run_write_integers(element_at(v->second->data, v->second->type, offset_of(v->second, index, v->in->rank)), v->second->type, 0,
				   &at, 1);
	} else {
		value.d = sum_of(v, plane, b) / (double)(r->divisor ? r->divisor : count_of(b, r->with_padding));
	}
	run_write_doubles(element_at(v->out->data, v->out->type, to), v->out->type, 0, &value, 1);
}

static void write_all(const struct pool *v, struct pool_span (*span)(const struct pool_axis *a, int32_t out), const struct result *r)
{
	int32_t index[AXES + 2] = { 0 };

	for (size_t n = tensor_elements(v->out); n--;) {
		struct box b;

		for (unsigned k = 0; k < AXES; k++)
			b.spans[k] = span(&v->axes[k], index[v->first + k]);
		write_one(v, index, &b, r);
		for (unsigned d = v->in->rank; d-- && ++index[d] == v->out->sizes[d];)
			index[d] = 0;
	}
}

/* max_pool3d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode, out, indices) */
bool kernel_max_pool3d(struct kernel_context *c, struct value *const *args)
{
	struct pool v;

	if (!begin(c, &v, args[0]->as.tensor, args[6]->as.tensor, args[7]->as.tensor) ||
	    !windows(c, &v, args, args[4], args[5]->as.boolean) || !resize(c, &v))
		return false;
	write_all(&v, pool_window, NULL);
	return true;
}

/* avg_pool3d(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, out) */
bool kernel_avg_pool3d(struct kernel_context *c, struct value *const *args)
{
	const struct result r = { value_int_or(args[6], 0), args[5]->as.boolean };
	struct pool v;

	if (!value_is_none(args[6]) && !r.divisor)
		return kernel_fail(c, "divisor_override is 0");
	if (!begin(c, &v, args[0]->as.tensor, args[7]->as.tensor, NULL) || !windows(c, &v, args, NULL, args[4]->as.boolean) ||
	    !resize(c, &v))
		return false;
	write_all(&v, pool_window, &r);
	return true;
}

static bool adaptive(struct kernel_context *c, struct pool *v, const struct value *size)
{
	for (unsigned k = 0; k < AXES; k++)
		if (!pool_number(c, size, AXES, k, 0, "output size", &v->axes[k].out))
			return false;
	if (!resize(c, v))
		return false;
	for (unsigned k = 0; k < AXES; k++)
		if (!v->axes[k].in && tensor_elements(v->out))
			return kernel_fail(c, "the input has no elements to share");
	write_all(v, pool_share, &(struct result){ 0 });
	return true;
}

/* _adaptive_avg_pool3d(self, output_size, out) */
bool kernel_adaptive_avg_pool3d(struct kernel_context *c, struct value *const *args)
{
	struct pool v;

	return begin(c, &v, args[0]->as.tensor, args[2]->as.tensor, NULL) && adaptive(c, &v, args[1]);
}

/* adaptive_max_pool3d(self, output_size, out, indices) */
bool kernel_adaptive_max_pool3d(struct kernel_context *c, struct value *const *args)
{
	struct pool v;

	return begin(c, &v, args[0]->as.tensor, args[2]->as.tensor, args[3]->as.tensor) && adaptive(c, &v, args[1]);
}
