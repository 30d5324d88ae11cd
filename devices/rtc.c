/* SPDX-License-Identifier: Apache-2.0 */
/* PL031 real-time clock (DDI 0224): seconds of simulated time from a fixed start, so that runs
 * repeat; a match with MR raises the interrupt. */
#include "devices/classes.h"
#include "devices/rtc.h"

#define REGS(R)                                                        \
	R(0x000, 1, DR, RO, 0, 0xffffffff, "seconds")                  \
	R(0x004, 1, MR, RW, 0, 0xffffffff, "match value")              \
	R(0x008, 1, LR, RW, 0, 0xffffffff, "writing sets the seconds") \
	R(0x00c, 1, CR, RW, 1, 1, "0: running; cannot be stopped")     \
	R(0x010, 1, IMSC, RW, 0, 1, "interrupt enable")                \
	R(0x014, 1, RIS, RO, 0, 1, "raw interrupt status")             \
	R(0x018, 1, MIS, RO, 0, 1, "masked interrupt status")          \
	R(0x01c, 1, ICR, WO, 0, 1, "clears the interrupt")

REG_TABLE(REGS)

enum { EVENT_MATCH };
static const char *const wires[] = {"match", NULL};

struct rtc_state {
	u64 since; /* tick at which the seconds were LR, or the start */
	u32 raw;
	u32 set;   /* bool: software has written LR */
};

enum { START }; /* params: seconds at the tick 0 */

void rtc_set_start(struct device *rtc, u32 seconds)
{
	rtc->param[START] = seconds;
}

static u32 seconds(struct device *d)
{
	const struct rtc_state *s = d->state;

	return (s->set ? *device_reg(d, LR) : d->param[START]) + (u32)device_cycles(d, s->since);
}

/* Matches beyond the end of simulated time never come. */
static void plan(struct device *d)
{
	struct rtc_state *s = d->state;
	u64 ahead = (u32)(*device_reg(d, MR) - seconds(d));
	u64 whole = device_cycles(d, s->since);

	if (!ahead)
		ahead = UINT64_C(1) << 32;
	device_schedule(d, EVENT_MATCH, whole + ahead < (SCHED_NEVER - s->since) / d->period
						? s->since + (whole + ahead) * d->period : SCHED_NEVER);
	device_wire(d, 0, s->raw && *device_reg(d, IMSC));
}

static void matched(struct device *d, const struct sched_event *ev)
{
	struct rtc_state *s = d->state;

	s->raw = 1;
	plan(d);
}

static u32 rtc_read(struct device *d, u32 offset, u32 stored)
{
	const struct rtc_state *s = d->state;

	switch (offset) {
	case DR:
		return seconds(d);
	case RIS:
		return s->raw;
	case MIS:
		return s->raw & *device_reg(d, IMSC);
	}
	return stored;
}

static void rtc_write(struct device *d, u32 offset, u32 value, u32 old)
{
	struct rtc_state *s = d->state;

	switch (offset) {
	case LR:
		s->since = d->sched->now;
		s->set = 1;
		break;
	case CR:
		*device_reg(d, CR) = 1;
		break;
	case ICR:
		if (value & 1)
			s->raw = 0;
		break;
	}
	if (offset == MR && value == seconds(d))
		s->raw = 1;
	if (offset == MR || offset == LR)
		plan(d);
	device_wire(d, 0, s->raw && *device_reg(d, IMSC));
}

const struct device_class rtc_class = {
	.kind = "PL031 RTC", .timed = { 0x000, 0xfff }, .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.pidr = 0x04041031, .state_size = sizeof(struct rtc_state), .clock_hz = 1, .wires = wires,
	.read = rtc_read, .write = rtc_write, .event = matched,
};
