/* SPDX-License-Identifier: Apache-2.0 */
/* Rows through the tables of U85's output stage. */
#ifndef NPU_KERNELS_U85_TABLED_H
#define NPU_KERNELS_U85_TABLED_H

#include "npu/kernels/row_level.h"
#include "npu/op.h"

/* Values with zero point added and, but for tanh and sigmoid, clipped: what the operation's table makes of them, in
 * place. `table`: its bytes; op->u85.table is not NPU85_TABLE_NONE. */
void npu85_row_tabled(const struct npu_op *op, const u8 *table, i64 *v, size_t n);

#endif
