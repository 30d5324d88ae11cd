/* SPDX-License-Identifier: Apache-2.0 */
/* Arm virtual interfaces of the FVPs: VIO (signals and values) and VSI (streaming).
 *
 * Registers, interrupts and the 1 MHz timer work. The host side, Python scripts in the FVP, is
 * missing: signals in and values are what software wrote last, DMA moves nothing. */
#include "devices/classes.h"

#define REGS(R)                                                                      \
	R(0x000, 1, IRQ_ENABLE, RW, 0, 0xffffffff, "interrupt enable")               \
	R(0x004, 1, IRQ_SET, WO, 0, 0xffffffff, "sets the interrupt")                \
	R(0x008, 1, IRQ_CLEAR, WO, 0, 0xffffffff, "clears the interrupt")            \
	R(0x00c, 1, IRQ_STATUS, RO, 0, 0xffffffff, "interrupt status")               \
	R(0x100, 1, TIMER_CONTROL, RW, 0, 0xf, "0 run, 1 periodic, 2 interrupt, 3 DMA on overflow") \
	R(0x104, 1, TIMER_INTERVAL, RW, 0, 0xffffffff, "microseconds")               \
	R(0x108, 1, TIMER_COUNT, RO, 0, 0xffffffff, "overflows")                     \
	R(0x200, 1, DMA_CONTROL, RW, 0, 3, "0 enable, 1 memory to peripheral")       \
	R(0x204, 1, DMA_ADDRESS, RW, 0, 0xffffffff, "memory address")                \
	R(0x208, 1, DMA_BLOCK_SIZE, RW, 0, 0xfffffffc, "bytes per block")            \
	R(0x20c, 1, DMA_BLOCK_NUM, RW, 0, 0xffffffff, "blocks")                      \
	R(0x210, 1, DMA_BLOCK_INDEX, RO, 0, 0xffffffff, "block in progress")         \
	R(0x300, 64, USER, RW, 0, 0xffffffff, "user registers")

REG_TABLE(REGS)

enum { RUN = 1, PERIODIC = 2, INTERRUPT = 4 };
enum { EVENT_OVERFLOW };
static const char *const wires[] = {"interrupt", NULL};

static const struct reg_row vio_rows[] = {
	{0x000, 1, "SIGNAL_OUT_MASK", RW, 0, 0xffffffff, "outputs that a write changes"},
	{0x004, 1, "SIGNAL_OUT", RW, 0, 0xffffffff, "outputs"},
	{0x008, 1, "SIGNAL_IN_MASK", RW, 0, 0xffffffff, "inputs wanted"},
	{0x00c, 1, "SIGNAL_IN", RW, 0, 0xffffffff, "inputs"},
	{0x010, 64, "VALUE", RW, 0, 0xffffffff, "values"},
};

static void set_status(struct device *d, u32 status)
{
	*device_reg(d, IRQ_STATUS) = status;
	device_wire(d, 0, (status & *device_reg(d, IRQ_ENABLE)) != 0);
}

static void plan(struct device *d)
{
	u64 microseconds = *device_reg(d, TIMER_INTERVAL);
	bool runs = (*device_reg(d, TIMER_CONTROL) & RUN) && microseconds;

	device_schedule(d, EVENT_OVERFLOW,
			runs ? d->sched->now + microseconds * d->period : SCHED_NEVER);
}

static void overflow(struct device *d, const struct sched_event *ev)
{
	u32 *control = device_reg(d, TIMER_CONTROL);

	++*device_reg(d, TIMER_COUNT);
	if (*control & INTERRUPT)
		set_status(d, *device_reg(d, IRQ_STATUS) | 1);
	if (!(*control & PERIODIC))
		*control &= ~(u32)RUN;
	plan(d);
}

static void vsi_write(struct device *d, u32 offset, u32 value, u32 old)
{
	u32 status = *device_reg(d, IRQ_STATUS);

	switch (offset) {
	case IRQ_ENABLE:
		set_status(d, status);
		break;
	case IRQ_SET:
		set_status(d, status | value);
		break;
	case IRQ_CLEAR:
		set_status(d, status & ~value);
		break;
	case TIMER_CONTROL:
		if ((value ^ old) & RUN) {
			*device_reg(d, TIMER_COUNT) = 0;
			plan(d);
		}
		break;
	}
}

const struct device_class vio_class = {
	.kind = "virtual I/O (VIO)", .size = 0x10000, .rows = vio_rows,
	.row_count = ARRAY_LEN(vio_rows),
};

const struct device_class vsi_class = {
	.kind = "virtual streaming interface (VSI)", .size = 0x10000, .rows = rows,
	.row_count = ARRAY_LEN(rows), .clock_hz = 1000000, .wires = wires, .write = vsi_write,
	.event = overflow,
};
