/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/trace/convert.h"

#include "loader/file.h"
#include "sim/trace/filter.h"
#include "sim/trace/fvpt.h"
#include "traces/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is wrong goes there. */
struct teller {
	char *why;
	size_t size;
};

/* `what` begins the line. */
static enum failure tell(const struct teller *t, enum failure failure, const char *what, const char *why)
{
	snprintf(t->why, t->size, "%s: %s", what, why);
	return failure;
}

static enum failure convert(struct fvpt_reader *r, const char *from, const struct trace_filter *f, struct tarmac_text *text, FILE *out,
			    const struct teller *t)
{
	struct cpu_record i = { 0 };
	struct trace_exception e;
	enum fvpt_result result;
	u64 count = 0;
	char why[200], told[300];

	while ((result = fvpt_read(r, &i, &e, why, sizeof why)) <= FVPT_IS_EXCEPTION) {
		if (result == FVPT_IS_INSTRUCTION && trace_wants(f, i.pc, i.cycle, i.secure))
			tarmac_text_instruction(text, &i, out);
		else if (result == FVPT_IS_EXCEPTION && trace_wants(f, e.to, e.cycle, e.secure))
			tarmac_text_exception(&e, out);
		count += result == FVPT_IS_INSTRUCTION;
	}
	if (result == FVPT_IS_END)
		return FAIL_NONE;
	snprintf(told, sizeof told, "%s; the %" PRIu64 " instructions before it are converted", why, count);
	return tell(t, FAIL_BAD_INPUT, from, told);
}

static enum failure convert_to(const char *to, struct fvpt_reader *r, const char *from, const struct trace_filter *f, const struct teller *t)
{
	struct tarmac_text *text = tarmac_text_new();
	FILE *out = text ? output_create(to, t->why, t->size) : NULL;
	enum failure failure = FAIL_NO_OUTPUT;

	if (out) {
		failure = convert(r, from, f, text, out, t);
		failure = output_finish(out, to, t->why, t->size) ? failure : FAIL_NO_OUTPUT;
	} else if (!text) {
		failure = FAIL_INTERNAL;
		snprintf(t->why, t->size, "host memory is short");
	}
	tarmac_text_free(text);
	return failure;
}

static enum failure convert_from(const char *from, const char *to, const struct trace_filter *f, const struct teller *t)
{
	FILE *in = file_open(from, t->why, t->size);
	struct fvpt_reader *r = NULL;
	enum failure failure;
	char why[200];

	if (!in)
		return FAIL_NO_INPUT;
	r = fvpt_reader_new(in, why, sizeof why);
	if (!r)
		failure = tell(t, FAIL_BAD_INPUT, from, why);
	else if (output_hits(to, from))
		failure = tell(t, FAIL_USAGE, to, "is read and would be written over; write to another file");
	else
		failure = convert_to(to, r, from, f, t);
	fvpt_reader_free(r);
	fclose(in);
	return failure;
}

static enum failure convert_words(const char *from, char *to, bool files_only, const struct teller *t)
{
	struct trace_filter f;
	char *name, *path;

	if (strstr(to, ",function="))
		return tell(t, FAIL_USAGE, to, "the trace has no names of functions; give range=LOW-HIGH");
	if (!trace_parse(NULL, to, &name, &path, &f, t->why, t->size))
		return FAIL_USAGE;
	if (strcmp(name, "tarmac") != 0 || !path)
		return tell(t, FAIL_USAGE, name, "only tarmac=FILE can be made of a trace");
	if (!trace_filters_fit(name, trace_tarmac.filters, &f, t->why, t->size))
		return FAIL_USAGE;
	if (files_only && !strcmp(path, "-"))
		return tell(t, FAIL_USAGE, name, "the standard streams are not the library's: name a file");
	return convert_from(from, path, &f, t);
}

enum failure trace_convert(const char *from, const char *to, bool files_only, char *why, size_t why_size)
{
	const struct teller t = { why, why_size };
	char *words = strdup(to); /* parsing cuts them */
	enum failure failure = FAIL_INTERNAL;

	if (words)
		failure = convert_words(from, words, files_only, &t);
	else
		snprintf(why, why_size, "host memory is short");
	free(words);
	return failure;
}
