/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise results of rows; see combine.h. What is not a plain loop is the generic path's own
 * arithmetic, one element at a time. */
#include "npu/kernels/u85/combine.h"

#include "npu/kernels/rows/walk.h"
#include "npu/kernels/u85/rounding.h"
#include "npu/u85/u85.h"

#define EACH(expression) do { \
	for (size_t i = 0; i < n; i++) \
		a[i] = (expression); \
	} while (0)

bool npu85_combine32_has(unsigned mode)
{
	return mode <= NPU_EW_MAX || mode == NPU_EW_ABS || (mode >= NPU_EW_CMP_EQ && mode <= NPU_EW_CMP_GT) || (mode >= NPU_EW_AND && mode <= NPU_EW_NOT) ||
	       mode == NPU_EW_AND_NOT;
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
	case NPU_EW_CMP_GT: EACH(-(a[i] > b[i])); return;
	case NPU_EW_AND: EACH(a[i] & b[i]); return;
	case NPU_EW_OR: EACH(a[i] | b[i]); return;
	case NPU_EW_XOR: EACH(a[i] ^ b[i]); return;
	case NPU_EW_NOT: EACH(~a[i]); return;
	default: EACH(a[i] & ~b[i]); return;
	}
}

/* Values that leave room for the rounding, and distances that 64 bits have. */
static bool shifts_small(const i64 *a, const i64 *b, size_t n)
{
	i64 most = 0, least = 0, distance = 0;

	for (size_t i = 0; i < n; i++) {
		most = a[i] > most ? a[i] : most;
		least = a[i] < least ? a[i] : least;
		distance = b[i] > distance ? b[i] : distance;
	}
	return most <= NPU85_PRODUCT_LIMIT && least >= -NPU85_PRODUCT_LIMIT && distance <= NPU85_SHIFT_LIMIT;
}

/* How many are as the first one: distances that are repeated over channels. */
static size_t equal_run(const i64 *b, size_t n)
{
	size_t run = 1;

	while (run < n && b[run] == b[0])
		run++;
	return run;
}

/* Shifts to the right with the rounding of the operation's scale; negative distances are none. */
static void shift_right(const struct npu_op *op, i64 *a, const i64 *b, size_t n)
{
	struct npu85_scale s = { .scale = 1, .round = op->u85.ofm_scale.round };

	if (!shifts_small(a, b, n)) {
		EACH(npu85_elementwise_result(op, a[i], b[i]));
		return;
	}
	for (size_t run; n; n -= run, a += run, b += run) {
		run = equal_run(b, n);
		s.shift = (u8)(b[0] < 0 ? 0 : b[0]);
		const struct npu85_rounding r = npu85_rounding_of(s);
		for (size_t i = 0; i < run; i++)
			a[i] = (a[i] + (a[i] < 0 ? r.minus : r.plus)) >> s.shift;
	}
}

/* Bits beyond the operand's are none. */
static void shift_right_bits(const struct npu_op *op, i64 *a, const i64 *b, size_t n)
{
	const u64 mask = op->ifm.bytes < 8 ? (UINT64_C(1) << 8 * op->ifm.bytes) - 1 : UINT64_MAX;

	EACH(b[i] < 0 || b[i] > 63 ? 0 : (i64)(((u64)a[i] & mask) >> b[i]));
}

/* Whether all values have 32 bits, of which the lowest has no opposite. */
static bool fit_32(const i64 *v, size_t n)
{
	u64 bits = 0;

	for (size_t i = 0; i < n; i++)
		bits |= ((u64)v[i] + INT32_MAX) | ((u64)INT32_MAX - (u64)v[i]);
	return bits <= UINT32_MAX;
}

/* Quotients of 32-bit numbers are those of doubles, which vectors have: one that is no whole number is farther from the next one than rounding goes. */
static void divide(const struct npu_op *op, i64 *a, const i64 *b, size_t n)
{
	if (!fit_32(a, n) || !fit_32(b, n)) {
		EACH(npu85_elementwise_result(op, a[i], b[i]));
		return;
	}
	i32 x[NPU_ROW], y[NPU_ROW];
	for (size_t i = 0; i < n; i++) {
		x[i] = (i32)(b[i] ? a[i] : 0);
		y[i] = (i32)(b[i] ? b[i] : 1);
	}
	for (size_t i = 0; i < n; i++)
		x[i] = (i32)((double)x[i] / (double)y[i]);
	EACH(x[i]);
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
	case NPU_EW_ABS: EACH(a[i] < 0 ? (i64)-(u64)a[i] : a[i]); return;
	case NPU_EW_CLZ: EACH((u32)a[i] ? __builtin_clz((u32)a[i]) : 32); return;
	case NPU_EW_SHL: EACH(b[i] < 0 || b[i] > 63 ? 0 : (i64)((u64)a[i] << b[i])); return;
	case NPU_EW_SHR: shift_right(op, a, b, n); return;
	case NPU_EW_LSR: shift_right_bits(op, a, b, n); return;
	case NPU_EW_DIV: divide(op, a, b, n); return;
	default: EACH(npu85_elementwise_result(op, a[i], op->unary ? 0 : b[i])); return;
	}
}
