/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/options.h"
#include "sim/params/message.h"
#include "sim/params/option.h"
#include "sim/cli/outputs.h"
#include "sim/cli/replay.h"
#include "sim/cli/settings.h"
#include "sim/network/npu_memory.h"
#include "sim/params/threads.h"
#include "sim/stop.h"
#include "sim/params/values.h"
#include "sim/cli/version.h"
#include "cpu/cpu.h"
#include "sim/trace/trace.h"

#include <stdio.h>
#include <string.h>

enum { DONE = 1 }; /* a setter that has printed what was asked for */

typedef int setter(struct run_config *c, char *value);

static int set_elf(struct run_config *c, char *value)
{
	return setting_image(c, "--elf", value);
}

static int set_board(struct run_config *c, char *value)
{
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

static int set_npu(struct run_config *c, char *value)
{
	c->machine.npu = strcmp(value, "none") ? npu_config_find(value) : NULL;
	if (c->machine.npu || !strcmp(value, "none"))
		return 0;
	message("fvp-sim: --npu: there is no accelerator '%s'; accelerators:", value);
	for (const struct npu_config *n = npu_configs; n->name; n++)
		message(" %s", n->name);
	message("\n");
	return EXIT_USAGE;
}

static int set_data(struct run_config *c, char *value)
{
	return setting_data(c, value);
}

static int set_dump(struct run_config *c, char *value)
{
	return setting_dump(c, value);
}

static int set_uart0(struct run_config *c, char *value)
{
	if (!*value)
		return setting_wrong("--uart0", value, "a file, or - for standard output");
	c->machine.uart[0].out_file = value;
	return 0;
}

static int set_itm(struct run_config *c, char *value)
{
	c->machine.itm_file = value;
	return *value ? 0 : setting_wrong("--itm", value, "a file, or - for standard output");
}

static int set_eot(struct run_config *c, char *value)
{
	return value_bool(value, &c->machine.uart[0].shutdown_on_eot) ? 0 : setting_wrong("--eot", value, "on or off");
}

static int set_semihosting(struct run_config *c, char *value)
{
	return value_bool(value, &c->machine.semihosting.enable) ? 0 : setting_wrong("--semihosting", value, "on or off");
}

static int set_semihosting_dir(struct run_config *c, char *value)
{
	c->machine.semihosting.directory = value;
	return *value ? 0 : setting_wrong("--semihosting-dir", value, "a folder");
}

static int set_semihosting_cmdline(struct run_config *c, char *value)
{
	c->machine.semihosting.command_line = value;
	return 0;
}

static int set_timelimit(struct run_config *c, char *value)
{
	return setting_seconds("--timelimit", value, &c->limits.host_seconds);
}

static int set_simlimit(struct run_config *c, char *value)
{
	return setting_seconds("--simlimit", value, &c->limits.sim_seconds);
}

static int set_date(struct run_config *c, char *value)
{
	return setting_date(c, value);
}

static int set_cyclelimit(struct run_config *c, char *value)
{
	return setting_cycle_limit(c, value);
}

static int set_report(struct run_config *c, char *value)
{
	return setting_report(c, value);
}

static int set_memory(struct run_config *c, char *value)
{
	c->memory = value;
	return 0;
}

static int set_vela_config(struct run_config *c, char *value)
{
	c->vela_config = value;
	return 0;
}

static int set_system_config(struct run_config *c, char *value)
{
	c->system_config = value;
	return 0;
}

static int set_trace(struct run_config *c, char *value)
{
	return setting_trace(c, "--trace", value);
}

static int set_profile(struct run_config *c, char *value)
{
	char why[256];

	if (c->trace.profile_count == TRACES_MAX)
		return setting_wrong("--profile", value, "fewer of them");
	if (!profile_option_check(value, why, sizeof why)) {
		message("fvp-sim: --profile: %s\n", why);
		return EXIT_USAGE;
	}
	c->trace.profiles[c->trace.profile_count++] = value;
	return 0;
}

static int set_dump_layers(struct run_config *c, char *value)
{
	c->trace.dump_layers = value;
	return *value ? 0 : setting_wrong("--npu-dump-layers", value, "a folder");
}

static int set_debug_db(struct run_config *c, char *value)
{
	c->trace.debug_db = value;
	return *value ? 0 : setting_wrong("--npu-debug-db", value, "a file");
}

static int set_compare_layers(struct run_config *c, char *value)
{
	c->trace.compare_layers = value;
	return *value ? 0 : setting_wrong("--npu-compare-layers", value, "a folder");
}

static int set_cpu_timing(struct run_config *c, char *value)
{
	return setting_cpu_timing(c, value);
}

static int set_engine(struct run_config *c, char *value)
{
	static const char *const names[] = { [CPU_ENGINE_TAIL] = "tail", [CPU_ENGINE_SWITCH] = "switch",
					     [CPU_ENGINE_STEP] = "step" };

	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (!strcmp(value, names[i])) {
			c->machine.cpu.engine = (enum cpu_engine)i;
			return 0;
		}
	return setting_wrong("--engine", value, "tail, switch or step");
}

static int set_host_simd(struct run_config *c, char *value)
{
	c->machine.host_simd = value;
	return 0;
}

static int set_threads(struct run_config *c, char *value)
{
	return threads_parse(value, &c->machine.threads) ? 0 : setting_wrong("--threads", value, THREADS_WANTED);
}

static int set_gdb(struct run_config *c, char *value)
{
	return setting_gdb(c, value);
}

static int set_gdb_wait(struct run_config *c, char *value)
{
	(void)value;
	c->gdb_wait = true;
	return 0;
}

static int set_gdb_history(struct run_config *c, char *value)
{
	return setting_gdb_history(c, value);
}

static int set_save_at(struct run_config *c, char *value)
{
	return setting_save_at(c, value);
}

static int set_restore(struct run_config *c, char *value)
{
	return setting_restore(c, value);
}

static int set_record(struct run_config *c, char *value)
{
	return setting_record(c, value);
}

static int set_replay(struct run_config *c, char *value)
{
	c->replay = value;
	return *value ? 0 : setting_wrong("--replay", value, "a file that --record has written");
}

static int set_report_jobs(struct run_config *c, char *value)
{
	(void)value;
	c->report_jobs = true;
	return 0;
}

static int set_stat(struct run_config *c, char *value)
{
	(void)value;
	c->statistics = true;
	return 0;
}

static int set_quiet(struct run_config *c, char *value)
{
	(void)value;
	c->quiet = true;
	return 0;
}

static int set_version(struct run_config *c, char *value)
{
	(void)c;
	(void)value;
	printf("fvp-sim " FVP_SIM_VERSION " (processor: %s)\n", cpu_engine_kind());
	return DONE;
}

static setter set_help;

static const struct option rows[] = {
#define O(name, argument, set, text) { 0, name, argument, text },
#include "sim/cli/options.def"
#undef O
};
static setter *const setters[] = {
#define O(name, argument, set, text) set,
#include "sim/cli/options.def"
#undef O
};
static const struct option_table table = { rows, ARRAY_LEN(rows), "fvp-sim", "fvp-sim --help" };

static int set_help(struct run_config *c, char *value)
{
	(void)c;
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
	return DONE;
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

		setter *set = row == OPTION_PLAIN ? set_elf : setters[row];

		if ((set == set_board) == (pass == BOARD))
			status = set(c, value);
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
	const int status = npu_memory_find(&words, c->machine.npu, &profile, &mode, &mode_given, why, sizeof why);

	if (status) {
		message("fvp-sim: %s\n", why);
		return status;
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
		return status == DONE ? 0 : status;
	if (!c->image_count && !c->replay) {
		message("fvp-sim: no program given: fvp-sim --elf program.elf (fvp-sim --help lists the options)\n");
		return EXIT_USAGE;
	}
	return outputs_check(c) && replay_check_options(c) ? OPTIONS_RUN : EXIT_USAGE;
}
