/* SPDX-License-Identifier: Apache-2.0 */
/* Rows through the tables of U85's output stage. */
#ifndef NPU_KERNELS_U85_TABLED_H
#define NPU_KERNELS_U85_TABLED_H

#include "npu/kernels/row_level.h"
#include "npu/op.h"

/* Values with zero point added and, but for tanh and sigmoid, clipped: what the operation's table makes of them, in
 * place. `table`: its bytes; op->u85.table is not NPU85_TABLE_NONE. */
void npu85_row_tabled(const struct npu_op *op, const u8 *table, i64 *v, size_t n);

/* Whether the operation's table is one of int16 to int16, or a unit's: the next is for these. */
bool npu85_row_curves(const struct npu_op *op);
/* n <= NPU_ROW values in place; those of a table of int16 are clipped. */
void npu85_row_tabled32(const struct npu_op *op, const u8 *table, i32 *v, size_t n);

#endif
