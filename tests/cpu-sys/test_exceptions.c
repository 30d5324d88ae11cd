/* SPDX-License-Identifier: Apache-2.0 */
/* Exception entry and return, priorities, escalation: values by hand from the Armv8-M ARM. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

static struct rig *r;
static struct cpu *c;
static void setup(void) { r = rig_new(); c = r->c; }
static void teardown(void) { rig_free(r); }
TestSuite(exceptions, .init = setup, .fini = teardown);

#define ISER 0xE000E100u
#define IPR 0xE000E400u
#define CFSR 0xE000ED28u
#define HFSR 0xE000ED2Cu

static void enable_irq(unsigned irq, u32 prio)
{
	rig_write(r, ISER + 4 * (irq / 32), 1u << (irq % 32));
	cr_assert(cpu_store(c, IPR + irq, 1, ACC_NORMAL, prio));
}

Test(exceptions, reset_state)
{
	cr_assert_eq(c->core.r[13], RIG_STACK);
	cr_assert_eq(c->core.r[15], RIG_PC);
	cr_assert(c->core.secure);
	cr_assert_eq(cpu_get_reg(c, CPU_REG_XPSR), 0x01000000);
	cr_assert_not(exception_pending(c));
}

Test(exceptions, entry_pushes_the_basic_frame_and_return_pops_it)
{
	for (unsigned i = 0; i < 13; i++)
		c->core.r[i] = 0x100 + i;
	c->core.r[14] = 0xABCD1235;
	c->core.apsr = 0x60000000;
	c->core.r[13] -= 4; /* not 8-aligned: SPREALIGN */
	enable_irq(5, 0x40);
	cpu_irq_set(c, 5, true);
	cr_assert(exception_poll(c));
	cr_assert_eq(c->core.r[15], rig_handler(21));
	cr_assert_eq(c->core.ipsr, 21);
	cr_assert_eq(c->core.r[14], 0xFFFFFFF9);
	cr_assert_eq(c->core.r[13], RIG_STACK - 0x28);
	u32 frame = c->core.r[13];
	const u32 expected[8] = { 0x100, 0x101, 0x102, 0x103, 0x10C, 0xABCD1235, RIG_PC, 0x61000200 };
	for (unsigned i = 0; i < 8; i++)
		cr_assert_eq(rig_peek(r, frame + 4 * i), expected[i], "word %u", i);
	cpu_irq_set(c, 5, false);
	c->core.r[0] = 7;
	cr_assert(rig_bx(r, c->core.r[14]));
	cr_assert_eq(c->core.r[15], RIG_PC);
	cr_assert_eq(c->core.r[0], 0x100);
	cr_assert_eq(c->core.r[13], RIG_STACK - 4);
	cr_assert_eq(c->core.apsr, 0x60000000);
	cr_assert_eq(c->core.ipsr, 0);
}

Test(exceptions, level_pends_again_at_exit)
{
	enable_irq(0, 0);
	cpu_irq_set(c, 0, true);
	cr_assert(exception_poll(c));
	cr_assert_not(exception_pending(c));
	cr_assert(rig_bx(r, c->core.r[14])); /* tail-chains into itself */
	cr_assert_eq(c->core.ipsr, 16);
	cr_assert_eq(c->core.r[13], RIG_STACK - 0x20);
	cpu_irq_set(c, 0, false);
	cr_assert(rig_bx(r, c->core.r[14]));
	cr_assert_eq(c->core.ipsr, 0);
}

Test(exceptions, higher_priority_nests_and_equal_does_not)
{
	enable_irq(1, 0x80);
	enable_irq(2, 0x80);
	enable_irq(3, 0x20);
	cpu_irq_set(c, 1, true);
	cr_assert(exception_poll(c));
	cpu_irq_set(c, 2, true);
	cr_assert_not(exception_poll(c));
	cpu_irq_set(c, 3, true);
	cr_assert(exception_poll(c));
	cr_assert_eq(c->core.ipsr, 19);
	cr_assert_eq(c->core.r[14], 0xFFFFFFF1);
}

Test(exceptions, prigroup_makes_subpriorities)
{
	rig_write(r, 0xE000ED0C, 0x05FA0700);
	enable_irq(1, 0x80);
	enable_irq(2, 0x20);
	cpu_irq_set(c, 1, true);
	cr_assert(exception_poll(c));
	cpu_irq_set(c, 2, true);
	cr_assert_not(exception_poll(c));
}

Test(exceptions, basepri_masks_lower)
{
	enable_irq(1, 0x80);
	c->core.r[0] = 0x80;
	cr_assert(sysop_msr(c, 0, 0, 17));
	cpu_irq_set(c, 1, true);
	cr_assert_not(exception_poll(c));
	c->core.r[0] = 0x82;
	cr_assert(sysop_msr(c, 0, 0, 17));
	cr_assert(exception_poll(c));
}

Test(exceptions, usage_fault_escalates_when_disabled)
{
	struct cpu_fault_info info;
	fault_raise(c, FAULT_UNDEFINSTR, 0);
	cr_assert(exception_poll(c));
	cr_assert_eq(c->core.ipsr, 3);
	cr_assert_eq(rig_read(r, CFSR), 0x00010000);
	cr_assert_eq(rig_read(r, HFSR), 0x40000000);
	cr_assert_eq(rig_peek(r, c->core.r[13] + 0x18), RIG_PC);
	cpu_first_fault_info(c, &info);
	cr_assert_not(info.valid);
}

Test(exceptions, usage_fault_enabled)
{
	rig_write(r, 0xE000ED24, 1 << 18);
	fault_raise(c, FAULT_DIVBYZERO, 0);
	cr_assert(exception_poll(c));
	cr_assert_eq(c->core.ipsr, 6);
	cr_assert_eq(rig_read(r, HFSR), 0);
}

Test(exceptions, fault_in_hardfault_locks_up)
{
	struct cpu_fault_info info;
	fault_raise(c, FAULT_UNDEFINSTR, 0);
	cr_assert(exception_poll(c));
	u32 value;
	cr_assert_not(cpu_load(c, 0x50000000, 4, ACC_NORMAL, &value));
	cr_assert_eq(c->core.activity, CPU_LOCKED_UP);
	cpu_fault_info(c, &info);
	cr_assert(info.valid && info.lockup);
	cr_assert_eq(info.cfsr, 0x00018200);
	cr_assert_eq(info.hfsr, 0x40000000);
	cr_assert_str_eq(info.cause, "BusFault: precise data access at 0x50000000 (nothing there), lockup: "
				     "in HardFault it cannot be handled");
	cpu_first_fault_info(c, &info);
	cr_assert(info.valid && !info.lockup);
	cr_assert_str_eq(info.cause, "UsageFault: undefined instruction, escalated to HardFault");
}

Test(exceptions, stack_limit_violation_while_stacking)
{
	rig_write(r, 0xE000ED24, 1 << 18);
	c->core.r[0] = RIG_STACK - 8;
	cr_assert(sysop_msr(c, 0, 0, 10)); /* MSPLIM */
	enable_irq(0, 0x20);
	cpu_irq_set(c, 0, true);
	exception_poll(c);
	cr_assert_eq(c->core.ipsr, 6);
	cr_assert_eq(rig_read(r, CFSR), 1 << 20);
	cr_assert_eq(c->core.r[13], RIG_STACK - 8);
}

Test(exceptions, bad_return_is_invpc)
{
	rig_write(r, 0xE000ED24, 1 << 18);
	fault_raise(c, FAULT_SVC, 0);
	cr_assert(exception_poll(c));
	cr_assert_eq(c->core.ipsr, 11);
	u32 lr = c->core.r[14];
	rig_write(r, 0xE000ED24, 1 << 18); /* clears SVCALLACT */
	cr_assert(rig_bx(r, lr));
	cr_assert_eq(c->core.ipsr, 6);
	cr_assert_eq(rig_read(r, CFSR), 1 << 18);
	cr_assert_eq(c->core.r[13], RIG_STACK - 0x20); /* same frame */
}

Test(exceptions, lazy_fp_frame_is_filled_at_the_first_fp_instruction)
{
	rig_write(r, 0xE000ED88, 0xF << 20);
	cr_assert(cpu_fp_prepare(c, RIG_PC));
	for (unsigned i = 0; i < 16; i++)
		cpu_set_reg(c, CPU_REG_S0 + i, 0x3F800000 + i);
	fp_set_fpscr(c, 0x60040010);
	enable_irq(0, 0);
	cpu_irq_set(c, 0, true);
	cr_assert(exception_poll(c));
	cpu_irq_set(c, 0, false);
	u32 frame = c->core.r[13];
	cr_assert_eq(frame, RIG_STACK - 0x68);
	cr_assert_eq(c->core.r[14], 0xFFFFFFE9);
	cr_assert_eq(rig_read(r, 0xE000EF34) & 1, 1);
	cr_assert_eq(rig_read(r, 0xE000EF38), frame + 0x20);
	cr_assert_eq(rig_peek(r, frame + 0x20), 0);
	cr_assert(cpu_fp_prepare(c, c->core.r[15]));
	cr_assert_eq(rig_peek(r, frame + 0x20 + 4 * 15), 0x3F80000F);
	cr_assert_eq(rig_peek(r, frame + 0x60), 0x60040010);
	cr_assert_eq(rig_read(r, 0xE000EF34) & 1, 0);
	cpu_set_reg(c, CPU_REG_S0, 1);
	cr_assert(rig_bx(r, c->core.r[14]));
	cr_assert_eq(cpu_get_reg(c, CPU_REG_S0), 0x3F800000);
	cr_assert_eq(cpu_get_reg(c, CPU_REG_FPSCR), 0x60040010);
	cr_assert_eq(c->core.r[13], RIG_STACK);
}

/* A vector that cannot be read is the BusFault behind it, which belongs to Non-secure state with
 * AIRCR.BFHFNMINS, whatever state was to handle the exception. */
Test(exceptions, unreadable_vector)
{
	for (unsigned ns = 0; ns < 2; ns++) {
		rig_write(r, 0xE000EDD0, 2); /* SAU: all Non-secure but what the IDAU says */
		rig_write(r, 0xE000ED0C, 0x05FA0000 | ns << 13);
		rig_write(r, 0xE000ED08, 0x50000000); /* VTOR_S: nothing there */
		c->core.r[0] = 0x20008000;
		cr_assert(sysop_msr(c, 0, 0, 0x88)); /* MSP_NS */
		rig_poke(r, 4 * 3, 0x1235);
		fault_raise(c, FAULT_SVC, 0);
		exception_poll(c);
		cr_expect_eq(r->c->sys->reg[BANK_NS][SCS_HFSR], 2, "VECTTBL");
		cr_expect_eq(c->core.activity == CPU_LOCKED_UP, !ns, "the Secure HardFault has no vector either");
		cr_expect_eq(c->core.ipsr, ns ? 3 : 0);
		cr_expect_eq(c->core.secure, !ns);
		teardown();
		setup();
	}
}

/* The basic frame failed, but the MemManage fault is less urgent than the interrupt: the callee registers
 * are stored all the same. */
Test(exceptions, callee_registers_behind_a_failed_frame)
{
	rig_write(r, 0xE000EDD0, 2);
	rig_write(r, 0xE000ED98, 0); /* the basic frame is read-only, what is below it is not */
	rig_write(r, 0xE000ED9C, (RIG_STACK - 0x20) | 2 << 1);
	rig_write(r, 0xE000EDA0, ((RIG_STACK - 1) & ~31u) | 1);
	rig_write(r, 0xE000ED94, 5);
	rig_write(r, 0xE000ED24, 1 << 16);   /* MEMFAULTENA */
	rig_write(r, 0xE000ED18, 0x80);
	c->sys->sp[BANK_NS][0] = 0x20008000;
	c->core.r[4] = 0x44;
	rig_write(r, 0xE000E380, 1); /* irq 0 is Non-secure */
	enable_irq(0, 0x40);
	cpu_irq_set(c, 0, true);
	exception_poll(c);
	cr_expect_eq(c->core.ipsr, 16);
	cr_expect_eq(rig_peek(r, RIG_STACK - 0x48), 0xFEFA125B);
	cr_expect_eq(rig_peek(r, RIG_STACK - 0x40), 0x44);
}

Test(exceptions, wfi_sleeps_until_an_interrupt_even_with_primask)
{
	enable_irq(4, 0);
	cr_assert(sysop_cps(c, true, true, false));
	cr_assert(sysop_wfi(c));
	cr_assert_eq(c->core.activity, CPU_SLEEPING);
	cr_assert_not(exception_wake(c));
	cpu_irq_set(c, 4, true);
	cr_assert(exception_wake(c));
	cr_assert_not(exception_poll(c));
}

Test(exceptions, it_state_survives)
{
	c->core.epsr_it = 0x1C;
	enable_irq(4, 0);
	cpu_irq_set(c, 4, true);
	cr_assert(exception_poll(c));
	cpu_irq_set(c, 4, false);
	cr_assert_eq(c->core.epsr_it, 0);
	cr_assert(rig_bx(r, c->core.r[14]));
	cr_assert_eq(c->core.epsr_it, 0x1C);
}
