/* SPDX-License-Identifier: Apache-2.0 */
/* Quotients of two tensors of int8 or int16. The dialect defines them in float32: there is no integer form of it. */
#include "runtime/kernels/cortex_m/common.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/walk.h"

#include <math.h>

struct quotient {
	int32_t self_zero, other_zero, out_zero;
	float scale;
	float low, high; /* of the type */
};

/* By zero: 0. */
static int32_t divide(int32_t a, int32_t b, const struct quotient *q)
{
	const float above = (float)(a - q->self_zero), below = (float)(b - q->other_zero);
	float x = below == 0 ? 0 : above / below;

	x = nearbyintf(x * q->scale) + (float)q->out_zero;
	return (int32_t)(x < q->low ? q->low : x > q->high ? q->high : x);
}

static void divide_row(void *out, int32_t out_stride, const void *a, int32_t a_stride, const void *b, int32_t b_stride, bool is_wide,
		       int32_t n, const struct quotient *q)
{
	for (int32_t k = 0; k < n; k++) {
		if (is_wide)
			((int16_t *)out)[k * out_stride] =
				(int16_t)divide(((const int16_t *)a)[k * a_stride], ((const int16_t *)b)[k * b_stride], q);
		else
			((int8_t *)out)[k * out_stride] =
				(int8_t)divide(((const int8_t *)a)[k * a_stride], ((const int8_t *)b)[k * b_stride], q);
	}
}

/* quantized_div(self, zero point, other, zero point, output's zero point, output_scale, out) */
bool kernel_cortex_m_divide(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *a = args[0]->as.tensor, *b = args[2]->as.tensor;
	struct tensor *out = args[6]->as.tensor;
	const bool is_wide = out->type == DTYPE_INT16;
	struct quotient q = { .scale = (float)value_as_double(args[5]), .low = is_wide ? -32768 : -128, .high = is_wide ? 32767 : 127 };
	struct walk w;

	if (out->type != DTYPE_INT8 && !is_wide)
		return kernel_fail(c, "output is of type %s, neither int8 nor int16", dtype_name(out->type));
	if (a->type != out->type || b->type != out->type)
		return kernel_fail(c, "self, other and output are not of one type");
	if (!tensor_same_shape(a, b))
		return kernel_fail(c, "self and other have different shapes");
	if (!(fabsf(q.scale) <= 1e30f))
		return kernel_fail(c, "the scale is no finite number");
	if (!check_range(c, args[1], -MOST_OFFSET, MOST_OFFSET, "zero point", &q.self_zero) ||
	    !check_range(c, args[3], -MOST_OFFSET, MOST_OFFSET, "zero point", &q.other_zero) ||
	    !check_range(c, args[4], -MOST_OFFSET, MOST_OFFSET, "zero point", &q.out_zero) || !kernel_resize_like(c, out, a) ||
	    !walk_broadcast(&w, out, (const struct tensor *const[]){ a, b }, 2))
		return false;
	for (; w.row; walk_next(&w)) {
		const ptrdiff_t bytes = is_wide ? 2 : 1;

		divide_row((int8_t *)out->data + w.at[0] * bytes, walk_stride(&w, 0), (int8_t *)a->data + w.at[1] * bytes,
			   walk_stride(&w, 1), (int8_t *)b->data + w.at[2] * bytes, walk_stride(&w, 2), is_wide, w.row, &q);
	}
	return true;
}
