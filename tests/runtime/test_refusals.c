/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes that only a corrupt program has: a kernel says so. */
#include "runtime/host/rig.h"

#include <criterion/criterion.h>

static int8_t bytes[64];

static struct tensor tensor4(int32_t *sizes, int32_t *strides, uint8_t *order, uint8_t type)
{
	struct tensor t = { .data = bytes, .sizes = sizes, .strides = strides, .order = order, .capacity = sizeof bytes,
			    .type = type, .rank = 4, .dynamism = SHAPE_BOUNDED };

	tensor_set_strides(&t);
	return t;
}

static struct value of_tensor(struct tensor *t)
{
	return (struct value){ .kind = VALUE_TENSOR, .as.tensor = t };
}

/* A division of 0 channels by 4 gave 0 groups, and the next division went by that number. */
Test(refusals, convolution_of_an_input_without_channels)
{
	int32_t in_sizes[] = { 1, 0, 2, 2 }, weight_sizes[] = { 4, 1, 1, 4 }, strides[3][4];
	uint8_t order[] = { 0, 1, 2, 3 };
	int64_t ones[] = { 1, 1 }, zeros[] = { 0, 0 };
	struct tensor in = tensor4(in_sizes, strides[0], order, DTYPE_INT8), weight = tensor4(weight_sizes, strides[1], order, DTYPE_INT8);
	struct tensor out = tensor4(in_sizes, strides[2], order, DTYPE_INT8);
	int32_t scales[4] = { 0 }, scale_size = 4, scale_stride = 1;
	uint8_t scale_order = 0;
	struct tensor scale = { .data = scales, .sizes = &scale_size, .strides = &scale_stride, .order = &scale_order,
				.capacity = sizeof scales, .type = DTYPE_INT32, .rank = 1 };
	struct value tensor_in = of_tensor(&in), tensor_weight = of_tensor(&weight), tensor_out = of_tensor(&out);
	struct value tensor_scale = of_tensor(&scale), none = { .kind = VALUE_NONE };
	struct value list_of_ones = { .kind = VALUE_INT_LIST, .count = 2, .as.integers = ones };
	struct value list_of_zeros = { .kind = VALUE_INT_LIST, .count = 2, .as.integers = zeros };
	struct value zero = { .kind = VALUE_INT }, scratch = tensor_out;
	struct value *args[] = { &tensor_in, &tensor_weight, &none, &list_of_ones, &list_of_zeros, &list_of_ones, &zero, &zero,
				 &tensor_scale, &tensor_scale, &zero, &zero, &scratch, &tensor_out };
	static uint64_t temp[64];
	char why[256] = "";

	cr_assert_not(rig_call("cortex_m::quantized_conv2d.out", args, 14, temp, sizeof temp, why, sizeof why));
	cr_assert_str_eq(why, "a weight of 4 output and 4 input channels does not go with an input of 0");
}

/* What lies between limits that the type does not have cannot be converted to it. */
Test(refusals, quantisation_to_limits_of_another_type)
{
	static float from[2] = { 1e18f, -1e18f };
	int32_t sizes[] = { 1, 1, 1, 2 }, strides[2][4];
	uint8_t order[] = { 0, 1, 2, 3 };
	struct tensor in = tensor4(sizes, strides[0], order, DTYPE_FLOAT32), out = tensor4(sizes, strides[1], order, DTYPE_INT8);
	struct value tensor_in = of_tensor(&in), tensor_out = of_tensor(&out), scale = { .kind = VALUE_DOUBLE, .as.number = 1 };
	struct value zero = { .kind = VALUE_INT }, low = { .kind = VALUE_INT, .as.integer = -128 }, high = { .kind = VALUE_INT, .as.integer = 128 };
	struct value *args[] = { &tensor_in, &scale, &zero, &low, &high, &zero, &tensor_out };
	static uint64_t temp[8];
	char why[256] = "";

	in.data = from;
	cr_assert_not(rig_call("quantized_decomposed::quantize_per_tensor.out", args, 7, temp, sizeof temp, why, sizeof why));
	cr_assert_str_eq(why, "quant_min and quant_max are no limits of int8");
	high.as.integer = 127;
	cr_assert(rig_call("quantized_decomposed::quantize_per_tensor.out", args, 7, temp, sizeof temp, why, sizeof why), "%s", why);
	cr_assert_eq(bytes[0], 127);
	cr_assert_eq(bytes[1], -128);
}

/* Most kernels would read the parts of complex numbers as nothing at all. */
Test(refusals, complex_numbers_where_a_kernel_takes_none)
{
	int32_t sizes[] = { 1, 1, 1, 2 }, strides[4];
	uint8_t order[] = { 0, 1, 2, 3 };
	struct tensor t = tensor4(sizes, strides, order, DTYPE_COMPLEX64);
	struct value tensor = of_tensor(&t), one = { .kind = VALUE_INT, .as.integer = 1 };
	struct value *args[] = { &tensor, &tensor, &one, &tensor };
	static uint64_t temp[8];
	char why[256] = "";

	cr_assert_not(rig_call("aten::add.out", args, 4, temp, sizeof temp, why, sizeof why));
	cr_assert_str_eq(why, "argument 0 is not what its kernel takes (ttso): kind 5, a complex tensor, or one without data or not to be written");
}

/* How many positions there are, only the data say: an output of a fixed shape cannot hold them. */
Test(refusals, nonzero_into_a_fixed_shape)
{
	int32_t sizes[] = { 1, 1, 1, 2 }, strides[4], out_sizes[] = { 1, 4 }, out_strides[2];
	uint8_t order[] = { 0, 1, 2, 3 };
	int64_t positions[8];
	struct tensor in = tensor4(sizes, strides, order, DTYPE_INT8);
	struct tensor out = { .data = positions, .sizes = out_sizes, .strides = out_strides, .order = order, .capacity = sizeof positions,
			      .type = DTYPE_INT64, .rank = 2 };
	struct value given = of_tensor(&in), result = of_tensor(&out);
	struct value *args[] = { &given, &result };
	char why[256] = "";

	bytes[0] = bytes[1] = 1;
	cr_assert_not(rig_call("aten::nonzero.out", args, 2, NULL, 0, why, sizeof why));
	cr_assert_str_eq(why, "dimension 0 of the output is 1, that of the result 2");
	out.dynamism = SHAPE_BOUNDED;
	cr_assert(rig_call("aten::nonzero.out", args, 2, NULL, 0, why, sizeof why));
	cr_assert_eq(out_sizes[0], 2);
	cr_assert_eq(positions[7], 1);
	bytes[0] = bytes[1] = 0;
}

/* A row of a table behind its end, and a bag that ends before it begins. */
Test(refusals, bags_of_rows_that_are_not_there)
{
	int32_t table_sizes[] = { 3, 1 }, row_sizes[] = { 2 }, offset_sizes[] = { 2 }, out_sizes[] = { 2, 1 }, strides[5][2];
	uint8_t order[] = { 0, 1 };
	int64_t rows[] = { 0, 3 }, offsets[] = { 0, 1 }, others[2];
	float table[] = { 1, 2, 3 }, sums[2];
	struct tensor weight = { table, table_sizes, strides[0], order, sizeof table, DTYPE_FLOAT32, 2, 0, 0, 0 };
	struct tensor indices = { rows, row_sizes, strides[1], order, sizeof rows, DTYPE_INT64, 1, 0, 0, 0 };
	struct tensor starts = { offsets, offset_sizes, strides[2], order, sizeof offsets, DTYPE_INT64, 1, 0, 0, 0 };
	struct tensor out = { sums, out_sizes, strides[3], order, sizeof sums, DTYPE_FLOAT32, 2, 0, 0, 0 };
	struct tensor other = { others, offset_sizes, strides[4], order, sizeof others, DTYPE_INT64, 1, 0, 0, 0 };
	struct value values[] = { of_tensor(&weight), of_tensor(&indices), of_tensor(&starts), of_tensor(&out), of_tensor(&other) };
	struct value no = { .kind = VALUE_BOOL }, mode = { .kind = VALUE_INT }, none = { .kind = VALUE_NONE };
	struct value padding = { .kind = VALUE_INT, .as.integer = -1 };
	struct value *args[] = { &values[0], &values[1], &values[2], &no, &mode, &no, &none, &no, &padding, &values[3], &values[4], &values[4],
				 &values[4] };
	struct tensor *all[] = { &weight, &indices, &starts, &out, &other };
	char why[256] = "";

	for (unsigned k = 0; k < 5; k++)
		tensor_set_strides(all[k]);
	cr_assert_not(rig_call("aten::_embedding_bag.out", args, 13, NULL, 0, why, sizeof why));
	cr_assert_str_eq(why, "index 3 is not in a dimension of 3");
	rows[1] = 2;
	offsets[1] = 3;
	cr_assert_not(rig_call("aten::_embedding_bag.out", args, 13, NULL, 0, why, sizeof why));
	cr_assert_str_eq(why, "offset 3 lies before another one, or behind the indices");
	offsets[1] = 1;
	cr_assert(rig_call("aten::_embedding_bag.out", args, 13, NULL, 0, why, sizeof why), "%s", why);
	cr_assert_eq(sums[1], 3);
}

/* A place that a line of two elements does not have, and a window larger than the image. */
Test(refusals, places_and_windows_that_are_not_there)
{
	int32_t sizes[] = { 1, 1, 1, 2 }, strides[2][4];
	uint8_t order[] = { 0, 1, 2, 3 };
	struct tensor in = tensor4(sizes, strides[0], order, DTYPE_INT8), out = tensor4(sizes, strides[1], order, DTYPE_INT8);
	struct value given = of_tensor(&in), result = of_tensor(&out), yes = { .kind = VALUE_BOOL, .as.boolean = true };
	struct value third = { .kind = VALUE_INT, .as.integer = 3 }, last = { .kind = VALUE_INT, .as.integer = -1 };
	int64_t threes[] = { 3 }, zeros[] = { 0 };
	struct value kernel = { .kind = VALUE_INT_LIST, .count = 1, .as.integers = threes }, none = { .kind = VALUE_NONE };
	struct value padding = { .kind = VALUE_INT_LIST, .count = 1, .as.integers = zeros };
	struct value *kth[] = { &given, &third, &last, &yes, &result, &result };
	struct value *pool[] = { &given, &kernel, &kernel, &padding, &yes, &yes, &none, &result };
	char why[256] = "";

	cr_assert_not(rig_call("aten::kthvalue.values", kth, 6, NULL, 0, why, sizeof why));
	cr_assert_str_eq(why, "element 3 of 2 does not exist");
	cr_assert_not(rig_call("aten::avg_pool3d.out", pool, 8, NULL, 0, why, sizeof why));
	cr_assert_str_eq(why, "the window is larger than the input's 1 with its padding");
}
