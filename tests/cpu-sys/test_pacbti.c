/* SPDX-License-Identifier: Apache-2.0 */
/* PACBTI-M on a Cortex-M85: codes, their check, landing pads. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

static struct rig *r;
static struct cpu *c;
static void setup(void) { r = rig_new_m85(); c = r->c; }
static void teardown(void) { rig_free(r); }
TestSuite(pacbti, .init = setup, .fini = teardown);

#define BTI_EN 0x10u
#define PAC_EN 0x40u
#define CFSR 0xE000ED28u

/* Puts halfwords at RIG_PC, ending in a branch to itself, and runs 50 cycles of them. */
static void run(const u16 *code, unsigned halfwords, u32 control)
{
	for (unsigned i = 0; i < halfwords; i++)
		cpu_poke(c, RIG_PC + 2 * i, &code[i], 2);
	for (unsigned i = 2; i < 16; i++) { /* handlers: b . */
		u16 self = 0xE7FE;
		cpu_poke(c, rig_handler(i), &self, 2);
	}
	c->core.r[0] = control;
	cr_assert(sysop_msr(c, 0, 0, 20));
	cpu_run(c, r->sched.now + 50 * sched_period(25000000));
}

Test(pacbti, identification)
{
	cr_assert_eq(rig_read(r, 0xE000ED00), 0x411FD230);
	cr_assert_eq(rig_read(r, 0xE000ED74) >> 20 & 15, 2);
}

Test(pacbti, code_passes_its_check)
{
	static const u16 code[] = { 0xF3AF, 0x801D, 0xF3AF, 0x802D, 0xE7FE }; /* pac; aut; b . */
	c->core.r[12] = 0;
	run(code, 5, PAC_EN);
	cr_assert_neq(c->core.r[12], 0);
	cr_assert_eq(c->core.ipsr, 0);
	cr_assert_eq(c->core.r[15], RIG_PC + 8);
}

Test(pacbti, changed_value_fails)
{
	/* pacg r1, r2, r3; adds r2, #1; autg r1, r2, r3; b . */
	static const u16 code[] = { 0xFB62, 0xF103, 0x3201, 0xFB52, 0x1F03, 0xE7FE };
	run(code, 6, PAC_EN);
	cr_assert_eq(c->core.ipsr, 3);
	cr_assert_eq(rig_peek(r, c->core.r[13] + 0x18), RIG_PC + 6);
	cr_assert_eq(rig_read(r, CFSR), 1 << 17);
}

Test(pacbti, disabled_does_nothing)
{
	static const u16 code[] = { 0xF3AF, 0x801D, 0xFB62, 0xF103, 0xFB52, 0x1F04, 0xE7FE };
	c->core.r[12] = 0x77;
	run(code, 7, 0);
	cr_assert_eq(c->core.r[12], 0x77);
	cr_assert_eq(c->core.ipsr, 0);
}

Test(pacbti, keys_matter)
{
	u32 first;
	c->core.r[2] = 1, c->core.r[3] = 2;
	c->core.r[0] = PAC_EN;
	cr_assert(sysop_msr(c, 0, 0, 20));
	cr_assert(sysop_pac(c, 1, 2, 3));
	first = c->core.r[1];
	c->core.r[0] = 0x1234;
	cr_assert(sysop_msr(c, 0, 0, 33)); /* PAC_KEY_P_1 */
	cr_assert(sysop_mrs(c, 4, 33));
	cr_assert_eq(c->core.r[4], 0x1234);
	cr_assert(sysop_pac(c, 1, 2, 3));
	cr_assert_neq(c->core.r[1], first);
}

/* ldr r1, =target; blx r1 ... target: pad or nop; b . */
static void call(u16 pad0, u16 pad1, u32 control)
{
	const u16 code[] = { 0x4901, 0x4788, 0xE7FE, 0xBF00, (u16)(RIG_PC + 12) | 1, RIG_PC >> 16,
			     pad0, pad1, 0xE7FE };
	run(code, 9, control);
}

Test(pacbti, call_lands_on_bti)
{
	call(0xF3AF, 0x800F, BTI_EN);
	cr_assert_eq(c->core.ipsr, 0);
	cr_assert_eq(c->core.r[15], RIG_PC + 16);
}

Test(pacbti, call_elsewhere_faults)
{
	call(0xBF00, 0xBF00, BTI_EN);
	cr_assert_eq(c->core.ipsr, 3);
	cr_assert_eq(rig_read(r, CFSR), 1 << 17);
	u32 frame = c->core.r[13];
	cr_assert_eq(rig_peek(r, frame + 0x18), RIG_PC + 12);
	cr_assert_eq(rig_peek(r, frame + 0x1C) >> 21 & 1, 1); /* RETPSR.B */
}

Test(pacbti, without_bti_anything_is_a_target)
{
	call(0xBF00, 0xBF00, 0);
	cr_assert_eq(c->core.ipsr, 0);
}

Test(pacbti, return_needs_no_pad)
{
	/* bl f; b . ; f: bx lr */
	static const u16 code[] = { 0xF000, 0xF801, 0xE7FE, 0x4770 };
	run(code, 4, BTI_EN);
	cr_assert_eq(c->core.ipsr, 0);
	cr_assert_eq(c->core.r[15], RIG_PC + 4);
}

/* Code of the same value and modifier in the state that CONTROL and the Security state give. */
static u32 code_of_state(bool secure, u32 control)
{
	c->core.r[2] = 0x1234, c->core.r[3] = 0x5678;
	state_set_secure(c, secure);
	state_leave(c);
	c->sys->control[secure] = control;
	state_enter(c);
	cr_assert(sysop_pac(c, 1, 2, 3));
	return c->core.r[1];
}

Test(pacbti, each_state_and_privilege_has_its_key)
{
	for (unsigned i = 0; i < 8; i++) {
		c->sys->pac_key[BANK_S][i] = i < 4 ? 1 : 2;
		c->sys->pac_key[BANK_NS][i] = i < 4 ? 3 : 4;
	}
	u32 code[4] = { code_of_state(true, PAC_EN), code_of_state(true, 1 | 0x80), code_of_state(false, PAC_EN),
			code_of_state(false, 1 | 0x80) };
	for (unsigned i = 0; i < 4; i++)
		for (unsigned k = 0; k < i; k++)
			cr_expect_neq(code[i], code[k], "%u %u", i, k);
	cr_expect_eq(code[0], code_of_state(true, PAC_EN));
	c->core.r[1] = 7;
	cr_expect_eq(code_of_state(true, 1 | PAC_EN), 7); /* that bit is for privileged code */
	cr_expect_eq(code_of_state(false, 0x80), 7);
}

/* An exception between an indirect branch and its landing pad. */
Test(pacbti, exception_keeps_the_demand)
{
	c->core.r[0] = BTI_EN;
	cr_assert(sysop_msr(c, 0, 0, 20));
	c->core.btype = true;
	rig_write(r, 0xE000ED04, 1 << 28);
	cr_assert(exception_poll(c));
	cr_expect_not(c->core.btype);
	cr_expect_eq(rig_peek(r, c->core.r[13] + 0x1C) >> 21 & 1, 1);
	cr_assert(rig_bx(r, c->core.r[14]));
	cr_expect(c->core.btype);
	cr_expect_eq(c->core.r[15], RIG_PC);
	cr_expect_eq(cpu_step(c), CPU_STOP_HORIZON); /* no landing pad there */
	cr_expect(exception_pending(c));
}

Test(pacbti, returns_and_stack_loads_need_no_pad)
{
	/* ldr r1, =target; push {r1}; pop {pc}; target: adr lr, 1f (even: +1); bx lr; 1: b . */
	static const u16 code[] = { 0x4901, 0xB402, 0xBD00, 0xBF00, (u16)(RIG_PC + 12) | 1, RIG_PC >> 16,
				    0xF20F, 0x0E05, 0x4770, 0xBF00, 0xE7FE };
	run(code, 11, BTI_EN);
	cr_assert_eq(c->core.ipsr, 0);
	cr_assert_eq(c->core.r[15], RIG_PC + 20);
}
