/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/trace/convert.h"

#include "loader/file.h"
#include "sim/exit.h"
#include "sim/params/message.h"
#include "sim/trace/filter.h"
#include "sim/trace/fvpt.h"
#include "traces/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int complain(int status, const char *what, const char *why)
{
	message("fvp-sim trace: %s%s%s\n", what, *what ? ": " : "", why);
	return status;
}

static int print_help(void)
{
	printf("usage: fvp-sim trace convert FILE tarmac=OUT[,FILTER...]\n\n"
	       "Makes a trace as text, which Arm's Tarmac tools read, from one that `--trace fvpt=FILE` wrote. OUT may be '-'.\n"
	       "Filters: range=LOW-HIGH, from=CYCLE, to=CYCLE, state=secure|nonsecure\n");
	return 0;
}

/* Exit status. */
static int convert(struct fvpt_reader *r, const char *from, const struct trace_filter *f, struct tarmac_text *text, FILE *out)
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
		return 0;
	snprintf(told, sizeof told, "%s; the %" PRIu64 " instructions before it are converted", why, count);
	return complain(EXIT_BAD_INPUT, from, told);
}

static int convert_files(const char *from, const char *to, const struct trace_filter *f)
{
	char why[512];
	FILE *in = file_open(from, why, sizeof why), *out = NULL;
	struct fvpt_reader *r = NULL;
	struct tarmac_text *text = NULL;
	int status = 0;

	if (!in)
		return complain(EXIT_NO_INPUT, "", why);
	r = fvpt_reader_new(in, why, sizeof why);
	if (!r)
		status = complain(EXIT_BAD_INPUT, from, why);
	else if (output_hits(to, from))
		status = complain(EXIT_USAGE, to, "is read and would be written over; write to another file");
	else if (!(text = tarmac_text_new()))
		status = complain(EXIT_INTERNAL, "", "host memory is short");
	else if (!(out = output_create(to, why, sizeof why)))
		status = complain(EXIT_NO_OUTPUT, "", why);
	else
		status = convert(r, from, f, text, out);
	if (out && !output_finish(out, to, why, sizeof why))
		status = complain(EXIT_NO_OUTPUT, "", why);
	tarmac_text_free(text);
	fvpt_reader_free(r);
	fclose(in);
	return status;
}

int trace_command(int argc, char **argv)
{
	struct trace_filter f;
	char *name, *path, why[512];

	if (argc == 2 && !strcmp(argv[1], "--help"))
		return print_help();
	if (argc != 4 || strcmp(argv[1], "convert") != 0)
		return complain(EXIT_USAGE, "", "write: fvp-sim trace convert FILE tarmac=OUT; 'fvp-sim trace --help' tells more");
	if (strstr(argv[3], ",function="))
		return complain(EXIT_USAGE, argv[3], "the trace has no names of functions; give range=LOW-HIGH");
	if (!trace_parse(NULL, argv[3], &name, &path, &f, why, sizeof why))
		return complain(EXIT_USAGE, "", why);
	if (strcmp(name, "tarmac") != 0 || !path)
		return complain(EXIT_USAGE, name, "only tarmac=FILE can be made of a trace");
	return convert_files(argv[2], path, &f);
}
