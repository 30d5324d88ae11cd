/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise results of rows of scaled operands, into the first one. */
#ifndef NPU_KERNELS_U85_COMBINE_H
#define NPU_KERNELS_U85_COMBINE_H

#include "npu/kernels/row_level.h"
#include "npu/op.h"

/* Modes that npu85_combine32() knows: those of 8/16-bit networks. */
bool npu85_combine32_has(unsigned mode);
/* Results below 2^31 in magnitude. */
void npu85_combine32(unsigned mode, i32 *a, const i32 *b, size_t n);

/* Every mode but LRELU, wrapping; n <= NPU_ROW. b is not looked at by unary modes. */
void npu85_combine64(const struct npu_op *op, i64 *a, const i64 *b, size_t n);

#endif
