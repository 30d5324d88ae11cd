/* SPDX-License-Identifier: Apache-2.0 */
/* A piece of a run on several rigs alike, for tests that compare engines. */
#ifndef TESTS_ENGINE_SLICE_H
#define TESTS_ENGINE_SLICE_H

#include "tests/cpu-sys/rig.h"
#include "tests/engine/registers.h"

/* So many cycles of 25 MHz on each, after a pulse of the interrupt if it is below `irqs`; what is in registers then. */
static inline void slice_run(struct rig *const *rig, unsigned rigs, u64 cycles, u32 irq, u32 irqs, struct registers_state *state)
{
	for (unsigned e = 0; e < rigs; e++) {
		const u64 until = rig[e]->sched.now + cycles * sched_period(25000000);
		if (irq < irqs) {
			cpu_irq_set(rig[e]->c, irq, true);
			cpu_irq_set(rig[e]->c, irq, false);
		}
		cpu_run(rig[e]->c, until);
		sched_run(&rig[e]->sched, until);
		registers_take(rig[e]->c, &state[e]);
	}
}

#endif
