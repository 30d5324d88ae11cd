/* SPDX-License-Identifier: Apache-2.0 */
/* The FP context: access permission, lazy preservation, creation. Armv8-M ARM B3.23, pseudocode
 * CheckCPEnabled, UpdateFPCCR, PreserveFPState, ExecuteFPCheck. Registers that become UNKNOWN
 * keep their values, except those of Secure code with FPCCR.TS, which are cleared. */
#include "cpu/sys/frame.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/scs.h"
#include "cpu/sys/state.h"

static u32 *fp_word(struct cpu *c, unsigned s) { return &c->fp.q[s / 4].w[s % 4]; }

/* S16 and up lie behind the slots of FPSCR and VPR. */
static u32 fp_slot(u32 addr, unsigned s) { return addr + 4 * s + (s >= 16 ? 8 : 0); }

void fp_store(struct stack_io *io, u32 addr, bool callee)
{
	struct cpu *c = io->c;
	for (unsigned s = 0; s < (callee ? 32 : 16); s++)
		stack_store(io, fp_slot(addr, s), *fp_word(c, s));
	stack_store(io, addr + 0x40, fp_get_fpscr(c));
	if (c->config.mve_int)
		stack_store(io, addr + 0x44, c->fp.vpr);
}

void fp_load(struct stack_io *io, u32 addr, bool callee)
{
	struct cpu *c = io->c;
	u32 words[32];
	for (unsigned s = 0; s < (callee ? 32 : 16); s++)
		words[s] = stack_load(io, fp_slot(addr, s));
	u32 fpscr = stack_load(io, addr + 0x40);
	u32 vpr = c->config.mve_int ? stack_load(io, addr + 0x44) : 0;
	if (!io->ok) {
		fp_clear(c, callee);
		return;
	}
	for (unsigned s = 0; s < (callee ? 32 : 16); s++)
		*fp_word(c, s) = words[s];
	fp_set_fpscr(c, fpscr);
	c->fp.vpr = vpr & 0x00FFFFFF;
}

void fp_clear(struct cpu *c, bool callee)
{
	for (unsigned s = 0; s < (callee ? 32 : 16); s++)
		*fp_word(c, s) = 0;
	fp_set_fpscr(c, 0);
	c->fp.vpr = 0;
}

bool fp_shared(const struct cpu *c, bool secure)
{
	return secure || !c->config.security || c->sys->reg[BANK_S][SCS_NSACR] & NSACR_CP10;
}

bool fp_permitted(const struct cpu *c, bool secure, bool privileged, bool *fault_secure)
{
	const struct cpu_sys *s = c->sys;
	unsigned cpacr = s->reg[secure][SCS_CPACR] >> 20 & 3;
	*fault_secure = secure;
	if (!c->config.fpu || !(cpacr == 3 || (cpacr == 1 && privileged)))
		return false;
	if (!fp_shared(c, secure)) {
		*fault_secure = true;
		return false;
	}
	u32 power = s->reg[BANK_NS][SCS_CPPWR];
	*fault_secure |= (power & CPPWR_SUS10) != 0; /* who alone can end it */
	return !(power & CPPWR_SU10);
}

static u32 flag_if(bool condition, u32 bits) { return condition ? bits : 0; }

/* True when the exception could be taken at the current priority. */
static bool could_take(const struct cpu *c, unsigned num, bool secure)
{
	const struct cpu_sys *s = c->sys;
	bool target = exc_targets_secure(s, num, secure);
	return exc_enabled(s, num, secure) && exc_priority(s, num, target) < nvic_exec_priority(s);
}

void fp_defer(struct cpu *c, u32 frame, bool check_limit)
{
	struct cpu_sys *s = c->sys;
	bool secure = c->core.secure;
	u32 *common = &s->reg[BANK_S][SCS_FPCCR];
	s->reg[secure][SCS_FPCAR] = frame & ~7u;
	*common &= ~(u32)(FPCCR_HFRDY | FPCCR_BFRDY | FPCCR_SFRDY | FPCCR_MONRDY | FPCCR_S);
	*common |= flag_if(secure, FPCCR_S) | flag_if(nvic_exec_priority(s) > -1, FPCCR_HFRDY) |
		   flag_if(could_take(c, EXC_BUS, false), FPCCR_BFRDY) |
		   flag_if(could_take(c, EXC_SECURE, true), FPCCR_SFRDY) |
		   flag_if(could_take(c, EXC_DEBUG, false), FPCCR_MONRDY);
	u32 *own = &s->reg[secure][SCS_FPCCR];
	*own &= ~(u32)(FPCCR_USER | FPCCR_THREAD | FPCCR_MMRDY | FPCCR_UFRDY | FPCCR_SPLIMVIOL);
	*own |= FPCCR_LSPACT | flag_if(!state_privileged(c, secure), FPCCR_USER) |
		flag_if(!state_handler(c), FPCCR_THREAD) |
		flag_if(could_take(c, EXC_MEM, secure), FPCCR_MMRDY);
	for (unsigned bank = 0; bank < 2; bank++) {
		s->reg[bank][SCS_FPCCR] &= ~(u32)FPCCR_UFRDY;
		s->reg[bank][SCS_FPCCR] |= flag_if(could_take(c, EXC_USAGE, bank), FPCCR_UFRDY);
	}
	if (check_limit && frame < state_stack_limit(c, secure, c->core.psp_used))
		*own |= FPCCR_SPLIMVIOL;
	c->core.fp_ready = false;
}

/* Saves the deferred state. False: a fault was pended and is to be taken before the instruction. */
static bool preserve(struct cpu *c, bool secure)
{
	struct cpu_sys *s = c->sys;
	u32 *own = &s->reg[secure][SCS_FPCCR];
	bool privileged = !(*own & FPCCR_USER), fault_secure;
	bool callee = secure && s->reg[BANK_S][SCS_FPCCR] & FPCCR_TS;
	struct stack_io io = { c, secure, privileged, ACC_LAZYFP, true, false };
	if (!fp_permitted(c, secure, privileged, &fault_secure)) {
		raise_fault(c, FAULT_NOCP, c->core.r[15], fault_secure, RAISE_LAZY);
		io.ok = false;
	} else if (!(*own & FPCCR_SPLIMVIOL)) {
		s->preserving = true;
		fp_store(&io, s->reg[secure][SCS_FPCAR], callee);
		s->preserving = false;
	}
	if (!io.ok && (c->core.activity == CPU_LOCKED_UP || nvic_ready(s).num))
		return false;
	*own &= ~(u32)FPCCR_LSPACT;
	if (callee)
		fp_clear(c, true);
	return true;
}

bool cpu_privileged(const struct cpu *c)
{
	return state_privileged(c, c->core.secure);
}

bool cpu_fp_active(const struct cpu *c)
{
	return c->sys->fpca && (!c->core.secure || c->sys->sfpa);
}

static void new_context(struct cpu *c)
{
	struct cpu_sys *s = c->sys;
	fp_set_fpscr(c, s->reg[c->core.secure][SCS_FPDSCR]);
	c->fp.vpr = 0;
	s->fpca = true;
	if (c->core.secure)
		s->sfpa = true;
}

bool cpu_fp_prepare(struct cpu *c, u32 pc)
{
	struct cpu_sys *s = c->sys;
	bool secure = c->core.secure, fault_secure;
	if (!fp_permitted(c, secure, state_privileged(c, secure), &fault_secure)) {
		raise_fault(c, FAULT_NOCP, pc, fault_secure, RAISE_SYNC);
		return false;
	}
	u32 *common = &s->reg[BANK_S][SCS_FPCCR];
	bool owner = *common & FPCCR_S;
	if (s->reg[owner][SCS_FPCCR] & FPCCR_LSPACT && !preserve(c, owner))
		return false;
	*common = secure ? *common | FPCCR_S : *common & ~(u32)FPCCR_S;
	if (s->reg[secure][SCS_FPCCR] & FPCCR_ASPEN && !cpu_fp_active(c))
		new_context(c);
	c->core.fp_ready = true;
	return true;
}

bool sysop_undefined_fp(struct cpu *c)
{
	bool secure = c->core.secure, fault_secure;
	if (fp_permitted(c, secure, state_privileged(c, secure), &fault_secure))
		fault_raise(c, FAULT_UNDEFINSTR, 0);
	else
		raise_fault(c, FAULT_NOCP, c->core.r[15], fault_secure, RAISE_SYNC);
	return false;
}

/* FPCXT_NS of code that has no FP context: reads as FPDSCR_NS, writes are ignored, no access check. */
static bool fpcxt_inactive(const struct cpu *c, bool ns)
{
	return ns && c->sys->reg[BANK_NS][SCS_FPCCR] & FPCCR_ASPEN && !c->sys->fpca;
}

bool sysop_fpcxt_open(struct cpu *c, bool ns)
{
	const struct cpu_sys *s = c->sys;
	bool owner = s->reg[BANK_S][SCS_FPCCR] & FPCCR_S, fault_secure;
	if (!c->core.secure) {
		fault_raise(c, FAULT_UNDEFINSTR, 0);
		return false;
	}
	if (!ns)
		return cpu_fp_prepare(c, c->core.r[15]);
	if (fpcxt_inactive(c, ns))
		return true;
	if (!fp_permitted(c, true, state_privileged(c, true), &fault_secure)) {
		raise_fault(c, FAULT_NOCP, c->core.r[15], fault_secure, RAISE_SYNC);
		return false;
	}
	return !(s->reg[owner][SCS_FPCCR] & FPCCR_LSPACT) || preserve(c, owner);
}

bool sysop_fpcxt_get(struct cpu *c, bool ns, u32 *value)
{
	if (!sysop_fpcxt_open(c, ns))
		return false;
	*value = fpcxt_inactive(c, ns) ? c->sys->reg[BANK_NS][SCS_FPDSCR] :
		 (fp_get_fpscr(c) & 0x0FFFFFFF) | (u32)c->sys->sfpa << 31;
	return true;
}

void sysop_fpcxt_got(struct cpu *c, bool ns)
{
	struct cpu_sys *s = c->sys;
	if (fpcxt_inactive(c, ns))
		return;
	if (!ns || !s->sfpa)
		fp_set_fpscr(c, s->reg[BANK_NS][SCS_FPDSCR]);
	if (!ns)
		s->sfpa = false;
	c->core.fp_ready = false;
}

bool sysop_fpcxt_set(struct cpu *c, bool ns, u32 value)
{
	if (!sysop_fpcxt_open(c, ns))
		return false;
	if (fpcxt_inactive(c, ns))
		return true;
	c->sys->sfpa = value >> 31;
	fp_set_fpscr(c, value & 0x0FFFFFFF);
	c->core.fp_ready = false;
	return true;
}

bool sysop_vscclrm(struct cpu *c, unsigned first, unsigned count)
{
	const struct cpu_sys *s = c->sys;
	if (!c->core.secure || !count) {
		fault_raise(c, FAULT_UNDEFINSTR, 0);
		return false;
	}
	/* Nothing to clear, and no context begins, where Secure code has none. */
	if (s->reg[BANK_S][SCS_FPCCR] & FPCCR_ASPEN && !s->sfpa)
		return true;
	if (!cpu_fp_prepare(c, c->core.r[15]))
		return false;
	for (unsigned i = 0; i < count; i++)
		*fp_word(c, first + i) = 0;
	c->fp.vpr = 0;
	return true;
}

/* What VLSTM and VLLDM begin with: where they are undefined, where there is no state to move (`*idle`), where
 * the FPU is not allowed. False: a fault was raised. */
static bool secure_state_moves(struct cpu *c, bool *idle)
{
	bool fault_secure;
	*idle = false;
	if (!c->core.secure) {
		fault_raise(c, FAULT_UNDEFINSTR, 0);
		return false;
	}
	*idle = !c->sys->sfpa;
	if (*idle || fp_permitted(c, true, state_privileged(c, true), &fault_secure))
		return true;
	fault_raise(c, FAULT_NOCP, 0);
	return false;
}

bool sysop_vlstm(struct cpu *c, unsigned rn, bool t2)
{
	struct cpu_sys *s = c->sys;
	u32 addr = c->core.r[rn];
	bool idle;
	(void)t2; /* the T2 form names D16-D31, which this core does not have */
	if (!secure_state_moves(c, &idle) || idle)
		return idle;
	if (s->reg[s->reg[BANK_S][SCS_FPCCR] & FPCCR_S ? BANK_S : BANK_NS][SCS_FPCCR] & FPCCR_LSPACT) {
		fault_raise(c, FAULT_LSERR, 0);
		return false;
	}
	if (addr & 7) {
		fault_raise(c, FAULT_UNALIGNED, addr);
		return false;
	}
	bool callee = s->reg[BANK_S][SCS_FPCCR] & FPCCR_TS;
	if (s->reg[BANK_S][SCS_FPCCR] & FPCCR_LSPEN) {
		fp_defer(c, addr, false);
	} else {
		for (unsigned i = 0; i < (callee ? 32 : 16); i++)
			if (!cpu_store(c, fp_slot(addr, i), 4, ACC_ALIGNED, *fp_word(c, i)))
				return false;
		if (!cpu_store(c, addr + 0x40, 4, ACC_ALIGNED, fp_get_fpscr(c)) ||
		    (c->config.mve_int && !cpu_store(c, addr + 0x44, 4, ACC_ALIGNED, c->fp.vpr)))
			return false;
		if (callee)
			fp_clear(c, true);
	}
	s->fpca = false;
	c->core.fp_ready = false;
	return true;
}

/* Reads the state back; nothing is changed when an access faults. */
static bool reload(struct cpu *c, u32 addr, bool callee)
{
	u32 words[32], fpscr, vpr = 0;
	for (unsigned i = 0; i < (callee ? 32 : 16); i++)
		if (!cpu_load(c, fp_slot(addr, i), 4, ACC_ALIGNED, &words[i]))
			return false;
	if (!cpu_load(c, addr + 0x40, 4, ACC_ALIGNED, &fpscr) ||
	    (c->config.mve_int && !cpu_load(c, addr + 0x44, 4, ACC_ALIGNED, &vpr)))
		return false;
	for (unsigned i = 0; i < (callee ? 32 : 16); i++)
		*fp_word(c, i) = words[i];
	fp_set_fpscr(c, fpscr);
	c->fp.vpr = vpr & 0x00FFFFFF;
	return true;
}

bool sysop_vlldm(struct cpu *c, unsigned rn, bool t2)
{
	struct cpu_sys *s = c->sys;
	u32 addr = c->core.r[rn];
	bool idle;
	(void)t2;
	if (!secure_state_moves(c, &idle) || idle)
		return idle;
	if (s->reg[BANK_S][SCS_FPCCR] & FPCCR_LSPACT) {
		s->reg[BANK_S][SCS_FPCCR] &= ~(u32)FPCCR_LSPACT; /* still in the registers */
	} else if (addr & 7) {
		fault_raise(c, FAULT_UNALIGNED, addr);
		return false;
	} else if (!reload(c, addr, s->reg[BANK_S][SCS_FPCCR] & FPCCR_TS)) {
		return false;
	}
	s->fpca = true;
	c->core.fp_ready = false;
	return true;
}
