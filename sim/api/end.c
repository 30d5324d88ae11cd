/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended, or where it stands: as data, as text for people, as a report. */
#include "sim/api/private.h"
#include "sim/params/message.h"
#include "sim/report/report.h"
#include "sim/report/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void describe_end(struct fvpsim_machine *m, struct fvpsim_end *end)
{
	struct cpu_fault_info fault;

	end->reason = stop_name(m->m->stop);
	end->text = stop_text(m->m->stop);
	end->status = stop_status(m->m->stop, m->run.fvp, m->m->guest_status);
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

/* run_host.look */
static void look(void *ctx, struct machine *unused)
{
	const struct fvpsim_machine *m = ctx;

	(void)unused;
	m->callbacks.look(m->callbacks.ctx);
}

void api_trail_run(struct fvpsim_machine *m, const struct limits *limits)
{
	const struct run_host host = { .look = m->callbacks.look ? look : NULL, .ctx = m };

	m->origin_known = false;
	if (!m->run.trail) {
		machine_run(m->m, limits, &host);
		return;
	}
	m->trail_limits = *limits;
	if (!m->trail_begun)
		trail_begin(&m->trail, m->m, &m->trail_limits);
	m->trail_begun = true;
	trail_run(&m->trail, &host);
}

void api_trail_forget(struct fvpsim_machine *m)
{
	m->origin_known = false;
	if (!m->trail_begun)
		return;
	trail_stop(&m->trail);
	trail_end(&m->trail);
	m->trail_begun = false;
}

/* That of an end is looked for once: the last stretch is run again for it. */
static const struct origin *find_origin(struct fvpsim_machine *m)
{
	if (!m->origin_known)
		origin_find(&m->origin, m->m, m->trail_begun && m->m->stop != STOP_NONE ? &m->trail : NULL);
	m->origin_known = m->m->stop != STOP_NONE;
	return &m->origin;
}

/* ---- text ---- */

/* lines.line */
static void write_line(void *out, const char *text)
{
	char shown[4 * API_WHY];

	message_escape(shown, sizeof shown, text);
	fprintf(out, "%s\n", shown);
}

static void write_explanation(void *ctx, FILE *out)
{
	struct fvpsim_machine *m = ctx;

	if (origin_is_wanted(m->m))
		verdict_add_lines(&(struct lines){ write_line, out }, m->m, find_origin(m));
}

/* The members of the object that is open. */
static void add_report(struct fvpsim_machine *m, struct json *j)
{
	const struct report r = {
		.origin = m->m->stop != STOP_NONE && origin_is_wanted(m->m) ? find_origin(m) : NULL,
		.jobs = m->jobs, .said = m->run.report_messages ? &m->m->told : NULL, .dumps = &m->dumps,
		.status = stop_status(m->m->stop, m->run.fvp, m->m->guest_status),
	};

	report_write(j, m->m, &r);
}

static void write_report(void *ctx, FILE *out)
{
	struct json j;

	json_into(&j, out);
	add_report(ctx, &j);
	json_into_end(&j);
}

int fvpsim_explain(struct fvpsim_machine *m, char **text, struct fvpsim_error *error)
{
	const int kind = api_outside(m, error);

	return kind ? kind : api_give_text(write_explanation, m, text, error);
}

int fvpsim_report(struct fvpsim_machine *m, char **json, struct fvpsim_error *error)
{
	const int kind = api_outside(m, error);

	return kind ? kind : api_give_text(write_report, m, json, error);
}

int fvpsim_report_file(struct fvpsim_machine *m, const char *path, struct fvpsim_error *error)
{
	const int kind = api_outside(m, error);
	char why[API_WHY];
	struct json j;

	if (kind)
		return kind;
	if (!m->run.standard_streams && !strcmp(path, "-"))
		return api_fail(error, FVPSIM_USAGE, "the standard streams are not the library's: name a file");
	if (!json_begin(&j, path, why, sizeof why))
		return api_fail(error, FVPSIM_NO_OUTPUT, "%s", why);
	add_report(m, &j);
	return json_end(&j, why, sizeof why) ? api_ok(error) : api_fail(error, FVPSIM_NO_OUTPUT, "%s", why);
}
