/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwise convolution of int8: sixteen channels at once, each tap of the window multiplies a vector of inputs with a
 * vector of weights. Two products are added in 16 bits before they are widened; that cannot overflow unless a weight is
 * -128 (2 * -128 * -128 = 32768), which symmetric quantisation does not produce: such weights take the plain loop. */
#include "runtime/kernels/cortex_m/depthwise.h"
#include "runtime/kernels/cortex_m/requantize.h"
#include "runtime/kernels/kernels.h"

#include <string.h>

#define BLOCK 16 /* channels at once; arrays per channel are padded to it */

/* Where a channel stands in arrays per channel. */
static int32_t place_in_block(int32_t channel)
{
	return channel / BLOCK * BLOCK + channel % 4 * 4 + channel % BLOCK / 4;
}

static int32_t padded(int32_t channels)
{
	return (channels + BLOCK - 1) / BLOCK * BLOCK;
}

/* Channels of a pixel, any weights and any depth multiplier; the inputs lie `moved` bytes behind d->inputs. */
static void block_plain(const struct depthwise *d, ptrdiff_t moved, int8_t *out, int32_t from, int32_t to)
{
	const struct convolution *v = d->v;

	for (int32_t o = from; o < to; o++) {
		const int32_t place = place_in_block(o);
		uint32_t sum = (uint32_t)d->initial[place];

		for (int32_t t = 0; t < d->taps; t++)
			sum += (uint32_t)(d->inputs[t][moved + o / v->multiplier] * v->weights[(ptrdiff_t)t * v->out.c + o]);
		out[o] = to_int8(requantize((int32_t)sum, d->multipliers[place], d->shifts[place]), v->scaling.offset, v->scaling.low,
				 v->scaling.high);
	}
}

#if KERNEL_MVE

/* Sums of sixteen channels: q0 those of channels 0, 4, 8, 12 of the block, q1 of 1, 5, 9, 13 and so on, because products
 * and widening take even and odd lanes apart. Arrays per channel have that order, too (place_in_block). */
struct sums {
	int32x4_t q0, q1, q2, q3;
};

static inline __attribute__((always_inline)) int8x16_t load(const int8_t *from, bool whole, mve_pred16_t lanes)
{
	return whole ? vldrbq_s8(from) : vldrbq_z_s8(from, lanes);
}

static inline __attribute__((always_inline)) struct sums sum_taps(const struct depthwise *d, ptrdiff_t moved, int32_t from,
								  bool whole, mve_pred16_t lanes)
{
	const int32_t pitch = d->v->out.c;
	const ptrdiff_t at = moved + from;
	const int32_t *initial = d->initial + from;
	const int8_t *w = d->v->weights + from, *const *inputs = d->inputs;
	struct sums s = { vldrwq_s32(initial), vldrwq_s32(initial + 4), vldrwq_s32(initial + 8), vldrwq_s32(initial + 12) };

	for (int32_t t = d->taps / 2; t > 0; t--) {
		int8x16_t x = load(*inputs++ + at, whole, lanes), weights = load(w, whole, lanes);
		int16x8_t even = vmullbq_int_s8(x, weights), odd = vmulltq_int_s8(x, weights);

		w += pitch;
		x = load(*inputs++ + at, whole, lanes);
		weights = load(w, whole, lanes);
		w += pitch;
		even = vaddq_s16(even, vmullbq_int_s8(x, weights));
		s.q0 = vaddq_s32(s.q0, vmovlbq_s16(even));
		s.q2 = vaddq_s32(s.q2, vmovltq_s16(even));
		odd = vaddq_s16(odd, vmulltq_int_s8(x, weights));
		s.q1 = vaddq_s32(s.q1, vmovlbq_s16(odd));
		s.q3 = vaddq_s32(s.q3, vmovltq_s16(odd));
	}
	if (d->taps & 1) {
		const int8x16_t x = load(*inputs + at, whole, lanes), weights = load(w, whole, lanes);
		const int16x8_t even = vmullbq_int_s8(x, weights), odd = vmulltq_int_s8(x, weights);

		s.q0 = vaddq_s32(s.q0, vmovlbq_s16(even));
		s.q2 = vaddq_s32(s.q2, vmovltq_s16(even));
		s.q1 = vaddq_s32(s.q1, vmovlbq_s16(odd));
		s.q3 = vaddq_s32(s.q3, vmovltq_s16(odd));
	}
	return s;
}

static inline __attribute__((always_inline)) int32x4_t scale(const struct depthwise *d, int32x4_t x, int32_t from)
{
	const int32x4_t multiplier = vldrwq_s32(d->multipliers + from), shift = vldrwq_s32(d->shifts + from);
	const int32x4_t zero = vdupq_n_s32(0);

	if (d->v->scaling.only_right)
		x = requantize_right(x, multiplier, shift);
	else
		x = requantize_parts(x, multiplier, vmaxq_s32(shift, zero), vminq_s32(shift, zero));
	return vqaddq_n_s32(x, d->v->scaling.offset);
}

/* Narrowing saturates, so that the bounds of the activation can be applied to bytes. */
static inline int8x16_t scale_block(const struct depthwise *d, struct sums s, int32_t from)
{
	int16x8_t even = vqmovnbq_s32(vuninitializedq_s16(), scale(d, s.q0, from)), odd;
	int8x16_t all;

	even = vqmovntq_s32(even, scale(d, s.q2, from + 8));
	odd = vqmovnbq_s32(vuninitializedq_s16(), scale(d, s.q1, from + 4));
	odd = vqmovntq_s32(odd, scale(d, s.q3, from + 12));
	all = vqmovntq_s16(vqmovnbq_s16(vuninitializedq_s8(), even), odd);
	return vminq_s8(vmaxq_s8(all, vdupq_n_s8((int8_t)d->v->scaling.low)), vdupq_n_s8((int8_t)d->v->scaling.high));
}

static void pixel(const struct depthwise *d, ptrdiff_t moved, int8_t *out)
{
	const int32_t channels = d->v->out.c;
	int32_t from = 0;

	if (!d->pairs_fit) {
		block_plain(d, moved, out, 0, channels);
		return;
	}
	for (; from + BLOCK <= channels; from += BLOCK)
		vstrbq_s8(out + from, scale_block(d, sum_taps(d, moved, from, true, 0), from));
	if (from < channels) {
		const mve_pred16_t lanes = vctp8q((uint32_t)(channels - from));

		vstrbq_p_s8(out + from, scale_block(d, sum_taps(d, moved, from, false, lanes), from), lanes);
	}
}

#else

static void pixel(const struct depthwise *d, ptrdiff_t moved, int8_t *out)
{
	block_plain(d, moved, out, 0, d->v->out.c);
}

#endif

/* Where the inputs of each tap are; outside the image a vector of zero points. */
static void find_inputs(const struct depthwise *d, const int8_t *in, int32_t out_y, int32_t out_x)
{
	const struct convolution *v = d->v;
	const int8_t **to = d->inputs;

	for (int32_t ky = 0; ky < v->kernel.h; ky++) {
		const int32_t y = out_y * v->stride.h - v->padding.h + ky * v->dilation.h;

		for (int32_t kx = 0; kx < v->kernel.w; kx++) {
			const int32_t x = out_x * v->stride.w - v->padding.w + kx * v->dilation.w;
			const bool inside = y >= 0 && y < v->in.h && x >= 0 && x < v->in.w;

			*to++ = inside ? in + ((ptrdiff_t)y * v->in.w + x) * v->in.c : d->zeros;
		}
	}
}

/* Initial values, scales padded to whole blocks, and whether a weight is -128. */
static void prepare(struct depthwise *d)
{
	const struct convolution *v = d->v;
	const int32_t channels = v->out.c;

	d->pairs_fit = v->multiplier == 1;
	for (int32_t o = 0; o < padded(channels); o++) {
		const int32_t place = place_in_block(o);
		const bool real = o < channels;

		d->initial[place] = real && v->bias ? v->bias[o] : 0;
		d->multipliers[place] = real ? v->scaling.multipliers[o] : 0;
		d->shifts[place] = real ? v->scaling.shifts[o] : 0;
	}
	for (int32_t t = 0; t < d->taps; t++)
		for (int32_t o = 0; o < channels; o++) {
			const int32_t w = v->weights[(ptrdiff_t)t * channels + o], place = place_in_block(o);

			d->initial[place] = (int32_t)((uint32_t)d->initial[place] + (uint32_t)(v->in_offset * w));
			d->pairs_fit &= w != -128;
		}
	memset(d->zeros, -v->in_offset, (size_t)v->in.c);
}

/* Whether the window lies within the image along one axis. */
static bool is_inside(int32_t out, int32_t in, int32_t kernel, int32_t stride, int32_t padding, int32_t dilation)
{
	const int32_t first = out * stride - padding;

	return first >= 0 && first + dilation * (kernel - 1) < in;
}

/* One row of outputs. Between windows that lie within the image all inputs move by the same distance. */
static int8_t *row(const struct depthwise *d, const int8_t *in, int8_t *out, int32_t y)
{
	const struct convolution *v = d->v;
	const bool row_inside = is_inside(y, v->in.h, v->kernel.h, v->stride.h, v->padding.h, v->dilation.h);
	const ptrdiff_t step = (ptrdiff_t)v->stride.w * v->in.c;
	ptrdiff_t moved = 0;
	bool before = false;

	for (int32_t x = 0; x < v->out.w; x++, out += v->out.c) {
		const bool inside = row_inside && is_inside(x, v->in.w, v->kernel.w, v->stride.w, v->padding.w, v->dilation.w);

		moved = inside && before ? moved + step : 0;
		if (!moved)
			find_inputs(d, in, y, x);
		before = inside;
		pixel(d, moved, out);
	}
	return out;
}

bool depthwise_convolve(struct kernel_context *c, const struct convolution *v, const int8_t *in, int8_t *out)
{
	const size_t channels = (size_t)padded(v->out.c);
	struct depthwise d = { .v = v, .taps = v->kernel.h * v->kernel.w };

	d.initial = kernel_temp(c, channels * sizeof *d.initial);
	d.multipliers = kernel_temp(c, channels * sizeof *d.multipliers);
	d.shifts = kernel_temp(c, channels * sizeof *d.shifts);
	d.inputs = kernel_temp(c, (size_t)d.taps * sizeof *d.inputs);
	d.zeros = kernel_temp(c, (size_t)v->in.c);
	if (!d.initial || !d.multipliers || !d.shifts || !d.inputs || !d.zeros)
		return false;
	prepare(&d);
	for (int32_t n = 0; n < v->in.n; n++, in += (ptrdiff_t)v->in.h * v->in.w * v->in.c)
		for (int32_t y = 0; y < v->out.h; y++)
			out = row(&d, in, out, y);
	return true;
}

/* quantized_depthwise_conv2d(input, weight, bias, stride, padding, dilation, depth_multiplier, input_offset,
 * output_offset, multipliers, shifts, activation_min, activation_max, scratch, out); weights are 1, H, W, O. */
bool kernel_cortex_m_depthwise(struct kernel_context *c, struct value *const *args)
{
	struct convolution v = { 0 };
	struct nhwc w;

	if (!convolution_begin(c, &v, args, args + 3, &w))
		return false;
	if (w.n != 1 || !v.in.c || w.w % v.in.c)
		return kernel_fail(c, "a weight of %d channels does not go with an input of %d", (int)w.w, (int)v.in.c);
	v.multiplier = w.w / v.in.c;
	v.out.c = w.w;
	convolution_set_extent(&v);
	return convolution_finish(c, &v, args, args + 7, args[14]->as.tensor, depthwise_convolve);
}
