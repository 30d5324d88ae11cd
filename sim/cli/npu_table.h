/* SPDX-License-Identifier: Apache-2.0 */
/* What the latest run of a network spent its cycles on, as a table for people. */
#ifndef SIM_NPU_TABLE_H
#define SIM_NPU_TABLE_H

#include "include/fvpsim.h"

/* On standard output: a line an operation, the sum below. `named`: with the operators that they were made from. */
void npu_table_print(const struct fvpsim_network *n, bool named);

#endif
