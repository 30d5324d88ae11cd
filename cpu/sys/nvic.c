/* SPDX-License-Identifier: Apache-2.0 */
/* Exception priorities and the choice of the next one: Armv8-M ARM B3.9-B3.13, pseudocode
 * ExceptionPriority, RawExecutionPriority, ExecutionPriority, PendingExceptionDetails. */
#include <string.h>

#include "cpu/observed.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/scs.h"

#define PRIORITY_LOWEST 256

bool exc_banked(unsigned num)
{
	return num == EXC_HARD || num == EXC_MEM || num == EXC_USAGE || num == EXC_SVC ||
	       num == EXC_PENDSV || num == EXC_SYSTICK;
}

struct sys_exception *exc_slot(struct cpu_sys *s, unsigned num, bool secure)
{
	return &s->exc[exc_banked(num) && secure][num];
}

static const struct sys_exception *slot(const struct cpu_sys *s, unsigned num, bool secure)
{
	return &s->exc[exc_banked(num) && secure][num];
}

static bool bit(const u32 *words, unsigned irq) { return words[irq / 32] >> (irq % 32) & 1; }

static void put_bit(u32 *words, unsigned irq, bool value)
{
	u32 mask = 1u << (irq % 32);
	words[irq / 32] = value ? words[irq / 32] | mask : words[irq / 32] & ~mask;
}

bool exc_targets_secure(const struct cpu_sys *s, unsigned num, bool secure)
{
	if (exc_banked(num))
		return secure;
	if (num >= EXC_IRQ0)
		return !bit(s->irq_ns, num - EXC_IRQ0);
	if (num == EXC_NMI || num == EXC_BUS)
		return !(scs_aircr(s) & AIRCR_BFHFNMINS);
	if (num == EXC_DEBUG)
		return s->reg[BANK_NS][SCS_DEMCR] & DEMCR_SDME;
	return true;
}

/* The group part of a raw priority, seen from the Non-secure half when AIRCR.PRIS is set. */
static int effective(const struct cpu_sys *s, u8 raw, bool secure)
{
	int prio = raw & ~((2 << scs_prigroup(s, secure)) - 1);
	if (!secure && scs_aircr(s) & AIRCR_PRIS)
		prio = (prio >> 1) + 0x80;
	return prio;
}

int exc_priority(const struct cpu_sys *s, unsigned num, bool secure)
{
	if (num == EXC_RESET)
		return -4;
	if (num == EXC_NMI)
		return -2;
	if (num == EXC_HARD)
		return secure && scs_aircr(s) & AIRCR_BFHFNMINS ? -3 : -1;
	u8 raw = num >= EXC_IRQ0 ? s->irq_prio[num - EXC_IRQ0] : slot(s, num, secure)->prio;
	return effective(s, raw, exc_targets_secure(s, num, secure));
}

bool exc_enabled(const struct cpu_sys *s, unsigned num, bool secure)
{
	if (num >= EXC_IRQ0)
		return bit(s->irq_enabled, num - EXC_IRQ0);
	switch (num) {
	case EXC_MEM: case EXC_BUS: case EXC_USAGE: case EXC_SECURE:
		return slot(s, num, secure)->enabled;
	case EXC_DEBUG:
		return s->reg[BANK_NS][SCS_DEMCR] & DEMCR_MON_EN;
	default:
		return true;
	}
}

bool exc_active(const struct cpu_sys *s, unsigned num, bool secure)
{
	if (num >= EXC_IRQ0)
		return bit(s->irq_active, num - EXC_IRQ0);
	return slot(s, num, secure)->active;
}

void exc_set_active(struct cpu_sys *s, unsigned num, bool secure, bool active)
{
	if (num >= EXC_IRQ0) {
		put_bit(s->irq_active, num - EXC_IRQ0, active);
		/* B3.13: a level that is still asserted at exit pends again. */
		if (!active && bit(s->irq_level, num - EXC_IRQ0)) {
			put_bit(s->irq_pending, num - EXC_IRQ0, true);
			nvic_changed(s);
		}
	} else {
		exc_slot(s, num, secure)->active = active;
	}
	nvic_masks_changed(s);
}

void exc_set_pending(struct cpu *c, unsigned num, bool secure, bool pending)
{
	struct cpu_sys *s = c->sys;
	bool old;
	if (num >= EXC_IRQ0) {
		old = bit(s->irq_pending, num - EXC_IRQ0);
		put_bit(s->irq_pending, num - EXC_IRQ0, pending);
	} else {
		struct sys_exception *e = exc_slot(s, num, secure);
		old = e->pending;
		e->pending = pending;
	}
	nvic_changed(s);
	if (pending && !old && scs_sevonpend(s, exc_targets_secure(s, num, secure)))
		c->core.event = true;
}

/* Looking for what is pending or active passes over two system exceptions at a time: seldom are there more than one or
 * two, and each exception taken looks several times. */
_Static_assert(sizeof(struct sys_exception[2]) == sizeof(u64), "two exceptions are one word");

static u64 exception_flags(struct sys_exception one)
{
	const struct sys_exception two[2] = { one, one };
	u64 flags;
	memcpy(&flags, two, sizeof(flags));
	return flags;
}
#define PAIR_WITH(flag) exception_flags((struct sys_exception){ .flag = true })

static u64 exception_pair(const struct cpu_sys *s, unsigned bank, unsigned num)
{
	u64 pair;
	memcpy(&pair, &s->exc[bank][num], sizeof(pair));
	return pair;
}

/* Is a bit set in both? Two words at a time; the last two once more where their number is odd. */
static bool irq_any(const u32 *x, const u32 *y)
{
	u64 any = 0;

	for (unsigned w = 0; w < SYS_IRQ_WORDS; w += 2) {
		const unsigned at = w + 2 <= SYS_IRQ_WORDS ? w : SYS_IRQ_WORDS - 2;
		u64 a, b;
		memcpy(&a, x + at, sizeof(a));
		memcpy(&b, y + at, sizeof(b));
		any |= a & b;
	}
	return any != 0;
}

static int min_int(int a, int b) { return a < b ? a : b; }

int nvic_raw_priority(const struct cpu_sys *s)
{
	int best = PRIORITY_LOWEST;
	for (unsigned num = EXC_NMI; num < EXC_IRQ0; num += 2) {
		if (!((exception_pair(s, 0, num) | exception_pair(s, 1, num)) & PAIR_WITH(active)))
			continue;
		for (unsigned i = 0; i < 4; i++)
			if (s->exc[i & 1][num + i / 2].active)
				best = min_int(best, exc_priority(s, num + i / 2, i & 1));
	}
	if (!irq_any(s->irq_active, s->irq_active))
		return best;
	for (unsigned w = 0; w < SYS_IRQ_WORDS; w++)
		for (u32 left = s->irq_active[w]; left; left &= left - 1)
			best = min_int(best, exc_priority(s, EXC_IRQ0 + 32 * w +
							  (unsigned)__builtin_ctz(left), false));
	return best;
}

static int mask_priority(const struct cpu_sys *s, bool secure, bool with_primask)
{
	int boosted = PRIORITY_LOWEST;
	u32 aircr = scs_aircr(s);
	int top = !secure && aircr & AIRCR_PRIS ? 0x80 : 0; /* what masking everything means */
	if (s->basepri[secure])
		boosted = effective(s, s->basepri[secure], secure);
	if (s->primask[secure] && with_primask)
		boosted = min_int(boosted, top);
	if (s->faultmask[secure]) {
		int fault = aircr & AIRCR_BFHFNMINS ? (secure ? -3 : -1) : (secure ? -1 : top);
		boosted = min_int(boosted, fault);
	}
	return boosted;
}

static int exec_priority(const struct cpu_sys *s, bool with_primask)
{
	return min_int(nvic_raw_priority(s), min_int(mask_priority(s, false, with_primask),
						     mask_priority(s, true, with_primask)));
}

int nvic_exec_priority(const struct cpu_sys *s) { return exec_priority(s, true); }

/* SysTick of a state that does not use it raises nothing. */
static bool timer_raises(const struct cpu_sys *s, unsigned num, bool secure)
{
	return num == EXC_SYSTICK ? s->systick[secure].enabled && s->systick[secure].interrupt :
				    exc_enabled(s, num, secure);
}

bool cpu_timers_blocked(const struct cpu *c)
{
	static const u8 timers[] = { EXC_SYSTICK, EXC_DEBUG }; /* DebugMonitor: PMU overflow, DWT cycle match */
	const struct cpu_sys *s = c->sys;
	const int now = nvic_exec_priority(s);

	for (unsigned i = 0; i < ARRAY_LEN(timers); i++)
		for (unsigned bank = 0; bank < 2; bank++)
			if (timer_raises(s, timers[i], bank) &&
			    exc_priority(s, timers[i], exc_targets_secure(s, timers[i], bank)) < now)
				return false;
	return true;
}

bool nvic_negative(const struct cpu_sys *s, bool secure)
{
	if (s->faultmask[secure] && (secure || scs_aircr(s) & AIRCR_BFHFNMINS))
		return true;
	if (s->exc[secure][EXC_HARD].active)
		return true;
	return slot(s, EXC_NMI, false)->active && exc_targets_secure(s, EXC_NMI, false) == secure;
}

static unsigned subpriority(const struct cpu_sys *s, unsigned num, bool secure)
{
	u8 raw = num >= EXC_IRQ0 ? s->irq_prio[num - EXC_IRQ0] : slot(s, num, secure)->prio;
	return raw & ((2u << scs_prigroup(s, secure)) - 1);
}

/* Takes the candidate when more urgent: group priority, then subpriority, then number, then
 * Secure (R_CQRV; candidates come in that order). */
static void consider(const struct cpu_sys *s, struct nvic_choice *best, unsigned *best_sub,
		     unsigned num, bool secure)
{
	bool target = exc_targets_secure(s, num, secure);
	int prio = exc_priority(s, num, target);
	unsigned sub = prio < 0 ? 0 : subpriority(s, num, target);
	if (best->num && (prio > best->prio || (prio == best->prio && sub >= *best_sub)))
		return;
	*best = (struct nvic_choice){ num, target, prio };
	*best_sub = sub;
}

static struct nvic_choice choose_pending(const struct cpu_sys *s)
{
	struct nvic_choice best = { 0, false, PRIORITY_LOWEST };
	unsigned sub = 0;
	for (unsigned num = EXC_NMI; num < EXC_IRQ0; num += 2) {
		if (!((exception_pair(s, 0, num) | exception_pair(s, 1, num)) & PAIR_WITH(pending)))
			continue;
		for (unsigned i = 0; i < 4; i++) { /* of two, Secure first: it wins ties */
			const unsigned n = num + i / 2, bank = ~i & 1;
			if (s->exc[bank][n].pending && exc_enabled(s, n, bank))
				consider(s, &best, &sub, n, bank);
		}
	}
	if (!irq_any(s->irq_pending, s->irq_enabled))
		return best;
	for (unsigned w = 0; w < SYS_IRQ_WORDS; w++)
		for (u32 left = s->irq_pending[w] & s->irq_enabled[w]; left; left &= left - 1)
			consider(s, &best, &sub, EXC_IRQ0 + 32 * w + (unsigned)__builtin_ctz(left), false);
	return best;
}

/* Kernels change masks, and enter and leave handlers, much more often than anything becomes pending. */
struct nvic_choice nvic_best_pending(struct cpu_sys *s)
{
	if (s->candidate_dirty) {
		const struct nvic_choice best = choose_pending(s);

		s->candidate = (u16)best.num;
		s->candidate_secure = best.secure;
		s->candidate_priority = (i16)best.prio;
		s->candidate_dirty = false;
	}
	return (struct nvic_choice){ s->candidate, s->candidate_secure, s->candidate_priority };
}

struct nvic_choice nvic_ready(struct cpu_sys *s)
{
	if (s->dirty) {
		const struct nvic_choice best = nvic_best_pending(s);
		const bool preempts = best.num && best.prio < nvic_exec_priority(s);

		s->ready = preempts ? (u16)best.num : 0;
		s->ready_secure = best.secure;
		s->dirty = false;
	}
	return (struct nvic_choice){ s->ready, s->ready_secure,
				     s->ready ? exc_priority(s, s->ready, s->ready_secure) : 256 };
}

unsigned nvic_active_count(const struct cpu_sys *s)
{
	unsigned count = 0;
	for (unsigned num = EXC_NMI; num < EXC_IRQ0; num++)
		count += s->exc[0][num].active + s->exc[1][num].active;
	for (unsigned w = 0; w < SYS_IRQ_WORDS; w++)
		count += (unsigned)__builtin_popcount(s->irq_active[w]);
	return count;
}

bool exception_pending(const struct cpu *c) { return nvic_ready(c->sys).num != 0; }

bool exception_wake(struct cpu *c)
{
	struct cpu_sys *s = c->sys;
	struct nvic_choice best = nvic_best_pending(s);
	/* WFI wakes as if PRIMASK were clear; WFE also by the event register (B3.18, B3.19). */
	bool wake = best.num && best.prio < exec_priority(s, s->sleep_event);
	if (s->sleep_event && c->core.event) {
		c->core.event = false;
		wake = true;
	}
	if (wake)
		c->core.activity = CPU_RUNNING;
	return wake;
}

bool exception_ends_lockup(struct cpu *c)
{
	const struct sys_exception *nmi = slot(c->sys, EXC_NMI, false);

	if (!nmi->pending || nmi->active)
		return false;
	c->core.activity = CPU_RUNNING;
	c->sys->fault.lockup = false;
	return true;
}

void cpu_irq_set(void *cpu, unsigned number, bool level)
{
	struct cpu *c = cpu;
	if (number >= c->config.irqs)
		return;
	if (UNLIKELY(c->observed && c->observed->irqs) && bit(c->sys->irq_level, number) != level)
		observed_irq(c, number, level);
	put_bit(c->sys->irq_level, number, level);
	/* The pending state is a latch: a falling level does not take it back (B3.13). */
	if (level && !bit(c->sys->irq_pending, number))
		exc_set_pending(c, EXC_IRQ0 + number, false, true);
}

void cpu_nmi_set(void *cpu, unsigned unused, bool level)
{
	struct cpu *c = cpu;
	(void)unused;
	if (level && !c->sys->nmi_level)
		exc_set_pending(c, EXC_NMI, false, true);
	c->sys->nmi_level = level;
}

