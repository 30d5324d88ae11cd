/* SPDX-License-Identifier: Apache-2.0 */
/* CMSDK AHB GPIO, 16 pins (Arm Cortex-M System Design Kit, DDI 0479, "AHB GPIO").
 *
 * Inputs are open (0); pins whose output is enabled read back what is driven. Interrupts of
 * enabled outputs work; edges are seen when the pin value changes. */
#include "devices/classes.h"

#define REGS(R)                                                                 \
	R(0x000, 1, DATA, RW, 0, 0xffff, "pins; writing sets DATAOUT")          \
	R(0x004, 1, DATAOUT, RW, 0, 0xffff, "output values")                    \
	R(0x010, 1, OUTENSET, RW, 0, 0xffff, "output enable, set")              \
	R(0x014, 1, OUTENCLR, RW, 0, 0xffff, "output enable, clear")            \
	R(0x018, 1, ALTFUNCSET, RW, 0, 0xffff, "alternate function, set")       \
	R(0x01c, 1, ALTFUNCCLR, RW, 0, 0xffff, "alternate function, clear")     \
	R(0x020, 1, INTENSET, RW, 0, 0xffff, "interrupt enable, set")           \
	R(0x024, 1, INTENCLR, RW, 0, 0xffff, "interrupt enable, clear")         \
	R(0x028, 1, INTTYPESET, RW, 0, 0xffff, "interrupt by edge, set")        \
	R(0x02c, 1, INTTYPECLR, RW, 0, 0xffff, "interrupt by edge, clear")      \
	R(0x030, 1, INTPOLSET, RW, 0, 0xffff, "interrupt on high or rising, set")   \
	R(0x034, 1, INTPOLCLR, RW, 0, 0xffff, "interrupt on high or rising, clear") \
	R(0x038, 1, INTSTATUS, W1C, 0, 0xffff, "pending interrupts")            \
	R(0x400, 256, MASKLOWBYTE, RW, 0, 0x00ff, "pins 7:0 selected by the address bits 9:2") \
	R(0x800, 256, MASKHIGHBYTE, RW, 0, 0xff00, "pins 15:8 selected by the address bits 9:2")

REG_TABLE(REGS)

enum { PINS = 16, WIRE_COMBINED = 0, WIRE_PIN0 };
static const char *const wires[] = {
	"combined", "pin 0", "pin 1", "pin 2", "pin 3", "pin 4", "pin 5", "pin 6", "pin 7", "pin 8",
	"pin 9", "pin 10", "pin 11", "pin 12", "pin 13", "pin 14", "pin 15", NULL,
};

static u32 pins(struct device *d)
{
	return *device_reg(d, DATAOUT) & *device_reg(d, OUTENSET);
}

static void update_interrupts(struct device *d, u32 before)
{
	u32 now = pins(d), polarity = *device_reg(d, INTPOLSET);
	u32 edges = (now ^ before) & ~(now ^ polarity), levels = ~(now ^ polarity);
	u32 by_edge = *device_reg(d, INTTYPESET), enabled = *device_reg(d, INTENSET);

	if (now != before)
		device_tell(d, DEVICE_PINS, 0, now);
	*device_reg(d, INTSTATUS) |= ((edges & by_edge) | (levels & ~by_edge)) & enabled & 0xffff;
	device_wire(d, WIRE_COMBINED, *device_reg(d, INTSTATUS) != 0);
	for (unsigned pin = 0; pin < PINS; pin++)
		device_wire(d, WIRE_PIN0 + pin, *device_reg(d, INTSTATUS) >> pin & 1);
}

static u32 gpio_read(struct device *d, u32 offset, u32 stored)
{
	if (offset == DATA)
		return pins(d);
	if (offset >= MASKHIGHBYTE)
		return pins(d) & (offset - MASKHIGHBYTE) << 6;
	if (offset >= MASKLOWBYTE)
		return pins(d) & (offset - MASKLOWBYTE) >> 2;
	/* The clear registers read like their set registers. */
	return offset >= OUTENSET && offset <= INTPOLCLR ? *device_reg(d, offset & ~4u) : stored;
}

static void set_output(struct device *d, u32 value, u32 mask)
{
	u32 *out = device_reg(d, DATAOUT);

	*out = (*out & ~mask) | (value & mask);
}

static void gpio_write(struct device *d, u32 offset, u32 value, u32 old)
{
	u32 before = *device_reg(d, DATAOUT) & *device_reg(d, OUTENSET);

	value &= 0xffff;
	if (offset == DATAOUT)
		before = old & *device_reg(d, OUTENSET);
	if (offset == DATA)
		set_output(d, value, 0xffff);
	else if (offset >= MASKHIGHBYTE)
		set_output(d, value, (offset - MASKHIGHBYTE) << 6);
	else if (offset >= MASKLOWBYTE)
		set_output(d, value, (offset - MASKLOWBYTE) >> 2);
	else if (offset >= OUTENSET && offset <= INTPOLCLR && (offset & 4))
		*device_reg(d, offset & ~4u) &= ~value;
	else if (offset >= OUTENSET && offset <= INTPOLCLR)
		*device_reg(d, offset) = old | value;
	if (offset == OUTENSET)
		before = *device_reg(d, DATAOUT) & old;
	update_interrupts(d, before);
}

const struct device_class gpio_class = {
	.kind = "CMSDK GPIO", .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.pidr = 0x041bb820, .wires = wires, .read = gpio_read, .write = gpio_write,
};
