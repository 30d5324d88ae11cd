/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/exit.h"

void exit_print(FILE *out)
{
	static const struct { int status; const char *meaning; } table[] = {
#define E(name, status, meaning, advice) { status, meaning },
#include "sim/exit.def"
#undef E
	};

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		fprintf(out, "  %-3d %s\n", table[i].status, table[i].meaning);
}
