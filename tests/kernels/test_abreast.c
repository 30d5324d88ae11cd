/* SPDX-License-Identifier: Apache-2.0 */
/* Random convolutions and depthwises of few output channels, whose pixels are done as channels of one, against the generic path on every
 * level of the host: all of memory must be equal afterwards. Most results lie as networks have them. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/exec.h"
#include "npu/kernels/conv/abreast.h"
#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random_op.h"

#define MOST_LEVELS 8

struct bench {
	const struct npu_config *config;
	struct arena arena;
	u8 *expected, *actual;
	struct npu_kernels *fast[MOST_LEVELS];
	unsigned levels, done[MOST_LEVELS];
};

static void bench_open(struct bench *b, const char *accelerator)
{
	const struct npu_simd *simd[MOST_LEVELS];

	*b = (struct bench){ .config = npu_config_find(accelerator), .arena = { .bytes = malloc(ARENA_BYTES), .used = ARENA_BYTES },
			     .expected = malloc(ARENA_BYTES), .actual = malloc(ARENA_BYTES), .levels = npu_simd_list(simd) };
	for (unsigned l = 0; l < b->levels; l++)
		b->fast[l] = npu_kernels_new(b->config, simd[l]->name);
}

static void bench_close(struct bench *b)
{
	for (unsigned l = 0; l < b->levels; l++)
		npu_kernels_free(b->fast[l]);
	free(b->arena.bytes);
	free(b->expected);
	free(b->actual);
}

/* Pixels side by side, for three of four. */
static void place_results(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	struct npu_fm *const ofm = &op->ofm;
	const bool brick = rng_one_in(r, 3);

	if (rng_one_in(r, 4))
		return;
	ofm->format = brick ? NPU_NHCWB16 : NPU_NHWC;
	ofm->stride_c = ofm->bytes;
	ofm->stride_x = (i64)(brick ? 16 : ofm->depth) * ofm->bytes;
	ofm->stride_y = ofm->stride_x * ofm->width;
	ofm->width0 = ofm->width;
	ofm->height0 = ofm->height1 = ofm->height;
	ofm->tiled = ofm->stacked = 0;
	memset(view->ofm, 0, sizeof(view->ofm));
	view->ofm[0] = a->bytes + arena_take(a, (size_t)ofm->stride_y * ofm->height + 64);
}

/* Few channels of many have kernels of their own (few.h). */
static bool is_wanted(const struct npu_op *op)
{
	return op->ofm.depth <= 8 && (op->ofm.depth > NPU_FEW || op->ifm.depth < 16) && op->ofm.width > 1 && op->ofm.width * op->ofm.height >= 64 && !op->ifm.tiled && op->dilation_x == 1 && !op->upscale;
}

/* What is not for it, or is refused, changes nothing. */
static void compare(struct bench *b, unsigned round, const struct npu_op *op, const struct npu_view *view)
{
	struct npu_view slow = view_moved(view, b->arena.bytes, b->expected), fast = view_moved(view, b->arena.bytes, b->actual);
	struct npu_exec e = { .config = b->config, .op = op, .view = &slow };
	char text[512];

	memcpy(b->expected, b->arena.bytes, b->arena.used);
	const enum npu_exec_status status = npu_exec_op(&e);
	for (unsigned l = 0; l < b->levels; l++) {
		memcpy(b->actual, b->arena.bytes, b->arena.used);
		const bool done = npu_fast_abreast(b->fast[l], op, &fast);
		cr_assert_eq(memcmp(b->actual, done ? b->expected : b->arena.bytes, b->arena.used), 0, "round %u level %s done %d: %s", round,
			     npu_kernels_name(b->fast[l]), done, op_text(op, text, sizeof(text)));
		cr_assert(!done || (status == NPU_EXEC_OK && !e.wraps));
		b->done[l] += done;
	}
}

static void run(enum npu_kind kind, u64 seed, const char *accelerator)
{
	const unsigned rounds = rounds_of(60);
	struct rng r = { seed };
	struct bench b;

	bench_open(&b, accelerator);
	for (unsigned i = 0; i < rounds; i++) {
		struct npu_op op;
		struct npu_view view;
		do
			random_op(&r, b.config, kind, &b.arena, &op, &view);
		while (!is_wanted(&op));
		place_results(&r, &b.arena, &op, &view);
		if (op.lo <= op.hi && !op.ofm.tiled)
			compare(&b, i, &op, &view);
	}
	for (unsigned l = 0; l < b.levels; l++) {
		cr_log_info("kind %d level %s: %u of %u", kind, npu_kernels_name(b.fast[l]), b.done[l], rounds);
		cr_assert_gt(b.done[l], rounds / 8);
	}
	bench_close(&b);
}

Test(abreast, convolution)
{
	run(NPU_CONV, 91, "ethos-u55-128");
}

Test(abreast, convolution_by_two_cores)
{
	run(NPU_CONV, 92, "ethos-u65-512");
}

Test(abreast, depthwise)
{
	run(NPU_DEPTHWISE, 93, "ethos-u55-64");
}
