/* SPDX-License-Identifier: Apache-2.0 */
/* Refresh frame of the SSE system watchdog; its peer is the control frame. */
#include "devices/classes.h"
#include "devices/sys_watchdog.h"

#define REGS(R)                                                                \
	R(0x000, 1, WRR, WO, 0, 0xffffffff, "any write refreshes the watchdog")\
	R(0xfcc, 1, W_IIDR, RO, 0x0000143b, 0xffffffff, "implementer: Arm")

REG_TABLE(REGS)

static void refresh_write(struct device *d, u32 offset, u32 value, u32 old)
{
	if (d->peer)
		sys_watchdog_refresh(d->peer);
}

const struct device_class sys_watchdog_refresh_class = {
	.kind = "SSE system watchdog, refresh frame", .size = 0x1000, .rows = rows,
	.row_count = ARRAY_LEN(rows), .pidr = 0x040bb0b1, .write = refresh_write,
};
