/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise results of rows; see combine.h. What is not a plain loop is the generic path's own
 * arithmetic, one element at a time. */
#include "npu/kernels/u85/combine.h"

#include "npu/u85/arith.h"
#include "npu/u85/u85.h"

#define EACH(expression) do { \
	for (size_t i = 0; i < n; i++) \
		a[i] = (expression); \
	} while (0)

bool npu85_combine32_has(unsigned mode)
{
	return mode <= NPU_EW_MAX || mode == NPU_EW_ABS || (mode >= NPU_EW_CMP_EQ && mode <= NPU_EW_CMP_GT);
}

void npu85_combine32(unsigned mode, i32 *a, const i32 *b, size_t n)
{
	switch (mode) {
	case NPU_EW_MUL: EACH(a[i] * b[i]); return;
	case NPU_EW_ADD: EACH(a[i] + b[i]); return;
	case NPU_EW_SUB: EACH(a[i] - b[i]); return;
	case NPU_EW_MIN: EACH(a[i] < b[i] ? a[i] : b[i]); return;
	case NPU_EW_MAX: EACH(a[i] > b[i] ? a[i] : b[i]); return;
	case NPU_EW_ABS: EACH(a[i] < 0 ? -a[i] : a[i]); return;
	case NPU_EW_CMP_EQ: EACH(-(a[i] == b[i])); return;
	case NPU_EW_CMP_NE: EACH(-(a[i] != b[i])); return;
	case NPU_EW_CMP_GE: EACH(-(a[i] >= b[i])); return;
	default: EACH(-(a[i] > b[i])); return;
	}
}

void npu85_combine64(const struct npu_op *op, i64 *a, const i64 *b, size_t n)
{
	switch ((enum npu_elementwise)op->mode) {
	case NPU_EW_MUL: EACH(npu85_mul(a[i], b[i])); return;
	case NPU_EW_ADD: EACH(npu85_add(a[i], b[i])); return;
	case NPU_EW_SUB: EACH((i64)((u64)a[i] - (u64)b[i])); return;
	case NPU_EW_MIN: EACH(a[i] < b[i] ? a[i] : b[i]); return;
	case NPU_EW_MAX: EACH(a[i] > b[i] ? a[i] : b[i]); return;
	case NPU_EW_CMP_EQ: EACH(-(i64)(a[i] == b[i])); return;
	case NPU_EW_CMP_NE: EACH(-(i64)(a[i] != b[i])); return;
	case NPU_EW_CMP_GE: EACH(-(i64)(a[i] >= b[i])); return;
	case NPU_EW_CMP_GT: EACH(-(i64)(a[i] > b[i])); return;
	case NPU_EW_AND: EACH(a[i] & b[i]); return;
	case NPU_EW_OR: EACH(a[i] | b[i]); return;
	case NPU_EW_XOR: EACH(a[i] ^ b[i]); return;
	case NPU_EW_NOT: EACH(~a[i]); return;
	case NPU_EW_AND_NOT: EACH(a[i] & ~b[i]); return;
	default: EACH(npu85_elementwise_result(op, a[i], op->unary ? 0 : b[i])); return;
	}
}
