/* SPDX-License-Identifier: Apache-2.0 */
/* Convolution of int8: the window of each output pixel becomes one row of inputs, which the dot products take against
 * the weights of all channels. Windows that lie in the input as one piece (1 x 1) are used in place. */
#include "runtime/kernels/cortex_m/window.h"
#include "runtime/kernels/kernels.h"

#include <string.h>

/* One group of channels. */
struct gather {
	const struct convolution *v;
	const int8_t *in;   /* of this image */
	int32_t from, count; /* channels of the group */
	int8_t padding;     /* the input's zero point */
};

/* Inputs of one row of the window, `first` is the leftmost column. */
static int8_t *gather_row(const struct gather *g, int8_t *to, const int8_t *row, int32_t first)
{
	const struct convolution *v = g->v;
	const bool inside = first >= 0 && first + v->dilation.w * (v->kernel.w - 1) < v->in.w;

	if (inside && v->dilation.w == 1 && g->count == v->in.c) {
		memcpy(to, row + (ptrdiff_t)first * v->in.c, (size_t)(v->kernel.w * g->count));
		return to + v->kernel.w * g->count;
	}
	for (int32_t k = 0; k < v->kernel.w; k++, to += g->count) {
		const int32_t x = first + k * v->dilation.w;

		if (x >= 0 && x < v->in.w)
			memcpy(to, row + (ptrdiff_t)x * v->in.c + g->from, (size_t)g->count);
		else
			memset(to, g->padding, (size_t)g->count);
	}
	return to;
}

static void gather_window(const struct gather *g, int8_t *to, int32_t out_y, int32_t out_x)
{
	const struct convolution *v = g->v;
	const int32_t row_bytes = v->kernel.w * g->count;

	for (int32_t k = 0; k < v->kernel.h; k++) {
		const int32_t y = out_y * v->stride.h - v->padding.h + k * v->dilation.h;

		if (y >= 0 && y < v->in.h) {
			to = gather_row(g, to, g->in + (ptrdiff_t)y * v->in.w * v->in.c, out_x * v->stride.w - v->padding.w);
		} else {
			memset(to, g->padding, (size_t)row_bytes);
			to += row_bytes;
		}
	}
}

static bool is_pointwise(const struct convolution *v)
{
	return v->kernel.h == 1 && v->kernel.w == 1 && !v->padding.h && !v->padding.w;
}

/* All pixels of one image, one group: `rows` output channels from `first` on. */
static void convolve_group(const struct gather *g, int8_t *window, int8_t *out, int32_t first, int32_t rows,
			   const int32_t *initial)
{
	const struct convolution *v = g->v;
	const int32_t k = v->kernel.h * v->kernel.w * g->count;
	const bool in_place = is_pointwise(v) && g->count == v->in.c;
	const int8_t *weights = v->weights + (ptrdiff_t)first * k;
	struct scaling s = v->scaling;

	s.multipliers += first;
	s.shifts += first;
	out += first;
	for (int32_t y = 0; y < v->out.h; y++)
		for (int32_t x = 0; x < v->out.w; x++, out += v->out.c) {
			const int8_t *from = window;

			if (in_place)
				from = g->in + ((ptrdiff_t)y * v->stride.h * v->in.w + (ptrdiff_t)x * v->stride.w) * v->in.c;
			else
				gather_window(g, window, y, x);
			dot_rows(out, from, weights, rows, k, initial + first, 0, &s);
		}
}

static bool convolve(struct kernel_context *c, const struct convolution *v, const int8_t *in, int8_t *out)
{
	const int32_t count = v->in.c / v->groups, rows = v->out.c / v->groups, k = v->kernel.h * v->kernel.w * count;
	int32_t *initial = kernel_temp(c, sizeof *initial * (size_t)v->out.c);
	int8_t *window = kernel_temp(c, is_pointwise(v) && v->groups == 1 ? 0 : (size_t)k);

	if (!initial || !window)
		return false;
	initial_values(initial, v->bias, v->weights, v->out.c, k, v->in_offset, 0);
	for (int32_t n = 0; n < v->in.n; n++) {
		for (int32_t g = 0; g < v->groups; g++) {
			const struct gather gather = { v, in, g * count, count, (int8_t)-v->in_offset };

			convolve_group(&gather, window, out, g * rows, rows, initial);
		}
		in += (ptrdiff_t)v->in.h * v->in.w * v->in.c;
		out += (ptrdiff_t)v->out.h * v->out.w * v->out.c;
	}
	return true;
}

/* quantized_conv2d(input, weight, bias, stride, padding, dilation, input_offset, output_offset, multipliers, shifts,
 * activation_min, activation_max, scratch, out); weights are O, H, W, I. The scratch is made for another library: our
 * own comes from the temporary memory. */
bool kernel_cortex_m_convolve(struct kernel_context *c, struct value *const *args)
{
	struct convolution v = { 0 };
	struct nhwc w;

	if (!convolution_begin(c, &v, args, args + 3, &w))
		return false;
	if (w.w < 1 || v.in.c < w.w || v.in.c % w.w || w.n % (v.in.c / w.w))
		return kernel_fail(c, "a weight of %d output and %d input channels does not go with an input of %d", (int)w.n,
				   (int)w.w, (int)v.in.c);
	v.groups = v.in.c / w.w;
	v.out.c = w.n;
	convolution_set_extent(&v);
	return convolution_finish(c, &v, args, args + 6, args[13]->as.tensor, convolve);
}
