/* SPDX-License-Identifier: Apache-2.0 */
/* Weights that threads decode ahead are those that one thread decodes when it needs them, also when bytes change after they
 * were expected, and when nobody waits for the threads. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/kept/ahead.h"
#include "npu/kernels/conv/mac.h"
#include "npu/kernels/team.h"
#include "tests/kernels/own_op.h"

enum { THREADS = 3, JOB = 8 };

/* The guest writes to weights that were expected otherwise. */
static void change(struct rng *r, const struct own_op *e)
{
	const unsigned core = rng_below(r, e->op.cores ? e->op.cores : 1);

	if (rng_below(r, 3) == 0 && e->op.weights[core].length)
		rng_change(r, (u8 *)e->view.weights[core], e->op.weights[core].length);
}

static void same(const struct npu_packed *a, const struct npu_packed *b, const char *accelerator, unsigned round)
{
	cr_assert_eq(!a, !b, "%s round %u: one cannot be decoded", accelerator, round);
	if (!a)
		return;
	const size_t groups = (a->key.shape.od + NPU_GROUP - 1) / NPU_GROUP;
	cr_assert_eq(__atomic_load_n(&b->state, __ATOMIC_RELAXED), NPU_PACKED_READY);
	cr_assert(a->row == b->row && a->group_step == b->group_step && a->wide == b->wide, "%s round %u", accelerator, round);
	cr_assert(a->max_weight == b->max_weight && a->max_magnitude == b->max_magnitude, "%s round %u", accelerator, round);
	cr_assert_eq(memcmp(a->weights, b->weights, groups * a->group_step * (a->key.taps == 4 ? 1 : 2)), 0, "%s round %u: weights",
		     accelerator, round);
	cr_assert_eq(memcmp(a->sum, b->sum, groups * NPU_GROUP * sizeof(*a->sum)), 0, "%s round %u: sums", accelerator, round);
}

static unsigned job(struct rng *r, struct npu_kernels *alone, struct npu_kernels *team, struct arena *arena, unsigned round)
{
	struct own_op e[JOB];
	const unsigned ends_at = rng_below(r, 4) ? JOB : rng_below(r, JOB);
	unsigned decoded = 0;

	for (unsigned i = 0; i < JOB; i++) {
		own_op_draw(r, alone->config, arena, &e[i]);
		npu_kernels_expect(team, &e[i].op, &e[i].view);
	}
	npu_kernels_decode_ahead(team);
	for (unsigned i = 0; i < JOB; i++) {
		const unsigned taps = e[i].op.u85.weights_ifm2 ? 0 : npu_mac_taps(alone, &e[i].op);
		if (i == ends_at)
			npu_kernels_job_over(team);
		change(r, &e[i]);
		if (!taps)
			continue;
		const struct npu_packed *a = npu_pack(&alone->packer, &e[i].op, &e[i].view, taps);
		same(a, npu_pack(&team->packer, &e[i].op, &e[i].view, taps), alone->config->name, round);
		decoded += a != NULL;
	}
	npu_kernels_job_over(team);
	for (unsigned i = 0; i < JOB; i++)
		free(e[i].memory);
	return decoded;
}

static void jobs(const char *accelerator, u64 seed)
{
	const struct npu_config *config = npu_config_find(accelerator);
	struct npu_kernels *alone = npu_kernels_new(config, NULL), *team = npu_kernels_new(config, NULL);
	struct arena arena = { .bytes = malloc(ARENA_BYTES), .used = ARENA_BYTES };
	struct rng r = { seed };
	unsigned decoded = 0;
	const unsigned rounds = rounds_of(25);

	team->team = npu_team_new(THREADS, NPU_TEAM_PART);
	team->packer.ahead = npu_ahead_new(&team->packer, team->team, 1);
	for (unsigned i = 0; i < rounds; i++)
		decoded += job(&r, alone, team, &arena, i);
	cr_assert_gt(decoded, rounds * JOB / 4, "%s: only %u sets decoded", accelerator, decoded);
	npu_kernels_free(alone);
	npu_kernels_free(team);
	free(arena.bytes);
}

Test(ahead, same_as_alone)
{
	jobs("ethos-u55-128", 1);
	jobs("ethos-u65-512", 2);
	jobs("ethos-u85-256", 3);
	jobs("ethos-u85-2048", 4);
}

/* Streams in memory that never changes, with slack behind them. */
static void make_constant(struct own_op *e, u8 *copy[NPU_MAX_CORES])
{
	for (unsigned core = 0; core < NPU_MAX_CORES; core++) {
		const u32 bytes = e->op.weights[core].length;
		copy[core] = bytes ? calloc(1, bytes + NPU_WEIGHTS_SLACK) : NULL;
		if (!bytes)
			continue;
		memcpy(copy[core], e->view.weights[core], bytes);
		e->view.weights[core] = copy[core];
		e->view.constant[core] = bytes + NPU_WEIGHTS_SLACK;
	}
}

/* Nobody finds the weights of an operation that was given up while they were decoded. */
static void given_up(const char *accelerator, u64 seed)
{
	const struct npu_config *config = npu_config_find(accelerator);
	struct npu_kernels *alone = npu_kernels_new(config, NULL), *stopped = npu_kernels_new(config, NULL);
	struct arena arena = { .bytes = malloc(ARENA_BYTES), .used = ARENA_BYTES };
	struct rng r = { seed };
	const unsigned rounds = rounds_of(60);

	for (unsigned i = 0; i < rounds; i++) {
		struct own_op e;
		u8 *copy[NPU_MAX_CORES];
		int stop = 1;
		own_op_draw(&r, config, &arena, &e);
		make_constant(&e, copy);
		const unsigned taps = e.op.u85.weights_ifm2 ? 0 : npu_mac_taps(alone, &e.op);
		if (taps) {
			e.view.stop = &stop;
			(void)npu_pack(&stopped->packer, &e.op, &e.view, taps);
			stop = 0;
			const struct npu_packed *a = npu_pack(&alone->packer, &e.op, &e.view, taps);
			same(a, npu_pack(&stopped->packer, &e.op, &e.view, taps), accelerator, i);
		}
		npu_kernels_free(alone);
		npu_kernels_free(stopped); /* the memory that never changes goes with them */
		alone = npu_kernels_new(config, NULL);
		stopped = npu_kernels_new(config, NULL);
		for (unsigned core = 0; core < NPU_MAX_CORES; core++)
			free(copy[core]);
		free(e.memory);
	}
	npu_kernels_free(alone);
	npu_kernels_free(stopped);
	free(arena.bytes);
}

Test(ahead, given_up)
{
	given_up("ethos-u55-128", 6);
	given_up("ethos-u65-512", 7);
	given_up("ethos-u85-256", 8);
	given_up("ethos-u85-1024", 9);
}

/* Gone while threads are at work. */
Test(ahead, freed_under_way)
{
	struct arena arena = { .bytes = malloc(ARENA_BYTES), .used = ARENA_BYTES };
	struct rng r = { 5 };

	for (unsigned i = 0; i < 20; i++) {
		struct npu_kernels *k = npu_kernels_new(npu_config_find("ethos-u55-256"), NULL);
		struct own_op e[JOB];
		k->team = npu_team_new(THREADS, NPU_TEAM_PART);
		k->packer.ahead = npu_ahead_new(&k->packer, k->team, 1);
		for (unsigned j = 0; j < JOB; j++) {
			own_op_draw(&r, k->config, &arena, &e[j]);
			npu_kernels_expect(k, &e[j].op, &e[j].view);
		}
		npu_kernels_decode_ahead(k);
		npu_kernels_free(k);
		for (unsigned j = 0; j < JOB; j++)
			free(e[j].memory);
	}
	free(arena.bytes);
}
