/* SPDX-License-Identifier: Apache-2.0 */
/* Every part of an operation's work is done once, however threads come and go. */
#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

#include "npu/kernels/team.h"

enum { THREADS = 4, MOST_PARTS = 64 };

struct work {
	u32 done[MOST_PARTS];  /* each written by the one who took the part */
	u32 busy[THREADS];     /* atomic: places are not shared at a time */
	u32 shared_places;     /* atomic */
};

static void do_part(void *ctx, unsigned part, unsigned place)
{
	struct work *w = ctx;

	if (place >= THREADS || __atomic_add_fetch(&w->busy[place], 1, __ATOMIC_RELAXED) != 1)
		__atomic_add_fetch(&w->shared_places, 1, __ATOMIC_RELAXED);
	w->done[part]++;
	if (place < THREADS)
		__atomic_sub_fetch(&w->busy[place], 1, __ATOMIC_RELAXED);
}

static void check_rounds(struct npu_team *t, unsigned rounds)
{
	for (unsigned round = 0; round < rounds; round++) {
		struct work w = { 0 };
		const unsigned parts = 1 + round * 7 % MOST_PARTS;

		npu_team_run(t, parts, do_part, &w);
		for (unsigned part = 0; part < MOST_PARTS; part++)
			cr_assert_eq(w.done[part], part < parts, "round %u, part %u of %u", round, part, parts);
		cr_assert_eq(w.shared_places, 0);
	}
}

Test(team, each_part_once)
{
	struct npu_team *t = npu_team_new(THREADS, NPU_TEAM_PART);

	check_rounds(t, 5000);
	npu_team_free(t);
}

Test(team, alone)
{
	check_rounds(NULL, 100);
	cr_assert_eq(npu_team_parts(NULL, UINT64_MAX), 1);
	cr_assert_eq(npu_team_places(NULL), 1);
}

Test(team, many_come_and_go)
{
	for (unsigned i = 0; i < 200; i++) {
		struct npu_team *t = npu_team_new(1 + i % THREADS, NPU_TEAM_PART);
		check_rounds(t, i % 3);
		npu_team_free(t);
	}
}

/* A process that does little starts no threads. */
static void do_by_caller(void *ctx, unsigned part, unsigned place)
{
	cr_assert_eq(place, 0);
	do_part(ctx, part, place);
}

Test(team, little_work_alone)
{
	struct npu_team *t = npu_team_new(THREADS, NPU_TEAM_PART);
	struct work w = { 0 };

	for (unsigned round = 0; round < 4; round++)
		npu_team_run(t, 4 * THREADS, do_by_caller, &w);
	npu_team_free(t);
}

static void pause_ms(long ms)
{
	const struct timespec t = { .tv_nsec = ms * 1000000 };

	nanosleep(&t, NULL);
}

static void do_slow_part(void *ctx, unsigned part, unsigned place)
{
	if (place > 0)
		pause_ms(2); /* the caller falls asleep */
	do_part(ctx, part, place);
}

/* Members that sleep are woken, and so is the caller. */
Test(team, asleep)
{
	struct npu_team *t = npu_team_new(THREADS, NPU_TEAM_PART);

	for (unsigned round = 0; round < 60; round++) {
		struct work w = { 0 };
		if (round % 3)
			pause_ms(2);
		npu_team_run(t, 2 * THREADS, do_slow_part, &w);
		for (unsigned part = 0; part < 2 * THREADS; part++)
			cr_assert_eq(w.done[part], 1, "round %u, part %u", round, part);
	}
	npu_team_free(t);
}

/* Small work is not shared; large work is, in no more parts than are useful, as many for each thread. */
Test(team, parts)
{
	struct npu_team *t = npu_team_new(THREADS, 1000);

	cr_assert_eq(npu_team_parts(t, 0), 1);
	cr_assert_eq(npu_team_parts(t, 1999), 1);
	cr_assert_eq(npu_team_parts(t, 3999), 3);
	/* from one for each on as many for each */
	for (u64 parts = THREADS; parts <= 4 * THREADS; parts++)
		cr_assert_eq(npu_team_parts(t, 1000 * parts) % THREADS, 0);
	cr_assert_geq(npu_team_parts(t, 1000 * THREADS + 1000), 2 * THREADS);
	cr_assert_eq(npu_team_parts(t, UINT64_MAX), 4 * THREADS);
	cr_assert_eq(npu_team_places(t), THREADS);
	npu_team_free(t);
}

/* Pieces of work for idle threads, each written by the one that took it. */
struct later {
	u32 next, pieces;       /* atomic: next */
	u32 done[50000];
	u32 over;               /* atomic: pieces that have ended */
};

static bool do_piece(void *ctx, unsigned place)
{
	struct later *l = ctx;
	const u32 i = __atomic_fetch_add(&l->next, 1, __ATOMIC_RELAXED);

	if (i >= l->pieces || place >= THREADS)
		return false;
	l->done[i]++;
	__atomic_add_fetch(&l->over, 1, __ATOMIC_RELEASE);
	return true;
}

static bool not_over(void *ctx)
{
	const struct later *l = ctx;

	return __atomic_load_n(&l->over, __ATOMIC_ACQUIRE) < l->pieces;
}

/* Rounds go on beside it, and all of it is done without the caller. */
Test(team, later)
{
	struct npu_team *t = npu_team_new(THREADS, NPU_TEAM_PART);
	static struct later l;

	for (unsigned turn = 0; turn < 50; turn++) {
		l = (struct later){ .pieces = 1000 * turn };
		npu_team_later(t, do_piece, &l);
		check_rounds(t, 20);
		npu_team_wait(t, not_over, &l);
		for (u32 i = 0; i < l.pieces; i++)
			cr_assert_eq(l.done[i], 1, "turn %u, piece %u", turn, i);
		npu_team_later(t, NULL, NULL); /* nobody looks at it any more */
	}
	npu_team_free(t);
}

/* Nobody is in it any more once it has been taken away. */
Test(team, later_taken_away)
{
	struct npu_team *t = npu_team_new(THREADS, NPU_TEAM_PART);
	struct later l[2];

	for (unsigned turn = 0; turn < 100; turn++) {
		memset(l, 0, sizeof l);
		l[0].pieces = l[1].pieces = ARRAY_LEN(l[0].done);
		npu_team_later(t, do_piece, &l[0]);
		npu_team_later(t, turn % 2 ? do_piece : NULL, &l[1]);
		const u32 over = l[0].over;
		check_rounds(t, 3);
		cr_assert_eq(l[0].over, over);
		npu_team_later(t, NULL, NULL);
	}
	npu_team_free(t);
}
