/* SPDX-License-Identifier: Apache-2.0 */
/* Accumulators of U85 that wait in memory, of 4 or 8 bytes, and are only scaled, each channel by its own scale, at every host level against the generic path:
 * of any number of channels, to elements of any size and layout. All of memory must be equal afterwards. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/private.h"
#include "npu/kernels/u85/job.h"
#include "npu/u85/arith.h"
#include "tests/kernels/random_parts85.h"

enum { ROUNDS = 700, FILLED = 1 << 19, MOST_LEVELS = 8 };

struct bench {
	const struct npu_config *config;
	struct npu_kernels *kernels[MOST_LEVELS];
	unsigned levels;
	struct arena arena;
	u8 *expected, *actual;
};

/* So many bits; in some maps one element has more. */
static void draw_sums(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	struct npu_fm *const fm = &op->ifm2;
	const u32 n = op->ofm.height * op->ofm.width * op->ofm.depth;
	const unsigned bits = 1 + rng_below(r, 29);

	*fm = op->ofm;
	fm->bytes = op->u85.acc48 ? sizeof(i64) : sizeof(i32);
	fm->is_signed = 1;
	fm->zero_point = 0;
	npu85_map_packed(fm);
	u8 *const to = a->bytes + arena_take(a, (size_t)n * fm->bytes);
	for (u32 i = 0; i < n; i++) {
		const i64 v = (i64)rng_next64(r) >> (63 - bits);
		memcpy(to + (size_t)i * fm->bytes, &v, fm->bytes);
	}
	const i64 large = (i64)rng_next64(r) >> (fm->bytes == sizeof(i32) ? 32 : 20);
	if (rng_one_in(r, 10))
		memcpy(to + (size_t)rng_below(r, n) * fm->bytes, &large, fm->bytes);
	view->ifm2[0] = to;
}

static void draw_results(struct rng *r, struct npu_op *op)
{
	static const u8 sizes[] = { 1, 1, 2, 2, 4 };

	random_type(r, &op->ofm, sizes, ARRAY_LEN(sizes));
	if (rng_below(r, 3) && op->ofm.bytes > 1)
		op->ofm.zero_point = 0;
	op->u85.clip_off = op->ofm.bytes == 4;
	const i32 most = op->ofm.bytes == 1 ? UINT8_MAX >> op->ofm.is_signed : op->ofm.bytes == 2 ? UINT16_MAX >> op->ofm.is_signed : INT32_MAX;
	op->lo = op->ofm.is_signed ? -most - 1 : 0;
	op->hi = most;
	if (rng_one_in(r, 3))
		op->lo = rng_range(r, op->lo, most);
	op->u85.ofm_scale = (struct npu85_scale){ .scale = 1, .round = rng_below(r, 3) ? NPU85_NATURAL : (u8)rng_below(r, 6) };
}

static void draw(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	u8 *to[NPU_TILES] = { NULL };

	*op = (struct npu_op){ .kind = NPU_POOL, .mode = NPU_POOL_NONE, .cores = 1, .block_h = 16, .block_w = 16, .block_d = 16, .per_channel = 1,
			       .kernel_h = 1, .kernel_w = 1, .stride_y = 1, .stride_x = 1, .dilation_y = 1, .dilation_x = 1, .ofm = { .used = 1 },
			       .u85 = { .enabled = 1, .acc_input = NPU85_ACC_IFM2, .clip_signed = 1 } };
	*view = (struct npu_view){ .lut = a->bytes + arena_take(a, NPU_LUT_BYTES) };
	op->u85.acc48 = (u8)rng_below(r, 2);
	op->acc_bits = op->u85.acc48 ? 48 : 32;
	draw_results(r, op);
	const u32 height = 1 + rng_below(r, 9), width = 1 + rng_below(r, 30), depth = 1 + rng_below(r, rng_below(r, 3) ? 20 : 70);
	set_size(&op->ofm, height, width, depth);
	draw_sums(r, a, op, view);
	random_records(r, a, op, view);
	random_map(r, a, &op->ofm, to);
	op->u85.stored = op->ofm;
	memcpy(view->ofm, to, sizeof(to));
}

static void compare(struct bench *b, unsigned round, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_view slow = view_moved(view, b->arena.bytes, b->expected), fast = view_moved(view, b->arena.bytes, b->actual);
	struct npu_exec e = { .config = b->config, .op = op, .view = &slow };
	struct npu85_carry carry = { 0 };

	memcpy(b->expected, b->arena.bytes, b->arena.used);
	cr_assert_eq(npu85_exec(&e, &carry), NPU_EXEC_OK);
	for (unsigned l = 0; l < b->levels; l++) {
		struct npu85_carry other = { 0 };
		memcpy(b->actual, b->arena.bytes, b->arena.used);
		cr_assert(npu85_kernels_execute(b->kernels[l], op, &fast, &other), "round %u is refused", round);
		cr_assert_eq(memcmp(b->expected, b->actual, b->arena.used), 0, "round %u level %s: %ux%ux%u of %u bytes from %u, format %u", round,
			     npu_kernels_name(b->kernels[l]), op->ofm.height, op->ofm.width, op->ofm.depth, op->ofm.bytes, op->ifm2.bytes, op->ofm.format);
	}
}

Test(waiting, accumulators_are_scaled)
{
	struct bench b = { .config = npu_config_find("ethos-u85-256"), .arena = { .bytes = calloc(1, ARENA_BYTES) }, .expected = malloc(ARENA_BYTES), .actual = malloc(ARENA_BYTES) };
	const struct npu_simd *level[MOST_LEVELS];
	struct rng r = { 271 };

	b.levels = npu_simd_list(level);
	for (unsigned l = 0; l < b.levels; l++)
		b.kernels[l] = npu_kernels_new(b.config, level[l]->name);
	for (unsigned round = 0; round < rounds_of(ROUNDS); round++) {
		struct npu_op op;
		struct npu_view view;
		b.arena.used = FILLED;
		arena_fill(&b.arena, &r);
		draw(&r, &b.arena, &op, &view);
		compare(&b, round, &op, &view);
	}
	for (unsigned l = 0; l < b.levels; l++)
		npu_kernels_free(b.kernels[l]);
	free(b.arena.bytes);
	free(b.expected);
	free(b.actual);
}
