/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_golden_host FILE: the recorded cases on the host. */
#include "kernel_golden.h"

#include <stdio.h>

static uint8_t file[1 << 20];

static void report(const char *line)
{
	puts(line);
}

int main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
	size_t bytes = f ? fread(file, 1, sizeof file, f) : 0;
	unsigned failed, cases = golden_run(file, file + bytes, report, &failed);

	if (f)
		fclose(f);
	printf("%u cases, %u failed\n", cases, failed);
	return failed || cases < 100;
}
