/* SPDX-License-Identifier: Apache-2.0 */
/* States are compared at one instruction, the mark. Hidden state (event register, exclusive
 * monitor, pending exceptions, a receiver's one byte) takes on a fixed value after a round or two
 * in which nothing else changes, hence several equal rounds are asked for. */
#include "sim/spin.h"
#include "cpu/observe.h"

#include <string.h>

enum { ROUNDS = 4, REGISTERS = 16, FP_REGISTERS = 32, TOUCHED = 96 };

struct snapshot {
	u32 r[REGISTERS], xpsr, control, primask, basepri, faultmask, fpscr, vpr, s[FP_REGISTERS];
};

/* Memory that the loop stores to, as it was before. */
struct touched { u32 addr, bytes, old; };

struct search {
	struct machine *m;
	struct snapshot mark;
	struct touched touched[TOUCHED];
	unsigned touched_count;
	bool harmful;    /* the latest instruction may have changed something that is not compared */
	bool timers_run; /* the core's own: only loops that they cannot interrupt and that read no device may be taken */
};

static void take(const struct cpu *c, struct snapshot *s)
{
	memset(s, 0, sizeof *s);
	for (unsigned i = 0; i < REGISTERS; i++)
		s->r[i] = cpu_get_reg(c, i);
	s->xpsr = cpu_get_reg(c, CPU_REG_XPSR);
	s->control = cpu_get_reg(c, CPU_REG_CONTROL);
	s->primask = cpu_get_reg(c, CPU_REG_PRIMASK);
	s->basepri = cpu_get_reg(c, CPU_REG_BASEPRI);
	s->faultmask = cpu_get_reg(c, CPU_REG_FAULTMASK);
	s->fpscr = cpu_get_reg(c, CPU_REG_FPSCR);
	s->vpr = cpu_get_reg(c, CPU_REG_VPR);
	cpu_get_floats(c, s->s);
}

static bool only_core_timers(const struct machine *m)
{
	for (u32 i = 0; i < m->sched.count; i++)
		if (m->sched.device[m->sched.heap[i].device].ctx != m->cpu)
			return false;
	return true;
}

static bool in_private_bus(u32 addr)
{
	return addr >> 20 == 0xe00;
}

/* Counters of the core: DWT, PMU, SysTick and its Non-secure alias. */
static bool core_counter(u32 addr)
{
	return addr >> 12 == 0xe0001 || addr >> 12 == 0xe0003 || addr >> 4 == 0xe000e01 || addr >> 4 == 0xe002e01;
}

/* Also where the host is asked: it knows time as well. */
static bool device_timed(const struct device *d, u32 offset)
{
	return d->asks_host || (d->cls->timed.last && offset >= d->cls->timed.first && offset <= d->cls->timed.last);
}

/* May a read there give another value with nothing but time? */
static bool changes_with_time(const struct search *s, u32 addr)
{
	const struct region *r = bus_find(s->m->bus, addr, BUS_CPU);

	if (in_private_bus(addr))
		return s->timers_run || core_counter(addr);
	if (!r || r->kind != REGION_DEVICE)
		return false;
	return s->timers_run || (r->ops == &device_bus_ops && device_timed(r->ctx, addr - r->base));
}

/* Remembers the bytes before a store; false: too much, or not plain memory. */
static bool remember(struct search *s, const struct cpu_access *a)
{
	const u64 end = (u64)a->addr + a->bytes;

	for (unsigned i = 0; i < s->touched_count; i++) {
		const struct touched *t = &s->touched[i];

		if (t->addr == a->addr && t->bytes == a->bytes)
			return true;
		if (t->addr < end && a->addr < (u64)t->addr + t->bytes)
			return false;
	}
	if (s->touched_count == TOUCHED || !a->memory)
		return false;
	s->touched[s->touched_count++] = (struct touched){ a->addr, a->bytes, a->before };
	return true;
}

/* Calls to the host and to the supervisor, and exclusive stores, whose success is hidden state. */
static bool calls_or_excludes(const char *operation)
{
	static const char *const names[] = { "svc", "bkpt", "strex" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (!strncmp(operation, names[i], strlen(names[i])))
			return true;
	return false;
}

static void look(void *ctx, const struct cpu_record *r)
{
	struct search *s = ctx;

	s->harmful |= r->executed && calls_or_excludes(r->operation);
	s->harmful |= r->accesses == CPU_RECORD_ACCESSES;
	for (unsigned i = 0; i < r->accesses; i++) {
		const struct cpu_access *a = &r->access[i];

		s->harmful |= a->write ? !remember(s, a) : changes_with_time(s, a->addr);
	}
}

static bool memory_as_before(const struct search *s)
{
	for (unsigned i = 0; i < s->touched_count; i++) {
		const struct touched *t = &s->touched[i];
		u32 now = 0;

		if (!cpu_peek(s->m->cpu, t->addr, &now, t->bytes) || now != t->old)
			return false;
	}
	return true;
}

static bool same_state(const struct search *s)
{
	struct snapshot now;

	if (cpu_get_reg(s->m->cpu, REG_PC) != s->mark.r[REG_PC])
		return false;
	take(s->m->cpu, &now);
	return !memcmp(&s->mark, &now, sizeof now) && memory_as_before(s);
}

static bool loops_for_ever(struct search *s, unsigned steps)
{
	struct machine *m = s->m;

	for (unsigned i = 0, rounds = 0; i < steps; i++) {
		if (s->timers_run && !cpu_timers_blocked(m->cpu))
			return false;
		if (cpu_step(m->cpu) != CPU_STOP_HORIZON || s->harmful || m->stop != STOP_NONE ||
		    machine_cycles(m) * m->period >= m->sched.next)
			return false;
		rounds += same_state(s);
		if (rounds == ROUNDS)
			return true;
	}
	return false;
}

enum stop_reason spin_check(struct machine *m, enum spin_depth depth)
{
	struct search s = { .m = m, .timers_run = m->sched.next != SCHED_NEVER };
	struct cpu_fault_info fault;

	if (s.timers_run && !only_core_timers(m))
		return STOP_NONE;
	take(m->cpu, &s.mark);
	if (!cpu_observe(m->cpu, &(struct cpu_observer){ .instruction = look, .ctx = &s, .brief = true }))
		return STOP_NONE;

	const bool endless = loops_for_ever(&s, depth);

	cpu_unobserve(m->cpu, &s);
	if (!endless)
		return STOP_NONE;
	cpu_fault_info(m->cpu, &fault);
	return fault.valid && (s.mark.xpsr & 0x1ff) == fault.exception ? STOP_FAULT : STOP_SPIN;
}
