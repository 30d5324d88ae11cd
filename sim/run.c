/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run.h"
#include "devices/sysctrl.h"
#include "sim/spin.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Simulated cycles between looks at host time: a few milliseconds of host time. */
#define SLICE_CYCLES UINT64_C(8000000)

/* 2^64 ticks are 9.6e7 seconds: three years, which no run reaches. */
#define MAX_SIM_SECONDS 9e7

/* The only state outside the machine: a signal has no other way in. */
static volatile sig_atomic_t signal_seen;

/* `timeout` and others send a signal to the process and to its group: only one that comes
 * seconds later is a person who insists. */
static void on_signal(int number)
{
	static struct timespec first;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (signal_seen && now.tv_sec > first.tv_sec + 1)
		_exit(128 + number);
	if (!signal_seen)
		first = now;
	signal_seen = number;
}

/* SIGPIPE: nobody reads the program's output any more; the report is still written. SIGXCPU: ulimit -t. */
void run_catch_signals(void)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU };
	const struct sigaction action = { .sa_handler = on_signal };
	struct sigaction before;

	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup */
			sigaction(ends[i], &action, NULL);
}

struct loop {
	struct machine *m;
	const struct limits *limits;
	struct timespec start;
	double next_progress; /* host seconds since start */
	bool progress;
	u64 fault_since;      /* tick; 0: was not in the handler of the latest fault */
	u32 fault_pc;
	bool fault_told;
	u64 last_tick;        /* limits in ticks */
	enum stop_reason last_reason;
};

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

static void print_progress(struct loop *l, double host)
{
	const u64 insns = cpu_instructions(l->m->cpu);
	char where[128];

	if (!l->progress || host < l->next_progress)
		return;
	l->next_progress = host + 1;
	machine_describe(l->m, cpu_get_reg(l->m->cpu, REG_PC), where, sizeof where);
	fprintf(stderr, "\r%8.1f s  %8.3f s simulated  %6.0f MIPS  %.60s\033[K", host,
		(double)machine_cycles(l->m) / (double)l->m->config.cpu.clock_hz, (double)insns / host / 1e6, where);
}

static void flush_sinks(struct machine *m)
{
	for (unsigned i = 0; i < CONFIG_UARTS; i++)
		sink_flush(&m->uart[i].sink);
	sink_flush(&m->itm);
}

/* What the host imposes: signals, wall clock, CPU time. */
static void look_at_host(struct loop *l)
{
	const double host = seconds_since(&l->start);
	const double used = (double)clock() / CLOCKS_PER_SEC;

	if (signal_seen)
		machine_stop(l->m, STOP_INTERRUPTED);
	if (l->limits->host_seconds > 0 && host >= l->limits->host_seconds)
		machine_stop(l->m, STOP_TIME_LIMIT);
	if (l->limits->cpu_seconds > 0 && used >= l->limits->cpu_seconds)
		machine_stop(l->m, STOP_CPU_LIMIT);
	flush_sinks(l->m); /* so that a file or pipe can be followed */
	print_progress(l, host);
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
	if (l->limits->sim_seconds > 0 && l->limits->sim_seconds < MAX_SIM_SECONDS) {
		const u64 tick = (u64)(l->limits->sim_seconds * (double)SCHED_TICKS_PER_SECOND);

		if (tick < l->last_tick) {
			l->last_tick = tick;
			l->last_reason = STOP_SIM_LIMIT;
		}
	}
}

/* A reset while running. The core starts as at first, unless software has written another vector
 * base into the system control block. */
static void reset(struct machine *m)
{
	const struct device *control = device_set_find(m->devices, "SYSCTRL");
	const u32 base = control ? sysctrl_vector_base(control) : m->config.cpu.initsvtor;

	device_set_restart(m->devices, m->reset_causes);
	m->reset_causes = 0;
	if (m->npu)
		npu_reset(m->npu);
	if (base == m->config.cpu.initsvtor) {
		machine_start(m);
		return;
	}
	cpu_set_initsvtor(m->cpu, base);
	cpu_reset(m->cpu);
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
	diag_report(l->m->diag, DIAG_NOTE, "RUN001", "%s; the time left to the limit is skipped", stop_text(reason));
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

static void step(struct loop *l)
{
	struct machine *m = l->m;
	u64 until = now(m) + SLICE_CYCLES * m->period;

	if (until > l->last_tick)
		until = l->last_tick;
	if (until > m->sched.next)
		until = m->sched.next;
	switch (cpu_run(m->cpu, until)) {
	case CPU_STOP_SLEEP:
		pass_time(l, until);
		break;
	case CPU_STOP_LOCKUP:
		machine_stop(m, STOP_LOCKUP);
		break;
	case CPU_STOP_RESET:
		m->reset_causes |= 1u << RESET_BY_CORE;
		break;
	case CPU_STOP_HORIZON:
	case CPU_STOP_REQUESTED:
	case CPU_STOP_BREAK:
		break;
	}
	sched_run(&m->sched, now(m));
	if (m->reset_causes)
		reset(m);
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
	if (!fault.valid || !exception || fault.pc != l->fault_pc) {
		l->fault_pc = fault.pc;
		l->fault_since = 0;
	}
	if (!fault.valid || exception != fault.exception || l->fault_told)
		return;
	if (!l->fault_since)
		l->fault_since = now(m);
	if (now(m) - l->fault_since < SCHED_TICKS_PER_SECOND)
		return;
	machine_describe(m, fault.pc, where, sizeof where);
	diag_report(m->diag, DIAG_NOTE, "RUN002", "for a second the program has not left the handler of a fault: %s, raised at "
		    "0x%08x%s%s", fault.cause, fault.pc, *where ? " in " : "", where);
	l->fault_told = true;
}

void machine_run(struct machine *m, const struct limits *limits, bool progress)
{
	struct loop l = { .m = m, .limits = limits, .progress = progress, .next_progress = 1 };
	u64 next_look = 0;

	clock_gettime(CLOCK_MONOTONIC, &l.start);
	set_limit(&l);
	while (m->stop == STOP_NONE) {
		step(&l);
		if (m->stop == STOP_NONE && now(m) >= l.last_tick)
			machine_stop(m, l.last_reason);
		if (machine_cycles(m) < next_look)
			continue;
		next_look = machine_cycles(m) + SLICE_CYCLES;
		look_at_host(&l);
		look_at_fault(&l);

		const enum stop_reason endless = m->stop == STOP_NONE ? spin_check(m) : STOP_NONE;

		if (endless != STOP_NONE)
			stop_idle(&l, endless);
	}
	if (l.next_progress > 1)
		fprintf(stderr, "\r\033[K");
	flush_sinks(m);
}
