/* SPDX-License-Identifier: Apache-2.0 */
/* What a machine does, in files: traces, profiles, tensors. */
#include "sim/api/private.h"
#include "sim/network/npu_names.h"
#include "sim/report/inferences.h"
#include "sim/trace/convert.h"
#include "sim/trace/trace.h"
#include "traces/output.h"

#include <string.h>

typedef enum failure adder(struct tracing *t, const char *value, char *why, size_t why_size);

/* There will be what traces. */
static int need_tracing(struct fvpsim_machine *m, struct fvpsim_error *error)
{
	if (!m->tracing)
		m->tracing = tracing_new(m->m, &m->data, !m->run.standard_streams);
	return m->tracing ? FVPSIM_OK : api_fail(error, FVPSIM_INTERNAL, "host memory is short");
}

/* May something be traced now? */
static int begin(struct fvpsim_machine *m, struct fvpsim_error *error)
{
	const int kind = api_outside(m, error);

	return kind ? kind : need_tracing(m, error);
}

static int add(struct fvpsim_machine *m, const char *what, bool (*check)(const char *value, char *why, size_t why_size), adder *adds,
	       struct fvpsim_error *error)
{
	char why[API_WHY];
	int kind;

	if (!check(what, why, sizeof why))
		return api_fail(error, FVPSIM_USAGE, "%s", why);
	kind = m ? begin(m, error) : FVPSIM_OK;
	if (kind || !m)
		return kind ? kind : api_ok(error);
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

int api_trace_npu(struct fvpsim_machine *m, struct fvpsim_error *error)
{
	char why[API_WHY];
	int kind;

	if (!m->run.machine.npu_args || !m->m->npu || m->traces_npu)
		return FVPSIM_OK;
	kind = need_tracing(m, error);
	if (kind)
		return kind;
	m->traces_npu = true;
	return api_told(tracing_add_npu_args(m->tracing, m->run.machine.npu_args, why, sizeof why), why, error);
}

int fvpsim_convert_trace(const char *from, const char *to, bool standard_streams, struct fvpsim_error *error)
{
	char why[API_WHY];

	return api_told(trace_convert(from, to, !standard_streams, why, sizeof why), why, error);
}

const char *fvpsim_trace_kind(unsigned i, const char **text)
{
	return trace_kind_name(i, text);
}

const char *fvpsim_profile_kind(unsigned i, const char **text)
{
	return profile_kind_name(i, text);
}

int fvpsim_dump(struct fvpsim_machine *m, const char *path, uint32_t address, uint64_t bytes, struct fvpsim_error *error)
{
	char why[API_WHY];
	const int kind = api_outside(m, error);

	if (kind)
		return kind;
	if (!machine_has_memory(m->m, path, address, bytes, why, sizeof why))
		return api_fail(error, FVPSIM_NO_MEMORY, "%s", why);
	if (!m->run.standard_streams && !strcmp(path, "-"))
		return api_fail(error, FVPSIM_USAGE, "the standard streams are not the library's: name a file");
	if (!output_write(path, bus_span(m->m->bus, BUS_CPU, address, bytes), bytes, why, sizeof why))
		return api_fail(error, FVPSIM_NO_OUTPUT, "%s", why);
	return name_list_add(&m->dumps, path) ? api_ok(error) : api_fail(error, FVPSIM_INTERNAL, "host memory is short");
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
	m->traces_npu = false;
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
	name_list_free(&m->data);
	name_list_free(&m->dumps);
}
