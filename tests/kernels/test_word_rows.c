/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of int32 (npu/kernels/rows/words.h) as hosts without AVX2 have them, against the same in 64 bits one by one: operands, limits and distances at
 * their ends, which random operations seldom have. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/arith.h"
#include "npu/kernels/rows/rows.h"
#include "npu/kernels/rows/words.h"
#include "tests/kernels/random_parts.h"

#define ROWS 3
#define MOST 48 /* elements of a row */

static i32 at_ends(struct rng *r)
{
	static const i32 ends[] = { INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 1, INT32_MAX, 30, 31, 32 };
	const i32 word = (i32)rng_next(r), bits = (i32)rng_below(r, 32);

	return rng_below(r, 3) ? word >> bits : ends[rng_below(r, ARRAY_LEN(ends))];
}

static i64 bits_of(u8 mode, i64 x, i64 y)
{
	const unsigned s = (unsigned)npu_clamp(y, 0, 31);

	switch (mode) {
	case NPU_EW_SHL: return (i32)((u32)x << s);
	case NPU_EW_CLZ: return x ? __builtin_clz((u32)x) : 32;
	default: return y > 31 ? 0 : s ? (x + (INT64_C(1) << (s - 1))) >> s : x;
	}
}

static i64 result_of(const struct npu_words *w, i64 a, i64 b)
{
	const i64 x = w->swap ? b : a, y = w->swap ? a : b;

	switch (w->mode) {
	case NPU_EW_MUL: return (x * y + (x * y < 0 ? w->minus : w->plus)) >> w->shift;
	case NPU_EW_ADD: return (x + y + w->plus) >> w->shift;
	case NPU_EW_SUB: return (x - y + w->plus) >> w->shift;
	case NPU_EW_MIN: return x < y ? x : y;
	case NPU_EW_MAX: return x > y ? x : y;
	default: return bits_of(w->mode, x, y);
	}
}

static struct npu_words random_words(struct rng *r)
{
	static const u8 modes[] = { NPU_EW_MUL, NPU_EW_MUL, NPU_EW_ADD, NPU_EW_SUB, NPU_EW_MIN, NPU_EW_MAX, NPU_EW_SHR, NPU_EW_SHL, NPU_EW_CLZ };
	static const u8 rounds[] = { NPU_ROUND_DBL, NPU_ROUND_TRUNCATE, NPU_ROUND_NATURAL };
	struct npu_op op = { .ofm.bytes = (u8)(1u << rng_below(r, 3)) };
	struct npu_words w = { .mode = modes[rng_below(r, ARRAY_LEN(modes))] };
	const i32 zero = rng_below(r, 2) ? 0 : rng_range(r, -200, 200);

	do {
		op.lo = at_ends(r);
		op.hi = at_ends(r);
		if (op.lo > op.hi || rng_one_in(r, 3)) {
			op.lo = INT32_MIN;
			op.hi = INT32_MAX;
		}
	} while (!npu_words_output(&w, &op, zero, rng_below(r, 4) != 0));
	if (w.mode == NPU_EW_MUL && rng_below(r, 4)) {
		w.shift = (u8)rng_range(r, 1, 61);
		npu_rounding_of((struct npu_scale){ .scale = 1, .shift = w.shift, .first = 31, .round = rounds[rng_below(r, ARRAY_LEN(rounds))] }, &w.plus, &w.minus);
	}
	if ((w.mode == NPU_EW_ADD || w.mode == NPU_EW_SUB) && rng_below(r, 2)) {
		w.shift = (u8)rng_range(r, w.mode == NPU_EW_SUB ? 2 : 1, 31);
		w.plus = w.minus = INT64_C(1) << (w.shift - 1);
	}
	w.swap = (w.mode == NPU_EW_SUB || w.mode == NPU_EW_SHR || w.mode == NPU_EW_SHL) && rng_one_in(r, 2);
	return w;
}

static void compare(const struct npu_words *w, const i32 *a, const i32 *b, bool each, size_t n, const u8 *to, unsigned round)
{
	for (size_t i = 0; i < n; i++) {
		const i32 y = each ? b[i] : *b;
		const i64 v = npu_clamp(result_of(w, a[i], y), w->lo, w->hi) + w->zero;
		cr_assert_eq(memcmp(to + i * w->bytes, &v, w->bytes), 0, "round %u: mode %u swap %d shift %u of %d and %d", round, w->mode, w->swap, w->shift, a[i], y);
	}
}

/* Whole bricks, rows and what is shorter; with a second operand each, one for a row and one for all. */
Test(word_rows, ends)
{
	static const size_t lengths[] = { 1, 5, 16, 16, 33, MOST };
	struct rng r = { 134 };
	unsigned grids = 0;

	for (unsigned round = 0; round < rounds_of(20000); round++) {
		const struct npu_words w = random_words(&r);
		const size_t n = lengths[rng_below(&r, ARRAY_LEN(lengths))];
		const bool each = rng_below(&r, 2), beside = rng_below(&r, 2);
		i32 a[ROWS][MOST], b[ROWS][MOST];
		u8 to[ROWS][MOST * sizeof(i32)] = { { 0 } };
		for (unsigned i = 0; i < ROWS * MOST; i++) {
			a[i / MOST][i % MOST] = at_ends(&r);
			b[i / MOST][i % MOST] = at_ends(&r);
		}
		const i64 down = beside ? (i64)(n * w.bytes) : (i64)sizeof(*to);
		const struct npu_words_grid g = { .a = (const u8 *)a, .b = (const u8 *)b, .to = *to, .down_a = sizeof(*a), .down_b = sizeof(*b), .down_to = down,
						  .step_b = each ? sizeof(i32) : 0, .rows = ROWS, .n = n };
		const bool grid = npu_words_rows(&w, &g);
		grids += grid;
		for (unsigned k = 0; k < ROWS; k++) {
			if (!grid)
				npu_words_row(&w, (const u8 *)a[k], (const u8 *)b[k], g.step_b, n, *to + k * down);
			compare(&w, a[k], b[k], each, n, *to + k * down, round);
		}
	}
	cr_assert_gt(grids, rounds_of(20000) / 2);
}
