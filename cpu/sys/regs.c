/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and memory as debugger, reports and tests see them. */
#include "cpu/observed.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/protect.h"
#include "cpu/sys/scs.h"
#include "cpu/sys/state.h"

#include <string.h>

static bool current_sp(const struct cpu *c, bool secure, bool process)
{
	return c->core.secure == secure && c->core.psp_used == process;
}

static u32 get_sp(const struct cpu *c, bool secure, bool process)
{
	return current_sp(c, secure, process) ? c->core.r[13] : c->sys->sp[secure][process];
}

static void set_sp(struct cpu *c, bool secure, bool process, u32 value)
{
	c->sys->sp[secure][process] = value & ~3u;
	if (current_sp(c, secure, process))
		c->core.r[13] = value & ~3u;
}

static u32 get_control(const struct cpu *c, bool secure)
{
	const struct cpu_sys *s = c->sys;
	return s->control[secure] | (s->fpca ? CONTROL_FPCA : 0) | (secure && s->sfpa ? CONTROL_SFPA : 0);
}

u32 cpu_get_reg(const struct cpu *c, unsigned reg)
{
	const struct cpu_sys *s = c->sys;
	bool secure = c->core.secure;
	if (reg < 16)
		return c->core.r[reg];
	if (reg >= CPU_REG_S0 && reg < CPU_REG_S0 + 32)
		return c->fp.q[(reg - CPU_REG_S0) / 4].w[(reg - CPU_REG_S0) % 4];
	switch (reg) {
	case CPU_REG_XPSR: return state_xpsr(c);
	case CPU_REG_MSP: return get_sp(c, secure, false);
	case CPU_REG_PSP: return get_sp(c, secure, true);
	case CPU_REG_PRIMASK: return s->primask[secure];
	case CPU_REG_BASEPRI: return s->basepri[secure];
	case CPU_REG_FAULTMASK: return s->faultmask[secure];
	case CPU_REG_CONTROL: return get_control(c, secure);
	case CPU_REG_MSPLIM: return s->splim[secure][0];
	case CPU_REG_PSPLIM: return s->splim[secure][1];
	case CPU_REG_MSP_S: case CPU_REG_PSP_S: return get_sp(c, true, reg == CPU_REG_PSP_S);
	case CPU_REG_MSP_NS: case CPU_REG_PSP_NS: return get_sp(c, false, reg == CPU_REG_PSP_NS);
	case CPU_REG_SECURE: return secure;
	case CPU_REG_FPSCR: return fp_get_fpscr(c);
	case CPU_REG_VPR: return c->fp.vpr;
	case CPU_REG_MSPLIM_NS: case CPU_REG_MSPLIM_S: return s->splim[reg - CPU_REG_MSPLIM_NS][0];
	case CPU_REG_PSPLIM_NS: case CPU_REG_PSPLIM_S: return s->splim[reg - CPU_REG_PSPLIM_NS][1];
	case CPU_REG_PRIMASK_NS: case CPU_REG_PRIMASK_S: return s->primask[reg - CPU_REG_PRIMASK_NS];
	case CPU_REG_BASEPRI_NS: case CPU_REG_BASEPRI_S: return s->basepri[reg - CPU_REG_BASEPRI_NS];
	case CPU_REG_FAULTMASK_NS: case CPU_REG_FAULTMASK_S: return s->faultmask[reg - CPU_REG_FAULTMASK_NS];
	case CPU_REG_CONTROL_NS: case CPU_REG_CONTROL_S: return get_control(c, reg - CPU_REG_CONTROL_NS);
	default: return 0;
	}
}

void cpu_get_floats(const struct cpu *c, u32 out[32])
{
	for (unsigned i = 0; i < 32; i++)
		out[i] = c->fp.q[i / 4].w[i % 4];
}

static void set_control(struct cpu *c, bool secure, u32 value)
{
	struct cpu_sys *s = c->sys;
	state_leave(c);
	s->control[secure] = value & ~(u32)(CONTROL_FPCA | CONTROL_SFPA);
	s->fpca = value & CONTROL_FPCA;
	if (secure)
		s->sfpa = value & CONTROL_SFPA;
	state_enter(c);
}

static void set_system(struct cpu *c, unsigned reg, u32 value)
{
	struct cpu_sys *s = c->sys;
	bool secure = c->core.secure;
	switch (reg) {
	case CPU_REG_XPSR:
		state_leave(c);
		state_set_xpsr(c, value);
		state_enter(c);
		break;
	case CPU_REG_MSP: case CPU_REG_PSP: set_sp(c, secure, reg == CPU_REG_PSP, value); break;
	case CPU_REG_PRIMASK: s->primask[secure] = value & 1; break;
	case CPU_REG_BASEPRI: s->basepri[secure] = scs_priority(c, value); break;
	case CPU_REG_FAULTMASK: s->faultmask[secure] = value & 1; break;
	case CPU_REG_CONTROL: set_control(c, secure, value); break;
	case CPU_REG_MSPLIM_NS: case CPU_REG_MSPLIM_S: s->splim[reg - CPU_REG_MSPLIM_NS][0] = value & ~7u; break;
	case CPU_REG_PSPLIM_NS: case CPU_REG_PSPLIM_S: s->splim[reg - CPU_REG_PSPLIM_NS][1] = value & ~7u; break;
	case CPU_REG_PRIMASK_NS: case CPU_REG_PRIMASK_S: s->primask[reg - CPU_REG_PRIMASK_NS] = value & 1; break;
	case CPU_REG_BASEPRI_NS: case CPU_REG_BASEPRI_S: s->basepri[reg - CPU_REG_BASEPRI_NS] = scs_priority(c, value); break;
	case CPU_REG_FAULTMASK_NS: case CPU_REG_FAULTMASK_S: s->faultmask[reg - CPU_REG_FAULTMASK_NS] = value & 1; break;
	case CPU_REG_CONTROL_NS: case CPU_REG_CONTROL_S: set_control(c, reg - CPU_REG_CONTROL_NS, value); break;
	case CPU_REG_MSPLIM: case CPU_REG_PSPLIM:
		s->splim[secure][reg == CPU_REG_PSPLIM] = value & ~7u;
		break;
	case CPU_REG_MSP_S: case CPU_REG_PSP_S: set_sp(c, true, reg == CPU_REG_PSP_S, value); break;
	case CPU_REG_MSP_NS: case CPU_REG_PSP_NS: set_sp(c, false, reg == CPU_REG_PSP_NS, value); break;
	case CPU_REG_SECURE: state_set_secure(c, value & 1 && c->config.security); break;
	case CPU_REG_FPSCR: fp_set_fpscr(c, value); break;
	case CPU_REG_VPR: c->fp.vpr = value & 0x00FFFFFF; break;
	default: break;
	}
	c->sp_limit = state_stack_limit(c, c->core.secure, c->core.psp_used);
	access_select(c);
	nvic_changed(s);
}

/* Whoever says where the core goes on wants it to: out of sleep, and out of Lockup, which a debugger ends so (Armv8-M ARM B3.32). */
static void wake(struct cpu *c)
{
	if (c->core.activity == CPU_SLEEPING || c->core.activity == CPU_LOCKED_UP)
		c->core.activity = CPU_RUNNING;
}

void cpu_set_reg(struct cpu *c, unsigned reg, u32 value)
{
	observed_touched(c);
	if (reg == 15)
		wake(c);
	if (reg < 16)
		c->core.r[reg] = reg == 15 ? value & ~1u : reg == 13 ? value & ~3u : value;
	else if (reg >= CPU_REG_S0 && reg < CPU_REG_S0 + 32)
		c->fp.q[(reg - CPU_REG_S0) / 4].w[(reg - CPU_REG_S0) % 4] = value;
	else
		set_system(c, reg, value);
}

bool cpu_peek(struct cpu *c, u32 addr, void *out, u32 bytes)
{
	const u8 *p = bus_span(c->bus, BUS_CPU, addr, bytes);
	if (p)
		memcpy(out, p, bytes);
	return p != NULL;
}

u32 cpu_reaches(const struct cpu *c, u32 addr, u32 bytes)
{
	return (u32)bus_reaches(c->bus, BUS_CPU, addr, bytes);
}

bool cpu_poke(struct cpu *c, u32 addr, const void *in, u32 bytes)
{
	u8 *p = bus_span(c->bus, BUS_CPU, addr, bytes);
	if (!p)
		return false;
	bus_will_write(c->bus, addr, bytes);
	memcpy(p, in, bytes);
	return true;
}

bool cpu_debug_access(struct cpu *c, u32 addr, unsigned bytes, bool write, u32 *value)
{
	struct sau_result attribution;

	if (scs_covers(addr))
		return write ? scs_store(c, addr, bytes, c->core.secure, true, *value) :
			       scs_load(c, addr, bytes, c->core.secure, true, value);
	sau_lookup(c, addr, false, c->config.security, &attribution);
	const struct bus_attr attr = { !attribution.ns, true, BUS_CPU };
	return (write ? bus_write(c->bus, addr, bytes, attr, *value) : bus_read(c->bus, addr, bytes, attr, value)) == BUS_OK;
}
