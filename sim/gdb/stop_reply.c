/* SPDX-License-Identifier: Apache-2.0 */
/* Why the machine stands still (T), or how it ended (W): gdb's manual, "Stop Reply Packets". */
#include "sim/gdb/session.h"

#include <string.h>

/* By the cause, and not by the exception taken: after a reset all are escalated to HardFault. */
static unsigned signal_of_fault(const struct machine *m)
{
	static const struct { const char *begin; unsigned number; } signals[] = {
		{ "UsageFault: undefined", SIGNAL_ILL },
		{ "UsageFault: division", SIGNAL_FPE },
		{ "UsageFault", SIGNAL_BUS },
		{ "DebugMonitor", SIGNAL_TRAP },
	};
	struct cpu_fault_info fault;

	cpu_fault_info(m->cpu, &fault);
	for (unsigned i = 0; i < ARRAY_LEN(signals); i++)
		if (!strncmp(fault.cause, signals[i].begin, strlen(signals[i].begin)))
			return signals[i].number;
	return SIGNAL_SEGV;
}

static unsigned signal_of(const struct gdb *g)
{
	switch (g->why) {
	case WHY_ASKED: return SIGNAL_INT;
	case WHY_FAULT: return signal_of_fault(g->machine);
	case WHY_ENDLESS: return SIGNAL_STOP;
	default: return SIGNAL_TRAP;
	}
}

static void add_register(const struct gdb *g, struct text *out, unsigned number)
{
	unsigned bytes;
	u64 value;

	if (!register_get(g->machine, number, &value, &bytes))
		return;
	text_add(out, "%02x:", number);
	text_hex(out, &value, bytes);
	text_add(out, ";");
}

static const char *kind_of_breakpoint(const struct gdb *g)
{
	const struct point *p = points_breakpoint(g, cpu_get_reg(g->machine->cpu, REG_PC));

	return p && p->type == POINT_SOFTWARE ? "swbreak" : "hwbreak";
}

void stop_reply(struct gdb *g, struct text *out)
{
	enum { SP = 13, PC = 15 };
	struct machine *m = g->machine;

	if (m->stop != STOP_NONE) {
		text_add(out, "W%02x", (unsigned)stop_status(m->stop, false, m->guest_status) & 0xff);
		return;
	}
	text_add(out, "T%02xthread:1;", signal_of(g));
	add_register(g, out, SP);
	add_register(g, out, PC);
	if (g->why == WHY_WATCH)
		text_add(out, "%s:%x;", g->hit.type == POINT_READ ? "rwatch" : g->hit.type == POINT_ACCESS ? "awatch" : "watch", g->hit.told);
	if (g->why == WHY_PAST_ENDS)
		text_add(out, "replaylog:begin;");
	if (g->why == WHY_BREAK)
		text_add(out, "%s:;", kind_of_breakpoint(g));
}

/* What a person wants to know besides. */
static void explain(struct gdb *g)
{
	struct cpu_fault_info fault;
	char line[512], where[160];

	if (g->machine->stop != STOP_NONE || (g->why != WHY_FAULT && g->verdict != STOP_FAULT && g->verdict != STOP_LOCKUP))
		return;
	cpu_fault_info(g->machine->cpu, &fault);
	machine_describe(g->machine, fault.pc, where, sizeof where);
	snprintf(line, sizeof line, "fault: %s, raised at 0x%08x%s%s\n", fault.cause, fault.pc, *where ? " in " : "", where);
	session_print(g, line);
}

void stop_report(struct gdb *g)
{
	struct text t = { 0 };

	char line[160];

	if (g->machine->stop != STOP_NONE)
		snprintf(line, sizeof line, "the run has ended: %s\n", stop_text(g->machine->stop));
	else if (g->verdict != STOP_NONE)
		snprintf(line, sizeof line, "%s; 'continue' ends the run\n", stop_text(g->verdict));
	else
		*line = 0;
	if (*line)
		session_print(g, line);
	explain(g);
	g->halted = true;
	stop_reply(g, &t);
	session_send(g, &t);
	text_free(&t);
}
