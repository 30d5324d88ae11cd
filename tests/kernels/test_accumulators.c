/* SPDX-License-Identifier: Apache-2.0 */
/* Accumulators of U85 of 8 bytes that products leave with nothing but biases, and such that become int16 with a scale and bias for each channel: of any number of
 * channels, in maps of any layout, transposed or not, the first time and again, against the generic path. All of memory must be equal afterwards. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/private.h"
#include "npu/kernels/u85/job.h"
#include "tests/kernels/random_parts85.h"

enum { ROUNDS = 800, TIMES = 2, FILLED = 1 << 18, RECORD = 10, MOST_LEVELS = 8 };

struct bench {
	const struct npu_config *config;
	struct npu_kernels *kernels;
	struct arena arena;
	u8 *expected, *actual;
	unsigned refused;
};

/* 48 bits of bias and 15 of scale. */
static void put_record(u8 *p, i64 bias, u32 scale, u32 shift)
{
	const u64 both = ((u64)bias & ((UINT64_C(1) << 48) - 1)) | (u64)scale << 48;

	memcpy(p, &both, sizeof(both));
	p[8] = (u8)shift;
}

/* Room for the records of all channels, which never change. */
static u8 *take_records(struct arena *a, struct npu_op *op, struct npu_view *view)
{
	const u32 bytes = op->ofm.depth * RECORD;
	u8 *const p = a->bytes + arena_take(a, bytes + 16);

	op->per_channel = 1;
	op->scales[0] = (struct npu_bytes){ 0, bytes };
	view->scales[0] = p;
	view->constant_scales[0] = bytes;
	return p;
}

/* Rarely some channel has no fast form, or a bias that leaves no room. */
static void draw_records(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	u8 *const records = take_records(a, op, view);
	const unsigned bits = rng_one_in(r, 8) ? 34 : 1 + rng_below(r, 29);
	const bool odd = rng_one_in(r, 8);

	for (u32 c = 0; c < op->ofm.depth; c++)
		put_record(records + c * RECORD, (i64)rng_next64(r) >> (63 - bits), (u32)rng_range(r, 1 << 14, INT16_MAX), (u32)rng_range(r, odd ? 8 : 18, 36));
}

/* Rarely some channel is scaled. */
static void draw_biases(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	u8 *const records = take_records(a, op, view);
	const unsigned bits = rng_one_in(r, 8) ? 46 : 1 + rng_below(r, 29);
	const u32 scaled = rng_one_in(r, 8) ? rng_below(r, op->ofm.depth) : UINT32_MAX;

	for (u32 c = 0; c < op->ofm.depth; c++)
		put_record(records + c * RECORD, (i64)rng_next64(r) >> (63 - bits), c == scaled ? 1 + rng_below(r, 3) : 1, c == scaled && rng_below(r, 2));
}

/* Of so many bits; now and then one has more than 30, which is asked for as they come. */
static void draw_accumulators(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	const size_t n = (size_t)op->ofm.height * op->ofm.width * op->ofm.depth, at = arena_take(a, n * sizeof(i64) + 16);
	const unsigned bits = 1 + rng_below(r, 30);
	u8 *const p = a->bytes + at;

	op->ifm2 = op->ofm;
	op->ifm2.bytes = sizeof(i64);
	op->ifm2.zero_point = 0;
	npu85_map_packed(&op->ifm2);
	view->ifm2[0] = p;
	for (size_t i = 0; i < n; i++) {
		const i64 v = (i64)rng_next64(r) >> (63 - bits);
		memcpy(p + i * sizeof(v), &v, sizeof(v));
	}
	if (rng_one_in(r, 4)) {
		const i64 v = (rng_below(r, 2) ? 1 : -1) * (INT64_C(1) << rng_range(r, 29, 46)) - rng_below(r, 2);
		memcpy(p + rng_below(r, (u32)n) * sizeof(v), &v, sizeof(v));
	}
}

static void draw_stored(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	const struct npu_fm *const ofm = &op->ofm;
	u8 *to[NPU_TILES] = { NULL };

	op->u85.transpose = rng_one_in(r, 4) ? 6 : 0;
	op->u85.stored = *ofm;
	if (op->u85.transpose)
		set_size(&op->u85.stored, ofm->depth, ofm->height, ofm->width);
	if (rng_below(r, 2)) {
		random_map(r, a, &op->u85.stored, to);
	} else {
		npu85_map_packed(&op->u85.stored);
		to[0] = a->bytes + arena_take(a, (size_t)ofm->height * ofm->width * ofm->depth * ofm->bytes + 16);
	}
	op->ofm.tiled = op->u85.stored.tiled;
	memcpy(view->ofm, to, sizeof(to));
}

/* Accumulators that are scaled. */
static void draw_scaled(struct rng *r, const struct npu_config *config, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	const bool all = rng_below(r, 2);
	const i32 lo = all ? INT16_MIN : rng_range(r, INT16_MIN, INT16_MAX), hi = all ? INT16_MAX : rng_range(r, lo, INT16_MAX);

	(void)config;
	*op = (struct npu_op){ .kind = NPU_POOL, .mode = NPU_POOL_NONE, .cores = 1, .acc_bits = 48, .block_h = 16, .block_w = 16, .block_d = 16, .output = NPU_OUT_CLAMP,
			       .ofm = { .bytes = sizeof(i16), .is_signed = 1, .used = 1 }, .lo = lo, .hi = hi,
			       .u85 = { .enabled = 1, .clip_signed = 1, .acc48 = 1, .acc_input = NPU85_ACC_IFM2, .ofm_scale = { .scale = 1, .round = (u8)rng_below(r, 3) } } };
	*view = (struct npu_view){ .lut = a->bytes + arena_take(a, NPU_LUT_BYTES) };
	const u32 height = 1 + rng_below(r, 9), width = 1 + rng_below(r, 20), depth = 1 + rng_below(r, rng_below(r, 2) ? 16 : 90);
	set_size(&op->ofm, height, width, depth);
	draw_accumulators(r, a, op, view);
	draw_records(r, a, op, view);
	draw_stored(r, a, op, view);
}

/* Products whose accumulators are stored. */
static void draw_products(struct rng *r, const struct npu_config *config, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	u8 *from[NPU_TILES] = { NULL };

	*op = (struct npu_op){ .kind = rng_below(r, 4) ? NPU_CONV : NPU_DEPTHWISE, .cores = 1, .acc_bits = 48, .block_h = 16, .block_w = 16, .block_d = 16, .output = NPU_OUT_RAW32,
			       .ofm = { .bytes = sizeof(i64), .is_signed = 1, .used = 1 }, .lo = INT16_MIN, .hi = INT16_MAX,
			       .u85 = { .enabled = 1, .clip_off = 1, .clip_signed = 1, .acc48 = 1, .ofm_scale = { .scale = 1, .round = (u8)rng_below(r, 3) } } };
	*view = (struct npu_view){ .lut = a->bytes + arena_take(a, NPU_LUT_BYTES) };
	const u32 height = 1 + rng_below(r, 6), width = 1 + rng_below(r, 9), depth = 1 + rng_below(r, 50);
	set_size(&op->ofm, height, width, depth);
	random_type(r, &op->ifm, (const u8[]){ 2, 2, 2, 1 }, 4);
	if (op->ifm.bytes == 2) {
		op->ifm.is_signed = 1;
		op->ifm.zero_point = 0;
	}
	op->ifm.depth = op->kind == NPU_CONV ? 1 + rng_below(r, 50) : depth;
	random_window(r, op, rng_below(r, 2) ? 1 : 3);
	random_ublock(r, config, op);
	random_weights(r, config, a, op, view);
	draw_biases(r, a, op, view);
	random_map(r, a, &op->ifm, from);
	memcpy(view->ifm, from, sizeof(from));
	draw_stored(r, a, op, view);
}

static void once(struct bench *b, const struct npu_op *op, const struct npu_view *view, struct npu_again *again, unsigned round)
{
	const struct npu_view slow = view_moved(view, b->arena.bytes, b->expected);
	struct npu_exec e = { .config = b->config, .op = op, .view = &slow };
	struct npu85_carry carry = { 0 }, other = { 0 };

	memcpy(b->expected, b->arena.bytes, b->arena.used);
	memcpy(b->actual, b->arena.bytes, b->arena.used);
	cr_assert_eq(npu85_exec(&e, &carry), NPU_EXEC_OK);
	if ((!again->run || !npu_kernels_again(b->kernels, again)) && !npu_kernels_first(b->kernels, op, again, &other)) {
		b->refused++;
		return;
	}
	cr_assert_eq(memcmp(b->expected, b->actual, b->arena.used), 0, "%s, round %u: kind %u, %ux%ux%u, transpose %u, format %u, rounding %u", b->kernels->simd->name, round, op->kind, op->ofm.height, op->ofm.width,
		     op->ofm.depth, op->u85.transpose, op->u85.stored.format, op->u85.ofm_scale.round);
}

static void compare(void (*draw)(struct rng *r, const struct npu_config *config, struct arena *a, struct npu_op *op, struct npu_view *view))
{
	struct bench b = { .config = npu_config_find("ethos-u85-256"), .arena = { .bytes = calloc(1, ARENA_BYTES) }, .expected = malloc(ARENA_BYTES), .actual = malloc(ARENA_BYTES) };
	const struct npu_simd *level[MOST_LEVELS];
	struct npu_kernels *kernels[MOST_LEVELS];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 353 };

	for (unsigned l = 0; l < levels; l++)
		kernels[l] = npu_kernels_new(b.config, level[l]->name);
	for (unsigned round = 0; round < rounds_of(ROUNDS); round++) {
		struct npu_op op;
		struct npu_view view;
		b.kernels = kernels[rng_below(&r, 2) ? 0 : rng_below(&r, levels)]; /* the best one most often */
		b.arena.used = FILLED;
		arena_fill(&b.arena, &r);
		draw(&r, b.config, &b.arena, &op, &view);
		const struct npu_view fast = view_moved(&view, b.arena.bytes, b.actual);
		struct npu_again *const again = npu_again_new(&fast);
		for (unsigned time = 0; time < TIMES; time++)
			once(&b, &op, &view, again, round);
		npu_again_free(again);
	}
	cr_expect(b.refused < rounds_of(ROUNDS) * TIMES / 10, "%u are refused", b.refused);
	for (unsigned l = 0; l < levels; l++)
		npu_kernels_free(kernels[l]);
	free(b.arena.bytes);
	free(b.expected);
	free(b.actual);
}

Test(accumulators, of_products)
{
	compare(draw_products);
}

Test(accumulators, scaled)
{
	compare(draw_scaled);
}
