/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended, or where it stands: as data, as text for people, as a report. */
#include "sim/api/private.h"
#include "sim/params/message.h"
#include "sim/report/report.h"
#include "sim/report/verdict.h"

#include <stdio.h>
#include <stdlib.h>

static void describe_end(struct fvpsim_machine *m, struct fvpsim_end *end)
{
	struct cpu_fault_info fault;

	end->reason = stop_name(m->m->stop);
	end->text = stop_text(m->m->stop);
	end->status = stop_status(m->m->stop, false, m->m->guest_status);
	end->pc = cpu_get_reg(m->m->cpu, REG_PC);
	machine_describe(m->m, end->pc, end->place, sizeof end->place);
	cpu_fault_info(m->m->cpu, &fault);
	if (fault.valid)
		snprintf(end->fault, sizeof end->fault, "%s", fault.cause);
}

int fvpsim_get_end(struct fvpsim_machine *m, struct fvpsim_end *end, struct fvpsim_error *error)
{
	struct fvpsim_end full = { .size = sizeof full };

	describe_end(m, &full);
	return api_copy_out(end, &full, sizeof full, error);
}

/* ---- the way there ---- */

void api_trail_run(struct fvpsim_machine *m, const struct limits *limits)
{
	if (!m->keeps_trail) {
		machine_run(m->m, limits, NULL);
		return;
	}
	m->trail_limits = *limits;
	if (!m->trail_begun)
		trail_begin(&m->trail, m->m, &m->trail_limits);
	m->trail_begun = true;
	trail_run(&m->trail, NULL);
}

void api_trail_forget(struct fvpsim_machine *m)
{
	if (!m->trail_begun)
		return;
	trail_stop(&m->trail);
	trail_end(&m->trail);
	m->trail_begun = false;
}

static void find_origin(struct fvpsim_machine *m, struct origin *o)
{
	origin_find(o, m->m, m->trail_begun && m->m->stop != STOP_NONE ? &m->trail : NULL);
}

/* ---- text ---- */

/* lines.line */
static void write_line(void *out, const char *text)
{
	char shown[4 * API_WHY];

	message_escape(shown, sizeof shown, text);
	fprintf(out, "%s\n", shown);
}

static void write_explanation(struct fvpsim_machine *m, FILE *out)
{
	struct origin origin;

	if (!origin_is_wanted(m->m))
		return;
	find_origin(m, &origin);
	verdict_add_lines(&(struct lines){ write_line, out }, m->m, &origin);
}

static void write_report(struct fvpsim_machine *m, FILE *out)
{
	struct report r = { .jobs = m->jobs, .said = m->tells ? &m->m->told : NULL, .status = stop_status(m->m->stop, false, m->m->guest_status) };
	struct origin origin;
	struct json j;

	if (m->m->stop != STOP_NONE && origin_is_wanted(m->m)) {
		find_origin(m, &origin);
		r.origin = &origin;
	}
	json_into(&j, out);
	report_write(&j, m->m, &r);
	json_into_end(&j);
}

/* What a function writes, as a text of the user's. */
static int give_text(struct fvpsim_machine *m, void (*write)(struct fvpsim_machine *m, FILE *out), char **to, struct fvpsim_error *error)
{
	const int kind = api_outside(m, error);
	char *text = NULL;
	size_t size;
	FILE *out;

	if (kind)
		return kind;
	out = open_memstream(&text, &size);
	if (out)
		write(m, out);
	if (!out || fclose(out)) {
		free(text);
		return api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	}
	*to = text;
	return api_ok(error);
}

int fvpsim_explain(struct fvpsim_machine *m, char **text, struct fvpsim_error *error)
{
	return give_text(m, write_explanation, text, error);
}

int fvpsim_report(struct fvpsim_machine *m, char **json, struct fvpsim_error *error)
{
	return give_text(m, write_report, json, error);
}
