/* SPDX-License-Identifier: Apache-2.0 */
/* Quantisation with a scale per channel (one axis) or per token (all axes but the last), as
 * torch.ops.quantized_decomposed does it: in float32, or in float64 where the scales are of that type. */
#include "runtime/kernels/element.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/walk.h"

#include <math.h>

struct channels {
	const struct tensor *scales, *zeros; /* zeros may be NULL */
	double low, high;
	bool round_last; /* after the zero point is added */
	bool back;       /* to real numbers */
};

static double zero_of(const struct channels *q, ptrdiff_t k)
{
	return q->zeros ? element_double(element_at(q->zeros->data, q->zeros->type, k), q->zeros->type) : 0;
}

static double narrowed(const struct channels *q, double x)
{
	return rounded_to(x, q->scales->type == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32);
}

static double convert(const struct channels *q, double x, double scale, double zero)
{
	if (q->back)
		return narrowed(q, narrowed(q, x - zero) * scale);
	x = narrowed(q, x * narrowed(q, 1 / scale));
	x = q->round_last ? nearbyint(narrowed(q, x + zero)) : narrowed(q, nearbyint(x) + zero);
	return !(x > q->low) ? q->low : x > q->high ? q->high : x;
}

static void convert_row(const struct channels *q, const struct tensor *in, const struct tensor *out, const struct walk *w)
{
	union number run[RUN];

	for (int32_t done = 0; done < w->row; done += RUN) {
		const unsigned n = (unsigned)(w->row - done < RUN ? w->row - done : RUN);
		const int32_t to_stride = walk_stride(w, 0), stride = walk_stride(w, 1), channel_stride = walk_stride(w, 2);

		run_read_doubles(run, element_at(in->data, in->type, w->at[1] + (ptrdiff_t)done * stride), in->type, stride, n);
		for (unsigned k = 0; k < n; k++) {
			const ptrdiff_t channel = w->at[2] + (done + (ptrdiff_t)k) * channel_stride;

			run[k].d = convert(q, run[k].d, element_double(element_at(q->scales->data, q->scales->type, channel),
								       q->scales->type), zero_of(q, channel));
		}
		run_write_doubles(element_at(out->data, out->type, w->at[0] + (ptrdiff_t)done * to_stride), out->type, to_stride, run,
				  n);
	}
}

/* `axis`: the axis of the channels; -1: every row of the last axis has its own scale. */
static bool convert_all(struct kernel_context *c, const struct channels *q, const struct tensor *in, struct tensor *out, int axis)
{
	int32_t strides[TENSOR_MAX_RANK] = { 0 };
	size_t count = 1;
	struct walk w;

	if (dtype_is_float(in->type) == q->back || dtype_is_float(out->type) != q->back || in->type == DTYPE_BOOL)
		return kernel_fail(c, "from %s to %s is not supported", dtype_name(in->type), dtype_name(out->type));
	if (axis >= 0) {
		strides[axis] = 1;
		count = (size_t)in->sizes[axis];
	} else {
		for (unsigned d = in->rank ? in->rank - 1u : 0; d--; count *= (size_t)in->sizes[d])
			strides[d] = (int32_t)count;
	}
	if (tensor_elements(q->scales) != count || (q->zeros && tensor_elements(q->zeros) != count))
		return kernel_fail(c, "there are %zu scales for %zu channels, or another number of zero points",
				   tensor_elements(q->scales), count);
	if (!kernel_resize_like(c, out, in))
		return false;
	walk_begin(&w, 3);
	for (unsigned i = 0; i < out->rank; i++) {
		const unsigned d = out->order[i];

		walk_add(&w, out->sizes[d], (int32_t[]){ out->strides[d], in->strides[d], strides[d] });
	}
	walk_ready(&w);
	for (; w.row; walk_next(&w))
		convert_row(q, in, out, &w);
	return true;
}

static bool axis_of(struct kernel_context *c, const struct value *v, const struct tensor *in, int *axis)
{
	const int64_t a = v->as.integer < 0 ? v->as.integer + in->rank : v->as.integer;

	if (a < 0 || a >= in->rank)
		return kernel_fail(c, "axis %lld is not one of %u", (long long)v->as.integer, in->rank);
	*axis = (int)a;
	return true;
}

/* quantize_per_channel(input, scales, zero_points, axis, quant_min, quant_max, dtype, out) */
bool kernel_quantize_per_channel(struct kernel_context *c, struct value *const *args)
{
	const struct channels q = { .scales = args[1]->as.tensor, .zeros = args[2]->as.tensor,
				    .low = value_as_double(args[4]), .high = value_as_double(args[5]) };
	int axis = 0;

	return axis_of(c, args[3], args[0]->as.tensor, &axis) && convert_all(c, &q, args[0]->as.tensor, args[7]->as.tensor, axis);
}

/* dequantize_per_channel(input, scales, zero_points, axis, quant_min, quant_max, dtype, out_dtype, out) */
bool kernel_dequantize_per_channel(struct kernel_context *c, struct value *const *args)
{
	const struct channels q = { .scales = args[1]->as.tensor, .zeros = value_tensor_or_null(args[2]), .back = true };
	int axis = 0;

	return axis_of(c, args[3], args[0]->as.tensor, &axis) && convert_all(c, &q, args[0]->as.tensor, args[8]->as.tensor, axis);
}

/* quantize_per_token(input, scales, zero_points, quant_min, quant_max, dtype, out) */
bool kernel_quantize_per_token(struct kernel_context *c, struct value *const *args)
{
	const struct channels q = { .scales = args[1]->as.tensor, .zeros = args[2]->as.tensor, .round_last = true,
				    .low = value_as_double(args[3]), .high = value_as_double(args[4]) };

	return convert_all(c, &q, args[0]->as.tensor, args[6]->as.tensor, -1);
}

/* dequantize_per_token(input, scales, zero_points, quant_min, quant_max, dtype, output_dtype, out) */
bool kernel_dequantize_per_token(struct kernel_context *c, struct value *const *args)
{
	const struct channels q = { .scales = args[1]->as.tensor, .zeros = args[2]->as.tensor, .back = true };

	return convert_all(c, &q, args[0]->as.tensor, args[7]->as.tensor, -1);
}
