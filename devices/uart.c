/* SPDX-License-Identifier: Apache-2.0 */
/* CMSDK APB UART (Arm Cortex-M System Design Kit, DDI 0479, "APB UART").
 *
 * Transmission is instant: TX full is never seen and TX overruns cannot happen. Input bytes
 * arrive one character time (10 bits at BAUDDIV clocks each) after the receiver is enabled or
 * the byte before was taken; with `overruns` set on the host side they come at the line's speed
 * whether anybody reads or not. A byte that waits already when its interrupt is enabled interrupts: nobody
 * types again what an input file has given too early. The high-speed test mode has no effect. Towards a DMA controller, with
 * the interrupts enabled: the receiver requests while it holds a byte, the transmitter once it has sent one. */
#include "devices/uart.h"

#include "devices/classes.h"

#define REGS(R)                                                                             \
	R(0x000, 1, DATA, RW, 0, 0xff, "write: byte to send; read: takes the received byte")\
	R(0x004, 1, STATE, W1C, 0, 0xf, "0 TX full, 1 RX full, 2 TX overrun, 3 RX overrun") \
	R(0x008, 1, CTRL, RW, 0, 0x7f, "0 TX, 1 RX enable; irqs: 2 TX, 3 RX, 4 TX overrun, 5 RX overrun") \
	R(0x00c, 1, INTSTATUS, W1C, 0, 0xf, "0 TX, 1 RX, 2 TX overrun, 3 RX overrun")       \
	R(0x010, 1, BAUDDIV, RW, 0, 0xfffff, "clocks per bit")

REG_TABLE(REGS)

enum { RX_FULL = 2, RX_OVERRUN = 8 };
enum { TX_ENABLE = 1, RX_ENABLE = 2, TX_IRQ = 4, RX_IRQ = 8, RX_OVERRUN_IRQ = 32 };
enum { INT_TX = 1, INT_RX = 2, INT_TX_OVERRUN = 4, INT_RX_OVERRUN = 8 };
enum { WIRE_RX, WIRE_TX, WIRE_COMBINED, WIRE_OVERFLOW, WIRE_RX_REQUEST, WIRE_TX_REQUEST };
enum { EVENT_BYTE };
static const char *const wires[] = {"RX", "TX", "combined", "overflow", "RX request", "TX request", NULL};

struct uart_state {
	u8 received;
};

static void update_wires(struct device *d)
{
	u32 status = *device_reg(d, INTSTATUS);

	device_wire(d, WIRE_RX, status & INT_RX);
	device_wire(d, WIRE_TX, status & INT_TX);
	device_wire(d, WIRE_COMBINED, status != 0);
	device_wire(d, WIRE_OVERFLOW, status & (INT_TX_OVERRUN | INT_RX_OVERRUN));
	device_wire(d, WIRE_RX_REQUEST, *device_reg(d, CTRL) & RX_IRQ && *device_reg(d, STATE) & RX_FULL);
	device_wire(d, WIRE_TX_REQUEST, *device_reg(d, CTRL) & TX_IRQ && status & INT_TX);
}

static void expect_byte(struct device *d)
{
	const struct uart_host *host = d->host;
	u64 clocks = 10 * (u64)*device_reg(d, BAUDDIV);
	bool wanted = host && host->get && (*device_reg(d, CTRL) & RX_ENABLE) &&
		      (host->overruns || !(*device_reg(d, STATE) & RX_FULL));

	device_schedule(d, EVENT_BYTE,
			wanted ? d->sched->now + (clocks ? clocks : 1) * d->period : SCHED_NEVER);
}

static void byte_arrives(struct device *d, const struct sched_event *ev)
{
	const struct uart_host *host = d->host;
	struct uart_state *s = d->state;
	u32 ctrl = *device_reg(d, CTRL);
	int byte = host->get(host->ctx);

	if (byte < 0)
		return;
	if (*device_reg(d, STATE) & RX_FULL) {
		*device_reg(d, STATE) |= RX_OVERRUN;
		if (ctrl & RX_OVERRUN_IRQ)
			*device_reg(d, INTSTATUS) |= INT_RX_OVERRUN;
	}
	s->received = (u8)byte;
	*device_reg(d, STATE) |= RX_FULL;
	if (ctrl & RX_IRQ)
		*device_reg(d, INTSTATUS) |= INT_RX;
	update_wires(d);
	expect_byte(d);
}

static u32 uart_read(struct device *d, u32 offset, u32 stored)
{
	const struct uart_host *host = d->host;
	struct uart_state *s = d->state;

	if (offset != DATA)
		return stored;
	if (*device_reg(d, STATE) & RX_FULL) {
		*device_reg(d, STATE) &= ~(u32)RX_FULL;
		update_wires(d);
		if (!host->overruns)
			expect_byte(d);
	}
	return s->received;
}

static void send(struct device *d, u8 byte)
{
	const struct uart_host *host = d->host;
	u32 ctrl = *device_reg(d, CTRL);

	if (!(ctrl & TX_ENABLE))
		return;
	if (host && host->put)
		host->put(host->ctx, byte);
	if (ctrl & TX_IRQ)
		*device_reg(d, INTSTATUS) |= INT_TX;
}

static void uart_write(struct device *d, u32 offset, u32 value, u32 old)
{
	switch (offset) {
	case DATA:
		send(d, (u8)value);
		break;
	case STATE:
		/* Only the overrun bits are cleared by writing. */
		*device_reg(d, STATE) |= old & 3;
		break;
	case CTRL:
		if (value & ~old & RX_IRQ && *device_reg(d, STATE) & RX_FULL)
			*device_reg(d, INTSTATUS) |= INT_RX;
		if ((value ^ old) & RX_ENABLE)
			expect_byte(d);
		break;
	}
	update_wires(d);
}

void uart_connect(struct device *uart, struct uart_host *host)
{
	uart->host = host;
	expect_byte(uart);
}

const struct device_class uart_class = {
	.kind = "CMSDK UART", .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.pidr = 0x041bb821, .state_size = sizeof(struct uart_state), .wires = wires,
	.read = uart_read, .write = uart_write, .event = byte_arrives,
};
