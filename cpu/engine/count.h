/* SPDX-License-Identifier: Apache-2.0 */
/* Events that depend on where data lies (COUNT_PLACES in cpu/sys/pmu.h). Private to engine/. */
#ifndef CPU_ENGINE_COUNT_H
#define CPU_ENGINE_COUNT_H

#include "cpu/engine/engine.h"

/* Before an instruction is executed: true when some counter asks where its data lies, so that it must be
 * executed by its slow twin. */
bool count_asks_place(struct cpu *c, unsigned op);

/* Ways to return from a function: BX LR, MOV pc, LR, and pops of pc. */
bool op_returns(unsigned op, const struct slot *s);

#endif
