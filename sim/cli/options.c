/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/options.h"
#include "sim/params/message.h"
#include "sim/params/option_rows.h"
#include "sim/cli/outputs.h"
#include "sim/cli/replay.h"
#include "sim/cli/settings.h"
#include "sim/network/npu_memory.h"
#include "sim/stop.h"
#include "sim/params/values.h"
#include "sim/cli/version.h"
#include "cpu/cpu.h"
#include "sim/trace/trace.h"

#include <stdio.h>
#include <string.h>

static int set_elf(void *into, char *value)
{
	struct run_config *c = into;

	return setting_image(c, "--elf", value);
}

static int set_board(void *into, char *value)
{
	struct run_config *c = into;
	const struct board *board = board_find(value);

	if (!board) {
		message("fvp-sim: --board: there is no board '%s'; boards:", value);
		for (const struct board *const *b = boards; *b; b++)
			message(" %s", (*b)->name);
		message("\n");
		return EXIT_USAGE;
	}
	machine_config_init(&c->machine, board);
	c->board_given = true;
	c->machine.semihosting.enable = true;
	c->machine.uart[0].out_file = "-";
	return 0;
}

static int set_npu(void *into, char *value)
{
	struct run_config *c = into;

	c->machine.npu = strcmp(value, "none") ? npu_config_find(value) : NULL;
	if (c->machine.npu || !strcmp(value, "none"))
		return 0;
	message("fvp-sim: --npu: there is no accelerator '%s'; accelerators:", value);
	for (const struct npu_config *n = npu_configs; n->name; n++)
		message(" %s", n->name);
	message("\n");
	return EXIT_USAGE;
}

/* One more of a list, once it has been looked at. */
static int add_output(const char *option, const char **list, unsigned *count, bool (*check)(const char *value, char *why, size_t why_size),
		      char *value)
{
	char why[256];

	if (*count == TRACES_MAX)
		return setting_wrong(option, value, "fewer of them");
	if (!check(value, why, sizeof why)) {
		message("fvp-sim: %s: %s\n", option, why);
		return EXIT_USAGE;
	}
	list[(*count)++] = value;
	return 0;
}

static int set_trace(void *into, char *value)
{
	struct trace_config *t = &((struct run_config *)into)->trace;

	return add_output("--trace", t->traces, &t->trace_count, trace_option_check, value);
}

static int set_profile(void *into, char *value)
{
	struct trace_config *t = &((struct run_config *)into)->trace;

	return add_output("--profile", t->profiles, &t->profile_count, profile_option_check, value);
}

static int set_engine(void *into, char *value)
{
	struct run_config *c = into;

	return config_engine_find(value, &c->machine.cpu.engine) ? 0 : setting_wrong("--engine", value, "tail, switch or step");
}

static int set_version(void *into, char *value)
{
	(void)into;
	(void)value;
	printf("fvp-sim " FVP_SIM_VERSION " (processor: %s)\n", cpu_engine_kind());
	return OPTION_DONE;
}

static option_setter set_help;

#define OPTIONS_OF struct run_config
static const struct option rows[] = {
#define OURS(name, argument, type, text) { 0, name, argument, text, type },
#define BOTH(letter, name, argument, type, text) { 0, name, argument, text, type },
#define FVPS(letter, name, argument, type, text)
#define NPU(name, argument, type, text)
#include "sim/params/options.def"
};
static const struct option_table table = { rows, ARRAY_LEN(rows), "fvp-sim", "fvp-sim --help" };

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
	for (const struct board *const *b = boards; *b; b++)
		printf("  %-13s %-14s %s\n", (*b)->name, (*b)->default_npu, (*b)->title);
	printf("\nAccelerators:");
	for (const struct npu_config *n = npu_configs; n->name; n++)
		printf(" %s", n->name);
	putchar('\n');
	trace_print_kinds(stdout);
	puts("\nSome examples:\n"
	     "  fvp-sim --elf runner.elf --npu ethos-u55-256 --report run.json\n"
	     "  fvp-sim --elf mlek.axf --eot on --data model_vela.tflite@0x90000000 --dump out.bin@0x93000000,1000\n\n"
	     "The status at the end is the program's own (semihosting exit), or:");
	exit_print(stdout);
	return OPTION_DONE;
}

/* The board comes first, wherever it stands: it sets the defaults that other options change. */
enum pass { BOARD, OTHERS };

static int parse(struct run_config *c, int argc, char **argv, enum pass pass)
{
	struct option_reader r = { .table = &table, .argc = argc, .argv = argv, .at = 1 };
	int row, status = 0;
	char *value;

	while (!status && (row = option_next(&r, &value)) != OPTION_END) {
		if (row == OPTION_WRONG)
			return EXIT_USAGE;

		const bool is_board = row != OPTION_PLAIN && rows[row].set == set_board;

		if (is_board == (pass == BOARD))
			status = row == OPTION_PLAIN ? set_elf(c, value) : option_set(&table, row, c, value);
	}
	return status;
}

/* The memory system behind the NPU, once the accelerator is known. */
static int find_memory(struct run_config *c)
{
	const struct npu_memory_words words = { .memory = c->memory, .config = c->vela_config, .system = c->system_config };
	struct npu_memory_profile profile;
	enum npu_memory_mode mode;
	bool mode_given;
	char why[512];

	if (!c->memory && !c->vela_config && !c->system_config)
		return 0;
	if (!c->machine.npu) {
		message("fvp-sim: --memory, --config: there is no NPU\n");
		return EXIT_USAGE;
	}
	const enum failure failure = npu_memory_find(&words, c->machine.npu, &profile, &mode, &mode_given, why, sizeof why);

	if (failure) {
		message("fvp-sim: %s\n", why);
		return exit_of(failure);
	}
	c->machine.npu_memory_given = true;
	memcpy(c->machine.npu_memory, profile.adapter, sizeof profile.adapter);
	return 0;
}

int options_parse(struct run_config *c, int argc, char **argv)
{
	char board[] = "corstone-300";
	int status;

	set_board(c, board);
	c->board_given = false;
	status = parse(c, argc, argv, BOARD);
	if (!status)
		status = parse(c, argc, argv, OTHERS);
	if (!status)
		status = find_memory(c);
	if (status)
		return status == OPTION_DONE ? 0 : status;
	if (!c->image_count && !c->replay) {
		message("fvp-sim: no program given: fvp-sim --elf program.elf (fvp-sim --help lists the options)\n");
		return EXIT_USAGE;
	}
	return outputs_check(c) && replay_check_options(c) ? OPTIONS_RUN : EXIT_USAGE;
}
