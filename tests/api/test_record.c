/* SPDX-License-Identifier: Apache-2.0 */
/* Runs recorded and repeated by the public interface, and by the program. */
#include "rig.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ECHO GUESTS "/echo.elf"

static char folder[] = "/tmp/fvpsim-record-XXXXXX", path[64];

static void make_folder(void)
{
	cr_assert(ne(ptr, mkdtemp(folder), NULL));
	snprintf(path, sizeof path, "%s/run", folder);
}

static void remove_folder(void)
{
	char command[96];

	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_assert(eq(int, system(command), 0));
}

TestSuite(record, .init = make_folder, .fini = remove_folder);

static void begin(struct fvpsim_machine *m)
{
	struct fvpsim_error error;

	cr_assert(eq(int, fvpsim_record_begin(m, &error), FVPSIM_OK), "%s", error.text);
}

static void keep(struct fvpsim_machine *m)
{
	struct fvpsim_error error;

	cr_assert(eq(int, fvpsim_record_write(m, path, &error), FVPSIM_OK), "%s", error.text);
}

static void print(void *ctx, int stream, const void *bytes, size_t count)
{
	struct heard *h = ctx;

	(void)stream;
	cr_assert(lt(sz, h->bytes + count, sizeof h->text));
	memcpy(h->text + h->bytes, bytes, count);
	h->bytes += count;
}

static size_t give(void *ctx, int stream, void *bytes, size_t count)
{
	const char **left = &((struct heard *)ctx)->input;

	(void)stream;
	if (!*left || !**left || !count)
		return 0;
	*(char *)bytes = *(*left)++;
	return 1;
}

/* One that prints to *h and reads h->input. */
static struct fvpsim_machine *talk(struct fvpsim_machine *m, struct heard *h, const char *input)
{
	const struct fvpsim_callbacks callbacks = { .size = sizeof callbacks, .ctx = h, .output = print, .input = give };

	memset(h, 0, sizeof *h);
	h->input = input;
	cr_assert(eq(int, fvpsim_set_callbacks(m, &callbacks, NULL), FVPSIM_OK));
	return m;
}

/* A machine that repeats the record; "engine" of a value, NULL: the usual one. */
static struct fvpsim_machine *repeat(struct heard *h, const char *engine)
{
	struct fvpsim_error error;
	struct fvpsim_config *c = fvpsim_config_replay(path, &error);
	struct fvpsim_machine *m;

	cr_assert(ne(ptr, c, NULL), "%s", error.text);
	if (engine)
		cr_assert(eq(int, fvpsim_config_set(c, "engine", engine, &error), FVPSIM_OK), "%s", error.text);
	m = fvpsim_machine_new(c, &error);
	fvpsim_config_free(c);
	cr_assert(ne(ptr, m, NULL), "%s", error.text);
	return talk(m, h, "this is not read");
}

static void check_same(struct fvpsim_machine *m, struct fvpsim_machine *n)
{
	struct fvpsim_end a = { .size = sizeof a }, b = a;
	struct fvpsim_error error;

	cr_expect(eq(int, fvpsim_replayed(n, &error), FVPSIM_OK), "%s", error.text);
	cr_expect(eq(int, fvpsim_get_end(m, &a, NULL), FVPSIM_OK));
	cr_expect(eq(int, fvpsim_get_end(n, &b, NULL), FVPSIM_OK));
	cr_expect(eq(u32, a.pc, b.pc));
	cr_expect(eq(u64, counts_of(m).cycles, counts_of(n).cycles));
	cr_expect(eq(u64, counts_of(m).instructions, counts_of(n).instructions));
	cr_expect(eq(u64, counts_of(m).npu_cycles, counts_of(n).npu_cycles));
}

Test(record, a_run_comes_again_with_its_input)
{
	static const char *const engines[] = { NULL, "switch", "step" };
	struct heard h, other;
	struct fvpsim_machine *m = talk(make("FVP_Corstone_SSE-300_Ethos-U55", &h, ECHO), &h, "xyz\004");

	begin(m);
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_expect(ne(ptr, strstr(h.text, "echo: xyz"), NULL), "%s", h.text);
	keep(m);
	for (unsigned i = 0; i < 3; i++) {
		struct fvpsim_machine *n = repeat(&other, engines[i]);

		cr_expect(eq(int, run(n, NULL), FVPSIM_STOP_END));
		check_same(m, n);
		cr_expect(eq(str, h.text, other.text));
		fvpsim_machine_free(n);
	}
	fvpsim_machine_free(m);
}

/* The program repeats the library's record, and the library the program's. */
Test(record, records_go_from_the_library_to_the_program_and_back)
{
	struct heard h, other;
	struct fvpsim_machine *m = talk(make("FVP_Corstone_SSE-300_Ethos-U55", &h, ECHO), &h, "xyz\004"), *n;
	struct fvpsim_end end = { .size = sizeof end };
	char command[512], text[4096] = "", status[32];
	FILE *printed;

	begin(m);
	run(m, NULL);
	keep(m);
	fvpsim_get_end(m, &end, NULL);
	snprintf(status, sizeof status, "status %d\n", end.status);
	snprintf(command, sizeof command, "%s --quiet --replay %s 2>&1; echo status $?", FVP_SIM, path);
	printed = popen(command, "r");
	cr_assert(ne(ptr, printed, NULL));
	cr_expect(gt(sz, fread(text, 1, sizeof text - 1, printed), 0));
	pclose(printed);
	cr_expect(ne(ptr, strstr(text, "echo: xyz"), NULL), "%s", text);
	cr_expect(ne(ptr, strstr(text, status), NULL), "%s", text);
	fvpsim_machine_free(m);

	snprintf(command, sizeof command, "printf '' | %s --quiet --elf %s --npu ethos-u55-128 --record %s > %s/printed", FVP_SIM, RUNNER, path, folder);
	cr_assert(eq(int, system(command), 0));
	m = make("corstone-300", &h, RUNNER);
	run(m, NULL);
	n = repeat(&other, NULL);
	cr_expect(eq(int, run(n, NULL), FVPSIM_STOP_END));
	check_same(m, n);
	cr_expect(eq(str, h.text, other.text));
	fvpsim_machine_free(m);
	fvpsim_machine_free(n);
}

/* Where its user stopped a run it ends when it is repeated; on the way it stops wherever it is told. */
Test(record, a_part_of_a_run_comes_again_in_parts)
{
	struct heard h, other;
	const struct fvpsim_until nowhere = { .size = sizeof nowhere, .symbol = "main" };

	for (unsigned i = 0; i < 12; i++) {
		struct fvpsim_machine *m = make("corstone-300", &h, RUNNER), *n;
		struct fvpsim_until at = { .size = sizeof at, .instruction = i * 997 };

		begin(m);
		if (i)
			cr_expect(eq(int, run(m, &at), FVPSIM_STOP_INSTRUCTION));
		keep(m);
		n = repeat(&other, NULL);
		at.instruction /= 2;
		if (i)
			cr_expect(eq(int, run(n, &at), FVPSIM_STOP_INSTRUCTION));
		at = (struct fvpsim_until){ .size = sizeof at, .cycle = counts_of(m).cycles - 1 };
		if (i)
			cr_expect(eq(int, run(n, &at), FVPSIM_STOP_TIME));
		cr_expect(eq(int, run(n, i % 2 ? &nowhere : NULL), FVPSIM_STOP_END), "%u", i);
		cr_expect(eq(int, run(n, NULL), FVPSIM_STOP_END));
		check_same(m, n);
		fvpsim_machine_free(n);
		if (!i)
			cr_expect(eq(int, run(m, &(struct fvpsim_until){ .size = sizeof at, .instruction = 5 }), FVPSIM_STOP_INSTRUCTION));
		else
			cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END), "recording goes on");
		keep(m);
		n = repeat(&other, NULL);
		cr_expect(eq(int, run(n, NULL), FVPSIM_STOP_END));
		check_same(m, n);
		fvpsim_machine_free(n);
		fvpsim_machine_free(m);
	}
}

/* The record ends where it was ended, also between instructions that take one cycle together. */
Test(record, instructions_issued_together_are_told_apart)
{
	struct heard other;

	for (unsigned i = 1; i < 60; i++) {
		struct fvpsim_config *c = fvpsim_config_new("corstone-300", NULL);
		const struct fvpsim_until at = { .size = sizeof at, .instruction = i * 37 };
		struct fvpsim_machine *m, *n;

		cr_assert(eq(int, fvpsim_config_set(c, "cpu-timing", "m55", NULL), FVPSIM_OK));
		cr_assert(eq(int, fvpsim_config_set(c, "cpu-memory", i & 1 ? "ideal" : "u55-high-end", NULL), FVPSIM_OK));
		m = fvpsim_machine_new(c, NULL);
		fvpsim_config_free(c);
		cr_assert(eq(int, fvpsim_load(m, RUNNER, NULL), FVPSIM_OK));
		begin(m);
		cr_expect(eq(int, run(m, &at), FVPSIM_STOP_INSTRUCTION));
		keep(m);
		n = repeat(&other, NULL);
		cr_expect(eq(int, run(n, NULL), FVPSIM_STOP_END));
		check_same(m, n);
		fvpsim_machine_free(n);
		fvpsim_machine_free(m);
	}
}

/* Nothing but the program may change a run that is recorded or repeated. */
static void check_refused(struct fvpsim_machine *m)
{
	const uint64_t value[2] = { 1, 0 };
	struct fvpsim_error error;
	uint32_t word = 0;
	void *state;
	size_t size;

	cr_assert(eq(int, fvpsim_save(m, &state, &size, NULL), FVPSIM_OK));
	cr_expect(eq(int, fvpsim_restore(m, state, size, NULL), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_restore_file(m, "/dev/null", NULL), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_load(m, RUNNER, NULL), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_load_data(m, RUNNER, 0x31000000, NULL), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_start(m, NULL), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_set_register(m, "r0", value, NULL), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_write(m, FVPSIM_RAM, 0x31000000, &word, 4, NULL), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_read(m, FVPSIM_SECURE, 0x31000000, &word, 4, NULL), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_read(m, FVPSIM_RAM, 0x31000000, &word, 4, NULL), FVPSIM_OK));
	cr_expect(eq(int, fvpsim_record_begin(m, &error), FVPSIM_USAGE));
	cr_expect(ne(ptr, strstr(error.text, "recorded or repeated"), NULL), "%s", error.text);
	fvpsim_free(state);
}

Test(record, what_cannot_be_done_is_said)
{
	struct heard h, other;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER), *n;
	struct fvpsim_until at = { .size = sizeof at, .instruction = 10 };
	struct fvpsim_config *c;
	struct fvpsim_error error;
	int stop;

	cr_expect(eq(int, fvpsim_record_write(m, path, &error), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_replayed(m, &error), FVPSIM_USAGE));
	run(m, &at);
	cr_expect(eq(int, fvpsim_record_begin(m, &error), FVPSIM_USAGE));
	cr_expect(ne(ptr, strstr(error.text, "before its first run"), NULL), "%s", error.text);
	fvpsim_machine_free(m);

	m = make("corstone-300", &h, RUNNER);
	begin(m);
	check_refused(m);
	cr_expect(eq(int, fvpsim_debug(m, path, FVPSIM_DEBUG_WAIT, &stop, &error), FVPSIM_USAGE), "no debugger");
	cr_expect(eq(int, fvpsim_record_write(m, "/no/such/folder/run", &error), FVPSIM_NO_OUTPUT));
	run(m, NULL);
	keep(m);
	n = repeat(&other, NULL);
	check_refused(n);
	cr_expect(eq(int, fvpsim_record_write(n, path, &error), FVPSIM_USAGE));
	run(n, &at);
	cr_expect(eq(int, fvpsim_replayed(n, &error), FVPSIM_USAGE), "has not ended");
	run(n, NULL);
	check_same(m, n);
	fvpsim_machine_free(n);
	fvpsim_machine_free(m);

	c = fvpsim_config_replay(path, &error);
	cr_assert(ne(ptr, c, NULL));
	cr_expect(eq(int, fvpsim_config_set(c, "cpu-timing", "m55", &error), FVPSIM_OK));
	cr_expect(eq(ptr, fvpsim_machine_new(c, &error), NULL));
	cr_expect(eq(int, error.kind, FVPSIM_MISFIT));
	fvpsim_config_free(c);
	cr_expect(eq(ptr, fvpsim_config_replay(RUNNER, &error), NULL));
	cr_expect(eq(int, error.kind, FVPSIM_BAD_INPUT), "%s", error.text);
	cr_expect(eq(ptr, fvpsim_config_replay("/no/such/file", &error), NULL));
	cr_expect(eq(int, error.kind, FVPSIM_NO_INPUT), "%s", error.text);
}
