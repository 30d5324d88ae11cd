/* SPDX-License-Identifier: Apache-2.0 */
/* Softmax of int8 in float32, as the dialect defines it; the output's scale is 1/256. */
#include "runtime/kernels/cortex_m/common.h"
#include "runtime/kernels/cortex_m/requantize.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/walk.h"

#include <math.h>

#define INTEGER_BITS 5 /* of the fixed-point form in which the input's scale is given */

struct line {
	const int8_t *in;
	int8_t *out;
	int32_t in_stride, out_stride, n;
};

static void softmax_line(const struct line *l, float *exponentials, int32_t zero, float scale)
{
	float most = -INFINITY;
	double sum = 0;

	for (int32_t k = 0; k < l->n; k++)
		most = fmaxf(most, (float)(l->in[k * l->in_stride] - zero) * scale);
	for (int32_t k = 0; k < l->n; k++) {
		exponentials[k] = expf((float)(l->in[k * l->in_stride] - zero) * scale - most);
		sum += (double)exponentials[k];
	}
	for (int32_t k = 0; k < l->n; k++) {
		const int32_t y = (int32_t)nearbyintf(exponentials[k] / (float)sum * 256) - 128;

		l->out[k * l->out_stride] = (int8_t)(y > 127 ? 127 : y);
	}
}

/* A walk over the tensors without dimension `dim`. */
static void walk_without(struct walk *w, const struct tensor *out, const struct tensor *in, unsigned dim)
{
	walk_begin(w, 2);
	for (unsigned i = 0; i < out->rank; i++) {
		const unsigned d = out->order[i];

		if (d != dim)
			walk_add(w, out->sizes[d], (int32_t[]){ out->strides[d], in->strides[d] });
	}
	walk_ready(w);
}

/* softmax(input, dim, input_zero_point, output_zero_point, input_multiplier, input_shift, diff_min, out) */
bool kernel_cortex_m_softmax(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[7]->as.tensor;
	int32_t dim, zero, output_zero, multiplier, shift;
	float *exponentials;
	struct walk w;

	if (!check_int8(c, in, "input") || !check_int8(c, out, "output") ||
	    !check_range(c, args[1], -(int32_t)in->rank, (int32_t)in->rank - 1, "dim", &dim) ||
	    !check_range(c, args[2], -MOST_OFFSET, MOST_OFFSET, "input zero point", &zero) ||
	    !check_range(c, args[3], -128, -128, "output zero point", &output_zero) ||
	    !check_range(c, args[4], 1, INT32_MAX, "input multiplier", &multiplier) || !check_shift(c, args[5], &shift) ||
	    !kernel_resize_like(c, out, in))
		return false;
	dim += dim < 0 ? in->rank : 0;
	exponentials = kernel_temp(c, sizeof *exponentials * (size_t)in->sizes[dim]);
	if (!exponentials)
		return false;
	walk_without(&w, out, in, (unsigned)dim);
	for (; w.row && in->sizes[dim]; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++) {
			const struct line l = {
				(int8_t *)in->data + w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1),
				(int8_t *)out->data + w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0),
				in->strides[dim], out->strides[dim], in->sizes[dim],
			};

			softmax_line(&l, exponentials, zero, (float)ldexp(multiplier, shift - 31 - (31 - INTEGER_BITS)));
		}
	return true;
}
