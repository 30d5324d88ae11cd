/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that kernels remember, done again on other data, with other weights, scales and tables at the same places: as the generic
 * path does them. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/exec.h"
#include "npu/kernels/private.h"
#include "npu/kernels/team.h"
#include "npu/u85/u85.h"
#include "tests/kernels/random_op.h"
#include "tests/kernels/random_op85.h"

enum { MOST_LEVELS = 9, TIMES = 6, FILLED = 1 << 18 };

struct bench {
	const struct npu_config *config;
	struct arena arena; /* memory before the operation */
	u8 *expected, *actual;
	struct npu_kernels *kernels[MOST_LEVELS];
	unsigned levels;
	unsigned done, again, refused; /* by the kernels, of these without asking anew; given up by kernels that had remembered */
};

static void bench_open(struct bench *b, const char *accelerator)
{
	const struct npu_simd *simd[MOST_LEVELS];

	*b = (struct bench) {
		.config = npu_config_find(accelerator), .levels = npu_simd_list(simd),
		.arena = { .bytes = calloc(1, ARENA_BYTES), .used = ARENA_BYTES },
		.expected = malloc(ARENA_BYTES), .actual = malloc(ARENA_BYTES),
	};
	for (unsigned l = 0; l < b->levels; l++)
		b->kernels[l] = npu_kernels_new(b->config, simd[l]->name);
	b->kernels[0]->team = npu_team_new(2, 1);
}

static void bench_close(struct bench *b)
{
	for (unsigned l = 0; l < b->levels; l++)
		npu_kernels_free(b->kernels[l]);
	free(b->arena.bytes);
	free(b->expected);
	free(b->actual);
}

/* Other data; now and then other tables, weights or scales as well. */
static void change(struct rng *r, struct bench *b, const struct npu_op *op, const struct npu_view *view)
{
	static u8 streams[NPU_MAX_CORES][2][1 << 20];
	const unsigned what = rng_below(r, 8);

	for (unsigned c = 0; c < op->cores; c++) {
		cr_assert(op->weights[c].length <= sizeof(streams[c][0]) && op->scales[c].length <= sizeof(streams[c][0]));
		if (op->weights[c].length)
			memcpy(streams[c][0], view->weights[c], op->weights[c].length);
		if (op->scales[c].length)
			memcpy(streams[c][1], view->scales[c], op->scales[c].length);
	}
	u8 lut[NPU_LUT_BYTES];
	memcpy(lut, view->lut, sizeof(lut));
	for (size_t i = 0; i < b->arena.used; i++)
		b->arena.bytes[i] = (u8)rng_next(r);
	if (what != 0)
		memcpy((u8 *)view->lut, lut, sizeof(lut));
	for (unsigned c = 0; c < op->cores; c++) {
		if (op->weights[c].length)
			memcpy((u8 *)view->weights[c], streams[c][0], op->weights[c].length);
		if (op->scales[c].length)
			memcpy((u8 *)view->scales[c], streams[c][1], op->scales[c].length);
	}
	const unsigned core = rng_below(r, op->cores ? op->cores : 1);
	if (what == 1 && op->weights[core].length)
		((u8 *)view->weights[core])[rng_below(r, op->weights[core].length)] ^= (u8)(1 + rng_below(r, 255));
	if (what == 2 && op->scales[core].length)
		((u8 *)view->scales[core])[rng_below(r, op->scales[core].length)] ^= (u8)(1 + rng_below(r, 255));
}

static enum npu_exec_status generic(const struct bench *b, const struct npu_op *op, const struct npu_view *view, struct npu85_carry *carry)
{
	struct npu_exec e = { .config = b->config, .op = op, .view = view };

	return op->u85.enabled ? npu85_exec(&e, carry) : npu_exec_op(&e);
}

/* As a job does it. */
static bool execute(struct bench *b, struct npu_kernels *k, const struct npu_op *op, struct npu_again *a, struct npu85_carry *carry)
{
	const bool known = a->run != NULL;

	if (known && npu_kernels_again(k, a)) {
		b->again++;
		return true;
	}
	b->refused += known;
	if (known)
		cr_assert_eq(memcmp(b->actual, b->arena.bytes, b->arena.used), 0, "refused, but wrote");
	npu_again_clear(a);
	return npu_kernels_first(k, op, a, carry);
}

static void repeat(struct rng *r, struct bench *b, const struct npu_op *op, const struct npu_view *view, const char *text)
{
	const struct npu_view slow = view_moved(view, b->arena.bytes, b->expected), fast = view_moved(view, b->arena.bytes, b->actual);
	struct npu_again *a[MOST_LEVELS];
	struct npu85_carry carry = { 0 }, own = { 0 };

	for (unsigned l = 0; l < b->levels; l++)
		a[l] = npu_again_new(&fast);
	for (unsigned i = 0; i < TIMES; i++) {
		if (i > 1)
			change(r, b, op, view);
		memcpy(b->expected, b->arena.bytes, b->arena.used);
		const enum npu_exec_status status = generic(b, op, &slow, &carry);
		for (unsigned l = 0; l < b->levels; l++) {
			memcpy(b->actual, b->arena.bytes, b->arena.used);
			const bool mine = execute(b, b->kernels[l], op, a[l], &own);
			const u8 *right = mine ? b->expected : b->arena.bytes;
			b->done += mine;
			cr_assert(!mine || status == NPU_EXEC_OK, "time %u: %s", i, text);
			cr_assert_eq(memcmp(b->actual, right, b->arena.used), 0, "time %u level %s mine %d again %d: %s", i,
				     npu_kernels_name(b->kernels[l]), mine, a[l]->run != NULL, text);
			cr_assert(!mine || own.flag == carry.flag, "time %u: %s", i, text);
			own.flag = carry.flag;
		}
	}
	for (unsigned l = 0; l < b->levels; l++)
		npu_again_free(a[l]);
	npu85_carry_free(&carry);
	npu85_carry_free(&own);
}

/* `least`: of a hundred operations that the kernels do, so many are done again without asking anew. */
static void run(const char *accelerator, enum npu_kind kind, unsigned rounds, unsigned least)
{
	struct rng r = { 77 + kind };
	struct bench b;
	char text[1024];

	bench_open(&b, accelerator);
	rounds = rounds_of(rounds);
	for (unsigned i = 0; i < rounds; i++) {
		const bool u85 = b.config->product == NPU_U85;
		struct sequence s;
		struct npu_op op;
		struct npu_view view;

		if (u85) {
			b.arena.used = FILLED;
			arena_fill(&b.arena, &r);
			sequence_start(&r, &s, b.config, &b.arena);
			random_op85(&r, &s, kind, false, &op, &view);
		} else {
			random_op(&r, b.config, kind, &b.arena, &op, &view);
		}
		repeat(&r, &b, &op, &view, u85 ? op85_text(&op, text, sizeof text) : op_text(&op, text, sizeof text));
	}
	cr_log_info("%s kind %d: %u done, %u again, %u refused", accelerator, kind, b.done, b.again, b.refused);
	cr_assert(b.again * 100 >= b.done * least, "%s kind %d: only %u of %u", accelerator, kind, b.again, b.done);
	cr_assert(kind != NPU_CONV || b.refused, "weights changed and nobody saw it");
	bench_close(&b);
}

Test(again, convolutions)
{
	run("ethos-u55-128", NPU_CONV, 60, 30);
	run("ethos-u65-512", NPU_CONV, 40, 30);
	run("ethos-u85-512", NPU_CONV, 60, 10);
}

Test(again, depthwise)
{
	run("ethos-u55-128", NPU_DEPTHWISE, 30, 0);
}

Test(again, pools)
{
	run("ethos-u55-128", NPU_POOL, 100, 10);
	run("ethos-u85-512", NPU_POOL, 60, 0);
}

Test(again, elementwise)
{
	run("ethos-u55-128", NPU_ELEMENTWISE, 150, 40);
	run("ethos-u85-512", NPU_ELEMENTWISE, 150, 20);
}
