/* SPDX-License-Identifier: Apache-2.0 */
/* UART, GPIO, system control, protection. */
#include "devices/sacfg.h"
#include "devices/timing_adapter.h"
#include "devices/uart.h"
#include "rig.h"

#include <string.h>

#define UART0 0x49303000

struct terminal {
	char sent[32];
	unsigned count;
	const char *input;
};

static void put(void *ctx, u8 byte)
{
	struct terminal *t = ctx;

	t->sent[t->count++] = (char)byte;
}

static int get(void *ctx)
{
	struct terminal *t = ctx;

	return *t->input ? *t->input++ : -1;
}

Test(uart, sends_and_interrupts)
{
	struct rig *r = rig_new(false);
	struct terminal t = {.input = ""};
	struct uart_host host = {put, get, &t, false};

	uart_connect(device_set_find(r->set, "UART0"), &host);
	rig_write(r, UART0, 'x');
	cr_expect(zero(uint, t.count), "transmitter is off");
	rig_write(r, UART0 + 8, 5); /* TX, TX irq */
	rig_write(r, UART0, 'H');
	rig_write(r, UART0 + 0x10000000, 'i');
	cr_expect(eq(str, t.sent, "Hi"));
	cr_expect(r->irq[34] && r->irq[43]);
	cr_expect(zero(u32, rig_read(r, UART0 + 4) & 1), "never full");
	rig_write(r, UART0 + 0xc, 1);
	cr_expect(r->irq[34] == 0 && r->irq[43] == 0);
	rig_free(r);
}

Test(uart, corstone_320_shows_it_at_two_places)
{
	struct rig *r = rig_new_board(board_find("corstone-320"), false);
	struct terminal t = {.input = ""};
	struct uart_host host = {put, get, &t, false};

	uart_connect(device_set_find(r->set, "UART0"), &host);
	rig_write(r, 0x59303008, 1);
	rig_write(r, 0x48203000, 'a');
	rig_write(r, 0x58203000, 'b');
	rig_write(r, 0x49303000, 'c');
	cr_expect(eq(str, t.sent, "abc"));
	rig_free(r);
}

Test(uart, receives_at_the_lines_pace_without_loss)
{
	struct rig *r = rig_new(false);
	struct terminal t = {.input = "ab"};
	struct uart_host host = {put, get, &t, false};
	const u64 character = 10 * 20 * (SCHED_TICKS_PER_SECOND / 25000000);

	uart_connect(device_set_find(r->set, "UART0"), &host);
	rig_write(r, UART0 + 0x10, 20);
	rig_write(r, UART0 + 8, 0xa); /* RX, RX irq */
	rig_wait(r, character - 1);
	cr_expect(zero(u32, rig_read(r, UART0 + 4)));
	rig_wait(r, 1);
	cr_expect(eq(u32, rig_read(r, UART0 + 4), 2));
	cr_expect(r->irq[33]);
	rig_wait(r, 100 * character);
	cr_expect(eq(u32, rig_read(r, UART0), 'a'));
	rig_wait(r, character);
	cr_expect(eq(u32, rig_read(r, UART0), 'b'));
	rig_wait(r, 10 * character);
	cr_expect(zero(u32, rig_read(r, UART0 + 4)), "end of input");
	rig_free(r);
}

Test(uart, a_byte_that_waits_interrupts_when_that_is_enabled)
{
	struct rig *r = rig_new(false);
	struct terminal t = {.input = "ab"};
	struct uart_host host = {put, get, &t, false};

	uart_connect(device_set_find(r->set, "UART0"), &host);
	rig_write(r, UART0 + 8, 2); /* RX */
	rig_wait(r, SECONDS(1));
	cr_expect(r->irq[33] == 0);
	rig_write(r, UART0 + 8, 0xa);
	cr_expect(r->irq[33]);
	rig_write(r, UART0 + 0xc, 2);
	rig_write(r, UART0 + 8, 0xa);
	cr_expect(r->irq[33] == 0, "once");
	cr_expect(eq(u32, rig_read(r, UART0), 'a'));
	rig_wait(r, SECONDS(1));
	cr_expect(r->irq[33]);
	rig_free(r);
}

Test(uart, overruns_when_input_does_not_wait)
{
	struct rig *r = rig_new(false);
	struct terminal t = {.input = "abc"};
	struct uart_host host = {put, get, &t, true};

	uart_connect(device_set_find(r->set, "UART0"), &host);
	rig_write(r, UART0 + 0x10, 20);
	rig_write(r, UART0 + 8, 0x22); /* RX, RX overrun irq */
	rig_wait(r, SECONDS(1) / 100);
	cr_expect(eq(u32, rig_read(r, UART0 + 4), 0xa));
	cr_expect(r->irq[48]);
	cr_expect(eq(u32, rig_read(r, UART0), 'c'));
	rig_write(r, UART0 + 4, 8);
	rig_write(r, UART0 + 0xc, 8);
	cr_expect(zero(u32, rig_read(r, UART0 + 4)));
	cr_expect(r->irq[48] == 0);
	rig_free(r);
}

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

Test(sysctrl, reset_request_and_vector_base)
{
	struct rig *r = rig_new(false);
	const u32 sysctrl = 0x58021000;

	cr_expect(eq(u32, rig_read(r, sysctrl + 0x110), 0x10000000));
	cr_expect(eq(u32, rig_read(r, sysctrl + 0x100), 1));
	rig_write(r, sysctrl + 0x108, 0x20);
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
	cr_expect(eq(u32, rig_read(r, sysctrl + 0x110), 0x11000001), "retained");
	device_set_reset(r->set);
	cr_expect(eq(u32, rig_read(r, sysctrl + 0x110), 0x10000000));
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

Test(mpc, geometry_and_table)
{
	struct rig *r = rig_new(false);

	cr_expect(eq(u32, rig_read(r, 0x57002014), 15), "1 MiB blocks");
	cr_expect(eq(u32, rig_read(r, 0x57002010), 63));
	cr_expect(eq(u32, rig_read(r, 0x57000014), 9), "16 KiB blocks");
	cr_expect(eq(u32, rig_read(r, 0x57000010), 3));
	rig_write(r, 0x5700001c, 0x11);
	rig_write(r, 0x5700001c, 0x22);
	cr_expect(eq(u32, rig_read(r, 0x57000018), 2), "the index moves on");
	rig_write(r, 0x57000018, 0);
	cr_expect(eq(u32, rig_read(r, 0x5700001c), 0x11));
	cr_expect(eq(u32, rig_read(r, 0x5700001c), 0x22));
	rig_write(r, 0x57000000, 0x140);
	cr_expect(eq(u32, rig_read(r, 0x57000000), 0x1c0), "gating acknowledged");
	rig_write(r, 0x57000000, 0x80000100);
	rig_write(r, 0x57000018, 0);
	rig_write(r, 0x5700001c, 0xff);
	rig_write(r, 0x57000018, 0);
	cr_expect(eq(u32, rig_read(r, 0x5700001c), 0x11), "locked");
	rig_free(r);
}

Test(mpc, gates_non_secure_accesses)
{
	struct rig *r = rig_new(true);
	const struct bus_attr ns = {false, true, BUS_CPU};
	u32 value;

	rig_write(r, 0x57000000, 0x10); /* no auto-increment, bus errors */
	rig_write(r, 0x57000018, 0);
	rig_write(r, 0x5700001c, 0x2); /* block 1 is Non-secure */
	rig_write(r, 0x57000028, 1);
	rig_write(r, 0x01004000, 42);
	cr_expect(eq(int, bus_read(r->bus, 0x01004000, 4, ns, &value), BUS_OK));
	cr_expect(eq(u32, value, 42));
	cr_expect(r->irq[9] == 0);
	cr_expect(eq(int, bus_read(r->bus, 0x01008004, 4, ns, &value), BUS_REFUSED));
	cr_expect(r->irq[9]);
	cr_expect(eq(u32, rig_read(r, 0x5700002c), 0x8004));
	cr_expect(eq(u32, rig_read(r, 0x5008001c), 0x10000), "SECMPCINTSTAT");
	cr_expect(zero(u32, rig_read(r, 0x01008004)), "Secure passes");
	cr_expect(eq(int, bus_read(r->bus, 0x0100c008, 4, ns, &value), BUS_REFUSED));
	cr_expect(eq(u32, rig_read(r, 0x5700002c), 0x8004), "the first one stays");
	rig_write(r, 0x57000024, 1);
	cr_expect(zero(u32, rig_read(r, 0x5008001c)));
	rig_free(r);
}

Test(mpc, answers_zeros_instead_of_bus_errors)
{
	struct rig *r = rig_new(true);
	const struct bus_attr ns = {false, true, BUS_CPU};
	u32 value;

	rig_write(r, 0x01000000, 42);
	cr_expect(eq(int, bus_read(r->bus, 0x01000000, 4, ns, &value), BUS_OK));
	cr_expect(zero(u32, value));
	cr_expect(eq(int, bus_write(r->bus, 0x01000000, 4, ns, 7), BUS_OK));
	cr_expect(eq(u32, rig_read(r, 0x01000000), 42));
	cr_expect(eq(u32, rig_read(r, 0x57000020), 1), "recorded all the same");
	rig_free(r);
}

/* ISRAM is one memory with two controllers. */
Test(mpc, each_half_of_the_internal_memory_has_its_own)
{
	struct rig *r = rig_new(true);
	const struct bus_attr ns = {false, true, BUS_CPU};
	u32 value;

	rig_write(r, 0x50083000, 0x10);
	rig_write(r, 0x50084000, 0x10);
	rig_write(r, 0x5008401c, 1);
	cr_expect(eq(int, bus_read(r->bus, 0x21000000, 4, ns, &value), BUS_REFUSED));
	cr_expect(eq(int, bus_read(r->bus, 0x21200000, 4, ns, &value), BUS_OK));
	rig_write(r, 0x50083018, 0);
	rig_write(r, 0x5008301c, 1);
	cr_expect(eq(int, bus_read(r->bus, 0x21000000, 4, ns, &value), BUS_OK));
	cr_expect(eq(int, bus_read(r->bus, 0x31004000, 4, ns, &value), BUS_REFUSED));
	rig_free(r);
}

Test(ppc, gates_by_security_and_privilege)
{
	struct rig *r = rig_new(true);
	const struct bus_attr ns = {false, true, BUS_CPU}, ns_user = {false, false, BUS_CPU};
	const struct bus_attr user = {true, false, BUS_CPU};
	u32 value;

	cr_expect(eq(int, bus_read(r->bus, UART0 + 0x10, 4, ns, &value), BUS_OK));
	cr_expect(zero(u32, value), "SECRESPCFG = 0: reads as zero");
	rig_write(r, 0x50080010, 1);
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, ns, &value), BUS_REFUSED));
	rig_write(r, 0x50080028, 0x10);
	cr_expect(r->irq[10]);
	rig_write(r, 0x50080024, 0x10);
	cr_expect(r->irq[10] == 0);
	rig_write(r, 0x50080088, 1 << 3); /* UART0 Non-secure */
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, ns, &value), BUS_OK));
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, ns_user, &value), BUS_REFUSED));
	rig_write(r, 0x400800c8, 1 << 3);
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, ns_user, &value), BUS_OK));
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, user, &value), BUS_REFUSED));
	rig_write(r, 0x500800c8, 1 << 3);
	cr_expect(eq(int, bus_read(r->bus, UART0, 4, user, &value), BUS_OK));
	rig_free(r);
}

static void settings_changed(void *ctx, const struct timing_adapter_settings *settings)
{
	*(struct timing_adapter_settings *)ctx = *settings;
}

Test(sacfg, what_the_board_ties_nsccfg_to_survives_resets)
{
	struct rig *r = rig_new(false);
	struct device *sacfg = device_set_find(r->set, "SACFG");

	cr_expect(zero(u32, rig_read(r, 0x50080014)));
	sacfg_set_nsccfg(sacfg, 2);
	cr_expect(eq(u32, rig_read(r, 0x50080014), 2));
	rig_write(r, 0x50080014, 1);
	cr_expect(eq(u32, sacfg_nsccfg(sacfg), 1));
	device_reset(sacfg);
	cr_expect(eq(u32, sacfg_nsccfg(sacfg), 2));
	rig_free(r);
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

Test(board, attribution)
{
	const struct board *b = board_find("corstone-300");
	struct cpu_idau at;

	b->idau(0, 0x10000000, &at);
	cr_expect(at.secure && !at.nsc && !at.exempt && at.region == 1);
	b->idau(1, 0x10000000, &at);
	cr_expect(at.secure && at.nsc);
	b->idau(2, 0x30000000, &at);
	cr_expect(at.secure && at.nsc);
	b->idau(3, 0x50000000, &at);
	cr_expect(at.secure && !at.nsc);
	b->idau(3, 0x20000000, &at);
	cr_expect(at.secure == 0 && at.nsc == 0);
	b->idau(0, 0xe000ed00, &at);
	cr_expect(at.exempt);
	b->idau(0, 0xe0100000, &at);
	cr_expect(at.exempt == 0 && at.secure == 0);
}
