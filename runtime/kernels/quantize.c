/* SPDX-License-Identifier: Apache-2.0 */
/* Quantisation with one scale, as torch.ops.quantized_decomposed does it in float32: round(x * (1 / scale)) to the
 * nearest even, plus zero point, clamped; and back: (x - zero point) * scale. */
#include "runtime/kernels/element.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/walk.h"

#include <math.h>

struct quantizer {
	float inverse_scale, scale, zero_point;
	double low, high;
};

static float quantize(const struct quantizer *q, float x)
{
	const float y = nearbyintf(x * q->inverse_scale) + q->zero_point, low = (float)q->low, high = (float)q->high;

	return !(y > low) ? low : y > high ? high : y; /* a NaN becomes the lowest value */
}

#define QUANTIZE_TO(ctype) \
	for (int32_t i = 0; i < n; i++) \
		((ctype *)to)[(ptrdiff_t)i * to_stride] = (ctype)quantize(q, from[(ptrdiff_t)i * stride]); \
	break

/* A row from float32. */
static void quantize_row(const struct quantizer *q, unsigned type, void *to, int32_t to_stride, const float *from,
			 int32_t stride, int32_t n)
{
	switch (type) {
	case DTYPE_INT8: QUANTIZE_TO(int8_t);
	case DTYPE_UINT8: QUANTIZE_TO(uint8_t);
	case DTYPE_INT16: QUANTIZE_TO(int16_t);
	case DTYPE_UINT16: QUANTIZE_TO(uint16_t);
	default: /* int32: its highest value is no float32 */
		for (int32_t i = 0; i < n; i++) {
			const double y = (double)(nearbyintf(from[(ptrdiff_t)i * stride] * q->inverse_scale) + q->zero_point);

			((int32_t *)to)[(ptrdiff_t)i * to_stride] = (int32_t)(!(y > q->low) ? q->low : y > q->high ? q->high : y);
		}
	}
}

#define DEQUANTIZE_FROM(ctype) \
	for (int32_t i = 0; i < n; i++) \
		to[(ptrdiff_t)i * to_stride] = ((float)((const ctype *)from)[(ptrdiff_t)i * stride] - q->zero_point) * q->scale; \
	break

/* A row to float32. */
static void dequantize_row(const struct quantizer *q, float *to, int32_t to_stride, unsigned type, const void *from,
			   int32_t stride, int32_t n)
{
	switch (type) {
	case DTYPE_INT8: DEQUANTIZE_FROM(int8_t);
	case DTYPE_UINT8: DEQUANTIZE_FROM(uint8_t);
	case DTYPE_INT16: DEQUANTIZE_FROM(int16_t);
	case DTYPE_UINT16: DEQUANTIZE_FROM(uint16_t);
	default: DEQUANTIZE_FROM(int32_t);
	}
}

static bool is_quantized(unsigned type)
{
	return type == DTYPE_INT8 || type == DTYPE_UINT8 || type == DTYPE_INT16 || type == DTYPE_UINT16 || type == DTYPE_INT32;
}

/* Rows in other floating-point types go through float32. */
static void convert_rows(const struct quantizer *q, const struct tensor *in, const struct tensor *out, struct walk *w, bool back)
{
	const unsigned real = back ? out->type : in->type;
	const int32_t to_stride = walk_stride(w, 0), stride = walk_stride(w, 1);
	float part[RUN];

	for (; w->row; walk_next(w)) {
		const int32_t most = real == DTYPE_FLOAT32 ? w->row : RUN;

		for (int32_t i = 0, n; i < w->row; i += n) {
			void *to = element_at(out->data, out->type, w->at[0] + (ptrdiff_t)i * to_stride);
			const void *from = element_at(in->data, in->type, w->at[1] + (ptrdiff_t)i * stride);

			n = w->row - i < most ? w->row - i : most;
			if (real == DTYPE_FLOAT32) {
				if (back)
					dequantize_row(q, to, to_stride, in->type, from, stride, n);
				else
					quantize_row(q, out->type, to, to_stride, from, stride, n);
			} else if (back) {
				dequantize_row(q, part, 1, in->type, from, stride, n);
				run_copy(to, out->type, to_stride, part, DTYPE_FLOAT32, 1, (size_t)n);
			} else {
				run_copy(part, DTYPE_FLOAT32, 1, from, in->type, stride, (size_t)n);
				quantize_row(q, out->type, to, to_stride, part, 1, n);
			}
		}
	}
}

/* Whether all values from the lowest to the highest are some of the type. */
static bool limits_fit(const struct quantizer *q, unsigned type)
{
	const bool is_signed = type != DTYPE_UINT8 && type != DTYPE_UINT16;
	const unsigned bits = type == DTYPE_INT32 ? 32 : type == DTYPE_INT16 || type == DTYPE_UINT16 ? 16 : 8;
	const double values = (double)(UINT64_C(1) << bits), lowest = is_signed ? -values / 2 : 0;

	return q->low >= lowest && q->low <= q->high && q->high <= lowest + values - 1;
}

static bool convert(struct kernel_context *c, const struct quantizer *q, const struct tensor *in, struct tensor *out, bool back)
{
	struct walk w;

	if (!dtype_is_float(back ? out->type : in->type) || !is_quantized(back ? in->type : out->type))
		return kernel_fail(c, "from %s to %s is not supported", dtype_name(in->type), dtype_name(out->type));
	if (!back && !limits_fit(q, out->type))
		return kernel_fail(c, "quant_min and quant_max are no limits of %s", dtype_name(out->type));
	if (!kernel_resize_like(c, out, in) || !walk_broadcast(&w, out, &in, 1))
		return false;
	convert_rows(q, in, out, &w, back);
	return true;
}

static struct quantizer quantizer_of(double scale, double zero_point, const struct value *low, const struct value *high)
{
	return (struct quantizer){
		.inverse_scale = (float)(1 / scale), .scale = (float)scale, .zero_point = (float)zero_point,
		.low = value_as_double(low), .high = value_as_double(high),
	};
}

/* Scale and zero point in tensors of one element. */
static bool quantizer_of_tensors(struct kernel_context *c, struct value *const *args, struct quantizer *q)
{
	const struct tensor *scale = args[1]->as.tensor, *zero = args[2]->as.tensor;

	if (tensor_elements(scale) != 1 || tensor_elements(zero) != 1)
		return kernel_fail(c, "scale and zero point are not of one element");
	*q = quantizer_of(element_double(scale->data, scale->type), element_double(zero->data, zero->type), args[3], args[4]);
	return true;
}

static struct quantizer quantizer_of_numbers(struct value *const *args)
{
	return quantizer_of(value_as_double(args[1]), value_as_double(args[2]), args[3], args[4]);
}

/* quantize_per_tensor(input, scale, zero_point, quant_min, quant_max, dtype, out) */
bool kernel_quantize_per_tensor(struct kernel_context *c, struct value *const *args)
{
	const struct quantizer q = quantizer_of_numbers(args);

	return convert(c, &q, args[0]->as.tensor, args[6]->as.tensor, false);
}

bool kernel_quantize_per_tensor_tensor(struct kernel_context *c, struct value *const *args)
{
	struct quantizer q;

	return quantizer_of_tensors(c, args, &q) && convert(c, &q, args[0]->as.tensor, args[6]->as.tensor, false);
}

/* dequantize_per_tensor(input, scale, zero_point, quant_min, quant_max, dtype, out) */
bool kernel_dequantize_per_tensor(struct kernel_context *c, struct value *const *args)
{
	const struct quantizer q = quantizer_of_numbers(args);

	return convert(c, &q, args[0]->as.tensor, args[6]->as.tensor, true);
}

/* The same with out_dtype before the output. */
bool kernel_dequantize_per_tensor_type(struct kernel_context *c, struct value *const *args)
{
	const struct quantizer q = quantizer_of_numbers(args);

	return convert(c, &q, args[0]->as.tensor, args[7]->as.tensor, true);
}

bool kernel_dequantize_per_tensor_tensor(struct kernel_context *c, struct value *const *args)
{
	struct quantizer q;

	return quantizer_of_tensors(c, args, &q) && convert(c, &q, args[0]->as.tensor, args[7]->as.tensor, true);
}
