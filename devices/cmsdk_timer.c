/* SPDX-License-Identifier: Apache-2.0 */
/* CMSDK APB timer (Arm Cortex-M System Design Kit, DDI 0479, "APB timer"), clocked by the
 * 32.768 kHz slow clock on SSE-300 boards.
 *
 * A down-counter: VALUE counts to 0, where the interrupt is raised, and takes RELOAD one clock
 * later, so the period is RELOAD + 1 clocks. RELOAD 0 stops it at 0. The external input is
 * tied low, so that with CTRL[1] (input enables) or CTRL[2] (input clocks) the timer stands still. */
#include "devices/classes.h"

#define REGS(R)                                                                        \
	R(0x000, 1, CTRL, RW, 0, 0xf, "0 enable, 1 input enables, 2 input clocks, 3 irq enable") \
	R(0x004, 1, VALUE, RW, 0, 0xffffffff, "down-counter")                          \
	R(0x008, 1, RELOAD, RW, 0, 0xffffffff, "value after 0; writing it also sets VALUE") \
	R(0x00c, 1, INTSTATUS, W1C, 0, 1, "0: reached 0")

REG_TABLE(REGS)

enum { ENABLE = 1, EXTERNAL = 6, IRQ_ENABLE = 8 };
enum { EVENT_ZERO };
static const char *const wires[] = {"timer", NULL};

struct cmsdk_timer_state {
	u64 since; /* tick at which VALUE was as stored */
};

static bool running(struct device *d)
{
	u32 ctrl = *device_reg(d, CTRL);

	return (ctrl & ENABLE) && !(ctrl & EXTERNAL);
}

/* Brings the stored VALUE up to now. */
static void catch_up(struct device *d)
{
	struct cmsdk_timer_state *s = d->state;
	u64 cycles = device_cycles(d, s->since);
	u32 value = *device_reg(d, VALUE), reload = *device_reg(d, RELOAD);

	s->since += cycles * d->period;
	if (!running(d))
		return;
	if (cycles <= value)
		value -= (u32)cycles;
	else
		value = reload - (u32)((cycles - value - 1) % ((u64)reload + 1));
	*device_reg(d, VALUE) = value;
}

/* Next time at which VALUE becomes 0. */
static void plan(struct device *d)
{
	struct cmsdk_timer_state *s = d->state;
	u64 cycles = *device_reg(d, VALUE);
	bool will = running(d) && (cycles || *device_reg(d, RELOAD));

	if (!cycles)
		cycles = (u64)*device_reg(d, RELOAD) + 1;
	device_schedule(d, EVENT_ZERO, will ? s->since + cycles * d->period : SCHED_NEVER);
}

static void reached_zero(struct device *d, const struct sched_event *ev)
{
	catch_up(d);
	if (*device_reg(d, CTRL) & IRQ_ENABLE)
		*device_reg(d, INTSTATUS) = 1;
	device_wire(d, 0, *device_reg(d, INTSTATUS));
	plan(d);
}

static u32 timer_read(struct device *d, u32 offset, u32 stored)
{
	if (offset != VALUE)
		return stored;
	catch_up(d);
	return *device_reg(d, VALUE);
}

static void timer_write(struct device *d, u32 offset, u32 value, u32 old)
{
	struct cmsdk_timer_state *s = d->state;
	u32 wanted = *device_reg(d, offset);

	if (offset == INTSTATUS) {
		device_wire(d, 0, wanted);
		return;
	}
	*device_reg(d, offset) = old; /* time up to now ran with the old setting */
	catch_up(d);
	*device_reg(d, offset) = wanted;
	if (offset == RELOAD)
		*device_reg(d, VALUE) = wanted;
	if (offset != CTRL || !(old & ENABLE))
		s->since = d->sched->now;
	plan(d);
}

const struct device_class cmsdk_timer_class = {
	.kind = "CMSDK timer", .timed = { 0x000, 0xfff }, .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.pidr = 0x041bb822, .state_size = sizeof(struct cmsdk_timer_state), .clock_hz = 32768,
	.wires = wires, .read = timer_read, .write = timer_write, .event = reached_zero,
};
