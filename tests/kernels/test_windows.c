/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of so many int16 that sums have 31 or 32 bits, and extremes of as many, at every host level against the generic path; where the largest elements of rows lie. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/exec.h"
#include "npu/kernels/kernels.h"
#include "npu/kernels/simd/simd.h"
#include "npu/u85/u85.h"
#include "tests/kernels/random.h"

enum { SIDE = 256, MOST = SIDE * SIDE, RESULTS = 256 };

struct rig {
	const struct npu_config *config;
	struct npu_op op;
	i16 *map;
	u8 lut[NPU_LUT_BYTES];
};

static void map_init(struct npu_fm *fm, u32 h, u32 w, u32 c)
{
	*fm = (struct npu_fm){ .stride_y = (i64)w * c * 2, .stride_x = (i64)c * 2, .stride_c = 2, .height = h, .width = w, .depth = c,
			       .width0 = w, .height0 = h, .height1 = h, .bytes = 2, .is_signed = 1, .used = 1 };
}

/* A window of as much of the map as there is, or with some places for it and padding; all elements at one end, at both or anywhere. */
static void draw(struct rng *r, struct rig *t)
{
	const u32 depth = rng_below(r, 2) ? 1 : 1 + rng_below(r, 18), most = MOST / depth;
	const u32 h = rng_one_in(r, 4) ? 1 + rng_below(r, 40) : 100 + rng_below(r, SIDE - 99), w = most / h < SIDE - 1 ? most / h : SIDE - 1;
	const bool one = rng_below(r, 2);
	const u32 less = one ? 0 : rng_below(r, h < w ? (h < 4 ? h : 4) : w < 4 ? w : 4), pad = one ? 0 : rng_below(r, 2);
	const unsigned kind = rng_below(r, 4);

	t->op = (struct npu_op){ .kind = NPU_POOL, .kernel_h = h - less, .kernel_w = w - less, .stride_y = 1, .stride_x = 1, .dilation_y = 1, .dilation_x = 1,
				 .pad_top = (u8)pad, .pad_left = (u8)pad, .pad_bottom = (u8)pad, .pad_right = (u8)pad, .up_height = h, .up_width = w, .cores = 1,
				 .block_d = 8, .acc_bits = 40, .output = NPU_OUT_CLAMP, .lo = INT16_MIN, .hi = INT16_MAX };
	map_init(&t->op.ifm, h, w, depth);
	map_init(&t->op.ofm, less + 1 + 2 * pad, less + 1 + 2 * pad, depth);
	t->op.ifm.zero_point = rng_below(r, 3) ? 0 : rng_range(r, -2000, 2000);
	for (u32 i = 0; i < MOST; i++)
		t->map[i] = kind == 0 ? INT16_MIN : kind == 1 ? INT16_MAX : kind == 2 ? (i16)rng_next(r) : rng_one_in(r, 9) ? 5 : INT16_MIN;
}

/* What leaves 32 bits without its zero point, or nearly. */
static void draw_largest(struct rng *r, struct rig *t)
{
	const bool negative = rng_below(r, 2);

	map_init(&t->op.ifm, SIDE - 1, SIDE - 1, 1);
	map_init(&t->op.ofm, 1, 1, 1);
	t->op.kernel_h = t->op.kernel_w = t->op.up_height = t->op.up_width = SIDE - 1;
	t->op.pad_top = t->op.pad_left = t->op.pad_bottom = t->op.pad_right = 0;
	t->op.ifm.zero_point = (negative ? 1 : -1) * (i32)rng_below(r, 2001);
	for (u32 i = 0; i < MOST; i++)
		t->map[i] = negative ? INT16_MIN : INT16_MAX;
}

/* So that results have about 16 bits. */
static void draw_scale(struct rng *r, struct rig *t)
{
	const u32 taps = (u32)t->op.kernel_h * t->op.kernel_w, log = 31 - (u32)__builtin_clz(taps);
	const u32 half = (u32)rng_range(r, 1 << 30, INT32_MAX), scale = half << rng_below(r, 2);

	t->op.ofm_scale = (struct npu_scale){ .scale = scale, .shift = (u8)(31 + log), .first = 31, .round = (u8)rng_below(r, 2) };
	t->op.u85.ofm_scale = (struct npu85_scale){ .scale = scale, .shift = (u8)(31 + log), .round = (u8)rng_below(r, 6) };
	t->op.u85.clip_signed = 1;
}

/* Whether the kernels took it. */
static bool compare(struct rig *t, bool is_u85, struct npu_kernels *kernels, const i16 *right, i16 *out, size_t bytes)
{
	struct npu_view view = { .ifm = { (u8 *)t->map }, .ofm = { (u8 *)out }, .lut = t->lut };
	struct npu85_carry carry = { 0 };

	memset(out, 0x5a, bytes);
	const bool mine = is_u85 ? npu85_kernels_execute(kernels, &t->op, &view, &carry) : npu_kernels_execute(kernels, &t->op, &view);
	if (mine)
		cr_assert_eq(memcmp(out, right, bytes), 0, "%s, %ux%ux%u under %ux%u, mode %u: %d, not %d", npu_kernels_name(kernels), t->op.ifm.height,
			     t->op.ifm.width, t->op.ifm.depth, t->op.kernel_h, t->op.kernel_w, t->op.mode, out[0], right[0]);
	npu85_carry_free(&carry);
	return mine;
}

static void generic(struct rig *t, bool is_u85, i16 *right, size_t bytes)
{
	struct npu_view view = { .ifm = { (u8 *)t->map }, .ofm = { (u8 *)right }, .lut = t->lut };
	struct npu_exec e = { .config = t->config, .op = &t->op, .view = &view };
	struct npu85_carry carry = { 0 };

	memset(right, 0x5a, bytes);
	cr_assert_eq(is_u85 ? npu85_exec(&e, &carry) : npu_exec_op(&e), NPU_EXEC_OK);
	npu85_carry_free(&carry);
}

static void run(const char *accelerator, bool is_u85)
{
	static const u8 on_u85[] = { NPU_POOL_SUM, NPU_POOL_AVERAGE, NPU_POOL_SUM, NPU_POOL_AVERAGE, NPU_POOL_MAX, NPU_POOL_MIN };
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct npu_kernels *kernels[8];
	struct rig t = { .config = npu_config_find(accelerator), .map = malloc(MOST * sizeof(i16)) };
	struct rng r = { 61 };
	unsigned mine = 0, all = 0;

	for (unsigned l = 0; l < levels; l++)
		kernels[l] = npu_kernels_new(t.config, level[l]->name);
	for (unsigned round = 0; round < 40; round++) {
		i16 right[RESULTS * 18], out[RESULTS * 18];
		draw(&r, &t);
		if (rng_one_in(&r, 4))
			draw_largest(&r, &t);
		draw_scale(&r, &t);
		t.op.mode = is_u85 ? on_u85[rng_below(&r, ARRAY_LEN(on_u85))] : NPU_POOL_AVERAGE;
		t.op.divide_by_count = !is_u85 && rng_below(&r, 2);
		generic(&t, is_u85, right, sizeof(right));
		for (unsigned l = 0; l < levels; l++, all++)
			mine += compare(&t, is_u85, kernels[l], right, out, sizeof(right));
	}
	for (unsigned l = 0; l < levels; l++)
		npu_kernels_free(kernels[l]);
	free(t.map);
	cr_assert_gt(mine * 4, all * 3, "only %u of %u", mine, all);
}

Test(windows, of_many_int16)
{
	run("ethos-u55-128", false);
}

Test(windows, of_many_int16_on_u85)
{
	run("ethos-u85-256", true);
}

/* Few different elements, so that there are several largest ones, or any. */
static void draw_row(struct rng *r, unsigned bytes, bool is_signed, u32 n, u8 *row)
{
	const u32 different = rng_below(r, 2) ? 3 : 1u << (8 * bytes);
	const i32 least = is_signed ? -(1 << (8 * bytes - 1)) : 0;

	for (u32 i = 0; i < n; i++) {
		const i32 e = least + (i32)(rng_below(r, 2) ? rng_below(r, different) : (1u << (8 * bytes)) - 1 - rng_below(r, different));
		memcpy(row + i * bytes, &e, bytes);
	}
}

static i32 element(const u8 *row, unsigned bytes, bool is_signed, u32 i)
{
	const i32 e = bytes == 1 ? row[i] : row[2 * i] | row[2 * i + 1] << 8;

	return is_signed ? (i32)((u32)e << (32 - 8 * bytes)) >> (32 - 8 * bytes) : e;
}

Test(windows, places)
{
	enum { ROWS = 3, LONGEST = 200 };
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 62 };

	for (unsigned round = 0; round < 3000; round++) {
		const unsigned bytes = 1 + rng_below(&r, 2), n = 1 + rng_below(&r, LONGEST);
		const bool is_signed = rng_below(&r, 2);
		const size_t step = (size_t)n * bytes;
		u8 *const map = malloc(ROWS * step); /* nothing behind it may be read */
		i32 most[ROWS], best[ROWS];
		u32 place[ROWS], first[ROWS] = { 0 };

		for (unsigned k = 0; k < ROWS; k++) {
			u8 *const row = map + k * step;
			draw_row(&r, bytes, is_signed, n, row);
			best[k] = element(row, bytes, is_signed, 0);
			for (u32 i = 1; i < n; i++)
				if (element(row, bytes, is_signed, i) > best[k])
					best[k] = element(row, bytes, is_signed, first[k] = i);
		}
		for (unsigned l = 0; l < levels; l++) {
			if (!level[l]->places)
				continue;
			level[l]->places(bytes, is_signed, map, (i64)step, ROWS, n, most, place);
			cr_assert(memcmp(most, best, sizeof(best)) == 0 && memcmp(place, first, sizeof(first)) == 0, "%s, round %u: %u of %u bytes, signed %d", level[l]->name, round, n, bytes, is_signed);
		}
		free(map);
	}
}
