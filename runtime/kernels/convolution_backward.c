/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of a convolution: each element of the output's gradient goes, times what it was multiplied with, to the inputs
 * and weights that it came from. */
#include "runtime/kernels/convolution.h"
#include "runtime/kernels/element.h"
#include "runtime/kernels/kernels.h"

#include <string.h>

struct gradients {
	struct convolution v;              /* v.out: the output's gradient */
	const struct tensor *input, *weight, *bias; /* sums; NULL: not wanted */
};

static double read(const struct tensor *t, ptrdiff_t at)
{
	return element_double(element_at(t->data, t->type, at), t->type);
}

static void add_to(const struct tensor *t, ptrdiff_t at, double x)
{
	const union number sum = { .d = read(t, at) + x };

	run_write_doubles(element_at(t->data, t->type, at), t->type, 0, &sum, 1);
}

/* One tap: the input's first channel at `in`, this output channel's first weight at `weights`. */
static void tap(const struct gradients *g, double gradient, ptrdiff_t in, ptrdiff_t weights)
{
	const struct convolution *v = &g->v;
	const int32_t in_step = v->in->strides[1], weight_step = v->weight->strides[v->transposed ? 0 : 1];

	for (int32_t i = 0; i < v->inputs; i++, in += in_step, weights += weight_step) {
		if (g->input)
			add_to(g->input, in, gradient * read(v->weight, weights));
		if (g->weight)
			add_to(g->weight, weights, gradient * read(v->in, in));
	}
}

static void window(const struct gradients *g, const int32_t at[SPACE], double gradient, ptrdiff_t in, ptrdiff_t weights)
{
	const struct axis *a = g->v.axes;

	for (int32_t i = 0; i < a[0].kernel; i++) {
		const int32_t z = convolution_input_behind(&a[0], g->v.transposed, at[0], i);

		for (int32_t j = 0; z >= 0 && j < a[1].kernel; j++) {
			const int32_t y = convolution_input_behind(&a[1], g->v.transposed, at[1], j);

			for (int32_t k = 0; y >= 0 && k < a[2].kernel; k++) {
				const int32_t x = convolution_input_behind(&a[2], g->v.transposed, at[2], k);

				if (x >= 0)
					tap(g, gradient,
					    in + (ptrdiff_t)z * a[0].in_stride + (ptrdiff_t)y * a[1].in_stride + (ptrdiff_t)x * a[2].in_stride,
					    weights + (ptrdiff_t)i * a[0].kernel_stride + (ptrdiff_t)j * a[1].kernel_stride +
						    (ptrdiff_t)k * a[2].kernel_stride);
			}
		}
	}
}

/* All positions of one output channel of one image. */
static void channel(const struct gradients *g, int32_t n, int32_t o)
{
	const struct convolution *v = &g->v;
	const struct axis *a = v->axes;
	const int32_t group = o / v->outputs, within = o % v->outputs;
	const ptrdiff_t in = (ptrdiff_t)n * v->in->strides[0] + (ptrdiff_t)group * v->inputs * v->in->strides[1];
	const ptrdiff_t weights = v->transposed ? (ptrdiff_t)group * v->inputs * v->weight->strides[0] + (ptrdiff_t)within * v->weight->strides[1]
						: (ptrdiff_t)o * v->weight->strides[0];
	const ptrdiff_t from = (ptrdiff_t)n * v->out->strides[0] + (ptrdiff_t)o * v->out->strides[1];
	int32_t at[SPACE];

	for (at[0] = 0; at[0] < a[0].out; at[0]++)
		for (at[1] = 0; at[1] < a[1].out; at[1]++)
			for (at[2] = 0; at[2] < a[2].out; at[2]++) {
				const double x = read(v->out, from + (ptrdiff_t)at[0] * a[0].out_stride + (ptrdiff_t)at[1] * a[1].out_stride +
								      (ptrdiff_t)at[2] * a[2].out_stride);

				if (g->bias)
					add_to(g->bias, o, x);
				if (g->input || g->weight)
					window(g, at, x, in, weights);
			}
}

/* A gradient that is wanted, set to 0; NULL in *sum when it is not. */
static bool begin_sum(struct kernel_context *c, const struct value *mask, unsigned i, struct value *out, const int32_t *sizes,
		      unsigned rank, const int32_t *strides, const struct tensor **sum)
{
	*sum = NULL;
	if (!mask->as.booleans[i])
		return true;
	if (value_is_none(out) || !dtype_is_float(out->as.tensor->type))
		return kernel_fail(c, "there is no tensor of real numbers for gradient %u", i);
	if (!kernel_resize(c, out->as.tensor, sizes, rank))
		return false;
	for (unsigned d = 0; strides && d < rank; d++)
		if (sizes[d] > 1 && out->as.tensor->strides[d] != strides[d])
			return kernel_fail(c, "gradient %u lies in another order than what it belongs to", i);
	memset(out->as.tensor->data, 0, tensor_bytes(out->as.tensor));
	*sum = out->as.tensor;
	return true;
}

/* convolution_backward(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups,
 * output_mask, grad_input, grad_weight, grad_bias) */
bool kernel_convolution_backward(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *given = args[0]->as.tensor, *in = args[1]->as.tensor, *weight = args[2]->as.tensor;
	int32_t sizes[2 + SPACE];
	struct gradients g;

	if (!convolution_read(c, &g.v, in, weight, args + 4, sizes))
		return false;
	if (given->rank != in->rank || memcmp(given->sizes, sizes, in->rank * sizeof *sizes) || args[10]->count != 3 ||
	    !dtype_is_float(given->type))
		return kernel_fail(c, "the gradient of type %s has not the output's shape", dtype_name(given->type));
	convolution_set_output(&g.v, given);
	if (!begin_sum(c, args[10], 0, args[11], in->sizes, in->rank, in->strides, &g.input) ||
	    !begin_sum(c, args[10], 1, args[12], weight->sizes, weight->rank, weight->strides, &g.weight) ||
	    !begin_sum(c, args[10], 2, args[13], &sizes[1], 1, NULL, &g.bias))
		return false;
	for (int32_t n = 0; n < sizes[0]; n++)
		for (int32_t o = 0; o < sizes[1]; o++)
			channel(&g, n, o);
	return true;
}
