/* SPDX-License-Identifier: Apache-2.0 */
/* Armv8-M generic watchdog of the SSE subsystems (SBSA watchdog layout): control frame. Its peer is
 * the system counter.
 *
 * A compare value WCV = count + WOR is set when the watchdog is enabled, refreshed, or WOR is
 * written. When the count passes it the first time, WS0 (interrupt) rises and the compare value
 * moves on by WOR; the second time, WS1 (reset request). */
#include "devices/classes.h"
#include "devices/sys_counter.h"
#include "devices/sys_watchdog.h"

#define REGS(R)                                                                  \
	R(0x000, 1, WCS, RW, 0, 1, "0 enable, 1 WS0, 2 WS1 (read only)")         \
	R(0x008, 1, WOR, RW, 0, 0xffffffff, "offset added to the count")         \
	R(0x010, 1, WCV_LO, RW, 0, 0xffffffff, "compare value, low word")        \
	R(0x014, 1, WCV_HI, RW, 0, 0xffffffff, "compare value, high word")       \
	R(0xfcc, 1, W_IIDR, RO, 0x0000143b, 0xffffffff, "implementer: Arm")

REG_TABLE(REGS)

enum { ENABLE = 1 };
enum { WIRE_WS0, WIRE_WS1 };
enum { EVENT_COMPARE };
static const char *const wires[] = {"WS0", "WS1", NULL};

struct sys_watchdog_state {
	u32 expired; /* bit 0 WS0, bit 1 WS1 */
};

static u64 compare_value(struct device *d)
{
	return *device_reg(d, WCV_LO) | (u64)*device_reg(d, WCV_HI) << 32;
}

static void plan(struct device *d)
{
	const struct sys_watchdog_state *s = d->state;
	bool waits = (*device_reg(d, WCS) & ENABLE) && !(s->expired & 2);

	device_schedule(d, EVENT_COMPARE,
			waits ? sys_counter_when(d->peer, compare_value(d)) : SCHED_NEVER);
	device_wire(d, WIRE_WS0, s->expired & 1);
	device_wire(d, WIRE_WS1, s->expired & 2);
	device_notify_users(d);
}

bool sys_watchdog_runs(const struct device *control_frame)
{
	return device_word(control_frame, WCS) & ENABLE;
}

bool sys_watchdog_requests_reset(const struct device *control_frame)
{
	const struct sys_watchdog_state *s = control_frame->state;

	return s->expired & 2;
}

static void set_compare(struct device *d)
{
	u64 value = sys_counter_value(d->peer) + *device_reg(d, WOR);

	*device_reg(d, WCV_LO) = (u32)value;
	*device_reg(d, WCV_HI) = (u32)(value >> 32);
}

void sys_watchdog_refresh(struct device *d)
{
	struct sys_watchdog_state *s = d->state;

	s->expired = 0;
	set_compare(d);
	plan(d);
}

static void compare_due(struct device *d, const struct sched_event *ev)
{
	struct sys_watchdog_state *s = d->state;

	if (sys_counter_value(d->peer) >= compare_value(d)) {
		s->expired = s->expired & 1 ? 3 : 1;
		set_compare(d);
	}
	plan(d);
}

static u32 watchdog_read(struct device *d, u32 offset, u32 stored)
{
	const struct sys_watchdog_state *s = d->state;

	return offset == WCS ? stored | s->expired << 1 : stored;
}

static void watchdog_write(struct device *d, u32 offset, u32 value, u32 old)
{
	if (offset == WCS || offset == WOR)
		sys_watchdog_refresh(d);
	else
		plan(d);
}

static bool watchdog_start(struct device *d, struct bus *bus)
{
	return d->peer && d->peer->cls == &sys_counter_class;
}

const struct device_class sys_watchdog_class = {
	.kind = "SSE system watchdog, control frame", .timed = { 0x000, 0xfff }, .size = 0x1000, .rows = rows,
	.row_count = ARRAY_LEN(rows), .pidr = 0x040bb0b0,
	.state_size = sizeof(struct sys_watchdog_state), .wires = wires, .read = watchdog_read,
	.write = watchdog_write, .event = compare_due, .peer_changed = plan,
	.start = watchdog_start,
};
