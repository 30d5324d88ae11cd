/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/exit.h"

#include <stddef.h>

static const struct { int status; const char *meaning, *advice; } table[] = {
#define E(name, status, meaning, advice) { status, meaning, advice },
#include "sim/exit.def"
#undef E
};
enum { ROWS = sizeof table / sizeof table[0] };

void exit_print(FILE *out)
{
	for (size_t i = 0; i < ROWS; i++)
		fprintf(out, "  %-3d %s\n", table[i].status, table[i].meaning);
}

int exit_of(enum failure failure)
{
	static const int statuses[] = {
		[FAIL_NONE] = 0, [FAIL_USAGE] = EXIT_USAGE, [FAIL_BAD_INPUT] = EXIT_BAD_INPUT, [FAIL_NO_INPUT] = EXIT_NO_INPUT,
		[FAIL_NO_MEMORY] = EXIT_NO_MEMORY, [FAIL_ACCELERATOR] = EXIT_ACCELERATOR, [FAIL_INTERNAL] = EXIT_INTERNAL,
		[FAIL_NO_OUTPUT] = EXIT_NO_OUTPUT, [FAIL_MISFIT] = EXIT_USAGE, [FAIL_DIFFERS] = EXIT_DIFFERS,
	};

	return statuses[failure];
}

const char *exit_advice(int status)
{
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].status == status && status >= EXIT_FAULT && *table[i].advice != '-')
			return table[i].advice;
	return NULL;
}
