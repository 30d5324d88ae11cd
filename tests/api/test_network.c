/* SPDX-License-Identifier: Apache-2.0 */
/* Networks by the public interface: what is told of their making and of each run. */
#include <fvpsim.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ACCELERATOR "ethos-u55-128"
#define MODEL MODELS "/classifier_ethos-u55-128.tflite"

static struct fvpsim_network *opened(const struct fvpsim_network_options *options)
{
	struct fvpsim_error error;
	struct fvpsim_network *n = fvpsim_network_open(ACCELERATOR, MODEL, options, &error);

	cr_assert(ne(ptr, n, NULL), "%s", error.text);
	return n;
}

static void fill_input(struct fvpsim_network *n, int value)
{
	struct fvpsim_tensor input = { .size = sizeof input };

	cr_assert(eq(int, fvpsim_network_input(n, 0, &input, NULL), FVPSIM_OK));
	memset(input.data, value, input.bytes);
}

static void run(struct fvpsim_network *n)
{
	struct fvpsim_error error;

	cr_assert(eq(int, fvpsim_network_run(n, &error), FVPSIM_OK), "%s", error.text);
}

static struct fvpsim_network_end end_of(const struct fvpsim_network *n)
{
	struct fvpsim_network_end end = { .size = sizeof end };

	cr_assert(eq(int, fvpsim_network_get_end(n, &end, NULL), FVPSIM_OK));
	return end;
}

static char *report_of(const struct fvpsim_network *n, bool operations)
{
	struct fvpsim_error error;
	char *json;

	cr_assert(eq(int, fvpsim_network_report(n, operations, &json, &error), FVPSIM_OK), "%s", error.text);
	return json;
}

/* ---- making ---- */

static void refuses(const char *accelerator, const char *path, const struct fvpsim_network_options *options, int kind, const char *text)
{
	struct fvpsim_error error;

	cr_expect(eq(ptr, fvpsim_network_open(accelerator, path, options, &error), NULL));
	cr_expect(eq(int, error.kind, kind), "%s", error.text);
	cr_expect(eq(ptr, strstr(error.text, text), error.text), "%s", error.text);
}

Test(network, is_refused_with_a_kind_and_a_sentence)
{
	struct fvpsim_network_options o = { .size = sizeof o };

	refuses("ethos-u99", "none", NULL, FVPSIM_USAGE, "unknown accelerator 'ethos-u99'; accelerators: ethos-u55-32 ");
	refuses(ACCELERATOR, "none", NULL, FVPSIM_NO_INPUT, "none: No such file");
	refuses(ACCELERATOR, "/dev/null", NULL, FVPSIM_BAD_INPUT, "/dev/null: neither a .tflite file");
	refuses("ethos-u55-64", MODEL, NULL, FVPSIM_ACCELERATOR, MODEL ": model is compiled for ethos-u55-128");
	o.memory = "fast";
	refuses(ACCELERATOR, "none", &o, FVPSIM_USAGE, "--memory: there is no memory profile");
	o = (struct fvpsim_network_options){ .size = sizeof o, .memory_mode = "Other" };
	refuses(ACCELERATOR, "none", &o, FVPSIM_USAGE, "--memory-mode: 'Other' is not possible");
	o = (struct fvpsim_network_options){ .size = sizeof o, .vela_config = "none.ini" };
	refuses(ACCELERATOR, "none", &o, FVPSIM_USAGE, "--config FILE and --system-config NAME go together");
	o.system_config = "x";
	refuses(ACCELERATOR, "none", &o, FVPSIM_NO_INPUT, "--config: none.ini: No such file");
	o = (struct fvpsim_network_options){ .size = sizeof o, .host_simd = "mmx" };
	refuses(ACCELERATOR, MODEL, &o, FVPSIM_USAGE, "unknown host instruction set 'mmx'");
	o.size = 0;
	refuses(ACCELERATOR, MODEL, &o, FVPSIM_USAGE, "the structure's member size is not set");
}

Test(network, takes_the_memory_system_of_a_vela_ini)
{
	const struct fvpsim_network_options slow = {
		.size = sizeof slow, .vela_config = SYSTEMS, .system_config = "Ethos_U55_High_End_Embedded", .memory_mode = "Shared_Sram",
		.memory = ",ext.read_latency=5000",
	};
	struct fvpsim_network *usual = opened(NULL), *n = opened(&slow);

	run(usual);
	run(n);
	cr_expect(gt(u64, fvpsim_network_cycles(n), fvpsim_network_cycles(usual)));
	fvpsim_network_free(usual);
	fvpsim_network_free(n);
}

Test(network, options_of_an_older_program_end_earlier)
{
	const struct fvpsim_network_options old = {
		.size = offsetof(struct fvpsim_network_options, vela_config), .vela_config = "none", .work_limit = 1,
	};
	struct fvpsim_network *n = opened(&old);

	run(n);
	fvpsim_network_free(n);
}

Test(network, of_vela_s_has_no_methods)
{
	const struct fvpsim_network_options o = { .size = sizeof o, .method = "encode" };

	refuses(ACCELERATOR, MODEL, &o, FVPSIM_BAD_INPUT, MODEL ": only ExecuTorch programs (.pte) have methods");
}

Test(network, memory_systems_have_names)
{
	const char *system = NULL, *text = NULL, *name = fvpsim_memory_system(1, &system, &text);

	cr_expect(eq(str, (char *)name, "u55-high-end"));
	cr_expect(eq(str, (char *)system, "Ethos_U55_High_End_Embedded"));
	cr_expect(ne(ptr, strstr(text, "SRAM"), NULL));
	cr_expect(eq(ptr, (void *)fvpsim_memory_system(1000, &system, &text), NULL));
}

/* ---- what a run tells ---- */

struct heard {
	struct fvpsim_network *network;
	unsigned operations, tensors, messages;
	unsigned stop_at; /* after so many operations; 0: never */
	int refused;
	uint64_t cycles;
	char id[16];
};

static void hear_operation(void *ctx, const struct fvpsim_operation *op)
{
	struct heard *h = ctx;

	h->operations++;
	h->cycles += op->cycles;
	h->refused = fvpsim_network_run(h->network, NULL);
	if (h->operations == h->stop_at)
		fvpsim_network_stop(h->network);
}

static void hear_tensor(void *ctx, const struct fvpsim_tensor *tensor)
{
	struct heard *h = ctx;

	h->tensors += tensor->data != NULL;
}

static void hear_message(void *ctx, int kind, const char *id, const char *text)
{
	struct heard *h = ctx;

	h->messages++;
	snprintf(h->id, sizeof h->id, "%s", id);
}

static void listen(struct fvpsim_network *n, struct heard *h)
{
	const struct fvpsim_callbacks callbacks = {
		.size = sizeof callbacks, .ctx = h, .operation = hear_operation, .tensor = hear_tensor, .message = hear_message,
	};

	h->network = n;
	cr_assert(eq(int, fvpsim_network_set_callbacks(n, &callbacks, NULL), FVPSIM_OK));
}

Test(network, tells_of_operations_and_tensors_as_they_come)
{
	struct heard h = { 0 };
	struct fvpsim_network *n = opened(NULL);
	struct fvpsim_error error;

	listen(n, &h);
	run(n);
	cr_expect(eq(u32, h.operations, fvpsim_network_operations(n)));
	cr_expect(eq(u64, h.cycles, fvpsim_network_cycles(n)));
	cr_expect(gt(u32, h.tensors, h.operations));
	cr_expect(eq(u32, fvpsim_network_operation_tensors(n, 1), 0));
	cr_expect(eq(int, h.refused, FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_network_set_callbacks(n, &(struct fvpsim_callbacks){ .size = 0 }, &error), FVPSIM_USAGE));
	cr_expect(ne(ptr, strstr(error.text, "member size"), NULL), "%s", error.text);
	fvpsim_network_free(n);
}

Test(network, tells_why_a_job_ended)
{
	const struct fvpsim_network_options limited = { .size = sizeof limited, .work_limit = 1 };
	struct heard h = { 0 };
	struct fvpsim_network *n = opened(&limited);
	struct fvpsim_error error;
	struct fvpsim_network_end end;

	cr_expect(eq(str, (char *)end_of(n).reason, "none"));
	listen(n, &h);
	cr_expect(eq(int, fvpsim_network_run(n, &error), FVPSIM_NPU));
	end = end_of(n);
	cr_expect(eq(str, (char *)end.reason, "work_limit"));
	cr_expect(eq(str, end.text, error.text));
	cr_expect(eq(u32, h.messages, 1));
	cr_expect(ne(ptr, strstr(h.id, "NPU"), NULL), "%s", h.id);
	fvpsim_network_free(n);
}

Test(network, a_stop_is_no_mistake_of_the_network)
{
	struct heard h = { 0 };
	struct fvpsim_network *n = opened(NULL);

	listen(n, &h);
	fvpsim_network_stop(n);
	cr_expect(eq(int, fvpsim_network_run(n, NULL), FVPSIM_STOPPED));
	cr_expect(eq(str, (char *)end_of(n).reason, "stopped"));
	cr_expect(eq(u32, h.messages, 0));
	run(n);
	cr_expect(eq(str, (char *)end_of(n).reason, "stop"));
	fvpsim_network_free(n);
}

/* Also of one whose operations have been done in the same place before. */
Test(network, a_stop_ends_a_run_that_was_done_before)
{
	struct heard h = { 0 };
	struct fvpsim_network *n = opened(NULL);

	for (unsigned i = 0; i < 6; i++)
		run(n);
	const unsigned operations = fvpsim_network_operations(n);
	cr_assert(gt(u32, operations, 2));
	h.stop_at = 2;
	listen(n, &h);
	cr_expect(eq(int, fvpsim_network_run(n, NULL), FVPSIM_STOPPED));
	cr_expect(eq(u32, h.operations, 2));
	cr_expect(eq(str, (char *)end_of(n).reason, "stopped"));
	run(n);
	cr_expect(eq(u32, h.operations, 2 + operations));
	fvpsim_network_free(n);
}

/* ---- reports and folders ---- */

Test(network, a_report_is_of_the_latest_run)
{
	struct fvpsim_network *n = opened(NULL);
	struct fvpsim_operation op = { .size = sizeof op };
	char *first, *second, *sums, line[64];

	run(n);
	first = report_of(n, true);
	run(n);
	second = report_of(n, true);
	sums = report_of(n, false);
	cr_expect(eq(str, first, second));
	cr_expect(ne(ptr, strstr(first, "\"operations\""), NULL));
	cr_expect(eq(ptr, strstr(sums, "\"operations\""), NULL));
	cr_assert(eq(int, fvpsim_network_operation(n, 1, &op, NULL), FVPSIM_OK));
	snprintf(line, sizeof line, "\"utilisation_permille\": %u,", op.utilisation);
	cr_expect(ne(ptr, strstr(first, line), NULL), "%s", line);
	cr_expect(eq(u64, end_of(n).jobs, 1));
	cr_expect(ne(ptr, strstr(first, fvpsim_network_accuracy(n)), NULL));
	fvpsim_free(first);
	fvpsim_free(second);
	fvpsim_free(sums);
	fvpsim_network_free(n);
}

/* The same bytes and the same report as of another network. */
static void as(struct fvpsim_network *n, struct fvpsim_network *other, const char *which)
{
	struct fvpsim_tensor ours = { .size = sizeof ours }, theirs = { .size = sizeof theirs };
	char *a = report_of(n, true), *b = report_of(other, true);

	for (unsigned i = 0; i < fvpsim_network_outputs(n); i++) {
		cr_assert(eq(int, fvpsim_network_output(n, i, &ours, NULL), FVPSIM_OK));
		cr_assert(eq(int, fvpsim_network_output(other, i, &theirs, NULL), FVPSIM_OK));
		cr_expect(eq(int, memcmp(ours.data, theirs.data, ours.bytes), 0), "%s: output %u", which, i);
	}
	cr_expect(eq(str, a, b), "%s", which);
	fvpsim_free(a);
	fvpsim_free(b);
}

/* Networks use each other's decoded weights, also those of one that is gone with its file. */
Test(network, networks_do_not_depend_on_each_other)
{
	const struct fvpsim_network_options generic = { .size = sizeof generic, .host_simd = "generic" };
	struct fvpsim_network *reference = opened(&generic), *n = opened(NULL);

	fill_input(reference, 77);
	run(reference);
	for (unsigned i = 0; i < 4; i++) {
		struct fvpsim_network *next = opened(NULL);
		fill_input(n, 77);
		run(n);
		as(n, reference, i ? "a later one" : "the first one");
		if (i % 2) {
			fill_input(next, 77);
			run(next);
			as(next, reference, "at a time");
		}
		fvpsim_network_free(n);
		n = next;
	}
	fvpsim_network_free(n);
	fvpsim_network_free(reference);
}

static void enter_folder(char *folder)
{
	cr_assert(ne(ptr, mkdtemp(folder), NULL));
	cr_assert(eq(int, chdir(folder), 0));
}

static void remove_folder(const char *folder)
{
	char command[64];

	snprintf(command, sizeof command, "rm -r %s", folder);
	cr_assert(eq(int, chdir("/"), 0));
	cr_assert(eq(int, system(command), 0));
}

Test(network, tensors_are_compared_with_those_of_another_run)
{
	char folder[] = "/tmp/network-XXXXXX";
	struct fvpsim_network *n = opened(NULL);
	struct fvpsim_error error;

	enter_folder(folder);
	cr_expect(eq(int, fvpsim_network_dump_layers(n, "layers", &error), FVPSIM_OK), "%s", error.text);
	cr_expect(eq(int, fvpsim_network_dump_layers(n, "others", NULL), FVPSIM_USAGE));
	run(n);
	cr_expect(eq(int, fvpsim_network_dump_layers(n, NULL, &error), FVPSIM_OK), "%s", error.text);
	for (int value = 0; value < 2; value++) {
		fill_input(n, value);
		cr_expect(eq(int, fvpsim_network_compare_layers(n, "layers", &error), FVPSIM_OK), "%s", error.text);
		run(n);
		cr_expect(eq(int, fvpsim_network_compare_layers(n, NULL, &error), value ? FVPSIM_DIFFERS : FVPSIM_OK), "%s", error.text);
	}
	cr_expect(ne(ptr, strstr(error.text, "element [0, "), NULL), "%s", error.text);
	cr_expect(eq(int, fvpsim_network_compare_layers(n, NULL, NULL), FVPSIM_OK));
	cr_expect(eq(int, fvpsim_network_dump_layers(n, "no/folder", NULL), FVPSIM_NO_OUTPUT));
	cr_expect(eq(int, fvpsim_network_dump_layers(n, "unfinished", NULL), FVPSIM_OK));
	fvpsim_network_free(n);
	remove_folder(folder);
}

Test(network, operations_are_named_by_a_debug_database)
{
	char folder[] = "/tmp/network-XXXXXX";
	struct fvpsim_network *n = opened(NULL);
	struct fvpsim_operation op = { .size = sizeof op };
	struct fvpsim_error error;
	char *json;
	FILE *f;

	enter_folder(folder);
	run(n);
	cr_assert(eq(int, fvpsim_network_operation(n, 1, &op, NULL), FVPSIM_OK));
	cr_expect(eq(ptr, (void *)op.source, NULL));
	f = fopen("names.xml", "w");
	fprintf(f, "<table name=\"queue\"><![CDATA[\"offset\",\"cmdstream_id\",\"optimised_id\"\n%u,0,2\n]]></table>\n"
		"<table name=\"optimised\"><![CDATA[\"id\",\"source_id\",\"operator\"\n2,1,\"Conv2DBias\"\n]]></table>\n"
		"<table name=\"source\"><![CDATA[\"id\",\"operator\"\n1,\"Conv2D\"\n]]></table>\n", op.offset);
	fclose(f);
	cr_expect(eq(int, fvpsim_network_name_operations(n, "none.xml", &error), FVPSIM_NO_INPUT));
	cr_assert(eq(int, fvpsim_network_name_operations(n, "names.xml", &error), FVPSIM_OK), "%s", error.text);
	cr_expect(eq(int, fvpsim_network_name_operations(n, "names.xml", &error), FVPSIM_USAGE));
	cr_assert(eq(int, fvpsim_network_operation(n, 1, &op, NULL), FVPSIM_OK));
	cr_assert(ne(ptr, (void *)op.source, NULL));
	cr_expect(eq(str, (char *)op.source, "Conv2D"));
	json = report_of(n, true);
	cr_expect(ne(ptr, strstr(json, "\"source\": \"Conv2D\""), NULL));
	fvpsim_free(json);
	fvpsim_network_free(n);
	remove_folder(folder);
}
