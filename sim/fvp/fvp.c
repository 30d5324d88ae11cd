/* SPDX-License-Identifier: Apache-2.0 */
/* Options of an FVP, and the program as a plain word. The later of two settings wins. */
#include "sim/fvp/fvp.h"
#include "sim/exit.h"
#include "sim/fvp/fvp_list.h"
#include "sim/fvp/fvp_params.h"
#include "sim/params/message.h"
#include "sim/params/option_rows.h"
#include "sim/cli/options.h"
#include "sim/cli/settings.h"
#include "sim/cli/tell.h"
#include "sim/params/values.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool fvp_is_name(const char *program)
{
	const char *slash = strrchr(program, '/'), *base = slash ? slash + 1 : program, *name;
	const size_t length = strcspn(base, "."); /* scripts that run everywhere call FVP_....exe */

	for (unsigned i = 0; (name = fvpsim_fvp(i)); i++)
		if (strlen(name) == length && !strncmp(base, name, length))
			return true;
	return false;
}

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
static int locate(const char *option, struct request *c, struct data_file *d)
{
	const char *last = d->instance ? last_part(d->instance) : NULL;
	struct fvpsim_memory m = { .size = sizeof m };

	for (unsigned i = 0; last && !fvpsim_config_memory(c->config, i, &m, NULL); i++) {
		if (!m.instance || strcmp(m.instance, last))
			continue;
		if (d->addr >= m.bytes) {
			message("fvp-sim: %s: 0x%x is beyond the end of %s (0x%x bytes)\n", option, d->addr, d->instance, m.bytes);
			return EXIT_NO_MEMORY;
		}
		d->addr += m.address;
		return 0;
	}
	if (d->instance && !is_core(d->instance))
		c->fvp_asked.no_memory = d->instance;
	return 0;
}

/* A program, or FILE@ADDR for raw bytes. */
static int fvp_application(void *into, char *value)
{
	struct request *c = into;
	char *equals = strchr(value, '=');
	struct data_file raw;

	if (access(value, F_OK) && c->data_count < REQUEST_FILES && value_data_file(value, false, &raw)) {
		c->data[c->data_count] = raw;
		return locate("--application", c, &c->data[c->data_count++]);
	}
	if (equals && !memchr(value, '/', (size_t)(equals - value))) { /* "cpu0=FILE", "cpu0*=FILE": there is one core */
		*equals = 0;
		if (!is_core(value))
			c->fvp_asked.no_core = value;
		value = equals + 1;
	}
	return setting_image(c, "--application", value);
}

static int fvp_data(void *into, char *value)
{
	struct request *c = into;
	const int status = setting_data(c, value);

	return status ? status : locate("--data", c, &c->data[c->data_count - 1]);
}

static int fvp_dump(void *into, char *value)
{
	struct request *c = into;
	const int status = setting_dump(c, value);

	return status ? status : locate("--dump", c, &c->dumps[c->dump_count - 1]);
}

static int fvp_parameter(void *into, char *value)
{
	return fvp_set_parameter(into, value);
}

static int fvp_config_file(void *into, char *path)
{
	return fvp_parameter_file(into, path);
}

static int fvp_list_instances(void *into, char *value)
{
	(void)value;
	fvp_print_instances(((const struct request *)into)->config);
	return OPTION_DONE;
}

static int fvp_list_memory(void *into, char *value)
{
	(void)value;
	fvp_print_memory(((const struct request *)into)->config);
	return OPTION_DONE;
}

static int fvp_version(void *into, char *value)
{
	(void)into;
	(void)value;
	/* scripts look for the release of Fast Models that they know: ethos-u-core-platform's run_ctest.py */
	printf("fvp-sim %s, an open simulator with the command line of the Corstone FVPs (Fast Models 11.16 to 11.24, and later)\n",
	       fvpsim_version());
	return OPTION_DONE;
}

static int fvp_start(void *into, char *value)
{
	const struct request *c = into;
	const char *equals = strchr(value, '=');

	return fvpsim_config_set(c->config, "start", equals ? equals + 1 : value, NULL) ? setting_wrong("--start", value, "an address") : 0;
}

static option_setter fvp_help;

#define OPTIONS_OF struct request
static const struct option options[] = {
#define OURS(name, argument, type, text)
#define BOTH(letter, name, argument, type, text) { letter, name, argument, text, type },
#define FVPS(letter, name, argument, type, text) { letter, name, argument, text, type },
#define NPU(name, argument, type, text)
#include "sim/params/options.def"
};
static const struct option_table table = { options, ARRAY_LEN(options), "fvp-sim", "--help" };

static int fvp_help(void *into, char *value)
{
	(void)into;
	(void)value;
	puts("usage: [options] [program]   (fvp-sim, with the command line of an FVP)\n");
	option_print(&table, 51);
	puts("\nThe status at the end is the program's own (semihosting exit), 0 for limits, or:");
	exit_print(stdout);
	return OPTION_DONE;
}

/* What was asked for and cannot be had, but does not keep the program from running. */
static void print_missing(const struct fvp_asked *asked)
{
	if (asked->debugger)
		message("fvp-sim: note: there is no server for Arm's debuggers, and no breakpoint from here: the program runs without; "
			"--gdb PORT --gdb-wait serves gdb (target remote :PORT)\n");
	if (asked->plugin)
		message("fvp-sim: note: plug-ins are not loaded: the program runs without\n");
	if (asked->no_memory)
		message("fvp-sim: note: '%s' is no memory (--list-memory): the address is one of the core's\n", asked->no_memory);
	if (asked->no_core)
		message("fvp-sim: note: '%s' is not the core (--list-instances): cpu0 runs the program\n", asked->no_core);
}

int fvp_parse(struct request *c, int argc, char **argv)
{
	struct option_reader r = { .table = &table, .argc = argc, .argv = argv, .at = 1 };
	struct fvpsim_error error;
	char *value;
	int row;

	c->fvp = true;
	c->config = fvpsim_config_new(argv[0], &error);
	if (!c->config || fvpsim_config_set(c->config, "semihosting", "off", &error)) /* until a parameter says otherwise */
		return tell_error("", &error);
	while ((row = option_next(&r, &value)) != OPTION_END) {
		const int status = row == OPTION_WRONG ? EXIT_USAGE
				 : row == OPTION_PLAIN ? fvp_application(c, value) : option_set(&table, row, c, value);

		if (status)
			return status == OPTION_DONE ? 0 : status;
	}
	if (c->fvp_asked.list_params)
		return fvp_print_params(c->config, c->fvp_asked.list_file);
	if (!c->quiet)
		print_missing(&c->fvp_asked);
	if (!c->image_count && !c->data_count)
		return wrong("no program given: -a FILE (--help lists the options)");
	return options_fit(c) ? OPTIONS_RUN : EXIT_USAGE;
}
