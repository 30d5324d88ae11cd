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
#include "tests/kernels/carry85.h"
#include "tests/kernels/model_level.h"
#include "tests/kernels/random_op.h"
#include "tests/kernels/random_op85.h"
#include "tests/kernels/scarce.h"

enum { MOST_LEVELS = 9, TIMES = 6, MOST_CHAINED = 4, FILLED = 1 << 18 };

struct bench {
	const struct npu_config *config;
	struct arena arena; /* memory before the operation */
	u8 *expected, *actual;
	struct npu_kernels *kernels[MOST_LEVELS];
	unsigned levels;
	struct rng *scarce; /* says when memory for what is remembered is short; NULL: never */
	unsigned done, again, refused; /* by the kernels, of these without asking anew; given up by kernels that had remembered */
};

static void bench_open(struct bench *b, const char *accelerator)
{
	const struct npu_simd *simd[MOST_LEVELS];

	*b = (struct bench) {
		.config = npu_config_find(accelerator), .levels = npu_simd_list(simd),
		.arena = { .bytes = calloc(1, ARENA_BYTES), .used = ARENA_BYTES / 2 },
		.expected = malloc(ARENA_BYTES), .actual = malloc(ARENA_BYTES),
	};
	for (unsigned l = 0; l < b->levels; l++)
		b->kernels[l] = npu_kernels_new(b->config, simd[l]->name);
	b->kernels[0]->team = npu_team_new(2, 1);
	b->kernels[b->levels] = model_level_kernels(b->config);
	b->levels += b->kernels[b->levels] != NULL;
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
		rng_change(r, (u8 *)view->weights[core], op->weights[core].length);
	if (what == 2 && op->scales[core].length)
		rng_change(r, (u8 *)view->scales[core], op->scales[core].length);
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
	scarce(b->scarce ? rng_below(b->scarce, NPU_AGAIN_ROOMS + 1) : 0);
	const bool mine = npu_kernels_first(k, op, a, carry);
	scarce(0);
	return mine;
}

/* One operation of a sequence, and the memory before it. */
struct known {
	struct npu_op op;
	struct npu_view view;
	u8 *memory;
	size_t used;
	struct npu_again *again[MOST_LEVELS];
	char text[1024];
};

static void once(struct bench *b, struct known *k, struct npu85_carry carry[MOST_LEVELS + 1], unsigned time)
{
	const struct npu_view slow = view_moved(&k->view, b->arena.bytes, b->expected), fast = view_moved(&k->view, b->arena.bytes, b->actual);

	memcpy(b->expected, b->arena.bytes, b->arena.used);
	const enum npu_exec_status status = generic(b, &k->op, &slow, &carry[MOST_LEVELS]);
	for (unsigned l = 0; l < b->levels; l++) {
		if (!k->again[l])
			k->again[l] = npu_again_new(&fast);
		memcpy(b->actual, b->arena.bytes, b->arena.used);
		const bool mine = execute(b, b->kernels[l], &k->op, k->again[l], &carry[l]);
		b->done += mine;
		cr_assert(!mine || status == NPU_EXEC_OK, "time %u: %s", time, k->text);
		if (!mine) {
			cr_assert_eq(memcmp(b->actual, b->arena.bytes, b->arena.used), 0, "time %u, refused but wrote: %s", time, k->text);
			generic(b, &k->op, &fast, &carry[l]);
		}
		cr_assert(memcmp(b->actual, b->expected, b->arena.used) == 0 && same_carry(&carry[l], &carry[MOST_LEVELS]),
			  "time %u level %s mine %d again %d: %s", time, npu_kernels_name(b->kernels[l]), mine, k->again[l]->run != NULL,
			  k->text);
	}
}

/* A sequence from beginning to end, with other data each time. */
static void repeat(struct rng *r, struct bench *b, struct known *known, unsigned count)
{
	struct npu85_carry carry[MOST_LEVELS + 1] = { 0 };

	for (unsigned time = 0; time < TIMES; time++)
		for (unsigned i = 0; i < count; i++) {
			struct known *k = &known[i];
			b->arena.used = k->used;
			memcpy(b->arena.bytes, k->memory, k->used);
			if (time > 1)
				change(r, b, &k->op, &k->view);
			memcpy(k->memory, b->arena.bytes, k->used);
			once(b, k, carry, time);
		}
	for (unsigned i = 0; i < count; i++) {
		for (unsigned l = 0; l < b->levels; l++)
			npu_again_free(known[i].again[l]);
		free(known[i].memory);
	}
	for (unsigned l = 0; l <= MOST_LEVELS; l++)
		npu85_carry_free(&carry[l]);
}

static void remember(const struct bench *b, struct known *k)
{
	k->used = b->arena.used;
	k->memory = malloc(k->used);
	memcpy(k->memory, b->arena.bytes, k->used);
}

/* A chain of operations, or one. Returns how many. */
static unsigned sequence85(struct rng *r, struct bench *b, enum npu_kind kind, struct known *known)
{
	const unsigned length = 1 + (rng_below(r, 2) ? rng_below(r, MOST_CHAINED) : 0);
	struct sequence s;
	bool kept = false;

	for (unsigned i = 0; i < length; i++) {
		struct known *k = &known[i];
		*k = (struct known){ 0 };
		b->arena.used = FILLED;
		arena_fill(&b->arena, r);
		if (i == 0)
			sequence_start(r, &s, b->config, &b->arena);
		const enum npu_kind next = i == 0 ? kind : kept ? NPU_CONV : NPU_ELEMENTWISE;
		random_op85(r, &s, next, i + 1 < length, &k->op, &k->view);
		kept = s.kept;
		op85_text(&k->op, k->text, sizeof k->text);
		remember(b, k);
	}
	return length;
}

/* `least`: of a hundred operations that the kernels do, so many are done again without asking anew. Whatever the compiler, the same are drawn; most
 * bounds are three standard deviations below the share of six times the rounds, so that they hold for other draws, too. */
static void run_with(struct rng *short_of, const char *accelerator, enum npu_kind kind, unsigned rounds, unsigned least)
{
	struct rng r = { 77 + kind };
	struct bench b;

	bench_open(&b, accelerator);
	b.scarce = short_of;
	rounds = rounds_of(rounds);
	for (unsigned i = 0; i < rounds; i++) {
		static struct known known[MOST_CHAINED];
		unsigned count = 1;

		if (b.config->product == NPU_U85) {
			count = sequence85(&r, &b, kind, known);
		} else {
			*known = (struct known){ 0 };
			random_op(&r, b.config, kind, &b.arena, &known->op, &known->view);
			op_text(&known->op, known->text, sizeof known->text);
			remember(&b, known);
		}
		repeat(&r, &b, known, count);
	}
	cr_log_info("%s kind %d: %u done, %u again, %u refused", accelerator, kind, b.done, b.again, b.refused);
	cr_assert(b.again * 100 >= b.done * least, "%s kind %d: only %u of %u", accelerator, kind, b.again, b.done);
	cr_assert(kind != NPU_CONV || b.refused, "weights changed and nobody saw it");
	bench_close(&b);
}

static void run(const char *accelerator, enum npu_kind kind, unsigned rounds, unsigned least)
{
	run_with(NULL, accelerator, kind, rounds, least);
}

Test(again, convolutions)
{
	run("ethos-u55-128", NPU_CONV, 60, 30);
	run("ethos-u65-512", NPU_CONV, 40, 30);
	run("ethos-u85-512", NPU_CONV, 60, 20);
}

Test(again, depthwise)
{
	run("ethos-u55-128", NPU_DEPTHWISE, 60, 20);
	run("ethos-u65-512", NPU_DEPTHWISE, 30, 20);
	run("ethos-u85-512", NPU_DEPTHWISE, 40, 14);
}

/* Accumulators for an operation to go on from, which are there now and then; `what`: 0 none, 1 of another size. */
static void keep_accumulators(struct rng *r, const struct npu_op *op, unsigned what, struct npu85_tensor *t)
{
	const struct npu_fm *ofm = &op->ofm;

	npu85_tensor_forget(t);
	if (what == 0)
		return;
	cr_assert(npu85_tensor_take(t, ofm->height + (what == 1), ofm->width, ofm->depth, op->u85.acc48 ? 8 : 4, 1));
	memset(t->data, 0, (size_t)t->height * t->width * t->depth * t->bytes);
	for (size_t i = 0; i < (size_t)t->height * t->width * t->depth; i++)
		t->data[i * t->bytes] = (u8)rng_next(r);
}

/* What went on from nothing finds accumulators, or the other way round. */
static void go_on(struct rng *r, struct bench *b, struct known *k)
{
	struct npu85_carry carry[MOST_LEVELS + 1] = { 0 };

	for (unsigned time = 0; time < TIMES; time++) {
		const unsigned what = time < 3 ? time % 2 : rng_below(r, 3);
		const u64 seed = rng_next(r);
		for (unsigned l = 0; l <= MOST_LEVELS; l++)
			keep_accumulators(&(struct rng){ seed }, &k->op, what, &carry[l].accumulators);
		once(b, k, carry, time);
	}
	for (unsigned l = 0; l < b->levels; l++)
		npu_again_free(k->again[l]);
	for (unsigned l = 0; l <= MOST_LEVELS; l++)
		npu85_carry_free(&carry[l]);
}

Test(again, accumulators_come_and_go)
{
	struct rng r = { 23 };
	struct bench b;

	bench_open(&b, "ethos-u85-512");
	for (unsigned i = 0; i < rounds_of(60); i++) {
		struct known k = { 0 };
		struct sequence s;
		b.arena.used = FILLED;
		arena_fill(&b.arena, &r);
		sequence_start(&r, &s, b.config, &b.arena);
		s.kept = true;
		random_op85(&r, &s, i % 3 ? i % 3 == 1 ? NPU_CONV : NPU_DEPTHWISE : NPU_POOL, rng_below(&r, 2), &k.op, &k.view);
		op85_text(&k.op, k.text, sizeof k.text);
		go_on(&r, &b, &k);
	}
	cr_log_info("accumulators: %u done, %u again, %u refused", b.done, b.again, b.refused);
	cr_assert(b.again * 100 >= b.done * 10 && b.refused);
	bench_close(&b);
}

/* Whether a kernel remembers an operation the second time, when its constants are known. */
static bool is_remembered(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct npu_again *const a = npu_again_new(view);

	cr_assert_not_null(a);
	npu_kernels_first(k, op, a, NULL);
	npu_again_clear(a);
	npu_kernels_first(k, op, a, NULL);
	const bool known = a->run != NULL;
	npu_again_free(a);
	return known;
}

/* Steps of a recurrent layer have the same weights, and scales of their own. */
Test(again, one_set_of_weights_with_many_scales)
{
	struct rng r = { 5 };
	struct bench b;
	struct npu_op op;
	struct npu_view view;
	bool found = false;

	bench_open(&b, "ethos-u55-128");
	for (unsigned i = 0; i < 100 && !found; i++) {
		random_op(&r, b.config, NPU_CONV, &b.arena, &op, &view);
		found = op.per_channel && is_remembered(b.kernels[0], &op, &view);
	}
	cr_assert(found);
	for (unsigned step = 0; step < 50; step++) {
		((u8 *)view.scales[0])[0]++; /* a bias */
		cr_expect(is_remembered(b.kernels[0], &op, &view), "step %u", step);
	}
	bench_close(&b);
}

Test(again, pools)
{
	run("ethos-u55-128", NPU_POOL, 100, 55);
	run("ethos-u85-512", NPU_POOL, 60, 10);
}

static bool is_plain(const struct npu_fm *fm)
{
	return fm->bytes == 1 && !fm->tiled;
}

/* Bytes of one channel, the rows of the one map being columns of the other. */
static bool draw_turned(struct rng *r, struct bench *b, struct npu_op *op, struct npu_view *view)
{
	random_op(r, b->config, NPU_POOL, &b->arena, op, view);
	if (op->kernel_h * op->kernel_w > 1 || op->upscale || op->mode == NPU_POOL_REDUCE_SUM || !is_plain(&op->ifm) || !is_plain(&op->ofm))
		return false;
	op->ifm.depth = op->ofm.depth = 1;
	op->ofm.format = NPU_NHWC;
	op->ofm.stride_x = op->ofm.height;
	op->ofm.stride_y = op->ofm.stride_c = 1;
	return true;
}

Test(again, turned_bytes)
{
	struct rng r = { 31 };
	struct bench b;

	bench_open(&b, "ethos-u55-128");
	for (unsigned i = 0; i < rounds_of(1500); i++) {
		struct known k = { 0 };
		if (!draw_turned(&r, &b, &k.op, &k.view))
			continue;
		op_text(&k.op, k.text, sizeof k.text);
		remember(&b, &k);
		repeat(&r, &b, &k, 1);
	}
	cr_log_info("turned bytes: %u done, %u again, %u refused", b.done, b.again, b.refused);
	cr_assert(b.done && b.again * 100 >= b.done * 50);
	bench_close(&b);
}

Test(again, elementwise)
{
	run("ethos-u55-128", NPU_ELEMENTWISE, 150, 67);
	run("ethos-u85-512", NPU_ELEMENTWISE, 150, 70);
}

Test(again, resizes)
{
	run("ethos-u85-512", NPU_RESIZE, 300, 30);
}

/* What a kernel remembers must not lie where the operation that is over had its own. */
Test(again, memory_is_short)
{
	struct rng r = { 11 };

	run_with(&r, "ethos-u55-128", NPU_CONV, 30, 10);
	run_with(&r, "ethos-u55-128", NPU_ELEMENTWISE, 60, 55);
	run_with(&r, "ethos-u85-512", NPU_CONV, 60, 13);
	run_with(&r, "ethos-u85-512", NPU_DEPTHWISE, 40, 7);
	run_with(&r, "ethos-u85-512", NPU_ELEMENTWISE, 100, 50);
	run_with(&r, "ethos-u85-512", NPU_RESIZE, 60, 10);
}
