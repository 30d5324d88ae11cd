/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic, logic and moves. Suffixes: _ri immediate, _rr register. */
#ifndef CPU_EXEC_ALU_H
#define CPU_EXEC_ALU_H

#include "cpu/exec/body.h"

ALU_OP(add_ri) { RA = RB + s->imm; }
ALU_OP(adds_ri) { RA = add_flags(f, RB, s->imm, 0); }

#endif
