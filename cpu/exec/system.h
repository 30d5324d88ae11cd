/* SPDX-License-Identifier: Apache-2.0 */
/* System instructions: all outside the fast path, through cpu/sysop.h. */
#ifndef CPU_EXEC_SYSTEM_H
#define CPU_EXEC_SYSTEM_H

#include "cpu/exec/body.h"
#include "cpu/sysop.h"

ALU_OP(nop) { }
SYS_OP(udf) { return sysop_udf(c); }

#endif
