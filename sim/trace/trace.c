/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/trace/filter.h"
#include "sim/trace/kind.h"
#include "sim/trace/profile.h"
#include "sim/network/npu_tensors.h"
#include "traces/output.h"

#include <stdlib.h>
#include <string.h>

struct profile_kind { const char *name, *file, *text; profile_writer *write; };

static const struct trace_kind *const kinds[] = { &trace_tarmac, &trace_fvpt, &trace_npu, &trace_perfetto, &trace_pmu, &trace_vcd };
static const struct profile_kind profile_kinds[] = {
	{ "flat", "", "a table of functions (without a file: on standard error)", profile_write_flat },
	{ "json", "profile.json", "functions and their cycles by cause, for programs", profile_write_json },
	{ "callgrind", "callgrind.out", "call graph and lines, for KCachegrind and callgrind_annotate", profile_write_callgrind },
	{ "folded", "stacks.folded", "stacks as lines, for flame graphs", profile_write_folded },
	{ "speedscope", "speedscope.json", "stacks for speedscope.app", profile_write_speedscope },
	{ "lcov", "coverage.info", "line coverage, for genhtml", profile_write_lcov },
};

enum { TRACES_MAX = 16 };

struct tracing {
	struct machine *machine;
	const struct name_list *read; /* files that are not written over, besides the machine's programs */
	bool files_only; /* nothing goes to the standard streams */
	struct trace trace[TRACES_MAX + 1];
	unsigned trace_count;
	struct npu_tensors *layers[2]; /* to write, to compare with; NULL: none */
	struct profile *profile;
	struct output { const struct profile_kind *kind; const char *path; FILE *file; } output[TRACES_MAX];
	unsigned output_count;
	char *text[2 * TRACES_MAX + 1]; /* what filters and paths lie in */
	unsigned text_count;
};

/* ---- what is asked for ---- */

static const struct trace_kind *kind_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (!strcmp(kinds[i]->name, name))
			return kinds[i];
	return NULL;
}

static const struct profile_kind *profile_kind_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(profile_kinds); i++)
		if (!strcmp(profile_kinds[i].name, name))
			return &profile_kinds[i];
	return NULL;
}

static bool unknown(const char *name, bool profile, char *why, size_t why_size)
{
	int n = snprintf(why, why_size, "there is no kind of %s '%s'; kinds:", profile ? "profile" : "trace", name);

	for (size_t i = 0; i < (profile ? ARRAY_LEN(profile_kinds) : ARRAY_LEN(kinds)) && n > 0 && (size_t)n < why_size; i++)
		n += snprintf(why + n, why_size - (size_t)n, " %s", profile ? profile_kinds[i].name : kinds[i]->name);
	return false;
}

static bool check(const char *value, bool profile, char *why, size_t why_size)
{
	char *text = strdup(value), *name, *path;
	struct trace_filter f;
	bool ok = text && trace_parse(NULL, text, &name, &path, &f, why, why_size);

	if (ok && (profile ? !profile_kind_find(name) : !kind_find(name)))
		ok = unknown(name, profile, why, why_size);
	else if (ok)
		ok = trace_filters_fit(name, profile ? 0 : kind_find(name)->filters, &f, why, why_size);
	free(text);
	return ok;
}

bool trace_option_check(const char *value, char *why, size_t why_size) { return check(value, false, why, why_size); }
bool profile_option_check(const char *value, char *why, size_t why_size) { return check(value, true, why, why_size); }

const char *trace_kind_name(unsigned i, const char **text)
{
	if (i >= ARRAY_LEN(kinds))
		return NULL;
	*text = kinds[i]->text;
	return kinds[i]->name;
}

const char *profile_kind_name(unsigned i, const char **text)
{
	if (i >= ARRAY_LEN(profile_kinds))
		return NULL;
	*text = profile_kinds[i].text;
	return profile_kinds[i].name;
}

/* ---- life ---- */

/* The first of the run's inputs that writing `path` would change, NULL: none. */
static const char *input_hit(const struct tracing *t, const char *path)
{
	for (unsigned i = 0; i < t->machine->image_count; i++)
		if (output_hits(path, t->machine->images[i].path))
			return t->machine->images[i].path;
	for (unsigned i = 0; t->read && i < t->read->count; i++)
		if (output_hits(path, t->read->name[i]))
			return t->read->name[i];
	return NULL;
}

/* Is it the file of another trace or profile? */
static bool is_taken(const struct tracing *t, const char *path)
{
	bool taken = false;

	for (unsigned i = 0; i < t->trace_count; i++)
		taken |= output_hits(path, t->trace[i].path);
	for (unsigned i = 0; i < t->output_count; i++)
		taken |= output_hits(path, t->output[i].path);
	return taken;
}

/* "": standard error. A failure comes with a line in `why`. */
static enum failure open_output(const struct tracing *t, const char *path, FILE **out, char *why, size_t why_size)
{
	*out = stderr;
	if (t->files_only && (!*path || !strcmp(path, "-"))) {
		snprintf(why, why_size, "no file is named for it: give KIND=FILE");
		return FAIL_USAGE;
	}
	if (!*path)
		return FAIL_NONE;
	if (input_hit(t, path)) {
		snprintf(why, why_size, "%s is read by this run and would be written over; write to another file", path);
		return FAIL_USAGE;
	}
	if (is_taken(t, path)) {
		snprintf(why, why_size, "%s is given for two outputs; give each a file of its own", path);
		return FAIL_USAGE;
	}
	*out = output_create(path, why, why_size);
	return *out ? FAIL_NONE : FAIL_NO_OUTPUT;
}

static enum failure open_trace(struct tracing *t, const struct trace_kind *kind, const char *path, const struct trace_filter *f, char *why,
			       size_t why_size)
{
	struct trace *r = &t->trace[t->trace_count];
	enum failure failure;

	*r = (struct trace){ .machine = t->machine, .kind = kind, .path = path, .names = t->machine->npu_names, .filter = *f };
	failure = open_output(t, path, &r->file, why, why_size);
	if (failure)
		return failure;
	t->trace_count++;
	snprintf(why, why_size, "host memory is short");
	return kind->begin(r) ? FAIL_NONE : FAIL_INTERNAL;
}

/* A copy that lives as long as the traces; NULL: host memory is short. */
static char *keep(struct tracing *t, const char *value)
{
	char *text = strdup(value);

	if (text)
		t->text[t->text_count++] = text;
	return text;
}

/* Is there room for one more and a copy of its words? */
static enum failure keep_value(struct tracing *t, unsigned count, const char *value, char **text, char *why, size_t why_size)
{
	if (count == TRACES_MAX) {
		snprintf(why, why_size, "'%.100s': there are %d already", value, TRACES_MAX);
		return FAIL_USAGE;
	}
	*text = keep(t, value);
	snprintf(why, why_size, "host memory is short");
	return *text ? FAIL_NONE : FAIL_INTERNAL;
}

enum failure tracing_add_trace(struct tracing *t, const char *value, char *why, size_t why_size)
{
	char *text, *name, *path;
	struct trace_filter f;
	const enum failure failure = keep_value(t, t->trace_count, value, &text, why, why_size);

	if (failure)
		return failure;
	if (!trace_parse(t->machine, text, &name, &path, &f, why, why_size))
		return FAIL_USAGE;
	return open_trace(t, kind_find(name), path ? path : kind_find(name)->file, &f, why, why_size);
}

enum failure tracing_add_profile(struct tracing *t, const char *value, char *why, size_t why_size)
{
	char *text, *name, *path;
	struct output *o = &t->output[t->output_count];
	struct trace_filter unused;
	enum failure failure = keep_value(t, t->output_count, value, &text, why, why_size);

	if (failure)
		return failure;
	if (!trace_parse(t->machine, text, &name, &path, &unused, why, why_size))
		return FAIL_USAGE;
	o->kind = profile_kind_find(name);
	o->path = path ? path : o->kind->file;
	failure = open_output(t, o->path, &o->file, why, why_size);
	if (failure)
		return failure;
	t->output_count++;
	snprintf(why, why_size, "host memory is short");
	if (!t->profile)
		t->profile = profile_new(t->machine);
	return t->profile ? FAIL_NONE : FAIL_INTERNAL;
}

enum failure tracing_add_npu_args(struct tracing *t, const char *args, char *why, size_t why_size)
{
	static const char separators[] = " \t'\"=";
	const struct trace_filter all = { .high = UINT32_MAX, .to = UINT64_MAX, .secure = true, .nonsecure = true };
	char *rest = NULL, *word = keep(t, args);

	snprintf(why, why_size, "host memory is short");
	if (!word)
		return FAIL_INTERNAL;
	for (word = strtok_r(word, separators, &rest); word; word = strtok_r(NULL, separators, &rest))
		if (!strcmp(word, "--pmu-trace")) {
			const char *path = strtok_r(NULL, separators, &rest);

			return open_trace(t, &trace_pmu, path ? path : trace_pmu.file, &all, why, why_size);
		}
	return FAIL_NONE;
}

enum failure tracing_add_layers(struct tracing *t, bool compare, const char *directory, char *why, size_t why_size)
{
	struct machine *m = t->machine;
	const unsigned i = compare;

	if (!m->npu || t->layers[i]) {
		snprintf(why, why_size, m->npu ? "tensors go into, or are compared with, one folder at a time"
					       : "the machine has no NPU, so no tensors of one");
		return FAIL_USAGE;
	}
	if (npu_tensors_share(t->layers[!i], directory, why, why_size))
		return FAIL_USAGE;
	t->layers[i] = npu_tensors_new(m->config.npu, directory, compare, why, why_size);
	if (!t->layers[i])
		return compare ? FAIL_NO_INPUT : FAIL_NO_OUTPUT;
	npu_tensors_name(t->layers[i], m->npu_names);
	return machine_listen(m, &(struct machine_listener){ .npu = npu_tensors_listener(t->layers[i]), .ctx = t->layers[i] }) ? FAIL_NONE : FAIL_INTERNAL;
}

/* A failure comes with a line in `why`. */
static enum failure end_layers(struct tracing *t, unsigned i, char *why, size_t why_size)
{
	bool differs = false, ok;

	if (!t->layers[i])
		return FAIL_NONE;
	machine_unlisten(t->machine, t->layers[i]);
	ok = npu_tensors_end(t->layers[i], &differs, why, why_size);
	npu_tensors_free(t->layers[i]);
	return differs ? FAIL_DIFFERS : ok ? FAIL_NONE : FAIL_NO_OUTPUT;
}

struct tracing *tracing_new(struct machine *m, const struct name_list *read, bool files_only)
{
	struct tracing *t = calloc(1, sizeof *t);

	if (t) {
		t->machine = m;
		t->read = read;
		t->files_only = files_only;
	}
	return t;
}

static bool close_output(FILE *f, const char *path, bool complete, char *why, size_t why_size)
{
	if (f != stderr && !output_finish(f, path, why, why_size))
		return false;
	if (!complete)
		snprintf(why, why_size, "%s: incomplete, host memory was short or the disk full", path);
	return complete;
}

enum failure tracing_end(struct tracing *t, char *why, size_t why_size)
{
	bool ok = true, counted;

	if (!t)
		return FAIL_NONE;
	counted = !t->profile || profile_end(t->profile);
	for (unsigned i = 0; i < t->trace_count; i++) {
		struct trace *r = &t->trace[i];

		r->kind->end(r);
		ok &= close_output(r->file, r->path, !r->failed, why, why_size);
	}
	for (unsigned i = 0; i < t->output_count; i++) {
		const bool written = t->profile && t->output[i].kind->write(t->profile, t->output[i].file, why, why_size);

		ok &= close_output(t->output[i].file, t->output[i].path, written && counted, why, why_size);
	}
	enum failure failure = ok ? FAIL_NONE : FAIL_NO_OUTPUT;
	for (unsigned i = 0; i < ARRAY_LEN(t->layers); i++) {
		const enum failure ended = end_layers(t, i, why, why_size);

		failure = failure ? failure : ended;
	}
	profile_free(t->profile);
	for (unsigned i = 0; i < t->text_count; i++)
		free(t->text[i]);
	free(t);
	return failure;
}
