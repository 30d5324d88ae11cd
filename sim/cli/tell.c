/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/tell.h"
#include "sim/exit.h"
#include "sim/params/message.h"

int tell_status(const struct fvpsim_error *error)
{
	static const int statuses[] = {
		[FVPSIM_OK] = 0, [FVPSIM_USAGE] = EXIT_USAGE, [FVPSIM_BAD_INPUT] = EXIT_BAD_INPUT, [FVPSIM_NO_INPUT] = EXIT_NO_INPUT,
		[FVPSIM_NO_MEMORY] = EXIT_NO_MEMORY, [FVPSIM_ACCELERATOR] = EXIT_ACCELERATOR, [FVPSIM_INTERNAL] = EXIT_INTERNAL,
		[FVPSIM_NO_OUTPUT] = EXIT_NO_OUTPUT, [FVPSIM_MISFIT] = EXIT_USAGE, [FVPSIM_NPU] = EXIT_NPU,
		[FVPSIM_STOPPED] = EXIT_INTERRUPTED, [FVPSIM_DIFFERS] = EXIT_DIFFERS,
	};

	return statuses[error->kind];
}

int tell_error(const char *where, const struct fvpsim_error *error)
{
	message("fvp-sim: %s%s\n", where, error->text);
	return tell_status(error);
}
