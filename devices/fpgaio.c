/* SPDX-License-Identifier: Apache-2.0 */
/* MPS3 FPGA system control, "FPGAIO" (AN547): LEDs, buttons, free-running counters.
 *
 * The counters are computed from simulated time: 1 Hz, 100 Hz, and COUNTER, which advances once
 * per PRESCALE + 1 clocks of the board's core clock. All can be written. Buttons and switches
 * are open. */
#include "devices/classes.h"

#define REGS(R)                                                               \
	R(0x000, 1, LED0, RW, 0, 0x3ff, "user LEDs")                          \
	R(0x008, 1, BUTTON, RO, 0, 3, "user buttons")                         \
	R(0x010, 1, CLK1HZ, RW, 0, 0xffffffff, "counts at 1 Hz")              \
	R(0x014, 1, CLK100HZ, RW, 0, 0xffffffff, "counts at 100 Hz")          \
	R(0x018, 1, COUNTER, RW, 0, 0xffffffff, "counts when PSCNTR passes 0")\
	R(0x01c, 1, PRESCALE, RW, 0, 0xffffffff, "reload value of PSCNTR")    \
	R(0x020, 1, PSCNTR, RW, 0, 0xffffffff, "prescale down-counter")       \
	R(0x028, 1, SWITCH, RO, 0, 0xff, "user switches")                     \
	R(0x04c, 1, MISC, RW, 0, 0x3ff, "chip selects, reset and backlight of the display")

REG_TABLE(REGS)

struct fpgaio_state {
	u64 since_1hz, since_100hz; /* ticks at which the stored values were true */
	u64 since_clock;            /* the same for COUNTER and PSCNTR */
};

static u32 elapsed(const struct device *d, u64 since, u64 hertz)
{
	return (u32)((d->sched->now - since) / (SCHED_TICKS_PER_SECOND / hertz));
}

/* Brings COUNTER and PSCNTR up to now. */
static void catch_up(struct device *d)
{
	struct fpgaio_state *s = d->state;
	u64 cycles = device_cycles(d, s->since_clock);
	u32 down = *device_reg(d, PSCNTR);
	u64 turn = (u64)*device_reg(d, PRESCALE) + 1;

	s->since_clock += cycles * d->period;
	if (cycles <= down) {
		*device_reg(d, PSCNTR) = down - (u32)cycles;
		return;
	}
	cycles -= (u64)down + 1;
	*device_reg(d, COUNTER) += 1 + (u32)(cycles / turn);
	*device_reg(d, PSCNTR) = (u32)(turn - 1 - cycles % turn);
}

static u32 fpgaio_read(struct device *d, u32 offset, u32 stored)
{
	const struct fpgaio_state *s = d->state;

	switch (offset) {
	case CLK1HZ:
		return stored + elapsed(d, s->since_1hz, 1);
	case CLK100HZ:
		return stored + elapsed(d, s->since_100hz, 100);
	case COUNTER:
	case PSCNTR:
		catch_up(d);
		return *device_reg(d, offset);
	}
	return stored;
}

static void fpgaio_write(struct device *d, u32 offset, u32 value, u32 old)
{
	struct fpgaio_state *s = d->state;

	switch (offset) {
	case CLK1HZ:
		s->since_1hz = d->sched->now;
		break;
	case CLK100HZ:
		s->since_100hz = d->sched->now;
		break;
	case COUNTER:
	case PSCNTR:
	case PRESCALE:
		*device_reg(d, offset) = old; /* time up to now ran with the old setting */
		catch_up(d);
		*device_reg(d, offset) = value;
		break;
	}
}

static void fpgaio_reset(struct device *d)
{
	struct fpgaio_state *s = d->state;

	s->since_1hz = s->since_100hz = s->since_clock = d->sched->now;
}

const struct device_class fpgaio_class = {
	.kind = "MPS3 FPGAIO", .timed = { 0x010, 0x023 }, .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.state_size = sizeof(struct fpgaio_state), .read = fpgaio_read, .write = fpgaio_write,
	.reset = fpgaio_reset,
};
