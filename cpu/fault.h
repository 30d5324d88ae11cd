/* SPDX-License-Identifier: Apache-2.0 */
/* Raising synchronous exceptions from instruction execution. Private to cpu/. */
#ifndef CPU_FAULT_H
#define CPU_FAULT_H

#include "cpu/state.h"

enum fault {
	FAULT_UNDEFINSTR, FAULT_INVSTATE, FAULT_INVPC, FAULT_NOCP, FAULT_STKOF, FAULT_UNALIGNED,
	FAULT_DIVBYZERO,                              /* UsageFault */
	FAULT_IACCVIOL, FAULT_DACCVIOL, FAULT_MUNSTKERR, FAULT_MSTKERR, FAULT_MLSPERR, /* MemManage */
	FAULT_IBUSERR, FAULT_PRECISERR, FAULT_IMPRECISERR, FAULT_UNSTKERR, FAULT_STKERR,
	FAULT_LSPERR,                                 /* BusFault */
	FAULT_INVEP, FAULT_INVIS, FAULT_INVER, FAULT_AUVIOL, FAULT_INVTRAN, FAULT_SLSPERR,
	FAULT_LSERR,                                  /* SecureFault */
	FAULT_SVC, FAULT_BKPT,                        /* SVCall, DebugMonitor or HardFault */
};

/* Pends the exception with its status bit and address (escalating as the Arm ARM says). The caller
 * must leave the engine with r[15] = the address of the faulting instruction (for SVC: of the next). */
void fault_raise(struct cpu *c, enum fault kind, u32 addr);

/* FP/MVE access check before an FP/MVE instruction: CPACR/NSACR/CPPWR -> NOCP, lazy state
 * preservation, FPCA/SFPA creation. False: fault pending. The engine caches the positive answer. */
bool cpu_fp_prepare(struct cpu *c, u32 pc);

/* True in Handler mode and in privileged Thread mode of the current Security state. */
bool cpu_privileged(const struct cpu *c);

/* True when the current code has an active FP context (CONTROL.FPCA, and SFPA if Secure): else
 * LTPSIZE reads as 4 for the loop instructions. */
bool cpu_fp_active(const struct cpu *c);

#endif
