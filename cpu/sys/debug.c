/* SPDX-License-Identifier: Apache-2.0 */
/* Guest-side debug: DWT comparators, FPB, DEMCR. Armv8-M ARM B12-B13, D1.2.
 * Events go to DebugMonitor (DEMCR.MON_EN); there is no halting debugger inside the guest and no
 * trace, so comparators with a trace or trigger action only set MATCHED. Not modelled: a
 * Secure/Non-secure split of the comparators. */
#include "cpu/sys/debug.h"
#include "cpu/sys/hooks.h"
#include "cpu/sys/protect.h"
#include "cpu/sys/raise.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/time.h"

enum dwt_match {
	MATCH_OFF = 0, MATCH_CYCLE = 1, MATCH_PC = 2, MATCH_PC_LIMIT = 3, MATCH_DATA = 4, MATCH_WRITE = 5,
	MATCH_READ = 6, MATCH_DATA_LIMIT = 7, MATCH_VALUE = 8, MATCH_VALUE_WRITE = 9,
	MATCH_VALUE_READ = 10, MATCH_VALUE_LINKED = 11,
};
#define ACTION_DEBUG 1u
#define MATCHED_BIT (1u << 24)

/* FUNCTIONn.ID: what each comparator can do; only those of values have a mask. */
#define ID_VALUE 0x80000000u
static const u32 function_id[SYS_DWT_COMPARATORS] = { 0x58000000, 0xF0000000, 0x50000000, 0xF0000000 };

static unsigned match_of(const struct cpu_sys *s, unsigned i) { return s->dwt_function[i] & 0xF; }

static bool tracing(const struct cpu_sys *s) { return s->reg[BANK_NS][SCS_DEMCR] & DEMCR_TRCENA; }

/* The addresses comparator i stands for; a limit comparator after it makes a range. */
static void range_of(const struct cpu_sys *s, unsigned i, u32 *first, u32 *last)
{
	unsigned size = s->dwt_function[i] >> 10 & 3, m = match_of(s, i);
	*first = s->dwt_comp[i];
	*last = *first + (m == MATCH_PC ? 1u : (1u << size) - 1);
	if (i + 1 < SYS_DWT_COMPARATORS && match_of(s, i + 1) == (m == MATCH_PC ? MATCH_PC_LIMIT : MATCH_DATA_LIMIT))
		*last = s->dwt_comp[i + 1];
}

static bool touches_page(u32 first, u32 last, u32 addr)
{
	u32 page = addr & ~(BUS_PAGE_SIZE - 1);
	return first <= (page | (BUS_PAGE_SIZE - 1)) && last >= page;
}

bool debug_watches_page(const struct cpu *c, u32 addr)
{
	const struct cpu_sys *s = c->sys;
	for (unsigned i = 0; tracing(s) && i < SYS_DWT_COMPARATORS; i++) {
		u32 first, last;
		unsigned m = match_of(s, i);
		range_of(s, i, &first, &last);
		if ((m >= MATCH_DATA && m <= MATCH_READ && touches_page(first, last, addr)) ||
		    (m >= MATCH_VALUE && m <= MATCH_VALUE_READ))
			return true;
	}
	return false;
}

bool debug_breaks_page(const struct cpu *c, u32 addr)
{
	const struct cpu_sys *s = c->sys;
	if (s->reg[BANK_NS][SCS_FP_CTRL] & 1)
		for (unsigned i = 0; i < SYS_FPB_COMPARATORS; i++)
			if (s->fpb_comp[i] & 1 && touches_page(s->fpb_comp[i], s->fpb_comp[i], addr))
				return true;
	for (unsigned i = 0; tracing(s) && i < SYS_DWT_COMPARATORS; i++) {
		u32 first, last;
		range_of(s, i, &first, &last);
		if (match_of(s, i) == MATCH_PC && touches_page(first, last, addr))
			return true;
	}
	return false;
}

/* Comparator i has matched, which counts where the present state may be debugged or observed
 * (pseudocode DWT_ValidMatch). True: a debug event was pended. */
static bool fire(struct cpu *c, unsigned i)
{
	bool event = (c->sys->dwt_function[i] >> 4 & 3) == ACTION_DEBUG;
	if (!(event ? debug_monitor_allowed(c) : debug_may_observe(c, c->core.secure)))
		return false;
	c->sys->dwt_function[i] |= MATCHED_BIT;
	c->sys->count[COUNT_MATCH0 + i]++;
	if (!event)
		return false;
	raise_debug_event(c, DFSR_DWTTRAP);
	return c->sys->exc[BANK_NS][EXC_DEBUG].pending;
}

static bool direction_matches(unsigned m, bool write)
{
	return m == MATCH_DATA || m == MATCH_VALUE || (write ? m == MATCH_WRITE || m == MATCH_VALUE_WRITE :
							       m == MATCH_READ || m == MATCH_VALUE_READ);
}

static bool value_matches(const struct cpu_sys *s, unsigned i, unsigned bytes, u32 value)
{
	unsigned size = s->dwt_function[i] >> 10 & 3;
	u32 mask = size == 0 ? 0xFF : size == 1 ? 0xFFFF : 0xFFFFFFFF;
	return bytes == 1u << size && !((value ^ s->dwt_comp[i]) & mask & ~s->dwt_vmask[i]);
}

void debug_data_access(struct cpu *c, u32 addr, unsigned bytes, bool write, u32 value)
{
	struct cpu_sys *s = c->sys;
	for (unsigned i = 0; tracing(s) && i < SYS_DWT_COMPARATORS; i++) {
		unsigned m = match_of(s, i);
		u32 first, last;
		if (m < MATCH_DATA || m == MATCH_DATA_LIMIT || !direction_matches(m, write))
			continue;
		range_of(s, i, &first, &last);
		if (m >= MATCH_VALUE ? !value_matches(s, i, bytes, value) :
				       addr > last || addr + (bytes - 1) < first)
			continue;
		bool linked = i + 1 < SYS_DWT_COMPARATORS && match_of(s, i + 1) == MATCH_VALUE_LINKED;
		if (linked && !value_matches(s, i + 1, bytes, value))
			continue;
		fire(c, linked ? i + 1 : i);
	}
}

static bool breakpoint_at(const struct cpu_sys *s, u32 addr)
{
	if (!(s->reg[BANK_NS][SCS_FP_CTRL] & 1))
		return false;
	for (unsigned i = 0; i < SYS_FPB_COMPARATORS; i++)
		if (s->fpb_comp[i] == (addr | 1))
			return true;
	return false;
}

bool debug_instruction(struct cpu *c, u32 addr)
{
	struct cpu_sys *s = c->sys;
	bool event = false;
	if (breakpoint_at(s, addr)) {
		raise_debug_event(c, DFSR_BKPT);
		event = s->exc[BANK_NS][EXC_DEBUG].pending;
	}
	for (unsigned i = 0; tracing(s) && i < SYS_DWT_COMPARATORS; i++) {
		u32 first, last;
		range_of(s, i, &first, &last);
		if (match_of(s, i) == MATCH_PC && addr >= first && addr <= last)
			event |= fire(c, i);
	}
	return event;
}

bool debug_steps(const struct cpu *c)
{
	return c->sys->mon_step && debug_monitor_preempts(c);
}

void debug_stepped(struct cpu *c) { raise_debug_event(c, DFSR_HALTED); }

bool debug_cycle_match(const struct cpu *c, u32 cyccnt, u32 *cycles)
{
	if (match_of(c->sys, 0) != MATCH_CYCLE)
		return false;
	*cycles = c->sys->dwt_comp[0] - cyccnt;
	return *cycles != 0;
}

void debug_cycle_event(struct cpu *c)
{
	fire(c, 0);
	counters_schedule(c);
}

SCS_READ(dhcsr_read) { (void)c; (void)a; return 0; }
SCS_READ(dscsr_read) { (void)a; return c->core.secure ? 1u << 16 : 0; } /* CDS */
SCS_READ(dwt_pcsr_read) { (void)a; return c->core.r[15]; }

/* While DebugMonitor targets Secure state (SDME), Non-secure code cannot use it. */
SCS_READ(demcr_read)
{
	u32 value = c->sys->reg[BANK_NS][SCS_DEMCR];
	value |= c->sys->exc[BANK_NS][EXC_DEBUG].pending ? (u32)DEMCR_MON_PEND : 0;
	if (!a->secure && value & DEMCR_SDME)
		value &= ~(u32)(DEMCR_MON_EN | DEMCR_MON_PEND | DEMCR_MON_REQ | DEMCR_MON_STEP);
	return value;
}

SCS_WRITE(demcr_write)
{
	u32 *word = &c->sys->reg[BANK_NS][SCS_DEMCR];
	u32 mask = DEMCR_TRCENA | DEMCR_MON_EN | DEMCR_MON_REQ | DEMCR_MON_STEP;
	if (!a->secure && *word & DEMCR_SDME)
		mask = DEMCR_TRCENA;
	const bool pends = mask & DEMCR_MON_EN && !(value & DEMCR_MONPRKEY);
	if (!pends)
		mask &= ~(u32)DEMCR_MON_REQ;
	counters_sync(c);
	*word = (*word & ~mask) | (value & mask);
	c->sys->mon_step = (*word & (DEMCR_MON_EN | DEMCR_MON_STEP)) == (DEMCR_MON_EN | DEMCR_MON_STEP);
	if (pends)
		exc_set_pending(c, EXC_DEBUG, false, value & DEMCR_MON_PEND);
	debug_update_target(c);
	counters_schedule(c);
	access_flush(c);
}

/* MON_PEND and MON_REQ without the others: bits 1 and 3 set them, 17 and 19 clear them. */
SCS_WRITE(dscemcr_write)
{
	u32 *word = &c->sys->reg[BANK_NS][SCS_DEMCR], set = value << 16;
	if (!a->secure && *word & DEMCR_SDME)
		return;
	if ((set ^ value) & DEMCR_MON_REQ)
		*word = (*word & ~(u32)DEMCR_MON_REQ) | (set & DEMCR_MON_REQ);
	if ((set ^ value) & DEMCR_MON_PEND)
		exc_set_pending(c, EXC_DEBUG, false, set & DEMCR_MON_PEND);
	debug_update_target(c);
}

/* Words 0 COMPn, 2 FUNCTIONn, 3 VMASKn of each group of four. */
SCS_READ(dwt_comp_read)
{
	struct cpu_sys *s = c->sys;
	unsigned i = a->index / 4;
	switch (a->index % 4) {
	case 0: return s->dwt_comp[i];
	case 2: {
		u32 value = s->dwt_function[i] | function_id[i];
		s->dwt_function[i] &= ~MATCHED_BIT;
		return value;
	}
	case 3: return s->dwt_vmask[i];
	default: return 0;
	}
}

SCS_WRITE(dwt_comp_write)
{
	struct cpu_sys *s = c->sys;
	unsigned i = a->index / 4;
	switch (a->index % 4) {
	case 0: s->dwt_comp[i] = value; break;
	case 2: s->dwt_function[i] = value & 0xC3F; break;
	case 3: s->dwt_vmask[i] = function_id[i] & ID_VALUE ? value : 0; break;
	default: break;
	}
	counters_schedule(c);
	access_flush(c);
}

SCS_WRITE(fpb_ctrl_write)
{
	u32 *word = &c->sys->reg[BANK_NS][SCS_FP_CTRL];
	(void)a;
	if (value & 2) /* KEY */
		*word = (*word & ~1u) | (value & 1);
	access_flush(c);
}

SCS_READ(fpb_comp_read) { return c->sys->fpb_comp[a->index]; }

SCS_WRITE(fpb_comp_write)
{
	c->sys->fpb_comp[a->index] = value;
	access_flush(c);
}
