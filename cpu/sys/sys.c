/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, reset and events of the system side. Reset values: Armv8-M ARM B3.31, D1.2. */
#include "cpu/sys/caches.h"
#include "cpu/sys/debug.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/pages.h"
#include "cpu/sys/raise.h"
#include "cpu/sys/scs.h"
#include "cpu/sys/state.h"
#include "cpu/sys/time.h"

#include <stdlib.h>
#include <string.h>

const char *cpu_event_name(unsigned kind)
{
	static const char *const names[] = {
		[SYS_EVENT_SYSTICK_NS] = "Non-secure SysTick", [SYS_EVENT_SYSTICK_S] = "Secure SysTick", [SYS_EVENT_PMU] = "overflow of a PMU counter",
		[SYS_EVENT_DWT_CYCLE] = "DWT comparator of cycles",
	};

	return kind < ARRAY_LEN(names) ? names[kind] : "?";
}

static void on_event(void *ctx, const struct sched_event *ev)
{
	struct cpu *c = ctx;
	switch (ev->kind) {
	case SYS_EVENT_SYSTICK_NS: systick_event(c, false); break;
	case SYS_EVENT_SYSTICK_S: systick_event(c, true); break;
	case SYS_EVENT_PMU: counters_event(c); break;
	default: debug_cycle_event(c); break;
	}
}

bool sys_new(struct cpu *c)
{
	c->sys = calloc(1, sizeof(*c->sys));
	if (!c->sys || !pages_new(c))
		return false;
	c->sys->sched_device = sched_attach(c->sched, on_event, c);
	sys_reset(c);
	c->sys->fault.valid = false; /* nothing has begun: there is no program whose vector table is looked at */
	return true;
}

void sys_free(struct cpu *c)
{
	if (c->sys_host)
		pages_free(c);
	free(c->sys);
	c->sys = NULL;
}

static void reset_registers(struct cpu *c)
{
	struct cpu_sys *s = c->sys;
	bool security = c->config.security;
	scs_reset(c);
	s->reg[BANK_S][SCS_VTOR] = c->config.initsvtor & ~0x7Fu;
	s->reg[BANK_NS][SCS_VTOR] = (security ? c->config.initnsvtor : c->config.initsvtor) & ~0x7Fu;
	s->reg[BANK_NS][SCS_FPCCR] = c->config.fpu ? FPCCR_ASPEN : 0;
	s->reg[BANK_S][SCS_FPCCR] = c->config.fpu ? FPCCR_ASPEN | FPCCR_LSPEN | FPCCR_S : 0;
	debug_update_target(c);
	s->reg[BANK_NS][SCS_ITCMCR] = c->config.itcm_size_code << 3 | 1;
	s->reg[BANK_NS][SCS_DTCMCR] = c->config.dtcm_size_code << 3 | 1;
	if (!c->config.fpu)
		s->reg[BANK_NS][SCS_MVFR0] = s->reg[BANK_NS][SCS_MVFR1] = s->reg[BANK_NS][SCS_MVFR2] = 0;
}

void sys_reset(struct cpu *c)
{
	struct cpu_sys *s = c->sys;
	u32 vectors[2] = { 0, 0 };
	struct cpu_sys kept = { .sched_device = s->sched_device, .locks = s->locks, .locks_tied = s->locks_tied, .debug_low = s->debug_low,
				.start_pc = s->start_pc, .start_sp = s->start_sp, .start_set = s->start_set };
	u64 cycles = c->core.cycles, insns = c->core.insns;
	*s = kept;
	memset(&c->core, 0, sizeof(c->core));
	memset(&c->fp, 0, sizeof(c->fp));
	c->core.cycles = cycles;
	c->core.insns = insns;
	c->core.secure = c->config.security;
	c->core.r[14] = 0xFFFFFFFF;
	c->fp.ltpsize = 4;
	reset_registers(c);
	systick_reset(c);
	pmu_reset(c);
	counters_sync(c);
	counters_schedule(c);
	caches_reset(c);
	access_flush(c);
	state_enter(c);
	for (unsigned i = 0; i < 2 && !s->start_set; i++)
		if (access_vector(c, s->reg[c->core.secure][SCS_VTOR] + 4 * i, c->core.secure, &vectors[i]) != PROTECT_OK)
			raise_vector_error(c, EXC_RESET, c->core.secure, false);
	c->core.r[13] = s->start_set ? s->start_sp : vectors[0] & ~3u;
	c->core.r[15] = (s->start_set ? s->start_pc : vectors[1]) & ~1u;
	if (!s->start_set && !(vectors[1] & 1)) {
		s->thumb_clear = true;
		fault_raise(c, FAULT_INVSTATE, 0);
	}
}

void cpu_set_start(struct cpu *c, u32 pc, u32 sp)
{
	struct cpu_sys *s = c->sys;
	s->start_set = true;
	s->start_pc = pc;
	if (sp)
		s->start_sp = sp & ~3u;
	else
		s->start_sp = c->core.r[13];
	c->core.r[13] = s->start_sp;
	c->core.r[15] = pc & ~1u;
	c->core.activity = CPU_RUNNING;
	s->thumb_clear = false;
	memset(&s->fault, 0, sizeof(s->fault));
	memset(&s->first_fault, 0, sizeof(s->first_fault));
	/* An image without vectors at reset may have failed there: that no longer counts. */
	memset(s->exc, 0, sizeof(s->exc));
	s->reg[BANK_NS][SCS_HFSR] = s->reg[BANK_NS][SCS_CFSR] = s->reg[BANK_S][SCS_CFSR] = 0;
	nvic_changed(s);
}
