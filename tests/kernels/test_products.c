/* SPDX-License-Identifier: Apache-2.0 */
/* Ethos-U85: products of two maps of int16 at every level that has its own for them, on one thread and on three, against the generic path. Elements are as large as
 * they get, so that sums are. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/team.h"
#include "npu/kernels/u85/job.h"
#include "npu/u85/arith.h"
#include "tests/kernels/random_op85.h"
#include "tests/kernels/random_parts85.h"

enum { ROUNDS = 1500, MOST_LEVELS = 8, TEAMS = 2 };

struct bench {
	const struct npu_config *config;
	struct arena arena; /* memory before the operation */
	u8 *expected, *actual;
	struct npu_kernels *kernels[TEAMS * MOST_LEVELS];
	unsigned many, done, refused;
};

static void bench_open(struct bench *b)
{
	const struct npu_simd *level[MOST_LEVELS];
	const unsigned levels = npu_simd_list(level);

	*b = (struct bench){ .config = npu_config_find("ethos-u85-256"), .arena = { .bytes = calloc(1, ARENA_BYTES) }, .expected = malloc(ARENA_BYTES),
			     .actual = malloc(ARENA_BYTES) };
	for (unsigned i = 0; i < TEAMS * levels; i++) {
		if (!level[i / TEAMS]->word_products)
			continue;
		b->kernels[b->many] = npu_kernels_new(b->config, level[i / TEAMS]->name);
		b->kernels[b->many++]->team = i % TEAMS ? npu_team_new(3, 1) : NULL;
	}
}

static void bench_close(struct bench *b)
{
	for (unsigned i = 0; i < b->many; i++)
		npu_kernels_free(b->kernels[i]);
	free(b->arena.bytes);
	free(b->expected);
	free(b->actual);
}

static i16 any_word(struct rng *r)
{
	static const i16 ends[] = { INT16_MIN, -INT16_MAX, -1, 0, 1, INT16_MAX };

	return rng_below(r, 2) ? ends[rng_below(r, ARRAY_LEN(ends))] : (i16)rng_next(r);
}

/* Elements of the arena from `first` on. `apart`: the lowest number is not twice side by side. */
static void fill(struct rng *r, struct arena *a, size_t first, bool apart)
{
	const bool lowest = rng_one_in(r, 4);

	for (size_t i = first; i < a->used; i += sizeof(i16)) {
		i16 word = lowest ? INT16_MIN : any_word(r);
		if (apart && i % (2 * sizeof(word)) && word == INT16_MIN)
			word++;
		memcpy(a->bytes + i, &word, sizeof(word));
	}
}

static unsigned bits_of(u32 v)
{
	return 32u - (unsigned)__builtin_clz(v);
}

/* Mostly such that results are neither all clipped nor all 0. */
static struct npu85_scale draw_scale(struct rng *r, u32 depth)
{
	const u32 scale = rng_below(r, 3) ? (u32)rng_range(r, 1, INT16_MAX) : UINT32_C(1) << rng_below(r, 31);
	const unsigned shift = bits_of(scale) + bits_of(depth) + rng_below(r, 17) - 1;
	struct npu85_scale s = { .scale = scale, .shift = (u8)(shift < 63 ? shift : 63), .round = NPU85_NATURAL };

	if (rng_one_in(r, 4)) {
		s.round = (u8)rng_below(r, 6);
		s.dbl = (u8)(rng_below(r, 2) ? 31 : rng_below(r, 20));
	}
	return s;
}

static void draw_map(struct rng *r, struct arena *a, struct npu_fm *fm, u32 height, u32 width, u32 depth, u8 *tile[NPU_TILES])
{
	do {
		*fm = (struct npu_fm){ .bytes = sizeof(i16), .is_signed = 1, .used = 1 };
		set_size(fm, height, width, depth);
		random_map(r, a, fm, tile);
	} while (fm->tiled && rng_below(r, 16)); /* tiles are refused */
}

/* An operand and its elements. */
static void draw_operand(struct rng *r, struct arena *a, struct npu_fm *fm, u32 height, u32 width, u32 depth, bool apart, const u8 *view[NPU_TILES])
{
	const size_t first = a->used;
	u8 *tile[NPU_TILES] = { 0 };

	draw_map(r, a, fm, height, width, depth, tile);
	fill(r, a, first, apart);
	memcpy(view, tile, sizeof(tile));
}

/* One operand or the other at the end of memory. */
static void draw_maps(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	const u32 height = rng_below(r, 3) ? 1 : 1 + rng_below(r, 4), width = 1 + rng_below(r, rng_below(r, 4) ? 20 : 110);
	const u32 channels = 1 + rng_below(r, rng_below(r, 4) ? 40 : 200), depth = 1 + rng_below(r, rng_below(r, 4) ? 50 : 300);
	const bool first = rng_below(r, 2);
	struct npu_fm_box last;

	a->used = 0;
	draw_map(r, a, &op->u85.stored, height, width, channels, view->ofm);
	fill(r, a, 0, false);
	if (first)
		draw_operand(r, a, &op->ifm, height, width, depth, false, view->ifm);
	draw_operand(r, a, &op->ifm2, 1, channels, depth, rng_below(r, 8), view->ifm2);
	if (!first)
		draw_operand(r, a, &op->ifm, height, width, depth, false, view->ifm);
	if (first ? npu_fm_box(&op->ifm2, view->ifm2, 0, &last) && !op->ifm2.tiled : npu_fm_box(&op->ifm, view->ifm, 0, &last) && !op->ifm.tiled)
		a->used = last.end - (uintptr_t)a->bytes;
	op->ofm = op->u85.stored;
	op->up_height = height;
	op->up_width = width;
}

static void draw(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	*op = (struct npu_op){ .kind = NPU_CONV, .cores = 1, .acc_bits = 48, .block_h = 16, .block_w = 16, .block_d = 16, .kernel_h = 1, .kernel_w = 1, .stride_y = 1, .stride_x = 1,
			       .dilation_y = 1, .dilation_x = 1, .output = NPU_OUT_CLAMP, .lo = INT16_MIN, .hi = INT16_MAX };
	op->u85 = (struct npu85_op){ .enabled = 1, .weights_ifm2 = 1, .acc48 = 1, .clip_signed = 1 };
	*view = (struct npu_view){ 0 };
	draw_maps(r, a, op, view);
	op->u85.ofm_scale = draw_scale(r, op->ifm.depth);
	if (rng_one_in(r, 4)) {
		op->lo = rng_range(r, INT16_MIN, INT16_MAX);
		op->hi = rng_range(r, op->lo, INT16_MAX);
		op->ofm.zero_point = op->u85.stored.zero_point = rng_range(r, INT16_MIN, INT16_MAX);
	}
	view->lut = a->bytes; /* not looked at */
}

static bool run(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct npu85_carry carry = { 0 };
	struct npu85_job j;
	const bool done = npu85_job_begin(&j, k, op, view, &carry) && npu85_fast_products(&j);

	if (done)
		npu85_job_end(&j);
	npu85_carry_free(&carry);
	return done;
}

static void compare(struct bench *b, unsigned round, const struct npu_op *op, const struct npu_view *view)
{
	u8 *const actual = b->actual + ARENA_BYTES - b->arena.used; /* behind it is no memory */
	const struct npu_view slow = view_moved(view, b->arena.bytes, b->expected), fast = view_moved(view, b->arena.bytes, actual);
	struct npu_exec e = { .config = b->config, .op = op, .view = &slow };
	struct npu85_carry carry = { 0 };
	char text[1024];

	memcpy(b->expected, b->arena.bytes, b->arena.used);
	cr_assert_eq(npu85_exec(&e, &carry), NPU_EXEC_OK);
	npu85_carry_free(&carry);
	for (unsigned i = 0; i < b->many; i++) {
		memcpy(actual, b->arena.bytes, b->arena.used);
		const bool done = run(b->kernels[i], op, &fast);
		cr_assert_eq(memcmp(actual, done ? b->expected : b->arena.bytes, b->arena.used), 0, "round %u level %s %u, done %d: %s", round,
			     npu_kernels_name(b->kernels[i]), i % TEAMS, done, op85_text(op, text, sizeof(text)));
		b->done += done;
		b->refused += !done;
	}
}

Test(products, words)
{
	const unsigned rounds = rounds_of(ROUNDS);
	struct rng r = { 231 };
	struct bench b;

	bench_open(&b);
	for (unsigned i = 0; i < rounds && b.many; i++) {
		struct npu_op op;
		struct npu_view view;
		draw(&r, &b.arena, &op, &view);
		compare(&b, i, &op, &view);
	}
	cr_log_info("%u done, %u refused", b.done, b.refused);
	cr_assert(b.done >= b.refused, "%u done, %u refused", b.done, b.refused);
	bench_close(&b);
}
