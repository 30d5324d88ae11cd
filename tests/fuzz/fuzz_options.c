/* SPDX-License-Identifier: Apache-2.0 */
/* Both command lines: the input's lines are the arguments, an FVP's when the first byte is odd.
 * Options that read or write files while they are parsed are left out. */
#include "sim/fvp/fvp.h"
#include "sim/cli/options.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS = 32 };

/* An option's long name, or as much of it as getopt_long() knows it by. */
static bool abbreviates(const char *argument, const char *name)
{
	const size_t n = strcspn(argument, "=");

	return n > strlen("--") && !strncmp(argument, name, n);
}

/* -f and -o, which may stand behind others that take no value (-lo). */
static bool touches_files(const char *argument)
{
	if (argument[0] == '-' && argument[1] != '-' && strcspn(argument, "fo") < strcspn(argument, "C"))
		return true;
	return abbreviates(argument, "--config-file") || abbreviates(argument, "--output");
}

static int split(char *text, char *argv[ARGUMENTS + 1])
{
	int argc = 1;

	for (char *save = NULL, *a = strtok_r(text, "\n", &save); a && argc < ARGUMENTS; a = strtok_r(NULL, "\n", &save))
		if (!touches_files(a))
			argv[argc++] = a;
	argv[argc] = NULL;
	return argc;
}

/* What the parsers print is nobody's. */
static void parse(int argc, char **argv, bool fvp)
{
	static struct request request;
	const int out = dup(STDOUT_FILENO), error = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);

	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	memset(&request, 0, sizeof request);
	if (fvp)
		fvp_parse(&request, argc, argv);
	else
		options_parse(&request, argc, argv);
	request_free(&request);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	dup2(error, STDERR_FILENO);
	close(out);
	close(error);
	close(null);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char name[] = "FVP_Corstone_SSE-300_Ethos-U55", *argv[ARGUMENTS + 1] = { name };
	char *text;

	if (!size || !(text = malloc(size)))
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = 0;
	parse(split(text, argv), argv, data[0] & 1);
	free(text);
	return 0;
}

size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	static const char *const seeds[] = {
		"0--elf\na.elf\n--npu\nethos-u55-128\n--data\nm@0x90000000\n--dump\no@0,16\n--timelimit=1.5\n--cyclelimit\n99\n"
		"--cpu-timing\nm55\n--uart0=-\n--semihosting\noff\n--report\nr.json\n--eot\non\n--engine\nstep\n--stat\n--quiet",
		"1-a\ncpu0=a.axf\n-C\nethosu.num_macs=256\n-Cmps3_board.uart0.out_file='-'\n--data\ncpu0=m@0:0x90000000\n--stat\n"
		"--parameter\ncpu0.INITSVTOR=0x11000000\n--dump=o@1,2\n-q\n-Q\n10\n--cpulimit\n3\n-C\ncore_clk.mul=0x17d7840\n"
		"-C\nmps3_board.FPGA_SRAM_SIZE=2\n-C\ncpu0.CFGITCMSZ=11\n-C\nFVP_X.ethosu.config=H64\nb.axf",
	};

	if (index >= ARRAY_LEN(seeds))
		return 0;
	memcpy(out, seeds[index], strlen(seeds[index]));
	return strlen(seeds[index]);
}
