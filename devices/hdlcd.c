/* SPDX-License-Identifier: Apache-2.0 */
/* HDLCD display controller (Arm HDLCD, as in the SSE-320 FVP): registers only. Nothing is shown, the
 * frame buffer is not read, and the vertical synchronisation interrupt never comes. */
#include "devices/classes.h"

#define REGS(R)                                                                  \
	R(0x000, 1, VERSION, RO, 0x1cdc0000, 0xffffffff, "product and version")  \
	R(0x010, 1, INT_RAWSTAT, RW, 0, 0xf, "raw interrupts; writing sets")     \
	R(0x014, 1, INT_CLEAR, WO, 0, 0xf, "clears interrupts")                  \
	R(0x018, 1, INT_MASK, RW, 0, 0xf, "interrupt enable")                    \
	R(0x01c, 1, INT_STATUS, RO, 0, 0xf, "enabled interrupts")                \
	R(0x100, 1, FB_BASE, RW, 0, 0xffffffff, "frame buffer address")          \
	R(0x104, 1, FB_LINE_LENGTH, RW, 0, 0xffffffff, "bytes of a line")        \
	R(0x108, 1, FB_LINE_COUNT, RW, 0, 0xffffffff, "lines - 1")               \
	R(0x10c, 1, FB_LINE_PITCH, RW, 0, 0xffffffff, "bytes from line to line") \
	R(0x110, 1, BUS_OPTIONS, RW, 0x408, 0xf1f, "outstanding bursts, burst lengths") \
	R(0x200, 1, V_SYNC, RW, 0, 0xfff, "lines - 1")                           \
	R(0x204, 1, V_BACK_PORCH, RW, 0, 0xfff, "lines - 1")                     \
	R(0x208, 1, V_DATA, RW, 0, 0xfff, "lines - 1")                           \
	R(0x20c, 1, V_FRONT_PORCH, RW, 0, 0xfff, "lines - 1")                    \
	R(0x210, 1, H_SYNC, RW, 0, 0xfff, "clocks - 1")                          \
	R(0x214, 1, H_BACK_PORCH, RW, 0, 0xfff, "clocks - 1")                    \
	R(0x218, 1, H_DATA, RW, 0, 0xfff, "clocks - 1")                          \
	R(0x21c, 1, H_FRONT_PORCH, RW, 0, 0xfff, "clocks - 1")                   \
	R(0x220, 1, POLARITIES, RW, 0, 0x1f, "signal polarities")                \
	R(0x230, 1, COMMAND, RW, 0, 1, "0 enable")                               \
	R(0x240, 1, PIXEL_FORMAT, RW, 0, 0xffffffff, "bytes per pixel, endianness") \
	R(0x244, 3, COLOUR_SELECT, RW, 0, 0x00ffffff, "red, green, blue: position, width, default")

REG_TABLE(REGS)

static const char *const wires[] = {"interrupt", NULL};

static void hdlcd_write(struct device *d, u32 offset, u32 value, u32 old)
{
	if (offset == INT_RAWSTAT)
		*device_reg(d, INT_RAWSTAT) |= old;
	if (offset == INT_CLEAR)
		*device_reg(d, INT_RAWSTAT) &= ~value;
	*device_reg(d, INT_STATUS) = *device_reg(d, INT_RAWSTAT) & *device_reg(d, INT_MASK);
	device_wire(d, 0, *device_reg(d, INT_STATUS) != 0);
}

const struct device_class hdlcd_class = {
	.kind = "HDLCD", .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.wires = wires, .write = hdlcd_write,
};
