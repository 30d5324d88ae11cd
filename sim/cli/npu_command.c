/* SPDX-License-Identifier: Apache-2.0 */
/* `fvp-sim npu`: options, files in and out, and what is printed. */
#include "sim/cli/npu_command.h"

#include "include/fvpsim.h"
#include "loader/file.h"
#include "sim/cli/heap.h"
#include "sim/cli/npu_table.h"
#include "sim/cli/outputs.h"
#include "sim/cli/tell.h"
#include "sim/exit.h"
#include "sim/params/message.h"
#include "sim/params/option_rows.h"
#include "traces/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* What the command line asks for. */
struct npu_request {
	const char *accelerator, *model, *inputs, *output, *report, *host_simd, *memory, *memory_mode, *dump_layers, *compare_layers;
	const char *debug_db, *config, *system, *method;
	unsigned threads;
	u64 work_limit; /* 0: the default */
	bool layers, help;
};

#define OPTIONS_OF struct npu_request
static const struct option options[] = {
#define OURS(name, argument, type, text)
#define BOTH(letter, name, argument, type, text)
#define FVPS(letter, name, argument, type, text)
#define NPU(name, argument, type, text) { 0, name, argument, text, type },
#include "sim/params/options.def"
};
static const struct option_table table = { options, ARRAY_LEN(options), "fvp-sim npu", "fvp-sim npu --help" };

static void print_help(void)
{
	const char *name, *system, *text;

	printf("usage: fvp-sim npu --accelerator NAME --model FILE [--input F[,F...]] [--output DIR]\n\n"
	       "Runs a network compiled by Vela on the NPU alone, without a CPU.\n\noptions:\n");
	option_print(&table, 25);
	printf("\naccelerators:");
	for (unsigned i = 0; (name = fvpsim_accelerator(i)); i++)
		printf(" %s", name);
	printf("\n\nmemory profiles (or the compiler's name for the system configuration; single values can follow, as in\n"
	       "u85-low,ext.read_latency=500; default: the one that published measurements of the accelerator used):\n");
	for (unsigned i = 0; (name = fvpsim_memory_system(i, &system, &text)); i++)
		printf("  %-18s %-28s %s\n", name, system, text);
	printf("\nDefault memory mode: Dedicated_Sram when the model keeps its fast scratch apart, else Shared_Sram.\n");
	printf("\nexample:\n  fvp-sim npu --accelerator ethos-u55-128 --model model_vela.tflite "
	       "--input in.bin --output out --layers\n");
}

static int PRINTF_LIKE(2, 3) complain(int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message("fvp-sim npu: ");
	message_list(format, args);
	message("\n");
	va_end(args);
	return status;
}

/* An error of the library's; `where` it begins with. */
static int tell(const char *where, const struct fvpsim_error *error)
{
	return complain(tell_status(error), "%s%s", where, error->text);
}

static int parse(int argc, char **argv, struct npu_request *c)
{
	struct option_reader r = { .table = &table, .argc = argc, .argv = argv, .at = 1 };
	int row, status = 0;
	char *value;

	while (!status && (row = option_next(&r, &value)) != OPTION_END) {
		if (row == OPTION_PLAIN)
			row = option_unknown(&table, value);
		status = row == OPTION_WRONG ? EXIT_USAGE : option_set(&table, row, c, value);
	}
	return status;
}

/* For estimates: cycles hardly depend on values. */
static int zero_inputs(struct fvpsim_network *n)
{
	struct fvpsim_tensor input = { .size = sizeof input };

	for (unsigned i = 0; !fvpsim_network_input(n, i, &input, NULL); i++)
		memset(input.data, 0, input.bytes);
	return 0;
}

/* The file of input i, straight into the network's memory. */
static int read_input(struct fvpsim_network *n, unsigned i, const char *path)
{
	struct fvpsim_tensor input = { .size = sizeof input };
	struct file_bytes f;
	char why[512];

	fvpsim_network_input(n, i, &input, NULL);
	if (!file_read(path, &f, why, sizeof why))
		return complain(EXIT_NO_INPUT, "--input: %s", why);
	const u64 found = f.size;
	if (found == input.bytes)
		memcpy(input.data, f.data, found);
	file_free(&f);
	if (found == input.bytes)
		return 0;
	return complain(EXIT_BAD_INPUT, "--input: %s has %" PRIu64 " bytes, input %u (%s) of the model has %zu", path, found, i, input.name,
			input.bytes);
}

/* The next name of a list behind commas, of which `list` keeps the rest. */
static void next_name(const char **list, char *name, size_t size)
{
	const size_t length = strcspn(*list, ",");

	snprintf(name, size, "%.*s", (int)length, *list);
	*list += length + ((*list)[length] == ',');
}

/* The inputs' files, in order. */
static int read_inputs(struct fvpsim_network *n, const char *list)
{
	const unsigned count = fvpsim_network_inputs(n);
	char path[4096];
	unsigned i = 0;

	for (; i < count && list && *list; i++) {
		int status;

		next_name(&list, path, sizeof path);
		status = read_input(n, i, path);
		if (status)
			return status;
	}
	if (i == count && (!list || !*list))
		return 0;
	if (!list)
		return complain(EXIT_USAGE, "--input is missing: a file for each of the model's inputs (%u), in their order, or --input zeros", count);
	return complain(EXIT_USAGE, "--input names %s files than the model has inputs (%u); all are one list, behind commas", i < count ? "fewer" : "more", count);
}

static int write_outputs(struct fvpsim_network *n, const char *directory)
{
	struct fvpsim_tensor output = { .size = sizeof output };
	char path[4096], why[512];

	if (!directory)
		return 0;
	if (mkdir(directory, 0777) != 0 && errno != EEXIST)
		return complain(EXIT_NO_OUTPUT, "--output: %s: %s", *directory ? directory : "''", strerror(errno));
	for (unsigned i = 0; !fvpsim_network_output(n, i, &output, NULL); i++) {
		snprintf(path, sizeof path, "%s/output_%u.bin", directory, i);
		if (!output_write(path, output.data, output.bytes, why, sizeof why))
			return complain(EXIT_NO_OUTPUT, "--output: %s", why);
	}
	return 0;
}

/* fvpsim_callbacks.message */
static void print_message(void *ctx, int kind, const char *id, const char *text)
{
	message("fvp-sim npu: %s [%s]\n", text, id);
}

/* Folders of tensors, to compare with and, which must be another one, to write. */
static const struct {
	const char *option;
	int (*change)(struct fvpsim_network *n, const char *directory, struct fvpsim_error *error);
} folders[] = { { "--compare-layers: ", fvpsim_network_compare_layers }, { "--dump-layers: ", fvpsim_network_dump_layers } };

static int open_folders(struct fvpsim_network *n, const struct npu_request *c)
{
	const char *const directory[ARRAY_LEN(folders)] = { c->compare_layers, c->dump_layers };
	struct fvpsim_error error;

	for (unsigned i = 0; i < ARRAY_LEN(folders); i++)
		if (directory[i] && folders[i].change(n, directory[i], &error))
			return tell(folders[i].option, &error);
	return 0;
}

static int close_folders(struct fvpsim_network *n)
{
	struct fvpsim_error error;
	int status = 0;

	for (unsigned i = 0; i < ARRAY_LEN(folders); i++) {
		const int ended = folders[i].change(n, NULL, &error) ? tell(folders[i].option, &error) : 0;

		status = status ? status : ended;
	}
	return status;
}

/* Why a job ended with an error has been told. */
static int infer(struct fvpsim_network *n, const struct npu_request *c)
{
	struct fvpsim_error error;
	int status = open_folders(n, c);

	if (!status)
		status = fvpsim_network_run(n, &error) ? tell_status(&error) : write_outputs(n, c->output);

	const int closed = close_folders(n);
	return status ? status : closed;
}

static int write_report(const struct fvpsim_network *n, const struct npu_request *c)
{
	struct fvpsim_error error;
	char *json, why[512];

	if (!c->report)
		return 0;
	if (fvpsim_network_report(n, c->layers, &json, &error))
		return tell("--report: ", &error);

	const bool written = output_write(c->report, json, strlen(json), why, sizeof why);
	fvpsim_free(json);
	return written ? 0 : complain(EXIT_NO_OUTPUT, "--report: %s", why);
}

static int run(struct fvpsim_network *n, const struct npu_request *c)
{
	const struct fvpsim_callbacks callbacks = { .size = sizeof callbacks, .message = print_message };
	struct fvpsim_error error;
	int status = c->inputs && strcmp(c->inputs, "zeros") == 0 ? zero_inputs(n) : read_inputs(n, c->inputs), reported;

	if (status)
		return status;
	if (c->debug_db && fvpsim_network_name_operations(n, c->debug_db, &error))
		return tell("--debug-db: ", &error);
	fvpsim_network_set_callbacks(n, &callbacks, NULL);
	status = infer(n, c);
	if (c->layers)
		npu_table_print(n, c->debug_db);
	reported = write_report(n, c);
	return status ? status : reported;
}

static int run_model(const struct npu_request *c)
{
	const struct fvpsim_network_options o = {
		.size = sizeof o, .memory = c->memory, .memory_mode = c->memory_mode, .host_simd = c->host_simd, .threads = c->threads,
		.vela_config = c->config, .system_config = c->system, .work_limit = c->work_limit, .method = c->method,
	};
	struct fvpsim_error error;
	struct fvpsim_network *n = fvpsim_network_open(c->accelerator, c->model, &o, &error);
	int status;

	if (!n)
		return tell(error.kind == FVPSIM_NO_INPUT && strncmp(error.text, "--config: ", 10) ? "--model: " : "", &error);
	status = run(n, c);
	fvpsim_network_free(n);
	return status;
}

/* May --output write `path` into its folder? */
static bool is_output(const char *path, const char *folder)
{
	const char *name = folder ? output_name_in(path, folder) : NULL;

	return name && !strncmp(name, "output_", 7) && !strcmp(name + 7 + strspn(name + 7, "0123456789"), ".bin");
}

static bool is_input(const char *path, const char *list)
{
	char name[4096];

	while (list && *list) {
		next_name(&list, name, sizeof name);
		if (output_hits(path, name))
			return true;
	}
	return false;
}

/* What a report at `path` would write over, or be written over by; NULL: nothing. */
static const char *beside_report(const struct npu_request *c)
{
	const struct { const char *path, *what; } read[] = { { c->model, "the model" }, { c->debug_db, "the debug database" }, { c->config, "the file of --config" } };

	for (unsigned i = 0; *c->report && i < ARRAY_LEN(read); i++)
		if (read[i].path && output_hits(c->report, read[i].path))
			return read[i].what;
	return !*c->report ? "no file" :
	       is_input(c->report, c->inputs) ? "an input" :
	       is_output(c->report, c->output) ? "a file of --output" :
	       outputs_is_tensor(c->report, c->dump_layers) ? "a file of --dump-layers" : NULL;
}

int npu_command(int argc, char **argv)
{
	struct npu_request c = { .threads = threads_default() };
	const int status = parse(argc, argv, &c);

	if (status)
		return status;
	if (c.help) {
		print_help();
		return 0;
	}
	const char *taken = c.report ? beside_report(&c) : NULL;
	if (taken)
		return complain(EXIT_USAGE, "--report: '%s' is %s; give another file, or - for standard output", c.report, taken);
	if (!c.accelerator || !c.model)
		return complain(EXIT_USAGE, "--accelerator and --model are required; see fvp-sim npu --help");
	heap_in_huge_page();
	return run_model(&c);
}
