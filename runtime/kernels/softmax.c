/* SPDX-License-Identifier: Apache-2.0 */
/* Softmax and its logarithm along one dimension, and the gated linear unit. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/strided.h"

#include <math.h>

struct line {
	const struct tensor *in, *out;
	ptrdiff_t from, to;
	int32_t n, from_stride, to_stride;
};

static double line_read(const struct line *l, int32_t k)
{
	return element_double(element_at(l->in->data, l->in->type, l->from + (ptrdiff_t)k * l->from_stride), l->in->type);
}

static void line_write(const struct line *l, int32_t k, double x)
{
	const union number n = { .d = x };

	run_write_doubles(element_at(l->out->data, l->out->type, l->to + (ptrdiff_t)k * l->to_stride), l->out->type, 0, &n, 1);
}

static void softmax_line(const struct line *l, bool logarithm)
{
	double most = -INFINITY, sum = 0;

	for (int32_t k = 0; k < l->n; k++) {
		const double x = line_read(l, k);

		most = x > most || isnan(x) ? x : most;
	}
	for (int32_t k = 0; k < l->n; k++)
		sum += exp(line_read(l, k) - most);
	for (int32_t k = 0; k < l->n; k++)
		line_write(l, k, logarithm ? line_read(l, k) - most - log(sum) : exp(line_read(l, k) - most) / sum);
}

static bool softmax(struct kernel_context *c, struct value *const *args, bool logarithm)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[3]->as.tensor;
	struct line l = { .in = in, .out = out, .n = 1 };
	struct walk w;
	unsigned dim;

	if (!dtype_is_float(in->type) || !dtype_is_float(out->type))
		return kernel_fail(c, "from %s to %s is not supported", dtype_name(in->type), dtype_name(out->type));
	if (in->data == out->data && in->type != out->type)
		return kernel_fail(c, "input and output share memory");
	if (!dim_of(c, args[1]->as.integer, in->rank, &dim) || !kernel_resize_like(c, out, in))
		return false;
	if (in->rank) {
		l.n = in->sizes[dim];
		l.from_stride = in->strides[dim];
		l.to_stride = out->strides[dim];
	}
	walk_begin(&w, 2);
	for (unsigned d = 0; d < in->rank; d++)
		if (d != dim)
			walk_add(&w, in->sizes[d], (int32_t[]){ out->strides[d], in->strides[d] });
	walk_ready(&w);
	for (; w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++) {
			l.to = w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0);
			l.from = w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1);
			softmax_line(&l, logarithm);
		}
	return true;
}

/* _softmax, _log_softmax(self, dim, half_to_float, out) */
bool kernel_softmax(struct kernel_context *c, struct value *const *args)
{
	return softmax(c, args, false);
}

bool kernel_log_softmax(struct kernel_context *c, struct value *const *args)
{
	return softmax(c, args, true);
}

/* glu(self, dim, out): the first half times the sigmoid of the second. */
bool kernel_glu(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[2]->as.tensor;
	int32_t sizes[TENSOR_MAX_RANK];
	struct walk w;
	unsigned dim;

	if (!dim_of(c, args[1]->as.integer, in->rank, &dim))
		return false;
	if (!in->rank || in->sizes[dim] % 2 || !dtype_is_float(in->type) || !dtype_is_float(out->type))
		return kernel_fail(c, "a dimension that has no halves, or type %s", dtype_name(in->type));
	for (unsigned d = 0; d < in->rank; d++)
		sizes[d] = d == dim ? in->sizes[d] / 2 : in->sizes[d];
	if (!kernel_resize(c, out, sizes, in->rank))
		return false;
	walk_begin(&w, 2);
	for (unsigned d = 0; d < in->rank; d++)
		walk_add(&w, sizes[d], (int32_t[]){ out->strides[d], in->strides[d] });
	walk_ready(&w);
	for (; w.row; walk_next(&w)) {
		const struct line a = { in, out, w.at[1], w.at[0], w.row, walk_stride(&w, 1), walk_stride(&w, 0) };
		struct line b = a;

		b.from += (ptrdiff_t)sizes[dim] * in->strides[dim];
		for (int32_t k = 0; k < w.row; k++)
			line_write(&a, k, line_read(&a, k) / (1 + exp(-line_read(&b, k))));
	}
	return true;
}
