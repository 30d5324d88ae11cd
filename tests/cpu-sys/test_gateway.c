/* SPDX-License-Identifier: Apache-2.0 */
/* SG and CCR.TRD: when Secure Thread mode may be entered again. TF-M sets TRD and keeps Secure Thread mode
 * privileged on the process stack. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

#define SAU_CTRL 0xE000EDD0u
#define SAU_ALLNS 2
#define CCR 0xE000ED14u
#define CCR_TRD_BIT (1u << 20)
#define CONTROL 20
#define SECURE_PSP 0x30006000u
#define SIGNATURE 0xFEFA125Au

static struct rig *r;
static struct cpu *c;

static void setup(void)
{
	r = rig_new();
	c = r->c;
	rig_write(r, SAU_CTRL, SAU_ALLNS);
}
static void teardown(void) { rig_free(r); }
TestSuite(gateway, .init = setup, .fini = teardown);

/* SG from Non-secure state with that CONTROL_S and that word on top of the Secure stack; true: Secure now. */
static bool enters(u32 control, u32 word)
{
	c->core.r[0] = control;
	cr_assert(sysop_msr(c, 0, 0, CONTROL));
	state_leave(c);
	c->sys->sp[BANK_S][1] = SECURE_PSP;
	state_enter(c);
	rig_poke(r, SECURE_PSP, word);
	rig_poke(r, RIG_STACK, word);
	state_set_secure(c, false);
	c->core.r[15] = RIG_PC;
	return sysop_sg(c) && c->core.secure;
}

Test(gateway, anything_goes_without_trd) { cr_expect(enters(0, SIGNATURE)); }

Test(gateway, the_process_stack_is_entered_in_either_privilege)
{
	rig_write(r, CCR, rig_read(r, CCR) | CCR_TRD_BIT);
	cr_expect(enters(2, 0xFEF5EDA5), "privileged");
}

Test(gateway, unprivileged_likewise)
{
	rig_write(r, CCR, rig_read(r, CCR) | CCR_TRD_BIT);
	cr_expect(enters(3, 0xFEF5EDA5));
}

Test(gateway, a_frame_on_the_process_stack_forbids_it)
{
	rig_write(r, CCR, rig_read(r, CCR) | CCR_TRD_BIT);
	cr_expect_not(enters(2, SIGNATURE | 1));
	cr_expect_eq(c->sys->reg[BANK_S][SCS_SFSR] & 1, 1, "INVEP");
}

Test(gateway, the_main_stack_is_never_entered_again)
{
	rig_write(r, CCR, rig_read(r, CCR) | CCR_TRD_BIT);
	cr_expect_not(enters(0, 0xFEF5EDA5));
}
