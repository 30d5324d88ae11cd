/* SPDX-License-Identifier: Apache-2.0 */
/* Lifecycle manager and key management unit of Corstone-320, in the steps of TF-M's drivers. */
#include "rig.h"

#include "sim/boards/boards.h"

#define LCM 0x500a0000u
#define LCS_VALUE (LCM + 0x000)
#define TP_MODE (LCM + 0x008)
#define FATAL_ERR (LCM + 0x00c)
#define SP_ENABLE (LCM + 0x014)
#define GPPC (LCM + 0x020)
#define OTP(offset) (LCM + 0x1000 + (offset))
#define TP_MODE_CONFIG OTP(0xe0)
#define CM_CONFIG_1 OTP(0xe4)
#define CM_CONFIG_2 OTP(0xe8)
#define DM_CONFIG OTP(0xec)

#define KMU 0x5009e000u
#define IS (KMU + 0x004)
#define KSC(slot) (KMU + 0x030 + 4 * (slot))
#define DKPA(slot) (KMU + 0x0b0 + 4 * (slot))
#define KSK(slot) (KMU + 0x130 + 32 * (slot))
#define RAM 0x21000000u

static struct rig *r;
static void setup(void) { r = rig_new_board(board_find("corstone-320"), false); }
static void teardown(void) { rig_free(r); }
TestSuite(lcm, .init = setup, .fini = teardown);
TestSuite(kmu, .init = setup, .fini = teardown);

static void restart(void)
{
	device_set_restart(r->set, 1u << RESET_BY_SOFTWARE);
}

Test(lcm, a_virgin_device)
{
	cr_expect(eq(u32, rig_read(r, LCS_VALUE), 0xcccc3c3c));
	cr_expect(eq(u32, rig_read(r, TP_MODE), 0x33cc));
	cr_expect(eq(u32, rig_read(r, LCM + 0x01c), 0x4000));
	cr_expect(zero(u32, rig_read(r, SP_ENABLE)));
	cr_expect(zero(u32, rig_read(r, OTP(0x3ffc))));
	rig_write(r, FATAL_ERR, 1);
	cr_expect(zero(u32, rig_read(r, FATAL_ERR)));
	rig_write(r, FATAL_ERR, 0xfa7a1eee);
	cr_expect(eq(u32, rig_read(r, FATAL_ERR), 0xffffffff));
}

Test(lcm, bits_of_the_otp_are_set_once_and_survive_resets)
{
	rig_write(r, OTP(0x100), 0x0f);
	rig_write(r, OTP(0x100), 0x30);
	cr_expect(eq(u32, rig_read(r, OTP(0x100)), 0x3f));
	restart();
	cr_expect(eq(u32, rig_read(r, OTP(0x100)), 0x3f));
	device_set_reset(r->set);
	cr_expect(zero(u32, rig_read(r, OTP(0x100))), "power off");
}

Test(lcm, lifecycle_from_manufacturing_to_secure_enable)
{
	rig_write(r, TP_MODE_CONFIG, 0xffff);
	cr_expect(eq(u32, rig_read(r, TP_MODE), 0x33cc), "not before a reset");
	restart();
	cr_expect(eq(u32, rig_read(r, TP_MODE), 0x111155aa));
	rig_write(r, CM_CONFIG_1, 0xffffffff);
	cr_expect(zero(u32, rig_read(r, CM_CONFIG_1)), "no errors in the keys");
	rig_write(r, CM_CONFIG_2, 0x00123480);
	restart();
	cr_expect(eq(u32, rig_read(r, LCS_VALUE), 0xdddd5a5a));
	cr_expect(eq(u32, rig_read(r, GPPC), 0x1234));
	rig_write(r, DM_CONFIG, 0xffffffff);
	restart();
	cr_expect(eq(u32, rig_read(r, LCS_VALUE), 0xeeeea5a5));
	rig_write(r, OTP(0xf0), 0xffffffff);
	restart();
	cr_expect(eq(u32, rig_read(r, LCS_VALUE), 0xeeeea5a5), "one of two flags");
	rig_write(r, OTP(0xf4), 0xffffffff);
	restart();
	cr_expect(eq(u32, rig_read(r, LCS_VALUE), 0xffffc3c3));
}

Test(lcm, provisioning_begins_with_a_reset_and_ends_with_the_next)
{
	const u64 cycle = SCHED_TICKS_PER_SECOND / 25000000;

	rig_write(r, SP_ENABLE, 1);
	rig_wait(r, 3000 * cycle);
	cr_expect(zero(uint, r->resets));
	rig_write(r, SP_ENABLE, 0x5ec10e1e);
	cr_expect(zero(u32, rig_read(r, SP_ENABLE)));
	rig_wait(r, 1999 * cycle);
	cr_expect(zero(uint, r->resets));
	rig_wait(r, cycle);
	cr_expect(eq(uint, r->resets, 1));
	restart();
	cr_expect(eq(u32, rig_read(r, SP_ENABLE), 0xffffffff));
	restart();
	cr_expect(zero(u32, rig_read(r, SP_ENABLE)));
}

Test(kmu, a_key_is_written_locked_and_exported)
{
	cr_expect(eq(u32, rig_read(r, KMU) >> 16 & 7, 5), "32 slots");
	for (unsigned i = 0; i < 8; i++)
		rig_write(r, KSK(9) + 4 * i, 0x11111111 * (i + 1));
	rig_write(r, KSK(9), 5);
	cr_expect(eq(u32, rig_read(r, IS), 1 << 11), "written twice");
	rig_write(r, KMU + 0x00c, 0xffffffff);
	rig_write(r, DKPA(9), RAM);
	rig_write(r, KSC(9), 0x00060400); /* eight writes of a word, four bytes apart */
	rig_write(r, KSC(9), 0x01060400);
	cr_expect(zero(u32, rig_read(r, KSC(9)) & 3u << 24), "not locked: done, and not ready");
	cr_expect(eq(u32, rig_read(r, IS), 1 << 7));
	rig_write(r, KMU + 0x00c, 0xffffffff);
	rig_write(r, KSC(9), 0x00c60400);
	cr_expect(zero(u32, rig_read(r, KSK(9))), "nobody reads a locked key");
	rig_write(r, DKPA(9), 0);
	cr_expect(eq(u32, rig_read(r, DKPA(9)), RAM), "locked");
	rig_write(r, KSC(9), 0x01c60400);
	cr_expect(eq(u32, rig_read(r, KSC(9)), 0x02c60400), "ready");
	rig_write(r, KMU + 0x008, 1);
	rig_write(r, KSC(9), 0x12c60400);
	cr_expect(eq(u32, rig_read(r, IS), 1));
	cr_expect(r->irq[20]);
	for (unsigned i = 0; i < 8; i++)
		cr_expect(eq(u32, rig_read(r, RAM + 4 * i), 0x11111111 * (i + 1)));
	rig_write(r, KMU + 0x00c, 1);
	cr_expect(r->irq[20] == 0);
}

/* Slots 0 to 6 are of hardware keys. */
Test(kmu, a_hardware_key_made_invalid_is_gone_for_ever)
{
	rig_write(r, KSK(6), 42);
	cr_expect(eq(u32, rig_read(r, KSK(6)), 42));
	rig_write(r, KSC(6), 1u << 26);
	cr_expect(eq(u32, rig_read(r, KSC(6)), 1u << 27));
	cr_expect(zero(u32, rig_read(r, KSK(6))));
	rig_write(r, KSK(6) + 4, 1);
	cr_expect(zero(u32, rig_read(r, KSK(6) + 4)));
	cr_expect(eq(u32, rig_read(r, IS), 1 << 12));
}

/* As TF-M's tests of its driver have it, which begin with a slot made invalid. */
Test(kmu, a_slot_made_invalid_takes_another_key)
{
	rig_write(r, KSK(7), 42);
	rig_write(r, KSC(7), 0x00c60400);
	rig_write(r, KSC(7), 0x04c60400);
	cr_expect(eq(u32, rig_read(r, KSC(7)), 0x00060400), "valid, and not locked");
	cr_expect(zero(u32, rig_read(r, KSK(7))));
	rig_write(r, KSK(7), 43);
	cr_expect(eq(u32, rig_read(r, KSK(7)), 43));
	cr_expect(zero(u32, rig_read(r, IS)));
}

Test(kmu, no_more_is_exported_than_was_written)
{
	rig_write(r, DKPA(9), RAM);
	for (unsigned i = 0; i < 7; i++)
		rig_write(r, KSK(9) + 4 * i, i);
	rig_write(r, KSC(9), 0x00c60400); /* eight writes of a word */
	rig_write(r, KSC(9), 0x01c60400);
	cr_expect(eq(u32, rig_read(r, KSC(9)), 0x00c60400), "not ready");
	cr_expect(eq(u32, rig_read(r, IS), 1 << 8));
}

Test(kmu, a_key_port_that_is_not_there)
{
	for (unsigned i = 0; i < 4; i++)
		rig_write(r, KSK(8) + 4 * i, i);
	rig_write(r, DKPA(8), 0x5fff0000);
	rig_write(r, KSC(8), 0x00c20400);
	rig_write(r, KSC(8), 0x01c20400);
	rig_write(r, KSC(8), 0x12c20400);
	cr_expect(eq(u32, rig_read(r, IS), 1 | 1 << 5), "complete, with a bus error");
}
