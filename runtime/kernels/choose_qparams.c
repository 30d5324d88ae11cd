/* SPDX-License-Identifier: Apache-2.0 */
/* Scale and zero point from the smallest and largest value, of a tensor or of each row of its last axis; zero always
 * lies between them. In float32, as torch.ops.quantized_decomposed does it. */
#include "runtime/kernels/element.h"
#include "runtime/kernels/kernels.h"

#include <float.h>
#include <math.h>

struct range {
	float low, high;
};

/* Of n elements that lie one after the other. */
static struct range range_of(const struct tensor *t, size_t from, size_t n)
{
	struct range r = { 0, 0 };

	for (size_t k = from; k < from + n; k++) {
		const float x = (float)element_double(element_at(t->data, t->type, (ptrdiff_t)k), t->type);

		r.low = x < r.low ? x : r.low;
		r.high = x > r.high ? x : r.high;
	}
	return r;
}

static void store(struct tensor *scales, struct tensor *zeros, size_t at, float scale, float zero)
{
	const union number s = { .d = (double)scale }, z = { .d = (double)zero };

	run_write_doubles(element_at(scales->data, scales->type, (ptrdiff_t)at), scales->type, 0, &s, 1);
	run_write_doubles(element_at(zeros->data, zeros->type, (ptrdiff_t)at), zeros->type, 0, &z, 1);
}

static float clamped(float x, float low, float high)
{
	return x < low ? low : x > high ? high : x;
}

/* choose_qparams(input, quant_min, quant_max, eps, dtype, scale_out, zero_point_out) */
bool kernel_choose_qparams(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *scales = args[5]->as.tensor, *zeros = args[6]->as.tensor;
	const float low = (float)args[1]->as.integer, high = (float)args[2]->as.integer, eps = (float)value_as_double(args[3]);
	float scale;

	if (!dtype_is_float(in->type) || !(low < high) || !tensor_elements(in))
		return kernel_fail(c, "input is empty or of type %s, or the bounds are in the wrong order", dtype_name(in->type));
	if (!kernel_resize(c, scales, (int32_t[]){ 1 }, 1) || !kernel_resize(c, zeros, (int32_t[]){ 1 }, 1))
		return false;

	const struct range r = range_of(in, 0, tensor_elements(in));

	scale = (r.high - r.low) / (high - low);
	scale = scale < eps ? eps : scale;
	store(scales, zeros, 0, scale, clamped(low - nearbyintf(r.low / scale), low, high));
	return true;
}

/* choose_qparams_per_token_asymmetric(input, dtype, scale_out, zero_point_out): for int8 */
bool kernel_choose_qparams_per_token(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *scales = args[2]->as.tensor, *zeros = args[3]->as.tensor;
	int32_t sizes[TENSOR_MAX_RANK];

	if (!dtype_is_float(in->type) || !in->rank || !in->sizes[in->rank - 1] || !tensor_is_contiguous(in))
		return kernel_fail(c, "input is not contiguous, empty or of type %s", dtype_name(in->type));
	for (unsigned d = 0; d < in->rank; d++)
		sizes[d] = d + 1 < in->rank ? in->sizes[d] : 1;
	if (!kernel_resize(c, scales, sizes, in->rank) || !kernel_resize(c, zeros, sizes, in->rank))
		return false;

	const size_t n = (size_t)in->sizes[in->rank - 1];

	for (size_t k = 0; k < tensor_elements(in) / n; k++) {
		const struct range r = range_of(in, k * n, n);
		float scale = (r.high - r.low) / 255.0f, low, high;

		scale = scale < FLT_EPSILON ? FLT_EPSILON : scale;
		low = r.low / scale;
		high = r.high / scale;
		store(scales, zeros, k, scale,
		      nearbyintf(clamped((-128 + low) + (127 + high) > 0 ? -128 - low : 127 - high, -128, 127)));
	}
	return true;
}
