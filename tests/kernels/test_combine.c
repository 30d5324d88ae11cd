/* SPDX-License-Identifier: Apache-2.0 */
/* U85's elementwise results of rows beside the reference's, where numbers end: every mode, every pair of such operands. */
#include <criterion/criterion.h>

#include "npu/kernels/u85/combine.h"
#include "npu/u85/u85.h"
#include "tests/kernels/random_op.h"

static const i64 ends[] = { 0, 1, INT32_MIN, -1, 2, -2, 31, 32, 62, 63, 64, -63, -64, INT16_MAX, INT16_MIN, INT32_MAX - 1, INT32_MAX, INT32_MAX + INT64_C(1), INT32_MIN + 1,
			    INT32_MIN - INT64_C(1), UINT32_MAX, INT64_C(1) << 47, -(INT64_C(1) << 47) };

static bool is_unary(unsigned mode)
{
	return mode == NPU_EW_ABS || mode == NPU_EW_CLZ || mode == NPU_EW_NOT;
}

/* All pairs of the first `count` numbers at once, whose rows differ from those of more. */
static void compare(unsigned mode, unsigned bytes, size_t first, size_t count)
{
	struct npu_op op = { .kind = NPU_ELEMENTWISE, .mode = (u8)mode, .unary = is_unary(mode), .ifm.bytes = (u8)bytes, .u85.enabled = true };
	i64 a[ARRAY_LEN(ends)], b[ARRAY_LEN(ends)];

	for (size_t y = first; y < first + count; y++) {
		for (size_t i = 0; i < count; i++) {
			a[i] = ends[first + i];
			b[i] = ends[y];
		}
		npu85_combine64(&op, a, b, count);
		for (size_t i = 0; i < count; i++)
			cr_assert_eq(a[i], npu85_elementwise_result(&op, ends[first + i], op.unary ? 0 : ends[y]), "mode %u: %lld and %lld gave %lld", mode,
				     (long long)ends[first + i], (long long)ends[y], (long long)a[i]);
	}
}

Test(combine, operands_where_numbers_end)
{
	static const u8 modes[] = { NPU_EW_MUL, NPU_EW_ADD, NPU_EW_SUB, NPU_EW_MIN, NPU_EW_MAX, NPU_EW_ABS, NPU_EW_CLZ, NPU_EW_SHR, NPU_EW_SHL, NPU_EW_LSR, NPU_EW_DIV,
				    NPU_EW_CMP_EQ, NPU_EW_CMP_NE, NPU_EW_CMP_GE, NPU_EW_CMP_GT, NPU_EW_AND, NPU_EW_OR, NPU_EW_XOR, NPU_EW_NOT, NPU_EW_AND_NOT };

	for (size_t m = 0; m < ARRAY_LEN(modes); m++)
		for (size_t count = 1; count <= ARRAY_LEN(ends); count++)
			for (size_t first = 0; first + count <= ARRAY_LEN(ends); first++)
				compare(modes[m], 4, first, count);
}
