/* SPDX-License-Identifier: Apache-2.0 */
/* "monitor trace", "monitor backtrace" and "monitor branches". */
#include "sim/gdb/monitor.h"
#include "sim/backtrace.h"
#include "sim/history/trail.h"
#include "sim/trace/trace.h"

#include <string.h>

/* False with a line in `why`. */
static bool begin_trace(struct gdb *g, char *why, size_t why_size)
{
	char unheard[8];

	if (!trace_option_check(g->traced, why, why_size))
		return false;
	g->tracing = tracing_new(g->machine, NULL, false);
	snprintf(why, why_size, "host memory is short");
	if (g->tracing && !tracing_add_trace(g->tracing, g->traced, why, why_size))
		return true;
	tracing_end(g->tracing, unheard, sizeof unheard);
	g->tracing = NULL;
	return false;
}

static void trace_on(struct gdb *g, const char *what)
{
	char why[512];

	if (g->tracing) {
		monitor_print(g, "a trace is being written already; monitor trace off ends it\n");
		return;
	}
	snprintf(g->traced, sizeof g->traced, "%s", *what ? what : "tarmac");
	if (begin_trace(g, why, sizeof why))
		monitor_print(g, "tracing: %s\n", g->traced);
	else
		monitor_print(g, "%s\n", why);
}

void monitor_trace(struct gdb *g, const char *rest)
{
	char why[512] = "";

	if (!strcmp(rest, "on") || !strncmp(rest, "on ", 3)) {
		trace_on(g, rest + 2 + strspn(rest + 2, " "));
	} else if (strcmp(rest, "off") != 0) {
		monitor_print(g, "trace takes on, with a kind and a file as --trace has them, or off\n");
	} else if (!g->tracing) {
		monitor_print(g, "no trace is being written\n");
	} else {
		monitor_print(g, "%s%s\n", tracing_end(g->tracing, why, sizeof why) ? why : "the trace is written", "");
		g->tracing = NULL;
	}
}

void monitor_backtrace(struct gdb *g, const char *rest)
{
	struct backtrace_frame frame[BACKTRACE_MOST];
	const unsigned count = backtrace(g->machine, frame, BACKTRACE_MOST);
	char where[160];

	(void)rest;
	for (unsigned i = 0; i < count; i++) {
		machine_describe(g->machine, frame[i].place, where, sizeof where);
		monitor_print(g, "#%-2u 0x%08x%s%s, %s\n", i, frame[i].pc, *where ? " in " : "", where, frame[i].secure ? "Secure" : "Non-secure");
		if (backtrace_link_text(&frame[i], where, sizeof where))
			monitor_print(g, "    %s\n", where);
	}
}

static void print_branch(struct gdb *g, const struct trail_branch *b)
{
	char from[160], to[160], kind[32], times[32] = "";

	machine_describe(g->machine, b->from, from, sizeof from);
	machine_describe(g->machine, b->to, to, sizeof to);
	if (b->times > 1)
		snprintf(times, sizeof times, ", %u times", b->times);
	monitor_print(g, "0x%08x %s -> 0x%08x %s (%s%s)\n", b->from, from, b->to, to, trail_branch_kind(b, kind, sizeof kind), times);
}

void monitor_branches(struct gdb *g, const char *rest)
{
	struct trail_branches found = { .count = 0 };
	const struct trail_branch *b;

	(void)rest;
	if (!g->history_kept) {
		monitor_print(g, "no past is kept: --gdb-history 0, or host memory is short\n");
		return;
	}
	cpu_catch_faults(g->machine->cpu, 0);
	trail_last_branches(&g->history, &found);
	cpu_catch_faults(g->machine->cpu, g->caught);
	for (unsigned i = 0; (b = trail_branch(&found, i)); i++)
		print_branch(g, b);
	if (!found.count)
		monitor_print(g, "no branch since the past begins, or since the debugger has changed something\n");
}
