/* SPDX-License-Identifier: Apache-2.0 */
/* Arm virtual I/O of the FVPs (AVH, arm_vio.h): signals out and in by mask, and 64 values.
 *
 * A script says what is read and is told what is written (devices/script.h). Without one, or where it lacks the
 * function, signals in and values are what software wrote last. */
#include "devices/classes.h"
#include "devices/script.h"

#define REGS(R)                                                                  \
	R(0x000, 1, SIGNAL_OUT_MASK, RW, 0, 0xffffffff, "outputs that a write changes") \
	R(0x004, 1, SIGNAL_OUT, RW, 0, 0xffffffff, "outputs")                    \
	R(0x008, 1, SIGNAL_IN_MASK, RW, 0, 0xffffffff, "inputs wanted")          \
	R(0x00c, 1, SIGNAL_IN, RW, 0, 0xffffffff, "inputs")                      \
	R(0x010, 64, VALUE, RW, 0, 0xffffffff, "values")

REG_TABLE(REGS)

static u32 vio_read(struct device *d, u32 offset, u32 stored)
{
	u32 *reg = device_reg(d, offset);

	if (offset == SIGNAL_IN)
		*reg = script_ask(d, HOOK_rdSignal, *device_reg(d, SIGNAL_IN_MASK), 0, stored);
	else if (offset >= VALUE)
		*reg = script_ask(d, HOOK_rdValue, (offset - VALUE) / 4, 0, stored);
	return *reg;
}

static void vio_write(struct device *d, u32 offset, u32 value, u32 old)
{
	const u32 now = *device_reg(d, offset);

	if (offset == SIGNAL_OUT)
		script_ask(d, HOOK_wrSignal, *device_reg(d, SIGNAL_OUT_MASK), now, 0);
	else if (offset >= VALUE)
		script_ask(d, HOOK_wrValue, (offset - VALUE) / 4, now, 0);
}

const struct device_class vio_class = {
	.kind = "virtual I/O (VIO)", .size = 0x10000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.read = vio_read, .write = vio_write,
};
