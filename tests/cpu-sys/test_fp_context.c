/* SPDX-License-Identifier: Apache-2.0 */
/* VSCCLRM: what entry functions of Secure code clear, and when there is nothing to clear; CPPWR;
 * undefined encodings. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

#include "cpu/engine/engine.h"

static struct rig *r;
static struct cpu *c;

#define CFSR 0xE000ED28u
#define FPCCR 0xE000EF34u
#define CPPWR 0xE000E00Cu
#define NS_ALIAS 0x20000u
#define UNDEFINSTR (1u << 16)

static void setup(void)
{
	r = rig_new();
	c = r->c;
	rig_write(r, 0xE000ED88, 0xf << 20);
	rig_write(r, 0xE000ED24, 0xf << 16);
	for (u32 i = 0; i < 32; i++)
		c->fp.q[i / 4].w[i % 4] = 0x100 + i;
	c->fp.vpr = 0x1234;
}
static void teardown(void) { rig_free(r); }
TestSuite(fp_context, .init = setup, .fini = teardown);

static u32 s(unsigned i) { return c->fp.q[i / 4].w[i % 4]; }

Test(fp_context, vscclrm_without_a_context_does_nothing)
{
	rig_write(r, FPCCR, FPCCR_ASPEN);
	cr_assert(sysop_vscclrm(c, 0, 32));
	cr_expect_eq(s(5), 0x105);
	cr_expect_eq(c->fp.vpr, 0x1234);
	cr_expect_not(c->sys->fpca, "no context begins");
	cr_expect_not(c->sys->sfpa);
}

Test(fp_context, vscclrm_clears_the_list_and_vpr)
{
	rig_write(r, FPCCR, FPCCR_ASPEN);
	c->sys->fpca = c->sys->sfpa = true;
	cr_assert(sysop_vscclrm(c, 4, 3));
	cr_expect_eq(s(3), 0x103);
	cr_expect_eq(s(4), 0);
	cr_expect_eq(s(6), 0);
	cr_expect_eq(s(7), 0x107);
	cr_expect_eq(c->fp.vpr, 0);
}

Test(fp_context, vscclrm_clears_when_contexts_are_not_tracked)
{
	rig_write(r, FPCCR, 0);
	cr_assert(sysop_vscclrm(c, 0, 32));
	cr_expect_eq(s(31), 0);
}

Test(fp_context, fpcxt_is_undefined_in_non_secure_state)
{
	c->core.secure = false;
	cr_assert_not(sysop_fpcxt_open(c, true));
	cr_assert_not(sysop_fpcxt_open(c, false));
}

Test(fp_context, vscclrm_is_undefined_in_non_secure_state)
{
	c->core.secure = false;
	cr_assert_not(sysop_vscclrm(c, 0, 32));
	c->core.secure = true;
	cr_expect_eq(s(5), 0x105);
	cr_expect(rig_read(r, 0xE002ED28) & UNDEFINSTR || rig_read(r, CFSR) & UNDEFINSTR);
}

/* While the state of CP10 may be unknown nobody may use it. SUS10 keeps the bit from Non-secure state, and
 * with it the fault. */
Test(fp_context, power_bit_of_non_secure_state)
{
	bool fault_secure;

	rig_write(r, 0xE000ED8C, 3 << 10);
	rig_write(r, 0xE000ED88 + NS_ALIAS, 0xf << 20);
	rig_write(r, CPPWR + NS_ALIAS, 0x00F00000);
	cr_expect_eq(rig_read(r, CPPWR), 0x00500000);
	cr_expect_not(fp_permitted(c, false, true, &fault_secure));
	cr_expect_not(fault_secure);
	rig_write(r, CPPWR, 0x00300000);
	cr_expect_eq(rig_read(r, CPPWR + NS_ALIAS), 0);
	cr_expect_not(fp_permitted(c, false, true, &fault_secure));
	cr_expect(fault_secure);
	rig_write(r, CPPWR + NS_ALIAS, 0);
	cr_expect_eq(rig_read(r, CPPWR), 0x00300000);
	rig_write(r, CPPWR, 0);
	cr_expect(fp_permitted(c, false, true, &fault_secure));
}

/* A load to coprocessor 8, which belongs to FP; a list beyond S31, and one of no registers: permission is
 * looked at, but no context begins. */
Test(fp_context, undefined_encoding_begins_no_context)
{
	const u32 nocp = 1u << 19;
	const u32 encodings[] = {
		0x0800ed90,
		0xda0ceca3, /* VSTMIA r3!, {s26-s37} */
		0x0b00ed33, /* VLDMDB r3!, {} */
		0x8b13ecb3, /* FLDMIAX r3!, {d8-d16} */
	};

	for (unsigned i = 0; i < 2 * ARRAY_LEN(encodings); i++) {
		const bool permitted = i & 1;
		rig_write(r, FPCCR, FPCCR_ASPEN);
		rig_write(r, 0xE000ED88, permitted ? 0xf << 20 : 0);
		rig_poke(r, RIG_PC, encodings[i / 2]);
		engine_run_one(c);
		exception_poll(c);
		cr_expect_eq(rig_read(r, CFSR) & (UNDEFINSTR | nocp), permitted ? UNDEFINSTR : nocp);
		cr_expect(c->core.r[14] & EXC_RETURN_FTYPE, "no FP frame");
		cr_expect_eq(c->fp.vpr, 0x1234);
		teardown();
		setup();
	}
}
