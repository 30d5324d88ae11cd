/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/snapshot.h"
#include "sim/exit.h"
#include "sim/params/message.h"
#include "sim/params/values.h"
#include "sim/state_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int snapshot_restore(struct machine *m, const struct run_config *c)
{
	char why[512];
	const enum failure r = c->restore ? machine_restore_file(m, c->restore, why, sizeof why) : FAIL_NONE;

	if (r != FAIL_NONE)
		message("fvp-sim: --restore: %s\n", why);
	return exit_of(r);
}

static bool function_at(const struct machine *m, const char *name, u32 *addr)
{
	for (unsigned i = 0; i < m->image_count; i++)
		for (unsigned f = 0; f < m->images[i].function_count; f++)
			if (!strcmp(m->images[i].functions[f].name, name)) {
				*addr = m->images[i].functions[f].addr;
				return true;
			}
	return false;
}

/* True: the machine is there. */
static bool run_to_cycle(struct machine *m, const struct limits *limits, const struct run_host *host, u64 cycle)
{
	struct limits until = *limits;

	if (!until.cycles || cycle < until.cycles)
		until.cycles = cycle;
	machine_run(m, &until, host);
	if (m->stop != STOP_CYCLE_LIMIT || machine_cycles(m) < cycle)
		return false;
	m->stop = STOP_NONE;
	return true;
}

static bool run_to_function(struct machine *m, const struct limits *limits, const struct run_host *host, u32 addr)
{
	if (!cpu_add_breakpoint(m->cpu, addr))
		return false;
	machine_run(m, limits, host);
	cpu_remove_breakpoint(m->cpu, addr);
	return m->stop == STOP_NONE;
}

int snapshot_save(struct machine *m, const struct run_config *c, const struct run_host *host)
{
	const char *equals = c->save_at ? strchr(c->save_at, '=') : NULL;
	char place[256], why[512];
	enum failure r;
	u64 cycle = 0;
	u32 addr = 0;
	bool counts;

	if (!equals)
		return 0;
	snprintf(place, sizeof place, "%.*s", (int)(equals - c->save_at), c->save_at);
	counts = value_u64(place, &cycle);
	if (!counts && !function_at(m, place, &addr)) {
		message("fvp-sim: --save-at: no program has a function '%s'; give one, or a number of cycles\n", place);
		return EXIT_USAGE;
	}
	if (!(counts ? !cycle || run_to_cycle(m, &c->limits, host, cycle) : run_to_function(m, &c->limits, host, addr))) {
		message("fvp-sim: --save-at: the run ended before it came to %s; no state is saved\n", place);
		return EXIT_NO_OUTPUT;
	}
	r = machine_save_file(m, equals + 1, why, sizeof why);
	if (r != FAIL_NONE)
		message("fvp-sim: --save-at: %s\n", why);
	return exit_of(r);
}
