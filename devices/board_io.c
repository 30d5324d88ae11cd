/* SPDX-License-Identifier: Apache-2.0 */
/* MPS3 board peripherals without behaviour of their own: registers that software may program and
 * read back, with the status values of an idle device to which nothing is connected.
 *
 * Colour LCD: commands and data are accepted and dropped (about 175 000 stores clear the screen
 * once, so nothing happens per store). SBCon I2C: lines are as software drives them, nobody
 * acknowledges. Ethernet: the SMSC 91C111 bank select register reads as "no controller". PL080
 * DMA: no channel, no transfer. "absent": reads zero, for expansion ports. */
#include "devices/classes.h"

static const struct reg_row clcd_rows[] = {
	{0x000, 1, "CHAR_COM", WO, 0, 0xffffffff, "panel command"},
	{0x004, 1, "CHAR_DAT", WO, 0, 0xffffffff, "panel data; reads 0"},
	{0x008, 1, "CHAR_RD", RO, 0, 0xffffffff, "panel data read"},
	{0x00c, 1, "CHAR_RAW", RO, 1, 3, "0: ready"},
	{0x010, 1, "CHAR_MASK", RW, 0, 1, "interrupt mask"},
	{0x014, 1, "CHAR_STAT", RO, 0, 1, "interrupt status"},
	{0x04c, 1, "CHAR_MISC", RW, 0, 0xffffffff, "chip select, reset, backlight, read"},
};

static const struct reg_row i2c_rows[] = {
	{0x000, 1, "CONTROL", RW, 3, 3, "lines 0 SCL, 1 SDA; writing 1 releases a line"},
	{0x004, 1, "CONTROLC", WO, 0, 3, "writing 1 pulls a line low"},
};

static void i2c_write(struct device *d, u32 offset, u32 value, u32 old)
{
	u32 *lines = device_reg(d, 0x000);

	*lines = offset ? *lines & ~value : old | (value & 3);
}

static const struct reg_row i2s_rows[] = {
	{0x000, 1, "CONTROL", RW, 0, 0x0003ffff, "enables, buffer levels, codec reset"},
	{0x004, 1, "STATUS", RO, 0x14, 0x3f, "TX and RX buffers empty"},
	{0x008, 1, "ERROR", W1C, 0, 3, "overrun, underrun"},
	{0x00c, 1, "DIVIDE", RW, 0x20, 0x3ff, "left/right clock divider"},
	{0x010, 1, "TXBUF", WO, 0, 0xffffffff, "sample out: goes nowhere"},
	{0x014, 1, "RXBUF", RO, 0, 0xffffffff, "sample in"},
	{0x300, 1, "ITCR", RW, 0, 1, "integration test mode"},
	{0x304, 1, "ITIP1", RO, 0, 1, "integration test input"},
	{0x308, 1, "ITOP1", RW, 0, 0xf, "integration test output"},
};

static const struct reg_row ethernet_rows[] = {
	{0x00c, 1, "BANK", RO, 0, 0xffffffff, "bank select, 0: no controller"},
};

static const struct reg_row absent_rows[] = {
	{0x000, 1024, "ANY", RO, 0, 0xffffffff, "reads zero"},
};

#define CLASS(name, text, bytes, table, id)                                       \
	const struct device_class name = {                                        \
		.kind = text, .size = bytes, .rows = table, .row_count = ARRAY_LEN(table), \
		.pidr = id,                                                       \
	};

CLASS(clcd_class, "MPS3 colour LCD", 0x1000, clcd_rows, 0)
CLASS(i2s_class, "MPS3 I2S audio", 0x1000, i2s_rows, 0)
CLASS(ethernet_class, "Ethernet (SMSC 91C111)", 0x1000, ethernet_rows, 0)
CLASS(absent_class, "expansion port, nothing there", 0x1000, absent_rows, 0)

const struct device_class dma_pl080_class = {
	.kind = "PL080 DMA", .size = 0x1000, .pidr = 0x000a1080,
};

const struct device_class i2c_class = {
	.kind = "SBCon I2C", .size = 0x1000, .rows = i2c_rows, .row_count = ARRAY_LEN(i2c_rows),
	.write = i2c_write,
};
