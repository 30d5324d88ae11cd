/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that let the machine run: vCont, c, s. */
#include "sim/gdb/session.h"

/* Debuggers take Arm processors to stop before a watched access: they take the watchpoint away and step, to see what has changed. Here it
 * has been made already, and maybe not by an instruction. That step comes by vCont, and before a person could do anything. */
static bool has_been_stepped(const struct gdb *g)
{
	if (g->why != WHY_WATCH || !g->step_due)
		return false;
	for (unsigned i = 0; i < g->point_count; i++)
		if (g->points[i].type == g->hit.type && g->points[i].addr == g->hit.addr)
			return false;
	return true;
}

static void go(struct gdb *g, struct resume how)
{
	g->resume = how;
	g->halted = false;
	g->silent = true;
	cpu_pass_breakpoint(g->machine->cpu);
}

static void step_range(struct gdb *g, const char *rest)
{
	u64 first, end;

	if (!hex_number(&rest, &first) || *rest++ != ',' || !hex_number(&rest, &end) || first > UINT32_MAX || end > UINT32_MAX)
		answer_error(g, ERROR_WRONG);
	else
		go(g, (struct resume){ .stepping = true, .first = (u32)first, .end = (u32)end });
}

static void step(struct gdb *g)
{
	if (!has_been_stepped(g)) {
		go(g, (struct resume){ .stepping = true });
		return;
	}
	g->why = WHY_STEPPED;
	stop_reply(g, &g->reply);
}

/* The first action: there is one thread. Signals (C, S) mean nothing to this machine. */
void resume_actions(struct gdb *g, const char *rest)
{
	switch (*rest) {
	case '?':
		text_add(&g->reply, "vCont;c;C;s;S;t;r");
		return;
	case ';':
		rest++;
		break;
	default:
		return;
	}
	switch (*rest) {
	case 'c': case 'C': go(g, (struct resume){ .stepping = false }); break;
	case 's': case 'S': step(g); break;
	case 'r': step_range(g, rest + 1); break;
	case 't': answer_ok(g); break;
	default: answer_error(g, ERROR_WRONG);
	}
}

/* c, s: with an address, from there. */
static void from(struct gdb *g, const char *rest, bool stepping)
{
	u64 addr;

	if (*rest && hex_number(&rest, &addr)) {
		session_changed(g);
		cpu_set_reg(g->machine->cpu, REG_PC, (u32)addr);
	}
	go(g, (struct resume){ .stepping = stepping });
}

void resume_continue(struct gdb *g, const char *rest) { from(g, rest, false); }
void resume_step(struct gdb *g, const char *rest) { from(g, rest, true); }
