/* SPDX-License-Identifier: Apache-2.0 */
/* Packets bs and bc: backwards. */
#include "sim/gdb/session.h"

static void begin(struct gdb *g)
{
	g->hit_made = g->step_due = false;
	g->verdict = STOP_NONE;
	g->running = true;
	cpu_catch_faults(g->machine->cpu, 0);
}

static void settle(struct gdb *g)
{
	cpu_catch_faults(g->machine->cpu, g->caught);
	g->running = false;
}

static void end(struct gdb *g)
{
	settle(g);
	stop_reply(g, &g->reply);
}

void reverse_over_fault(struct gdb *g)
{
	struct cpu *cpu = g->machine->cpu;
	const u64 insns = cpu_instructions(cpu);
	const u32 pc = cpu_get_reg(cpu, REG_PC);

	if (g->why != WHY_FAULT || !g->history_kept)
		return;
	begin(g);
	if (!history_step_back(&g->history) || cpu_get_reg(cpu, REG_PC) != pc) /* no instruction raised it: where it was fetched from is nothing */
		history_go_to(&g->history, insns);
	g->why = WHY_STEPPED; /* once: again would take back what is changed now */
	settle(g);
}

/* gdb takes watchpoints away and steps back to see the value before: back over the NPU's operation, or another event, that is
 * to before that. */
void reverse_step(struct gdb *g, const char *rest)
{
	(void)rest;
	if (!g->history_kept)
		return;
	begin(g);
	if (g->why == WHY_WATCH && g->hit.by_event)
		g->why = history_event_back(&g->history) ? WHY_STEPPED : WHY_PAST_ENDS;
	else
		g->why = history_step_back(&g->history) ? WHY_STEPPED : WHY_PAST_ENDS;
	end(g);
}

/* On the way back a client can say no more than Ctrl-C, as on the way on. */
static bool is_given_up(struct gdb *g)
{
	session_poll(g);
	return g->interrupted || !transport_is_open(&g->link);
}

static bool counts(void *ctx, enum machine_pause pause)
{
	struct gdb *g = ctx;

	if (pause == PAUSE_LOOKED)
		return is_given_up(g);
	g->hit_made = false; /* so that the next one is told */
	return true;
}

void reverse_continue(struct gdb *g, const char *rest)
{
	enum machine_pause found;

	(void)rest;
	if (!g->history_kept)
		return;
	begin(g);
	g->halted = g->interrupted = false;
	if (history_run_back(&g->history, counts, g, &found))
		g->why = found == PAUSE_LOOKED ? WHY_ASKED : found == PAUSE_WATCH ? WHY_WATCH : WHY_BREAK;
	else
		g->why = WHY_PAST_ENDS;
	g->halted = true;
	end(g);
}
