/* SPDX-License-Identifier: Apache-2.0 */
/* The run of a machine that debuggers may stop. */
#include "sim/gdb/gdb.h"
#include "sim/gdb/session.h"
#include "sim/trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char refusal[] = "E.the machine has a debugger already, and takes one at a time";

enum { WAIT_MS = 100 }; /* between looks at signals and limits while the machine stands still */
enum { RANGE_STEPS = 1000 }; /* of a step through a range, between looks at the client */

/* Kinds that stop a session until it says otherwise: all but supervisor calls. */
static u64 all_faults(void)
{
	u64 all = 0;
	const char *name;

	for (unsigned i = 0; (name = cpu_fault_kind(i)); i++)
		if (name[0] != 'S' || name[1] != 'V')
			all |= UINT64_C(1) << i;
	return all;
}

static void tell(const struct gdb *g, bool is_note, const char *text)
{
	if (g->options->tell)
		g->options->tell(g->options->ctx, is_note, text);
}

/* The session of a client that is gone ends before another one is taken: nothing of it, such as half a packet, is the next one's. */
static void meet_clients(struct gdb *g)
{
	if (!transport_is_open(&g->link)) {
		if (g->known && (g->killed || (!g->over && !transport_takes_others(&g->link))))
			machine_stop(g->machine, STOP_INTERRUPTED);
		else if (g->known && !g->over && g->halted && !g->options->quiet)
			tell(g, true, "gdb: the debugger is gone; the machine waits for the next one");
		session_end(g);
	}
	if (transport_accept(&g->link) && !g->known) {
		session_begin(g);
		cpu_catch_faults(g->machine->cpu, g->caught);
	}
}

/* The machine stands still until a client lets it go. */
static void stand(struct gdb *g)
{
	transport_wait(&g->link, WAIT_MS);
	session_poll(g);
	if (machine_stop_asked(g->machine))
		machine_stop(g->machine, (enum stop_reason)__atomic_load_n(&g->machine->asked, __ATOMIC_RELAXED));
}

static bool in_range(const struct gdb *g)
{
	const u32 pc = cpu_get_reg(g->machine->cpu, REG_PC);

	return pc >= g->resume.first && pc < g->resume.end;
}

/* A pause of the run: is it one for the client? */
static bool concerns_client(struct gdb *g, enum machine_pause pause)
{
	switch (pause) {
	case PAUSE_NONE:
		return true;
	case PAUSE_BREAK:
		g->why = WHY_BREAK;
		return true;
	case PAUSE_FAULT:
		g->why = WHY_FAULT;
		return true;
	case PAUSE_WATCH:
		g->why = WHY_WATCH;
		g->step_due = g->steps_behind;
		return true;
	case PAUSE_COUNT:
		g->why = WHY_STEPPED;
		return g->resume.stepping && !in_range(g);
	case PAUSE_LOOKED:
	case PAUSE_ASKED:
		break;
	}
	return false;
}

/* The instruction at which the run must pause at the latest: after a step, and where it has not been before. */
static u64 last_instruction(const struct gdb *g)
{
	const u64 now = cpu_instructions(g->machine->cpu);

	if (g->resume.stepping)
		return now + 1;
	return g->history_kept && history_is_past(&g->history) && g->history.frontier.insns > now ? g->history.frontier.insns : UINT64_MAX;
}

/* What was found out before the client looked, and has come to no other course since. */
static void end_as_found(struct gdb *g)
{
	machine_stop(g->machine, g->verdict);
	if (g->known)
		stop_report(g);
}

/* On its way, up to a pause. A step through a range pauses behind each instruction: to look at the client as often would take longer than the
 * step. */
static enum machine_pause run_on(struct gdb *g)
{
	enum machine_pause pause;
	unsigned steps = 0;

	do {
		cpu_set_last_instruction(g->machine->cpu, last_instruction(g));
		if (g->history_kept)
			history_look(&g->history);
		pause = machine_run_on(g->machine, g->limits);
	} while (pause == PAUSE_COUNT && g->resume.stepping && in_range(g) && ++steps < RANGE_STEPS);
	return pause;
}

static void run(struct gdb *g)
{
	if (g->verdict != STOP_NONE && !g->resume.stepping) {
		end_as_found(g);
		return;
	}
	g->verdict = STOP_NONE;
	g->hit_made = g->interrupted = false;
	g->running = true;
	const enum machine_pause pause = run_on(g);
	g->running = false;

	if (g->interrupted)
		g->why = WHY_ASKED;
	if (session_stands_at_end(g) || (g->known && (g->interrupted || concerns_client(g, pause))))
		stop_report(g);
	else if (pause == PAUSE_LOOKED || pause == PAUSE_COUNT)
		session_poll(g);
}

static bool is_asked(const struct gdb *g)
{
	return g->options->asked && __atomic_load_n(g->options->asked, __ATOMIC_SEQ_CST);
}

/* The run, to its end. */
static void serve_run(struct gdb *g)
{
	while (g->machine->stop == STOP_NONE && !is_asked(g)) {
		meet_clients(g);
		if (g->halted)
			stand(g);
		else
			run(g);
	}
}

/* A client that is connected by "extended-remote" asks once more how the run ended, and may begin it again whenever it likes: the end of
 * the run is not the end of its session, as with gdbserver --multi. True: it is to run again. */
static bool is_begun_again(struct gdb *g)
{
	while (g->machine->stop != STOP_NONE && g->known && g->extended && transport_is_open(&g->link) && !is_asked(g) &&
	       !machine_stop_asked(g->machine)) {
		transport_wait(&g->link, WAIT_MS);
		session_poll(g);
	}
	return g->machine->stop == STOP_NONE && !is_asked(g);
}

static void serve(struct gdb *g)
{
	text_add(&g->link.refusal, "+"); /* gdb looks at no packet before its own is acknowledged */
	packet_write(&g->link.refusal, refusal, sizeof refusal - 1);
	program_begin(g);
	points_listen(g);
	npu_watch_begin(&g->npu, g->machine);
	file_io_begin(g);
	file_io_use(g, g->options->files);
	do
		serve_run(g);
	while (is_begun_again(g));
	session_end(g);
	file_io_use(g, false);
	points_unlisten(g);
	machine_unlisten(g->machine, &g->npu);
}

/* Port 0: which it has become, only the server can tell. */
static bool is_any_port(const char *where)
{
	const char *colon = strrchr(where, ':'), *port = colon ? colon + 1 : where;

	return *port && strspn(port, "0") == strlen(port);
}

enum failure gdb_serve(struct machine *m, const struct limits *limits, const struct gdb_options *o, char *why, size_t why_size)
{
	struct gdb *g = calloc(1, sizeof *g);
	char told[300], line[320];

	if (!g) {
		snprintf(why, why_size, "host memory is short");
		return FAIL_INTERNAL;
	}
	*g = (struct gdb){ .machine = m, .limits = limits, .options = o, .caught = all_faults(), .halted = o->wait, .history_bytes = o->history_bytes };
	if (!transport_open(&g->link, o->where, told, sizeof told, why, why_size)) {
		free(g);
		return FAIL_USAGE;
	}
	snprintf(line, sizeof line, "gdb: %s", told);
	if (!o->quiet || !o->wait || is_any_port(o->where))
		tell(g, true, line);
	serve(g);
	if (tracing_end(g->tracing, why, why_size))
		tell(g, false, why);
	transport_close(&g->link);
	text_free(&g->reply);
	text_free(&g->wire);
	text_free(&g->xml);
	program_end(g);
	arguments_end(g);
	free(g);
	return FAIL_NONE;
}
