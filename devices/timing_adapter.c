/* SPDX-License-Identifier: Apache-2.0 */
/* Ethos-U timing adapter (public driver of the core driver's test platform): limits between the NPU
 * and a memory. Registers are kept and read back so that software can program them; the timing
 * model of the NPU does not look at them yet. Statistics read 0. */
#include "devices/classes.h"

#define REGS(R)                                                                   \
	R(0x00, 1, MAXR, RW, 0, 0x3f, "outstanding reads, 0 = no limit")          \
	R(0x04, 1, MAXW, RW, 0, 0x3f, "outstanding writes, 0 = no limit")         \
	R(0x08, 1, MAXRW, RW, 0, 0x3f, "outstanding transfers, 0 = no limit")     \
	R(0x0c, 1, RLATENCY, RW, 0, 0xfff, "least cycles of a read")              \
	R(0x10, 1, WLATENCY, RW, 0, 0xfff, "least cycles of a write")             \
	R(0x14, 1, PULSE_ON, RW, 0, 0xffff, "cycles in which transfers pass")     \
	R(0x18, 1, PULSE_OFF, RW, 0, 0xffff, "cycles in which they do not")       \
	R(0x1c, 1, BWCAP, RW, 0, 0xffff, "64-bit words per pulse, 0 = no limit")  \
	R(0x20, 1, PERFCTRL, RW, 0, 0x3f, "event to count")                       \
	R(0x24, 1, PERFCNT, RW, 0, 0xffffffff, "events")                          \
	R(0x28, 1, MODE, RW, 1, 0xfff, "latency mode")                            \
	R(0x2c, 1, MAXPENDING, RO, 0, 0xffffffff, "most outstanding transfers seen") \
	R(0x30, 1, HISTBIN, RW, 0, 0xf, "histogram bin")                          \
	R(0x34, 1, HISTCNT, RW, 0, 0xffffffff, "events in that bin")              \
	R(0x38, 1, VERSION, RO, 0x1117, 0xffffffff, "version")

REG_TABLE(REGS)

const struct device_class timing_adapter_class = {
	.kind = "Ethos-U timing adapter", .size = 0x200, .rows = rows,
	.row_count = ARRAY_LEN(rows),
};
