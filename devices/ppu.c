/* SPDX-License-Identifier: Apache-2.0 */
/* Power policy unit (Arm Power Policy Unit architecture, DEN 0051), static policies only: the
 * status follows the policy at once and nothing really loses power. That is an event, which IMR keeps from ISR; a bit of ISR is the
 * interrupt. IMR's reset value is the one that others who have this unit publish. */
#include "devices/classes.h"

#define REGS(R)                                                              \
	R(0x000, 1, PWPR, RW, 0x8, 0xffffffff, "power policy; 8 = on")       \
	R(0x004, 1, PMER, RW, 0, 1, "power mode emulation")                  \
	R(0x008, 1, PWSR, RO, 0x8, 0xffffffff, "power status: follows PWPR") \
	R(0x010, 1, DISR, RO, 0, 0xffffffff, "device interface inputs")      \
	R(0x014, 1, MISR, RO, 0, 0xffffffff, "miscellaneous inputs")         \
	R(0x018, 1, STSR, RO, 0, 0xffffffff, "stored status")                \
	R(0x01c, 1, UNLK, RW, 0, 1, "unlock")                                \
	R(0x020, 1, PWCR, RW, 0, 0xffffffff, "power configuration")          \
	R(0x024, 1, PTCR, RW, 0, 3, "transition configuration")              \
	R(0x030, 1, IMR, RW, 0x3a, 0x3f, "masked: 0 static policy reached, 1 transition accepted, 2 denied, 4:3 the same emulated, 5 locked") \
	R(0x034, 1, AIMR, RW, 0x1f, 0x1f, "additional interrupt mask")       \
	R(0x038, 1, ISR, W1C, 0, 0xffffffff, "interrupt status")             \
	R(0x03c, 1, AISR, W1C, 0, 0x1f, "additional interrupt status")       \
	R(0x040, 1, IESR, RW, 0, 0xffffffff, "input edge sensitivity")       \
	R(0x044, 1, OPSR, RW, 0, 0xffffffff, "operating mode sensitivity")   \
	R(0x050, 1, FUNRR, RW, 0, 0xff, "functional retention RAM")          \
	R(0x054, 1, FULRR, RW, 0, 0xff, "full retention RAM")                \
	R(0x058, 1, MEMRR, RW, 0, 0xff, "memory retention RAM")              \
	R(0x160, 1, EDTR0, RW, 0, 0xffffffff, "power mode entry delay")      \
	R(0x170, 2, DCDR0, RW, 0, 0xffffffff, "device control delay")        \
	R(0xfb0, 1, IDR0, RO, 0, 0xffffffff, "identification")               \
	R(0xfb4, 1, IDR1, RO, 0, 0xffffffff, "identification")               \
	R(0xfc8, 1, IIDR, RO, 0x0b00143b, 0xffffffff, "implementer")         \
	R(0xfcc, 1, AIDR, RO, 0x00000011, 0xffffffff, "architecture 1.1")

REG_TABLE(REGS)

static const char *const wires[] = {"event", NULL};
enum { DYNAMIC = 1 << 8, POLICY_REACHED = 1, ACCEPTED = 2 }; /* PWPR; ISR */

static void ppu_write(struct device *d, u32 offset, u32 value, u32 old)
{
	if (offset == PWPR) {
		*device_reg(d, PWSR) = value;
		if (!(value & DYNAMIC))
			*device_reg(d, ISR) |= (POLICY_REACHED | ACCEPTED) & ~*device_reg(d, IMR);
	}
	device_wire(d, 0, *device_reg(d, ISR));
}

const struct device_class ppu_class = {
	.kind = "power policy unit", .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.wires = wires, .write = ppu_write,
};
