/* SPDX-License-Identifier: Apache-2.0 */
/* Watchpoints (DWT comparators) and breakpoints (FPB) of the guest's own. Private to cpu/sys/. */
#ifndef CPU_SYS_DEBUG_H
#define CPU_SYS_DEBUG_H

#include "cpu/sys/sys.h"

/* True when accesses to, or instructions in, addr's page must be looked at one by one. */
bool debug_watches_page(const struct cpu *c, u32 addr);
bool debug_breaks_page(const struct cpu *c, u32 addr);
/* After a data access that succeeded: may pend DebugMonitor. */
void debug_data_access(struct cpu *c, u32 addr, unsigned bytes, bool write, u32 value);
/* Before the instruction at addr: true when DebugMonitor is taken instead. */
bool debug_instruction(struct cpu *c, u32 addr);
/* DEMCR.MON_STEP: true when exactly one instruction is to be executed, and debug_stepped called
 * after it, which pends DebugMonitor. */
bool debug_steps(const struct cpu *c);
void debug_stepped(struct cpu *c);
/* Cycles until the cycle counter reaches comparator 0; false when that is not watched. */
bool debug_cycle_match(const struct cpu *c, u32 cyccnt, u32 *cycles);
void debug_cycle_event(struct cpu *c);
/* Whether that state may be counted and traced (NoninvasiveDebugAllowed). */
bool debug_may_observe(const struct cpu *c, bool secure);
/* DEMCR.SDME follows the debug authentication while DebugMonitor is neither pending nor active. */
void debug_update_target(struct cpu *c);

#endif
