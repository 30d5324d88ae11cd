/* SPDX-License-Identifier: Apache-2.0 */
/* SSE-320 security alarm manager, as far as the register accesses of boot software need it (driver and
 * device headers of TF-M's corstone320 platform): storage; no alarm is raised. */
#include "devices/classes.h"

#define REGS(R)                                                             \
	R(0x000, 1, BC, RO, 0, 0xffffffff, "build configuration")           \
	R(0x004, 2, ES, RO, 0, 0xffffffff, "event status")                  \
	R(0x00c, 2, ECL, WO, 0, 0xffffffff, "event clear")                  \
	R(0x014, 2, EM, RW, 0, 0xffffffff, "export mask")                    \
	R(0x01c, 2, IM, RW, 0, 0xffffffff, "input mask")                \
	R(0x024, 8, RRLS, RW, 0, 0xffffffff, "response lists")              \
	R(0x044, 8, EC, RW, 0, 0xffffffff, "event counters")                \
	R(0x064, 1, ECTIV, RW, 0, 0xffffffff, "event counter timer initial value") \
	R(0x068, 1, WDCIV, RW, 0, 0xffffffff, "watchdog counter initial value") \
	R(0x06c, 1, RL, RW, 0, 0xffffffff, "register lock")                 \
	R(0x070, 1, ICV, RW, 0, 0xffffffff, "integrity check value")        \
	R(0x074, 1, CDRES, RW, 0, 0xffffffff, "lock-step errors")           \
	R(0x078, 3, RRES, RW, 0, 0xffffffff, "reliability errors")          \
	R(0x084, 14, CA, RW, 0, 0xffffffff, "captured addresses")

REG_TABLE(REGS)

static const char *const wires[] = {"critical", "severe", NULL};

const struct device_class sam_class = {
	.kind = "SSE-320 security alarm manager", .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.wires = wires,
};
