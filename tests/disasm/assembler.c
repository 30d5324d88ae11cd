/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/disasm/assembler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char head[] = ".syntax unified\n.arch armv8.1-m.main\n.arch_extension dsp\n.arch_extension mve.fp\n"
			   ".arch_extension fp.dp\n.thumb\n.text\n";
#define HEAD_LINES 7
#define MARK 0xdead /* behind each: UDF #0xAD, which no sample is */

/* One text a line, nothing in the place of those that are not valid. */
static void write_source(const char *path, const struct sample *samples, unsigned count, const bool *valid,
			 const char *between)
{
	FILE *f = fopen(path, "w");

	fputs(head, f);
	for (unsigned i = 0; i < count; i++)
		fprintf(f, "%s\n%s", valid[i] ? samples[i].text : "", between);
	fclose(f);
}

/* "DIR/a.s:12: Error: ...". A warning is about UNPREDICTABLE operands, or about other cores. */
static bool drop_errors(const char *command, unsigned count, bool *valid)
{
	char line[512];
	FILE *f = popen(command, "r");

	while (fgets(line, sizeof(line), f)) {
		char *at = strstr(line, "a.s:");
		if (!at || (!strstr(at, ": Error") && !strstr(at, ": Warning")))
			continue;
		unsigned number = (unsigned)strtoul(at + 4, NULL, 10);
		if (number > HEAD_LINES && number - HEAD_LINES <= count)
			valid[number - HEAD_LINES - 1] = false;
	}
	int status = pclose(f);
	return WIFEXITED(status) && WEXITSTATUS(status) != 127;
}

static void drop_other_bits(const char *path, const struct sample *samples, unsigned count, bool *valid)
{
	FILE *f = fopen(path, "rb");

	for (unsigned i = 0; f && i < count; i++) {
		u32 encoding = 0;
		unsigned halfwords = 0;
		u16 half;
		while (fread(&half, 2, 1, f) == 1 && half != MARK) {
			encoding = encoding << 16 | half;
			halfwords++;
		}
		valid[i] = valid[i] && halfwords * 2 == samples[i].length && encoding == samples[i].encoding;
	}
	if (f)
		fclose(f);
}

bool assembler_accepts(const struct sample *samples, unsigned count, bool *valid)
{
	char dir[] = "/tmp/fvp-sim-assembler-XXXXXX", path[64], command[256];

	if (!mkdtemp(dir))
		return false;
	for (unsigned i = 0; i < count; i++)
		valid[i] = !strpbrk(samples[i].text, "<@;") && strncmp(samples[i].text, "it", 2) &&
			   strncmp(samples[i].text, "vp", 2); /* these rule what stands behind them */
	snprintf(path, sizeof(path), "%s/a.s", dir);
	write_source(path, samples, count, valid, "");
	snprintf(command, sizeof(command), "arm-none-eabi-as -o /dev/null %s 2>&1", path);
	bool ok = drop_errors(command, count, valid);
	write_source(path, samples, count, valid, ".inst.n 0xdead\n");
	snprintf(command, sizeof(command), "cd %s && arm-none-eabi-as --no-warn -o a.o a.s 2>/dev/null && "
		 "arm-none-eabi-objcopy -O binary a.o a.bin", dir);
	ok = ok && system(command) == 0;
	snprintf(path, sizeof(path), "%s/a.bin", dir);
	drop_other_bits(path, samples, count, valid);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) == 0 && ok;
}
