/* SPDX-License-Identifier: Apache-2.0 */
/* GPIO, SPI, system control, power policy, timing adapters, and outputs that share an input. */
#include "devices/sysctrl.h"
#include "devices/timing_adapter.h"
#include "rig.h"

Test(wires, outputs_on_one_interrupt_are_ored)
{
	struct rig *r = rig_new(false);

	/* Both MPCs drive interrupt 9. */
	for (u32 mpc = 0x57000000; mpc <= 0x57001000; mpc += 0x1000) {
		rig_write(r, mpc + 0x28, 1);
		rig_write(r, mpc + 0x34, 1);
	}
	cr_expect(r->irq[9]);
	rig_write(r, 0x57000024, 1);
	cr_expect(r->irq[9], "the other is still high");
	rig_write(r, 0x57001024, 1);
	cr_expect(r->irq[9] == 0);
	cr_expect(eq(uint, r->irq_changes[9], 2));
	rig_free(r);
}

Test(secctrl, locks_stay_until_the_reset)
{
	struct rig *r = rig_new(false);
	const u32 cpuseccfg = 0x50011000;

	rig_write(r, cpuseccfg, 0x05);
	cr_expect(eq(u32, r->locks, 0x05));
	rig_write(r, cpuseccfg, 0x22);
	cr_expect(eq(u32, rig_read(r, cpuseccfg), 0x27));
	cr_expect(eq(u32, r->locks, 0x27));
	device_set_restart(r->set, 1u << RESET_BY_REQUEST);
	cr_expect(eq(u32, rig_read(r, cpuseccfg), 0));
	cr_expect(eq(u32, r->locks, 0));
	rig_free(r);
}

Test(gpio, outputs_read_back_and_interrupt)
{
	struct rig *r = rig_new(false);
	const u32 gpio = 0x41100000;

	rig_write(r, gpio + 0x10, 0x0f); /* outputs */
	rig_write(r, gpio + 0x20, 0x01); /* interrupt on pin 0 */
	rig_write(r, gpio + 0x28, 0x01); /* edge */
	rig_write(r, gpio + 0x30, 0x01); /* rising */
	rig_write(r, gpio + 0x38, 0xffff);
	cr_expect(r->irq[69] == 0);
	rig_write(r, gpio + 0x00, 0xff01);
	cr_expect(eq(u32, rig_read(r, gpio), 0x01));
	cr_expect(r->irq[69] && r->irq[73]);
	rig_write(r, gpio + 0x38, 1);
	cr_expect(r->irq[69] == 0);
	rig_write(r, gpio + 0x400 + 4 * 0x0c, 0x0f); /* only pins 2 and 3 */
	cr_expect(eq(u32, rig_read(r, gpio), 0x0d));
	cr_expect(eq(u32, rig_read(r, gpio + 0x400 + 4 * 0x05), 0x05));
	rig_write(r, gpio + 0x14, 0x01);
	cr_expect(eq(u32, rig_read(r, gpio + 0x10), 0x0e));
	cr_expect(eq(u32, rig_read(r, gpio + 0x14), 0x0e));
	rig_free(r);
}

Test(spi, answers_zeros_and_loops_back)
{
	struct rig *r = rig_new(false);
	const u32 spi = 0x49202000;

	rig_write(r, spi + 0x00, 7); /* 8 bits */
	rig_write(r, spi + 0x04, 2); /* enable */
	cr_expect(eq(u32, rig_read(r, spi + 0x0c), 3));
	rig_write(r, spi + 0x08, 0xa5);
	cr_expect(eq(u32, rig_read(r, spi + 0x0c), 7));
	cr_expect(zero(u32, rig_read(r, spi + 0x08)));
	rig_write(r, spi + 0x04, 3); /* loop back */
	for (u32 n = 1; n <= 9; n++)
		rig_write(r, spi + 0x08, 0x100 + n);
	cr_expect(eq(u32, rig_read(r, spi + 0x0c), 0xf));
	cr_expect(eq(u32, rig_read(r, spi + 0x18), 0xd), "overrun, half full, TX");
	rig_write(r, spi + 0x14, 1);
	cr_expect(r->irq[53]);
	rig_write(r, spi + 0x20, 1);
	cr_expect(r->irq[53] == 0);
	for (u32 n = 1; n <= 8; n++)
		cr_expect(eq(u32, rig_read(r, spi + 0x08), n));
	cr_expect(eq(u32, rig_read(r, spi + 0x0c), 3));
	rig_free(r);
}

/* DDI 0194: the transmit FIFO may be filled before the controller is enabled. */
Test(spi, what_is_written_before_it_is_enabled_waits)
{
	struct rig *r = rig_new(false);
	const u32 spi = 0x49202000;

	rig_write(r, spi + 0x00, 7);
	rig_write(r, spi + 0x04, 1); /* loop back, not enabled */
	for (u32 n = 1; n <= 9; n++) {
		rig_write(r, spi + 0x08, n);
		cr_expect(eq(u32, rig_read(r, spi + 0x0c), n < 8 ? 0x12 : 0x10), "%u", n);
		cr_expect(eq(u32, rig_read(r, spi + 0x18), n <= 4 ? 8 : 0), "%u", n);
	}
	rig_write(r, spi + 0x04, 7); /* a slave: nobody clocks it */
	cr_expect(eq(u32, rig_read(r, spi + 0x0c), 0x10));
	rig_write(r, spi + 0x04, 1);
	rig_write(r, spi + 0x04, 3);
	cr_expect(eq(u32, rig_read(r, spi + 0x0c), 0xf));
	for (u32 n = 1; n <= 8; n++)
		cr_expect(eq(u32, rig_read(r, spi + 0x08), n));
	cr_expect(eq(u32, rig_read(r, spi + 0x0c), 3), "the ninth is lost");
	rig_free(r);
}

Test(sysctrl, reset_request_and_vector_base)
{
	struct rig *r = rig_new(false);
	const u32 sysctrl = 0x58021000;

	cr_expect(eq(u32, rig_read(r, sysctrl + 0x110), 0x10000000));
	cr_expect(eq(u32, rig_read(r, sysctrl + 0x100), 1));
	rig_write(r, sysctrl + 0x108, 0x20);
	cr_expect(zero(uint, r->resets), "bit 9 asks");
	rig_write(r, sysctrl + 0x108, 0x200);
	cr_expect(eq(uint, r->resets, 1));
	cr_expect(eq(u32, rig_read(r, sysctrl + 0x100), 1), "not before the reset");
	rig_write(r, sysctrl + 0x100, 0);
	cr_expect(zero(u32, rig_read(r, sysctrl + 0x100)));
	rig_write(r, sysctrl + 0x110, 0x11000001);
	rig_write(r, sysctrl + 0x110, 0);
	cr_expect(eq(u32, rig_read(r, sysctrl + 0x110), 0x11000001), "locked");
	rig_write(r, sysctrl + 0x10c, 0x1234);
	rig_write(r, UART0 + 0x10, 50);
	device_set_restart(r->set, 1u << RESET_BY_CORE);
	cr_expect(zero(u32, rig_read(r, UART0 + 0x10)));
	cr_expect(eq(u32, rig_read(r, sysctrl + 0x100), 0x100), "a core reset");
	cr_expect(eq(u32, rig_read(r, sysctrl + 0x10c), 0x1234), "retained");
	cr_expect(eq(u32, rig_read(r, sysctrl + 0x110), 0x11000000), "retained, and not locked any more");
	device_set_restart(r->set, 1u << RESET_BY_SOFTWARE);
	cr_expect(eq(u32, rig_read(r, sysctrl + 0x100), 0x120), "all since it was cleared");
	cr_expect(zero(u32, rig_read(r, sysctrl + 0x10c)), "a cold reset");
	cr_expect(eq(u32, rig_read(r, sysctrl + 0x110), 0x10000000), "a cold reset");
	rig_free(r);
}

/* The core's request waits for software that allows it, and ends with the reset. */
Test(sysctrl, reset_mask_keeps_the_cores_request)
{
	struct rig *r = rig_new(false);
	const u32 mask = 0x58021104;
	struct device *sysctrl = device_set_find(r->set, "SYSCTRL");

	cr_expect(eq(u32, rig_read(r, mask), 0x100));
	cr_expect(sysctrl_core_requests(sysctrl));
	rig_write(r, mask, 0x102);
	cr_expect(zero(uint, r->resets), "granted: nothing is left to ask for");
	rig_write(r, mask, 2);
	cr_expect(not(sysctrl_core_requests(sysctrl)));
	cr_expect(zero(uint, r->resets));
	rig_write(r, mask, 0x100);
	cr_expect(eq(uint, r->resets, 1));
	cr_expect(eq(int, r->last_reset, RESET_BY_CORE));
	device_set_restart(r->set, 1u << RESET_BY_CORE);
	rig_write(r, mask, 0);
	rig_write(r, mask, 0x100);
	cr_expect(eq(uint, r->resets, 1));
	rig_free(r);
}

/* Warm resets leave it alone; after others it is as the board ties it. */
Test(sysctrl, cpuwait)
{
	struct rig *r = rig_new(false);
	const u32 cpuwait = 0x58021120;
	struct device *sysctrl = device_set_find(r->set, "SYSCTRL");

	cr_expect(not(sysctrl_core_waits(sysctrl)));
	rig_write(r, cpuwait, 1);
	cr_expect(r->waits);
	device_set_restart(r->set, 1u << RESET_BY_CORE);
	cr_expect(sysctrl_core_waits(sysctrl));
	cr_expect(r->waits);
	rig_write(r, cpuwait, 0);
	cr_expect(not(r->waits));
	rig_write(r, cpuwait, 1);
	device_set_restart(r->set, 1u << RESET_BY_SECURE_WATCHDOG);
	cr_expect(not(sysctrl_core_waits(sysctrl)));
	cr_expect(not(r->waits));
	sysctrl_set_core_waits(sysctrl, true);
	rig_write(r, cpuwait, 0);
	device_set_restart(r->set, 1u << RESET_BY_SOFTWARE);
	cr_expect(sysctrl_core_waits(sysctrl));
	rig_free(r);
}

/* In the order of TF-M's start-up: first the selectors, then the levels. */
Test(sysctrl, debug_signals_are_those_of_the_board_or_of_software)
{
	struct rig *r = rig_new(false);
	const u32 status = 0x58021000, set = 0x58021004, clear = 0x58021008;

	rig_write(r, clear, 0x55);
	cr_expect(zero(u32, r->debug_low), "the board's are high");
	rig_write(r, set, 0xaa);
	cr_expect(eq(u32, r->debug_low, 0xf));
	rig_write(r, set, 0x05);
	cr_expect(eq(u32, rig_read(r, status), 0xaf));
	cr_expect(eq(u32, r->debug_low, 0xc), "only Non-secure debug");
	rig_write(r, clear, 0x20);
	cr_expect(eq(u32, r->debug_low, 0x8));
	device_set_restart(r->set, 1u << RESET_BY_CORE);
	cr_expect(zero(u32, r->debug_low));
	rig_free(r);
}

Test(ppu, status_follows_policy)
{
	struct rig *r = rig_new(false);

	rig_write(r, 0x58023000, 0x102);
	cr_expect(eq(u32, rig_read(r, 0x58023008), 0x102));
	rig_free(r);
}

Test(scc, identification_and_configuration_calls)
{
	struct rig *r = rig_new(false);

	cr_expect(eq(u32, rig_read(r, 0x49300ffc), 0x41055470));
	cr_expect(eq(u32, rig_read(r, 0x49300ff8), 0x00200008));
	cr_expect(zero(u32, rig_read(r, 0x49300014)));
	rig_write(r, 0x493000a8, 0x80100001);
	cr_expect(eq(u32, rig_read(r, 0x493000a8), 0x00100001));
	cr_expect(eq(u32, rig_read(r, 0x493000ac), 1));
	rig_free(r);
}

static void settings_changed(void *ctx, const struct timing_adapter_settings *settings)
{
	*(struct timing_adapter_settings *)ctx = *settings;
}

Test(timing_adapter, settings_reach_the_host_side)
{
	struct rig *r = rig_new(false);
	struct timing_adapter_settings s = {.window = 1};
	struct timing_adapter_host host = {settings_changed, &s};

	timing_adapter_connect(device_set_find(r->set, "TIMING_ADAPTER1"), &host);
	cr_expect(zero(u32, s.window));
	cr_expect(eq(u32, rig_read(r, 0x58103238), 0x1117));
	rig_write(r, 0x58103200, 24);
	rig_write(r, 0x58103208, 18);
	rig_write(r, 0x5810320c, 250);
	rig_write(r, 0x58103214, 320);
	rig_write(r, 0x58103218, 80);
	rig_write(r, 0x5810321c, 50);
	cr_expect(eq(u32, s.max_reads, 18));
	cr_expect(eq(u32, s.read_latency, 250));
	cr_expect(eq(u32, s.window, 400));
	cr_expect(eq(u32, s.cap, 50));
	device_set_reset(r->set);
	cr_expect(zero(u32, s.read_latency));
	rig_free(r);
}

Test(wires, both_watchdogs_share_the_nmi)
{
	struct rig *r = rig_new(false);

	rig_write(r, 0x5802ef00, 1); /* integration test: interrupt output */
	rig_write(r, 0x5802ef04, 2);
	cr_expect(r->nmi);
	rig_write(r, 0x58100000, 1);
	rig_write(r, 0x58040008, 10);
	rig_write(r, 0x58040000, 1);
	rig_wait(r, 15 * HZ_100MHZ);
	rig_write(r, 0x5802ef04, 0);
	cr_expect(r->nmi, "the system watchdog still holds it");
	rig_write(r, 0x58041000, 0);
	cr_expect(r->nmi == 0);
	rig_free(r);
}

/* A policy that is reached at once is an event; of the masked ones nothing is kept. */
Test(ppu, interrupts)
{
	static const struct { const char *board; u32 ppu; unsigned irq; } units[] = {
		{ "corstone-300", 0x58022000, 15 }, { "corstone-300", 0x58023000, 16 }, { "corstone-300", 0x58028000, 14 },
		{ "corstone-300", 0x58029000, 26 }, { "corstone-310", 0x58023000, 14 }, { "corstone-320", 0x5802a000, 14 },
	};

	for (unsigned i = 0; i < ARRAY_LEN(units); i++) {
		struct rig *r = rig_new_board(board_find(units[i].board), false);
		const u32 ppu = units[i].ppu;

		rig_write(r, ppu + 0x30, 0x3f);
		rig_write(r, ppu, 8);
		cr_expect(zero(u32, rig_read(r, ppu + 0x38)));
		rig_write(r, ppu + 0x30, 0x3e);
		rig_write(r, ppu, 0x108);
		cr_expect(not(r->irq[units[i].irq]), "a dynamic policy");
		rig_write(r, ppu, 8);
		cr_expect(eq(u32, rig_read(r, ppu + 0x38), 1));
		cr_expect(r->irq[units[i].irq], "%u", i);
		rig_write(r, ppu + 0x38, 1);
		cr_expect(not(r->irq[units[i].irq]));
		rig_write(r, ppu + 0x30, 0x3c);
		rig_write(r, ppu, 5);
		cr_expect(eq(u32, rig_read(r, ppu + 0x38), 3));
		rig_free(r);
	}
}
