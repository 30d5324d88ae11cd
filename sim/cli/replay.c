/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/replay.h"
#include "sim/exit.h"
#include "sim/params/message.h"
#include "sim/stop.h"

#include <string.h>

static bool refuse(const char *text)
{
	message("fvp-sim: %s\n", text);
	return false;
}

bool replay_check_options(const struct run_config *c)
{
	if (c->record && c->replay)
		return refuse("--record and --replay do not go together");
	if (c->record && c->gdb)
		return refuse("--record does not go with --gdb: record the run without a debugger, then take --replay with --gdb");
	if ((c->record || c->replay) && (c->restore || c->save_at))
		return refuse("--record and --replay do not go with --restore or --save-at");
	if (c->replay && (c->image_count || c->data_count))
		return refuse("--replay has the programs and data of its record: leave out --elf and --data");
	return true;
}

/* Outputs and limits of the command line go on top of the record's parameters. */
static void add_own(struct machine_config *to, const struct machine_config *own)
{
	if (strcmp(own->uart[0].out_file, "-") != 0)
		to->uart[0].out_file = own->uart[0].out_file;
	if (own->itm_file)
		to->itm_file = own->itm_file;
	if (own->cpu.engine != CPU_ENGINE_TAIL)
		to->cpu.engine = own->cpu.engine;
	to->host_simd = own->host_simd;
	to->threads = own->threads;
}

static void add_limits(struct limits *to, const struct limits *own)
{
	to->host_seconds = own->host_seconds;
	if (own->cycles && (!to->cycles || own->cycles < to->cycles))
		to->cycles = own->cycles;
	if (own->sim_seconds > 0 && (to->sim_seconds <= 0 || own->sim_seconds < to->sim_seconds))
		to->sim_seconds = own->sim_seconds;
}

int replay_open(struct record *r, struct run_config *c)
{
	const struct machine_config own = c->machine;
	const struct limits limits = c->limits;
	char why[512];
	const enum failure failure = record_read(r, c->replay, &c->machine, &c->limits, why, sizeof why);

	if (failure) {
		message("fvp-sim: --replay: %s\n", why);
		return exit_of(failure);
	}
	if (c->board_given && own.board != c->machine.board) {
		message("fvp-sim: --replay: %s was recorded on %s, not on %s\n", c->replay, c->machine.board->name, own.board->name);
		return EXIT_USAGE;
	}
	add_own(&c->machine, &own);
	add_limits(&c->limits, &limits);
	return 0;
}

int replay_start(struct record *r, struct machine *m, const struct run_config *c)
{
	char why[512];

	if ((c->replay && !record_start(r, m, why, sizeof why)) || (c->record && !record_begin(r, m, &c->limits, why, sizeof why))) {
		message("fvp-sim: %s: %s\n", c->replay ? "--replay" : "--record", why);
		return c->replay ? EXIT_USAGE : EXIT_INTERNAL;
	}
	return 0;
}

int replay_finish(struct record *r, struct machine *m, const struct run_config *c)
{
	enum failure failure = FAIL_NONE;
	char why[512];

	if (c->replay && !record_finish(r, m, why, sizeof why))
		failure = FAIL_INTERNAL;
	if (c->record)
		failure = record_write(r, m, c->record, why, sizeof why);
	if (failure)
		message("fvp-sim: %s: %s\n", c->replay ? "--replay" : "--record", why);
	return exit_of(failure);
}
