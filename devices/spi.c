/* SPDX-License-Identifier: Apache-2.0 */
/* PL022 SPI controller (DDI 0194). Nothing is connected: a word sent brings a word of zeros back at
 * once, or itself in loop-back mode. What is written while the controller is disabled, or a slave, which no
 * master clocks here, waits in the transmit FIFO. The FIFOs of eight words, their interrupts and the
 * overrun work; the receive timeout and DMA do not. */
#include "devices/classes.h"

#define REGS(R)                                                                 \
	R(0x000, 1, CR0, RW, 0, 0xffff, "3:0 word size - 1, format, clock rate")\
	R(0x004, 1, CR1, RW, 0, 0xf, "0 loop back, 1 enable, 2 slave, 3 slave output off") \
	R(0x008, 1, DR, RW, 0, 0xffff, "data")                                  \
	R(0x00c, 1, SR, RO, 3, 0x1f, "0 TX empty, 1 TX not full, 2 RX not empty, 3 RX full, 4 busy") \
	R(0x010, 1, CPSR, RW, 0, 0xff, "clock prescaler")                       \
	R(0x014, 1, IMSC, RW, 0, 0xf, "interrupt enable: 0 overrun, 1 timeout, 2 RX, 3 TX") \
	R(0x018, 1, RIS, RO, 8, 0xf, "raw interrupt status")                    \
	R(0x01c, 1, MIS, RO, 0, 0xf, "masked interrupt status")                 \
	R(0x020, 1, ICR, WO, 0, 3, "clears overrun and timeout")                \
	R(0x024, 1, DMACR, RW, 0, 3, "DMA control")

REG_TABLE(REGS)

enum { LOOP_BACK = 1, ENABLE = 2, SLAVE = 4 };
enum { TX_EMPTY = 1, TX_NOT_FULL = 2, RX_NOT_EMPTY = 4, RX_FULL = 8, BUSY = 16 };
enum { INT_OVERRUN = 1, INT_RX = 4, INT_TX = 8 };
enum { FIFO_WORDS = 8 };
static const char *const wires[] = {"interrupt", NULL};

struct spi_state {
	u32 first, count; /* words in the receive FIFO */
	u16 fifo[FIFO_WORDS];
	u16 overrun;
	u16 sent; /* words in the transmit FIFO */
	u16 sending[FIFO_WORDS];
};

static void update(struct device *d)
{
	const struct spi_state *s = d->state;

	*device_reg(d, SR) = (s->sent ? BUSY : TX_EMPTY) | (s->sent < FIFO_WORDS ? TX_NOT_FULL : 0) | (s->count ? RX_NOT_EMPTY : 0) |
			     (s->count == FIFO_WORDS ? RX_FULL : 0);
	*device_reg(d, RIS) = (s->sent <= FIFO_WORDS / 2 ? INT_TX : 0) | (s->count >= FIFO_WORDS / 2 ? INT_RX : 0) |
			      (s->overrun ? INT_OVERRUN : 0);
	*device_reg(d, MIS) = *device_reg(d, RIS) & *device_reg(d, IMSC);
	device_wire(d, 0, *device_reg(d, MIS) != 0);
}

static void transfer(struct device *d, u32 word)
{
	struct spi_state *s = d->state;
	u32 mask = (2u << (*device_reg(d, CR0) & 0xf)) - 1;

	if (s->count == FIFO_WORDS) {
		s->overrun = 1;
		return;
	}
	s->fifo[(s->first + s->count++) % FIFO_WORDS] =
		*device_reg(d, CR1) & LOOP_BACK ? (u16)(word & mask) : 0;
}

/* Words leave as soon as they may. */
static void send(struct device *d)
{
	struct spi_state *s = d->state;

	if ((*device_reg(d, CR1) & (ENABLE | SLAVE)) != ENABLE)
		return;
	for (u32 i = 0; i < s->sent; i++)
		transfer(d, s->sending[i]);
	s->sent = 0;
}

static u32 spi_read(struct device *d, u32 offset, u32 stored)
{
	struct spi_state *s = d->state;
	u32 word;

	if (offset != DR)
		return stored;
	word = s->fifo[s->first];
	if (s->count) {
		s->first = (s->first + 1) % FIFO_WORDS;
		s->count--;
	}
	update(d);
	return word;
}

static void spi_write(struct device *d, u32 offset, u32 value, u32 old)
{
	struct spi_state *s = d->state;

	if (offset == DR && s->sent < FIFO_WORDS)
		s->sending[s->sent++] = (u16)value;
	send(d);
	if (offset == ICR && (value & INT_OVERRUN))
		s->overrun = 0;
	update(d);
}

const struct device_class spi_class = {
	.kind = "PL022 SPI", .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.pidr = 0x00041022, .state_size = sizeof(struct spi_state), .wires = wires,
	.read = spi_read, .write = spi_write,
};
