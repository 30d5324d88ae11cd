/* SPDX-License-Identifier: Apache-2.0 */
/* The core's public face, as far as it is about running. */
#include "cpu/cpu.h"

#include <stdlib.h>

#include "cpu/engine/engine.h"
#include "cpu/observed.h"
#include "cpu/sys/caches.h"
#include "cpu/sys/debug.h"
#include "cpu/sys/protect.h"
#include "cpu/sys/state.h"
#include "cpu/sys/sys.h"
#include "memory/state.h"

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
	if (!caches_new(c) || !sys_new(c) || !engine_new(c)) {
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
	free(c->observed);
	caches_free(c);
	free(c);
}

/* What is derived from the state: permissions and stack limit. Code that was decoded is looked up again. */
static void restored(void *ctx)
{
	struct cpu *c = ctx;
	const bool changed = c->sys->permissions_changed; /* as it was saved: the same state has the same bytes */

	c->sp_limit = state_stack_limit(c, c->core.secure, c->core.psp_used);
	caches_restored(c);
	access_flush(c);
	c->sys->permissions_changed = changed;
	observed_touched(c);
}

void cpu_state(struct cpu *c, struct state_list *list)
{
	struct engine *e = c->engine;

	state_add(list, "cpu", "core", 1, &c->core, sizeof c->core);
	state_add(list, "cpu", "fp", 1, &c->fp, sizeof c->fp);
	state_add(list, "cpu", "system", 1, c->sys, sizeof *c->sys);
	state_add(list, "cpu", "vector base", 1, &c->config.initsvtor, sizeof c->config.initsvtor);
	state_add(list, "cpu", "part of a cycle", 1, &e->cpi_rest, sizeof e->cpi_rest);
	state_add(list, "cpu", "stop asked for", 1, &e->stop, sizeof e->stop);
	if (c->caches) {
		state_add(list, "cpu", "caches", 2, &c->caches->state, sizeof c->caches->state);
		state_add(list, "cpu", "fetch buffer", 2, c->fetched, sizeof c->fetched);
	}
	state_add(list, "cpu", "breakpoint", 1, &e->break_passed, sizeof e->break_passed);
	state_on_restored(list, restored, c);
}

void cpu_reset(struct cpu *c)
{
	sys_reset(c);
	observed_touched(c);
}

void cpu_hold(struct cpu *c) { c->core.activity = CPU_HELD; }
bool cpu_held(const struct cpu *c) { return c->core.activity == CPU_HELD; }
void cpu_reset_refused(struct cpu *c) { c->core.activity = CPU_RUNNING; }

void cpu_set_initsvtor(struct cpu *c, u32 base)
{
	c->config.initsvtor = base;
}

/* What stops the core for good or for now; CPU_STOP_HORIZON: nothing. */
static enum cpu_stop stop_reason(struct cpu *c)
{
	if (__atomic_exchange_n(&c->engine->stop, false, __ATOMIC_RELAXED))
		return CPU_STOP_REQUESTED;
	switch (c->core.activity) {
	case CPU_SLEEPING:
		return exception_wake(c) ? CPU_STOP_HORIZON : CPU_STOP_SLEEP;
	case CPU_HELD:
		return CPU_STOP_SLEEP;
	case CPU_LOCKED_UP:
		return exception_ends_lockup(c) ? CPU_STOP_HORIZON : CPU_STOP_LOCKUP;
	case CPU_RESETTING:
		return CPU_STOP_RESET;
	default:
		return CPU_STOP_HORIZON;
	}
}

enum cpu_stop cpu_run(struct cpu *c, u64 until)
{
	for (;;) {
		if (UNLIKELY(c->break_asked)) {
			c->break_asked = false;
			return CPU_STOP_WATCH;
		}
		if (c->core.insns >= c->engine->last_insn)
			return CPU_STOP_COUNT;
		if (UNLIKELY(c->fault_caught)) {
			c->fault_caught = false;
			return CPU_STOP_FAULT;
		}
		enum cpu_stop stop = stop_reason(c);
		if (stop != CPU_STOP_HORIZON)
			return stop;
		u64 goal = until < c->sched->next ? until : c->sched->next;
		if (c->core.cycles * c->engine->period >= goal)
			return CPU_STOP_HORIZON;
		if (exception_pending(c) && exception_poll(c)) {
			c->engine->break_passed = 0;
			continue;
		}
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
		if (c->core.insns >= c->engine->last_insn)
			return CPU_STOP_COUNT;
		stop = stop_reason(c);
		if (stop != CPU_STOP_HORIZON)
			return stop;
	} while (exception_pending(c) && exception_poll(c));
	if (engine_at_breakpoint(c) || c->break_asked || c->fault_caught)
		return CPU_STOP_BREAK;
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
		if (UNLIKELY(c->observed))
			observed_slept(c, cycle);
		c->sys->count[COUNT_SLEEP_CYCLES] += cycle - c->core.cycles;
		c->core.cycles = cycle;
	}
}

void cpu_catch_faults(struct cpu *c, u64 kinds) { c->catch_faults = kinds; }
void cpu_break_after(struct cpu *c)
{
	c->break_asked = true;
	c->engine->leave = true;
}

void cpu_request_stop(struct cpu *c) { __atomic_store_n(&c->engine->stop, true, __ATOMIC_RELAXED); }
void cpu_set_last_instruction(struct cpu *c, u64 count) { c->engine->last_insn = count; }
u64 cpu_cycles(const struct cpu *c) { return c->core.cycles; }
u64 cpu_instructions(const struct cpu *c) { return c->core.insns; }
