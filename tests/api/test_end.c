/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a run explained by the public interface: as the program explains it. */
#include "rig.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct fvpsim_machine *make_guest(const char *path, const char *trail)
{
	struct fvpsim_config *c = fvpsim_config_new("corstone-300", NULL);
	struct fvpsim_error error;
	struct fvpsim_machine *m;

	cr_assert(eq(int, fvpsim_config_set(c, "trail", trail, &error), FVPSIM_OK), "%s", error.text);
	m = fvpsim_machine_new(c, &error);
	fvpsim_config_free(c);
	cr_assert(eq(int, fvpsim_load(m, path, &error), FVPSIM_OK), "%s", error.text);
	return m;
}

static char *explain(struct fvpsim_machine *m)
{
	struct fvpsim_error error;
	char *text;

	cr_assert(eq(int, fvpsim_explain(m, &text, &error), FVPSIM_OK), "%s", error.text);
	return text;
}

/* What the program prints of it, without "fvp-sim: ". */
static void printed(const char *guest, char *text, size_t size)
{
	char command[512];
	FILE *p;
	size_t n;

	snprintf(command, sizeof command, "%s --quiet --elf %s/%s.elf 2>&1 >/dev/null </dev/null | grep -v ' \\[[A-Z]*[0-9]*\\]$' | sed 's/^fvp-sim: //'",
		 FVP_SIM, GUESTS, guest);
	p = popen(command, "r");
	cr_assert(ne(ptr, p, NULL));
	n = fread(text, 1, size - 1, p);
	text[n] = 0;
	pclose(p);
}

Test(end, is_explained_as_the_program_does)
{
	static const char *const guests[] = { "fault", "lockup", "spin", "sleep", "recurse", "exit" };
	static char theirs[32768];

	for (unsigned i = 0; i < sizeof guests / sizeof *guests; i++) {
		struct fvpsim_counts counts;
		struct fvpsim_machine *m;
		char path[256], *text, *again;

		snprintf(path, sizeof path, "%s/%s.elf", GUESTS, guests[i]);
		m = make_guest(path, "on");
		cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
		counts = counts_of(m);
		printed(guests[i], theirs, sizeof theirs);
		text = explain(m);
		cr_expect(eq(str, text, theirs), "%s", guests[i]);
		again = explain(m);
		cr_expect(eq(str, text, again), "%s: it can be had twice", guests[i]);
		cr_expect(eq(u64, counts_of(m).instructions, counts.instructions), "and changes nothing");
		cr_expect(eq(u64, counts_of(m).cycles, counts.cycles));
		fvpsim_free(text);
		fvpsim_free(again);
		fvpsim_machine_free(m);
	}
}

Test(end, a_run_that_has_not_begun_has_no_fault)
{
	struct fvpsim_machine *m = make_guest(GUESTS "/exit.elf", "on");
	struct fvpsim_end end = { .size = sizeof end };
	char *text = explain(m);

	cr_expect(eq(int, fvpsim_get_end(m, &end, NULL), FVPSIM_OK));
	cr_expect(eq(str, (char *)end.reason, "NONE"));
	cr_expect(eq(str, end.fault, ""));
	cr_expect(eq(ptr, strstr(text, "fault"), NULL), "%s", text);
	fvpsim_free(text);
	fvpsim_machine_free(m);
}

Test(end, branches_are_known_where_they_were_asked_for)
{
	struct fvpsim_machine *m = make_guest(GUESTS "/fault.elf", "off");
	char *text, *json;

	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	text = explain(m);
	cr_expect(ne(ptr, strstr(text, "stopped at"), NULL), "%s", text);
	cr_expect(eq(ptr, strstr(text, "last branches"), NULL), "%s", text);
	fvpsim_free(text);
	fvpsim_machine_free(m);
	m = make_guest(GUESTS "/fault.elf", "on");
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_assert(eq(int, fvpsim_report(m, &json, NULL), FVPSIM_OK));
	cr_expect(ne(ptr, strstr(json, "\"from_place\""), NULL));
	fvpsim_free(json);
	fvpsim_machine_free(m);
}

static void count(void *ctx, int stream, const void *bytes, size_t n)
{
	(void)bytes;
	((size_t *)ctx)[stream] += n;
}

/* The last stretch is run again for the branches: what it printed does not come again. */
Test(end, nothing_is_printed_twice)
{
	size_t printed_bytes[16] = { 0 }, before[16];
	const struct fvpsim_callbacks callbacks = { .size = sizeof callbacks, .ctx = printed_bytes, .output = count };
	struct fvpsim_machine *m = make_guest(GUESTS "/itm.elf", "off");
	struct fvpsim_until at = { .size = sizeof at };
	char path[] = "/tmp/fvpsim-end-XXXXXX", *text;
	struct fvpsim_config *c;

	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	at.cycle = counts_of(m).cycles - 1;
	fvpsim_machine_free(m);
	m = make_guest(GUESTS "/itm.elf", "off");
	close(mkstemp(path));
	cr_assert(eq(int, fvpsim_record_begin(m, NULL), FVPSIM_OK));
	cr_expect(eq(int, run(m, &at), FVPSIM_STOP_TIME));
	cr_assert(eq(int, fvpsim_record_write(m, path, NULL), FVPSIM_OK));
	fvpsim_machine_free(m);
	c = fvpsim_config_replay(path, NULL);
	cr_assert(eq(int, fvpsim_config_set(c, "trail", "on", NULL), FVPSIM_OK));
	m = fvpsim_machine_new(c, NULL);
	fvpsim_config_free(c);
	cr_assert(eq(int, fvpsim_set_callbacks(m, &callbacks, NULL), FVPSIM_OK));
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_expect(gt(sz, printed_bytes[FVPSIM_ITM], 0));
	memcpy(before, printed_bytes, sizeof before);
	text = explain(m);
	cr_expect(ne(ptr, strstr(text, "last branches"), NULL), "%s", text);
	cr_expect(eq(int, memcmp(before, printed_bytes, sizeof before), 0));
	fvpsim_free(text);
	fvpsim_machine_free(m);
	unlink(path);
}

static const char *reason_of(struct fvpsim_machine *m, int status)
{
	struct fvpsim_end end = { .size = sizeof end };

	cr_assert(eq(int, fvpsim_get_end(m, &end, NULL), FVPSIM_OK));
	cr_expect(eq(int, end.status, status));
	return end.reason;
}

static struct fvpsim_machine *make_limited(const char *path, const char *name, const char *value)
{
	struct fvpsim_config *c = fvpsim_config_new("corstone-300", NULL);
	struct fvpsim_error error;
	struct fvpsim_machine *m;

	cr_assert(eq(int, fvpsim_config_set(c, name, value, &error), FVPSIM_OK), "%s", error.text);
	cr_expect(eq(int, fvpsim_config_set(c, name, "soon", &error), FVPSIM_USAGE));
	m = fvpsim_machine_new(c, &error);
	fvpsim_config_free(c);
	cr_assert(eq(int, fvpsim_load(m, path, &error), FVPSIM_OK), "%s", error.text);
	return m;
}

Test(end, limits_of_simulated_time_end_the_program)
{
	struct fvpsim_machine *m = make_limited(RUNNER, "cyclelimit", "5000");
	struct fvpsim_until at = { .size = sizeof at, .cycle = 4000 };

	cr_expect(eq(int, run(m, &at), FVPSIM_STOP_TIME));
	at.cycle = 6000;
	cr_expect(eq(int, run(m, &at), FVPSIM_STOP_END));
	cr_expect(eq(str, (char *)reason_of(m, 124), "CYCLE_LIMIT"));
	cr_expect(eq(u64, counts_of(m).cycles, 5000));
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	fvpsim_machine_free(m);
	m = make_limited(RUNNER, "simlimit", "0.0001");
	at.cycle = 100;
	cr_expect(eq(int, run(m, &at), FVPSIM_STOP_TIME));
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_expect(eq(str, (char *)reason_of(m, 124), "SIM_LIMIT"));
	cr_expect(eq(u64, counts_of(m).ticks, fvpsim_ticks_per_second() / 10000));
	fvpsim_machine_free(m);
}

static void *end_it(void *m)
{
	usleep(100000);
	fvpsim_end_run(m, FVPSIM_REASON_CPU_LIMIT);
	fvpsim_end_run(m, FVPSIM_REASON_INTERRUPTED);
	return NULL;
}

/* A program that would run for ever ends with the first reason, and so does its replay, at the same instruction. */
Test(end, the_host_ends_a_program)
{
	struct fvpsim_machine *m = make_guest(GUESTS "/count.elf", "on"), *n;
	char path[] = "/tmp/fvpsim-end-XXXXXX", *text;
	struct fvpsim_config *c;
	pthread_t thread;

	close(mkstemp(path));
	cr_assert(eq(int, fvpsim_record_begin(m, NULL), FVPSIM_OK));
	cr_assert(eq(int, pthread_create(&thread, NULL, end_it, m), 0));
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	pthread_join(thread, NULL);
	cr_expect(eq(str, (char *)reason_of(m, 124), "CPU_LIMIT"));
	text = explain(m);
	cr_expect(ne(ptr, strstr(text, "limit of host CPU time"), NULL), "%s", text);
	fvpsim_free(text);
	cr_assert(eq(int, fvpsim_record_write(m, path, NULL), FVPSIM_OK));
	c = fvpsim_config_replay(path, NULL);
	n = fvpsim_machine_new(c, NULL);
	fvpsim_config_free(c);
	cr_expect(eq(int, run(n, NULL), FVPSIM_STOP_END));
	cr_expect(eq(int, fvpsim_replayed(n, NULL), FVPSIM_OK));
	cr_expect(eq(str, (char *)reason_of(n, 124), "CPU_LIMIT"));
	cr_expect(eq(u64, counts_of(m).instructions, counts_of(n).instructions));
	fvpsim_machine_free(n);
	fvpsim_machine_free(m);
	m = make_guest(GUESTS "/exit.elf", "off");
	fvpsim_end_run(m, -1);
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_expect(eq(str, (char *)reason_of(m, 130), "INTERRUPTED"), "before it ran");
	cr_expect(eq(u64, counts_of(m).instructions, 0));
	fvpsim_machine_free(m);
	unlink(path);
}

/* Stops, restores, writes and a debugger's past do not get into each other's way. */
Test(end, a_trail_goes_with_all_else)
{
	struct fvpsim_machine *m = make_guest(RUNNER, "on"), *plain = make_guest(RUNNER, "off");
	struct fvpsim_until at = { .size = sizeof at, .instruction = 3000 };
	uint64_t value[2];
	void *state;
	size_t size;
	char *text;

	cr_expect(eq(int, run(m, &at), FVPSIM_STOP_INSTRUCTION));
	text = explain(m);
	cr_expect(eq(int, strncmp(text, "still running\n", 14), 0), "%s", text);
	fvpsim_free(text);
	cr_assert(eq(int, fvpsim_save(m, &state, &size, NULL), FVPSIM_OK));
	at.instruction = 4000;
	cr_expect(eq(int, run(m, &at), FVPSIM_STOP_INSTRUCTION));
	cr_assert(eq(int, fvpsim_get_register(m, "r0", value, NULL), FVPSIM_OK));
	cr_assert(eq(int, fvpsim_set_register(m, "r0", value, NULL), FVPSIM_OK));
	fvpsim_free(explain(m));
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_expect(eq(int, run(plain, NULL), FVPSIM_STOP_END));
	cr_expect(eq(u64, counts_of(m).cycles, counts_of(plain).cycles));
	text = explain(m);
	cr_expect(eq(str, text, ""), "it ended itself");
	fvpsim_free(text);
	cr_assert(eq(int, fvpsim_restore(m, state, size, NULL), FVPSIM_OK));
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_expect(eq(u64, counts_of(m).cycles, counts_of(plain).cycles));
	fvpsim_free(state);
	fvpsim_machine_free(m);
	fvpsim_machine_free(plain);
}
