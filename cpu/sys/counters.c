/* SPDX-License-Identifier: Apache-2.0 */
/* Counters: DWT CYCCNT and the Armv8.1-M performance monitors (Armv8-M ARM B14, D1.2).
 * Exact: cycles, instructions, exceptions taken and returned from, software increments, chains.
 * Other events read as zero and are reported once. A counter is a base and the value its source
 * had then; overflows of cycle counters come at the exact cycle, those of instruction counters
 * within a cycle, those of exception counters when somebody next looks. */
#include "cpu/sys/debug.h"
#include "cpu/sys/hooks.h"
#include "cpu/sys/raise.h"
#include "cpu/sys/time.h"

enum pmu_ctrl_bits { PMU_E = 1, PMU_P = 2, PMU_C = 4, PMU_CTRL_MASK = 0xA21 };
enum pmu_event_code {
	EVENT_SW_INCR = 0x00, EVENT_INST_RETIRED = 0x08, EVENT_EXC_TAKEN = 0x09,
	EVENT_EXC_RETURN = 0x0A, EVENT_CPU_CYCLES = 0x11, EVENT_BUS_CYCLES = 0x1D, EVENT_CHAIN = 0x1E,
};
#define PMU_CYCLE_BIT 0x80000000u
#define PMU_ENABLE_MASK (PMU_CYCLE_BIT | 0xFF)

static u64 source(const struct cpu *c, u32 type)
{
	switch (type) {
	case EVENT_INST_RETIRED: return c->core.insns;
	case EVENT_EXC_TAKEN: return c->sys->exceptions_taken;
	case EVENT_EXC_RETURN: return c->sys->exceptions_returned;
	case EVENT_CPU_CYCLES: case EVENT_BUS_CYCLES: return c->core.cycles;
	default: return 0;
	}
}

static bool counting(const struct sys_pmu *p, u32 bit) { return p->ctrl & PMU_E && p->enabled & bit; }

static bool cyccnt_runs(const struct cpu *c)
{
	return c->sys->reg[BANK_NS][SCS_DEMCR] & DEMCR_TRCENA && c->sys->reg[BANK_NS][SCS_DWT_CTRL] & 1;
}

static void overflow(struct cpu *c, u32 bit)
{
	struct sys_pmu *p = &c->sys->pmu;
	p->overflow |= bit;
	if (p->interrupt & bit)
		raise_debug_event(c, DFSR_PMU);
}

/* Adds to a 16-bit event counter; a chained odd neighbour takes the carries. */
static void add_events(struct cpu *c, unsigned i, u64 amount)
{
	struct sys_pmu *p = &c->sys->pmu;
	u64 sum = p->event[i].base + amount;
	p->event[i].base = sum & 0xFFFF;
	if (!(sum >> 16))
		return;
	overflow(c, 1u << i);
	if (!(i & 1) && p->type[i + 1] == EVENT_CHAIN && counting(p, 1u << (i + 1)))
		add_events(c, i + 1, sum >> 16);
}

void counters_sync(struct cpu *c)
{
	struct sys_pmu *p = &c->sys->pmu;
	struct sys_counter *cyc = &c->sys->cyccnt;
	if (cyccnt_runs(c))
		cyc->base += (u32)(c->core.cycles - cyc->since);
	cyc->since = c->core.cycles;
	for (unsigned i = 0; i < SYS_PMU_COUNTERS; i++) {
		u64 now = source(c, p->type[i]), delta = now - p->event[i].since;
		p->event[i].since = now;
		if (delta && counting(p, 1u << i))
			add_events(c, i, delta);
	}
	if (counting(p, PMU_CYCLE_BIT)) {
		u64 sum = p->cycles.base + (c->core.cycles - p->cycles.since);
		p->cycles.base = (u32)sum;
		if (sum >> 32)
			overflow(c, PMU_CYCLE_BIT);
	}
	p->cycles.since = c->core.cycles;
}

u32 counters_cyccnt(const struct cpu *c)
{
	const struct sys_counter *cyc = &c->sys->cyccnt;
	return cyc->base + (cyccnt_runs(c) ? (u32)(c->core.cycles - cyc->since) : 0);
}

/* Cycles until some overflow interrupt must be looked for; 0 when none will. */
static u64 next_overflow(const struct cpu *c)
{
	const struct sys_pmu *p = &c->sys->pmu;
	u64 best = 0;
	if (counting(p, PMU_CYCLE_BIT) && p->interrupt & PMU_CYCLE_BIT)
		best = (UINT64_C(1) << 32) - p->cycles.base;
	for (unsigned i = 0; i < SYS_PMU_COUNTERS; i++) {
		bool cycles = p->type[i] == EVENT_CPU_CYCLES || p->type[i] == EVENT_BUS_CYCLES;
		bool chained = !(i & 1) && p->interrupt & 2u << i && p->type[i + 1] == EVENT_CHAIN;
		if (!counting(p, 1u << i) || !(p->interrupt & 1u << i || chained) ||
		    (!cycles && p->type[i] != EVENT_INST_RETIRED))
			continue;
		/* At most two instructions end in a cycle: half way is never too late. */
		u64 left = 0x10000 - p->event[i].base, look = cycles ? left : (left + 1) / 2;
		best = !best || look < best ? look : best;
	}
	return best;
}

void counters_schedule(struct cpu *c)
{
	struct sched *s = c->sched;
	u16 device = c->sys->sched_device;
	u64 overflow_in = next_overflow(c);
	u32 match_in = 0;
	sched_cancel(s, device, SYS_EVENT_PMU);
	sched_cancel(s, device, SYS_EVENT_DWT_CYCLE);
	if (overflow_in)
		sched_add(s, device, SYS_EVENT_PMU, s->now + overflow_in * sys_period(c), 0);
	if (cyccnt_runs(c) && debug_cycle_match(c, counters_cyccnt(c), &match_in))
		sched_add(s, device, SYS_EVENT_DWT_CYCLE, s->now + match_in * sys_period(c), 0);
}

void counters_event(struct cpu *c)
{
	counters_sync(c);
	counters_schedule(c);
}

bool counters_armed(const struct cpu *c)
{
	u32 unused;
	return next_overflow(c) || (cyccnt_runs(c) && debug_cycle_match(c, 0, &unused));
}

SCS_READ(dwt_ctrl_read) { (void)a; return c->sys->reg[BANK_NS][SCS_DWT_CTRL]; }

SCS_WRITE(dwt_ctrl_write)
{
	u32 *ctrl = &c->sys->reg[BANK_NS][SCS_DWT_CTRL], mask = 0x00FF1FFF;
	(void)a;
	if (!(c->sys->reg[BANK_NS][SCS_DEMCR] & DEMCR_TRCENA))
		return;
	counters_sync(c);
	*ctrl = (*ctrl & ~mask) | (value & mask);
	counters_schedule(c);
}

SCS_READ(dwt_cyccnt_read) { (void)a; return counters_cyccnt(c); }

SCS_WRITE(dwt_cyccnt_write)
{
	(void)a;
	counters_sync(c);
	c->sys->cyccnt.base = value;
	counters_schedule(c);
}

SCS_READ(pmu_evcntr_read)
{
	counters_sync(c);
	return c->sys->pmu.event[a->index].base;
}

SCS_WRITE(pmu_evcntr_write)
{
	counters_sync(c);
	c->sys->pmu.event[a->index].base = value & 0xFFFF;
	counters_schedule(c);
}

SCS_READ(pmu_ccntr_read)
{
	(void)a;
	counters_sync(c);
	return c->sys->pmu.cycles.base;
}

SCS_WRITE(pmu_ccntr_write)
{
	(void)a;
	counters_sync(c);
	c->sys->pmu.cycles.base = value;
	counters_schedule(c);
}

static bool modelled(u32 type)
{
	return type == EVENT_SW_INCR || type == EVENT_CHAIN || type == EVENT_INST_RETIRED ||
	       type == EVENT_EXC_TAKEN || type == EVENT_EXC_RETURN || type == EVENT_CPU_CYCLES ||
	       type == EVENT_BUS_CYCLES;
}

SCS_READ(pmu_evtyper_read) { return c->sys->pmu.type[a->index]; }

SCS_WRITE(pmu_evtyper_write)
{
	struct sys_pmu *p = &c->sys->pmu;
	u32 type = value & 0xFFFF;
	counters_sync(c);
	if (!modelled(type) && p->type[a->index] != type)
		diag_report(c->diag, DIAG_NOT_MODELLED, "CPU011",
			    "PMU event 0x%04X in counter %u is not counted and reads as zero", type, a->index);
	p->type[a->index] = type;
	p->event[a->index].since = source(c, type);
	counters_schedule(c);
}

SCS_READ(pmu_word_read)
{
	struct sys_pmu *p = &c->sys->pmu;
	counters_sync(c);
	switch (a->row) {
	case SCS_PMU_CNTENSET: case SCS_PMU_CNTENCLR: return p->enabled;
	case SCS_PMU_INTENSET: case SCS_PMU_INTENCLR: return p->interrupt;
	case SCS_PMU_OVSSET: case SCS_PMU_OVSCLR: return p->overflow;
	case SCS_PMU_CTRL: return p->ctrl;
	case SCS_PMU_CCFILTR: return p->filter;
	default: return 0;
	}
}

static void write_ctrl(struct sys_pmu *p, u32 value)
{
	for (unsigned i = 0; i < SYS_PMU_COUNTERS && value & PMU_P; i++)
		p->event[i].base = 0;
	if (value & PMU_C)
		p->cycles.base = 0;
	p->ctrl = value & PMU_CTRL_MASK;
}

static void software_increment(struct cpu *c, u32 value)
{
	for (unsigned i = 0; i < SYS_PMU_COUNTERS; i++)
		if (value >> i & 1 && c->sys->pmu.type[i] == EVENT_SW_INCR && counting(&c->sys->pmu, 1u << i))
			add_events(c, i, 1);
}

SCS_WRITE(pmu_word_write)
{
	struct sys_pmu *p = &c->sys->pmu;
	u32 bits = value & PMU_ENABLE_MASK;
	counters_sync(c);
	switch (a->row) {
	case SCS_PMU_CNTENSET: p->enabled |= bits; break;
	case SCS_PMU_CNTENCLR: p->enabled &= ~bits; break;
	case SCS_PMU_INTENSET: p->interrupt |= bits; break;
	case SCS_PMU_INTENCLR: p->interrupt &= ~bits; break;
	case SCS_PMU_OVSSET: p->overflow |= bits; break;
	case SCS_PMU_OVSCLR: p->overflow &= ~bits; break;
	case SCS_PMU_CCFILTR: p->filter = value & 0xFF000000; break;
	case SCS_PMU_SWINC: software_increment(c, value); break;
	default: write_ctrl(p, value); break;
	}
	counters_schedule(c);
}
