/* SPDX-License-Identifier: Apache-2.0 */
/* Output stages of U55 and U65 that are more than a clamp, a row at a time: tables, and the units for tanh and sigmoid. */
#ifndef NPU_KERNELS_TABLED_H
#define NPU_KERNELS_TABLED_H

#include "npu/kernels/row_level.h"
#include "npu/kernels/conv/sink.h"

/* Units take values as they are, and beyond this one in magnitude give no others; tables are looked up by what has been clamped. */
#define NPU_UNIT_LIMIT (INT64_C(1) << 17)

static inline bool npu_is_unit(const struct npu_op *op)
{
	return op->output == NPU_OUT_TANH || op->output == NPU_OUT_SIGMOID;
}

static inline bool npu_is_tabled(const struct npu_op *op)
{
	return op->output == NPU_OUT_LUT8 || op->output == NPU_OUT_LUT16 || op->output == NPU_OUT_LUT32 || npu_is_unit(op);
}

/* at[i] = word at[i] of the table, which may lie anywhere; n at most NPU_ROW. */
void npu_row_words(const void *table, i32 *at, size_t n);

/* The same of bytes, to memory: word at[i] of the 256. */
void npu_row_byte_words(const u8 *table, const u8 *at, size_t n, u8 *to);

/* In place, n at most NPU_ROW, where npu_is_tabled(): values below 2^30 in magnitude; tables: after zero point and clamp. */
void npu_row_tabled(const struct npu_sink *s, i32 *v, size_t n);

#endif
