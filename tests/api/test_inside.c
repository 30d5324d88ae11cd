/* SPDX-License-Identifier: Apache-2.0 */
/* Traces, profiles, tensors and reports by the public interface. */
#include "rig.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/fvpsim-inside-XXXXXX", path[128], what[160];

static void make_folder(void)
{
	cr_assert(ne(ptr, mkdtemp(folder), NULL));
}

static void remove_folder(void)
{
	char command[96];

	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_assert(eq(int, system(command), 0));
}

TestSuite(inside, .init = make_folder, .fini = remove_folder);

/* "KIND=FILE" in the folder; FILE stays in `path`. */
static const char *into(const char *kind)
{
	snprintf(path, sizeof path, "%s/%s", folder, kind);
	snprintf(what, sizeof what, "%s=%s", kind, path);
	return what;
}

/* The whole file, to be freed. */
static char *contents(const char *file)
{
	FILE *f = fopen(file, "r");
	char *text;
	long bytes;

	cr_assert(ne(ptr, f, NULL), "%s", file);
	fseek(f, 0, SEEK_END);
	bytes = ftell(f);
	rewind(f);
	text = calloc(1, (size_t)bytes + 1);
	cr_assert(eq(sz, fread(text, 1, (size_t)bytes, f), (size_t)bytes));
	fclose(f);
	return text;
}

static unsigned lines(const char *text)
{
	unsigned n = 0;

	for (; (text = strchr(text, '\n')); text++)
		n++;
	return n;
}

/* The number behind "key": of a report; the first one. */
static uint64_t number(const char *json, const char *key)
{
	char quoted[64];
	const char *at;

	snprintf(quoted, sizeof quoted, "\"%s\": ", key);
	at = strstr(json, quoted);
	cr_assert(ne(ptr, (void *)at, NULL), "%s", key);
	return strtoull(at + strlen(quoted), NULL, 10);
}

Test(inside, a_trace_has_the_instructions_between_its_begin_and_end)
{
	struct heard h;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER);
	struct fvpsim_until at = { .size = sizeof at, .instruction = 1000 };
	struct fvpsim_error error;
	unsigned executed = 0;
	char *text;

	cr_expect(eq(int, run(m, &at), FVPSIM_STOP_INSTRUCTION));
	cr_assert(eq(int, fvpsim_trace(m, into("tarmac"), &error), FVPSIM_OK), "%s", error.text);
	at.instruction = 1200;
	cr_expect(eq(int, run(m, &at), FVPSIM_STOP_INSTRUCTION));
	cr_assert(eq(int, fvpsim_end_traces(m, &error), FVPSIM_OK), "%s", error.text);
	at.instruction = 1300;
	cr_expect(eq(int, run(m, &at), FVPSIM_STOP_INSTRUCTION));
	text = contents(path);
	for (const char *line = text; (line = strstr(line, " IT (")); line++)
		executed++;
	for (const char *line = text; (line = strstr(line, " IS (")); line++)
		executed++;
	cr_expect(eq(u32, executed, 200), "%u of %u lines", executed, lines(text));
	free(text);
	fvpsim_machine_free(m);
}

Test(inside, a_compact_trace_becomes_the_text_of_the_same_run)
{
	struct heard h;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER);
	const struct fvpsim_until at = { .size = sizeof at, .cycle = 3000 };
	struct fvpsim_error error;
	char compact[160], *direct, *converted;

	cr_assert(eq(int, fvpsim_trace(m, into("fvpt"), &error), FVPSIM_OK), "%s", error.text);
	snprintf(compact, sizeof compact, "%s", path);
	cr_assert(eq(int, fvpsim_trace(m, into("tarmac"), &error), FVPSIM_OK), "%s", error.text);
	run(m, &at);
	cr_assert(eq(int, fvpsim_end_traces(m, &error), FVPSIM_OK), "%s", error.text);
	direct = contents(path);
	cr_expect(eq(int, fvpsim_convert_trace(compact, "tarmac=-", false, &error), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_convert_trace(path, what, false, &error), FVPSIM_BAD_INPUT));
	cr_expect(eq(int, fvpsim_convert_trace("/no/such/file", what, false, &error), FVPSIM_NO_INPUT));
	cr_assert(eq(int, fvpsim_convert_trace(compact, what, false, &error), FVPSIM_OK), "%s", error.text);
	converted = contents(path);
	cr_expect(gt(u32, lines(direct), 1000));
	cr_expect(eq(int, strcmp(direct, converted), 0));
	free(direct);
	free(converted);
	fvpsim_machine_free(m);
}

Test(inside, a_profile_has_all_cycles_and_changes_none)
{
	struct heard h, other;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER), *plain = make("corstone-300", &other, RUNNER);
	struct fvpsim_error error;
	uint64_t cycles = 0;
	char *text;

	cr_assert(eq(int, fvpsim_profile(m, into("folded"), &error), FVPSIM_OK), "%s", error.text);
	cr_assert(eq(int, fvpsim_profile(m, "lcov=/dev/null", &error), FVPSIM_OK), "%s", error.text);
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_assert(eq(int, fvpsim_end_traces(m, &error), FVPSIM_OK), "%s", error.text);
	cr_expect(eq(int, run(plain, NULL), FVPSIM_STOP_END));
	cr_expect(eq(u64, counts_of(m).cycles, counts_of(plain).cycles));
	text = contents(path);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		cycles += strtoull(strrchr(line, ' '), NULL, 10);
	cr_expect(eq(u64, cycles, counts_of(m).cycles));
	free(text);
	fvpsim_machine_free(m);
	fvpsim_machine_free(plain);
}

Test(inside, tensors_are_written_and_compared)
{
	struct heard h;
	struct fvpsim_error error;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER);
	char index[160];

	cr_assert(eq(int, fvpsim_dump_layers(m, folder, &error), FVPSIM_OK), "%s", error.text);
	cr_expect(eq(int, fvpsim_dump_layers(m, folder, &error), FVPSIM_USAGE), "one folder at a time");
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_assert(eq(int, fvpsim_end_traces(m, &error), FVPSIM_OK), "%s", error.text);
	fvpsim_machine_free(m);
	snprintf(index, sizeof index, "%s/index.json", folder);
	cr_expect(eq(int, access(index, R_OK), 0));
	m = make("corstone-300", &h, RUNNER);
	cr_assert(eq(int, fvpsim_compare_layers(m, folder, &error), FVPSIM_OK), "%s", error.text);
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_expect(eq(int, fvpsim_end_traces(m, &error), FVPSIM_OK), "%s", error.text);
	fvpsim_machine_free(m);
}

Test(inside, a_report_tells_how_it_ended)
{
	struct heard h;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER);
	struct fvpsim_error error;
	char *json;

	cr_assert(eq(int, fvpsim_report(m, &json, &error), FVPSIM_OK), "%s", error.text);
	cr_expect(ne(ptr, strstr(json, "\"reason\": \"NONE\""), NULL), "before the end");
	fvpsim_free(json);
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_assert(eq(int, fvpsim_report(m, &json, &error), FVPSIM_OK), "%s", error.text);
	cr_expect(ne(ptr, strstr(json, "\"reason\": \"EXIT\""), NULL));
	cr_expect(eq(u64, number(json, "cycles"), counts_of(m).cycles));
	cr_expect(eq(u64, number(json, "active_cycles"), counts_of(m).npu_cycles));
	cr_expect(eq(ptr, strstr(json, "\"inferences\""), NULL), "nobody asked for them");
	fvpsim_free(json);
	fvpsim_machine_free(m);
}

Test(inside, a_report_lists_jobs_when_asked)
{
	struct fvpsim_config *c = fvpsim_config_new("corstone-300", NULL);
	struct fvpsim_machine *m;
	struct fvpsim_error error;
	char *json;

	cr_assert(eq(int, fvpsim_config_set(c, "report-jobs", "perhaps", &error), FVPSIM_USAGE));
	cr_assert(eq(int, fvpsim_config_set(c, "report-jobs", "on", &error), FVPSIM_OK));
	cr_assert(eq(int, fvpsim_config_set(c, "report-messages", "on", &error), FVPSIM_OK));
	m = fvpsim_machine_new(c, &error);
	fvpsim_config_free(c);
	cr_assert(eq(int, fvpsim_load(m, RUNNER, &error), FVPSIM_OK));
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_assert(eq(int, fvpsim_report(m, &json, &error), FVPSIM_OK));
	cr_expect(ne(ptr, strstr(json, "\"inferences\""), NULL));
	cr_expect(ne(ptr, strstr(json, "\"messages\": []"), NULL));
	fvpsim_free(json);
	fvpsim_machine_free(m);
}

Test(inside, what_cannot_be_done_is_said)
{
	struct heard h;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER);
	struct fvpsim_error error;

	cr_expect(eq(int, fvpsim_trace(m, "tarmak=/dev/null", &error), FVPSIM_USAGE));
	cr_expect(ne(ptr, strstr(error.text, "kinds:"), NULL), "%s", error.text);
	cr_expect(eq(int, fvpsim_profile(m, "flat", &error), FVPSIM_USAGE), "no standard error");
	cr_expect(ne(ptr, strstr(error.text, "KIND=FILE"), NULL), "%s", error.text);
	cr_expect(eq(int, fvpsim_trace(m, "tarmac=-", &error), FVPSIM_USAGE), "no standard output");
	cr_expect(eq(int, fvpsim_trace(m, "tarmac=/no/such/folder/x", &error), FVPSIM_NO_OUTPUT));
	cr_expect(eq(int, fvpsim_trace(m, "tarmac=" RUNNER, &error), FVPSIM_USAGE), "the program is not written over");
	cr_expect(eq(int, fvpsim_name_operations(m, "/no/such/file", &error), FVPSIM_NO_INPUT));
	cr_expect(eq(int, fvpsim_name_operations(m, RUNNER, &error), FVPSIM_BAD_INPUT));
	for (unsigned i = 0; i < 16; i++)
		cr_expect(eq(int, fvpsim_trace(m, "npu=/dev/null", &error), FVPSIM_OK), "%s", error.text);
	cr_expect(eq(int, fvpsim_trace(m, "npu=/dev/null", &error), FVPSIM_USAGE), "16 are enough");
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	fvpsim_machine_free(m); /* with traces under way */
}

static void *stop_it(void *machine)
{
	usleep(50000);
	fvpsim_stop(machine);
	return NULL;
}

Test(inside, a_machine_that_waits_for_a_debugger_can_be_stopped_and_goes_on)
{
	struct heard h;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER);
	struct fvpsim_error error;
	pthread_t thread;
	int stop;

	snprintf(path, sizeof path, "%s/socket", folder);
	cr_expect(eq(int, fvpsim_debug(m, "-", FVPSIM_DEBUG_WAIT, &stop, &error), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_debug(m, "/no/such/folder/socket", FVPSIM_DEBUG_WAIT, &stop, &error), FVPSIM_USAGE));
	cr_assert(eq(int, fvpsim_add_breakpoint(m, 0x10000000, &error), FVPSIM_OK));
	cr_expect(eq(int, fvpsim_debug(m, path, FVPSIM_DEBUG_WAIT, &stop, &error), FVPSIM_USAGE));
	cr_assert(eq(int, fvpsim_remove_breakpoint(m, 0x10000000, &error), FVPSIM_OK));
	cr_assert(eq(int, pthread_create(&thread, NULL, stop_it, m), 0));
	cr_assert(eq(int, fvpsim_debug(m, path, FVPSIM_DEBUG_WAIT, &stop, &error), FVPSIM_OK), "%s", error.text);
	pthread_join(thread, NULL);
	cr_expect(eq(int, stop, FVPSIM_STOP_ASKED));
	cr_expect(eq(u64, counts_of(m).instructions, 0));
	cr_expect(gt(u32, h.messages, 0), "it told where");
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	fvpsim_machine_free(m);
}
