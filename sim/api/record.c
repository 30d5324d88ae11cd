/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that are recorded, and repeated. */
#include "sim/api/private.h"

#include <stdlib.h>

int fvpsim_record_begin(struct fvpsim_machine *m, struct fvpsim_error *error)
{
	const int kind = api_apart(m, error);
	char why[API_WHY];

	if (kind)
		return kind;
	if (machine_cycles(m->m) || m->m->stop != STOP_NONE)
		return api_fail(error, FVPSIM_USAGE, "the machine has run: begin to record before its first run");
	m->record = calloc(1, sizeof *m->record);
	if (!m->record)
		return api_fail(error, FVPSIM_INTERNAL, "host memory is short");

	const int started = api_start(m, error);

	if (!started && record_begin(m->record, m->m, &m->run.limits, why, sizeof why))
		return api_ok(error);
	api_record_free(m);
	return started ? started : api_fail(error, FVPSIM_INTERNAL, "%s", why);
}

int fvpsim_record_write(struct fvpsim_machine *m, const char *path, struct fvpsim_error *error)
{
	const int kind = api_outside(m, error);
	char why[API_WHY];

	if (kind)
		return kind;
	if (!m->record || m->repeats)
		return api_fail(error, FVPSIM_USAGE, "nothing is recorded: fvpsim_record_begin() comes before the first run");
	return api_told(record_write(m->record, m->m, path, why, sizeof why), why, error);
}

/* The configuration's record with a place of the machine's own. Who repeats it writes nothing into it. */
static struct record *share(const struct record *from)
{
	struct record *r = malloc(sizeof *r);

	if (r)
		*r = *from;
	return r;
}

int api_repeat(struct fvpsim_machine *m, const struct fvpsim_config *c, struct fvpsim_error *error)
{
	char why[API_WHY];

	m->record = share(api_texts_record(c->texts));
	if (!m->record)
		return api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	m->repeats = true;
	if (!record_load(m->record, m->m, why, sizeof why))
		return api_fail(error, FVPSIM_BAD_INPUT, "%s", why);

	const int started = api_start(m, error);

	if (started)
		return started;
	return record_start(m->record, m->m, why, sizeof why) ? FVPSIM_OK : api_fail(error, FVPSIM_MISFIT, "%s", why);
}

int fvpsim_replayed(struct fvpsim_machine *m, struct fvpsim_error *error)
{
	const int kind = api_outside(m, error);
	char why[API_WHY];

	if (kind)
		return kind;
	if (!m->repeats || m->m->stop == STOP_NONE)
		return api_fail(error, FVPSIM_USAGE, m->repeats ? "the run has not ended" : "the machine repeats no record");
	if (m->m->stop == STOP_RECORD)
		return api_fail(error, FVPSIM_DIFFERS, "the program asked for what its record has not got: a message said where");
	return record_finish(m->record, m->m, why, sizeof why) ? api_ok(error) : api_fail(error, FVPSIM_DIFFERS, "%s", why);
}

void api_record_free(struct fvpsim_machine *m)
{
	if (m->record && !m->repeats)
		record_free(m->record);
	free(m->record);
	m->record = NULL;
}
