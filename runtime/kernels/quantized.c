/* SPDX-License-Identifier: Apache-2.0 */
/* Operators of quantized_decomposed that compute with quantised weights: rows of tables, products, and a sum. The scales of a
 * weight are one for each of its rows or one for each group of a row's elements. */
#include "runtime/kernels/element.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/positions.h"
#include "runtime/kernels/strided.h"

#include <math.h>

struct weight {
	const struct tensor *bytes, *scales, *zeros; /* zeros may be NULL */
	unsigned bits;                               /* of one element; several lie in a byte */
	int32_t columns, group;                      /* elements of a row, of them those with the same scale */
};

static bool weight_begin(struct kernel_context *c, struct weight *w, const struct tensor *bytes, const struct tensor *scales,
			 const struct tensor *zeros, unsigned bits)
{
	int32_t groups;

	*w = (struct weight){ .bytes = bytes, .scales = scales, .zeros = zeros, .bits = bits };
	if (bytes->rank != 2 || (bytes->type != DTYPE_UINT8 && (bits < 8 || bytes->type != DTYPE_INT8)))
		return kernel_fail(c, "a weight of type %s and %u dimensions", dtype_name(bytes->type), bytes->rank);
	w->columns = bytes->sizes[1] * (int32_t)(8 / bits);
	groups = scales->rank == 2 ? scales->sizes[1] : 1;
	if (!dtype_is_float(scales->type) || (scales->rank != 1 && scales->rank != 2) || scales->sizes[0] != bytes->sizes[0] || groups < 1)
		return kernel_fail(c, "scales of type %s and %u dimensions for %d rows", dtype_name(scales->type), scales->rank,
				   (int)bytes->sizes[0]);
	if (zeros && (!tensor_same_shape(scales, zeros) || !dtype_is_float(zeros->type)))
		return kernel_fail(c, "the zero points are not like the scales");
	w->group = (w->columns + groups - 1) / groups;
	return true;
}

/* Of two elements of 4 bits the first is the upper one, of four of 2 bits the lowest. */
static int32_t weight_at(const struct weight *w, int32_t row, int32_t column)
{
	const int32_t in_byte = 8 / (int32_t)w->bits, part = column % in_byte;
	const void *at = element_at(w->bytes->data, w->bytes->type, (ptrdiff_t)row * w->bytes->strides[0] +
									    (ptrdiff_t)(column / in_byte) * w->bytes->strides[1]);
	const int32_t byte = (int32_t)element_integer(at, w->bytes->type);

	return w->bits == 8 ? byte : w->bits == 4 ? (part ? byte & 15 : byte >> 4) - 8 : (byte >> 2 * part & 3) - 2;
}

static float parameter_at(const struct weight *w, const struct tensor *t, int32_t row, int32_t column)
{
	const ptrdiff_t at = (ptrdiff_t)row * t->strides[0] + (t->rank == 2 ? (ptrdiff_t)(column / w->group) * t->strides[1] : 0);

	return (float)element_double(element_at(t->data, t->type, at), t->type);
}

/* embedding_byte, _4bit, _2bit(weight, scales, zero_points, quant_min, quant_max, indices, out) */
static bool embedding(struct kernel_context *c, struct value *const *args, unsigned bits, struct tensor *out)
{
	const struct tensor *indices = args[5]->as.tensor;
	int32_t sizes[TENSOR_MAX_RANK], row;
	struct weight w;

	if (!weight_begin(c, &w, args[0]->as.tensor, args[1]->as.tensor, value_tensor_or_null(args[2]), bits))
		return false;
	if (w.columns % w.group)
		return kernel_fail(c, "%d elements are no whole groups of %d", (int)w.columns, (int)w.group);
	if (!is_position(indices->type) || indices->rank + 1u > TENSOR_MAX_RANK || !tensor_is_contiguous(indices) || !dtype_is_float(out->type))
		return kernel_fail(c, "indices of type %s for an output of type %s", dtype_name(indices->type), dtype_name(out->type));
	for (unsigned d = 0; d < indices->rank; d++)
		sizes[d] = indices->sizes[d];
	sizes[indices->rank] = w.columns;
	if (!kernel_resize(c, out, sizes, indices->rank + 1u))
		return false;
	if (!tensor_is_contiguous(out))
		return kernel_fail(c, "the output is not contiguous");
	for (size_t k = 0; k < tensor_elements(indices); k++) {
		if (!position_at(c, indices, (ptrdiff_t)k, w.bytes->sizes[0], &row))
			return false;
		for (int32_t column = 0; column < w.columns; column++) {
			const float zero = w.zeros ? parameter_at(&w, w.zeros, row, column) : 0;
			const float x = ((float)weight_at(&w, row, column) - zero) * parameter_at(&w, w.scales, row, column);
			const union number n = { .d = (double)x };

			run_write_doubles(element_at(out->data, out->type, (ptrdiff_t)k * w.columns + column), out->type, 0, &n, 1);
		}
	}
	return true;
}

/* `out`: which argument is the output; that of `dtype_out` has a type before it, which is the output's. */
#define EMBEDDING(name, bits, out) \
	bool kernel_embedding_##name(struct kernel_context *c, struct value *const *args) \
	{ \
		return embedding(c, args, bits, args[out]->as.tensor); \
	}

EMBEDDING(byte, 8, 6)
EMBEDDING(byte_type, 8, 7)
EMBEDDING(4bit, 4, 6)
EMBEDDING(4bit_type, 4, 7)
EMBEDDING(2bit, 2, 6)
EMBEDDING(2bit_type, 2, 7)

/* One number of the product: row i of the input, and row j of the weight or, where it lies the other way, its column j. */
static double product_of(const struct weight *w, const struct tensor *in, int32_t i, int32_t j, bool by_rows)
{
	double sum = 0;

	for (int32_t k = 0; k < in->sizes[1]; k++) {
		const int32_t row = by_rows ? j : k, column = by_rows ? k : j;
		const void *at = element_at(in->data, in->type, (ptrdiff_t)i * in->strides[0] + (ptrdiff_t)k * in->strides[1]);

		sum += element_double(at, in->type) * weight_at(w, row, column) * (double)parameter_at(w, w->scales, row, column);
	}
	return sum;
}

static bool product(struct kernel_context *c, struct value *const *args, bool by_rows, struct tensor *out)
{
	const struct tensor *in = args[0]->as.tensor, *bytes = args[1]->as.tensor;
	struct weight w;

	if (!weight_begin(c, &w, bytes, args[2]->as.tensor, NULL, 8))
		return false;
	if (!value_is_none(args[3]))
		return kernel_fail(c, "zero points are not supported");
	if (in->rank != 2 || !dtype_is_float(in->type) || !dtype_is_float(out->type) || bytes->type != DTYPE_INT8 ||
	    in->sizes[1] != bytes->sizes[by_rows])
		return kernel_fail(c, "an input of type %s and %u dimensions does not go with the weight", dtype_name(in->type), in->rank);
	if (!kernel_resize(c, out, (int32_t[]){ in->sizes[0], bytes->sizes[!by_rows] }, 2))
		return false;
	for (int32_t i = 0; i < out->sizes[0]; i++)
		for (int32_t j = 0; j < out->sizes[1]; j++) {
			const union number x = { .d = product_of(&w, in, i, j, by_rows) };

			run_write_doubles(element_at(out->data, out->type, (ptrdiff_t)i * out->strides[0] + (ptrdiff_t)j * out->strides[1]),
					  out->type, 0, &x, 1);
		}
	return true;
}

/* mixed_mm(input, weight, scales, zero_points, out) */
bool kernel_mixed_mm(struct kernel_context *c, struct value *const *args)
{
	return product(c, args, false, args[4]->as.tensor);
}

/* mixed_linear(input, weight, scales, zero_points, dtype, out) */
bool kernel_mixed_linear(struct kernel_context *c, struct value *const *args)
{
	return product(c, args, true, args[5]->as.tensor);
}

/* One operand of a sum. */
static float dequantized(const struct tensor *t, ptrdiff_t at, const struct value *scale, const struct value *zero)
{
	const int64_t x = element_integer(element_at(t->data, t->type, at), t->type);

	return (float)(x - (int32_t)zero->as.integer) * (float)value_as_double(scale);
}

/* add(a, scale, zero_point, quant_min, quant_max, b, scale, zero_point, quant_min, quant_max, scale, zero_point, quant_min,
 * quant_max, out): the last four are the output's. */
bool kernel_quantized_add(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *a = args[0]->as.tensor, *b = args[5]->as.tensor;
	struct tensor *out = args[14]->as.tensor;
	const float inverse = 1 / (float)value_as_double(args[10]);
	const double zero = value_as_double(args[11]), low = value_as_double(args[12]), high = value_as_double(args[13]);
	struct walk w;

	if (!dtype_is_integer(a->type) || a->type != b->type || a->type != out->type || !tensor_same_shape(a, b))
		return kernel_fail(c, "inputs of types %s and %s, or not of one shape", dtype_name(a->type), dtype_name(b->type));
	if (!kernel_resize_like(c, out, a) || !walk_broadcast(&w, out, (const struct tensor *const[]){ a, b }, 2))
		return false;
	for (; w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++) {
			const float sum = dequantized(a, w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1), args[1], args[2]) +
					  dequantized(b, w.at[2] + (ptrdiff_t)k * walk_stride(&w, 2), args[6], args[7]);
			const double x = zero + (double)nearbyintf(inverse * sum);
			const union number n = { .d = !(x > low) ? low : x > high ? high : x };

			run_write_doubles(element_at(out->data, out->type, w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0)), out->type, 0, &n, 1);
		}
	return true;
}
