/* SPDX-License-Identifier: Apache-2.0 */
/* gdb's "monitor" commands. */
#include "sim/gdb/monitor.h"
#include "sim/params/values.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void monitor_print(struct gdb *g, const char *format, ...)
{
	char line[MONITOR_LINE + 64];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	text_hex(&g->reply, line, strlen(line));
}

struct command { const char *name, *arguments, *text; void (*run)(struct gdb *g, const char *rest); };
static const struct command commands[];

static void reset(struct gdb *g, const char *rest)
{
	(void)rest;
	session_changed(g);
	machine_reset(g->machine);
	monitor_print(g, "the machine is as after a reset; memory is as it was\n");
}

static void halt(struct gdb *g, const char *rest)
{
	(void)rest;
	monitor_print(g, "the machine stands still at 0x%08x\n", cpu_get_reg(g->machine->cpu, REG_PC));
}

static void cycles(struct gdb *g, const char *rest)
{
	const struct machine *m = g->machine;
	const u64 n = machine_cycles(m);

	(void)rest;
	monitor_print(g, "%llu cycles, %llu instructions, %.9f s simulated\n", (unsigned long long)n,
	      (unsigned long long)cpu_instructions(m->cpu), (double)n / (double)m->config.cpu.clock_hz);
}

static int by_time(const void *a, const void *b)
{
	const struct sched_event *x = a, *y = b;

	return x->when != y->when ? (x->when < y->when ? -1 : 1) : x->sequence < y->sequence ? -1 : 1;
}

static void events(struct gdb *g, const char *rest)
{
	const struct machine *m = g->machine;
	struct sched_event sorted[SCHED_MAX_EVENTS];

	(void)rest;
	memcpy(sorted, m->sched.heap, m->sched.count * sizeof *sorted);
	qsort(sorted, m->sched.count, sizeof *sorted, by_time);
	if (!m->sched.count)
		monitor_print(g, "nothing is scheduled\n");
	for (u32 i = 0; i < m->sched.count; i++) {
		const void *who = m->sched.device[sorted[i].device].ctx;

		if (who == m->cpu)
			monitor_print(g, "cycle %llu: processor, %s\n", (unsigned long long)(sorted[i].when / m->period), cpu_event_name(sorted[i].kind));
		else
			monitor_print(g, "cycle %llu: %s, kind %u\n", (unsigned long long)(sorted[i].when / m->period),
			      who == m->npu ? "NPU" : ((const struct device *)who)->name, sorted[i].kind);
	}
}

static void regions(struct gdb *g, const char *rest)
{
	const struct region *r;

	(void)rest;
	for (u64 at = 0; at <= UINT32_MAX; at = (u64)r->last + 1) {
		r = bus_from(g->machine->bus, (u32)at);
		if (!r)
			return;
		monitor_print(g, "0x%08x..0x%08x %-7s %s%s\n", r->base, r->last, r->kind == REGION_RAM ? "memory" : "device", r->name,
		      r->kind == REGION_RAM && !(r->views & BUS_NPU) ? " (not for the NPU)" : "");
	}
}

static void fault(struct gdb *g, const char *rest)
{
	struct cpu_fault_info f;
	char where[160];

	(void)rest;
	cpu_fault_info(g->machine->cpu, &f);
	if (!f.valid) {
		monitor_print(g, "no fault so far\n");
		return;
	}
	machine_describe(g->machine, f.pc, where, sizeof where);
	monitor_print(g, "%s\nraised at 0x%08x%s%s\nCFSR 0x%08x HFSR 0x%08x SFSR 0x%08x\n", f.cause, f.pc, *where ? " in " : "", where, f.cfsr,
	      f.hfsr, f.sfsr);
	cpu_first_fault_info(g->machine->cpu, &f);
	if (f.valid)
		monitor_print(g, "it goes back to: %s, raised at 0x%08x\n", f.cause, f.pc);
}

/* "catch": what stops; "catch all", "catch none", "catch NAME", "catch -NAME". */
static void catch(struct gdb *g, const char *rest)
{
	const char *name;
	bool found = !*rest;

	for (unsigned i = 0; (name = cpu_fault_kind(i)); i++) {
		const u64 bit = UINT64_C(1) << i;

		if (!strcmp(rest, "all") || !strcmp(rest, "none") || !strcasecmp(rest + (*rest == '-'), name)) {
			g->caught = *rest == '-' || !strcmp(rest, "none") ? g->caught & ~bit : g->caught | bit;
			found = true;
		}
	}
	if (!found) {
		monitor_print(g, "there is no kind of fault '%s'; 'monitor catch' lists them\n", rest);
		return;
	}
	cpu_catch_faults(g->machine->cpu, g->caught);
	monitor_print(g, "stops at:%s", g->caught ? "" : " none");
	for (unsigned i = 0; (name = cpu_fault_kind(i)); i++)
		if (g->caught >> i & 1)
			monitor_print(g, " %s", name);
	monitor_print(g, "\ngoes on at:");
	for (unsigned i = 0; (name = cpu_fault_kind(i)); i++)
		if (!(g->caught >> i & 1))
			monitor_print(g, " %s", name);
	monitor_print(g, "\n");
}

static void checkpoint(struct gdb *g, const char *rest)
{
	const struct history *h = &g->history;

	(void)rest;
	if (!g->history_kept) {
		monitor_print(g, "no past is kept: --gdb-history 0, or host memory is short\n");
		return;
	}
	history_add_checkpoint(&g->history);
	monitor_print(g, "%u checkpoints, %llu KiB of %llu; the past begins after %llu instructions\n", h->count, (unsigned long long)h->bytes >> 10,
	      (unsigned long long)h->options.bytes >> 10, (unsigned long long)history_begins(h).insns);
}

static void semihosting(struct gdb *g, const char *rest)
{
	const bool gdb = !strcmp(rest, "gdb");

	if (*rest && !gdb && strcmp(rest, "native")) {
		monitor_print(g, "semihosting is served by gdb or native, by the simulator\n");
		return;
	}
	if (*rest) {
		session_changed(g);
		file_io_use(g, gdb);
	}
	monitor_print(g, "semihosting is served by %s\n", !g->machine->semihosting ? "nobody: it is off"
			: semihosting_at_debugger(g->machine->semihosting) ? "gdb" : "the simulator");
}

static void to_cycle(struct gdb *g, u64 cycle)
{
	struct machine *m = g->machine;
	const struct limits until = { .cycles = cycle };

	while (m->stop == STOP_NONE && machine_cycles(m) < cycle) {
		if (g->history_kept)
			history_look(&g->history);
		machine_run_on(m, &until);
	}
	if (m->stop == STOP_CYCLE_LIMIT)
		m->stop = STOP_NONE;
}

/* gdb learns of an end only by the answer to a packet that lets the machine run: behind this command it would find nobody. So the machine
 * goes back to before the instruction that has ended the run. */
static void come_back_from_end(struct gdb *g)
{
	struct machine *m = g->machine;
	const enum stop_reason end = m->stop;

	if (end == STOP_NONE)
		return;
	if (!g->history_kept || machine_stop_asked(m)) {
		monitor_print(g, "the run has ended: %s\n", stop_text(end));
		return;
	}
	m->stop = STOP_NONE;
	history_step_back(&g->history);
	monitor_print(g, "here the run ends: %s; 'continue' ends it\n", stop_text(end));
}

static void run_to(struct gdb *g, const char *rest)
{
	const bool cycle = !strncmp(rest, "cycle ", 6);
	u64 n;

	if (!value_u64(cycle ? rest + 6 : rest, &n)) {
		monitor_print(g, "run-to takes a number of instructions, or cycle and a number\n");
		return;
	}
	cpu_set_last_instruction(g->machine->cpu, UINT64_MAX);
	g->verdict = STOP_NONE;
	g->why = WHY_STEPPED; /* what was found where it stood is behind it */
	if (cycle)
		to_cycle(g, n);
	else if (!g->history_kept || !history_go_to(&g->history, n))
		monitor_print(g, "the past does not reach back so far\n");
	if (session_stands_at_end(g))
		monitor_print(g, "%s; 'continue' ends the run\n", stop_text(g->verdict));
	come_back_from_end(g);
	cycles(g, "");
}

static void help(struct gdb *g, const char *rest);

static const struct command commands[] = {
#define M(name, arguments, run, text) { name, arguments, text, run },
#include "sim/gdb/monitor.def"
#undef M
	{ NULL, NULL, NULL, NULL },
};

static void help(struct gdb *g, const char *rest)
{
	(void)rest;
	for (const struct command *c = commands; c->name; c++)
		monitor_print(g, "monitor %s%s%s - %s\n", c->name, *c->arguments ? " " : "", c->arguments, c->text);
}

void monitor_command(struct gdb *g, const char *hex)
{
	char line[MONITOR_LINE] = "";
	const size_t bytes = strlen(hex) / 2;

	g->step_due = false; /* a person has asked for it */
	if (bytes >= sizeof line) {
		monitor_print(g, "a command has at most %zu characters\n", sizeof line - 1);
		return;
	}
	if (!hex_bytes(hex, (u8 *)line, bytes)) {
		answer_error(g, ERROR_WRONG);
		return;
	}
	for (const struct command *c = commands; c->name; c++) {
		const size_t n = strlen(c->name);

		if (strncmp(line, c->name, n) || (line[n] && line[n] != ' '))
			continue;
		c->run(g, line + n + strspn(line + n, " "));
		if (!g->reply.bytes)
			answer_ok(g);
		return;
	}
	monitor_print(g, "there is no command '%s'; monitor help lists them\n", line);
}
