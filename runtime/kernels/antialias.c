/* SPDX-License-Identifier: Apache-2.0 */
/* Images made smaller without aliasing: each output is the weighted mean of all inputs under a triangle, which is as wide as
 * the step between outputs. Positions and weights are computed in float32, as PyTorch does. */
#include "runtime/kernels/element.h"
#include "runtime/kernels/kernels.h"

#include <math.h>

/* One dimension. */
struct side {
	int32_t in, out;
	float scale, support; /* step in the input; half the triangle's base */
};

/* Inputs that an output is made of. */
struct share {
	int32_t first, count;
	float *weights;
};

static struct side side_of(int32_t in, int32_t out, bool corners, const struct value *factor)
{
	const double given = value_is_none(factor) ? 0 : value_as_double(factor);
	float scale = given > 0 ? (float)(1 / given) : (float)in / (float)out;

	if (corners)
		scale = out > 1 ? (float)(in - 1) / (float)(out - 1) : 0;
	return (struct side){ in, out, scale, scale >= 1 ? scale : 1 };
}

/* Room for the weights of one output. */
static float *weights_of(struct kernel_context *c, const struct side *s)
{
	const float most = 2 * s->support + 2;

	return kernel_temp(c, sizeof(float) * (most < (float)s->in ? (size_t)most : (size_t)s->in));
}

/* The input's position as an integer between 0 and its size. */
static int32_t bounded(float x, int32_t size)
{
	return x > 0 ? x < (float)size ? (int32_t)x : size : 0;
}

static void find_share(const struct side *s, int32_t k, struct share *to)
{
	const float centre = s->scale * ((float)k + 0.5f), narrow = s->scale >= 1 ? 1 / s->scale : 1;
	float sum = 0;

	to->first = bounded(centre - s->support + 0.5f, s->in);
	to->count = bounded(centre + s->support + 0.5f, s->in) - to->first;
	for (int32_t i = 0; i < to->count; i++) {
		const float x = fabsf(((float)(i + to->first) - centre + 0.5f) * narrow);

		to->weights[i] = x < 1 ? 1 - x : 0;
		sum += to->weights[i];
	}
	for (int32_t i = 0; i < to->count && sum != 0; i++)
		to->weights[i] /= sum;
}

static double mean(const struct tensor *in, ptrdiff_t plane, const struct share *y, const struct share *x)
{
	double sum = 0;

	for (int32_t i = 0; i < y->count; i++)
		for (int32_t j = 0; j < x->count; j++)
			sum += element_double(element_at(in->data, in->type, plane + (ptrdiff_t)(y->first + i) * in->strides[2] +
									     (ptrdiff_t)(x->first + j) * in->strides[3]), in->type) *
			       (double)y->weights[i] * (double)x->weights[j];
	return sum;
}

/* _upsample_bilinear2d_aa(self, output_size, align_corners, scales_h, scales_w, out) */
bool kernel_upsample_bilinear2d_aa(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[5]->as.tensor;
	struct side height, width;
	struct share y, x;

	if (in->rank != 4 || out->type != in->type || !dtype_is_float(in->type) || args[1]->count != 2)
		return kernel_fail(c, "input of %u dimensions, type %s", in->rank, dtype_name(in->type));
	if (!kernel_resize(c, out, (int32_t[]){ in->sizes[0], in->sizes[1], (int32_t)args[1]->as.integers[0],
						(int32_t)args[1]->as.integers[1] }, 4))
		return false;
	height = side_of(in->sizes[2], out->sizes[2], args[2]->as.boolean, args[3]);
	width = side_of(in->sizes[3], out->sizes[3], args[2]->as.boolean, args[4]);
	y.weights = weights_of(c, &height);
	x.weights = y.weights ? weights_of(c, &width) : NULL;
	if (!x.weights)
		return false;
	for (int32_t i = 0; i < height.out; i++) {
		find_share(&height, i, &y);
		for (int32_t j = 0; j < width.out; j++) {
			find_share(&width, j, &x);
			for (int32_t p = 0; p < in->sizes[0] * in->sizes[1]; p++) {
				const int32_t n = p / in->sizes[1], k = p % in->sizes[1];
				const union number value = { .d = mean(in, (ptrdiff_t)n * in->strides[0] + (ptrdiff_t)k * in->strides[1], &y, &x) };

				run_write_doubles(element_at(out->data, out->type,
							     (ptrdiff_t)n * out->strides[0] + (ptrdiff_t)k * out->strides[1] +
								     (ptrdiff_t)i * out->strides[2] + (ptrdiff_t)j * out->strides[3]),
						  out->type, 0, &value, 1);
			}
		}
	}
	return true;
}
