/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of images at the positions of a grid, which go from -1 to 1. Positions are computed in float32, as PyTorch does. */
#include "runtime/kernels/element.h"
#include "runtime/kernels/kernels.h"

#include <math.h>

enum interpolation { BILINEAR, NEAREST, BICUBIC };
enum padding { ZEROS, BORDER, REFLECTION };

#define TAPS 4     /* of a bicubic interpolation along one dimension; a bilinear one has two, the nearest one */
#define CUBIC -0.75f /* PyTorch's coefficient */

struct sampler {
	int64_t interpolation, padding;
	bool corners; /* -1 and 1 are the centres of the outermost pixels, else their outer edges */
};

/* Positions in one dimension (-1: outside) and their weights. */
struct taps {
	int32_t at[TAPS];
	float weights[TAPS];
	unsigned count;
};

/* Reflected at low / 2 and high / 2. */
static float reflected(float x, int32_t low, int32_t high)
{
	const float first = (float)low / 2, span = (float)(high - low) / 2;
	float distance, extra;

	if (low == high)
		return 0;
	distance = fabsf(x - first);
	extra = fmodf(distance, span);
	return fmodf(floorf(distance / span), 2) == 0 ? extra + first : span - extra + first;
}

/* A position brought into the image. What is no number, or too large for one, lies outside. */
static float padded(const struct sampler *s, float x, int32_t size)
{
	if (s->padding == REFLECTION)
		x = s->corners ? reflected(x, 0, 2 * (size - 1)) : reflected(x, -1, 2 * size - 1);
	if (s->padding != ZEROS)
		x = x > 0 ? x < (float)(size - 1) ? x : (float)(size - 1) : 0;
	return x > -1e9f && x < 1e9f ? x : -100;
}

static void set_tap(const struct sampler *s, struct taps *t, float position, float weight, int32_t size)
{
	const int32_t at = (int32_t)(s->interpolation == BICUBIC ? padded(s, position, size) : position);

	t->at[t->count] = at < 0 || at >= size ? -1 : at;
	t->weights[t->count++] = weight;
}

static float cubic_inner(float x)
{
	return ((CUBIC + 2) * x - (CUBIC + 3)) * x * x + 1;
}

static float cubic_outer(float x)
{
	return ((CUBIC * x - 5 * CUBIC) * x + 8 * CUBIC) * x - 4 * CUBIC;
}

static struct taps taps_of(const struct sampler *s, float given, int32_t size)
{
	const float x = s->corners ? (given + 1) / 2 * (float)(size - 1) : ((given + 1) * (float)size - 1) / 2;
	const float inside = s->interpolation == BICUBIC ? (x > -1e9f && x < 1e9f ? x : -100) : padded(s, x, size);
	const float first = floorf(inside), t = inside - first;
	struct taps taps = { .count = 0 };

	switch (s->interpolation) {
	case BILINEAR:
		set_tap(s, &taps, first, 1 - t, size);
		set_tap(s, &taps, first + 1, t, size);
		break;
	case NEAREST: set_tap(s, &taps, nearbyintf(inside), 1, size); break;
	default:
		set_tap(s, &taps, first - 1, cubic_outer(t + 1), size);
		set_tap(s, &taps, first, cubic_inner(t), size);
		set_tap(s, &taps, first + 1, cubic_inner(1 - t), size);
		set_tap(s, &taps, first + 2, cubic_outer(2 - t), size);
	}
	return taps;
}

/* The sample of the plane that begins at `from`. */
static double sample(const struct tensor *in, ptrdiff_t from, const struct taps *y, const struct taps *x)
{
	double sum = 0;

	for (unsigned i = 0; i < y->count; i++)
		for (unsigned j = 0; j < x->count; j++)
			if (y->at[i] >= 0 && x->at[j] >= 0)
				sum += element_double(element_at(in->data, in->type,
								 from + (ptrdiff_t)y->at[i] * in->strides[2] + (ptrdiff_t)x->at[j] * in->strides[3]),
						      in->type) * (double)(y->weights[i] * x->weights[j]);
	return sum;
}

/* One position of the output, in all channels. */
static void sample_channels(const struct sampler *s, const struct tensor *in, const struct tensor *grid, const struct tensor *out,
			    const int32_t at[3])
{
	ptrdiff_t in_grid = 0;
	struct taps x, y;

	for (unsigned d = 0; d < 3; d++)
		in_grid += (ptrdiff_t)at[d] * grid->strides[d];
	x = taps_of(s, (float)element_double(element_at(grid->data, grid->type, in_grid), grid->type), in->sizes[3]);
	y = taps_of(s, (float)element_double(element_at(grid->data, grid->type, in_grid + grid->strides[3]), grid->type), in->sizes[2]);
	for (int32_t channel = 0; channel < in->sizes[1]; channel++) {
		const union number value = { .d = sample(in, (ptrdiff_t)at[0] * in->strides[0] + (ptrdiff_t)channel * in->strides[1], &y, &x) };

		run_write_doubles(element_at(out->data, out->type,
					     (ptrdiff_t)at[0] * out->strides[0] + (ptrdiff_t)channel * out->strides[1] +
						     (ptrdiff_t)at[1] * out->strides[2] + (ptrdiff_t)at[2] * out->strides[3]),
				  out->type, 0, &value, 1);
	}
}

/* grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners, out) */
bool kernel_grid_sampler_2d(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor, *grid = args[1]->as.tensor;
	const struct sampler s = { args[2]->as.integer, args[3]->as.integer, args[4]->as.boolean };
	struct tensor *out = args[5]->as.tensor;
	int32_t at[3];

	if (in->rank != 4 || grid->rank != 4 || grid->sizes[3] != 2 || grid->sizes[0] != in->sizes[0] || in->sizes[2] < 1 || in->sizes[3] < 1)
		return kernel_fail(c, "the grid is not one of positions for an input of 4 dimensions");
	if (!dtype_is_float(in->type) || !dtype_is_float(grid->type) || out->type != in->type)
		return kernel_fail(c, "input of type %s with a grid of type %s", dtype_name(in->type), dtype_name(grid->type));
	if (s.interpolation < BILINEAR || s.interpolation > BICUBIC || s.padding < ZEROS || s.padding > REFLECTION)
		return kernel_fail(c, "interpolation %lld or padding %lld is not known", (long long)s.interpolation, (long long)s.padding);
	if (!kernel_resize(c, out, (int32_t[]){ in->sizes[0], in->sizes[1], grid->sizes[1], grid->sizes[2] }, 4))
		return false;
	for (at[0] = 0; at[0] < in->sizes[0]; at[0]++)
		for (at[1] = 0; at[1] < grid->sizes[1]; at[1]++)
			for (at[2] = 0; at[2] < grid->sizes[2]; at[2]++)
				sample_channels(&s, in, grid, out, at);
	return true;
}
