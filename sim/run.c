/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run.h"
#include "devices/sysctrl.h"
#include "sim/lockup.h"
#include "sim/spin.h"

/* Simulated cycles between two looks at what goes on: some milliseconds of host time, as a rule. */
#define SLICE_CYCLES UINT64_C(8000000)
/* Most endless loops are a few instructions; to look for the others in each slice would take a program that does something 4 % of its time. */
enum { LONG_LOOK_EACH = 8 };

/* 2^64 ticks are 9.6e7 seconds: three years, which no run reaches. */
#define MAX_SIM_SECONDS 9e7

struct loop {
	struct machine *m;
	const struct limits *limits;
	u64 last_tick;        /* limits in ticks */
	enum stop_reason last_reason;
};

static void flush_sinks(struct machine *m)
{
	for (unsigned i = 0; i < CONFIG_UARTS; i++)
		sink_flush(&m->uart[i].sink);
	sink_flush(&m->itm);
}

/* The tick at which a limit of simulated time ends the run. */
static void set_limit(struct loop *l)
{
	const struct machine *m = l->m;

	l->last_tick = SCHED_NEVER;
	if (l->limits->cycles && l->limits->cycles < SCHED_NEVER / m->period) {
		l->last_tick = l->limits->cycles * m->period;
		l->last_reason = STOP_CYCLE_LIMIT;
	}
	if (l->limits->tick && l->limits->tick < l->last_tick) {
		l->last_tick = l->limits->tick;
		l->last_reason = STOP_CYCLE_LIMIT;
	}
	if (l->limits->sim_seconds > 0 && l->limits->sim_seconds < MAX_SIM_SECONDS) {
		const u64 tick = (u64)(l->limits->sim_seconds * (double)SCHED_TICKS_PER_SECOND);

		if (tick < l->last_tick) {
			l->last_tick = tick;
			l->last_reason = STOP_SIM_LIMIT;
		}
	}
}

/* The core starts as at first, unless software has written another vector base into the system control block. */
void machine_boot(struct machine *m)
{
	const struct device *control = device_set_find(m->devices, "SYSCTRL");
	const u32 base = control ? sysctrl_vector_base(control) : m->config.cpu.initsvtor;

	if (base == m->config.cpu.initsvtor) {
		machine_start(m);
		return;
	}
	cpu_set_initsvtor(m->cpu, base);
	cpu_reset(m->cpu);
}

void machine_hold(struct machine *m)
{
	const struct device *control = device_set_find(m->devices, "SYSCTRL");

	if (!control || !sysctrl_core_waits(control))
		return;
	cpu_hold(m->cpu);
	diag_report(m->diag, DIAG_NOTE, "RUN003", "the processor waits after its reset until a debugger writes 0 to CPUWAIT");
}

/* A reset while running. */
void machine_reset(struct machine *m)
{
	device_set_restart(m->devices, m->reset_causes);
	m->reset_causes = 0;
	if (m->npu)
		npu_reset(m->npu);
	machine_boot(m);
	machine_hold(m);
}

/* The core has asked for a reset, which the system control block may keep from it. */
static void core_resets(struct machine *m)
{
	struct device *control = device_set_find(m->devices, "SYSCTRL");

	if (!control || sysctrl_core_requests(control))
		m->reset_causes |= 1u << RESET_BY_CORE;
	else
		cpu_reset_refused(m->cpu);
}

/* The program can do nothing more. The FVPs run on to the limit: so do we, without doing it. */
static void stop_idle(struct loop *l, enum stop_reason reason)
{
	const struct limits *limits = l->limits;
	const bool simulated = l->last_tick != SCHED_NEVER;

	if (reason == STOP_FAULT || !limits->await || (!simulated && limits->host_seconds <= 0 && limits->cpu_seconds <= 0)) {
		machine_stop(l->m, reason);
		return;
	}
	if (!l->m->idle_told)
		diag_report(l->m->diag, DIAG_NOTE, "RUN001", "%s; the time left to the limit is skipped", stop_text(reason));
	l->m->idle_told = true;
	if (simulated)
		cpu_sleep_until(l->m->cpu, l->last_tick);
	machine_stop(l->m, simulated ? l->last_reason : limits->host_seconds > 0 ? STOP_TIME_LIMIT : STOP_CPU_LIMIT);
}

/* Asleep: time jumps to the next event. Without one nothing can ever wake the core. */
static void pass_time(struct loop *l, u64 until)
{
	struct machine *m = l->m;

	if (m->sched.next == SCHED_NEVER && l->last_tick == SCHED_NEVER) {
		stop_idle(l, STOP_SLEEP);
		return;
	}
	cpu_sleep_until(m->cpu, m->sched.next < until ? m->sched.next : until);
}

static u64 now(const struct machine *m)
{
	return machine_cycles(m) * m->period;
}

static bool paused(const struct machine *m)
{
	return __atomic_load_n(&m->pause, __ATOMIC_RELAXED) != PAUSE_NONE;
}

/* Those that are due, up to one behind which somebody asked for a halt. */
static void handle_events(struct machine *m)
{
	sched_run(&m->sched, now(m));
	if (UNLIKELY(m->sched.halt)) {
		m->sched.halt = false;
		m->pause = PAUSE_WATCH;
	}
	if (m->reset_causes)
		machine_reset(m);
}

static void step(struct loop *l)
{
	struct machine *m = l->m;
	u64 until;
	bool ended = false; /* by something else than a limit or debugger, without which it would go on */

	if (!m->look.horizon)
		m->look.horizon = now(m) + SLICE_CYCLES * m->period;
	until = m->look.horizon;
	if (until > l->last_tick)
		until = l->last_tick;
	if (until > m->sched.next)
		until = m->sched.next;
	switch (cpu_run(m->cpu, until)) {
	case CPU_STOP_SLEEP:
		pass_time(l, until);
		break;
	case CPU_STOP_LOCKUP:
		if (lockup_is_watched(m))
			pass_time(l, until);
		else
			machine_stop(m, STOP_LOCKUP);
		break;
	case CPU_STOP_RESET:
		core_resets(m);
		break;
	case CPU_STOP_REQUESTED:
		ended = !machine_stop_asked(m) && !paused(m);
		break;
	case CPU_STOP_BREAK:
		m->pause = PAUSE_BREAK;
		break;
	case CPU_STOP_COUNT:
		m->pause = PAUSE_COUNT;
		break;
	case CPU_STOP_FAULT:
		m->pause = PAUSE_FAULT;
		break;
	case CPU_STOP_WATCH:
		m->pause = PAUSE_WATCH;
		break;
	case CPU_STOP_HORIZON:
		break;
	}
	if (ended || now(m) >= m->look.horizon || m->sched.next <= now(m))
		m->look.horizon = 0;
	handle_events(m);
}

/* A program that stays in the handler of one fault, where interrupts still come or devices are at work, goes on
 * for ever as far as we can tell: it is told so once, and not ended. */
static void look_at_fault(struct loop *l)
{
	struct machine *m = l->m;
	const u32 exception = cpu_get_reg(m->cpu, CPU_REG_XPSR) & 0x1ff;
	struct cpu_fault_info fault;
	char where[128];

	cpu_fault_info(m->cpu, &fault);
	if (!fault.valid || !exception || fault.pc != m->look.fault_pc) {
		m->look.fault_pc = fault.pc;
		m->look.fault_since = 0;
	}
	if (!fault.valid || exception != fault.exception || m->look.fault_told)
		return;
	if (!m->look.fault_since)
		m->look.fault_since = now(m);
	if (now(m) - m->look.fault_since < SCHED_TICKS_PER_SECOND)
		return;
	machine_describe(m, fault.pc, where, sizeof where);
	diag_report(m->diag, DIAG_NOTE, "RUN002", "for a second the program has not left the handler of a fault: %s, raised at "
		    "0x%08x%s%s", fault.cause, fault.pc, *where ? " in " : "", where);
	m->look.fault_told = true;
}

/* Where memories have wait states few instructions are executed from one look to the next, and to search each time would take longer than they do. */
static u32 looks_between(const struct machine *m)
{
	const u64 insns = cpu_instructions(m->cpu), each = insns ? machine_cycles(m) / insns : 1;

	return !m->config.cpu.memory_count || each < 1 ? 1 : each < LONG_LOOK_EACH ? (u32)each : LONG_LOOK_EACH;
}

/* Looks that need not happen after every step. Where they fall depends on simulated time alone. */
static void look_around(struct loop *l, const struct run_host *host)
{
	struct machine *m = l->m;
	const struct machine_look before = m->look;

	flush_sinks(m); /* so that a file or pipe can be followed */
	if (host && host->look)
		host->look(host->ctx, m);
	look_at_fault(l);
	if (before.horizon) { /* the step is not at its end: as if nobody had looked */
		m->look = before;
		return;
	}
	m->look.next = machine_cycles(m) + SLICE_CYCLES;

	const u32 between = looks_between(m);
	const bool due = m->look.count % between == 0, all = m->look.count / between % LONG_LOOK_EACH == 0;
	const enum stop_reason endless = m->stop == STOP_NONE && due ? spin_check(m, all ? SPIN_LONG : SPIN_SHORT) : STOP_NONE;

	m->look.count++;

	if (endless != STOP_NONE)
		stop_idle(l, endless);
}

void machine_run(struct machine *m, const struct limits *limits, const struct run_host *host)
{
	struct loop l = { .m = m, .limits = limits };

	m->running = true;
	set_limit(&l);
	if (m->pause != PAUSE_ASKED) /* by another thread, perhaps before we began */
		m->pause = PAUSE_NONE;
	if (m->look.next && !m->look.horizon && machine_cycles(m) >= m->look.next) /* the pause came before it */
		look_around(&l, host);
	while (m->stop == STOP_NONE && !paused(m)) {
		step(&l);
		if (m->stop == STOP_NONE && now(m) >= l.last_tick)
			m->stop = l.last_reason;
		if (machine_stop_asked(m))
			machine_stop(m, (enum stop_reason)__atomic_load_n(&m->asked, __ATOMIC_RELAXED));
		if (machine_cycles(m) >= m->look.next && !paused(m))
			look_around(&l, host);
	}
	m->running = false;
	flush_sinks(m);
}

static void looked(void *ctx, struct machine *m)
{
	int none = PAUSE_NONE;

	(void)ctx;
	__atomic_compare_exchange_n(&m->pause, &none, PAUSE_LOOKED, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static enum machine_pause result(const struct machine *m)
{
	return m->stop != STOP_NONE ? PAUSE_NONE : (enum machine_pause)m->pause;
}

enum machine_pause machine_run_on(struct machine *m, const struct limits *limits)
{
	static const struct run_host host = { .look = looked };

	machine_run(m, limits, &host);
	return result(m);
}

enum machine_pause machine_sleep_on(struct machine *m, const struct limits *limits)
{
	struct loop l = { .m = m, .limits = limits };

	set_limit(&l);
	m->pause = PAUSE_LOOKED;
	pass_time(&l, m->look.horizon ? m->look.horizon : SCHED_NEVER);
	if (now(m) >= m->look.horizon || m->sched.next <= now(m))
		m->look.horizon = 0;
	handle_events(m);
	return result(m);
}
