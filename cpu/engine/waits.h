/* SPDX-License-Identifier: Apache-2.0 */
/* Costs that are known only when an instruction has been executed, because they depend on where its data lie. Private to
 * engine/. */
#ifndef CPU_ENGINE_WAITS_H
#define CPU_ENGINE_WAITS_H

#include "cpu/engine/engine.h"
#include "cpu/sys/sys.h"

/* Cost units that the instruction at pc, just executed on a slow path, takes beyond what its block was charged. It
 * must be asked after each such instruction, abandoned ones too: what was counted is taken away. */
u32 timing_waits_of(struct cpu *c, unsigned op, bool narrow, u32 pc);

static inline u32 timing_waits(struct cpu *c, unsigned op, bool narrow, u32 pc)
{
	return LIKELY(!c->sys->itcm_reads) ? 0 : timing_waits_of(c, op, narrow, pc);
}

#endif
