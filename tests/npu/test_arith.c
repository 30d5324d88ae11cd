/* SPDX-License-Identifier: Apache-2.0 */
/* Scaling, rounding, units and tables against vectors of the validated arithmetic. */
#include <criterion/criterion.h>

#include "npu/arith.h"
#include "npu/exec.h"
#include "npu/sigmoid.h"

static const struct {
	i64 x;
	u32 scale;
	u8 shift;
	i64 dbl, natural, truncate;
} vectors[] = {
	{ -2, 1073741824, 32, -1, 0, 0 },
	{ 3, 1073741824, 33, 1, 0, 0 },
	{ -3, 1073741824, 33, 0, 0, 0 },
	{ 1000, 1073741824, 30, 1000, 1000, 1000 },
	{ -1000, 1073741824, 31, -500, -500, -500 },
	{ 5, 1073741824, 31, 3, 3, 2 },
	{ -5, 1073741824, 31, -2, -2, -2 },
	{ 12345, 1638001653, 39, 37, 37, 36 },
	{ -12345, 1638001653, 39, -37, -37, -36 },
	{ 3, 1073741824, 32, 1, 1, 0 },
	{ -3, 1073741824, 32, -1, -1, 0 },
	{ 6, 1073741824, 33, 1, 1, 0 },
	{ -6, 1073741824, 33, -1, -1, 0 },
	{ -2, 1073741824, 33, 0, 0, 0 },
	{ 987654, 2147483649u, 31, 987654, 987654, 987654 },
	{ -1152, 3817748709u, 35, -128, -128, -128 },
	{ 70000, 21346, 13, 182400, 182400, 182399 },
	{ 68719476736, 20000, 40, 1250, 1250, 1250 },
};

static i64 scaled(unsigned i, u8 round)
{
	struct npu_scale s = { vectors[i].scale, vectors[i].shift, round, 31 };
	return npu_scale_round(vectors[i].x, s);
}

Test(npu_arith, scale_round)
{
	for (unsigned i = 0; i < ARRAY_LEN(vectors); i++) {
		cr_expect_eq(scaled(i, NPU_ROUND_DBL), vectors[i].dbl, "DBL row %u", i);
		cr_expect_eq(scaled(i, NPU_ROUND_NATURAL), vectors[i].natural, "NATURAL row %u", i);
		cr_expect_eq(scaled(i, NPU_ROUND_TRUNCATE), vectors[i].truncate, "TRUNCATE row %u", i);
	}
}

Test(npu_arith, operand_scaling_rounds_where_tflite_does)
{
	static const struct {
		i64 x;
		u32 scale;
		u8 shift, first;
		i64 want;
	} rows[] = {
		{ 100, 1200000000, 13, 11, 14648438 },
		{ -77, 1200000000, 13, 11, -11279297 },
		{ 127, 1073741824, 11, 11, 66584576 },
		{ 12345, 1220346198, 20, 16, 14367269 },
		{ -12345, 1220346198, 20, 16, -14367269 },
		{ -30001, 1999999999, 19, 16, -114444733 },
	};

	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		struct npu_scale s = { rows[i].scale, rows[i].shift, NPU_ROUND_DBL, rows[i].first };
		cr_expect_eq(npu_scale_round(rows[i].x, s), rows[i].want, "row %u", i);
	}
}

Test(npu_arith, extreme_products_do_not_overflow)
{
	struct npu_scale widest = { UINT32_MAX, 0, NPU_ROUND_DBL, 31 };
	struct npu_scale narrow = { UINT32_MAX, 63, NPU_ROUND_DBL, 31 };
	i64 acc = (INT64_C(1) << 39) - 1; /* largest 40-bit accumulator */

	cr_expect_gt(npu_scale_round(acc, widest), INT32_MAX);
	cr_expect_lt(npu_scale_round(-acc, widest), INT32_MIN);
	cr_expect_eq(npu_scale_round(acc, narrow), 256);
	cr_expect_eq(npu_scale_round(-acc, narrow), -256);
}

Test(npu_arith, tanh_and_sigmoid)
{
	static const struct {
		i64 x;
		i32 sigmoid, tanh;
	} rows[] = {
		{ 0, 16384, 0 },	{ 1, 16385, 3 },	  { -1, 16383, -3 },
		{ 500, 16717, 1333 },	{ -500, 16051, -1333 },	  { 4096, 19090, 10536 },
		{ -4096, 13678, -10536 }, { 12288, 23956, 24956 }, { -12288, 8812, -24956 },
		{ 40000, 31551, 32671 }, { -40000, 1217, -32671 }, { 65279, 32607, 32767 },
		{ 65280, 32607, 32767 }, { 87091, 32741, 32767 }, { 130559, 32767, 32767 },
		{ 130560, 32767, 32767 }, { -130561, 1, -32767 },
	};

	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		cr_expect_eq(npu_sigmoid(rows[i].x), rows[i].sigmoid, "sigmoid row %u", i);
		cr_expect_eq(npu_tanh(rows[i].x), rows[i].tanh, "tanh row %u", i);
	}
}

static i32 lut16_value(i32 v)
{
	struct npu_op op = { .output = NPU_OUT_LUT16, .lo = INT16_MIN, .hi = INT16_MAX,
			     .ofm = { .bytes = 2, .is_signed = 1 } };
	static u32 table[512];

	for (unsigned i = 0; i < 512; i++)
		table[i] = 1000u | (u32)(u16)-300 << 16;
	return npu_output_value(&op, (const u8 *)table, v);
}

Test(npu_arith, table_of_512_interpolates_and_rounds)
{
	cr_expect_eq(lut16_value(64), 850);
	cr_expect_eq(lut16_value(1), 998);
	cr_expect_eq(lut16_value(127), 702);
	cr_expect_eq(lut16_value(100000), 702, "index is clamped to 16 bits");
}

Test(npu_arith, table_of_256_starts_at_the_smallest_value)
{
	u8 table[256];
	struct npu_op op = { .output = NPU_OUT_LUT8, .lo = -128, .hi = 127,
			     .ofm = { .bytes = 1, .is_signed = 1, .zero_point = 5 } };

	for (unsigned i = 0; i < 256; i++)
		table[i] = (u8)i;
	cr_expect_eq(npu_output_value(&op, table, -1000), 0);
	cr_expect_eq(npu_output_value(&op, table, -5), 128, "zero point comes first");
	op.ofm.is_signed = 0;
	op.lo = 0;
	op.hi = 255;
	cr_expect_eq(npu_output_value(&op, table, 10), 15);
}

Test(npu_arith, zero_point_is_ignored_for_plain_32_bit)
{
	struct npu_op op = { .output = NPU_OUT_RAW32, .lo = INT32_MIN, .hi = INT32_MAX,
			     .ofm = { .bytes = 4, .is_signed = 1, .zero_point = 77 } };

	cr_expect_eq(npu_output_value(&op, NULL, 1), 1);
	cr_expect_eq(npu_output_value(&op, NULL, INT64_C(1) << 40), INT32_MAX);
	cr_expect_eq(npu_output_value(&op, NULL, -(INT64_C(1) << 40)), INT32_MIN);
}

Test(npu_arith, shift_left_keeps_the_low_bits)
{
	const struct npu_op op = { .mode = NPU_EW_SHL };

	cr_expect_eq(npu_elementwise_value(&op, -1056585554, 14), 0x722b8000);
	cr_expect_eq(npu_elementwise_value(&op, 1215937974, 4), -2019828896);
	cr_expect_eq(npu_elementwise_value(&op, 3, 29), 0x60000000);
	cr_expect_eq(npu_elementwise_value(&op, -1, 31), INT32_MIN);
}

/* The end of a softmax of a thousand nearly equal values: TensorFlow Lite's kernels leave 0 of them. */
Test(npu_arith, shift_right_by_more_than_a_word_leaves_nothing)
{
	static const i32 values[] = { INT32_MAX, INT32_MAX / 2 + 1, 1, -1, INT32_MIN };

	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		for (int by = 32; by < 70; by++) {
			const struct npu_op up = { .mode = NPU_EW_SHR, .ofm_scale.round = NPU_ROUND_NATURAL };
			const struct npu_op away = { .mode = NPU_EW_SHR, .ofm_scale.round = NPU_ROUND_DBL };
			const i64 half = by == 32 && values[i] == INT32_MIN ? -1 : 0; /* a tie */

			cr_expect_eq(npu_elementwise_value(&up, values[i], by), 0);
			cr_expect_eq(npu_elementwise_value(&away, values[i], by), half);
		}
}
