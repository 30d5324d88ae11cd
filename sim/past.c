/* SPDX-License-Identifier: Apache-2.0 */
/* A machine that goes back, or repeats a record. */
#include "sim/machine.h"

void machine_strays(struct machine *m, const char *what)
{
	diag_report(m->diag, DIAG_USER, "REC001", "after %llu instructions the run has left its record: the program %s, and did not then",
		    (unsigned long long)cpu_instructions(m->cpu), what);
	machine_stop(m, STOP_RECORD);
}

static void note_output(struct sink *s, bool seen)
{
	s->seen = !seen ? 0 : s->bytes > s->seen ? s->bytes : s->seen;
}

static void note_outputs(struct machine *m, bool seen)
{
	for (unsigned i = 0; i < CONFIG_UARTS; i++)
		note_output(&m->uart[i].sink, seen);
	note_output(&m->itm, seen);
}

bool machine_in_past(const struct machine *m)
{
	const u64 insns = cpu_instructions(m->cpu);

	return insns != m->seen.insns ? insns < m->seen.insns : m->sched.handled < m->seen.events;
}

void machine_output_seen(struct machine *m)
{
	note_outputs(m, true);
	if (machine_in_past(m))
		return;
	m->seen.insns = cpu_instructions(m->cpu);
	m->seen.events = m->sched.handled;
}

void machine_output_is_new(struct machine *m)
{
	note_outputs(m, false);
	m->seen.insns = m->seen.events = 0;
}
