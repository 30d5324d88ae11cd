/* SPDX-License-Identifier: Apache-2.0 */
/* Raising faults inside exception handling. Private to cpu/sys/; instructions use cpu/fault.h. */
#ifndef CPU_SYS_RAISE_H
#define CPU_SYS_RAISE_H

#include "cpu/sys/sys.h"

enum raise_how {
	RAISE_SYNC,    /* by an instruction */
	RAISE_DERIVED, /* while entering or leaving an exception; the original one can still be taken */
	RAISE_TERMINAL, /* the original exception has no vector and cannot be taken */
	RAISE_LAZY,    /* lazy FP state preservation: the FPCCR ready bits decide */
	RAISE_IGNORED, /* status only: another derived exception is being taken already */
};

/* Sets status and address registers and pends the fault for the bank; may lock the core up. */
void raise_fault(struct cpu *c, enum fault kind, u32 addr, bool secure, enum raise_how how);
/* The vector of `exception` could not be read, because Non-secure state may not or by a bus error:
 * HardFault with HFSR.VECTTBL, in the state of the SecureFault or BusFault behind it. */
void raise_vector_error(struct cpu *c, unsigned exception, bool secure, bool by_security);
/* Debug event with DFSR bits `reason`: DebugMonitor, or nothing when it cannot be taken now. That of
 * a counter's overflow waits until it can be, if DebugMonitor is enabled. */
void raise_debug_event(struct cpu *c, u32 reason);
/* True when DebugMonitor is enabled and may serve events of this state. */
bool debug_monitor_allowed(const struct cpu *c);
/* True when DebugMonitor is enabled, may serve events of this state, and is more urgent than what runs. */
bool debug_monitor_preempts(const struct cpu *c);

#endif
