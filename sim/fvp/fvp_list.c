/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/fvp/fvp_list.h"
#include "sim/cli/tell.h"
#include "sim/exit.h"
#include "sim/fvp/fvp.h"
#include "sim/params/message.h"
#include "traces/output.h"

#include <stdio.h>
#include <string.h>

void fvp_print_instances(const struct fvpsim_config *c)
{
	puts(FVP_TOP_INSTANCE "\n" FVP_TOP_INSTANCE ".cpu0");
	for (unsigned i = 0; fvpsim_config_device(c, i); i++)
		printf(FVP_TOP_INSTANCE ".%s\n", fvpsim_config_device(c, i));
}

void fvp_print_memory(const struct fvpsim_config *c)
{
	struct fvpsim_memory m = { .size = sizeof m };

	for (unsigned i = 0; !fvpsim_config_memory(c, i, &m, NULL); i++) {
		printf("%-8s 0x%08x", m.name, m.address);
		if (m.secure_address != m.address)
			printf(" 0x%08x", m.secure_address);
		printf(" %u KiB\n", m.bytes / 1024);
	}
}

int fvp_print_params(const struct fvpsim_config *c, const char *file)
{
	struct fvpsim_error error;
	char *text = fvpsim_config_list(c, &error), why[512];
	bool ok;

	if (!text)
		return tell_error("", &error);
	ok = output_write(file ? file : "-", text, strlen(text), why, sizeof why);
	fvpsim_free(text);
	if (ok)
		return 0;
	message("fvp-sim: --output: %s\n", why);
	return EXIT_NO_OUTPUT;
}
