/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/snapshot.h"
#include "sim/cli/tell.h"
#include "sim/exit.h"
#include "sim/params/message.h"
#include "sim/params/values.h"

#include <stdio.h>
#include <string.h>

int snapshot_restore(struct fvpsim_machine *m, const struct request *c)
{
	struct fvpsim_error error;

	return c->restore && fvpsim_restore_file(m, c->restore, &error) ? tell_error("--restore: ", &error) : 0;
}

/* Runs to the place; false: the program ended before it. */
static bool run_to(struct fvpsim_machine *m, const struct fvpsim_until *until)
{
	struct fvpsim_error error;
	int stop;

	return !fvpsim_run(m, until, &stop, &error) && stop != FVPSIM_STOP_END;
}

int snapshot_save(struct fvpsim_machine *m, const struct request *c)
{
	const char *equals = c->save_at ? strchr(c->save_at, '=') : NULL;
	struct fvpsim_until until = { .size = sizeof until };
	struct fvpsim_error error;
	char place[256];
	uint32_t address;
	bool counts;
	u64 cycle = 0;

	if (!equals)
		return 0;
	snprintf(place, sizeof place, "%.*s", (int)(equals - c->save_at), c->save_at);
	counts = value_u64(place, &cycle);
	until.cycle = cycle;
	if (!counts) {
		until.symbol = place;
		if (fvpsim_symbol(m, place, &address, &error)) {
			message("fvp-sim: --save-at: no program has a function '%s'; give one, or a number of cycles\n", place);
			return EXIT_USAGE;
		}
	}
	if ((!counts || cycle) && !run_to(m, &until)) {
		message("fvp-sim: --save-at: the run ended before it came to %s; no state is saved\n", place);
		return EXIT_NO_OUTPUT;
	}
	return fvpsim_save_file(m, equals + 1, &error) ? tell_error("--save-at: ", &error) : 0;
}
