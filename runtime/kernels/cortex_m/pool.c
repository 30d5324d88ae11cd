/* SPDX-License-Identifier: Apache-2.0 */
/* Largest value and average of windows of int8.
 *
 * The dialect defines the average in float32: inputs less their zero point times a scale, added in the order of the
 * window, divided by the number of inputs that are no padding, divided by the scale, rounded to the nearest even. For
 * windows of at most EXACT_COUNT inputs the float32 error cannot move the quotient across a half unless it is a half
 * exactly: integers decide all other cases, and the halves are computed as defined. */
#include "runtime/kernels/cortex_m/requantize.h"
#include "runtime/kernels/cortex_m/window.h"
#include "runtime/kernels/kernels.h"

#include <math.h>

#define EXACT_COUNT 100

/* Part of a window that lies inside the image. */
struct part {
	int32_t top, bottom, left, right; /* bottom and right are behind the last */
};

struct average {
	int32_t zero;
	float scale;
};

static struct part part_of(const struct convolution *v, int32_t y, int32_t x)
{
	const int32_t top = y * v->stride.h - v->padding.h, left = x * v->stride.w - v->padding.w;
	const int32_t bottom = top + v->kernel.h, right = left + v->kernel.w;

	return (struct part){ top < 0 ? 0 : top, bottom > v->in.h ? v->in.h : bottom, left < 0 ? 0 : left,
			      right > v->in.w ? v->in.w : right };
}

static const int8_t *input_at(const struct convolution *v, const int8_t *in, int32_t y, int32_t x)
{
	return in + ((ptrdiff_t)y * v->in.w + x) * v->in.c;
}

static inline int8_t clamp_int8(int32_t x, int32_t low, int32_t high)
{
	return (int8_t)(x < low ? low : x > high ? high : x);
}

/* The average of one channel as the dialect defines it. */
static int8_t average_defined(const struct convolution *v, const struct average *a, const int8_t *in, struct part p)
{
	const int32_t count = (p.bottom - p.top) * (p.right - p.left);
	float sum = 0;

	for (int32_t y = p.top; y < p.bottom; y++)
		for (int32_t x = p.left; x < p.right; x++)
			sum += ((float)*input_at(v, in, y, x) - (float)a->zero) * a->scale;
	return clamp_int8((int32_t)nearbyintf(sum / (float)count / a->scale) + a->zero, -128, 127);
}

static int8_t average_of(const struct convolution *v, const struct average *a, const int8_t *in, struct part p, int32_t sum)
{
	const int32_t count = (p.bottom - p.top) * (p.right - p.left), doubled = 2 * sum + count;
	const int32_t floor = doubled / (2 * count) - (doubled % (2 * count) < 0);

	if (count > EXACT_COUNT || doubled == floor * 2 * count)
		return average_defined(v, a, in, p);
	return clamp_int8(floor + a->zero, -128, 127);
}

#if KERNEL_MVE

static void max_pixel(const struct convolution *v, const int8_t *in, int8_t *out, struct part p)
{
	for (int32_t c = 0; c < v->in.c; c += 16) {
		const mve_pred16_t lanes = vctp8q((uint32_t)(v->in.c - c));
		int8x16_t most = vdupq_n_s8(-128);

		for (int32_t y = p.top; y < p.bottom; y++)
			for (int32_t x = p.left; x < p.right; x++)
				most = vmaxq_s8(most, vldrbq_z_s8(input_at(v, in, y, x) + c, lanes));
		most = vminq_s8(vmaxq_s8(most, vdupq_n_s8((int8_t)v->scaling.low)), vdupq_n_s8((int8_t)v->scaling.high));
		vstrbq_p_s8(out + c, most, lanes);
	}
}

/* Sums of sixteen channels less their zero points. */
static void window_sums(const struct convolution *v, const int8_t *in, struct part p, int32_t zeros, int32_t sums[16],
			mve_pred16_t lanes)
{
	int32x4_t q[4];

	for (int i = 0; i < 4; i++)
		q[i] = vdupq_n_s32(-zeros);
	for (int32_t y = p.top; y < p.bottom; y++)
		for (int32_t x = p.left; x < p.right; x++) {
			const int8x16_t all = vldrbq_z_s8(input_at(v, in, y, x), lanes);
			const int16x8_t even = vmovlbq_s8(all), odd = vmovltq_s8(all);

			q[0] = vaddq_s32(q[0], vmovlbq_s16(even));
			q[1] = vaddq_s32(q[1], vmovlbq_s16(odd));
			q[2] = vaddq_s32(q[2], vmovltq_s16(even));
			q[3] = vaddq_s32(q[3], vmovltq_s16(odd));
		}
	vst4q_s32(sums, ((int32x4x4_t){ { q[0], q[1], q[2], q[3] } }));
}

static void average_pixel(const struct convolution *v, const struct average *a, const int8_t *in, int8_t *out, struct part p)
{
	const int32_t zeros = (p.bottom - p.top) * (p.right - p.left) * a->zero;
	int32_t sums[16];

	for (int32_t c = 0; c < v->in.c; c += 16) {
		const int32_t some = v->in.c - c < 16 ? v->in.c - c : 16;

		window_sums(v, in + c, p, zeros, sums, vctp8q((uint32_t)some));
		for (int32_t i = 0; i < some; i++)
			out[c + i] = average_of(v, a, in + c + i, p, sums[i]);
	}
}

#else

static void max_pixel(const struct convolution *v, const int8_t *in, int8_t *out, struct part p)
{
	for (int32_t c = 0; c < v->in.c; c++) {
		int32_t most = -128;

		for (int32_t y = p.top; y < p.bottom; y++)
			for (int32_t x = p.left; x < p.right; x++)
				if (input_at(v, in, y, x)[c] > most)
					most = input_at(v, in, y, x)[c];
		out[c] = clamp_int8(most, v->scaling.low, v->scaling.high);
	}
}

static void average_pixel(const struct convolution *v, const struct average *a, const int8_t *in, int8_t *out, struct part p)
{
	for (int32_t c = 0; c < v->in.c; c++) {
		int32_t sum = 0;

		for (int32_t y = p.top; y < p.bottom; y++)
			for (int32_t x = p.left; x < p.right; x++)
				sum += input_at(v, in, y, x)[c] - a->zero;
		out[c] = average_of(v, a, in + c, p, sum);
	}
}

#endif

/* All pixels; `a` is NULL for the largest value. */
static void pool(const struct convolution *v, const struct average *a, const int8_t *in, int8_t *out)
{
	for (int32_t n = 0; n < v->in.n; n++, in += (ptrdiff_t)v->in.h * v->in.w * v->in.c)
		for (int32_t y = 0; y < v->out.h; y++)
			for (int32_t x = 0; x < v->out.w; x++, out += v->out.c) {
				const struct part p = part_of(v, y, x);

				if (a)
					average_pixel(v, a, in, out, p);
				else
					max_pixel(v, in, out, p);
			}
}

/* Along one axis, when a window that sticks out counts: one that begins behind the input does not. */
static int32_t count_up(int32_t in, int32_t kernel, int32_t stride, int32_t padding)
{
	const int32_t span = in + 2 * padding - kernel, count = span < 0 ? 0 : (span + stride - 1) / stride + 1;

	return count && (count - 1) * stride >= in + padding ? count - 1 : count;
}

/* kernel, stride, padding from args[1..3]; no stride: the kernel's size. */
static bool pool_windows(struct kernel_context *c, struct convolution *v, struct value *const *args, bool up, struct tensor *out)
{
	static const int64_t one = 1;
	const struct value dilation = { .kind = VALUE_INT_LIST, .count = 1, .as.integers = &one };

	if (!check_nhwc(c, args[0]->as.tensor, "input", &v->in) || !check_int8(c, out, "output") ||
	    !check_pair(c, args[1], 1, 4096, "kernel size", &v->kernel) ||
	    !convolution_windows(c, v, (struct value *const[]){ args[2]->count ? args[2] : args[1], args[3],
								(struct value *)(uintptr_t)&dilation }))
		return false;
	if (v->padding.h > v->kernel.h / 2 || v->padding.w > v->kernel.w / 2)
		return kernel_fail(c, "padding is more than half the kernel size");
	v->out = (struct nhwc){ .n = v->in.n, .c = v->in.c };
	convolution_set_extent(v);
	if (up) {
		v->out.h = count_up(v->in.h, v->kernel.h, v->stride.h, v->padding.h);
		v->out.w = count_up(v->in.w, v->kernel.w, v->stride.w, v->padding.w);
	}
	return kernel_resize(c, out, (int32_t[]){ v->out.n, v->out.c, v->out.h, v->out.w }, 4);
}

static bool run_pool(struct kernel_context *c, const struct convolution *v, const struct average *a, const struct tensor *in,
		     struct tensor *out)
{
	const int8_t *from = nhwc_input(c, in);
	int8_t *to = nhwc_output(c, out);

	if (!from || !to)
		return false;
	pool(v, a, from, to);
	nhwc_output_done(out, to);
	return true;
}

/* quantized_max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode, input_zero_point, output_zero_point,
 * activation_min, activation_max, out) */
bool kernel_cortex_m_max_pool(struct kernel_context *c, struct value *const *args)
{
	struct tensor *out = args[10]->as.tensor;
	struct convolution v = { .multiplier = 1 };
	struct pair dilation;

	if (!pool_windows(c, &v, args, false, out) || !check_pair(c, args[4], 1, 1, "dilation", &dilation) ||
	    !check_range(c, args[8], -128, 127, "activation_min", &v.scaling.low) ||
	    !check_range(c, args[9], -128, 127, "activation_max", &v.scaling.high))
		return false;
	if (args[5]->as.boolean)
		return kernel_fail(c, "ceil_mode is not supported");
	if (args[6]->as.integer != args[7]->as.integer)
		return kernel_fail(c, "input and output have different zero points");
	return run_pool(c, &v, NULL, args[0]->as.tensor, out);
}

/* args: input, kernel_size, stride, padding; scaling: zero_point, multiplier, shift. */
static bool average_pool(struct kernel_context *c, struct value *const *args, bool up, struct value *const *scaling,
			 struct tensor *out)
{
	struct convolution v = { .multiplier = 1 };
	struct average a;
	int32_t multiplier, shift;

	if (!pool_windows(c, &v, args, up, out) || !check_range(c, scaling[0], -128, 127, "zero point", &a.zero) ||
	    !check_range(c, scaling[1], 1, INT32_MAX, "multiplier", &multiplier) || !check_shift(c, scaling[2], &shift))
		return false;
	a.scale = (float)ldexp(multiplier, shift - 31);
	return run_pool(c, &v, &a, args[0]->as.tensor, out);
}

/* quantized_avg_pool2d(input, kernel_size, stride, padding, zero_point, multiplier, shift, scratch, out) */
bool kernel_cortex_m_average_pool(struct kernel_context *c, struct value *const *args)
{
	return average_pool(c, args, false, args + 4, args[8]->as.tensor);
}

/* The same of ExecuTorch 1.5, which has ceil_mode before zero_point. */
bool kernel_cortex_m_average_pool_ceil(struct kernel_context *c, struct value *const *args)
{
	return average_pool(c, args, args[4]->as.boolean, args + 5, args[9]->as.tensor);
}
