/* SPDX-License-Identifier: Apache-2.0 */
/* Transitions between the Security states: Armv8-M ARM B3.11-B3.12, C2.4 (SG, BXNS, BLXNS,
 * TT), pseudocode FunctionReturn, TTResp. */
#include "cpu/sys/trustzone.h"
#include "cpu/observed.h"
#include "cpu/sys/frame.h"
#include "cpu/sys/protect.h"
#include "cpu/sys/scs.h"
#include "cpu/sys/state.h"

static bool undefined(struct cpu *c)
{
	fault_raise(c, FAULT_UNDEFINSTR, 0);
	return false;
}

/* CCR.TRD: a Secure Thread mode that has not finished must not be entered again, nor one that uses the
 * main stack, where frames of handlers would hide the signature. The word on top of the stack is read with
 * or without TRD, and that may fail. */
static bool reentered(struct cpu *c, bool *stop)
{
	bool process = c->sys->control[BANK_S] & CONTROL_SPSEL;
	struct stack_io io = { c, true, state_privileged(c, true), ACC_UNSTACK, true, false };
	*stop = false;
	if (state_handler(c))
		return false;
	u32 word = stack_load(&io, c->sys->sp[BANK_S][process]);
	*stop = !io.ok;
	return c->sys->reg[BANK_S][SCS_CCR] & CCR_TRD && ((word & ~1u) == 0xFEFA125A || !process);
}

bool sysop_sg(struct cpu *c)
{
	struct sau_result attribution;
	bool stop;
	if (!c->config.security || c->core.secure)
		return true;
	sau_lookup(c, c->core.r[15], true, false, &attribution);
	if (attribution.ns) /* executed from Non-secure memory: nothing */
		return true;
	if (reentered(c, &stop) && !stop) {
		fault_raise(c, FAULT_INVEP, c->core.r[15]);
		return false;
	}
	if (stop)
		return false;
	c->sys->count[COUNT_CALLS_TO_S]++;
	c->core.btype = false;
	c->core.r[14] &= ~1u;
	c->sys->sfpa = false;
	state_set_secure(c, true);
	c->core.next_it = 0;
	return true;
}

bool sysop_bxns(struct cpu *c, unsigned rm)
{
	u32 target = c->core.r[rm];
	if (!c->config.security || !c->core.secure)
		return undefined(c);
	if ((state_handler(c) && target >> 24 == 0xFF) || (target & ~1u) == FNC_RETURN)
		return sysop_branch(c, target);
	if (!(target & 1)) {
		c->sys->sfpa = false;
		state_set_secure(c, false);
	}
	c->core.btype = c->bti && rm != 14; /* by the rules of the state that is entered */
	c->core.next_pc = target & ~1u;
	return true;
}

bool sysop_blxns(struct cpu *c, unsigned rm)
{
	u32 target = c->core.r[rm], sp = c->core.r[13];
	if (!c->config.security || !c->core.secure)
		return undefined(c);
	if (target & 1) {
		c->core.r[14] = c->core.next_pc | 1;
		c->core.btype = c->bti;
		c->core.next_pc = target & ~1u;
		return true;
	}
	if (sp - 8 < c->sp_limit) {
		fault_raise(c, FAULT_STKOF, sp - 8);
		return false;
	}
	u32 psr = c->core.ipsr | (c->sys->sfpa ? (u32)XPSR_SFPA : 0);
	if (!cpu_store(c, sp - 8, 4, ACC_ALIGNED, c->core.next_pc | 1) ||
	    !cpu_store(c, sp - 4, 4, ACC_ALIGNED, psr))
		return false;
	c->sys->count[COUNT_CALLS_TO_NS]++;
	c->core.r[13] = sp - 8;
	c->core.r[14] = FNC_RETURN | 1;
	c->sys->sfpa = false;
	state_leave(c);
	if (state_handler(c))
		c->core.ipsr = 1; /* the number must not leak */
	c->core.secure = false;
	state_enter(c);
	c->core.btype = c->bti;
	c->core.next_pc = target;
	return true;
}

bool trustzone_function_return(struct cpu *c)
{
	struct cpu_sys *s = c->sys;
	bool handler = state_handler(c), process = state_uses_process(c, true, handler);
	state_leave(c);
	u32 frame = s->sp[BANK_S][process];
	struct stack_io io = { c, true, state_privileged(c, true), ACC_UNSTACK, true, false };
	u32 pc = stack_load(&io, frame), psr = stack_load(&io, frame + 4);
	if (!io.ok)
		return false;
	u32 number = psr & XPSR_EXCEPTION;
	if (!(c->core.ipsr == 0 && number == 0) && !(c->core.ipsr == 1 && number != 0)) {
		fault_raise(c, FAULT_INVPC, frame);
		return false;
	}
	s->sp[BANK_S][process] = frame + 8;
	c->core.btype = false;
	c->core.secure = true;
	c->core.ipsr = number;
	s->sfpa = psr & XPSR_SFPA;
	state_enter(c);
	c->core.next_it = 0;
	c->core.next_pc = pc & ~1u;
	if (pc & 1)
		return true;
	c->core.r[15] = c->core.next_pc;
	c->core.epsr_it = 0;
	s->thumb_clear = true;
	if (c->observed)
		observed_left_thumb(c, c->core.next_pc);
	fault_raise(c, FAULT_INVSTATE, 0);
	return false;
}

/* Fields of the TT response. */
static u32 tt_response(const struct mpu_result *mpu, bool permissions, const struct sau_result *sau,
		       bool secure)
{
	bool read = permissions && mpu->perm & PERM_READ, write = permissions && mpu->perm & PERM_WRITE;
	u32 value = (u32)read << 18 | (u32)write << 19;
	if (permissions && mpu->region_valid)
		value |= 1u << 16 | mpu->region;
	if (!secure)
		return value;
	value |= (u32)(sau->ns && read) << 20 | (u32)(sau->ns && write) << 21 | (u32)!sau->ns << 22;
	if (sau->sregion_valid)
		value |= 1u << 17 | (u32)sau->sregion << 8;
	if (sau->iregion_valid)
		value |= 1u << 23 | (u32)sau->iregion << 24;
	return value;
}

bool sysop_tt(struct cpu *c, unsigned rd, unsigned rn, bool alternate, bool unprivileged)
{
	bool secure = c->core.secure, target = secure && !alternate;
	u32 addr = c->core.r[rn];
	struct mpu_result mpu;
	struct sau_result sau;
	if (alternate && !secure)
		return undefined(c);
	bool privileged = state_privileged(c, target) && !unprivileged;
	mpu_lookup(c, addr, target, privileged, &mpu);
	sau_lookup(c, addr, false, target, &sau);
	bool permissions = state_privileged(c, secure) || alternate;
	c->core.r[rd] = tt_response(&mpu, permissions, &sau, secure);
	return true;
}
