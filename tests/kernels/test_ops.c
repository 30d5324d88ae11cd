/* SPDX-License-Identifier: Apache-2.0 */
/* Every host level against the generic path over random operations: all of memory must be
 * equal afterwards, so stray writes show as well. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/exec.h"
#include "npu/kernels/private.h"
#include "npu/kernels/simd/simd.h"
#include "npu/kernels/team.h"
#include "npu/kernels/weights/weights.h"
#include "tests/kernels/model_level.h"
#include "tests/kernels/one_kernel.h"
#include "tests/kernels/random_op.h"

#define MAX_LEVELS 9

/* One product at every host level, the best of them also with three threads; the arena has memory before the operation. */
struct bench {
	const struct npu_config *config;
	struct arena arena;
	u8 *expected, *actual;
	struct npu_kernels *fast[MAX_LEVELS];
	unsigned levels;
	unsigned wraps; /* operations whose sums did */
};

static void bench_open(struct bench *b, const char *accelerator)
{
	const struct npu_simd *simd[MAX_LEVELS];

	*b = (struct bench) {
		.config = npu_config_find(accelerator),
		.arena = { .bytes = malloc(ARENA_BYTES), .used = ARENA_BYTES },
		.expected = malloc(ARENA_BYTES),
		.actual = malloc(ARENA_BYTES),
		.levels = npu_simd_list(simd),
	};
	for (unsigned l = 0; l < b->levels; l++)
		b->fast[l] = npu_kernels_new(b->config, simd[l]->name);
	b->fast[b->levels] = npu_kernels_new(b->config, NULL);
	b->fast[b->levels++]->team = npu_team_new(3, 1);
	b->fast[b->levels] = model_level_kernels(b->config);
	b->levels += b->fast[b->levels] != NULL;
}

static void bench_close(struct bench *b)
{
	for (unsigned l = 0; l < b->levels; l++)
		npu_kernels_free(b->fast[l]);
	free(b->arena.bytes);
	free(b->expected);
	free(b->actual);
}

/* The operation on the generic path and at every level, from the arena's memory; whether the kernels
 * took it. */
static bool compare(struct bench *b, unsigned round, const struct npu_op *op, const struct npu_view *view)
{
	const size_t used = b->arena.used;
	struct npu_view slow_view = view_moved(view, b->arena.bytes, b->expected);
	struct npu_exec e = { .config = b->config, .op = op, .view = &slow_view };
	bool mine = false;
	char text[512];

	memcpy(b->expected, b->arena.bytes, used);
	enum npu_exec_status status = npu_exec_op(&e);
	for (unsigned l = 0; l < b->levels; l++) {
		struct npu_view v = view_moved(view, b->arena.bytes, b->actual);
		memcpy(b->actual, b->arena.bytes, used);
		mine = npu_kernels_execute(b->fast[l], op, &v);
		const u8 *right = mine ? b->expected : b->arena.bytes;
		if (mine)
			cr_assert_eq(status, NPU_EXEC_OK, "kind %d round %u: %s", op->kind, round,
				     op_text(op, text, sizeof(text)));
		cr_assert_eq(memcmp(b->actual, right, used), 0, "kind %d round %u level %s mine %d: %s", op->kind,
			     round, npu_kernels_name(b->fast[l]), mine, op_text(op, text, sizeof(text)));
		cr_assert(!mine || e.wraps == 0 || one_kernel_is_idle(op, &slow_view), "kind %d round %u: wraps", op->kind, round);
		b->wraps += mine && e.wraps;
	}
	return mine;
}

static void run(enum npu_kind kind, unsigned rounds, u64 seed, unsigned least_percent)
{
	static const char *const names[] = { "ethos-u55-32", "ethos-u55-128", "ethos-u65-512" };
	struct rng r = { seed };
	unsigned mine = 0;

	rounds = rounds_of(rounds);
	for (unsigned n = 0; n < ARRAY_LEN(names); n++) {
		struct bench b;

		bench_open(&b, names[n]);
		for (unsigned i = 0; i < rounds; i++) {
			struct npu_op op;
			struct npu_view view;
			random_op(&r, b.config, kind, &b.arena, &op, &view);
			mine += compare(&b, i, &op, &view);
		}
		bench_close(&b);
	}
	/* else the test compares the generic path with itself */
	cr_log_info("kind %d: %u of %u by the kernels", kind, mine, rounds * 3);
	cr_assert_gt(mine * 100, rounds * 3 * least_percent, "only %u of %u", mine, rounds * 3);
}

/* Whether the host's matrix unit would be worth it. */
static bool is_for_tiles(const struct npu_op *op)
{
	return !op->upscale && op->ifm.bytes == 1 && op->ofm.bytes == 1 && op->ifm.depth * op->kernel_h * op->kernel_w >= 512 && op->ofm.depth > 16 &&
	       op->ofm.width * op->ofm.height >= 7;
}

Test(ops, convolution_by_tiles)
{
	const unsigned rounds = rounds_of(60);
	struct rng r = { 77 };
	struct bench b;

	bench_open(&b, "ethos-u55-128");
	for (unsigned i = 0; i < rounds; i++) {
		struct npu_op op;
		struct npu_view view;
		do
			random_op(&r, b.config, NPU_CONV, &b.arena, &op, &view);
		while (!is_for_tiles(&op));
		compare(&b, i, &op, &view);
	}
	bench_close(&b);
	cr_log_info("%lu products by tiles", model_level_products());
	cr_assert(!npu_simd_find("vnni") || model_level_products() > rounds / 3, "%lu", model_level_products());
}

/* Convolutions and depthwises that are wanted, changed by `change` if there is one; returns how many the kernels took. */
static unsigned draw(struct bench *b, struct rng *r, unsigned rounds, bool (*is_wanted)(const struct npu_op *op),
		     void (*change)(struct rng *r, struct bench *b, struct npu_op *op, const struct npu_view *view))
{
	static const enum npu_kind kinds[] = { NPU_CONV, NPU_DEPTHWISE };
	unsigned mine = 0;

	for (unsigned i = 0; i < rounds; i++) {
		struct npu_op op;
		struct npu_view view;
		do
			random_op(r, b->config, kinds[i % ARRAY_LEN(kinds)], &b->arena, &op, &view);
		while (!is_wanted(&op));
		if (change)
			change(r, b, &op, &view);
		mine += compare(b, i, &op, &view);
	}
	cr_log_info("%u of %u by the kernels", mine, rounds);
	return mine;
}

static bool is_raw(const struct npu_op *op)
{
	return op->output == NPU_OUT_RAW32;
}

/* Scaled sums that something else is added to, as a compiler makes them of a transposed convolution. */
Test(ops, results_of_int32)
{
	const unsigned rounds = rounds_of(300);
	struct rng r = { 78 };
	struct bench b;

	bench_open(&b, "ethos-u55-128");
	cr_expect_gt(draw(&b, &r, rounds, is_raw, NULL), rounds / 2);
	bench_close(&b);
}

static void put_constants(struct bench *b, const struct npu_view *view, u32 channel, i64 bias, u32 scale, u8 shift)
{
	u8 *const record = b->arena.bytes + (view->scales[0] - b->arena.bytes) + (size_t)channel * 10;

	memcpy(record, &bias, 5);
	memcpy(record + 5, &scale, sizeof(scale));
	record[9] = shift;
}

static bool has_channels_of_bytes(const struct npu_op *op)
{
	return op->per_channel && op->ifm.bytes == 1;
}

/* Some channels get a bias at the end of what there is, and scales that leave nothing of their sums, which may wrap. */
static void make_idle(struct rng *r, struct bench *b, struct npu_op *op, const struct npu_view *view)
{
	for (u32 c = 0; c < op->ofm.depth; c++) {
		const i32 bias = rng_below(r, 2) ? INT32_MAX : -INT32_MAX;
		const u32 scale = rng_below(r, 2) ? 0 : rng_below(r, 1 << 20);
		if (c == 0 || !rng_below(r, 3))
			put_constants(b, view, c, bias, scale, scale ? 63 : 16);
	}
}

Test(ops, channels_that_do_not_matter)
{
	const unsigned rounds = rounds_of(300);
	struct rng r = { 79 };
	struct bench b;

	bench_open(&b, "ethos-u55-128");
	cr_expect_gt(draw(&b, &r, rounds, has_channels_of_bytes, make_idle), rounds / 2);
	bench_close(&b);
	cr_log_info("%u with sums that wrap", b.wraps);
	cr_expect_gt(b.wraps, rounds / 8);
}

static bool has_channels(const struct npu_op *op)
{
	return op->per_channel;
}

/* Scales of a half and more beside smaller ones, which are rounded in another way, channels that are always 0 or below it; mostly behind a ReLU, which does
 * not tell values below 0 apart. */
static void mix_scales(struct rng *r, struct bench *b, struct npu_op *op, const struct npu_view *view)
{
	const i32 least = rng_range(r, 28, 32), most = rng_below(r, 2) ? 34 : 45;

	for (u32 c = 0; c < op->ofm.depth; c++) {
		const i64 bias = rng_one_in(r, 6) ? rng_range(r, -3 * (1 << 29), -(1 << 29)) : rng_range(r, -3000, 3000);
		const u8 shift = rng_one_in(r, 10) ? 63 : (u8)rng_range(r, least, most);
		put_constants(b, view, c, bias, (u32)rng_range(r, 1 << 30, INT32_MAX), shift);
	}
	if (rng_below(r, 4)) {
		op->output = NPU_OUT_CLAMP;
		op->lo = op->ofm.zero_point > op->lo ? op->ofm.zero_point : op->lo;
		op->hi = op->hi < op->lo ? op->lo : op->hi;
	}
}

Test(ops, mixed_scales)
{
	static const char *const accelerators[] = { "ethos-u55-128", "ethos-u65-256" };
	const unsigned rounds = rounds_of(300);
	struct rng r = { 83 };

	for (unsigned a = 0; a < ARRAY_LEN(accelerators); a++) {
		struct bench b;
		bench_open(&b, accelerators[a]);
		cr_expect_gt(draw(&b, &r, rounds, has_channels, mix_scales), rounds / 2);
		bench_close(&b);
	}
}

/* Its tables hold vectors: compilers load them with instructions that fault elsewhere. */
Test(ops, memory_is_aligned)
{
	struct npu_kernels *k[3];

	for (unsigned i = 0; i < ARRAY_LEN(k); i++) {
		k[i] = npu_kernels_new(npu_config_find("ethos-u55-128"), NULL);
		cr_expect_eq((uintptr_t)k[i] % _Alignof(struct npu_kernels), 0);
	}
	for (unsigned i = 0; i < ARRAY_LEN(k); i++)
		npu_kernels_free(k[i]);
}

Test(ops, stored_pieces_are_aligned)
{
	static const size_t sizes[] = { 1, 448, 70000, 300000, 1 << 20, 40 << 20 };
	struct npu_store s = { 0 };

	for (unsigned i = 0; i < ARRAY_LEN(sizes); i++) {
		u8 *p = npu_store_take(&s, sizes[i]);
		cr_assert_not_null(p);
		cr_expect_eq((uintptr_t)p % 64, 0, "%zu bytes", sizes[i]);
		cr_expect(!p[0] && !p[sizes[i] - 1]);
		memset(p, 0xa5, sizes[i]);
	}
	npu_store_clear(&s);
}

/* A slice of n equal weights: index 255 and what `offset` adds to it, sign in bit 0. */
static u32 constant_stream(u64 n, u32 offset, u8 *out)
{
	const u64 header = 6 | (n - 1) << 3 | UINT64_C(7) << 18 | UINT64_C(1) << 22 | (u64)offset << 23 | UINT64_C(6) << 33;
	const u32 bytes = (u32)(n + 32) / 16 * 16;

	memset(out, 0xff, bytes); /* the weights, and the end behind them */
	memcpy(out, &header, 4);
	out[4] = (u8)(0xf0 | header >> 32);
	return bytes;
}

static void plain_map(struct npu_fm *fm, u32 h, u32 w, u32 c)
{
	*fm = (struct npu_fm){ .stride_y = (i64)w * c * 2, .stride_x = (i64)c * 2, .stride_c = 2, .height = h, .width = w, .depth = c,
			       .width0 = w, .height0 = h, .height1 = h, .bytes = 2, .is_signed = 1, .used = 1 };
}

/* Of channel c, a record of the scale stream: 2^14 + c and a shift of 31 + c, so that some results are clamped and some are not, or 31 bits of scale for the same. */
static void put_scale(u8 *record, u32 c, bool long_scales)
{
	const u32 scale = long_scales ? UINT32_C(0x400000ff) + 3 * c : UINT32_C(0x4000) + c;

	memset(record, 0, 10);
	memcpy(record + 5, &scale, sizeof(scale));
	record[9] = (u8)((long_scales ? 47 : 31) + c);
}

/* Equal int16 elements and equal weights: sums that 32 bits do not hold, and parts of them as large as parts can be. */
static bool compare_equal(struct bench *b, enum npu_kind kind, u32 taps, u32 depth, i16 element, u32 offset, bool long_scales, u8 round)
{
	const u32 h = taps + 2, w = taps + 3, outputs = kind == NPU_CONV ? 6 : depth;
	struct npu_op op = { .kind = kind, .kernel_h = taps, .kernel_w = taps, .stride_y = 1, .stride_x = 1, .dilation_y = 1,
			     .dilation_x = 1, .up_height = h, .up_width = w, .cores = 1, .block_d = 8, .per_channel = 1, .acc_bits = 40,
			     .ofm_scale = { .round = round, .first = 31 }, .output = NPU_OUT_CLAMP, .lo = INT16_MIN, .hi = INT16_MAX };
	struct npu_view view = { 0 };

	b->arena.used = 0;
	plain_map(&op.ifm, h, w, depth);
	plain_map(&op.ofm, 3, 4, outputs);
	const size_t ifm = arena_take(&b->arena, h * w * depth * 2 + 64), ofm = arena_take(&b->arena, 3 * 4 * outputs * 2 + 64);
	const size_t scales = arena_take(&b->arena, 64), weights = arena_take(&b->arena, 65536);
	for (size_t i = 0; i < (size_t)h * w * depth; i++)
		memcpy(b->arena.bytes + ifm + 2 * i, &element, 2);
	for (u32 c = 0; c < op.ofm.depth; c++)
		put_scale(b->arena.bytes + scales + 10 * c, c, long_scales);
	const struct npu_weights_shape shape = npu_weights_shape_of(&op, 0, b->config->ofm_ublock_d);
	op.weights[0] = (struct npu_bytes){ weights, constant_stream(npu_weights_stream_count(&shape), offset, b->arena.bytes + weights) };
	op.scales[0] = (struct npu_bytes){ scales, 64 };
	view.ifm[0] = b->arena.bytes + ifm;
	view.ofm[0] = b->arena.bytes + ofm;
	view.weights[0] = b->arena.bytes + weights;
	view.scales[0] = b->arena.bytes + scales;
	view.lut = b->arena.bytes + arena_take(&b->arena, NPU_LUT_BYTES);
	return compare(b, taps * depth, &op, &view);
}

Test(ops, large_depthwise_of_int16_as_large_as_it_can_be)
{
	struct bench b;

	bench_open(&b, "ethos-u55-128");
	for (u32 taps = 11; taps <= 60; taps += 7)
		for (u32 offset = 0; offset < 3; offset++)
			for (u32 depth = 5; depth <= 6; depth++) {
				cr_assert(compare_equal(&b, NPU_DEPTHWISE, taps, depth, INT16_MIN, offset, false, NPU_ROUND_NATURAL), "%u %u", taps, offset);
				cr_assert(compare_equal(&b, NPU_DEPTHWISE, taps, depth, INT16_MAX, offset, false, NPU_ROUND_NATURAL), "%u %u", taps, offset);
			}
	bench_close(&b);
}

Test(ops, sums_of_int16_as_large_as_they_can_be)
{
	static const u32 depths[] = { 16, 480, 496, 500, 512, 528, 1000, 2304 };
	struct bench b;

	bench_open(&b, "ethos-u55-128");
	for (unsigned i = 0; i < ARRAY_LEN(depths); i++)
		for (unsigned taps = 1; taps <= 2; taps++)
			for (u32 offset = 0; offset < 3 && depths[i] * taps * taps <= 4000; offset++) { /* -127, 128, -128 */
				cr_assert(compare_equal(&b, NPU_CONV, taps, depths[i], INT16_MIN, offset, false, NPU_ROUND_NATURAL), "%u %u", depths[i], offset);
				cr_assert(compare_equal(&b, NPU_CONV, taps, depths[i], INT16_MAX, offset, false, NPU_ROUND_NATURAL), "%u %u", depths[i], offset);
			}
	bench_close(&b);
}

/* Products of sums and scales leave 64 bits. */
Test(ops, sums_of_int16_by_scales_of_31_bits)
{
	static const u32 depths[] = { 1000, 2304, 4000 };
	struct bench b;

	bench_open(&b, "ethos-u55-128");
	for (unsigned i = 0; i < 2 * ARRAY_LEN(depths); i++)
		for (u32 offset = 0; offset < 3; offset++) {
			const u8 round = i % 2 ? NPU_ROUND_NATURAL : NPU_ROUND_DBL;
			cr_assert(compare_equal(&b, NPU_CONV, 1, depths[i / 2], INT16_MIN, offset, true, round), "%u %u", depths[i / 2], offset);
			cr_assert(compare_equal(&b, NPU_CONV, 1, depths[i / 2], INT16_MAX, offset, true, round), "%u %u", depths[i / 2], offset);
		}
	bench_close(&b);
}

/* Decoded weights are kept from run to run; the guest may change the streams under them. */
Test(ops, weights_changed_in_memory)
{
	struct bench b;
	struct rng r = { 15 };
	unsigned changed = 0;

	bench_open(&b, "ethos-u55-128");
	for (unsigned i = 0; i < rounds_of(30); i++) {
		struct npu_op op;
		struct npu_view view;
		random_op(&r, b.config, i % 2 ? NPU_CONV : NPU_DEPTHWISE, &b.arena, &op, &view);
		for (unsigned k = 0; k < 4; k++) {
			u32 at = (u32)op.weights[0].addr + rng_below(&r, op.weights[0].length);
			changed += compare(&b, i, &op, &view);
			b.arena.bytes[at] ^= (u8)(1u << rng_below(&r, 8));
		}
	}
	cr_assert_gt(changed, 40);
	bench_close(&b);
}

/* The weights of a view in a copy of the arena that never changes. */
static void weights_fixed(struct npu_view *v, const struct npu_op *op, const struct npu_view *view, const u8 *from,
			  u8 *fixed, bool room_behind)
{
	for (unsigned core = 0; core < op->cores; core++) {
		size_t at = (size_t)(view->weights[core] - from);
		v->weights[core] = fixed + at;
		v->constant[core] = room_behind ? ARENA_BYTES - at : op->weights[core].length;
	}
}

/* Streams that never change are not copied but read where they lie, and known by their address: each lies
 * in memory of its own until the end. */
Test(ops, weights_in_constant_memory)
{
	struct bench b;
	struct rng r = { 16 };
	u8 *fixed[60];

	bench_open(&b, "ethos-u65-512");
	struct npu_kernels *constant = npu_kernels_new(b.config, NULL), *usual = npu_kernels_new(b.config, NULL);
	for (unsigned i = 0; i < ARRAY_LEN(fixed); i++) {
		struct npu_op op;
		struct npu_view view;
		random_op(&r, b.config, i % 2 ? NPU_CONV : NPU_DEPTHWISE, &b.arena, &op, &view);
		fixed[i] = malloc(ARENA_BYTES);
		memcpy(fixed[i], b.arena.bytes, ARENA_BYTES);
		for (unsigned again = 0; again < 3; again++) {
			struct npu_view slow = view_moved(&view, b.arena.bytes, b.expected);
			struct npu_view fast = view_moved(&view, b.arena.bytes, b.actual);
			/* too few bytes behind every third: copied all the same */
			weights_fixed(&fast, &op, &view, b.arena.bytes, fixed[i], i % 3);
			memcpy(b.expected, b.arena.bytes, ARENA_BYTES);
			memcpy(b.actual, b.arena.bytes, ARENA_BYTES);
			cr_assert_eq(npu_kernels_execute(constant, &op, &fast), npu_kernels_execute(usual, &op, &slow));
			cr_assert_eq(memcmp(b.actual, b.expected, ARENA_BYTES), 0, "round %u", i);
		}
	}
	npu_kernels_free(constant);
	npu_kernels_free(usual);
	for (unsigned i = 0; i < ARRAY_LEN(fixed); i++)
		free(fixed[i]);
	bench_close(&b);
}

Test(ops, convolution)
{
	run(NPU_CONV, 150, 11, 60);
}

Test(ops, depthwise)
{
	run(NPU_DEPTHWISE, 200, 12, 60);
}

Test(ops, pool)
{
	run(NPU_POOL, 300, 13, 40);
}

Test(ops, elementwise)
{
	run(NPU_ELEMENTWISE, 400, 14, 60);
}
