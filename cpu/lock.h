/* SPDX-License-Identifier: Apache-2.0 */
/* Lock inputs of the core that are tied for a whole run: the parameters LOCK... of the processor. */
#ifndef CPU_LOCK_H
#define CPU_LOCK_H

#include "cpu/cpu.h"

/* Inputs that no line of a board drives; they are counted on from those of enum cpu_lock. */
enum cpu_lock_input {
	CPU_LOCK_NSVTOR = CPU_LOCKS, /* VTOR_NS */
	CPU_LOCK_NSMPU,              /* Non-secure MPU_CTRL, RNR, RBAR, RLAR */
	CPU_LOCK_PAHB,               /* PAHBCR */
	CPU_LOCK_INPUTS
};

/* Ties the inputs in `mask` high, a bit for each of both enumerations, and leaves the others to their
 * lines: neither a reset nor a line that goes low unlocks what is tied. */
void cpu_lock_tie(struct cpu *c, u32 mask);

#endif
