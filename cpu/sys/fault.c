/* SPDX-License-Identifier: Apache-2.0 */
/* Faults: status registers, escalation, lockup. Armv8-M ARM B3.14-B3.16 and B3.32 (lockup).
 * A HardFault that cannot be taken ends the run: the core is locked up until reset (an NMI
 * could still come on hardware; we do not wait for it). */
#include "cpu/sys/raise.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/scs.h"

enum fault_address { ADDRESS_NONE, ADDRESS_SHOWN, ADDRESS_MMFAR, ADDRESS_BFAR, ADDRESS_SFAR };

static const struct fault_row {
	u8 exception, status, bit, address;
} fault_rows[] = {
#define F(name, exception, status, bit, address, text) \
	[FAULT_##name] = { EXC_##exception, SCS_##status, bit, ADDRESS_##address },
#include "cpu/sys/fault.def"
#undef F
};

static void lock_up(struct cpu *c, unsigned exception)
{
	c->core.activity = CPU_LOCKED_UP;
	c->sys->fault.lockup = true;
	c->sys->fault.lockup_exception = (u8)exception;
}

/* Bus faults are not banked: their status lives in the Non-secure copy. */
static unsigned status_bank(const struct fault_row *row, bool secure)
{
	if (row->exception == EXC_BUS)
		return BANK_NS;
	return row->exception == EXC_SECURE ? BANK_S : secure;
}

static void keep_address(struct cpu_sys *s, const struct fault_row *row, u32 addr, unsigned bank)
{
	switch (row->address) {
	case ADDRESS_MMFAR:
		s->reg[bank][SCS_MMFAR] = addr;
		s->reg[bank][SCS_CFSR] |= 1u << 7;
		break;
	case ADDRESS_BFAR:
		s->reg[BANK_NS][SCS_BFAR] = addr;
		s->reg[BANK_NS][SCS_CFSR] |= 1u << 15;
		break;
	case ADDRESS_SFAR:
		s->reg[BANK_S][SCS_SFAR] = addr;
		s->reg[BANK_S][SCS_SFSR] |= 1u << 6;
		break;
	default:
		break;
	}
}

/* Is the latest fault one that has not been dealt with: its handler runs, or is yet to be entered? */
static bool fault_is_open(const struct cpu *c)
{
	const struct cpu_sys *s = c->sys;
	unsigned handler = s->fault.escalated ? EXC_HARD : s->fault.exception;
	return s->fault.valid &&
	       (c->core.ipsr == handler || s->exc[BANK_S][handler].pending || s->exc[BANK_NS][handler].pending);
}

/* Which fault the one just recorded goes back to. */
static void record_first(struct cpu_sys *s, const struct sys_fault_record *before, bool before_is_open)
{
	if (!before_is_open)
		s->first_fault = (struct sys_fault_record){ .valid = false };
	else if (!s->first_fault.valid)
		s->first_fault = *before;
}

static void record(struct cpu *c, enum fault kind, u32 addr, bool secure)
{
	const struct fault_row *row = &fault_rows[kind];
	struct sys_fault_record *f = &c->sys->fault;
	u8 status = f->status;
	*f = (struct sys_fault_record){
		.valid = true, .kind = (u8)kind, .exception = row->exception, .pc = c->core.r[15],
		.addr = addr, .addr_valid = row->address != ADDRESS_NONE, .secure = secure,
		.status = status,
	};
	if (UNLIKELY(c->catch_faults >> (kind & 63) & 1))
		c->fault_caught = true;
}

/* The status registers as the handler will find them. */
static void record_status(struct cpu_sys *s, bool secure)
{
	s->fault.cfsr = (s->reg[secure][SCS_CFSR] & ~0xFF00u) | (s->reg[BANK_NS][SCS_CFSR] & 0xFF00);
	s->fault.hfsr = s->reg[BANK_NS][SCS_HFSR];
	s->fault.sfsr = s->reg[BANK_S][SCS_SFSR];
}

/* FPCCR remembers which faults the owner of the lazy state could have taken. */
static bool lazy_ready(const struct cpu_sys *s, unsigned num, bool secure)
{
	u32 own = s->reg[secure][SCS_FPCCR], common = s->reg[BANK_S][SCS_FPCCR];
	switch (num) {
	case EXC_MEM: return own & FPCCR_MMRDY;
	case EXC_USAGE: return own & FPCCR_UFRDY;
	case EXC_BUS: return common & FPCCR_BFRDY;
	case EXC_SECURE: return common & FPCCR_SFRDY;
	default: return common & FPCCR_MONRDY;
	}
}

/* Instead of an exception that cannot be taken only a more urgent HardFault can be. */
static bool hardfault_blocked(struct cpu_sys *s, bool secure, enum raise_how how)
{
	int prio = exc_priority(s, EXC_HARD, secure);
	if (how == RAISE_LAZY)
		return !(s->reg[BANK_S][SCS_FPCCR] & FPCCR_HFRDY) && nvic_exec_priority(s) <= prio;
	if (how == RAISE_TERMINAL) {
		struct nvic_choice original = nvic_best_pending(s);
		if (original.num && original.prio <= prio)
			return true;
	}
	return nvic_exec_priority(s) <= prio;
}

static void pend_hardfault(struct cpu *c, bool target_secure, enum raise_how how, u32 reason)
{
	struct cpu_sys *s = c->sys;
	bool secure = target_secure || !(scs_aircr(s) & AIRCR_BFHFNMINS);
	s->reg[BANK_NS][SCS_HFSR] |= reason;
	s->fault.escalated = true;
	if (hardfault_blocked(s, secure, how)) {
		lock_up(c, c->core.ipsr);
		return;
	}
	exc_set_pending(c, EXC_HARD, secure, true);
}

/* Pseudocode CanPendMonitorOnEvent without the priority: Secure events need Secure debug. */
bool debug_monitor_allowed(const struct cpu *c)
{
	const struct cpu_sys *s = c->sys;
	bool target = exc_targets_secure(s, EXC_DEBUG, false);
	return exc_enabled(s, EXC_DEBUG, target) && (target || !c->core.secure);
}

static void pend(struct cpu *c, unsigned num, bool secure, enum raise_how how, u32 escalation)
{
	struct cpu_sys *s = c->sys;
	bool target = exc_targets_secure(s, num, secure);
	bool cannot = num == EXC_DEBUG ? !debug_monitor_allowed(c) : !exc_enabled(s, num, secure);
	if (how == RAISE_LAZY)
		cannot |= !lazy_ready(s, num, target);
	else
		cannot |= exc_priority(s, num, target) >= nvic_exec_priority(s);
	if (cannot) /* BKPT: the HardFault is that of the state of the instruction */
		pend_hardfault(c, num == EXC_DEBUG ? secure : target, how, escalation);
	else
		exc_set_pending(c, num, secure, true);
}

void raise_fault(struct cpu *c, enum fault kind, u32 addr, bool secure, enum raise_how how)
{
	const struct fault_row *row = &fault_rows[kind];
	struct cpu_sys *s = c->sys;
	struct sys_fault_record before = s->fault;
	bool before_is_open = fault_is_open(c);
	unsigned bank = status_bank(row, secure);
	record(c, kind, addr, secure);
	if (row->bit < 32) {
		s->reg[bank][row->status] |= 1u << row->bit;
		keep_address(s, row, addr, bank);
	} else if (kind == FAULT_BKPT) {
		s->reg[BANK_NS][SCS_DFSR] |= DFSR_BKPT;
	}
	if (how == RAISE_IGNORED) {
		s->fault = before;
		return;
	}
	pend(c, row->exception, secure, how, kind == FAULT_BKPT ? HFSR_DEBUGEVT : HFSR_FORCED);
	if (row->bit < 32 || s->fault.escalated) {
		record_status(s, secure);
		record_first(s, &before, before_is_open);
	} else {
		s->fault = before; /* an ordinary SVC or a breakpoint that DebugMonitor takes is no fault */
	}
}

void raise_vector_error(struct cpu *c, unsigned exception, bool secure, bool by_security)
{
	struct sys_fault_record before = c->sys->fault;
	bool before_is_open = fault_is_open(c);
	c->sys->fault = (struct sys_fault_record){
		.valid = true, .vector_read = true, .exception = (u8)exception, .pc = c->core.r[15],
		.addr_valid = true, .addr = c->sys->reg[secure][SCS_VTOR] + 4 * exception, .secure = secure,
		.status = before.status,
	};
	record_first(c->sys, &before, before_is_open);
	secure = by_security || exc_targets_secure(c->sys, EXC_BUS, false);
	pend_hardfault(c, secure, RAISE_TERMINAL, HFSR_VECTTBL);
	record_status(c->sys, secure);
}

bool debug_monitor_preempts(const struct cpu *c)
{
	const struct cpu_sys *s = c->sys;
	bool secure = exc_targets_secure(s, EXC_DEBUG, false);
	return debug_monitor_allowed(c) && exc_priority(s, EXC_DEBUG, secure) < nvic_exec_priority(s);
}

void raise_debug_event(struct cpu *c, u32 reason)
{
	struct cpu_sys *s = c->sys;
	bool waits = reason == DFSR_PMU; /* asynchronous */
	if (!(waits ? debug_monitor_allowed(c) : debug_monitor_preempts(c)))
		return;
	s->reg[BANK_NS][SCS_DFSR] |= reason;
	exc_set_pending(c, EXC_DEBUG, exc_targets_secure(s, EXC_DEBUG, false), true);
}

void fault_raise(struct cpu *c, enum fault kind, u32 addr)
{
	raise_fault(c, kind, addr, c->core.secure, RAISE_SYNC);
}
