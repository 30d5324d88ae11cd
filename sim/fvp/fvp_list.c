/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/fvp/fvp_list.h"
#include "sim/exit.h"
#include "sim/fvp/fvp.h"
#include "sim/params/message.h"
#include "sim/params/params.h"
#include "traces/output.h"

#include <stdio.h>

void fvp_print_instances(const struct board *board)
{
	puts(FVP_TOP_INSTANCE "\n" FVP_TOP_INSTANCE ".cpu0");
	for (unsigned i = 0; i < board->device_count; i++)
		printf(FVP_TOP_INSTANCE ".%s\n", board->devices[i].name);
}

void fvp_print_memory(const struct machine_config *c)
{
	for (unsigned i = 0; i < c->board->memory_count; i++) {
		const struct board_memory *m = &c->board->memories[i];

		printf("%-8s 0x%08x", m->name, m->ns_base);
		if (m->alias)
			printf(" 0x%08x", m->s_base);
		printf(" %u KiB\n", c->memory_bytes[i] / 1024);
	}
}

int fvp_print_params(const struct board *board, const char *file)
{
	char why[512];
	FILE *out = file ? output_create(file, why, sizeof why) : stdout;

	if (out)
		params_list(board, out);
	if (out && (!file || output_finish(out, file, why, sizeof why)))
		return 0;
	message("fvp-sim: --output: %s\n", why);
	return EXIT_NO_OUTPUT;
}
