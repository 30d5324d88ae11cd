/* SPDX-License-Identifier: Apache-2.0 */
/* SysTick of both Security states: Armv8-M ARM B11. Never polled: the value is computed from
 * the time since it was last known; an event exists only when an interrupt is to come.
 * There is no reference clock (SYST_CALIB.NOREF), so CLKSOURCE is always the processor clock;
 * the timer counts on while the core sleeps. */
#include "cpu/sys/hooks.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/time.h"

#define RELOAD_MASK 0x00FFFFFFu
enum csr_bits { CSR_ENABLE = 1, CSR_TICKINT = 2, CSR_CLKSOURCE = 4, CSR_COUNTFLAG = 1 << 16 };

/* Value n cycles after it was `value`, and how often it went from 1 to 0 on the way. The first
 * count after 0 reloads; from there the sequence repeats every load + 1 cycles. */
static u32 advance(const struct sys_timer *t, u64 n, u64 *wraps)
{
	*wraps = 0;
	if (n <= t->value) {
		*wraps = n && n == t->value;
		return t->value - (u32)n;
	}
	u64 after = n - t->value - 1, length = (u64)t->load + 1;
	*wraps = t->value ? 1 : 0;
	if (!t->load)
		return 0;
	*wraps += (after + 1) / length;
	return t->load - (u32)(after % length);
}

/* Rebases the timer to now and collects COUNTFLAG. */
static void timer_sync(struct cpu *c, struct sys_timer *t)
{
	u64 period = sys_period(c), wraps;
	if (t->enabled && period) {
		u64 cycles = (c->sched->now - t->since) / period;
		t->value = advance(t, cycles, &wraps);
		t->since += cycles * period;
		t->countflag |= wraps != 0;
	} else {
		t->since = c->sched->now;
	}
}

/* Cycles until the next change from 1 to 0; 0 when there is none. */
static u64 until_wrap(const struct sys_timer *t)
{
	if (t->value)
		return t->value;
	return t->load ? (u64)t->load + 1 : 0;
}

static void timer_schedule(struct cpu *c, bool secure)
{
	const struct sys_timer *t = &c->sys->systick[secure];
	u16 kind = secure ? SYS_EVENT_SYSTICK_S : SYS_EVENT_SYSTICK_NS;
	sched_cancel(c->sched, c->sys->sched_device, kind);
	if (t->enabled && t->interrupt && until_wrap(t))
		sched_add(c->sched, c->sys->sched_device, kind, t->since + until_wrap(t) * sys_period(c), 0);
}

void systick_event(struct cpu *c, bool secure)
{
	timer_sync(c, &c->sys->systick[secure]);
	exc_set_pending(c, EXC_SYSTICK, secure, true);
	timer_schedule(c, secure);
}

void systick_reset(struct cpu *c)
{
	for (unsigned secure = 0; secure < 2; secure++) {
		c->sys->systick[secure] = (struct sys_timer){ .since = c->sched->now };
		timer_schedule(c, secure);
	}
}

SCS_READ(systick_read)
{
	struct sys_timer *t = &c->sys->systick[a->secure];
	timer_sync(c, t);
	if (a->row == SCS_SYST_RVR)
		return t->load;
	if (a->row == SCS_SYST_CVR)
		return t->value;
	u32 value = CSR_CLKSOURCE | (t->enabled ? CSR_ENABLE : 0) | (t->interrupt ? CSR_TICKINT : 0) |
		    (t->countflag ? CSR_COUNTFLAG : 0);
	t->countflag = false;
	return value;
}

SCS_WRITE(systick_write)
{
	struct sys_timer *t = &c->sys->systick[a->secure];
	timer_sync(c, t);
	switch (a->row) {
	case SCS_SYST_CSR:
		t->enabled = value & CSR_ENABLE;
		t->interrupt = value & CSR_TICKINT;
		break;
	case SCS_SYST_RVR:
		t->load = value & RELOAD_MASK;
		break;
	default: /* any write clears the counter and COUNTFLAG, without an interrupt */
		t->value = 0;
		t->countflag = false;
		break;
	}
	timer_schedule(c, a->secure);
}
