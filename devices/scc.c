/* SPDX-License-Identifier: Apache-2.0 */
/* MPS3 serial communication controller (Arm MPS3 FPGA Prototyping Board TRM, 100765; AN547, AN552).
 * Board configuration calls complete at once: reads return 0. CFG5 (the core clock as the board's
 * controller would report it) reads 0, as software on the FVP sees it. */
#include "devices/classes.h"

#define REGS(R)                                                                      \
	R(0x000, 1, CFG0, RW, 0, 0xffffffff, "0 memory remap")                       \
	R(0x004, 1, CFG1, RW, 0, 0xffffffff, "LEDs of the board controller")         \
	R(0x008, 1, CFG2, RW, 0, 0xffffffff, "reserved for the board controller")    \
	R(0x00c, 1, CFG3, RO, 0, 0xff, "user switches")                              \
	R(0x010, 1, CFG4, RO, 2, 0xf, "board revision, 0 = A")                       \
	R(0x014, 1, CFG5, RO, 0, 0xffffffff, "core clock in Hz, 0: not told")        \
	R(0x0a0, 1, CFGDATA_RTN, RW, 0, 0xffffffff, "data returned by a configuration call") \
	R(0x0a4, 1, CFGDATA_OUT, RW, 0, 0xffffffff, "data for a configuration call") \
	R(0x0a8, 1, CFGCTRL, RW, 0, 0xffffffff, "31 start, 30 write, 25:20 function, 11:0 device") \
	R(0x0ac, 1, CFGSTAT, RW, 0, 3, "0 complete, 1 error")                        \
	R(0x100, 1, DLL, RO, 0x00ff0001, 0xffffffff, "clock generators locked")      \
	R(0xff8, 1, AID, RO, 0, 0xffffffff, "31:24 build, 23:20 revision, 7:0 CFG registers") \
	R(0xffc, 1, ID, RO, 0, 0xffffffff, "31:24 implementer, 15:4 application note")

REG_TABLE(REGS)

#define START 0x80000000u
static const char *const params[] = {"ID", "AID", NULL};

static void scc_write(struct device *d, u32 offset, u32 value, u32 old)
{
	if (offset != CFGCTRL || !(value & START))
		return;
	*device_reg(d, CFGCTRL) &= ~START;
	*device_reg(d, CFGSTAT) = 1;
	*device_reg(d, CFGDATA_RTN) = 0;
}

static void scc_reset(struct device *d)
{
	*device_reg(d, ID) = d->param[SCC_PARAM_ID];
	*device_reg(d, AID) = d->param[SCC_PARAM_AID];
}

const struct device_class scc_class = {
	.kind = "MPS3 SCC", .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.params = params, .write = scc_write, .reset = scc_reset,
};
