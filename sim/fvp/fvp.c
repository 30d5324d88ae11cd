/* SPDX-License-Identifier: Apache-2.0 */
/* Options of an FVP, and the program as a plain word. The later of two settings wins. */
#include "sim/fvp/fvp.h"
#include "sim/exit.h"
#include "sim/fvp/fvp_list.h"
#include "sim/fvp/fvp_params.h"
#include "sim/params/message.h"
#include "sim/params/option.h"
#include "sim/cli/options.h"
#include "sim/cli/outputs.h"
#include "sim/cli/replay.h"
#include "sim/cli/settings.h"
#include "sim/params/values.h"
#include "sim/cli/version.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DONE = 1 };

struct parse {
	struct run_config *run;
	const char *list_file; /* --output */
	bool list_params;
	bool debugger, plugin; /* asked for, and not to be had */
	const char *no_memory; /* an instance that is neither a memory nor a core */
	const char *no_core;   /* an instance that was to run a program and is not the core */
};

static int wrong(const char *text)
{
	message("fvp-sim: %s\n", text);
	return EXIT_USAGE;
}

static const char *last_part(const char *instance)
{
	const char *dot = strrchr(instance, '.');

	return dot ? dot + 1 : instance;
}

/* "cpu0", "mps3_board.sse300.cpu0", "cpu_core", with "*" for all like them. */
static bool is_core(const char *instance)
{
	const char *last = last_part(instance);

	return !strncmp(last, "cpu", 3) && (last[3] < '1' || last[3] > '9');
}

/* Where an instance is a memory, the address counts from its start. A core sees the whole address
 * space, and so, with a note, does what we do not know. */
static int locate(const char *option, struct parse *p, struct data_file *d)
{
	const struct board *board = p->run->machine.board;
	const char *last = d->instance ? last_part(d->instance) : NULL;

	for (unsigned i = 0; last && i < board->memory_count; i++) {
		const struct board_memory *m = &board->memories[i];

		if (!m->instance || strcmp(m->instance, last))
			continue;
		if (d->addr >= m->bytes) {
			message("fvp-sim: %s: 0x%x is beyond the end of %s (0x%x bytes)\n", option, d->addr,
				d->instance, m->bytes);
			return EXIT_NO_MEMORY;
		}
		d->addr += m->ns_base;
		return 0;
	}
	if (d->instance && !is_core(d->instance))
		p->no_memory = d->instance;
	return 0;
}

/* A program, or FILE@ADDR for raw bytes. */
static int fvp_application(struct parse *p, char *value)
{
	struct run_config *c = p->run;
	char *equals = strchr(value, '=');
	struct data_file raw;

	if (access(value, F_OK) && c->data_count < CONFIG_FILES && value_data_file(value, false, &raw)) {
		c->data[c->data_count] = raw;
		return locate("--application", p, &c->data[c->data_count++]);
	}
	if (equals && !memchr(value, '/', (size_t)(equals - value))) { /* "cpu0=FILE", "cpu0*=FILE": there is one core */
		*equals = 0;
		if (!is_core(value))
			p->no_core = value;
		value = equals + 1;
	}
	return setting_image(c, "--application", value);
}

static int fvp_data(struct parse *p, char *value)
{
	struct run_config *c = p->run;
	const int status = setting_data(c, value);

	return status ? status : locate("--data", p, &c->data[c->data_count - 1]);
}

static int fvp_dump(struct parse *p, char *value)
{
	struct run_config *c = p->run;
	const int status = setting_dump(c, value);

	return status ? status : locate("--dump", p, &c->dumps[c->dump_count - 1]);
}

static int fvp_parameter(struct parse *p, char *value)
{
	return fvp_set_parameter(p->run, value);
}

static int fvp_config_file(struct parse *p, char *path)
{
	return fvp_parameter_file(p->run, path);
}

static int fvp_list_params(struct parse *p, char *value)
{
	(void)value;
	p->list_params = true;
	return 0;
}

static int fvp_output(struct parse *p, char *value)
{
	p->list_file = value;
	return 0;
}

static int fvp_list_instances(struct parse *p, char *value)
{
	(void)value;
	fvp_print_instances(p->run->machine.board);
	return DONE;
}

static int fvp_list_memory(struct parse *p, char *value)
{
	(void)value;
	fvp_print_memory(&p->run->machine);
	return DONE;
}

static int fvp_stat(struct parse *p, char *value)
{
	(void)value;
	p->run->statistics = true;
	return 0;
}

static int fvp_timelimit(struct parse *p, char *value)
{
	return setting_seconds("--timelimit", value, &p->run->limits.host_seconds);
}

static int fvp_simlimit(struct parse *p, char *value)
{
	return setting_seconds("--simlimit", value, &p->run->limits.sim_seconds);
}

static int fvp_cpulimit(struct parse *p, char *value)
{
	return setting_seconds("--cpulimit", value, &p->run->limits.cpu_seconds);
}

static int fvp_cyclelimit(struct parse *p, char *value)
{
	return setting_cycle_limit(p->run, value);
}

static int fvp_quiet(struct parse *p, char *value)
{
	(void)value;
	p->run->quiet = true;
	return 0;
}

static int fvp_version(struct parse *p, char *value)
{
	(void)p;
	(void)value;
	/* scripts look for the release of Fast Models that they know: ethos-u-core-platform's run_ctest.py */
	puts("fvp-sim " FVP_SIM_VERSION ", an open simulator with the command line of the Corstone FVPs "
	     "(Fast Models 11.16 to 11.24, and later)");
	return DONE;
}

static int fvp_start(struct parse *p, char *value)
{
	char *equals = strchr(value, '=');

	p->run->start_given = value_u32(equals ? equals + 1 : value, &p->run->start_address);
	return p->run->start_given ? 0 : setting_wrong("--start", value, "an address");
}

static int fvp_date(struct parse *p, char *value)
{
	return setting_date(p->run, value);
}

static int fvp_report(struct parse *p, char *value)
{
	return setting_report(p->run, value);
}

static int fvp_cpu_timing(struct parse *p, char *value)
{
	return setting_cpu_timing(p->run, value);
}

static int fvp_gdb(struct parse *p, char *value)
{
	return setting_gdb(p->run, value);
}

static int fvp_gdb_wait(struct parse *p, char *value)
{
	(void)value;
	p->run->gdb_wait = true;
	return 0;
}

static int fvp_gdb_history(struct parse *p, char *value)
{
	return setting_gdb_history(p->run, value);
}

static int fvp_save_at(struct parse *p, char *value)
{
	return setting_save_at(p->run, value);
}

static int fvp_record(struct parse *p, char *value)
{
	return setting_record(p->run, value);
}

static int fvp_restore(struct parse *p, char *value)
{
	return setting_restore(p->run, value);
}

static int fvp_debugger(struct parse *p, char *value)
{
	(void)value;
	p->debugger = true;
	return 0;
}

static int fvp_plugin(struct parse *p, char *value)
{
	(void)value;
	p->plugin = true;
	return 0;
}

static int ignore(struct parse *p, char *value)
{
	(void)p;
	(void)value;
	return 0;
}

static int fvp_help(struct parse *p, char *value);

static const struct option options[] = {
#define F(letter, name, argument, handle, text) { letter, name, argument, text },
#include "sim/fvp/fvp_options.def"
#undef F
};
static int (*const handlers[])(struct parse *p, char *value) = {
#define F(letter, name, argument, handle, text) handle,
#include "sim/fvp/fvp_options.def"
#undef F
};
static const struct option_table table = { options, ARRAY_LEN(options), "fvp-sim", "--help" };

static int fvp_help(struct parse *p, char *value)
{
	(void)p;
	(void)value;
	puts("usage: [options] [program]   (fvp-sim, with the command line of an FVP)\n");
	option_print(&table, 51);
	puts("\nThe status at the end is the program's own (semihosting exit), 0 for limits, or:");
	exit_print(stdout);
	return DONE;
}

/* What was asked for and cannot be had, but does not keep the program from running. */
static void print_missing(const struct parse *p)
{
	if (p->debugger)
		message("fvp-sim: note: there is no server for Arm's debuggers, and no breakpoint from here: the program runs without; "
			"--gdb PORT --gdb-wait serves gdb (target remote :PORT)\n");
	if (p->plugin)
		message("fvp-sim: note: plug-ins are not loaded: the program runs without\n");
	if (p->no_memory)
		message("fvp-sim: note: '%s' is no memory (--list-memory): the address is one of the core's\n", p->no_memory);
	if (p->no_core)
		message("fvp-sim: note: '%s' is not the core (--list-instances): cpu0 runs the program\n", p->no_core);
}

int fvp_parse(struct run_config *c, int argc, char **argv)
{
	struct option_reader r = { .table = &table, .argc = argc, .argv = argv, .at = 1 };
	struct parse p = { .run = c };
	char *value;
	int row;

	c->fvp = true;
	c->limits.await = true;
	fvp_machine_config(&c->machine, argv[0]);
	while ((row = option_next(&r, &value)) != OPTION_END) {
		const int status = row == OPTION_WRONG ? EXIT_USAGE
				 : row == OPTION_PLAIN ? fvp_application(&p, value) : handlers[row](&p, value);

		if (status)
			return status == DONE ? 0 : status;
	}
	if (p.list_params)
		return fvp_print_params(p.run->machine.board, p.list_file);
	if (!c->quiet)
		print_missing(&p);
	if (!c->image_count && !c->data_count)
		return wrong("no program given: -a FILE (--help lists the options)");
	return outputs_check(c) && replay_check_options(c) ? OPTIONS_RUN : EXIT_USAGE;
}
