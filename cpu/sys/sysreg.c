/* SPDX-License-Identifier: Apache-2.0 */
/* Special registers: MRS, MSR, CPS. Armv8-M ARM C2.4 (MRS, MSR pseudocode), B3.2. */
#include "cpu/sys/frame.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/protect.h"
#include "cpu/sys/scs.h"
#include "cpu/sys/state.h"

enum sysm {
	SYSM_PSR_LAST = 7, SYSM_MSP = 8, SYSM_PSP = 9, SYSM_MSPLIM = 10, SYSM_PSPLIM = 11, SYSM_PRIMASK = 16,
	SYSM_BASEPRI = 17, SYSM_BASEPRI_MAX = 18, SYSM_FAULTMASK = 19, SYSM_CONTROL = 20, SYSM_SP = 24,
	SYSM_PAC_FIRST = 32, SYSM_PAC_LAST = 39, SYSM_NS = 0x80,
};

/* The register named by SYSm without its Non-secure bit, and the bank. False: reads as zero. */
static bool bank_of(const struct cpu *c, unsigned sysm, bool *secure)
{
	*secure = c->core.secure && !(sysm & SYSM_NS);
	return !(sysm & SYSM_NS) || c->core.secure;
}

static bool in_use(const struct cpu *c, bool secure, bool process)
{
	return c->core.secure == secure && c->core.psp_used == process;
}

static u32 read_sp(const struct cpu *c, bool secure, bool process)
{
	return in_use(c, secure, process) ? c->core.r[13] : c->sys->sp[secure][process];
}

static void write_sp(struct cpu *c, bool secure, bool process, u32 value)
{
	c->sys->sp[secure][process] = value & ~3u;
	if (in_use(c, secure, process))
		c->core.r[13] = value & ~3u;
}

static u32 read_control(const struct cpu *c, bool secure)
{
	const struct cpu_sys *s = c->sys;
	u32 value = s->control[secure];
	if (fp_shared(c, c->core.secure))
		value |= s->fpca ? CONTROL_FPCA : 0;
	if (c->core.secure && secure)
		value |= s->sfpa ? CONTROL_SFPA : 0;
	return value;
}

static u32 read_psr(const struct cpu *c, unsigned sysm)
{
	u32 value = sysm & 1 ? c->core.ipsr : 0; /* EPSR reads as zero */
	return value | (sysm & 4 ? 0 : c->core.apsr & (XPSR_NZCVQ | XPSR_GE));
}

static u32 read_privileged(const struct cpu *c, unsigned number, bool secure)
{
	const struct cpu_sys *s = c->sys;
	switch (number) {
	case SYSM_MSP: return read_sp(c, secure, false);
	case SYSM_PSP: return read_sp(c, secure, true);
	case SYSM_MSPLIM: return s->splim[secure][0];
	case SYSM_PSPLIM: return s->splim[secure][1];
	case SYSM_PRIMASK: return s->primask[secure];
	case SYSM_BASEPRI: return s->basepri[secure];
	case SYSM_BASEPRI_MAX: return c->core.secure == secure ? s->basepri[secure] : 0; /* there is no BASEPRI_MAX_NS */
	case SYSM_FAULTMASK: return s->faultmask[secure];
	case SYSM_SP: /* there is only SP_NS */
		return c->core.secure && !secure ? read_sp(c, false, state_uses_process(c, false, state_handler(c))) : 0;
	default:
		if (number >= SYSM_PAC_FIRST && number <= SYSM_PAC_LAST && c->config.pacbti)
			return s->pac_key[secure][number - SYSM_PAC_FIRST];
		return 0;
	}
}

bool sysop_mrs(struct cpu *c, unsigned rd, unsigned sysm)
{
	bool secure;
	u32 value = 0;
	unsigned number = sysm & 0x7F;
	if (sysm <= SYSM_PSR_LAST)
		value = read_psr(c, sysm);
	else if (!bank_of(c, sysm, &secure))
		value = 0;
	else if (number == SYSM_CONTROL)
		value = read_control(c, secure);
	else if (state_privileged(c, c->core.secure))
		value = read_privileged(c, number, secure);
	c->core.r[rd] = value;
	return true;
}

static void write_control(struct cpu *c, bool secure, u32 value)
{
	struct cpu_sys *s = c->sys;
	u32 mask = CONTROL_NPRIV | CONTROL_SPSEL | (c->config.pacbti ? (u32)CONTROL_PACBTI : 0);
	state_leave(c);
	s->control[secure] = (s->control[secure] & ~mask) | (value & mask);
	if (c->config.fpu) {
		if (fp_shared(c, c->core.secure))
			s->fpca = value & CONTROL_FPCA;
		if (c->core.secure && secure)
			s->sfpa = value & CONTROL_SFPA;
	}
	state_enter(c);
}

static void write_basepri_max(struct cpu *c, bool secure, u32 value)
{
	u8 *basepri = &c->sys->basepri[secure], prio = scs_priority(c, value);
	if (prio && (!*basepri || prio < *basepri))
		*basepri = prio;
}

/* FAULTMASK cannot be set at a negative priority. */
static void write_faultmask(struct cpu *c, bool secure, bool value)
{
	if (value && nvic_exec_priority(c->sys) <= -1)
		return;
	state_leave(c);
	c->sys->faultmask[secure] = value;
	state_enter(c);
}

static bool write_sp_ns(struct cpu *c, u32 value)
{
	bool process = state_uses_process(c, false, state_handler(c));
	if ((value & ~3u) < state_stack_limit(c, false, process)) {
		fault_raise(c, FAULT_STKOF, value);
		return false;
	}
	write_sp(c, false, process, value);
	return true;
}

static bool write_privileged(struct cpu *c, unsigned number, bool secure, u32 value)
{
	struct cpu_sys *s = c->sys;
	switch (number) {
	case SYSM_MSP: write_sp(c, secure, false, value); break;
	case SYSM_PSP: write_sp(c, secure, true, value); break;
	case SYSM_MSPLIM: case SYSM_PSPLIM:
		s->splim[secure][number == SYSM_PSPLIM] = value & ~7u;
		c->sp_limit = state_stack_limit(c, c->core.secure, c->core.psp_used);
		break;
	case SYSM_PRIMASK: s->primask[secure] = value & 1; break;
	case SYSM_BASEPRI: s->basepri[secure] = scs_priority(c, value); break;
	case SYSM_BASEPRI_MAX:
		if (c->core.secure == secure)
			write_basepri_max(c, secure, value);
		break;
	case SYSM_FAULTMASK: write_faultmask(c, secure, value & 1); break;
	case SYSM_CONTROL: write_control(c, secure, value); break;
	case SYSM_SP: return !c->core.secure || secure || write_sp_ns(c, value);
	default:
		if (number >= SYSM_PAC_FIRST && number <= SYSM_PAC_LAST && c->config.pacbti)
			s->pac_key[secure][number - SYSM_PAC_FIRST] = value;
		break;
	}
	nvic_masks_changed(s);
	return true;
}

bool sysop_msr(struct cpu *c, unsigned rn, unsigned mask, unsigned sysm)
{
	u32 value = c->core.r[rn];
	bool secure;
	if (sysm <= SYSM_PSR_LAST) {
		u32 bits = sysm & 4 ? 0 : (mask & 2 ? XPSR_NZCVQ : 0) | (mask & 1 ? (u32)XPSR_GE : 0);
		c->core.apsr = (c->core.apsr & ~bits) | (value & bits);
		return true;
	}
	if (!bank_of(c, sysm, &secure))
		return true;
	if (!state_privileged(c, c->core.secure)) {
		/* Of all these only CONTROL_S.SFPA is open to unprivileged Secure code. */
		if (sysm == SYSM_CONTROL && c->core.secure && c->config.fpu) {
			state_leave(c);
			c->sys->sfpa = value & CONTROL_SFPA;
			state_enter(c);
		}
		return true;
	}
	return write_privileged(c, sysm & 0x7F, secure, value);
}

bool sysop_cps(struct cpu *c, bool disable, bool primask, bool faultmask)
{
	bool secure = c->core.secure;
	if (!state_privileged(c, secure))
		return true;
	if (primask)
		c->sys->primask[secure] = disable;
	if (faultmask)
		write_faultmask(c, secure, disable);
	nvic_masks_changed(c->sys);
	return true;
}
