/* SPDX-License-Identifier: Apache-2.0 */
/* What a machine does, in files: traces, profiles, tensors. */
#include "sim/api/private.h"
#include "sim/network/npu_names.h"
#include "sim/report/inferences.h"
#include "sim/trace/trace.h"

typedef enum failure adder(struct tracing *t, const char *value, char *why, size_t why_size);

/* May something be traced now, and is there what does it? */
static int begin(struct fvpsim_machine *m, struct fvpsim_error *error)
{
	const int kind = api_outside(m, error);

	if (kind)
		return kind;
	if (!m->tracing)
		m->tracing = tracing_new(m->m, true);
	return m->tracing ? FVPSIM_OK : api_fail(error, FVPSIM_INTERNAL, "host memory is short");
}

static int add(struct fvpsim_machine *m, const char *what, bool (*check)(const char *value, char *why, size_t why_size), adder *adds,
	       struct fvpsim_error *error)
{
	char why[API_WHY];
	const int kind = begin(m, error);

	if (kind)
		return kind;
	if (!check(what, why, sizeof why))
		return api_fail(error, FVPSIM_USAGE, "%s", why);
	return api_told(adds(m->tracing, what, why, sizeof why), why, error);
}

int fvpsim_trace(struct fvpsim_machine *m, const char *what, struct fvpsim_error *error)
{
	return add(m, what, trace_option_check, tracing_add_trace, error);
}

int fvpsim_profile(struct fvpsim_machine *m, const char *what, struct fvpsim_error *error)
{
	return add(m, what, profile_option_check, tracing_add_profile, error);
}

static int layers(struct fvpsim_machine *m, bool compare, const char *directory, struct fvpsim_error *error)
{
	char why[API_WHY];
	const int kind = begin(m, error);

	return kind ? kind : api_told(tracing_add_layers(m->tracing, compare, directory, why, sizeof why), why, error);
}

int fvpsim_dump_layers(struct fvpsim_machine *m, const char *directory, struct fvpsim_error *error)
{
	return layers(m, false, directory, error);
}

int fvpsim_compare_layers(struct fvpsim_machine *m, const char *directory, struct fvpsim_error *error)
{
	return layers(m, true, directory, error);
}

int fvpsim_end_traces(struct fvpsim_machine *m, struct fvpsim_error *error)
{
	struct tracing *t = m->tracing;
	char why[API_WHY];
	const int kind = api_outside(m, error);

	if (kind)
		return kind;
	m->tracing = NULL;
	return api_told(tracing_end(t, why, sizeof why), why, error);
}

int fvpsim_name_operations(struct fvpsim_machine *m, const char *path, struct fvpsim_error *error)
{
	char why[API_WHY];
	const int kind = api_outside(m, error);

	if (kind)
		return kind;
	if (m->names)
		return api_fail(error, FVPSIM_USAGE, "the operations of this machine have names already");

	const enum failure failure = npu_names_read(&m->names, path, why, sizeof why);

	if (!failure)
		m->m->npu_names = m->names;
	return api_told(failure, why, error);
}

void api_inside_free(struct fvpsim_machine *m)
{
	char unheard[8];

	tracing_end(m->tracing, unheard, sizeof unheard);
	inferences_end(m->jobs);
	npu_names_free(m->names);
}
