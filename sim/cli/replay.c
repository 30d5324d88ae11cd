/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/replay.h"
#include "sim/cli/tell.h"
#include "sim/exit.h"
#include "sim/params/message.h"

#include <string.h>

static bool refuse(const char *text)
{
	message("fvp-sim: %s\n", text);
	return false;
}

bool replay_has(const char *option)
{
	static const char *const machine[] = { "npu", "eot", "semihosting", "semihosting-dir", "semihosting-cmdline", "scripts", "date",
					       "memory", "config", "system-config", "cpu-timing", "cpu-memory" };

	for (unsigned i = 0; i < ARRAY_LEN(machine); i++)
		if (!strcmp(option, machine[i]))
			return true;
	return false;
}

bool replay_check_options(const struct request *c)
{
	if (c->record && c->replay)
		return refuse("--record and --replay do not go together");
	if (c->record && c->gdb)
		return refuse("--record does not go with --gdb: record the run without a debugger, then take --replay with --gdb");
	if ((c->record || c->replay) && (c->restore || c->save_at))
		return refuse("--record and --replay do not go with --restore or --save-at");
	if (c->replay && (c->image_count || c->data_count))
		return refuse("--replay has the programs and data of its record: leave out --elf and --data");
	if (c->replay && c->of_record) {
		message("fvp-sim: --replay has the machine of its record: leave out --%s\n", c->of_record);
		return false;
	}
	return true;
}

int replay_start(struct fvpsim_machine *m, const struct request *c)
{
	struct fvpsim_error error;

	return c->record && fvpsim_record_begin(m, &error) ? tell_error("--record: ", &error) : 0;
}

/* A run that strayed from its record has said so, and has a status of its own. */
static bool strayed(struct fvpsim_machine *m)
{
	struct fvpsim_end end = { .size = sizeof end };

	return !fvpsim_get_end(m, &end, NULL) && !strcmp(end.reason, "RECORD");
}

int replay_finish(struct fvpsim_machine *m, const struct request *c)
{
	struct fvpsim_error error;

	if (c->replay && !strayed(m) && fvpsim_replayed(m, &error)) {
		tell_error("--replay: ", &error);
		return EXIT_INTERNAL;
	}
	return c->record && fvpsim_record_write(m, c->record, &error) ? tell_error("--record: ", &error) : 0;
}
