/* SPDX-License-Identifier: Apache-2.0 */
/* Linear layers and batches of matrix products of int8, one scale for all outputs. */
#include "runtime/kernels/cortex_m/common.h"
#include "runtime/kernels/cortex_m/dot.h"
#include "runtime/kernels/kernels.h"

/* One row: k inputs, `rows` outputs. */
struct product {
	const int8_t *weights;
	const int32_t *initial;
	int32_t rows, k, count; /* count: rows of inputs */
	int32_t row_factor; /* times the sum of the inputs: the weights' offset */
	struct scaling scaling;
	int32_t scales[2][4]; /* multiplier and shift of all channels */
};

/* The same scale for all channels. */
static void set_scale(struct product *p, int32_t multiplier, int32_t shift)
{
	for (unsigned i = 0; i < 4; i++) {
		p->scales[0][i] = multiplier;
		p->scales[1][i] = shift;
	}
	p->scaling.multipliers = p->scales[0];
	p->scaling.shifts = p->scales[1];
	p->scaling.pace = 0;
	p->scaling.only_right = shift <= 0;
}

static void run_rows(const struct product *p, const int8_t *in, int8_t *out)
{
	for (int32_t n = p->count; n--; in += p->k, out += p->rows) {
		const int32_t add = p->row_factor ? (int32_t)((uint32_t)p->row_factor * (uint32_t)sum_int8(in, p->k)) : 0;

		dot_rows(out, in, p->weights, p->rows, p->k, p->initial, add, &p->scaling);
	}
}

static bool linear_shape(struct kernel_context *c, struct product *p, const struct tensor *in, const struct tensor *weights,
			 struct tensor *out)
{
	int32_t sizes[TENSOR_MAX_RANK];

	if (!check_int8(c, in, "input") || !check_int8(c, weights, "weight") || !check_int8(c, out, "output"))
		return false;
	if (!in->rank || weights->rank != 2 || in->sizes[in->rank - 1] != weights->sizes[1])
		return kernel_fail(c, "input and weight do not agree in their last dimension");
	p->weights = weights->data;
	p->rows = weights->sizes[0];
	p->k = weights->sizes[1];
	p->count = 1;
	for (unsigned d = 0; d + 1 < in->rank; d++) {
		sizes[d] = in->sizes[d];
		p->count *= in->sizes[d];
	}
	sizes[in->rank - 1] = p->rows;
	if (!kernel_resize(c, out, sizes, in->rank))
		return false;
	if (!tensor_is_contiguous(in) || !tensor_is_contiguous(weights) || !tensor_is_contiguous(out))
		return kernel_fail(c, "input, weight and output are not all contiguous");
	return true;
}

/* quantized_linear(input, weights, bias, kernel_sum, input_offset, filter_offset, output_offset, multipliers, shifts,
 * activation_max, activation_min, out). kernel_sum, when it is there, is the initial value made by the compiler. */
bool kernel_cortex_m_linear(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor, *weights = args[1]->as.tensor;
	struct tensor *out = args[11]->as.tensor;
	const int32_t *bias, *sums;
	int32_t in_offset, shift, *initial;
	struct product p;

	if (!linear_shape(c, &p, in, weights, out))
		return false;
	if (!check_bias(c, args[2], p.rows, &bias) || !check_bias(c, args[3], p.rows, &sums) ||
	    !check_range(c, args[4], -MOST_OFFSET, MOST_OFFSET, "input offset", &in_offset) ||
	    !check_range(c, args[5], -MOST_OFFSET, MOST_OFFSET, "filter offset", &p.row_factor) ||
	    !check_range(c, args[6], -MOST_OFFSET, MOST_OFFSET, "output offset", &p.scaling.offset) ||
	    !check_range(c, args[9], -128, 127, "activation_max", &p.scaling.high) ||
	    !check_range(c, args[10], -128, 127, "activation_min", &p.scaling.low))
		return false;
	if (!args[7]->count || !args[8]->count)
		return kernel_fail(c, "there is no multiplier or no shift");
	if (!check_shift(c, &(struct value){ .kind = VALUE_INT, .as.integer = args[8]->as.integers[0] }, &shift))
		return false;
	set_scale(&p, (int32_t)args[7]->as.integers[0], shift);
	p.initial = sums;
	if (!sums) {
		initial = kernel_temp(c, sizeof *initial * (size_t)p.rows);
		if (!initial)
			return false;
		initial_values(initial, bias, weights->data, p.rows, p.k, in_offset, p.row_factor);
		p.initial = initial;
	}
	run_rows(&p, in->data, out->data);
	return true;
}

/* quantized_batch_matmul(lhs, lhs_offset, rhs_transposed, rhs_offset, output_zero_point, multiplier, shift, scratch,
 * out): both offsets are added to the elements. */
bool kernel_cortex_m_batch_matmul(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *lhs = args[0]->as.tensor, *rhs = args[2]->as.tensor;
	struct tensor *out = args[8]->as.tensor;
	struct product p;
	int32_t lhs_offset, shift, multiplier, *initial;

	if (!check_int8(c, lhs, "lhs") || !check_int8(c, rhs, "rhs") || !check_int8(c, out, "output"))
		return false;
	if (lhs->rank != 3 || rhs->rank != 3 || lhs->sizes[0] != rhs->sizes[0] || lhs->sizes[2] != rhs->sizes[2])
		return kernel_fail(c, "lhs and rhs are not batches of matrices that agree");
	if (!kernel_resize(c, out, (int32_t[]){ lhs->sizes[0], lhs->sizes[1], rhs->sizes[1] }, 3))
		return false;
	if (!tensor_is_contiguous(lhs) || !tensor_is_contiguous(rhs) || !tensor_is_contiguous(out))
		return kernel_fail(c, "lhs, rhs and output are not all contiguous");
	p.rows = rhs->sizes[1];
	p.k = rhs->sizes[2];
	p.count = lhs->sizes[1];
	p.scaling.low = -128;
	p.scaling.high = 127;
	if (!check_range(c, args[1], -MOST_OFFSET, MOST_OFFSET, "lhs offset", &lhs_offset) ||
	    !check_range(c, args[3], -MOST_OFFSET, MOST_OFFSET, "rhs offset", &p.row_factor) ||
	    !check_range(c, args[4], -MOST_OFFSET, MOST_OFFSET, "output zero point", &p.scaling.offset) ||
	    !check_range(c, args[5], INT32_MIN, INT32_MAX, "multiplier", &multiplier) || !check_shift(c, args[6], &shift))
		return false;
	set_scale(&p, multiplier, shift);
	initial = kernel_temp(c, sizeof *initial * (size_t)p.rows);
	if (!initial)
		return false;
	p.initial = initial;
	for (int32_t b = 0; b < lhs->sizes[0]; b++) {
		p.weights = (int8_t *)rhs->data + (size_t)b * (size_t)p.rows * (size_t)p.k;
		initial_values(initial, NULL, p.weights, p.rows, p.k, lhs_offset, p.row_factor);
		run_rows(&p, (int8_t *)lhs->data + (size_t)b * (size_t)p.count * (size_t)p.k,
			 (int8_t *)out->data + (size_t)b * (size_t)p.count * (size_t)p.rows);
	}
	return true;
}
