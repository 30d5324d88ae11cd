/* SPDX-License-Identifier: Apache-2.0 */
/* Modes, banked stack pointers and the PSR. Private to cpu/sys/. */
#ifndef CPU_SYS_STATE_H
#define CPU_SYS_STATE_H

#include "cpu/sys/sys.h"

enum xpsr_bits {
	XPSR_EXCEPTION = 0x1FF, XPSR_SPREALIGN = 1 << 9, XPSR_GE = 0xF << 16, XPSR_SFPA = 1 << 20,
	XPSR_B = 1 << 21, XPSR_T = 1 << 24, XPSR_IT = 0x0600FC00,
};
#define XPSR_NZCVQ 0xF8000000u

static inline bool state_handler(const struct cpu *c) { return c->core.ipsr != 0; }
/* Privilege the core has, or would have in that Security state. */
static inline bool state_privileged(const struct cpu *c, bool secure)
{
	return c->core.ipsr != 0 || !(c->sys->control[secure] & CONTROL_NPRIV);
}

/* Writes r[13] back to its bank: after it sys.sp[][] is the truth. */
void state_leave(struct cpu *c);
/* Chooses stack pointer, permission table and FP readiness for core.secure/ipsr and CONTROL. */
void state_enter(struct cpu *c);
/* state_leave, then state_enter in the other Security state. */
void state_set_secure(struct cpu *c, bool secure);

/* True when the stack is Process in that Security state (and mode). */
bool state_uses_process(const struct cpu *c, bool secure, bool handler);
/* Stack limit that applies to that stack pointer now; 0 when none does. */
u32 state_stack_limit(const struct cpu *c, bool secure, bool process);

u32 state_xpsr(const struct cpu *c); /* as a debugger sees it, put together from its parts */
/* Sets the APSR, exception, IT/ECI, B and T fields (not the stack pointer: use state_enter). */
void state_set_xpsr(struct cpu *c, u32 value);

#endif
