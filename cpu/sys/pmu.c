/* SPDX-License-Identifier: Apache-2.0 */
/* Performance monitors: Armv8-M ARM B14, D1.2 (PMU_*). Eight 16-bit event counters and a 32-bit
 * cycle counter; a counter is a base and the value its source had then. Overflow interrupts of
 * cycle counters come at the exact cycle, those of counters of instructions within one, those of
 * rare events when somebody next looks.
 * Not modelled: trace on overflow (TRO), events outside pmu.def, which read as zero. */
#include "cpu/sys/pmu.h"
#include "cpu/sys/debug.h"
#include "cpu/sys/hooks.h"
#include "cpu/sys/raise.h"
#include "cpu/sys/time.h"

enum pmu_ctrl_bits { PMU_E = 1, PMU_P = 2, PMU_C = 4, PMU_DP = 1 << 5, PMU_FZO = 1 << 9, PMU_CTRL_MASK = 0xA21 };
#define PMU_CYCLE_BIT 0x80000000u
#define PMU_ENABLE_MASK (PMU_CYCLE_BIT | 0xFF)
/* Most events of one kind in one cycle: two instructions, of up to 16 accesses each. */
#define EVENTS_PER_CYCLE 32

static const struct event_row { u16 number; u8 count; } event_rows[] = {
#define E(number, name, count) { number, COUNT_##count },
#include "cpu/sys/pmu.def"
#undef E
};

static const struct event_row *find(u32 number)
{
	for (unsigned i = 0; i < ARRAY_LEN(event_rows); i++)
		if (event_rows[i].number == number)
			return &event_rows[i];
	return NULL;
}

static enum pmu_count counted(const struct sys_pmu *p, unsigned i) { return p->count[i]; }

/* Events of a state that may not be observed are not counted; its cycles are, unless DP is set. */
static bool prohibited(const struct cpu *c, u32 bit)
{
	return (bit != PMU_CYCLE_BIT || c->sys->pmu.ctrl & PMU_DP) && !debug_may_observe(c, c->sys->counted_secure);
}

/* FZO: counters stand still while an overflow is flagged. */
static bool counting(const struct cpu *c, u32 bit)
{
	const struct sys_pmu *p = &c->sys->pmu;
	return p->ctrl & PMU_E && p->enabled & bit && !(p->ctrl & PMU_FZO && p->overflow) &&
	       c->sys->reg[BANK_NS][SCS_DEMCR] & DEMCR_TRCENA && !prohibited(c, bit);
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
	bool chained = !(i & 1) && counted(p, i + 1) == COUNT_CHAIN && counting(c, 2u << i);
	p->event[i].base = sum & 0xFFFF;
	if (!(sum >> 16))
		return;
	overflow(c, 1u << i);
	if (chained)
		add_events(c, i + 1, sum >> 16);
}

void pmu_sync(struct cpu *c)
{
	struct sys_pmu *p = &c->sys->pmu;
	bool active[SYS_PMU_COUNTERS], cycles = counting(c, PMU_CYCLE_BIT);
	for (unsigned i = 0; i < SYS_PMU_COUNTERS; i++)
		active[i] = counting(c, 1u << i);
	for (unsigned i = 0; i < SYS_PMU_COUNTERS; i++) {
		u64 now = count_value(c, counted(p, i)), delta = now - p->event[i].since;
		p->event[i].since = now;
		if (delta && active[i])
			add_events(c, i, delta);
	}
	if (cycles) {
		u64 sum = p->cycles.base + (c->core.cycles - p->cycles.since);
		p->cycles.base = (u32)sum;
		if (sum >> 32)
			overflow(c, PMU_CYCLE_BIT);
	}
	p->cycles.since = c->core.cycles;
}

/* Somebody waits for the overflow: an interrupt, or counters that freeze. */
static bool awaited(const struct sys_pmu *p, u32 bit)
{
	return p->interrupt & bit || p->ctrl & PMU_FZO;
}

u64 pmu_next_overflow(const struct cpu *c)
{
	const struct sys_pmu *p = &c->sys->pmu;
	u64 best = 0;
	if (counting(c, PMU_CYCLE_BIT) && awaited(p, PMU_CYCLE_BIT))
		best = (UINT64_C(1) << 32) - p->cycles.base;
	for (unsigned i = 0; i < SYS_PMU_COUNTERS; i++) {
		enum pmu_count what = counted(p, i);
		bool cycles = what == COUNT_CYCLES, chained = !(i & 1) && counted(p, i + 1) == COUNT_CHAIN;
		u32 bits = 1u << i | (chained ? 2u << i : 0);
		if (!counting(c, 1u << i) || !awaited(p, bits) ||
		    (!cycles && what != COUNT_INSNS && !count_by_engine(what)))
			continue;
		/* Looked at again on the way, never too late. */
		u64 left = 0x10000 - p->event[i].base, rate = cycles ? 1 : what == COUNT_INSNS ? 2 : EVENTS_PER_CYCLE;
		u64 look = (left + rate - 1) / rate;
		best = !best || look < best ? look : best;
	}
	return best;
}

u64 pmu_wants(const struct cpu *c)
{
	u64 wanted = 0;
	for (unsigned i = 0; i < SYS_PMU_COUNTERS; i++)
		if ((count_by_engine(counted(&c->sys->pmu, i)) || counted(&c->sys->pmu, i) == COUNT_BUS_ACCESS) && counting(c, 1u << i))
			wanted |= UINT64_C(1) << counted(&c->sys->pmu, i);
	return wanted;
}

void pmu_reset(struct cpu *c)
{
	for (unsigned i = 0; i < SYS_PMU_COUNTERS; i++)
		c->sys->pmu.count[i] = COUNT_SOFTWARE; /* event 0 */
}

SCS_READ(pmu_evcntr_read)
{
	pmu_sync(c);
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
	pmu_sync(c);
	return c->sys->pmu.cycles.base;
}

SCS_WRITE(pmu_ccntr_write)
{
	(void)a;
	counters_sync(c);
	c->sys->pmu.cycles.base = value;
	counters_schedule(c);
}

SCS_READ(pmu_evtyper_read) { return c->sys->pmu.type[a->index]; }

SCS_WRITE(pmu_evtyper_write)
{
	struct sys_pmu *p = &c->sys->pmu;
	u32 type = value & 0xFFFF;
	const struct event_row *row = find(type);
	if (row && row->count == COUNT_BUS_ACCESS && !c->caches)
		row = NULL;
	counters_sync(c);
	if (!row && p->type[a->index] != type)
		diag_report(c->diag, DIAG_NOT_MODELLED, "CPU011",
			    "PMU event 0x%04X in counter %u is not counted and reads as zero", type, a->index);
	p->type[a->index] = type;
	p->count[a->index] = row ? row->count : COUNT_NEVER;
	p->event[a->index].since = count_value(c, counted(p, a->index));
	counters_schedule(c);
}

SCS_READ(pmu_word_read)
{
	struct sys_pmu *p = &c->sys->pmu;
	pmu_sync(c);
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
		if (value >> i & 1 && counted(&c->sys->pmu, i) == COUNT_SOFTWARE && counting(c, 1u << i))
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
