/* SPDX-License-Identifier: Apache-2.0 */
/* All bodies of scalar floating point. */
#ifndef CPU_EXEC_FP_H
#define CPU_EXEC_FP_H

#include "cpu/exec/fp_arith.h"
#include "cpu/exec/fp_convert.h"
#include "cpu/exec/fp_move.h"
#include "cpu/exec/fp_memory.h"

#endif
