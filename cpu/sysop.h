/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that are executed outside the engine's fast path, with all state spilled: system
 * instructions, and branches whose target is not an ordinary address. Private to cpu/.
 *
 * Protocol: core.r[15] = address of the instruction, core.next_pc = address of the next one; core.epsr_it = ITSTATE of
 * the instruction, core.next_it = of the next one. The operation changes state (core.eci stays as it leaves it) and, to
 * branch, core.next_pc and next_it. True: go on with r[15] = next_pc and epsr_it = next_it. False: a fault or exception
 * was pended and the instruction is abandoned; r[15] and epsr_it already are what must be stacked (also for SVC).
 * After each of them the run loop looks for pending exceptions and page-table changes. */
#ifndef CPU_SYSOP_H
#define CPU_SYSOP_H

#include "cpu/state.h"

/* The instructions of these names: register numbers and fields of their encodings. */
bool sysop_mrs(struct cpu *c, unsigned rd, unsigned sysm);
bool sysop_msr(struct cpu *c, unsigned rn, unsigned mask, unsigned sysm);
bool sysop_cps(struct cpu *c, bool disable, bool primask, bool faultmask);
bool sysop_svc(struct cpu *c, unsigned imm);
bool sysop_bkpt(struct cpu *c, unsigned imm);
bool sysop_udf(struct cpu *c);
bool sysop_wfi(struct cpu *c);
bool sysop_wfe(struct cpu *c);
bool sysop_sev(struct cpu *c);
bool sysop_sg(struct cpu *c);
bool sysop_bxns(struct cpu *c, unsigned rm);
bool sysop_blxns(struct cpu *c, unsigned rm);
bool sysop_tt(struct cpu *c, unsigned rd, unsigned rn, bool alternate, bool unprivileged);
/* PAC, PACBTI and PACG: r[rd] = code of r[rn] and r[rm]. AUT and AUTG: the check of it. */
bool sysop_pac(struct cpu *c, unsigned rd, unsigned rn, unsigned rm);
bool sysop_aut(struct cpu *c, unsigned ra, unsigned rn, unsigned rm);
/* Interworking write of pc (BX, BLX, POP {pc}, LDR pc, ...): EXC_RETURN, FNC_RETURN, INVSTATE. */
bool sysop_branch(struct cpu *c, u32 target);
/* Clears `count` registers from S`first` on, and VPR; a list of none is one that goes beyond S31. */
bool sysop_vscclrm(struct cpu *c, unsigned first, unsigned count);
bool sysop_vlstm(struct cpu *c, unsigned rn, bool t2);
bool sysop_vlldm(struct cpu *c, unsigned rn, bool t2);
/* An undefined encoding of the FP and MVE space: NOCP without permission, else UNDEFINSTR; no context begins
 * and none is preserved. */
bool sysop_undefined_fp(struct cpu *c);
/* FPCXT_S and FPCXT_NS (Secure state only): access check and value; what reading changes, once the
 * value is stored; writing. */
bool sysop_fpcxt_open(struct cpu *c, bool ns);
bool sysop_fpcxt_get(struct cpu *c, bool ns, u32 *value);
void sysop_fpcxt_got(struct cpu *c, bool ns);
bool sysop_fpcxt_set(struct cpu *c, bool ns, u32 value);

/* UDIV/SDIV by zero is a UsageFault (CCR.DIV_0_TRP). */
bool sysop_div0_traps(const struct cpu *c);

/* Called by the run loop at instruction boundaries: takes the highest pending exception if it
 * preempts; true when one was taken (state switched, core.r[15] = handler). */
bool exception_poll(struct cpu *c);
/* True when exception_poll would do something: cheap test for the run loop. */
bool exception_pending(const struct cpu *c);
/* Sleeping core: true when something woke it (activity is CPU_RUNNING again). */
bool exception_wake(struct cpu *c);
/* In Lockup state: brings an NMI the core out of it? */
bool exception_ends_lockup(struct cpu *c);

#endif
