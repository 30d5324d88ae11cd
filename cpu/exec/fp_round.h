/* SPDX-License-Identifier: Apache-2.0 */
/* Rounding modes in a slot: enum fp_round, and one more that means "as FPSCR says". */
#ifndef CPU_EXEC_FP_ROUND_H
#define CPU_EXEC_FP_ROUND_H

#define FP_ROUND_CURRENT 5

#endif
