/* SPDX-License-Identifier: Apache-2.0 */
/* CMSDK APB watchdog (Arm Cortex-M System Design Kit, DDI 0479, "APB watchdog") on the slow clock.
 *
 * LOAD starts the down-count; at 0 the interrupt is raised and the count starts again; at 0 for
 * the second time with the interrupt still pending and CTRL[1] set, the reset output rises.
 * While locked, writes are ignored. The integration test registers drive the outputs. */
#include "devices/classes.h"
#include "devices/cmsdk_watchdog.h"

#define REGS(R)                                                                     \
	R(0x000, 1, LOAD, RW, 0xffffffff, 0xffffffff, "start value; writing restarts the count") \
	R(0x004, 1, VALUE, RO, 0xffffffff, 0xffffffff, "down-counter")              \
	R(0x008, 1, CTRL, RW, 0, 3, "0 interrupt and counter enable, 1 reset enable") \
	R(0x00c, 1, INTCLR, WO, 0, 0xffffffff, "any write clears and restarts")     \
	R(0x010, 1, RIS, RO, 0, 1, "raw interrupt status")                          \
	R(0x014, 1, MIS, RO, 0, 1, "masked interrupt status")                       \
	R(0xc00, 1, LOCK, RW, 0, 0xffffffff, "0x1ACCE551 unlocks, others lock; reads 1 when locked") \
	R(0xf00, 1, ITCR, RW, 0, 1, "integration test mode")                        \
	R(0xf04, 1, ITOP, WO, 0, 3, "test mode: 0 reset, 1 interrupt output")

REG_TABLE(REGS)

#define UNLOCK_KEY 0x1acce551u
enum { INT_ENABLE = 1, RESET_ENABLE = 2 };
enum { WIRE_INTERRUPT, WIRE_RESET_REQUEST };
enum { EVENT_ZERO };
static const char *const wires[] = {"interrupt", "reset", NULL};

struct cmsdk_watchdog_state {
	u64 since;   /* tick at which the count was `from` */
	u32 from;
	u32 pending; /* raw interrupt */
	u32 locked;
};

static bool running(struct device *d)
{
	return *device_reg(d, CTRL) & INT_ENABLE;
}

bool cmsdk_watchdog_will_reset(const struct device *watchdog)
{
	const u32 both = INT_ENABLE | RESET_ENABLE;

	return (device_word(watchdog, CTRL) & both) == both;
}

static void update_wires(struct device *d)
{
	const struct cmsdk_watchdog_state *s = d->state;

	if (*device_reg(d, ITCR)) {
		device_wire(d, WIRE_RESET_REQUEST, *device_reg(d, ITOP) & 1);
		device_wire(d, WIRE_INTERRUPT, *device_reg(d, ITOP) & 2);
		return;
	}
	device_wire(d, WIRE_INTERRUPT, s->pending && running(d));
}

static u32 count(struct device *d)
{
	const struct cmsdk_watchdog_state *s = d->state;
	u64 cycles = running(d) ? device_cycles(d, s->since) : 0;

	return cycles < s->from ? s->from - (u32)cycles : 0;
}

static void restart(struct device *d, u32 from)
{
	struct cmsdk_watchdog_state *s = d->state;
	u64 cycles = from ? from : 1;

	s->since = d->sched->now;
	s->from = from;
	device_schedule(d, EVENT_ZERO, running(d) ? s->since + cycles * d->period : SCHED_NEVER);
}

static void reached_zero(struct device *d, const struct sched_event *ev)
{
	struct cmsdk_watchdog_state *s = d->state;

	if (s->pending && (*device_reg(d, CTRL) & RESET_ENABLE))
		device_wire(d, WIRE_RESET_REQUEST, true);
	s->pending = 1;
	update_wires(d);
	restart(d, *device_reg(d, LOAD));
}

static u32 watchdog_read(struct device *d, u32 offset, u32 stored)
{
	const struct cmsdk_watchdog_state *s = d->state;

	switch (offset) {
	case VALUE:
		return count(d);
	case RIS:
		return s->pending;
	case MIS:
		return s->pending && running(d);
	case LOCK:
		return s->locked;
	}
	return stored;
}

static void watchdog_write(struct device *d, u32 offset, u32 value, u32 old)
{
	struct cmsdk_watchdog_state *s = d->state;

	if (offset == LOCK) {
		s->locked = value != UNLOCK_KEY;
		return;
	}
	if (s->locked) {
		*device_reg(d, offset) = old;
		return;
	}
	switch (offset) {
	case LOAD:
		restart(d, value);
		break;
	case CTRL:
		if (value & ~old & INT_ENABLE)
			restart(d, *device_reg(d, LOAD));
		else if (!(value & INT_ENABLE) && (old & INT_ENABLE))
			device_schedule(d, EVENT_ZERO, SCHED_NEVER);
		break;
	case INTCLR:
		s->pending = 0;
		restart(d, *device_reg(d, LOAD));
		break;
	}
	update_wires(d);
}

static void watchdog_reset(struct device *d)
{
	struct cmsdk_watchdog_state *s = d->state;

	s->from = *device_reg(d, LOAD);
}

const struct device_class cmsdk_watchdog_class = {
	.kind = "CMSDK watchdog", .timed = { 0x000, 0xfff }, .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.pidr = 0x041bb824, .state_size = sizeof(struct cmsdk_watchdog_state), .clock_hz = 32768,
	.wires = wires, .read = watchdog_read, .write = watchdog_write, .event = reached_zero,
	.reset = watchdog_reset,
};
