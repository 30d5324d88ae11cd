/* SPDX-License-Identifier: Apache-2.0 */
/* Integer loads and stores. */
#ifndef CPU_EXEC_LOAD_STORE_H
#define CPU_EXEC_LOAD_STORE_H

#include "cpu/exec/body.h"

MEM_OP(ldr_ri) { return load(c, path, RB + s->imm, 4, ACC_NORMAL, &RA); }

#endif
