/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of the DWT (Armv8-M ARM B12.1, D1.2), and what all counters share: their sources,
 * scheduled overflows, and which events the engines must count.
 *
 * The 8-bit profiling counters count when DWT_CTRL enables their overflow events; those events are
 * packets for a trace port that nobody reads. Where the time goes follows the timing model: with
 * ipc1 every instruction takes one cycle, so CPICNT, LSUCNT and FOLDCNT stand still. */
#include "cpu/sys/debug.h"
#include "cpu/sys/hooks.h"
#include "cpu/sys/pmu.h"
#include "cpu/sys/time.h"

enum dwt_ctrl_bits {
	DWT_CYCCNTENA = 1, DWT_CPIEVTENA = 1 << 17, DWT_CYCDISS = 1 << 23, DWT_CTRL_WRITABLE = 0x00FF1FFF,
};

/* Sources of CPICNT, EXCCNT, SLEEPCNT, LSUCNT, FOLDCNT, in the order of registers and enables. */
static const u8 profile_source[SYS_DWT_PROFILE] = {
	COUNT_STALL_OTHER, COUNT_EXC_CYCLES, COUNT_SLEEP_CYCLES, COUNT_STALL_MEMORY, COUNT_FOLDED,
};

u64 count_value(const struct cpu *c, enum pmu_count what)
{
	switch (what) {
	case COUNT_CYCLES: return c->core.cycles;
	case COUNT_INSNS: return c->core.insns;
	default: return c->sys->count[what];
	}
}

static bool trace_enabled(const struct cpu *c) { return c->sys->reg[BANK_NS][SCS_DEMCR] & DEMCR_TRCENA; }

static bool cyccnt_runs(const struct cpu *c)
{
	u32 ctrl = c->sys->reg[BANK_NS][SCS_DWT_CTRL];
	return trace_enabled(c) && ctrl & DWT_CYCCNTENA && !(ctrl & DWT_CYCDISS && c->sys->counted_secure);
}

static bool profile_runs(const struct cpu *c, unsigned i)
{
	return trace_enabled(c) && c->sys->reg[BANK_NS][SCS_DWT_CTRL] & (u32)DWT_CPIEVTENA << i &&
	       debug_may_observe(c, c->sys->counted_secure);
}

void counters_sync(struct cpu *c)
{
	struct sys_counter *cyc = &c->sys->cyccnt;
	if (cyccnt_runs(c))
		cyc->base += (u32)(c->core.cycles - cyc->since);
	cyc->since = c->core.cycles;
	for (unsigned i = 0; i < SYS_DWT_PROFILE; i++) {
		struct sys_counter *p = &c->sys->profile[i];
		u64 now = count_value(c, profile_source[i]);
		if (profile_runs(c, i))
			p->base = (p->base + (u32)(now - p->since)) & 0xFF;
		p->since = now;
	}
	pmu_sync(c);
}

static u32 cyccnt(const struct cpu *c)
{
	const struct sys_counter *cyc = &c->sys->cyccnt;
	return cyc->base + (cyccnt_runs(c) ? (u32)(c->core.cycles - cyc->since) : 0);
}

static u64 wanted(const struct cpu *c)
{
	u64 bits = pmu_wants(c);
	for (unsigned i = 0; i < SYS_DWT_PROFILE; i++)
		if (count_by_engine(profile_source[i]) && profile_runs(c, i))
			bits |= UINT64_C(1) << profile_source[i];
	return bits;
}

void counters_schedule(struct cpu *c)
{
	struct sched *s = c->sched;
	u16 device = c->sys->sched_device;
	u64 overflow_in = pmu_next_overflow(c);
	u32 match_in = 0;
	c->sys->count_wanted = wanted(c);
	sched_cancel(s, device, SYS_EVENT_PMU);
	sched_cancel(s, device, SYS_EVENT_DWT_CYCLE);
	if (overflow_in)
		sched_add(s, device, SYS_EVENT_PMU, s->now + overflow_in * sys_period(c), 0);
	if (cyccnt_runs(c) && debug_cycle_match(c, cyccnt(c), &match_in))
		sched_add(s, device, SYS_EVENT_DWT_CYCLE, s->now + match_in * sys_period(c), 0);
}

void counters_follow_state(struct cpu *c)
{
	struct cpu_sys *s = c->sys;
	bool same = !(s->reg[BANK_NS][SCS_DWT_CTRL] & DWT_CYCDISS) && debug_may_observe(c, true);
	if (!same)
		counters_sync(c);
	s->counted_secure = c->core.secure;
	if (!same)
		counters_schedule(c);
}

void counters_event(struct cpu *c)
{
	counters_sync(c);
	counters_schedule(c);
}

SCS_READ(dwt_ctrl_read) { (void)a; return c->sys->reg[BANK_NS][SCS_DWT_CTRL]; }

SCS_WRITE(dwt_ctrl_write)
{
	u32 *ctrl = &c->sys->reg[BANK_NS][SCS_DWT_CTRL];
	u32 mask = DWT_CTRL_WRITABLE & ~(a->secure && c->config.security ? 0 : (u32)DWT_CYCDISS);
	if (!trace_enabled(c))
		return;
	counters_sync(c);
	*ctrl = (*ctrl & ~mask) | (value & mask);
	counters_schedule(c);
}

SCS_READ(dwt_cyccnt_read) { (void)a; return cyccnt(c); }

SCS_WRITE(dwt_cyccnt_write)
{
	(void)a;
	counters_sync(c);
	c->sys->cyccnt.base = value;
	counters_schedule(c);
}

SCS_READ(dwt_profile_read)
{
	counters_sync(c);
	return c->sys->profile[a->index].base;
}

SCS_WRITE(dwt_profile_write)
{
	counters_sync(c);
	c->sys->profile[a->index].base = value & 0xFF;
}
