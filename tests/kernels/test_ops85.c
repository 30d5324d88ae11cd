/* SPDX-License-Identifier: Apache-2.0 */
/* Ethos-U85: every host level against the generic path over random sequences of operations. All of
 * memory and everything that is kept between operations must be equal after each. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/kernels.h"
#include "npu/kernels/private.h"
#include "npu/kernels/simd/simd.h"
#include "npu/kernels/team.h"
#include "npu/u85/u85.h"
#include "tests/kernels/carry85.h"
#include "tests/kernels/model_level.h"
#include "tests/kernels/random_op85.h"

#define MAX_LEVELS 9
#define FILLED_BYTES ((size_t)1 << 19)

/* One way to execute, with its own memory and kept tensors. */
struct side {
	struct npu_kernels *kernels; /* NULL: the generic path */
	u8 *memory;
	struct npu85_carry carry;
};

struct bench {
	const struct npu_config *config;
	struct arena arena;  /* memory before the operation */
	struct side slow, fast[MAX_LEVELS];
	unsigned levels, done, mine;
};

static enum npu_exec_status generic(struct bench *b, struct side *s, const struct npu_op *op,
				    const struct npu_view *view)
{
	struct npu_view v = view_moved(view, b->arena.bytes, s->memory);
	struct npu_exec e = { .config = b->config, .op = op, .view = &v };

	return npu85_exec(&e, &s->carry);
}

/* The operation on every side, from the arena's memory; all must agree. */
static void compare(struct bench *b, u64 seed, const struct npu_op *op, const struct npu_view *view)
{
	char text[1024];
	size_t used = b->arena.used;

	memcpy(b->slow.memory, b->arena.bytes, used);
	cr_assert_eq(generic(b, &b->slow, op, view), NPU_EXEC_OK, "seed %llu: %s", (unsigned long long)seed,
		     op85_text(op, text, sizeof(text)));
	for (unsigned l = 0; l < b->levels; l++) {
		struct side *s = &b->fast[l];
		struct npu_view v = view_moved(view, b->arena.bytes, s->memory);
		memcpy(s->memory, b->arena.bytes, used);
		bool mine = npu85_kernels_execute(s->kernels, op, &v, &s->carry);
		if (!mine) {
			cr_assert_eq(memcmp(s->memory, b->arena.bytes, used), 0, "seed %llu, refused but wrote: %s",
				     (unsigned long long)seed, op85_text(op, text, sizeof(text)));
			generic(b, s, op, view);
		}
		b->done++;
		b->mine += mine;
		if (!mine && getenv("FVPSIM_TEST_REFUSED"))
			printf("refused: %s\n", op85_text(op, text, sizeof(text)));
		cr_assert(memcmp(s->memory, b->slow.memory, used) == 0 && same_carry(&s->carry, &b->slow.carry),
			  "seed %llu level %s mine %d: %s", (unsigned long long)seed, npu_kernels_name(s->kernels), mine,
			  op85_text(op, text, sizeof(text)));
	}
}

/* A job begins: the kernels have the memory of what was kept still, the reference has not. */
static void begin_job(struct bench *b)
{
	for (unsigned l = 0; l < b->levels; l++)
		npu85_carry_forget(&b->fast[l].carry);
	npu85_carry_free(&b->slow.carry);
}

static void sequence(struct bench *b, u64 seed, enum npu_kind kind)
{
	struct rng r = { seed };
	struct sequence s;
	unsigned length = 1 + (rng_below(&r, 2) ? rng_below(&r, 4) : 0);
	bool kept = false;

	if (seed % 2)
		begin_job(b);
	for (unsigned i = 0; i < length; i++) {
		struct npu_op op;
		struct npu_view view;
		b->arena.used = FILLED_BYTES; /* whatever came before: a seed stands for itself */
		arena_fill(&b->arena, &r);
		if (i == 0)
			sequence_start(&r, &s, b->config, &b->arena);
		/* behind the first: what uses accumulators that were kept, else elementwise */
		enum npu_kind next = i == 0 ? kind : kept ? (rng_below(&r, 2) ? NPU_CONV : NPU_POOL) : NPU_ELEMENTWISE;
		random_op85(&r, &s, next, i + 1 < length, &op, &view);
		kept = s.kept;
		compare(b, seed, &op, &view);
	}
}

static void bench_open(struct bench *b, const char *accelerator, const struct npu_simd *const *simd)
{
	b->config = npu_config_find(accelerator);
	for (unsigned l = 0; l < b->levels; l++) {
		b->fast[l].kernels = simd[l] ? npu_kernels_new(b->config, simd[l]->name) : model_level_kernels(b->config);
		b->fast[l].memory = malloc(ARENA_BYTES);
	}
	b->fast[b->levels - 1].kernels->team = npu_team_new(3, 1); /* the best level once more */
}

static void bench_close(struct bench *b)
{
	for (unsigned l = 0; l < b->levels; l++) {
		npu_kernels_free(b->fast[l].kernels);
		npu85_carry_free(&b->fast[l].carry);
		free(b->fast[l].memory);
	}
	npu85_carry_free(&b->slow.carry);
}

static void run(enum npu_kind kind, unsigned rounds, unsigned least_percent)
{
	static const char *const names[] = { "ethos-u85-128", "ethos-u85-512", "ethos-u85-2048" };
	const char *only = getenv("FVPSIM_TEST_SEED");
	const struct npu_simd *simd[MAX_LEVELS];
	struct bench b = { .arena = { .bytes = calloc(1, ARENA_BYTES) } };
	u64 seed = UINT64_C(1000000) * (kind + 1);

	b.slow.memory = malloc(ARENA_BYTES);
	b.levels = npu_simd_list(simd);
	if (npu_simd_find("vnni"))
		simd[b.levels++] = NULL; /* the model */
	simd[b.levels++] = simd[0];
	rounds = rounds_of(rounds);
	for (unsigned n = 0; n < ARRAY_LEN(names); n++) {
		bench_open(&b, names[n], simd);
		for (unsigned i = 0; i < rounds; i++, seed++)
			if (!only || strtoull(only, NULL, 0) == seed)
				sequence(&b, seed, kind);
		bench_close(&b);
	}
	cr_log_info("kind %d: %u of %u by the kernels", kind, b.mine, b.done);
	if (!only) /* else the test compares the generic path with itself */
		cr_assert_geq(b.mine * 100, b.done * least_percent, "only %u of %u", b.mine, b.done);
	free(b.arena.bytes);
	free(b.slow.memory);
}

Test(ops85, convolution)
{
	run(NPU_CONV, 150, 80);
}

Test(ops85, depthwise)
{
	run(NPU_DEPTHWISE, 100, 80);
}

Test(ops85, pool)
{
	run(NPU_POOL, 400, 90);
}

Test(ops85, elementwise)
{
	run(NPU_ELEMENTWISE, 800, 90);
}

Test(ops85, resize)
{
	run(NPU_RESIZE, 100, 90);
}

Test(ops85, tensors_forgotten_are_memory_for_the_next)
{
	static const struct npu85_carry empty;
	const struct npu_fm ofm = { .height = 3, .width = 5, .depth = 32, .bytes = 1 };
	struct npu85_carry c = { .flag = true };

	cr_assert(npu85_tensor_take(&c.chain[2], 3, 5, 32, 1, 1) && npu85_tensor_take(&c.accumulators, 3, 5, 32, 4, 1) &&
		  npu85_tensor_take(&c.spare, 3, 5, 32, 2, 1));
	const u8 *const data[3] = { c.chain[2].data, c.accumulators.data, c.spare.data };
	npu85_carry_forget(&c);
	cr_assert(same_carry(&c, &empty) && !npu85_tensor_fits(&c.chain[2], &ofm) && !npu85_tensor_fits(&c.accumulators, &ofm));
	cr_assert(npu85_tensor_take(&c.chain[2], 5, 3, 32, 1, 0) && npu85_tensor_take(&c.accumulators, 1, 1, 1, 8, 1) &&
		  npu85_tensor_take(&c.spare, 15, 32, 1, 2, 1));
	cr_assert(data[0] == c.chain[2].data && data[1] == c.accumulators.data && data[2] == c.spare.data);
	npu85_carry_free(&c);
}
