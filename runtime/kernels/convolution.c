/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of one, two and three dimensions, in groups and transposed, of any type and order in memory. Missing
 * dimensions in space count as one of size 1. */
#include "runtime/kernels/convolution.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/product.h"

int32_t convolution_input_behind(const struct axis *a, bool transposed, int32_t out, int32_t tap)
{
	int32_t at;

	if (!transposed) {
		at = out * a->stride - a->padding + tap * a->dilation;
		return at < 0 || at >= a->in ? -1 : at;
	}
	at = out + a->padding - tap * a->dilation;
	return at < 0 || at % a->stride || at / a->stride >= a->in ? -1 : at / a->stride;
}

/* Sum over all taps; `from` and `weights` are the first input channel's and this output channel's. */
static union number window(const struct convolution *v, const int32_t at[SPACE], struct vector from, struct vector weights,
			   union number sum)
{
	const struct axis *a = v->axes;
	const ptrdiff_t from_at = from.at, weights_at = weights.at;

	for (int32_t i = 0; i < a[0].kernel; i++) {
		const int32_t z = convolution_input_behind(&a[0], v->transposed, at[0], i);

		for (int32_t j = 0; z >= 0 && j < a[1].kernel; j++) {
			const int32_t y = convolution_input_behind(&a[1], v->transposed, at[1], j);

			for (int32_t k = 0; y >= 0 && k < a[2].kernel; k++) {
				const int32_t x = convolution_input_behind(&a[2], v->transposed, at[2], k);

				if (x < 0)
					continue;
				from.at = from_at + (ptrdiff_t)z * a[0].in_stride + (ptrdiff_t)y * a[1].in_stride +
					  (ptrdiff_t)x * a[2].in_stride;
				weights.at = weights_at + (ptrdiff_t)i * a[0].kernel_stride + (ptrdiff_t)j * a[1].kernel_stride +
					     (ptrdiff_t)k * a[2].kernel_stride;
				sum = product_sum(from, weights, v->inputs, sum);
			}
		}
	}
	return sum;
}

/* All positions of one output channel of one image. */
static void channel(const struct convolution *v, int32_t n, int32_t o)
{
	const struct tensor *in = v->in, *weight = v->weight, *out = v->out;
	const int32_t group = o / v->outputs, within = o % v->outputs;
	const bool real = product_is_real(in, weight);
	const struct vector from = {
		in, (ptrdiff_t)n * in->strides[0] + (ptrdiff_t)group * v->inputs * in->strides[1], in->strides[1] };
	const struct vector weights = v->transposed
		? (struct vector){ weight, (ptrdiff_t)group * v->inputs * weight->strides[0] + (ptrdiff_t)within * weight->strides[1],
				   weight->strides[0] }
		: (struct vector){ weight, (ptrdiff_t)o * weight->strides[0], weight->strides[1] };
	const ptrdiff_t to = (ptrdiff_t)n * out->strides[0] + (ptrdiff_t)o * out->strides[1];
	union number start = { .i = 0 };
	int32_t at[SPACE];

	if (v->bias) {
		const void *b = element_at(v->bias->data, v->bias->type, (ptrdiff_t)o * v->bias->strides[0]);

		if (real)
			start.d = element_double(b, v->bias->type);
		else
			start.i = element_integer(b, v->bias->type);
	}
	for (at[0] = 0; at[0] < v->axes[0].out; at[0]++)
		for (at[1] = 0; at[1] < v->axes[1].out; at[1]++)
			for (at[2] = 0; at[2] < v->axes[2].out; at[2]++) {
				const union number sum = window(v, at, from, weights, start);
				void *p = element_at(out->data, out->type,
						     to + (ptrdiff_t)at[0] * v->axes[0].out_stride +
							     (ptrdiff_t)at[1] * v->axes[1].out_stride +
							     (ptrdiff_t)at[2] * v->axes[2].out_stride);

				if (real)
					run_write_doubles(p, out->type, 0, &sum, 1);
				else
					run_write_integers(p, out->type, 0, &sum, 1);
			}
}

/* One of the lists; a list of one number stands for all dimensions. */
static bool number(struct kernel_context *c, const struct value *list, unsigned i, int32_t low, int32_t *to)
{
	const int64_t x = list->count ? list->as.integers[list->count == 1 ? 0 : i] : -1;

	if (!list->count || (list->count > 1 && i >= list->count) || x < low || x > 4096)
		return kernel_fail(c, "stride, padding or dilation %lld of dimension %u is not supported", (long long)x, i);
	*to = (int32_t)x;
	return true;
}

static int32_t extent(const struct axis *a, bool transposed)
{
	const int64_t reach = (int64_t)a->dilation * (a->kernel - 1) + 1, span = (int64_t)a->in + 2 * a->padding - reach;
	const int64_t n = transposed ? ((int64_t)a->in - 1) * a->stride - 2 * a->padding + reach + a->output_padding
				     : span < 0 ? 0 : span / a->stride + 1;

	return n < 0 || n > INT32_MAX / 2 ? -1 : (int32_t)n;
}

static bool read_axes(struct kernel_context *c, struct convolution *v, struct value *const *windows)
{
	const unsigned space = v->in->rank - 2u;

	for (unsigned i = 0; i < SPACE; i++)
		v->axes[i] = (struct axis){ .in = 1, .out = 1, .kernel = 1, .stride = 1, .dilation = 1 };
	for (unsigned i = 0; i < space; i++) {
		struct axis *a = &v->axes[SPACE - space + i];

		a->in = v->in->sizes[2 + i];
		a->kernel = v->weight->sizes[2 + i];
		a->in_stride = v->in->strides[2 + i];
		a->kernel_stride = v->weight->strides[2 + i];
		if (a->kernel < 1 || a->kernel > 4096)
			return kernel_fail(c, "a window of %d in dimension %u", (int)a->kernel, i);
		if (!number(c, windows[0], i, 1, &a->stride) || !number(c, windows[1], i, 0, &a->padding) ||
		    !number(c, windows[2], i, 1, &a->dilation) ||
		    (v->transposed && !number(c, windows[4], i, 0, &a->output_padding)))
			return false;
		a->out = extent(a, v->transposed);
		if (a->out < 0)
			return kernel_fail(c, "the window does not fit into dimension %u", i);
	}
	return true;
}

bool convolution_read(struct kernel_context *c, struct convolution *v, const struct tensor *in, const struct tensor *weight,
		       struct value *const *windows, int32_t *sizes)
{
	const int64_t groups = windows[5]->as.integer;

	*v = (struct convolution){ .in = in, .weight = weight, .transposed = windows[3]->as.boolean };
	if (in->rank < 3 || in->rank > 2 + SPACE || weight->rank != in->rank)
		return kernel_fail(c, "input of %u and weight of %u dimensions", in->rank, weight->rank);
	if (groups < 1 || groups > in->sizes[1] || in->sizes[1] % groups || weight->sizes[0] % groups)
		return kernel_fail(c, "%d channels are not %lld groups", (int)in->sizes[1], (long long)groups);
	v->groups = (int32_t)groups;
	v->inputs = in->sizes[1] / v->groups;
	v->outputs = v->transposed ? weight->sizes[1] : weight->sizes[0] / v->groups;
	if (v->transposed ? weight->sizes[0] != in->sizes[1] : weight->sizes[1] != v->inputs)
		return kernel_fail(c, "the weight is not for an input of %d channels", (int)in->sizes[1]);
	if (!read_axes(c, v, windows))
		return false;
	sizes[0] = in->sizes[0];
	sizes[1] = v->groups * v->outputs;
	for (unsigned i = 0; i + 2 < in->rank; i++)
		sizes[2 + i] = v->axes[SPACE + 2 - in->rank + i].out;
	return true;
}

void convolution_set_output(struct convolution *v, const struct tensor *out)
{
	v->out = out;
	for (unsigned i = 0; i + 2 < out->rank; i++)
		v->axes[SPACE + 2 - out->rank + i].out_stride = out->strides[2 + i];
}

/* convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, out) */
bool kernel_convolution(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *bias = value_tensor_or_null(args[2]);
	struct tensor *out = args[9]->as.tensor;
	int32_t sizes[2 + SPACE];
	struct convolution v;

	if (!convolution_read(c, &v, args[0]->as.tensor, args[1]->as.tensor, args + 3, sizes))
		return false;
	if (bias && (bias->rank != 1 || bias->sizes[0] != sizes[1]))
		return kernel_fail(c, "bias is not of %d elements", (int)sizes[1]);
	if (!kernel_resize(c, out, sizes, v.in->rank))
		return false;
	convolution_set_output(&v, out);
	v.bias = bias;
	for (int32_t n = 0; n < sizes[0]; n++)
		for (int32_t o = 0; o < sizes[1]; o++)
			channel(&v, n, o);
	return true;
}
