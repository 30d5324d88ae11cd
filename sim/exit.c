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

const char *exit_advice(int status)
{
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].status == status && status >= EXIT_FAULT && *table[i].advice != '-')
			return table[i].advice;
	return NULL;
}
