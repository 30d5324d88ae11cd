/* SPDX-License-Identifier: Apache-2.0 */
/* Transposed convolution of int8, output by output: only those taps of the window count that an input lies behind. */
#include "runtime/kernels/cortex_m/window.h"
#include "runtime/kernels/kernels.h"

#include <string.h>

/* Input that lies behind a tap of an output along one axis, or -1. */
static int32_t input_behind(int32_t out, int32_t tap, int32_t in, int32_t stride, int32_t padding, int32_t dilation)
{
	const int32_t at = out + padding - tap * dilation;

	return at < 0 || at % stride || at / stride >= in ? -1 : at / stride;
}

/* in_offset * sum of the weights of each tap and channel. */
static void tap_offsets(int32_t *offsets, const struct convolution *v, int32_t taps)
{
	for (int32_t t = 0; t < taps; t++)
		for (int32_t o = 0; o < v->out.c; o++)
			*offsets++ = v->in_offset * sum_int8(v->weights + ((ptrdiff_t)o * taps + t) * v->in.c, v->in.c);
}

static void pixel(const struct convolution *v, const int8_t *in, int8_t *out, int32_t y, int32_t x, int32_t *sums,
		  const int32_t *offsets)
{
	const int32_t taps = v->kernel.h * v->kernel.w;

	for (int32_t o = 0; o < v->out.c; o++)
		sums[o] = v->bias ? v->bias[o] : 0;
	for (int32_t t = 0; t < taps; t++) {
		const int32_t in_y = input_behind(y, t / v->kernel.w, v->in.h, v->stride.h, v->padding.h, v->dilation.h);
		const int32_t in_x = input_behind(x, t % v->kernel.w, v->in.w, v->stride.w, v->padding.w, v->dilation.w);

		if (in_y < 0 || in_x < 0)
			continue;
		for (int32_t o = 0; o < v->out.c; o++)
			sums[o] = (int32_t)((uint32_t)sums[o] + (uint32_t)offsets[t * v->out.c + o]);
		dot_accumulate(sums, in + ((ptrdiff_t)in_y * v->in.w + in_x) * v->in.c, v->weights + (ptrdiff_t)t * v->in.c,
			       v->out.c, v->in.c, taps * v->in.c);
	}
	scale_channels(out, sums, v->out.c, &v->scaling);
}

static bool transpose_convolve(struct kernel_context *c, const struct convolution *v, const int8_t *in, int8_t *out)
{
	const int32_t taps = v->kernel.h * v->kernel.w;
	int32_t *sums = kernel_temp(c, sizeof *sums * (size_t)v->out.c);
	int32_t *offsets = kernel_temp(c, sizeof *offsets * (size_t)v->out.c * (size_t)taps);

	if (!sums || !offsets)
		return false;
	tap_offsets(offsets, v, taps);
	for (int32_t n = 0; n < v->in.n; n++, in += (ptrdiff_t)v->in.h * v->in.w * v->in.c)
		for (int32_t y = 0; y < v->out.h; y++)
			for (int32_t x = 0; x < v->out.w; x++, out += v->out.c)
				pixel(v, in, out, y, x, sums, offsets);
	return true;
}

static int32_t transposed_count(int32_t in, int32_t kernel, int32_t stride, int32_t padding, int32_t dilation, int32_t more)
{
	return (in - 1) * stride - 2 * padding + dilation * (kernel - 1) + more + 1;
}

static bool run_transposed(struct kernel_context *c, struct value *const *args, struct tensor *out)
{
	struct convolution v = { 0 };
	struct nhwc w;

	if (!convolution_begin(c, &v, args, (struct value *const[]){ args[3], args[4], args[6] }, &w) ||
	    !check_pair(c, args[5], 0, 4096, "output padding", &v.output_padding))
		return false;
	if (w.w != v.in.c || v.in.h > 65536 || v.in.w > 65536)
		return kernel_fail(c, "a weight of %d input channels does not go with an input of %d", (int)w.w, (int)v.in.c);
	v.out.c = w.n;
	v.out.h = transposed_count(v.in.h, v.kernel.h, v.stride.h, v.padding.h, v.dilation.h, v.output_padding.h);
	v.out.w = transposed_count(v.in.w, v.kernel.w, v.stride.w, v.padding.w, v.dilation.w, v.output_padding.w);
	return convolution_finish(c, &v, args, args + 7, out, transpose_convolve);
}

/* quantized_transpose_conv2d(input, weight, bias, stride, padding, output_padding, dilation, input_offset,
 * output_offset, multipliers, shifts, activation_min, activation_max, scratch, output_scratch, out); weights are O, H,
 * W, I. */
bool kernel_cortex_m_transpose_convolve(struct kernel_context *c, struct value *const *args)
{
	return run_transposed(c, args, args[15]->as.tensor);
}

/* The same of ExecuTorch 1.3 and before, which has no scratch. */
bool kernel_cortex_m_transpose_convolve_plain(struct kernel_context *c, struct value *const *args)
{
	return run_transposed(c, args, args[13]->as.tensor);
}
