/* SPDX-License-Identifier: Apache-2.0 */
/* Machines in numbers: side by side, on threads, one after the other. */
#include "rig.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Address space and memory grow with what programs touch. */
Test(many, many_machines_live_side_by_side)
{
	static struct fvpsim_machine *m[64];
	static struct heard h[64];
	struct fvpsim_until at = { .size = sizeof at, .cycle = 2000 };

	for (unsigned i = 0; i < 64; i++)
		m[i] = make(i % 2 ? "corstone-300" : "corstone-320", &h[i], i % 2 ? RUNNER : NULL);
	for (unsigned i = 1; i < 64; i += 2)
		cr_expect(eq(int, run(m[i], &at), FVPSIM_STOP_TIME));
	for (unsigned i = 1; i < 64; i += 2)
		cr_expect(eq(int, run(m[i], NULL), FVPSIM_STOP_END));
	for (unsigned i = 3; i < 64; i += 2) {
		cr_expect(eq(u64, counts_of(m[i]).cycles, counts_of(m[1]).cycles));
		cr_expect(eq(str, h[i].text, h[1].text));
	}
	for (unsigned i = 0; i < 64; i++)
		fvpsim_machine_free(m[i]);
}

enum { THREADS = 4 };

/* What one thread's run gave: no test's assertions off the main thread. */
struct threaded {
	pthread_t thread;
	struct heard heard;
	struct fvpsim_machine *machine;
	struct fvpsim_counts counts;
	int kind, stop;
};

static void *run_threaded(void *arg)
{
	struct threaded *t = arg;

	t->counts.size = sizeof t->counts;
	t->kind = fvpsim_run(t->machine, NULL, &t->stop, NULL);
	if (t->kind == FVPSIM_OK)
		t->kind = fvpsim_get_counts(t->machine, &t->counts, NULL);
	return NULL;
}

Test(many, machines_run_on_threads_of_their_own)
{
	struct threaded t[THREADS] = { 0 };

	for (unsigned i = 0; i < THREADS; i++)
		t[i].machine = make("corstone-300", &t[i].heard, RUNNER);
	for (unsigned i = 1; i < THREADS; i++)
		cr_assert(eq(int, pthread_create(&t[i].thread, NULL, run_threaded, &t[i]), 0));
	for (unsigned i = 1; i < THREADS; i++)
		pthread_join(t[i].thread, NULL);
	run_threaded(&t[0]); /* alone */
	cr_assert(gt(u64, t[0].counts.cycles, 0));
	for (unsigned i = 0; i < THREADS; i++) {
		cr_expect(eq(int, t[i].kind, FVPSIM_OK));
		cr_expect(eq(int, t[i].stop, FVPSIM_STOP_END));
		cr_expect(eq(u64, t[i].counts.cycles, t[0].counts.cycles));
		cr_expect(eq(u64, t[i].counts.instructions, t[0].counts.instructions));
		cr_expect(eq(u64, t[i].counts.npu_cycles, t[0].counts.npu_cycles));
		cr_expect(eq(sz, t[i].heard.bytes, t[0].heard.bytes));
		cr_expect(eq(int, memcmp(t[i].heard.text, t[0].heard.text, t[0].heard.bytes), 0));
		fvpsim_machine_free(t[i].machine);
	}
}

static size_t mapped_pages(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	size_t pages = 0;

	cr_assert(eq(int, fscanf(f, "%zu", &pages), 1));
	fclose(f);
	return pages;
}

Test(many, a_thousand_machines_come_and_go)
{
	struct fvpsim_config *c = fvpsim_config_new("corstone-300", NULL);
	size_t before = 0;

	for (unsigned i = 0; i < 1000; i++) {
		struct fvpsim_machine *m = fvpsim_machine_new(c, NULL);

		cr_assert(ne(ptr, m, NULL), "machine %u", i);
		if (i % 100 == 0)
			cr_expect(eq(int, fvpsim_load(m, RUNNER, NULL), FVPSIM_OK));
		fvpsim_machine_free(m);
		if (i == 100)
			before = mapped_pages();
	}
	cr_expect(lt(u64, mapped_pages(), before + 4096), "nothing is left behind");
	fvpsim_config_free(c);
}
