/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/options.h"
#include "sim/cli/outputs.h"
#include "sim/cli/replay.h"
#include "sim/cli/settings.h"
#include "sim/cli/tell.h"
#include "sim/exit.h"
#include "sim/params/message.h"
#include "sim/params/option_rows.h"

#include <stdio.h>
#include <string.h>

static int set_elf(void *into, char *value)
{
	struct request *c = into;

	return setting_image(c, "--elf", value);
}

/* "what: there is no KIND 'value'; KINDS: ..." */
static int no_such(const char *option, const char *what, const char *value, const char *(*list)(unsigned i))
{
	message("fvp-sim: %s: there is no %s '%s'; %ss:", option, what, value, what);
	for (unsigned i = 0; list(i); i++)
		message(" %s", list(i));
	message("\n");
	return EXIT_USAGE;
}

static bool is_in(const char *value, const char *(*list)(unsigned i))
{
	unsigned i = 0;

	while (list(i) && strcmp(list(i), value))
		i++;
	return list(i);
}

static int set_board(void *into, char *value)
{
	struct request *c = into;
	struct fvpsim_error error;

	if (!is_in(value, fvpsim_board))
		return no_such("--board", "board", value, fvpsim_board);
	request_free(c);
	c->config = fvpsim_config_new(value, &error);
	if (!c->config || fvpsim_config_set(c->config, "uart0", "-", &error))
		return tell_error("", &error);
	c->board_given = true;
	return 0;
}

static int set_npu(void *into, char *value)
{
	const struct request *c = into;
	struct fvpsim_error error;

	if (strcmp(value, "none") != 0 && !is_in(value, fvpsim_accelerator))
		return no_such("--npu", "accelerator", value, fvpsim_accelerator);
	return fvpsim_config_set(c->config, "npu", value, &error) ? tell_error("", &error) : 0;
}

typedef int adder(struct fvpsim_machine *m, const char *what, struct fvpsim_error *error);

/* One more of a list, once it has been looked at. */
static int add_output(const char *option, const char **list, unsigned *count, adder *check, char *value)
{
	struct fvpsim_error error;

	if (*count == REQUEST_TRACES)
		return setting_wrong(option, value, "fewer of them");
	if (check(NULL, value, &error)) {
		message("fvp-sim: %s: %s\n", option, error.text);
		return EXIT_USAGE;
	}
	list[(*count)++] = value;
	return 0;
}

static int set_trace(void *into, char *value)
{
	struct request *c = into;

	return add_output("--trace", c->traces, &c->trace_count, fvpsim_trace, value);
}

static int set_profile(void *into, char *value)
{
	struct request *c = into;

	return add_output("--profile", c->profiles, &c->profile_count, fvpsim_profile, value);
}

static int set_version(void *into, char *value)
{
	(void)into;
	(void)value;
	printf("fvp-sim %s (processor: %s)\n", fvpsim_version(), fvpsim_processor());
	return OPTION_DONE;
}

static option_setter set_help;

#define OPTIONS_OF struct request
static const struct option rows[] = {
#define OURS(name, argument, type, text) { 0, name, argument, text, type },
#define BOTH(letter, name, argument, type, text) { 0, name, argument, text, type },
#define FVPS(letter, name, argument, type, text)
#define NPU(name, argument, type, text)
#include "sim/params/options.def"
};
static const struct option_table table = { rows, ARRAY_LEN(rows), "fvp-sim", "fvp-sim --help" };

static void print_board(const char *name)
{
	struct fvpsim_config_info board = { .size = sizeof board };
	struct fvpsim_config *c = fvpsim_config_new(name, NULL);

	if (c && !fvpsim_config_get_info(c, &board, NULL))
		printf("  %-13s %-14s %s\n", board.board, board.accelerator, board.title);
	fvpsim_config_free(c);
}

static void print_kinds(const char *(*kind)(unsigned i, const char **text))
{
	const char *name, *text;

	for (unsigned i = 0; (name = kind(i, &text)); i++)
		printf("  %-11s %s\n", name, text);
}

static int set_help(void *into, char *value)
{
	(void)into;
	(void)value;
	puts("fvp-sim: simulates Arm Corstone systems with the Ethos-U NPU\n\n"
	     "  fvp-sim --elf program.elf [options]     run a bare-metal program\n"
	     "  fvp-sim npu --help                      run a compiled network on the NPU alone\n"
	     "  fvp-sim trace --help                    make text of a compact binary trace\n"
	     "  FVP_Corstone_SSE-300_Ethos-U55 ...      the same program with the FVP's options\n\nOptions:");
	option_print(&table, 31);
	puts("\nBoards, with their default accelerators:");
	for (unsigned i = 0; fvpsim_board(i); i++)
		print_board(fvpsim_board(i));
	printf("\nAccelerators:");
	for (unsigned i = 0; fvpsim_accelerator(i); i++)
		printf(" %s", fvpsim_accelerator(i));
	puts("\n\nTraces (--trace KIND[=FILE][,FILTER...]):");
	print_kinds(fvpsim_trace_kind);
	puts("Profiles (--profile KIND[=FILE]):");
	print_kinds(fvpsim_profile_kind);
	puts("\nSome examples:\n"
	     "  fvp-sim --elf runner.elf --npu ethos-u55-256 --report run.json\n"
	     "  fvp-sim --elf mlek.axf --eot on --data model_vela.tflite@0x90000000 --dump out.bin@0x93000000,1000\n\n"
	     "The status at the end is the program's own (semihosting exit), or:");
	exit_print(stdout);
	return OPTION_DONE;
}

/* The board comes first, wherever it stands: it sets the defaults that other options change. */
enum pass { BOARD, OTHERS };

static int parse(struct request *c, int argc, char **argv, enum pass pass)
{
	struct option_reader r = { .table = &table, .argc = argc, .argv = argv, .at = 1 };
	int row, status = 0;
	char *value;

	while (!status && (row = option_next(&r, &value)) != OPTION_END) {
		if (row == OPTION_WRONG)
			return EXIT_USAGE;

		if (row != OPTION_PLAIN && replay_has(rows[row].name))
			c->of_record = rows[row].name;

		const bool is_board = row != OPTION_PLAIN && rows[row].set == set_board;

		if (is_board == (pass == BOARD))
			status = row == OPTION_PLAIN ? set_elf(c, value) : option_set(&table, row, c, value);
	}
	return status;
}

/* Nothing that is asked for may be left out silently. */
static bool has_what_it_goes_with(const struct request *c)
{
	const struct { const char *option, *with; bool asked, there; } rule[] = {
		{ "--gdb-wait", "--gdb PORT", c->gdb_wait, c->gdb },
		{ "--gdb-semihosting", "--gdb PORT", c->gdb_semihosting, c->gdb },
		{ "--gdb-history", "--gdb PORT", c->gdb_history, c->gdb },
		{ "--report-jobs", "--report FILE", c->report_jobs, c->report },
		{ "--report-messages", "--report FILE", c->report_messages, c->report },
	};

	for (unsigned i = 0; i < ARRAY_LEN(rule); i++)
		if (rule[i].asked && !rule[i].there) {
			message("fvp-sim: %s goes with %s, which is not given\n", rule[i].option, rule[i].with);
			return false;
		}
	if (c->gdb && c->save_at)
		message("fvp-sim: --save-at does not go with --gdb: save the state in a run without a debugger, and begin with it by --restore\n");
	return !(c->gdb && c->save_at);
}

bool options_fit(const struct request *c)
{
	return outputs_check(c) && replay_check_options(c) && has_what_it_goes_with(c);
}

int options_parse(struct request *c, int argc, char **argv)
{
	char board[] = "corstone-300";
	int status;

	c->semihosting = true;
	status = set_board(c, board);
	c->board_given = false;
	if (!status)
		status = parse(c, argc, argv, BOARD);
	if (!status)
		status = parse(c, argc, argv, OTHERS);
	if (status)
		return status == OPTION_DONE ? 0 : status;
	if (!c->image_count && !c->replay) {
		message("fvp-sim: no program given: fvp-sim --elf program.elf (fvp-sim --help lists the options)\n");
		return EXIT_USAGE;
	}
	return options_fit(c) ? OPTIONS_RUN : EXIT_USAGE;
}
