/* SPDX-License-Identifier: Apache-2.0 */
/* System control block: identity, ICSR, AIRCR, SCR, CCR, caches. Armv8-M ARM D1.2. */
#include "cpu/engine/engine.h"
#include "cpu/sys/caches.h"
#include "cpu/sys/hooks.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/state.h"

enum icsr_bits {
	ICSR_RETTOBASE = 1 << 11, ICSR_ISRPENDING = 1 << 22, ICSR_STTNS = 1 << 24,
	ICSR_PENDSTCLR = 1 << 25, ICSR_PENDSTSET = 1 << 26, ICSR_PENDSVCLR = 1 << 27,
	ICSR_PENDSVSET = 1 << 28, ICSR_PENDNMICLR = 1 << 30,
};
#define ICSR_PENDNMISET (1u << 31)

SCS_READ(ictr_read) { (void)a; return c->config.irqs / 32 - 1; }
SCS_READ(cpuid_read) { (void)a; return c->config.cpuid; }
/* PACBTI with an implementation-defined algorithm (cpu/sys/pacbti.c). */
SCS_READ(id_isar5_read) { (void)a; return c->config.pacbti ? 0x00200000 : 0; }
SCS_READ(event_mask_read) { return c->sys->irq_enabled[a->index]; }
SCS_READ(ewic_numid_read) { (void)a; return c->config.irqs + 3; }

static bool any_irq_pending(const struct cpu_sys *s)
{
	for (unsigned w = 0; w < SYS_IRQ_WORDS; w++)
		if (s->irq_pending[w])
			return true;
	return false;
}

/* No active exception but the one in IPSR. */
static bool return_to_base(const struct cpu *c) { return nvic_active_count(c->sys) <= 1; }

SCS_READ(icsr_read)
{
	struct cpu_sys *s = c->sys;
	struct nvic_choice best = nvic_best_pending(s);
	u32 value = c->core.ipsr;
	/* Armv8.1-M: to Non-secure, a Secure exception shows as number 1. */
	value |= (!a->secure && best.secure ? 1 : best.num) << 12;
	value |= return_to_base(c) ? (u32)ICSR_RETTOBASE : 0;
	value |= any_irq_pending(s) ? (u32)ICSR_ISRPENDING : 0;
	value |= exc_slot(s, EXC_SYSTICK, a->secure)->pending ? (u32)ICSR_PENDSTSET : 0;
	value |= exc_slot(s, EXC_PENDSV, a->secure)->pending ? (u32)ICSR_PENDSVSET : 0;
	if (exc_slot(s, EXC_NMI, false)->pending && (a->secure || scs_aircr(s) & AIRCR_BFHFNMINS))
		value |= ICSR_PENDNMISET;
	return value;
}

SCS_WRITE(icsr_write)
{
	struct cpu_sys *s = c->sys;
	if (value & ICSR_PENDNMISET && (a->secure || scs_aircr(s) & AIRCR_BFHFNMINS))
		exc_set_pending(c, EXC_NMI, false, true);
	else if (value & ICSR_PENDNMICLR && (a->secure || scs_aircr(s) & AIRCR_BFHFNMINS))
		exc_set_pending(c, EXC_NMI, false, false);
	if (value & ICSR_PENDSVSET)
		exc_set_pending(c, EXC_PENDSV, a->secure, true);
	else if (value & ICSR_PENDSVCLR)
		exc_set_pending(c, EXC_PENDSV, a->secure, false);
	if (value & ICSR_PENDSTSET)
		exc_set_pending(c, EXC_SYSTICK, a->secure, true);
	else if (value & ICSR_PENDSTCLR)
		exc_set_pending(c, EXC_SYSTICK, a->secure, false);
}

SCS_READ(aircr_read)
{
	struct cpu_sys *s = c->sys;
	u32 value = 0xFA050000 | scs_prigroup(s, a->secure) << 8;
	u32 shared = AIRCR_BFHFNMINS | (a->secure ? (u32)AIRCR_PRIS | AIRCR_SYSRESETREQS : 0);
	return value | (scs_aircr(s) & shared);
}

/* PRIS and the HardFault target change which code is privileged to preempt, and MPU use. */
SCS_WRITE(aircr_write)
{
	struct cpu_sys *s = c->sys;
	if (value >> 16 != 0x05FA)
		return;
	if (value & AIRCR_SYSRESETREQ && (a->secure || !(scs_aircr(s) & AIRCR_SYSRESETREQS)))
		c->core.activity = CPU_RESETTING;
	u32 mask = AIRCR_PRIGROUP | (a->secure ? (u32)AIRCR_BFHFNMINS | AIRCR_PRIS | AIRCR_SYSRESETREQS : 0);
	if (scs_locks(s) >> CPU_LOCK_SVTAIRCR & 1)
		mask &= ~(u32)(AIRCR_BFHFNMINS | AIRCR_PRIS);
	u32 *word = &s->reg[a->secure][SCS_AIRCR];
	*word = (*word & ~mask) | (value & mask);
	nvic_changed(s);
	access_select(c);
}

SCS_READ(scr_read)
{
	u32 value = c->sys->reg[a->secure][SCS_SCR];
	u32 deep = c->sys->reg[BANK_S][SCS_SCR] & SCR_SLEEPDEEPS;
	if (!a->secure)
		return value & ~(u32)SCR_SLEEPDEEPS & (deep ? ~(u32)SCR_SLEEPDEEP : 0xFFFFFFFF);
	return value;
}

SCS_WRITE(scr_write)
{
	u32 mask = SCR_SLEEPONEXIT | SCR_SLEEPDEEP | SCR_SEVONPEND | (a->secure ? (u32)SCR_SLEEPDEEPS : 0);
	c->sys->reg[a->secure][SCS_SCR] = value & mask;
}

/* BFHFNMIGN is not banked (it is kept with the Secure bits): Non-secure has it only with AIRCR.BFHFNMINS. */
static bool sees_ignored_faults(const struct cpu_sys *s, bool secure)
{
	return secure || scs_aircr(s) & AIRCR_BFHFNMINS;
}

SCS_READ(ccr_read)
{
	const struct cpu_sys *s = c->sys;
	u32 ignored = sees_ignored_faults(s, a->secure) ? s->reg[BANK_S][SCS_CCR] & CCR_BFHFNMIGN : 0;
	return (s->reg[a->secure][SCS_CCR] & ~(u32)CCR_BFHFNMIGN) | ignored;
}

SCS_WRITE(ccr_write)
{
	struct cpu_sys *s = c->sys;
	u32 shared = 0x000B0000; /* DC, IC, LOB; BP on cores with a branch predictor */
	u32 mask = shared | CCR_USERSETMPEND | CCR_UNALIGN_TRP | CCR_DIV_0_TRP | CCR_STKOFHFNMIGN | (a->secure ? (u32)CCR_TRD : 0);
	if (c->config.model == CPU_CORTEX_M85)
		mask |= 1 << 18;
	u32 *word = &s->reg[a->secure][SCS_CCR], *ignored = &s->reg[BANK_S][SCS_CCR];
	const u32 before = *word;
	*word = (*word & ~mask) | (value & mask);
	if (sees_ignored_faults(s, a->secure))
		*ignored = (*ignored & ~(u32)CCR_BFHFNMIGN) | (value & CCR_BFHFNMIGN);
	if ((before ^ *word) & (CCR_IC | CCR_DC) && c->caches)
		engine_caches_changed(c);
	if (a->secure == c->core.secure)
		c->sp_limit = state_stack_limit(c, c->core.secure, c->core.psp_used);
	access_select(c);
}

SCS_READ(clidr_read)
{
	(void)a;
	u32 value = (c->config.icache_size ? 1 : 0) | (c->config.dcache_size ? 2 : 0);
	return value ? 0x09000000 | value : 0;
}

/* Lines of 32 bytes; instruction cache 2 ways, data cache 4 ways. */
SCS_READ(ccsidr_read)
{
	bool instruction = c->sys->reg[a->secure][SCS_CSSELR] & 1;
	u32 bytes = instruction ? c->config.icache_size : c->config.dcache_size;
	u32 ways = instruction ? 2 : 4;
	if (!bytes)
		return 0;
	u32 sets = bytes / (32 * ways);
	return 0xF0000000 | (sets - 1) << 13 | (ways - 1) << 3 | 1;
}

/* Memory is one and always up to date: maintenance works on the tags whose cost is estimated. */
SCS_WRITE(cache_op)
{
	switch (a->row) {
	case SCS_ICIALLU: caches_drop_code(c); break;
	case SCS_ICIMVAU: caches_drop_code_line(c, value); break;
	case SCS_DCIMVAC: caches_maintain(c, value, CACHE_INVALIDATE); break;
	case SCS_DCCMVAU: case SCS_DCCMVAC: caches_maintain(c, value, CACHE_CLEAN); break;
	case SCS_DCCIMVAC: caches_maintain(c, value, CACHE_CLEAN | CACHE_INVALIDATE); break;
	case SCS_DCISW: caches_maintain_way(c, value, CACHE_INVALIDATE); break;
	case SCS_DCCSW: caches_maintain_way(c, value, CACHE_CLEAN); break;
	case SCS_DCCISW: caches_maintain_way(c, value, CACHE_CLEAN | CACHE_INVALIDATE); break;
	default: break; /* BPIALL */
	}
}
