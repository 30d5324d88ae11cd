/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/trace_command.h"

#include "sim/cli/tell.h"
#include "sim/exit.h"
#include "sim/params/message.h"

#include <stdio.h>
#include <string.h>

static int complain(int status, const char *why)
{
	message("fvp-sim trace: %s\n", why);
	return status;
}

static int print_help(void)
{
	printf("usage: fvp-sim trace convert FILE tarmac=OUT[,FILTER...]\n\n"
	       "Makes a trace as text, which Arm's Tarmac tools read, from one that `--trace fvpt=FILE` wrote. OUT may be '-'.\n"
	       "Filters: range=LOW-HIGH, from=CYCLE, to=CYCLE, state=secure|nonsecure\n");
	return 0;
}

int trace_command(int argc, char **argv)
{
	struct fvpsim_error error;

	if (argc == 2 && !strcmp(argv[1], "--help"))
		return print_help();
	if (argc != 4 || strcmp(argv[1], "convert") != 0)
		return complain(EXIT_USAGE, "write: fvp-sim trace convert FILE tarmac=OUT; 'fvp-sim trace --help' tells more");
	return fvpsim_convert_trace(argv[2], argv[3], true, &error) ? complain(tell_status(&error), error.text) : 0;
}
