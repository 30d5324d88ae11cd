/* SPDX-License-Identifier: Apache-2.0 */
/* Read frame of the SSE system counter; its peer is the control frame. */
#include "devices/classes.h"
#include "devices/sys_counter.h"

#define REGS(R)                                                  \
	R(0x000, 1, CNTCV_LO, RO, 0, 0xffffffff, "count, low word") \
	R(0x004, 1, CNTCV_HI, RO, 0, 0xffffffff, "count, high word")

REG_TABLE(REGS)

static u32 frame_read(struct device *d, u32 offset, u32 stored)
{
	u64 count = d->peer ? sys_counter_value(d->peer) : 0;

	return offset == CNTCV_LO ? (u32)count : (u32)(count >> 32);
}

const struct device_class sys_counter_read_class = {
	.kind = "SSE system counter, read frame", .timed = { 0x000, 0xfff }, .size = 0x1000, .rows = rows,
	.row_count = ARRAY_LEN(rows), .pidr = 0x040bb0bb, .read = frame_read,
};
