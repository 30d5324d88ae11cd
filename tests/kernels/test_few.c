/* SPDX-License-Identifier: Apache-2.0 */
/* Random convolutions of bytes to a few channels, whose sums are made pixel by pixel, against the generic path on every level of the host that
 * has them, also with three threads: all of memory must be equal afterwards. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/exec.h"
#include "npu/kernels/conv/few.h"
#include "npu/kernels/team.h"
#include "tests/kernels/random_op.h"

#define MOST_LEVELS 9

struct bench {
	const struct npu_config *config;
	struct arena arena;
	u8 *expected, *actual;
	struct npu_kernels *fast[MOST_LEVELS];
	unsigned levels, done[MOST_LEVELS];
};

static void bench_open(struct bench *b, const char *accelerator)
{
	const struct npu_simd *simd[8];
	const unsigned levels = npu_simd_list(simd);

	*b = (struct bench){ .config = npu_config_find(accelerator), .arena = { .bytes = malloc(ARENA_BYTES), .used = ARENA_BYTES },
			     .expected = malloc(ARENA_BYTES), .actual = malloc(ARENA_BYTES) };
	for (unsigned l = 0; l < levels; l++)
		if (simd[l]->few_u8)
			b->fast[b->levels++] = npu_kernels_new(b->config, simd[l]->name);
	if (b->levels) {
		b->fast[b->levels] = npu_kernels_new(b->config, NULL);
		b->fast[b->levels++]->team = npu_team_new(3, 1);
	}
}

static void bench_close(struct bench *b)
{
	for (unsigned l = 0; l < b->levels; l++)
		npu_kernels_free(b->fast[l]);
	free(b->arena.bytes);
	free(b->expected);
	free(b->actual);
}

static bool is_wanted(const struct npu_op *op)
{
	return op->ofm.depth <= NPU_FEW && op->ifm.bytes == 1 && op->ofm.bytes == 1 && op->lo <= op->hi && op->ifm.height && op->ifm.width;
}

static bool run_fast(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct npu_mac m;

	if (!npu_mac_init(&m, k, op, view) || !npu_mac_fits_32(&m))
		return false;
	npu_mac_start(&m, k);
	return npu_fast_few(k, &m);
}

/* What is refused changes nothing. */
static void compare(struct bench *b, unsigned round, const struct npu_op *op, const struct npu_view *view)
{
	struct npu_view slow = view_moved(view, b->arena.bytes, b->expected), fast = view_moved(view, b->arena.bytes, b->actual);
	struct npu_exec e = { .config = b->config, .op = op, .view = &slow };
	char text[512];

	memcpy(b->expected, b->arena.bytes, b->arena.used);
	const enum npu_exec_status status = npu_exec_op(&e);
	for (unsigned l = 0; l < b->levels; l++) {
		memcpy(b->actual, b->arena.bytes, b->arena.used);
		const bool done = run_fast(b->fast[l], op, &fast);
		cr_assert_eq(memcmp(b->actual, done ? b->expected : b->arena.bytes, b->arena.used), 0, "round %u level %s done %d: %s", round,
			     npu_kernels_name(b->fast[l]), done, op_text(op, text, sizeof(text)));
		cr_assert(!done || (status == NPU_EXEC_OK && !e.wraps));
		b->done[l] += done;
	}
}

static void run(u64 seed, const char *accelerator)
{
	const unsigned rounds = rounds_of(150);
	struct rng r = { seed };
	struct bench b;

	bench_open(&b, accelerator);
	for (unsigned i = 0; i < rounds; i++) {
		struct npu_op op;
		struct npu_view view;
		do
			random_op(&r, b.config, NPU_CONV, &b.arena, &op, &view);
		while (!is_wanted(&op));
		compare(&b, i, &op, &view);
	}
	for (unsigned l = 0; l < b.levels; l++) {
		cr_log_info("level %s: %u of %u", npu_kernels_name(b.fast[l]), b.done[l], rounds);
		cr_assert_gt(b.done[l], rounds / 6);
	}
	bench_close(&b);
}

Test(few, one_core)
{
	run(111, "ethos-u55-128");
}

Test(few, two_cores)
{
	run(112, "ethos-u65-512");
}
