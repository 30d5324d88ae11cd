/* SPDX-License-Identifier: Apache-2.0 */
/* SysTick and counters at exact cycles. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

static struct rig *r;
static struct cpu *c;
static void setup(void) { r = rig_new(); c = r->c; }
static void teardown(void) { rig_free(r); }
TestSuite(timers, .init = setup, .fini = teardown);

#define CSR 0xE000E010u
#define RVR 0xE000E014u
#define CVR 0xE000E018u

Test(timers, systick_counts_reloads_and_pends)
{
	rig_write(r, RVR, 99);
	rig_write(r, CVR, 0);
	rig_write(r, CSR, 7);
	rig_pass(r, 1);
	cr_assert_eq(rig_read(r, CVR), 99);
	rig_pass(r, 98);
	cr_assert_eq(rig_read(r, CVR), 1);
	cr_assert_not(exception_pending(c));
	rig_pass(r, 1);
	cr_assert_eq(rig_read(r, CVR), 0);
	cr_assert(exception_poll(c));
	cr_assert_eq(c->core.ipsr, 15);
	cr_assert_eq(rig_read(r, CSR), 0x10007);
	cr_assert_eq(rig_read(r, CSR), 7);
	rig_pass(r, 100);
	cr_assert_eq(rig_read(r, CVR), 0);
	cr_assert_eq(rig_read(r, CSR), 0x10007);
	cr_assert_neq(r->sched.next, SCHED_NEVER);
}

Test(timers, systick_without_interrupt_has_no_event)
{
	rig_write(r, RVR, 9);
	rig_write(r, CSR, 5);
	cr_assert_eq(r->sched.next, SCHED_NEVER);
	rig_pass(r, 1000001);
	cr_assert_eq(rig_read(r, CVR), 9 - 1000000 % 10);
	cr_assert_eq(r->sched.next, SCHED_NEVER);
}

Test(timers, cyccnt_needs_trcena)
{
	rig_write(r, 0xE0001000, 1);
	rig_pass(r, 10);
	cr_assert_eq(rig_read(r, 0xE0001004), 0);
	rig_write(r, 0xE000EDFC, 1 << 24);
	rig_write(r, 0xE0001000, 1);
	rig_pass(r, 10);
	cr_assert_eq(rig_read(r, 0xE0001004), 10);
}

Test(timers, pmu_counts_and_chains)
{
	rig_write(r, 0xE000EDFC, 1 << 24);
	rig_write(r, 0xE0003400, 0x11);
	rig_write(r, 0xE0003404, 0x1E);
	rig_write(r, 0xE0003E04, 1);
	rig_write(r, 0xE0003C00, 0x80000003);
	rig_pass(r, 0x12345);
	cr_assert_eq(rig_read(r, 0xE000307C), 0x12345);
	cr_assert_eq(rig_read(r, 0xE0003000), 0x2345);
	cr_assert_eq(rig_read(r, 0xE0003004), 1);
	cr_assert_eq(rig_read(r, 0xE0003C80), 1);
}

Test(timers, pmu_overflow_interrupts_through_debugmonitor)
{
	rig_write(r, 0xE000EDFC, 1 << 16 | 1 << 24);
	rig_write(r, 0xE000307C, 0xFFFFFFF0);
	rig_write(r, 0xE0003E04, 1);
	rig_write(r, 0xE0003C40, 0x80000000);
	rig_write(r, 0xE0003C00, 0x80000000);
	rig_pass(r, 15);
	cr_assert_not(exception_pending(c));
	rig_pass(r, 1);
	cr_assert(exception_poll(c));
	cr_assert_eq(c->core.ipsr, 12, "%u", c->core.ipsr);
	cr_assert_eq(rig_read(r, 0xE000ED30), 1 << 5);
}

#define EVCNTR(n) (0xE0003000u + 4 * (n))
#define EVTYPER(n) (0xE0003400u + 4 * (n))

/* Counters 0.. of the events given, enabled. */
static void select_events(const u32 *events, unsigned n)
{
	rig_write(r, 0xE000EDFC, 1 << 24);
	for (unsigned i = 0; i < n; i++)
		rig_write(r, EVTYPER(i), events[i]);
	rig_write(r, 0xE0003E04, 1);
	rig_write(r, 0xE0003C00, (1u << n) - 1);
}

Test(timers, engines_count_only_what_is_selected)
{
	static const u32 events[] = { 0x06, 0x200, 0x11 };
	select_events(events, 3);
	cr_assert_eq(c->sys->count_wanted, COUNT_BIT(LOADS) | COUNT_BIT(MVE));
	rig_write(r, 0xE0003C20, 1);
	cr_assert_eq(c->sys->count_wanted, COUNT_BIT(MVE));
	rig_write(r, 0xE0003E04, 0);
	cr_assert_eq(c->sys->count_wanted, 0);
	rig_write(r, 0xE0003E04, 1);
	rig_write(r, 0xE000EDFC, 0);
	cr_assert_eq(c->sys->count_wanted, 0);
}

Test(timers, unaligned_accesses_are_counted)
{
	static const u32 events[] = { 0x0F };
	u32 value;
	select_events(events, 1);
	for (unsigned i = 0; i < 8; i++) /* the page opens on the way */
		cr_assert(cpu_load(c, 0x30000000 + i, 4, ACC_NORMAL, &value));
	cr_assert(cpu_store(c, 0x30000001, 2, ACC_NORMAL, 0));
	cr_assert_eq(rig_read(r, EVCNTR(0)), 7);
}

Test(timers, unknown_events_are_reported_once_and_zero)
{
	rig_write(r, EVTYPER(0), 0x36);
	rig_write(r, EVTYPER(0), 0x36);
	cr_assert_eq(r->reports, 1);
	cr_assert_str_eq(r->last_report, "CPU011");
	rig_write(r, EVTYPER(0), 0xC000); /* no error of memory ever: exact */
	cr_assert_eq(r->reports, 1);
}

Test(timers, sleep_and_exception_cycles_have_counters)
{
	rig_write(r, 0xE000EDFC, 1 << 24);
	rig_write(r, 0xE0001000, 1 << 19);
	cpu_sleep_until(c, (c->core.cycles + 300) * sched_period(25000000));
	cr_assert_eq(rig_read(r, 0xE0001010), 300 & 0xFF);
	rig_write(r, 0xE0001010, 5);
	cr_assert_eq(rig_read(r, 0xE0001010), 5);
}

Test(timers, only_a_systick_in_use_can_preempt)
{
	rig_write(r, 0xE000ED0C, 0x05FA4000); /* PRIS: Non-secure handlers are at 0x80 and beyond */
	exc_set_active(c->sys, EXC_MEM, false, true);
	cr_assert(cpu_timers_blocked(c));
	rig_write(r, RVR, 99);
	rig_write(r, CSR, 5);                 /* no interrupt */
	cr_assert(cpu_timers_blocked(c));
	rig_write(r, CSR, 7);
	cr_assert_not(cpu_timers_blocked(c));
	rig_write(r, 0xE000ED20, 0xFF000000); /* SysTick less urgent */
	cr_assert(cpu_timers_blocked(c));
}
