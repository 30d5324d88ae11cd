/* SPDX-License-Identifier: Apache-2.0 */
/* SSE system timestamp counter (Corstone SSE-300 TRM, 101773, "System counter"): control frame
 * and read frame.
 *
 * The count is computed from simulated time: `count` was true at tick `since`, and the counter
 * adds scale (8.24 fixed point) per clock while enabled. Halt-on-debug is stored, not obeyed.
 * The clock is the FVP's reference counter, 100 MHz. */
#include "devices/sys_counter.h"

#include "devices/classes.h"

#define REGS(R)                                                                          \
	R(0x000, 1, CNTCR, RW, 0, 0x3f, "0 enable, 1 halt on debug, 2 scale enable, 3 irq mask, 4 no error, 5 irq clear") \
	R(0x004, 1, CNTSR, RO, 0, 2, "1: halted by debug")                               \
	R(0x008, 1, CNTCV_LO, RW, 0, 0xffffffff, "count, low word")                      \
	R(0x00c, 1, CNTCV_HI, RW, 0, 0xffffffff, "count, high word")                     \
	R(0x010, 1, CNTSCR, RW, 0x01000000, 0xffffffff, "scale, 8.24 fixed point")       \
	R(0x01c, 1, CNTID, RO, 0x00020001, 0xffffffff, "1: scaling, 17: selectable clock") \
	R(0x0d0, 1, CNTSCR0, RW, 0x01000000, 0xffffffff, "scale with clock source 0")    \
	R(0x0d4, 1, CNTSCR1, RW, 0x01000000, 0xffffffff, "scale with clock source 1")

REG_TABLE(REGS)

enum { ENABLE = 1, SCALE_ENABLE = 4 };
#define SCALE_ONE 0x01000000u

static const char *const params[] = {"runs at reset", NULL};

__extension__ typedef unsigned __int128 u128;

struct sys_counter_state {
	u64 since;    /* tick */
	u64 count;    /* integer part at `since` */
	u32 fraction; /* 24 bits */
};

static u32 scale_of(struct device *d)
{
	u32 ctrl = *device_reg(d, CNTCR);

	if (!(ctrl & ENABLE))
		return 0;
	return ctrl & SCALE_ENABLE ? *device_reg(d, CNTSCR0) : SCALE_ONE;
}

/* Count as 64.24 fixed point after `cycles` clocks. */
static u128 count_after(struct device *d, u64 cycles)
{
	const struct sys_counter_state *s = d->state;

	return ((u128)s->count << 24) + s->fraction + (u128)cycles * scale_of(d);
}

u64 sys_counter_value(struct device *counter)
{
	const struct sys_counter_state *s = counter->state;

	return (u64)(count_after(counter, device_cycles(counter, s->since)) >> 24);
}

u64 sys_counter_when(struct device *counter, u64 value)
{
	const struct sys_counter_state *s = counter->state;
	u32 scale = scale_of(counter);
	u128 now = count_after(counter, 0), want = (u128)value << 24, cycles;

	if (want <= now)
		return s->since;
	if (!scale)
		return SCHED_NEVER;
	cycles = (want - now + scale - 1) / scale;
	if (cycles > (SCHED_NEVER - 1 - s->since) / counter->period)
		return SCHED_NEVER;
	return s->since + (u64)cycles * counter->period;
}

/* Makes the state true at now, so that the setting may change. */
static void catch_up(struct device *d)
{
	struct sys_counter_state *s = d->state;
	u64 cycles = device_cycles(d, s->since);
	u128 value = count_after(d, cycles);

	s->since += cycles * d->period;
	s->count = (u64)(value >> 24);
	s->fraction = (u32)value & 0xffffff;
}

/* On the FVPs, by their parameter non_arch_start_at_default, it runs before software starts it. */
static void counter_reset(struct device *d)
{
	struct sys_counter_state *s = d->state;

	*device_reg(d, CNTCR) = d->param[SYS_COUNTER_PARAM_RUNS] ? ENABLE : 0;
	s->since = d->sched->now;
}

void sys_counter_run_at_reset(struct device *counter)
{
	counter->param[SYS_COUNTER_PARAM_RUNS] = 1;
	counter_reset(counter);
}

static u32 counter_read(struct device *d, u32 offset, u32 stored)
{
	if (offset == CNTCV_LO)
		return (u32)sys_counter_value(d);
	if (offset == CNTCV_HI)
		return (u32)(sys_counter_value(d) >> 32);
	return stored;
}

static void counter_write(struct device *d, u32 offset, u32 value, u32 old)
{
	struct sys_counter_state *s = d->state;
	u32 wanted = *device_reg(d, offset);

	*device_reg(d, offset) = old; /* time up to now ran with the old setting */
	catch_up(d);
	*device_reg(d, offset) = wanted;
	switch (offset) {
	case CNTCV_LO:
		s->count = (s->count & ~(u64)UINT32_MAX) | value;
		s->fraction = 0;
		break;
	case CNTCV_HI:
		s->count = (u32)s->count | (u64)value << 32;
		break;
	case CNTSCR: /* the same register under two offsets */
		*device_reg(d, CNTSCR0) = wanted;
		break;
	case CNTSCR0:
		*device_reg(d, CNTSCR) = wanted;
		break;
	}
	if (!(old & ENABLE) && offset == CNTCR)
		s->since = d->sched->now;
	device_notify_users(d);
}

const struct device_class sys_counter_class = {
	.kind = "SSE system counter, control frame", .timed = { 0x000, 0xfff }, .size = 0x1000, .rows = rows,
	.row_count = ARRAY_LEN(rows), .pidr = 0x040bb0ba, .clock_hz = 100000000,
	.state_size = sizeof(struct sys_counter_state), .read = counter_read,
	.write = counter_write, .params = params, .reset = counter_reset,
};
