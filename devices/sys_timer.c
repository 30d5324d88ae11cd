/* SPDX-License-Identifier: Apache-2.0 */
/* SSE system timer (Corstone SSE-300 TRM, 101773, "System timer"); its peer is the system counter.
 *
 * Two ways to fire: CVAL (condition: count >= CVAL, as long as that is true) and auto-increment
 * (AIVAL_CTL.EN: when the count reaches AIVAL the flag CLR is latched and AIVAL moves on by
 * RELOAD). The first period begins when both the timer and its auto-increment are enabled, and anew where
 * RELOAD is written then. RELOAD 0 fires once. ISTATUS is visible whether or not the interrupt is masked. */
#include "devices/classes.h"
#include "devices/sys_counter.h"

#define REGS(R)                                                                       \
	R(0x000, 1, CNTPCT_LO, RO, 0, 0xffffffff, "system counter, low word")         \
	R(0x004, 1, CNTPCT_HI, RO, 0, 0xffffffff, "system counter, high word")        \
	R(0x010, 1, CNTFRQ, RW, 0, 0xffffffff, "frequency as software sees it; no effect") \
	R(0x020, 1, CNTP_CVAL_LO, RW, 0, 0xffffffff, "compare value, low word")       \
	R(0x024, 1, CNTP_CVAL_HI, RW, 0, 0xffffffff, "compare value, high word")      \
	R(0x028, 1, CNTP_TVAL, RW, 0, 0xffffffff, "CVAL - count, signed 32 bits")     \
	R(0x02c, 1, CNTP_CTL, RW, 0, 3, "0 enable, 1 mask, 2 status (read only)")     \
	R(0x040, 1, CNTP_AIVAL_LO, RO, 0, 0xffffffff, "next auto-increment value, low word") \
	R(0x044, 1, CNTP_AIVAL_HI, RO, 0, 0xffffffff, "next auto-increment value, high word") \
	R(0x048, 1, CNTP_AIVAL_RELOAD, RW, 0, 0xffffffff, "auto-increment period")    \
	R(0x04c, 1, CNTP_AIVAL_CTL, RW, 0, 3, "0 enable, 1 fired (write 0 clears)")   \
	R(0x050, 1, CNTP_CFG, RO, 1, 0xf, "1: auto-increment implemented")

REG_TABLE(REGS)

enum { ENABLE = 1, MASK = 2, STATUS = 4 };
enum { AUTO_ENABLE = 1, AUTO_FIRED = 2 };
enum { EVENT_COMPARE };
static const char *const wires[] = {"timer", NULL};

static u64 pair(struct device *d, u32 low_offset)
{
	return *device_reg(d, low_offset) | (u64)*device_reg(d, low_offset + 4) << 32;
}

static void set_pair(struct device *d, u32 low_offset, u64 value)
{
	*device_reg(d, low_offset) = (u32)value;
	*device_reg(d, low_offset + 4) = (u32)(value >> 32);
}

static bool automatic(struct device *d)
{
	return *device_reg(d, CNTP_AIVAL_CTL) & AUTO_ENABLE;
}

static bool counts_periods(struct device *d)
{
	return automatic(d) && *device_reg(d, CNTP_CTL) & ENABLE;
}

static bool fired(struct device *d)
{
	if (automatic(d))
		return *device_reg(d, CNTP_AIVAL_CTL) & AUTO_FIRED;
	return sys_counter_value(d->peer) >= pair(d, CNTP_CVAL_LO);
}

/* Latches passed auto-increment values, drives the line, schedules the next moment of interest. */
static void update(struct device *d)
{
	bool enabled = *device_reg(d, CNTP_CTL) & ENABLE;
	u64 when = SCHED_NEVER, count = sys_counter_value(d->peer);

	if (enabled && automatic(d)) {
		u64 next = pair(d, CNTP_AIVAL_LO), step = *device_reg(d, CNTP_AIVAL_RELOAD);

		if (count >= next) {
			*device_reg(d, CNTP_AIVAL_CTL) |= AUTO_FIRED;
			next += step ? ((count - next) / step + 1) * step : 0;
			set_pair(d, CNTP_AIVAL_LO, next);
		}
		if (count < next)
			when = sys_counter_when(d->peer, next);
	} else if (enabled && !fired(d)) {
		when = sys_counter_when(d->peer, pair(d, CNTP_CVAL_LO));
	}
	device_schedule(d, EVENT_COMPARE, when);
	device_wire(d, 0, enabled && !(*device_reg(d, CNTP_CTL) & MASK) && fired(d));
}

static void compare_due(struct device *d, const struct sched_event *ev)
{
	update(d);
}

static u32 timer_read(struct device *d, u32 offset, u32 stored)
{
	u64 count = sys_counter_value(d->peer);

	switch (offset) {
	case CNTPCT_LO:
		return (u32)count;
	case CNTPCT_HI:
		return (u32)(count >> 32);
	case CNTP_TVAL:
		return (u32)(pair(d, CNTP_CVAL_LO) - count);
	case CNTP_CTL:
		return stored | ((stored & ENABLE) && fired(d) ? STATUS : 0);
	}
	return stored;
}

/* Was it enabled by this write, or is the period another one? */
static bool begins_period(struct device *d, u32 offset, u32 value, u32 old)
{
	const bool enables = (offset == CNTP_CTL || offset == CNTP_AIVAL_CTL) && value & ~old & 1;

	return counts_periods(d) && (enables || offset == CNTP_AIVAL_RELOAD);
}

static void timer_write(struct device *d, u32 offset, u32 value, u32 old)
{
	const u64 count = sys_counter_value(d->peer);

	if (offset == CNTP_TVAL)
		set_pair(d, CNTP_CVAL_LO, count + (u64)(i64)(i32)value);
	if (offset == CNTP_AIVAL_CTL) /* software cannot set the flag, only clear it */
		*device_reg(d, offset) = (value & AUTO_ENABLE) | (value & old & AUTO_FIRED);
	if (begins_period(d, offset, value, old))
		set_pair(d, CNTP_AIVAL_LO, count + *device_reg(d, CNTP_AIVAL_RELOAD));
	update(d);
}

static bool timer_start(struct device *d, struct bus *bus)
{
	return d->peer && d->peer->cls == &sys_counter_class;
}

const struct device_class sys_timer_class = {
	.kind = "SSE system timer", .timed = { 0x000, 0xfff }, .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.pidr = 0x040bb0b7, .wires = wires, .read = timer_read, .write = timer_write,
	.event = compare_due, .peer_changed = update, .start = timer_start,
};
