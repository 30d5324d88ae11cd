/* SPDX-License-Identifier: Apache-2.0 */
/* CMSDK APB dual-input timer (Arm Cortex-M System Design Kit, DDI 0479, "APB dual timers"; the
 * programmer's model of SP804): two down-counters of 16 or 32 bits with prescaler.
 *
 * Free-running counters wrap to all ones, periodic ones to LOAD, one-shot ones stop at 0. The
 * interrupt is raised on reaching 0. A new LOAD restarts the count, BGLOAD only sets the next
 * period. The integration test registers drive the outputs. */
#include "devices/classes.h"

#define TIMER(R, base, n)                                                            \
	R(base + 0x00, 1, T##n##LOAD, RW, 0, 0xffffffff, "start value")              \
	R(base + 0x04, 1, T##n##VALUE, RO, 0xffffffff, 0xffffffff, "down-counter")   \
	R(base + 0x08, 1, T##n##CONTROL, RW, 0x20, 0xef, "0 one-shot, 1 32 bits, 3:2 prescale, 5 irq enable, 6 periodic, 7 enable") \
	R(base + 0x0c, 1, T##n##INTCLR, WO, 0, 0xffffffff, "any write clears the interrupt") \
	R(base + 0x10, 1, T##n##RIS, RO, 0, 1, "raw interrupt status")               \
	R(base + 0x14, 1, T##n##MIS, RO, 0, 1, "masked interrupt status")            \
	R(base + 0x18, 1, T##n##BGLOAD, RW, 0, 0xffffffff, "value for the next period")

#define REGS(R)                                                                      \
	TIMER(R, 0x000, 1)                                                           \
	TIMER(R, 0x020, 2)                                                           \
	R(0xf00, 1, ITCR, RW, 0, 1, "integration test mode")                         \
	R(0xf04, 1, ITOP, WO, 0, 3, "test mode: interrupt outputs 0 and 1")

REG_TABLE(REGS)

enum { ONE_SHOT = 1, WIDE = 2, IRQ_ENABLE = 0x20, PERIODIC = 0x40, ENABLE = 0x80 };
enum { WIRE_TIMER1, WIRE_TIMER2, WIRE_COMBINED };
static const char *const wires[] = {"timer 1", "timer 2", "combined", NULL};

/* Registers of timer t lie 0x20 bytes apart. */
#define TIMER_REG(name, t) (T1##name + 0x20 * (t))

struct dualtimer_state {
	struct {
		u64 since;   /* tick at which the count was `from` */
		u32 from;
		u32 raw;     /* interrupt */
		u32 stopped; /* one-shot has fired */
	} timer[2];
};

static u32 control(struct device *d, unsigned t)
{
	return *device_reg(d, TIMER_REG(CONTROL, t));
}

static u32 width_mask(struct device *d, unsigned t)
{
	return control(d, t) & WIDE ? UINT32_MAX : 0xffff;
}

static u64 step_ticks(struct device *d, unsigned t)
{
	unsigned shift = 4 * (control(d, t) >> 2 & 3);

	return d->period << (shift < 8 ? shift : 8);
}

static bool running(struct device *d, unsigned t)
{
	const struct dualtimer_state *s = d->state;

	return (control(d, t) & ENABLE) && !s->timer[t].stopped;
}

static u32 count(struct device *d, unsigned t)
{
	const struct dualtimer_state *s = d->state;
	u64 steps = running(d, t) ? (d->sched->now - s->timer[t].since) / step_ticks(d, t) : 0;

	return steps < s->timer[t].from ? s->timer[t].from - (u32)steps : 0;
}

static void update_wires(struct device *d)
{
	const struct dualtimer_state *s = d->state;
	u32 out = 0;

	for (unsigned t = 0; t < 2; t++)
		if (s->timer[t].raw && (control(d, t) & IRQ_ENABLE))
			out |= 1u << t;
	if (*device_reg(d, ITCR))
		out = *device_reg(d, ITOP);
	device_wire(d, WIRE_TIMER1, out & 1);
	device_wire(d, WIRE_TIMER2, out & 2);
	device_wire(d, WIRE_COMBINED, out != 0);
}

static void restart(struct device *d, unsigned t, u32 from)
{
	struct dualtimer_state *s = d->state;
	u64 steps = from ? from : 1;

	s->timer[t].since = d->sched->now;
	s->timer[t].from = from;
	device_schedule(d, (u16)t, running(d, t) ? d->sched->now + steps * step_ticks(d, t)
						 : SCHED_NEVER);
}

static void reached_zero(struct device *d, const struct sched_event *ev)
{
	struct dualtimer_state *s = d->state;
	unsigned t = ev->kind;
	u32 mask = width_mask(d, t);

	s->timer[t].raw = 1;
	if (control(d, t) & ONE_SHOT) {
		s->timer[t].stopped = 1;
		s->timer[t].from = 0;
	} else {
		u64 next = control(d, t) & PERIODIC ? *device_reg(d, TIMER_REG(LOAD, t)) & mask : mask;

		restart(d, t, (u32)next);
	}
	update_wires(d);
}

static u32 dualtimer_read(struct device *d, u32 offset, u32 stored)
{
	const struct dualtimer_state *s = d->state;
	unsigned t = offset >= T2LOAD && offset <= T2BGLOAD;

	switch (offset - 0x20 * t) {
	case T1VALUE:
		return count(d, t);
	case T1RIS:
		return s->timer[t].raw;
	case T1MIS:
		return s->timer[t].raw && (control(d, t) & IRQ_ENABLE);
	case T1BGLOAD:
		return *device_reg(d, TIMER_REG(LOAD, t));
	}
	return stored;
}

static void dualtimer_write(struct device *d, u32 offset, u32 value, u32 old)
{
	struct dualtimer_state *s = d->state;
	unsigned t = offset >= T2LOAD && offset <= T2BGLOAD;
	u32 wanted = *device_reg(d, offset), at;

	switch (offset - 0x20 * t) {
	case T1LOAD:
		s->timer[t].stopped = 0;
		restart(d, t, value & width_mask(d, t));
		break;
	case T1CONTROL:
		*device_reg(d, offset) = old; /* time up to now ran with the old setting */
		at = count(d, t);
		*device_reg(d, offset) = wanted;
		restart(d, t, at & width_mask(d, t));
		break;
	case T1INTCLR:
		s->timer[t].raw = 0;
		break;
	case T1BGLOAD:
		*device_reg(d, TIMER_REG(LOAD, t)) = value;
		break;
	}
	update_wires(d);
}

static void dualtimer_reset(struct device *d)
{
	struct dualtimer_state *s = d->state;

	for (unsigned t = 0; t < 2; t++)
		s->timer[t].from = UINT32_MAX;
}

const struct device_class cmsdk_dualtimer_class = {
	.kind = "CMSDK dual timer", .timed = { 0x000, 0xfff }, .size = 0x1000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.pidr = 0x041bb823, .state_size = sizeof(struct dualtimer_state), .wires = wires,
	.read = dualtimer_read, .write = dualtimer_write, .event = reached_zero,
	.reset = dualtimer_reset,
};
