/* SPDX-License-Identifier: Apache-2.0 */
/* Costs that are known only when an instruction is executed, because they depend on where its data and its own bytes lie, and
 * what the caches hold. Private to engine/. */
#ifndef CPU_ENGINE_WAITS_H
#define CPU_ENGINE_WAITS_H

#include "cpu/engine/engine.h"
#include "cpu/sys/caches.h"
#include "cpu/sys/protect.h"
#include "cpu/sys/sys.h"

/* Cost units that the instruction at pc, just executed on a slow path, takes beyond what its block was charged. It
 * must be asked after each such instruction, abandoned ones too: what was counted is taken away. */
u32 timing_waits_of(struct cpu *c, unsigned op, bool narrow, u32 pc);

static inline u32 timing_waits(struct cpu *c, unsigned op, bool narrow, u32 pc)
{
	return LIKELY(!c->sys->itcm_reads && !c->caches) ? 0 : timing_waits_of(c, op, narrow, pc);
}

/* What a faster path had begun is done again. */
static inline void timing_begin_again(struct cpu *c)
{
	c->sys->itcm_reads = c->sys->itcm_bytes = 0;
	caches_forget(c);
}

/* The instruction about to be executed is fetched: the cost units that it takes. It may end after the budget, as an instruction may. */
static inline u32 timing_fetch(struct cpu *c, u32 pc, unsigned bytes)
{
	if (LIKELY(!c->caches))
		return 0;
	const u32 waits = caches_fetch(c, pc, bytes);
	if (UNLIKELY(c->engine->counting))
		count_fetch(c, waits);
	return waits;
}

/* Called by translated code alone, which has its own convention (cpu/engine/wait.c). */
void go_wait(void), go_ask(void), go_line(void);

#endif
