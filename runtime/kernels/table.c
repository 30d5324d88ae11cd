/* SPDX-License-Identifier: Apache-2.0 */
/* The table of kernels: all rows of kernels.def, or those in the file KERNEL_ROWS. */
#include "runtime/kernels/kernels.h"

#ifndef KERNEL_ROWS
#define KERNEL_ROWS "runtime/kernels/kernels.def"
#endif

const struct kernel_entry kernel_table[] = {
#define K(name, signature, function) { name, signature, function },
#include KERNEL_ROWS
#undef K
	{ "", "", NULL },
};
const unsigned kernel_count = sizeof kernel_table / sizeof *kernel_table - 1;
