/* SPDX-License-Identifier: Apache-2.0 */
/* The UART: sending, receiving, interrupts, overruns. */
#include "devices/uart.h"
#include "rig.h"

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
