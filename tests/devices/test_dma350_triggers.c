/* SPDX-License-Identifier: Apache-2.0 */
/* DMA-350: triggers by software, between channels, and of peripherals. */
#include "devices/uart.h"
#include "dma350_bench.h"

#define FROM_CHANNEL(n) (3 << 8 | (n))
#define INPUT(n) (2 << 8 | (n))

Test(dma350_triggers, a_command_trigger_starts_the_command)
{
	struct rig *r = bench();

	rig_write(r, CH(0) + INTREN, 1 << 8);
	copy(r, 0, X_TYPE(1) | USE_SOURCE_TRIGGER, RAM + 1, RAM + 0x1000, 3 << 16 | 3, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), SOURCE_WAIT | 1 << 8));
	cr_expect(r->irq[57]);
	EXPECT(RAM + 0x1000, 0, 0, 0);
	rig_write(r, CH(0) + CMD, SOURCE_REQUEST);
	cr_expect(not(r->irq[57]), "the interrupt goes with its cause");
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
	cr_expect(zero(u32, rig_read(r, CH(0) + CMD)));
	EXPECT(RAM + 0x1000, 1, 2, 3, 0);
	rig_free(r);
}

/* Both sides with flow control: what moves is what both allow. */
Test(dma350_triggers, requests_allow_elements_and_blocks)
{
	struct rig *r = bench();

	rig_write(r, CH(0) + SRCTRIGINCFG, 2 << 10 | 2 << 16);
	rig_write(r, CH(0) + DESTRIGINCFG, 2 << 10 | 1 << 16);
	copy(r, 0, X_TYPE(1) | USE_SOURCE_TRIGGER | USE_DESTINATION_TRIGGER, RAM + 1, RAM + 0x1000, 4 << 16 | 4, 1 << 16 | 1);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), SOURCE_WAIT | DESTINATION_WAIT));
	rig_write(r, CH(0) + CMD, SOURCE_REQUEST | BLOCK << 17);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DESTINATION_WAIT));
	rig_write(r, CH(0) + CMD, DESTINATION_REQUEST | SINGLE << 21);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 1, 0);
	rig_write(r, CH(0) + CMD, DESTINATION_REQUEST | BLOCK << 21);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 1, 2, 3, 0);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), SOURCE_WAIT | DESTINATION_WAIT));
	rig_write(r, CH(0) + CMD, SOURCE_REQUEST | DESTINATION_REQUEST);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 1, 2, 3, 4, 0);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
	rig_free(r);
}

Test(dma350_triggers, a_peripheral_says_which_request_is_the_last)
{
	struct rig *r = bench();

	rig_write(r, CH(1) + SRCTRIGINCFG, 3 << 10 | 1 << 16);
	copy(r, 1, X_TYPE(1) | USE_SOURCE_TRIGGER, RAM + 1, RAM + 0x1000, 100 << 16 | 100, 1 << 16 | 1);
	rig_write(r, CH(1) + CMD, SOURCE_REQUEST | SINGLE << 17);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), SOURCE_WAIT));
	rig_write(r, CH(1) + CMD, SOURCE_REQUEST | (BLOCK | LAST) << 17);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), DONE));
	EXPECT(RAM + 0x1000, 1, 2, 3, 0);
	rig_free(r);
}

Test(dma350_triggers, the_end_waits_for_the_acknowledgement_of_its_trigger)
{
	struct rig *r = bench();

	copy(r, 0, X_TYPE(1) | USE_TRIGGER_OUTPUT, RAM + 1, RAM + 0x1000, 2 << 16 | 2, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), ACK_WAIT));
	cr_expect(eq(u32, rig_read(r, CH(0) + CMD), 1), "still busy");
	rig_write(r, CH(0) + CMD, ACKNOWLEDGE);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
	cr_expect(zero(u32, rig_read(r, CH(0) + CMD)));
	copy(r, 0, X_TYPE(1), RAM + 5, RAM + 0x1000, 2 << 16 | 2, 1 << 16 | 1);
	cr_expect(zero(u32, rig_read(r, CH(0) + STATUS)), "a new command clears the end of the one before");
	rig_free(r);
}

/* Channel 1 waits for channel 0, which ends when channel 1 has begun (TRM, internal trigger connection). */
Test(dma350_triggers, a_channel_starts_another)
{
	struct rig *r = bench();

	rig_write(r, CH(1) + SRCTRIGINCFG, FROM_CHANNEL(0) | 2 << 10 | 1 << 16);
	copy_bytes(r, 1, USE_SOURCE_TRIGGER, 0x20, 4);
	rig_write(r, CH(0) + TRIGOUTCFG, 3 << 8);
	rig_write(r, CH(0) + INTREN, 1);
	copy_bytes(r, 0, USE_TRIGGER_OUTPUT, 0x10, 2);
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), SOURCE_WAIT));
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE | 1));
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), DONE), "always a command trigger");
	EXPECT(RAM + 0x1000, 0x20, 0x21, 0x22, 0x23, 0);
	rig_free(r);
}

/* The sender comes first and waits; both trigger inputs must be there before it is acknowledged. */
Test(dma350_triggers, a_sender_waits_for_its_receiver)
{
	struct rig *r = bench();

	rig_write(r, CH(0) + TRIGOUTCFG, 3 << 8);
	copy_bytes(r, 0, USE_TRIGGER_OUTPUT, 0x10, 2);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), ACK_WAIT));
	rig_write(r, CH(1) + DESTRIGINCFG, FROM_CHANNEL(0));
	copy_bytes(r, 1, USE_SOURCE_TRIGGER | USE_DESTINATION_TRIGGER, 0x20, 4);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), SOURCE_WAIT));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), ACK_WAIT));
	rig_write(r, CH(1) + CMD, SOURCE_REQUEST);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), DONE));
	rig_free(r);
}

/* A closed loop of two channels, which software starts: each command restarts once. */
Test(dma350_triggers, a_loop_of_channels)
{
	struct rig *r = bench();

	for (unsigned ch = 0; ch < 2; ch++) {
		rig_write(r, CH(ch) + SRCTRIGINCFG, FROM_CHANNEL(1 - ch));
		rig_write(r, CH(ch) + TRIGOUTCFG, 3 << 8);
		rig_write(r, CH(ch) + AUTOCFG, 1);
		copy_bytes(r, ch, USE_SOURCE_TRIGGER | USE_TRIGGER_OUTPUT | RELOAD_ALL, 0x10 * ch, 2);
	}
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), SOURCE_WAIT));
	rig_write(r, CH(0) + CMD, SOURCE_REQUEST);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), ACK_WAIT), "nobody takes the last");
	rig_write(r, CH(1) + CMD, ACKNOWLEDGE);
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), DONE));
	rig_free(r);
}

Test(dma350_triggers, a_port_has_one_user)
{
	struct rig *r = bench();

	rig_write(r, CH(0) + SRCTRIGINCFG, INPUT(3));
	copy_bytes(r, 0, USE_SOURCE_TRIGGER, 0, 2);
	rig_write(r, CH(1) + DESTRIGINCFG, INPUT(3));
	copy_bytes(r, 1, USE_DESTINATION_TRIGGER, 0, 2);
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), ERROR));
	cr_expect(eq(u32, rig_read(r, CH(1) + ERRINFO), 1 << 3));
	rig_write(r, CH(1) + DESTRIGINCFG, INPUT(4));
	rig_write(r, CH(1) + SRCTRIGINCFG, INPUT(4));
	copy_bytes(r, 1, USE_SOURCE_TRIGGER | USE_DESTINATION_TRIGGER, 0, 2);
	cr_expect(eq(u32, rig_read(r, CH(1) + ERRINFO), 1 << 2 | 1 << 3), "both sides on one");
	rig_write(r, CH(1) + DESTRIGINCFG, INPUT(5));
	copy_bytes(r, 1, USE_SOURCE_TRIGGER | USE_DESTINATION_TRIGGER, 0, 2);
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), SOURCE_WAIT | DESTINATION_WAIT));
	rig_write(r, CH(1) + CMD, SOURCE_REQUEST | DESTINATION_REQUEST);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), DONE), "software gives what no peripheral does");
	rig_free(r);
}

Test(dma350_triggers, an_output_has_one_user)
{
	struct rig *r = bench();

	for (unsigned ch = 0; ch < 2; ch++) {
		rig_write(r, CH(ch) + TRIGOUTCFG, INPUT(2));
		copy_bytes(r, ch, USE_TRIGGER_OUTPUT, 0, 2);
	}
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), ACK_WAIT));
	cr_expect(eq(u32, rig_read(r, CH(1) + ERRINFO), 1 << 4));
	rig_free(r);
}

Test(dma350_triggers, the_type_of_a_request_stays_until_it_is_taken)
{
	struct rig *r = bench();

	rig_write(r, CH(0) + SRCTRIGINCFG, 2 << 10 | 2 << 16);
	rig_write(r, CH(0) + DESTRIGINCFG, 2 << 10 | 2 << 16);
	copy_bytes(r, 0, USE_SOURCE_TRIGGER | USE_DESTINATION_TRIGGER, 1, 4);
	rig_write(r, CH(0) + CMD, SOURCE_REQUEST | BLOCK << 17);
	rig_write(r, CH(0) + CMD, SOURCE_REQUEST | SINGLE << 17);
	rig_write(r, CH(0) + CMD, DESTINATION_REQUEST | BLOCK << 21);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 1, 2, 3, 0);
	rig_free(r);
}

/* A trigger that a command does not use is not looked at, whatever channel its setting names. */
Test(dma350_triggers, unused_inputs_may_name_channels_that_there_are_not)
{
	static const u32 settings[] = { 0x102, 0x1ff, 0x302, 0x3ff };
	struct rig *r = bench();

	for (unsigned i = 0; i < ARRAY_LEN(settings); i++) {
		rig_write(r, CH(0) + SRCTRIGINCFG, settings[i]);
		rig_write(r, CH(0) + DESTRIGINCFG, settings[i]);
		copy_bytes(r, 0, 0, 0x10 * i, 2);
		rig_wait(r, SECONDS(1));
		cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
		EXPECT(RAM + 0x1000, (u8)(0x10 * i), (u8)(0x10 * i + 1), 0);
		rig_write(r, CH(0) + STATUS, DONE);
	}
	rig_free(r);
}

/* Used, the same settings are errors. */
Test(dma350_triggers, used_inputs_must_name_another_channel)
{
	static const u32 settings[] = { 0x102, 0x300, 0x302, 0x3ff };
	struct rig *r = bench();

	for (unsigned i = 0; i < ARRAY_LEN(settings); i++) {
		rig_write(r, CH(0) + SRCTRIGINCFG, settings[i]);
		copy_bytes(r, 0, USE_SOURCE_TRIGGER, 0x10, 2);
		cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), ERROR), "%x", settings[i]);
	}
	rig_free(r);
}

struct line { char sent[16]; unsigned count; const char *typed; };

static void put(void *ctx, u8 byte)
{
	struct line *l = ctx;

	l->sent[l->count++] = (char)byte;
}

static int get(void *ctx)
{
	struct line *l = ctx;

	return *l->typed ? *l->typed++ : -1;
}

enum { UART1 = 0x49304000, UART_CTRL = 8, UART_BAUDDIV = 0x10, UART_BOTH = 3, UART_TX_IRQ = 4, UART_RX_IRQ = 8 };

/* As TF-M's example does it: UART0's receiver at input 0, UART1's transmitter at input 3, peripheral flow control; the
 * first byte to be sent is requested by software. */
Test(dma350_triggers, serial_ports_pace_the_transfer)
{
	struct rig *r = bench();
	struct line typed = {.typed = "typed"}, sent = {.typed = ""};
	struct uart_host in = {put, get, &typed, false}, out = {put, get, &sent, false};

	uart_connect(device_set_find(r->set, "UART0"), &in);
	uart_connect(device_set_find(r->set, "UART1"), &out);
	rig_write(r, UART0 + UART_BAUDDIV, 217);
	rig_write(r, UART0 + UART_CTRL, UART_BOTH | UART_RX_IRQ);
	rig_write(r, UART1 + UART_CTRL, UART_BOTH | UART_TX_IRQ);
	rig_write(r, CH(0) + SRCTRIGINCFG, INPUT(0) | 3 << 10);
	copy(r, 0, X_TYPE(1) | USE_SOURCE_TRIGGER, UART0, RAM + 0x1000, 4 << 16 | 4, 1 << 16);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), SOURCE_WAIT));
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
	EXPECT(RAM + 0x1000, 't', 'y', 'p', 'e', 0);
	rig_write(r, CH(0) + DESTRIGINCFG, INPUT(3) | 3 << 10);
	copy(r, 0, X_TYPE(1) | USE_DESTINATION_TRIGGER, RAM + 0x1000, UART1, 4 << 16 | 4, 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DESTINATION_WAIT), "nothing has been sent yet");
	rig_write(r, CH(0) + CMD, DESTINATION_REQUEST);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
	cr_expect(eq(str, sent.sent, "type"));
	rig_free(r);
}
