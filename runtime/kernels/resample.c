/* SPDX-License-Identifier: Apache-2.0 */
/* Images enlarged or made smaller, and channels laid out as pixels. Positions are computed in float32, as PyTorch does. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/strided.h"

#include <math.h>

/* Resizes to the given size, or to the input's times the factors; `scales` are the steps in the input, 0: by the sizes. */
static bool resize(struct kernel_context *c, const struct tensor *in, const struct value *size, const struct value *factors,
		   struct tensor *out, float scales[2])
{
	int32_t sizes[4];

	if (in->rank != 4 || out->type != in->type)
		return kernel_fail(c, "input of %u dimensions, type %s", in->rank, dtype_name(in->type));
	if (value_is_none(size) == value_is_none(factors) || (value_is_none(size) ? factors : size)->count != 2)
		return kernel_fail(c, "either two sizes or two factors must be given");
	for (unsigned d = 0; d < 4; d++)
		sizes[d] = in->sizes[d];
	for (unsigned i = 0; i < 2; i++) {
		const double n = value_is_none(size) ? (double)in->sizes[2 + i] * factors->as.numbers[i] : (double)size->as.integers[i];

		if (!(n >= 1) || n > INT32_MAX || in->sizes[2 + i] < 1)
			return kernel_fail(c, "a size of %f is not possible", n);
		sizes[2 + i] = (int32_t)n;
		scales[i] = value_is_none(size) ? (float)(1.0 / factors->as.numbers[i]) : 0;
	}
	return kernel_resize(c, out, sizes, 4);
}

/* upsample_nearest2d(input, output_size, scale_factors, out) */
bool kernel_upsample_nearest2d(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[3]->as.tensor;
	float scales[2];
	struct map m;

	if (!resize(c, in, args[1], args[2], out, scales) || !map_begin(c, &m, out, in))
		return false;
	for (unsigned d = 2; d < 4; d++) {
		const float scale = scales[d - 2] > 0 ? scales[d - 2] : (float)in->sizes[d] / (float)out->sizes[d];

		for (int32_t k = 0; k < out->sizes[d]; k++) {
			const int32_t at = (int32_t)floorf((float)k * scale);

			m.offsets[d][k] = (at < in->sizes[d] ? at : in->sizes[d] - 1) * in->strides[d];
		}
	}
	map_copy(&m, out, in, NULL);
	return true;
}

/* Two neighbours of a position and the weight of the second. */
struct between {
	int32_t first, second;
	float weight;
};

static struct between between(int32_t k, int32_t in, int32_t out, bool corners, float scale)
{
	float at;

	if (corners)
		at = out > 1 ? (float)k * ((float)(in - 1) / (float)(out - 1)) : 0;
	else
		at = ((float)k + 0.5f) * (scale > 0 ? scale : (float)in / (float)out) - 0.5f;
	at = at < 0 ? 0 : at;

	const int32_t first = (int32_t)at < in - 1 ? (int32_t)at : in - 1;
	const float weight = at - (float)first;

	return (struct between){ first, first + (first < in - 1), weight < 0 ? 0 : weight > 1 ? 1 : weight };
}

static double read(const struct tensor *t, ptrdiff_t plane, int32_t y, int32_t x)
{
	return element_double(element_at(t->data, t->type, plane + (ptrdiff_t)y * t->strides[2] + (ptrdiff_t)x * t->strides[3]), t->type);
}

/* upsample_bilinear2d(input, output_size, align_corners, scale_factors, out) */
bool kernel_upsample_bilinear2d(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	const bool corners = args[2]->as.boolean;
	struct tensor *out = args[4]->as.tensor;
	float scales[2];

	if (!resize(c, in, args[1], args[3], out, scales))
		return false;
	for (int32_t p = 0; p < in->sizes[0] * in->sizes[1]; p++) {
		const int32_t n = p / in->sizes[1], channel = p % in->sizes[1];
		const ptrdiff_t from = (ptrdiff_t)n * in->strides[0] + (ptrdiff_t)channel * in->strides[1];
		const ptrdiff_t to = (ptrdiff_t)n * out->strides[0] + (ptrdiff_t)channel * out->strides[1];

		for (int32_t i = 0; i < out->sizes[2]; i++) {
			const struct between y = between(i, in->sizes[2], out->sizes[2], corners, scales[0]);

			for (int32_t j = 0; j < out->sizes[3]; j++) {
				const struct between x = between(j, in->sizes[3], out->sizes[3], corners, scales[1]);
				const double above = read(in, from, y.first, x.first) * (double)(1 - x.weight) +
						     read(in, from, y.first, x.second) * (double)x.weight;
				const double below = read(in, from, y.second, x.first) * (double)(1 - x.weight) +
						     read(in, from, y.second, x.second) * (double)x.weight;
				const union number value = { .d = above * (double)(1 - y.weight) + below * (double)y.weight };

				run_write_doubles(element_at(out->data, out->type,
							     to + (ptrdiff_t)i * out->strides[2] + (ptrdiff_t)j * out->strides[3]),
						  out->type, 0, &value, 1);
			}
		}
	}
	return true;
}

/* Copies between a tensor of channels and one of pixels: channel k * f * f + i * f + j of a position is pixel (i, j) of
 * the f x f that the position becomes. */
static void shuffle(const struct tensor *channels, const struct tensor *pixels, int32_t f, bool to_pixels)
{
	const struct tensor *out = to_pixels ? pixels : channels, *in = to_pixels ? channels : pixels;
	const unsigned r = channels->rank, k = r - 3, y = r - 2, x = r - 1;
	int32_t sizes[TENSOR_MAX_RANK + 2], of_channels[TENSOR_MAX_RANK + 2], of_pixels[TENSOR_MAX_RANK + 2];
	struct walk w;

	for (unsigned d = 0; d < r; d++) {
		sizes[d] = d == k ? pixels->sizes[k] : channels->sizes[d];
		of_channels[d] = d == k ? channels->strides[k] * f * f : channels->strides[d];
		of_pixels[d] = d == y || d == x ? pixels->strides[d] * f : pixels->strides[d];
	}
	sizes[r] = sizes[r + 1] = f;
	of_channels[r] = channels->strides[k] * f;
	of_channels[r + 1] = channels->strides[k];
	of_pixels[r] = pixels->strides[y];
	of_pixels[r + 1] = pixels->strides[x];
	walk_begin(&w, 2);
	for (unsigned d = 0; d < r + 2; d++)
		walk_add(&w, sizes[d], (int32_t[]){ (to_pixels ? of_pixels : of_channels)[d], (to_pixels ? of_channels : of_pixels)[d] });
	walk_ready(&w);
	walk_copy(&w, out, in);
}

static bool shuffle_sizes(struct kernel_context *c, const struct tensor *in, int64_t f, bool to_pixels, struct tensor *out)
{
	int32_t sizes[TENSOR_MAX_RANK];

	if (in->rank < 3 || in->rank > TENSOR_MAX_RANK - 2 || f < 1 || f > 1024)
		return kernel_fail(c, "an input of %u dimensions by a factor of %lld", in->rank, (long long)f);
	for (unsigned d = 0; d < in->rank; d++) {
		const int64_t by = d + 3 == in->rank ? f * f : d + 3 > in->rank ? f : 1;
		const bool divided = (d + 3 == in->rank) == to_pixels;

		if (divided && in->sizes[d] % by)
			return kernel_fail(c, "dimension %u of %d is not divisible by %lld", d, (int)in->sizes[d], (long long)by);
		sizes[d] = (int32_t)(divided ? in->sizes[d] / by : in->sizes[d] * by);
	}
	return kernel_resize(c, out, sizes, in->rank);
}

/* pixel_shuffle, pixel_unshuffle(self, factor, out) */
bool kernel_pixel_shuffle(struct kernel_context *c, struct value *const *args)
{
	if (!shuffle_sizes(c, args[0]->as.tensor, args[1]->as.integer, true, args[2]->as.tensor))
		return false;
	shuffle(args[0]->as.tensor, args[2]->as.tensor, (int32_t)args[1]->as.integer, true);
	return true;
}

bool kernel_pixel_unshuffle(struct kernel_context *c, struct value *const *args)
{
	if (!shuffle_sizes(c, args[0]->as.tensor, args[1]->as.integer, false, args[2]->as.tensor))
		return false;
	shuffle(args[2]->as.tensor, args[0]->as.tensor, (int32_t)args[1]->as.integer, false);
	return true;
}
