/* SPDX-License-Identifier: Apache-2.0 */
/* Running: to the program's end, or until something that the user named. */
#include "sim/api/private.h"
#include "sim/gdb/gdb.h"

#include <stdio.h>
#include <string.h>

uint64_t fvpsim_ticks_per_second(void)
{
	return SCHED_TICKS_PER_SECOND;
}

void fvpsim_stop(struct fvpsim_machine *m)
{
	__atomic_store_n(&m->asked, 1, __ATOMIC_SEQ_CST);
	machine_pause(m->m, PAUSE_ASKED);
}

void fvpsim_end_run(struct fvpsim_machine *m, int reason)
{
	static const enum stop_reason reasons[] = {
		[FVPSIM_REASON_INTERRUPTED] = STOP_INTERRUPTED, [FVPSIM_REASON_TIME_LIMIT] = STOP_TIME_LIMIT,
		[FVPSIM_REASON_CPU_LIMIT] = STOP_CPU_LIMIT,
	};

	machine_ask_stop(m->m, reasons[reason >= 0 && (size_t)reason < ARRAY_LEN(reasons) ? reason : FVPSIM_REASON_INTERRUPTED]);
}

void fvpsim_forget_stop(struct fvpsim_machine *m)
{
	__atomic_store_n(&m->m->pause, PAUSE_NONE, __ATOMIC_SEQ_CST);
	__atomic_store_n(&m->asked, 0, __ATOMIC_SEQ_CST);
}

/* What stops a run, resolved. */
struct goal {
	struct limits limits;
	u64 instruction;
	bool has_address;
	u32 address;
	bool own_breakpoint; /* ours, to be taken away */
};

static int set_text(struct fvpsim_machine *m, const struct fvpsim_until *u, struct fvpsim_error *error)
{
	m->until[0] = 0;
	m->until_matched = 0;
	m->until_seen = false;
	m->until_stream = u->stream;
	if (!u->text)
		return FVPSIM_OK;
	if (!*u->text || strlen(u->text) >= sizeof m->until)
		return api_fail(error, FVPSIM_USAGE, "a text to stop at has 1 to %d bytes", API_UNTIL - 1);
	if (u->stream < 0 || u->stream >= FVPSIM_INPUT)
		return api_fail(error, FVPSIM_USAGE, "there is no stream %d to print a text on", u->stream);
	snprintf(m->until, sizeof m->until, "%s", u->text);
	return FVPSIM_OK;
}

/* Of two limits; 0: none. */
static u64 sooner(u64 a, u64 b)
{
	return a && (!b || a < b) ? a : b;
}

static int set_goal(struct fvpsim_machine *m, const struct fvpsim_until *u, struct goal *g, struct fvpsim_error *error)
{
	*g = (struct goal){ .limits = m->run.limits, .instruction = UINT64_MAX };
	g->limits.cycles = sooner(g->limits.cycles, u->cycle);
	g->limits.tick = sooner(g->limits.tick, u->tick);
	if (u->instruction)
		g->instruction = u->instruction;
	if (u->symbol && u->address)
		return api_fail(error, FVPSIM_USAGE, "give a symbol or an address to stop at, not both");
	if (u->symbol && fvpsim_symbol(m, u->symbol, &g->address, error))
		return FVPSIM_USAGE;
	if (u->address)
		g->address = *u->address;
	g->address &= ~1u;
	g->has_address = u->symbol || u->address;
	if (g->has_address && !api_breaks_at(m, g->address)) {
		if (!cpu_add_breakpoint(m->m->cpu, g->address))
			return api_fail(error, FVPSIM_INTERNAL, "host memory is short");
		g->own_breakpoint = true;
	}
	return FVPSIM_OK;
}

/* Did the run come to a tick or cycle of its own? Otherwise it was the program's limit; where both are the same the program ends in the
 * run that follows. */
static bool at_own_limit(const struct fvpsim_machine *m, const struct fvpsim_until *u)
{
	const u64 cycles = machine_cycles(m->m);

	return (u->cycle && cycles >= u->cycle) || (u->tick && cycles * m->m->period >= u->tick) ||
	       !m->run.limits.cycles || cycles < m->run.limits.cycles;
}

/* Why the run loop came back. */
static int stop_of(struct fvpsim_machine *m, const struct fvpsim_until *u)
{
	struct machine *machine = m->m;

	if (m->repeats && record_reached_end(m->record, machine))
		return FVPSIM_STOP_END;
	if (machine->stop == STOP_CYCLE_LIMIT && at_own_limit(m, u)) {
		machine->stop = STOP_NONE;
		return FVPSIM_STOP_TIME;
	}
	if (machine->stop != STOP_NONE)
		return FVPSIM_STOP_END;
	switch (machine->pause) {
	case PAUSE_BREAK: return FVPSIM_STOP_ADDRESS;
	case PAUSE_WATCH: return FVPSIM_STOP_WATCH;
	case PAUSE_COUNT: return FVPSIM_STOP_INSTRUCTION;
	default: return m->until_seen ? FVPSIM_STOP_TEXT : FVPSIM_STOP_ASKED;
	}
}

static int enter(struct fvpsim_machine *m, struct fvpsim_error *error)
{
	const int kind = api_start(m, error);

	m->inside = !kind;
	m->watched_made = false;
	return kind;
}

static void leave(struct fvpsim_machine *m)
{
	api_flush(m);
	m->until[0] = 0;
	m->inside = false;
}

int fvpsim_run(struct fvpsim_machine *m, const struct fvpsim_until *until, int *stop, struct fvpsim_error *error)
{
	struct fvpsim_until u = { .size = sizeof u };
	struct goal g;
	int kind = api_outside(m, error);

	if (!kind && until && until->size < sizeof until->size)
		kind = api_fail(error, FVPSIM_USAGE, "the structure's member size is not set: set it to sizeof the structure");
	if (!kind && until)
		memcpy(&u, until, until->size < sizeof u ? until->size : sizeof u);
	if (!kind)
		kind = set_text(m, &u, error);
	if (!kind)
		kind = set_goal(m, &u, &g, error);
	if (kind)
		return kind;
	if (__atomic_load_n(&m->asked, __ATOMIC_SEQ_CST)) { /* before the run began */
		fvpsim_forget_stop(m); /* the machine was told as well */
		*stop = m->m->stop == STOP_NONE ? FVPSIM_STOP_ASKED : FVPSIM_STOP_END;
	} else if (!(kind = enter(m, error))) {
		cpu_set_last_instruction(m->m->cpu, g.instruction);
		api_trail_run(m, &g.limits);
		cpu_set_last_instruction(m->m->cpu, UINT64_MAX);
		*stop = stop_of(m, &u);
		fvpsim_forget_stop(m);
		leave(m);
	}
	if (g.own_breakpoint)
		cpu_remove_breakpoint(m->m->cpu, g.address);
	return kind ? kind : api_ok(error);
}

int fvpsim_step(struct fvpsim_machine *m, int *stop, struct fvpsim_error *error)
{
	const struct fvpsim_until next = {
		.size = sizeof next, .instruction = cpu_instructions(m->m->cpu) + 1,
	};
	int kind = api_outside(m, error);

	if (kind)
		return kind;
	cpu_pass_breakpoint(m->m->cpu);
	return fvpsim_run(m, &next, stop, error);
}

/* gdb_options.tell */
static void tell(void *ctx, bool is_note, const char *text)
{
	const struct fvpsim_machine *m = ctx;

	if (m->callbacks.message)
		m->callbacks.message(m->callbacks.ctx, is_note ? FVPSIM_MESSAGE_NOTE : FVPSIM_MESSAGE_USER, "GDB001", text);
}

int fvpsim_debug(struct fvpsim_machine *m, const char *where, int how, int *stop, struct fvpsim_error *error)
{
	const struct gdb_options o = {
		.where = where, .wait = how & FVPSIM_DEBUG_WAIT, .files = how & FVPSIM_DEBUG_FILES, .quiet = how & FVPSIM_DEBUG_QUIET,
		.tell = tell, .ctx = m, .asked = &m->asked, .history_bytes = m->run.gdb_history_mib << 20,
	};
	char why[API_WHY];
	int kind = api_outside(m, error);

	if (kind)
		return kind;
	if (!m->run.standard_streams && !strcmp(where, "-"))
		return api_fail(error, FVPSIM_USAGE, "the standard streams are not the library's: give a port, HOST:PORT, or a path with a slash");
	if (m->record && !m->repeats)
		return api_fail(error, FVPSIM_USAGE, "a run is recorded without a debugger: record it, then debug the replay");
	if (m->breakpoints || m->watch)
		return api_fail(error, FVPSIM_USAGE, "take away breakpoints and watchpoints first: a debugger sets its own");
	api_trail_forget(m); /* the debugger keeps a past of its own */
	kind = enter(m, error);
	if (kind)
		return kind;

	const enum failure failure = gdb_serve(m->m, &m->run.limits, &o, why, sizeof why);

	*stop = stop_of(m, &(struct fvpsim_until){ 0 });
	fvpsim_forget_stop(m);
	leave(m);
	return api_told(failure, why, error);
}

int fvpsim_get_counts(struct fvpsim_machine *m, struct fvpsim_counts *counts, struct fvpsim_error *error)
{
	struct fvpsim_counts full = { .size = sizeof full };

	full.cycles = machine_cycles(m->m);
	full.ticks = full.cycles * m->m->period;
	full.instructions = cpu_instructions(m->m->cpu);
	if (m->m->npu) {
		full.npu_jobs = npu_result(m->m->npu)->jobs;
		full.npu_cycles = npu_result(m->m->npu)->total_cycles;
	}
	return api_copy_out(counts, &full, sizeof full, error);
}
