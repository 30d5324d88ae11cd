/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/sched.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

struct log {
	struct sched *sched;
	u64 when[16], argument[16];
	unsigned n;
};

static void record(void *ctx, const struct sched_event *ev)
{
	struct log *l = ctx;

	l->when[l->n] = l->sched->now;
	l->argument[l->n++] = ev->argument;
}

static struct sched s;

Test(sched, events_come_by_time_then_by_order_of_adding)
{
	struct log l = { .sched = &s };

	sched_init(&s);
	const u16 d = sched_attach(&s, record, &l);
	sched_add(&s, d, 0, 30, 1);
	sched_add(&s, d, 0, 10, 2);
	sched_add(&s, d, 0, 30, 3);
	sched_add(&s, d, 0, 20, 4);
	cr_assert(eq(u64, s.next, 10));
	sched_run(&s, 29);
	cr_assert(eq(u64, s.now, 29));
	cr_assert(eq(uint, l.n, 2));
	sched_run(&s, 100);
	const u64 want[] = { 2, 4, 1, 3 };
	for (unsigned i = 0; i < 4; i++)
		cr_expect(eq(u64, l.argument[i], want[i]));
	cr_expect(eq(u64, l.when[3], 30));
	cr_expect(eq(u64, s.next, SCHED_NEVER));
}

Test(sched, cancel_removes_only_that_device_and_kind)
{
	struct log l = { .sched = &s };

	sched_init(&s);
	const u16 a = sched_attach(&s, record, &l), b = sched_attach(&s, record, &l);
	for (unsigned i = 0; i < 5; i++) {
		sched_add(&s, a, 0, 50 - i, 10 + i);
		sched_add(&s, a, 1, 50 - i, 20 + i);
		sched_add(&s, b, 0, 50 - i, 30 + i);
	}
	sched_cancel(&s, a, 0);
	sched_cancel(&s, b, 0);
	sched_run(&s, 60);
	cr_assert(eq(uint, l.n, 5));
	for (unsigned i = 0; i < 5; i++)
		cr_expect(eq(u64, l.argument[i], 24 - i));
}

Test(sched, the_past_means_now)
{
	struct log l = { .sched = &s };

	sched_init(&s);
	const u16 d = sched_attach(&s, record, &l);
	sched_run(&s, 1000);
	sched_add(&s, d, 0, 5, 0);
	cr_assert(eq(u64, s.next, 1000));
	sched_run(&s, 1000);
	cr_assert(eq(u64, l.when[0], 1000));
}

Test(sched, every_clock_of_the_boards_divides_the_tick_rate)
{
	const u64 clocks[] = { 25000000, 32000000, 100000000, 1000000000, 500000000, 32768, 1000000, 100, 1 };

	for (unsigned i = 0; i < sizeof clocks / sizeof clocks[0]; i++)
		cr_expect(gt(u64, sched_period(clocks[i]), 0));
	cr_expect(eq(u64, sched_period(33333333), 5760), "the nearest");
	cr_expect(eq(u64, sched_period(84000000), 2286), "the nearest");
	cr_expect(eq(u64, sched_period(SCHED_TICKS_PER_SECOND), 1));
	cr_expect(eq(u64, sched_period(SCHED_TICKS_PER_SECOND + 1), 0));
	cr_expect(eq(u64, sched_period(0), 0));
}
