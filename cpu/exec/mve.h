/* SPDX-License-Identifier: Apache-2.0 */
/* All bodies of MVE. */
#ifndef CPU_EXEC_MVE_H
#define CPU_EXEC_MVE_H

#include "cpu/exec/mve_arith.h"
#include "cpu/exec/mve_one.h"
#include "cpu/exec/mve_shift.h"
#include "cpu/exec/mve_wide.h"
#include "cpu/exec/mve_reduce.h"
#include "cpu/exec/mve_pred.h"
#include "cpu/exec/mve_memory.h"
#include "cpu/exec/mve_interleave.h"
#include "cpu/exec/mve_float.h"

#endif
