/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kernels/cortex_m/window.h"

#define LARGEST 4096 /* of stride, padding, dilation, in elements */

bool convolution_windows(struct kernel_context *c, struct convolution *v, struct value *const *args)
{
	if (v->kernel.h < 1 || v->kernel.w < 1 || v->kernel.h > LARGEST || v->kernel.w > LARGEST || v->in.h > 1 << 24 ||
	    v->in.w > 1 << 24)
		return kernel_fail(c, "a window of %d x %d is not supported", (int)v->kernel.h, (int)v->kernel.w);
	return check_pair(c, args[0], 1, LARGEST, "stride", &v->stride) &&
	       check_pair(c, args[1], 0, LARGEST, "padding", &v->padding) &&
	       check_pair(c, args[2], 1, LARGEST, "dilation", &v->dilation);
}

/* Along one axis; 0: the window does not fit. */
static int32_t window_count(int32_t in, int32_t kernel, int32_t stride, int32_t padding, int32_t dilation)
{
	const int32_t span = in + 2 * padding - dilation * (kernel - 1) - 1;

	return span < 0 ? 0 : span / stride + 1;
}

void convolution_set_extent(struct convolution *v)
{
	v->out.h = window_count(v->in.h, v->kernel.h, v->stride.h, v->padding.h, v->dilation.h);
	v->out.w = window_count(v->in.w, v->kernel.w, v->stride.w, v->padding.w, v->dilation.w);
}

bool convolution_begin(struct kernel_context *c, struct convolution *v, struct value *const *args,
		       struct value *const *windows, struct nhwc *weight)
{
	const struct tensor *in = args[0]->as.tensor, *weights = args[1]->as.tensor;

	if (!check_nhwc(c, in, "input", &v->in) || !check_nhwc(c, weights, "weight", weight))
		return false;
	if (!tensor_is_contiguous(weights))
		return kernel_fail(c, "weight is not contiguous");
	v->weights = weights->data;
	v->kernel = (struct pair){ weight->c, weight->h };
	v->out.n = v->in.n;
	return convolution_windows(c, v, windows);
}

static bool read_scaling(struct kernel_context *c, struct convolution *v, struct value *const *args)
{
	const struct tensor *multipliers = args[2]->as.tensor, *shifts = args[3]->as.tensor;

	v->scaling.multipliers = multipliers->data;
	v->scaling.pace = 1;
	v->scaling.shifts = shifts->data;
	if (!check_scales(c, multipliers, shifts, v->out.c))
		return false;
	v->scaling.only_right = true;
	for (int32_t i = 0; i < v->out.c; i++)
		v->scaling.only_right &= v->scaling.shifts[i] <= 0;
	return check_range(c, args[0], -127, 128, "input offset", &v->in_offset) &&
	       check_range(c, args[1], -MOST_OFFSET, MOST_OFFSET, "output offset", &v->scaling.offset) &&
	       check_range(c, args[4], -128, 127, "activation_min", &v->scaling.low) &&
	       check_range(c, args[5], -128, 127, "activation_max", &v->scaling.high);
}

bool convolution_finish(struct kernel_context *c, struct convolution *v, struct value *const *args,
			struct value *const *scaling, struct tensor *out, convolution_function *compute)
{
	const int8_t *from;
	int8_t *to;

	if (!check_int8(c, out, "output") ||
	    !kernel_resize(c, out, (int32_t[]){ v->out.n, v->out.c, v->out.h, v->out.w }, 4) || !read_scaling(c, v, scaling) ||
	    !check_bias(c, args[2], v->out.c, &v->bias))
		return false;
	from = nhwc_input(c, args[0]->as.tensor);
	to = nhwc_output(c, out);
	if (!from || !to || !compute(c, v, from, to))
		return false;
	nhwc_output_done(out, to);
	return true;
}
