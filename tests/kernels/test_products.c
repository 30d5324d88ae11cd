/* SPDX-License-Identifier: Apache-2.0 */
/* Ethos-U85: products of two maps at every level that has its own way for them, on one thread and on three, and again on other data, against the generic path.
 * Elements are as large as they get, so that sums are. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/private.h"
#include "npu/kernels/team.h"
#include "npu/u85/arith.h"
#include "npu/u85/u85.h"
#include "tests/kernels/random_op85.h"
#include "tests/kernels/random_parts85.h"

enum { ROUNDS = 250, TIMES = 3, MOST_LEVELS = 8, TEAMS = 2 };

struct bench {
	const struct npu_config *config;
	u8 bytes; /* of an element */
	bool row; /* of one pixel, often by whole bricks */
	struct arena arena; /* memory before the operation */
	u8 *expected, *actual;
	struct npu_kernels *kernels[TEAMS * MOST_LEVELS];
	unsigned many, done, again; /* of those done, such that the kernels had remembered */
};

/* Words have a way of their own there, bytes are remembered. */
static bool has_way(const struct npu_simd *simd, u8 bytes)
{
	return bytes == 1 ? !simd->gemm_u8 : simd->word_products != NULL;
}

static void bench_open(struct bench *b, u8 bytes, bool row)
{
	const struct npu_simd *level[MOST_LEVELS];
	const unsigned levels = npu_simd_list(level);

	*b = (struct bench){ .config = npu_config_find("ethos-u85-256"), .bytes = bytes, .row = row, .arena = { .bytes = calloc(1, ARENA_BYTES) }, .expected = malloc(ARENA_BYTES),
			     .actual = malloc(ARENA_BYTES) };
	for (unsigned i = 0; i < TEAMS * levels; i++) {
		if (!has_way(level[i / TEAMS], bytes))
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

/* Elements of the arena, which may be bytes as well. `apart`: the lowest number is not twice side by side. */
static void fill(struct rng *r, struct arena *a, size_t first, size_t end, bool apart)
{
	const bool lowest = rng_one_in(r, 4);

	for (size_t i = first; i + sizeof(i16) <= end; i += sizeof(i16)) {
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
static struct npu85_scale draw_scale(struct rng *r, u32 depth, bool bytes)
{
	const u32 scale = bytes ? (u32)rng_range(r, 1 << 30, INT32_MAX) : rng_below(r, 3) ? (u32)rng_range(r, 1, INT16_MAX) : UINT32_C(1) << rng_below(r, 31);
	const unsigned shift = bits_of(scale) + bits_of(depth) + rng_below(r, 17) - 1;
	struct npu85_scale s = { .scale = scale, .shift = (u8)(shift < 63 ? shift : 63), .round = NPU85_NATURAL };

	if (rng_one_in(r, 4)) {
		s.round = (u8)rng_below(r, 6);
		s.dbl = (u8)(rng_below(r, 2) ? 31 : rng_below(r, 20));
	}
	return s;
}

static void draw_map(struct rng *r, struct arena *a, u8 bytes, struct npu_fm *fm, u32 height, u32 width, u32 depth, u8 *tile[NPU_TILES])
{
	do {
		*fm = (struct npu_fm){ .used = 1 };
		if (bytes == 1)
			random_type(r, fm, &bytes, 1);
		else
			fm->bytes = bytes;
		fm->is_signed |= bytes == 2;
		set_size(fm, height, width, depth);
		random_map(r, a, fm, tile);
	} while (fm->tiled && rng_below(r, 16)); /* tiles are refused */
}

/* The part of the arena that the second map has. */
struct second {
	size_t first, end;
};

static void draw_operand(struct rng *r, struct arena *a, u8 bytes, struct npu_fm *fm, u32 height, u32 width, u32 depth, const u8 *view[NPU_TILES])
{
	u8 *tile[NPU_TILES] = { 0 };

	draw_map(r, a, bytes, fm, height, width, depth, tile);
	memcpy(view, tile, sizeof(tile));
}

/* One operand or the other at the end of memory. */
static struct second draw_maps(struct rng *r, struct arena *a, u8 bytes, bool row, struct npu_op *op, struct npu_view *view)
{
	const bool deep = bytes == 1 && !row && rng_one_in(r, 20); /* sums have 32 bits because of the data, if at all */
	const u32 height = row || deep || rng_below(r, 3) ? 1 : 1 + rng_below(r, 4), width = row ? 1 : 1 + rng_below(r, deep ? 3 : rng_below(r, 4) ? 20 : 110);
	const u32 channels = 1 + rng_below(r, deep ? 20 : rng_below(r, 4) ? 40 : 200), any = 1 + (deep ? 16000 + rng_below(r, 24000) : rng_below(r, rng_below(r, 4) ? 50 : 300));
	const u32 depth = row && rng_below(r, 2) ? round_up_to(any, NPU_GROUP) : any;
	const bool first = rng_below(r, 2);
	struct second second;
	struct npu_fm_box last;

	a->used = 0;
	draw_map(r, a, bytes, &op->u85.stored, height, width, channels, view->ofm);
	if (first)
		draw_operand(r, a, bytes, &op->ifm, height, width, depth, view->ifm);
	second.first = a->used;
	draw_operand(r, a, bytes, &op->ifm2, 1, channels, depth, view->ifm2);
	second.end = a->used;
	if (!first)
		draw_operand(r, a, bytes, &op->ifm, height, width, depth, view->ifm);
	if (first ? npu_fm_box(&op->ifm2, view->ifm2, 0, &last) && !op->ifm2.tiled : npu_fm_box(&op->ifm, view->ifm, 0, &last) && !op->ifm.tiled)
		a->used = last.end - (uintptr_t)a->bytes;
	op->ofm = op->u85.stored;
	op->up_height = height;
	op->up_width = width;
	return second;
}

static void draw_limits(struct rng *r, u8 bytes, struct npu_op *op)
{
	const i32 least = !op->ofm.is_signed ? 0 : bytes == 1 ? INT8_MIN : INT16_MIN, most = least + (bytes == 1 ? UINT8_MAX : UINT16_MAX);
	const bool all = rng_below(r, 4);

	op->lo = all ? least : rng_range(r, least, most);
	op->hi = all ? most : rng_range(r, op->lo, most);
	if (!all)
		op->ofm.zero_point = op->u85.stored.zero_point = rng_range(r, least, most);
	op->u85.clip_signed = op->ofm.is_signed;
}

static struct second draw(struct rng *r, struct arena *a, u8 bytes, bool row, struct npu_op *op, struct npu_view *view)
{
	*op = (struct npu_op){ .kind = NPU_CONV, .cores = 1, .acc_bits = bytes == 1 ? 32 : 48, .block_h = 16, .block_w = 16, .block_d = 16, .kernel_h = 1, .kernel_w = 1,
			       .stride_y = 1, .stride_x = 1, .dilation_y = 1, .dilation_x = 1, .output = NPU_OUT_CLAMP };
	op->u85 = (struct npu85_op){ .enabled = 1, .weights_ifm2 = 1, .acc48 = bytes == 2 };
	*view = (struct npu_view){ 0 };
	const struct second second = draw_maps(r, a, bytes, row, op, view);
	op->u85.ofm_scale = draw_scale(r, op->ifm.depth, bytes == 1);
	draw_limits(r, bytes, op);
	view->lut = a->bytes; /* not looked at */
	return second;
}

/* The same operation with another scale in between. */
static void disturb(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct npu85_carry carry = { 0 };
	struct npu_op other = *op;

	other.u85.ofm_scale.shift ^= 1;
	(void)npu85_kernels_execute(k, &other, view, &carry);
	npu85_carry_free(&carry);
}

/* Once, and remembered or not. */
static void execute(struct bench *b, unsigned i, const struct npu_op *op, struct npu_again *a)
{
	struct npu85_carry carry = { 0 };

	const bool again = a->run && npu_kernels_again(b->kernels[i], a);
	if (!again)
		npu_again_clear(a);
	b->again += again;
	b->done += again || npu_kernels_first(b->kernels[i], op, a, &carry);
	npu85_carry_free(&carry);
}

static void compare(struct bench *b, unsigned round, const struct npu_op *op, const struct npu_view *view, struct npu_again *again[TEAMS * MOST_LEVELS])
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
		const unsigned done = b->done;
		if (!again[i])
			again[i] = npu_again_new(&fast);
		if (round % 2)
			disturb(b->kernels[i], op, &fast);
		memcpy(actual, b->arena.bytes, b->arena.used);
		execute(b, i, op, again[i]);
		cr_assert_eq(memcmp(actual, b->done > done ? b->expected : b->arena.bytes, b->arena.used), 0, "round %u level %s %u, done %u: %s", round,
			     npu_kernels_name(b->kernels[i]), i % TEAMS, b->done - done, op85_text(op, text, sizeof(text)));
	}
}

/* Several times on other data. */
static void repeat(struct bench *b, struct rng *r, unsigned round)
{
	struct npu_again *again[TEAMS * MOST_LEVELS] = { 0 };
	struct npu_op op;
	struct npu_view view;
	const struct second s = draw(r, &b->arena, b->bytes, b->row, &op, &view);
	const size_t end = s.end < b->arena.used ? s.end : b->arena.used;
	const bool quiet = b->bytes == 1 && rng_below(r, 2); /* the first time says nothing about the others */

	for (unsigned time = 0; time < TIMES; time++) {
		fill(r, &b->arena, 0, b->arena.used, false);
		fill(r, &b->arena, s.first, end, rng_below(r, 8));
		if (quiet && time == 0)
			memset(b->arena.bytes + s.first, op.ifm2.zero_point, end - s.first);
		compare(b, round, &op, &view, again);
	}
	for (unsigned i = 0; i < b->many; i++)
		npu_again_free(again[i]);
}

static void run(u8 bytes, bool row, u64 seed)
{
	const unsigned rounds = rounds_of(ROUNDS);
	struct rng r = { seed };
	struct bench b;

	bench_open(&b, bytes, row);
	for (unsigned i = 0; i < rounds && b.many; i++)
		repeat(&b, &r, i);
	const unsigned all = rounds * b.many * TIMES;
	cr_log_info("%u bytes: of %u %u done, of these %u again", bytes, all, b.done, b.again);
	cr_assert(5 * b.done >= 4 * all && 5 * b.again >= 2 * all, "%u bytes: of %u %u done, of these %u again", bytes, all, b.done, b.again);
	bench_close(&b);
}

Test(products, words)
{
	run(sizeof(i16), false, 231);
}

Test(products, bytes)
{
	run(sizeof(u8), false, 232);
}

Test(products, rows_of_bytes)
{
	run(sizeof(u8), true, 233);
}
