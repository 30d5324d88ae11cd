/* SPDX-License-Identifier: Apache-2.0 */
/* `fvp-sim npu`: options, files in and out, and what is printed. */
#include "sim/network/npu_command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "loader/file.h"
#include "sim/network/npu_memory.h"
#include "sim/network/npu_tensors.h"
#include "sim/network/npu_report.h"
#include "sim/params/message.h"
#include "sim/params/option_rows.h"
#include "sim/stop.h"
#include "traces/output.h"

/* What the command line asks for. */
struct npu_request {
	const char *accelerator, *model, *inputs, *output, *report, *host_simd, *memory, *memory_mode, *dump_layers, *compare_layers;
	const char *debug_db, *config, *system;
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
	printf("usage: fvp-sim npu --accelerator NAME --model FILE [--input F[,F...]] [--output DIR]\n\n"
	       "Runs a network compiled by Vela on the NPU alone, without a CPU.\n\noptions:\n");
	option_print(&table, 25);
	printf("\naccelerators:");
	for (const struct npu_config *c = npu_configs; c->name; c++)
		printf(" %s", c->name);
	printf("\n\nmemory profiles (or the compiler's name for the system configuration; single values can follow, as in\n"
	       "u85-low,ext.read_latency=500; default: the one that published measurements of the accelerator used):\n");
	for (const struct npu_memory_profile *p = npu_memory_profiles; p->name; p++)
		printf("  %-18s %-28s %s\n", p->name, p->system, p->text);
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
static int zero_inputs(const struct npu_program *p)
{
	for (u32 i = 0; i < p->input_count; i++)
		memset(p->inputs[i].host, 0, p->inputs[i].bytes);
	return 0;
}

/* The inputs' files, in order, straight into the network's memory. */
static int read_inputs(const struct npu_program *p, const char *list)
{
	char path[4096], why[512];
	u32 i = 0;

	for (; i < p->input_count && list && *list; i++) {
		const struct npu_value *input = &p->inputs[i];
		const size_t length = strcspn(list, ",");
		struct file_bytes f;

		snprintf(path, sizeof(path), "%.*s", (int)length, list);
		list += length + (list[length] == ',');
		if (!file_read(path, &f, why, sizeof(why)))
			return complain(EXIT_NO_INPUT, "--input: %s", why);
		const u64 found = f.size;
		if (found == input->bytes)
			memcpy(input->host, f.data, found);
		file_free(&f);
		if (found != input->bytes)
			return complain(EXIT_BAD_INPUT, "--input: %s has %" PRIu64 " bytes, input %u (%s) of the model has %" PRIu64,
					path, found, i, input->name, input->bytes);
	}
	if (i == p->input_count && (!list || !*list))
		return 0;
	return complain(EXIT_USAGE, "--input names %s files than the model has inputs (%u)",
			i < p->input_count ? "fewer" : "more", p->input_count);
}

static int write_outputs(const struct npu_program *p, const char *directory)
{
	char path[4096], why[512];

	if (!directory)
		return 0;
	if (mkdir(directory, 0777) != 0 && errno != EEXIST)
		return complain(EXIT_NO_OUTPUT, "--output: %s: %s", *directory ? directory : "''", strerror(errno));
	for (u32 i = 0; i < p->output_count; i++) {
		snprintf(path, sizeof(path), "%s/output_%u.bin", directory, i);
		if (!output_write(path, p->outputs[i].host, p->outputs[i].bytes, why, sizeof(why)))
			return complain(EXIT_NO_OUTPUT, "--output: %s", why);
	}
	return 0;
}

static void print_message(void *ctx, enum diag_kind kind, const char *id, const char *text)
{
	message("fvp-sim npu: %s [%s]\n", text, id);
}

/* What the network runs on. */
struct system {
	const struct npu_config *config;
	struct npu_memory_profile memory;
	bool mode_given;
	enum npu_memory_mode mode;
};

/* All that listen to the run. */
struct listeners {
	struct npu_listener report;
	struct npu_tensors *layers[2]; /* to write, to compare with; NULL: none */
};

static void begins(void *ctx, const struct npu_op *op, const struct npu_view *view)
{
	const struct listeners *l = ctx;

	for (unsigned i = 0; i < ARRAY_LEN(l->layers); i++)
		if (l->layers[i])
			npu_tensors_listener(l->layers[i]).begins(l->layers[i], op, view);
}

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	const struct listeners *l = ctx;

	l->report.operation(l->report.ctx, op, cost);
	for (unsigned i = 0; i < ARRAY_LEN(l->layers); i++)
		if (l->layers[i])
			npu_tensors_listener(l->layers[i]).operation(l->layers[i], op, cost);
}

static int open_layers(const struct npu_request *c, const struct npu_config *config, const struct npu_names *names, struct listeners *l)
{
	char why[512];

	for (unsigned i = 0; i < ARRAY_LEN(l->layers); i++) {
		const char *directory = i ? c->compare_layers : c->dump_layers;

		if (directory && !(l->layers[i] = npu_tensors_new(config, directory, i, why, sizeof(why))))
			return complain(EXIT_NO_OUTPUT, "--%s: %s", i ? "compare-layers" : "dump-layers", why);
		if (directory)
			npu_tensors_name(l->layers[i], names);
	}
	return 0;
}

static int close_layers(struct listeners *l)
{
	int status = 0;
	char why[512];

	for (unsigned i = 0; i < ARRAY_LEN(l->layers); i++) {
		bool differs = false;

		if (l->layers[i] && !npu_tensors_end(l->layers[i], &differs, why, sizeof(why)))
			status = complain(differs ? EXIT_DIFFERS : EXIT_NO_OUTPUT, "--%s: %s", i ? "compare-layers" : "dump-layers", why);
		npu_tensors_free(l->layers[i]);
	}
	return status;
}

static int run(const struct npu_request *c, const struct system *s, const struct npu_names *names, struct npu_program *p)
{
	const struct diag diag = { .emit = print_message };
	struct npu_report report = { .layers = c->layers, .names = names };
	struct listeners listeners = { .report = npu_report_listener(&report) };
	struct npu_options o = {
		.config = s->config,
		.memory = npu_program_memory(p),
		.diag = &diag,
		.listener = { .begins = begins, .operation = operation, .ctx = &listeners },
		.host_simd = c->host_simd,
		.threads = c->threads,
		.work_limit = c->work_limit,
	};
	struct npu *n;
	char why[512];
	int status;

	n = npu_new(&o);
	if (!n && !c->host_simd)
		return complain(EXIT_INTERNAL, "host memory is short");
	if (!n)
		return complain(EXIT_USAGE, "unknown host instruction set '%s', or not one of this host; give " NPU_HOST_SIMD,
				c->host_simd);
	for (unsigned port = 0; port < NPU_PORTS; port++)
		npu_set_adapter(n, port, &s->memory.adapter[port]);
	if (c->report)
		report.npu = n;
	status = open_layers(c, s->config, names, &listeners);
	if (!status)
		status = npu_program_run(p, n) ? write_outputs(p, c->output) : EXIT_NPU;
	const int layers = close_layers(&listeners);
	status = status ? status : layers;
	if (c->layers)
		npu_report_print(stdout, &report, npu_result(n), s->config);
	if (c->report && !npu_report_write(&report, npu_result(n), s->config, c->report, why, sizeof(why))) {
		complain(EXIT_NO_OUTPUT, "--report: %s", why);
		status = status ? status : EXIT_NO_OUTPUT;
	}
	npu_report_free(&report);
	npu_free(n);
	return status;
}

static int run_named(const struct npu_request *c, const struct system *s, struct npu_program *p)
{
	struct npu_names *names = NULL;
	char why[512];
	const enum failure failure = c->debug_db ? npu_names_read(&names, c->debug_db, why, sizeof(why)) : FAIL_NONE;

	if (failure)
		return complain(exit_of(failure), "--debug-db: %s", why);

	const int status = run(c, s, names, p);
	npu_names_free(names);
	return status;
}

static int unknown_accelerator(const char *name)
{
	char names[256];
	size_t n = 0;

	for (const struct npu_config *c = npu_configs; c->name && n < sizeof(names); c++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, " %s", c->name);
	return complain(EXIT_USAGE, "unknown accelerator '%s'; accelerators:%s", name, names);
}

/* Accelerator, memory system and memory mode; 0 or the exit status. */
static int find_system(const struct npu_request *c, struct system *s)
{
	const struct npu_memory_words words = { c->memory, c->config, c->system, c->memory_mode };
	char why[512];

	s->config = npu_config_find(c->accelerator);
	if (!s->config)
		return unknown_accelerator(c->accelerator);

	const enum failure failure = npu_memory_find(&words, s->config, &s->memory, &s->mode, &s->mode_given, why, sizeof(why));

	return failure ? complain(exit_of(failure), "%s", why) : 0;
}

static int run_model(const struct npu_request *c, const struct system *s, struct file_bytes *file)
{
	char why[320];
	struct npu_program *p = npu_program_load(file->data, file->size, why, sizeof(why));
	int status = p ? EXIT_ACCELERATOR : EXIT_BAD_INPUT;

	if (p && npu_program_fits(p, s->config, why, sizeof(why))) {
		if (s->mode_given)
			p->memory_mode = s->mode;
		status = c->inputs && strcmp(c->inputs, "zeros") == 0 ? zero_inputs(p) : read_inputs(p, c->inputs);
		if (status == 0)
			status = run_named(c, s, p);
	} else {
		complain(status, "%s: %s", c->model, why);
	}
	npu_program_free(p);
	return status;
}

int npu_command(int argc, char **argv)
{
	struct npu_request c = { .threads = threads_default() };
	struct system s = { 0 };
	struct file_bytes file;
	char why[512];
	int status = parse(argc, argv, &c);

	if (status)
		return status;
	if (c.help) {
		print_help();
		return 0;
	}
	if (c.report && (!*c.report || output_hits(c.report, c.model ? c.model : "")))
		return complain(EXIT_USAGE, "--report: '%s' is %s; give another file, or - for standard output", c.report,
				*c.report ? "the model" : "no file");
	if (!c.accelerator || !c.model)
		return complain(EXIT_USAGE, "--accelerator and --model are required; see fvp-sim npu --help");
	status = find_system(&c, &s);
	if (status)
		return status;
	if (!file_read(c.model, &file, why, sizeof(why)))
		return complain(EXIT_NO_INPUT, "--model: %s", why);
	status = run_model(&c, &s, &file);
	file_free(&file);
	return status;
}
