/* SPDX-License-Identifier: Apache-2.0 */
/* The core's public face, as far as it is about running. */
#include "cpu/cpu.h"

#include <stdlib.h>

#include "cpu/engine/engine.h"
#include "cpu/sys/debug.h"
#include "cpu/sys/sys.h"

struct cpu *cpu_new(const struct cpu_config *config, struct bus *bus, struct sched *sched,
		    const struct diag *diag)
{
	struct cpu *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->config = *config;
	c->bus = bus;
	c->sched = sched;
	c->diag = diag;
	c->mem = bus_public(bus)->base;
	if (!sys_new(c) || !engine_new(c)) {
		cpu_free(c);
		return NULL;
	}
	return c;
}

void cpu_free(struct cpu *c)
{
	if (!c)
		return;
	engine_free(c);
	sys_free(c);
	free(c);
}

void cpu_reset(struct cpu *c)
{
	sys_reset(c);
}

void cpu_set_initsvtor(struct cpu *c, u32 base)
{
	c->config.initsvtor = base;
}

/* What stops the core for good or for now; CPU_STOP_HORIZON: nothing. */
static enum cpu_stop stop_reason(struct cpu *c)
{
	if (c->engine->stop) {
		c->engine->stop = false;
		return CPU_STOP_REQUESTED;
	}
	switch (c->core.activity) {
	case CPU_SLEEPING:
		return exception_wake(c) ? CPU_STOP_HORIZON : CPU_STOP_SLEEP;
	case CPU_LOCKED_UP:
		return CPU_STOP_LOCKUP;
	case CPU_RESETTING:
		return CPU_STOP_RESET;
	default:
		return CPU_STOP_HORIZON;
	}
}

enum cpu_stop cpu_run(struct cpu *c, u64 until)
{
	for (;;) {
		enum cpu_stop stop = stop_reason(c);
		if (stop != CPU_STOP_HORIZON)
			return stop;
		u64 goal = until < c->sched->next ? until : c->sched->next;
		if (c->core.cycles * c->engine->period >= goal)
			return CPU_STOP_HORIZON;
		if (exception_pending(c) && exception_poll(c))
			continue;
		if (engine_at_breakpoint(c)) {
			c->engine->break_passed = c->core.r[15] + 1;
			return CPU_STOP_BREAK;
		}
		if (debug_steps(c)) {
			engine_run_one(c);
			debug_stepped(c);
		} else {
			engine_run(c, goal);
		}
	}
}

enum cpu_stop cpu_step(struct cpu *c)
{
	enum cpu_stop stop;

	do {
		stop = stop_reason(c);
		if (stop != CPU_STOP_HORIZON)
			return stop;
	} while (exception_pending(c) && exception_poll(c));
	bool stepped = debug_steps(c);
	engine_run_one(c);
	if (stepped)
		debug_stepped(c);
	return CPU_STOP_HORIZON;
}

void cpu_sleep_until(struct cpu *c, u64 tick)
{
	u64 cycle = tick / c->engine->period + !!(tick % c->engine->period);

	if (cycle > c->core.cycles) {
		c->sys->count[COUNT_SLEEP_CYCLES] += cycle - c->core.cycles;
		c->core.cycles = cycle;
	}
}

void cpu_request_stop(struct cpu *c) { c->engine->stop = true; }
u64 cpu_cycles(const struct cpu *c) { return c->core.cycles; }
u64 cpu_instructions(const struct cpu *c) { return c->core.insns; }

void cpu_set_trace(struct cpu *c, void (*fn)(void *ctx, const struct cpu_trace_record *r), void *ctx)
{
	c->engine->trace = fn;
	c->engine->trace_ctx = ctx;
	c->engine->leave = true;
}

bool cpu_add_breakpoint(struct cpu *c, u32 addr)
{
	struct engine *e = c->engine;

	cpu_remove_breakpoint(c, addr);
	if (e->breakpoint_count == ARRAY_LEN(e->breakpoint))
		return false;
	e->breakpoint[e->breakpoint_count++] = addr;
	return true;
}

void cpu_remove_breakpoint(struct cpu *c, u32 addr)
{
	struct engine *e = c->engine;
	u32 kept = 0;

	for (u32 i = 0; i < e->breakpoint_count; i++)
		if (e->breakpoint[i] != addr)
			e->breakpoint[kept++] = e->breakpoint[i];
	e->breakpoint_count = kept;
}
