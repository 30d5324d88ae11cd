/* SPDX-License-Identifier: Apache-2.0 */
/* Which debug events DebugMonitor takes, which become a HardFault, wait or are ignored, and debug
 * authentication. Values by hand from pseudocode CanPendMonitorOnEvent, BKPTInstrDebugEvent,
 * GenerateDebugEventResponse, DWT_ValidMatch, SetDWTDebugEvent and UpdateSecureDebugEnable. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

#include "cpu/sys/debug.h"

#define HFSR 0xE000ED2Cu
#define DFSR 0xE000ED30u
#define DEMCR 0xE000EDFCu
#define DSCEMCR 0xE000EE00u
#define DAUTHCTRL 0xE000EE04u
#define DAUTHSTATUS 0xE000EFB8u
#define DWT_CTRL 0xE0001000u
#define CYCCNT 0xE0001004u
#define COMP0 0xE0001020u
#define FUNCTION0 0xE0001028u
#define FP_CTRL 0xE0002000u
#define FP_COMP0 0xE0002008u
#define PMU_CCNTR 0xE000307Cu
#define PMU_CTRL 0xE0003E04u
#define WATCHED 0x30000100u
enum { MON_EN = 1 << 16, MON_PEND = 1 << 17, SDME = 1 << 20, TRCENA = 1 << 24 };
enum { SPIDENSEL = 1, INTSPIDEN = 2, SPNIDENSEL = 4, INTSPNIDEN = 8, FSDMA = 1 << 8 };

static struct rig *r;
static struct cpu *c;
static void setup(void) { r = rig_new(); c = r->c; }
static void teardown(void) { rig_free(r); }
TestSuite(debug, .init = setup, .fini = teardown);

static bool pending(unsigned num) { return exc_slot(c->sys, num, c->core.secure)->pending; }

static void breakpoint_instruction(void) { fault_raise(c, FAULT_BKPT, 0); }

/* Stores to a watched word. */
static void watchpoint(void)
{
	rig_write(r, COMP0, WATCHED);
	rig_write(r, FUNCTION0, 5 | 1 << 4 | 2 << 10);
	rig_write(r, WATCHED, 1);
}

Test(debug, bkpt_is_a_hardfault_without_debugmonitor)
{
	breakpoint_instruction();
	cr_expect(pending(3));
	cr_expect_not(pending(12));
	cr_expect_eq(rig_read(r, HFSR), 0x80000000);
}

Test(debug, bkpt_at_the_priority_of_debugmonitor_is_a_hardfault)
{
	rig_write(r, DEMCR, MON_EN);
	c->sys->primask[BANK_S] = true;
	breakpoint_instruction();
	cr_expect(pending(3));
	cr_expect_eq(rig_read(r, HFSR), 0x80000000);
}

Test(debug, bkpt_goes_to_debugmonitor)
{
	rig_write(r, DEMCR, MON_EN);
	breakpoint_instruction();
	cr_expect_not(pending(3));
	cr_expect(rig_read(r, DEMCR) & MON_PEND);
	cr_expect_eq(rig_read(r, DFSR), 2);
	cr_expect_eq(rig_read(r, HFSR), 0);
}

/* Armv8.1-M: DSCEMCR changes MON_PEND and MON_REQ alone, DEMCR leaves them alone where MONPRKEY is 1. */
Test(debug, pending_state_is_set_and_cleared_by_itself)
{
	enum { MON_REQ = 1 << 19, MONPRKEY = 1 << 23 };
	rig_write(r, DEMCR, MON_EN | TRCENA);
	rig_write(r, DSCEMCR, 1 << 1 | 1 << 3);
	cr_expect(pending(12));
	cr_expect_eq(rig_read(r, DEMCR) & ~(u32)SDME, MON_EN | MON_PEND | MON_REQ | TRCENA);
	rig_write(r, DEMCR, MON_EN | MONPRKEY);
	cr_expect_eq(rig_read(r, DEMCR) & ~(u32)SDME, MON_EN | MON_PEND | MON_REQ);
	rig_write(r, DSCEMCR, 1 << 17);
	cr_expect_eq(rig_read(r, DEMCR) & ~(u32)SDME, MON_EN | MON_REQ);
	rig_write(r, DSCEMCR, 1 << 19);
	cr_expect_eq(rig_read(r, DEMCR) & ~(u32)SDME, MON_EN);
	rig_write(r, 0xE002EE00, 1 << 1);
	cr_expect_not(pending(12), "Non-secure software has no Secure DebugMonitor");
	cr_expect_eq(rig_read(r, DSCEMCR), 0);
}

Test(debug, nonsecure_bkpt_is_a_nonsecure_hardfault_where_there_is_one)
{
	rig_write(r, 0xE000ED0C, 0x05FA0000 | AIRCR_BFHFNMINS);
	state_set_secure(c, false);
	breakpoint_instruction();
	cr_expect(exc_slot(c->sys, EXC_HARD, false)->pending);
	cr_expect_not(exc_slot(c->sys, EXC_HARD, true)->pending);
}

Test(debug, watchpoints_and_breakpoints_that_cannot_be_taken_are_ignored)
{
	rig_write(r, DEMCR, TRCENA);
	watchpoint();
	cr_expect_not(rig_read(r, FUNCTION0) >> 24 & 1, "no match while DebugMonitor is disabled");
	rig_write(r, DEMCR, TRCENA | MON_EN);
	c->sys->primask[BANK_S] = true;
	rig_write(r, WATCHED, 2);
	rig_write(r, FP_COMP0, RIG_PC | 1);
	rig_write(r, FP_CTRL, 3);
	cr_expect_not(debug_instruction(c, RIG_PC));
	cr_expect_not(pending(3));
	cr_expect_not(rig_read(r, DEMCR) & MON_PEND);
	cr_expect_eq(rig_read(r, DFSR), 0);
	c->sys->primask[BANK_S] = false;
	nvic_changed(c->sys);
	cr_expect(debug_instruction(c, RIG_PC));
	cr_expect_eq(rig_read(r, DFSR), 2);
}

Test(debug, overflows_of_the_pmu_wait_for_the_priority)
{
	rig_write(r, DEMCR, TRCENA | MON_EN);
	rig_write(r, PMU_CCNTR, 0xFFFFFFF0);
	rig_write(r, PMU_CTRL, 1);
	rig_write(r, 0xE0003C40, 0x80000000);
	rig_write(r, 0xE0003C00, 0x80000000);
	c->sys->primask[BANK_S] = true;
	nvic_changed(c->sys);
	rig_pass(r, 16);
	cr_expect_not(exception_pending(c));
	c->sys->primask[BANK_S] = false;
	nvic_changed(c->sys);
	cr_assert(exception_poll(c));
	cr_expect_eq(c->core.ipsr, 12);
	cr_expect_eq(rig_read(r, DFSR), 1 << 5);
}

Test(debug, secure_events_need_secure_debug)
{
	rig_write(r, DAUTHCTRL, SPIDENSEL);
	rig_write(r, DEMCR, TRCENA | MON_EN);
	cr_expect_not(rig_read(r, DEMCR) & SDME);
	watchpoint();
	cr_expect_not(rig_read(r, FUNCTION0) >> 24 & 1);
	cr_expect_not(rig_read(r, DEMCR) & MON_PEND);
	breakpoint_instruction();
	cr_expect(pending(3));
	cr_expect_eq(rig_read(r, HFSR), 0x80000000);
}

Test(debug, nonsecure_code_has_debugmonitor_without_secure_debug)
{
	rig_write(r, DAUTHCTRL, SPIDENSEL);
	state_set_secure(c, false);
	rig_write(r, DEMCR, MON_EN);
	breakpoint_instruction();
	cr_expect(rig_read(r, DEMCR) & MON_PEND);
	struct nvic_choice next = nvic_ready(c->sys);
	cr_expect_eq(next.num, 12);
	cr_expect_not(next.secure);
}

Test(debug, the_target_stays_while_debugmonitor_is_pending)
{
	rig_write(r, DEMCR, MON_EN | MON_PEND);
	rig_write(r, DAUTHCTRL, SPIDENSEL);
	cr_expect(rig_read(r, DEMCR) & SDME);
	cr_assert(exception_poll(c));
	cr_expect(rig_read(r, DEMCR) & SDME);
	cr_assert(rig_bx(r, c->core.r[14]));
	cr_expect_not(rig_read(r, DEMCR) & SDME);
	rig_write(r, DAUTHCTRL, SPIDENSEL | FSDMA);
	cr_expect(rig_read(r, DEMCR) & SDME);
}

/* With the board's signals low, by their bits: nothing that DAUTHCTRL says brings halting debug or counters back. */
Test(debug, status_with_signals_low)
{
	static const struct { u32 low, control, status; } cases[] = {
		{ 0xF, 0, 0x00AA00AA }, { 0xF, SPIDENSEL | INTSPIDEN, 0x00AA00AA }, { 0x3, 0, 0x00AA00AA },
		{ 0xC, 0, 0x00AA00AF }, { 0xC, SPIDENSEL | INTSPIDEN, 0x00AA00FF }, { 0xC, SPNIDENSEL | INTSPNIDEN, 0x00AA00EF },
		{ 0x1, 0, 0x00AA00EE }, { 0x2, 0, 0x00AA00FF }, { 0x4, 0, 0x00AA00EF }, { 0x8, 0, 0x00AA00FF }, { 0x0, 0, 0x00AA00FF },
	};
	for (unsigned i = 0; i < ARRAY_LEN(cases); i++) {
		for (unsigned n = 0; n < 4; n++)
			cpu_debug_low(c, n, cases[i].low >> n & 1);
		rig_write(r, DAUTHCTRL, cases[i].control);
		cr_expect_eq(rig_read(r, DAUTHSTATUS), cases[i].status, "case %u", i);
	}
	cpu_debug_low(c, CPU_SPIDEN, true);
	cr_expect_not(rig_read(r, DEMCR) & SDME);
	cpu_reset(c);
	cr_expect_eq(rig_read(r, DAUTHSTATUS), 0x00AA00EF, "kept over a reset");
	cr_expect_not(rig_read(r, DEMCR) & SDME);
}

Test(debug, status_of_the_authentication)
{
	static const struct { u32 control, status; } cases[] = {
		{ 0, 0x00AA00FF }, { SPIDENSEL, 0x00AA00EF }, { SPIDENSEL | INTSPIDEN, 0x00AA00FF },
		{ SPNIDENSEL, 0x00AA00FF }, { SPIDENSEL | SPNIDENSEL, 0x00AA00AF },
		{ SPIDENSEL | SPNIDENSEL | INTSPNIDEN, 0x00AA00EF },
	};
	for (unsigned i = 0; i < ARRAY_LEN(cases); i++) {
		rig_write(r, DAUTHCTRL, cases[i].control);
		cr_expect_eq(rig_read(r, DAUTHSTATUS), cases[i].status, "case %u", i);
	}
}

/* Cycles of 100 in Secure and 10 in Non-secure state that a counter sees. */
static u32 counted(u32 counter)
{
	u32 before = rig_read(r, counter);
	rig_pass(r, 100);
	state_set_secure(c, false);
	rig_pass(r, 10);
	state_set_secure(c, true);
	return rig_read(r, counter) - before;
}

Test(debug, cyccnt_without_secure_cycles)
{
	rig_write(r, DEMCR, TRCENA);
	rig_write(r, DWT_CTRL, 1);
	cr_expect_eq(counted(CYCCNT), 110);
	rig_write(r, DWT_CTRL, 1 | 1 << 23);
	cr_expect_eq(counted(CYCCNT), 10);
	rig_write(r, DAUTHCTRL, SPIDENSEL | SPNIDENSEL);
	rig_write(r, DWT_CTRL, 1);
	cr_expect_eq(counted(CYCCNT), 110, "the cycle counter is not part of what is observed");
}

Test(debug, events_of_a_state_that_may_not_be_observed)
{
	rig_write(r, DEMCR, TRCENA);
	rig_write(r, 0xE0003400, 0x11); /* counter 0: CPU_CYCLES */
	rig_write(r, 0xE0003C00, 0x80000001);
	rig_write(r, PMU_CTRL, 1);
	cr_expect_eq(counted(0xE0003000), 110);
	rig_write(r, DAUTHCTRL, SPIDENSEL | SPNIDENSEL);
	cr_expect_eq(counted(0xE0003000), 10);
	cr_expect_eq(counted(PMU_CCNTR), 110);
	rig_write(r, PMU_CTRL, 1 | 1 << 5); /* DP */
	cr_expect_eq(counted(PMU_CCNTR), 10);
	rig_write(r, DAUTHCTRL, SPIDENSEL | SPNIDENSEL | INTSPNIDEN);
	cr_expect_eq(counted(PMU_CCNTR), 110);
}
