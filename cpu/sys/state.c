/* SPDX-License-Identifier: Apache-2.0 */
/* Modes, banked stack pointers and the PSR: Armv8-M ARM B3.5, B3.7, pseudocode LookUpSP,
 * LookUpSPLim. EPSR.IT and EPSR.ECI share bits: ECI is the upper nibble with a zero lower one. */
#include "cpu/sys/state.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/protect.h"
#include "cpu/sys/scs.h"
#include "cpu/sys/time.h"

void state_leave(struct cpu *c)
{
	c->sys->sp[c->core.secure][c->core.psp_used] = c->core.r[13];
}

bool state_uses_process(const struct cpu *c, bool secure, bool handler)
{
	return !handler && c->sys->control[secure] & CONTROL_SPSEL;
}

void state_enter(struct cpu *c)
{
	c->core.psp_used = state_uses_process(c, c->core.secure, state_handler(c));
	c->core.r[13] = c->sys->sp[c->core.secure][c->core.psp_used];
	c->core.fp_ready = false;
	c->sp_limit = state_stack_limit(c, c->core.secure, c->core.psp_used);
	if (c->sys->counted_secure != c->core.secure)
		counters_follow_state(c);
	access_select(c);
	nvic_masks_changed(c->sys);
}

void state_set_secure(struct cpu *c, bool secure)
{
	state_leave(c);
	c->core.secure = secure;
	state_enter(c);
}

u32 state_stack_limit(const struct cpu *c, bool secure, bool process)
{
	if (c->sys->reg[secure][SCS_CCR] & CCR_STKOFHFNMIGN && nvic_negative(c->sys, secure))
		return 0;
	return c->sys->splim[secure][process];
}

/* IT/ECI byte of the instruction at r[15], as xPSR holds it. */
static u8 it_byte(const struct cpu *c)
{
	return (u8)(c->core.epsr_it ? c->core.epsr_it : c->core.eci << 4);
}

static void set_it_byte(struct cpu *c, u8 it)
{
	bool is_eci = !(it & 0xF);
	c->core.epsr_it = is_eci ? 0 : it;
	c->core.eci = is_eci ? it >> 4 : 0;
}

u32 state_xpsr(const struct cpu *c)
{
	u32 it = it_byte(c);
	return (c->core.apsr & (XPSR_NZCVQ | XPSR_GE)) | c->core.ipsr | (it & 3) << 25 | (it >> 2) << 10 |
	       (c->sys->thumb_clear ? 0 : (u32)XPSR_T) | (c->core.btype ? (u32)XPSR_B : 0);
}

void state_set_xpsr(struct cpu *c, u32 value)
{
	c->core.apsr = value & (XPSR_NZCVQ | XPSR_GE);
	c->core.ipsr = value & XPSR_EXCEPTION;
	set_it_byte(c, (u8)((value >> 25 & 3) | (value >> 10 & 0x3F) << 2));
	c->core.btype = c->config.pacbti && value & XPSR_B;
	c->sys->thumb_clear = !(value & XPSR_T);
}
