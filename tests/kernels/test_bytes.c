/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and products of bytes at every host level against the arithmetic of struct npu_rescale, element by element; tables of bytes. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/kernels/rows/rescale.h"
#include "npu/kernels/rows/rows.h"
#include "npu/kernels/rows/words.h"
#include "tests/kernels/random_narrow.h"

static i64 rescaled(const struct npu_rescale *r, i64 v)
{
	return (v * r->scale[0] + r->add[0][0] - (v < 0 ? (i64)r->negative : 0)) >> 32 >> r->shift[0];
}

static i64 operand_of(const struct npu_operand8 *o, u8 byte)
{
	const i64 v = ((o->is_signed ? (i8)byte : byte) - o->zero_point) * (i64)o->factor;

	return o->scaled ? rescaled(&o->rescale, v) : v;
}

static u8 narrowed(const struct npu_narrow8 *n, i64 v)
{
	v += n->zero_point;
	const u8 byte = (u8)(v < n->lo ? n->lo : v > n->hi ? n->hi : v);

	return n->table ? n->table[byte] : byte;
}

/* b: NULL: there is no second operand. */
static u8 sum_expected(const struct npu_add8 *s, u8 a, const u8 *b)
{
	const i64 x = operand_of(&s->a, a), y = b ? operand_of(&s->b, *b) : s->constant;

	return narrowed(&s->narrow, rescaled(&s->rescale, s->subtract && b ? x - y : x + y));
}

static u8 product_expected(const struct npu_mul8 *s, u8 a, const u8 *b)
{
	const i64 x = (s->signed_a ? (i8)a : a) - s->zero_a, y = b ? (s->signed_b ? (i8)*b : *b) - s->zero_b : s->factor;
	const i64 v = (x * y) * (1 << s->rescale.left);

	return narrowed(&s->narrow, s->scaled ? rescaled(&s->rescale, v) : v);
}

static struct npu_scale random_factor(struct rng *r, i32 shift)
{
	const u32 scale = rng_below(r, 4) ? UINT32_C(1) << 30 | rng_next(r) >> 2 : UINT32_C(1) << 30;
	const u32 less = rng_below(r, 3) ? 0 : rng_below(r, 20); /* rounding at bit 31 is coarse then */

	return (struct npu_scale){ .scale = scale >> less, .shift = (u8)(shift - (i32)less), .first = 31,
				   .round = rng_below(r, 2) ? NPU_ROUND_DBL : NPU_ROUND_NATURAL };
}

static void random_operand8(struct rng *r, struct npu_operand8 *o)
{
	*o = (struct npu_operand8){ .is_signed = rng_below(r, 2), .factor = 1 << 19 };
	o->scaled = rng_below(r, 2);
	o->zero_point = o->is_signed ? rng_range(r, INT8_MIN, INT8_MAX) : rng_range(r, 0, UINT8_MAX);
	if (o->scaled)
		cr_assert(npu_rescale_all(&o->rescale, random_factor(r, rng_range(r, 32, 33))));
}

enum { BYTES = 64 * 64 };

static const u8 *random_table(struct rng *r, u8 table[256])
{
	for (unsigned i = 0; i < 256; i++)
		table[i] = (u8)rng_next(r);
	return rng_one_in(r, 4) ? table : NULL;
}

static void random_bytes(struct rng *r, u8 *to)
{
	for (unsigned i = 0; i < BYTES; i++)
		to[i] = (u8)rng_next(r);
}

/* What a level has for rows of up to 16 bytes, bricks or others, now and then in the place of one of the operands; what lies between them stays as it is, and
 * so does all where they are refused. */
static bool sums_of_rows(struct rng *r, const struct npu_simd *simd, const struct npu_add8 *s, const u8 *a, const u8 *b)
{
	const u32 n = 1 + rng_below(r, 16), bricks = rng_below(r, 2), place = rng_below(r, 4), most = rng_below(r, 2) ? 60 : 6;
	const i64 down_a = bricks ? 16 : n + rng_below(r, 40), down_b = bricks ? 16 : n + rng_below(r, 40), apart = bricks ? 16 : n + rng_below(r, 40);
	const i64 down_to = place == 0 ? down_a : place == 1 ? down_b : apart;
	u8 stored[BYTES], expected[BYTES];
	const struct npu_words_grid g = { .a = place == 0 ? stored : a, .b = place == 1 ? stored : b, .to = stored, .down_a = down_a, .down_b = down_b, .down_to = down_to,
					  .rows = 1 + rng_below(r, most), .n = n };

	if (!simd->add8_rows)
		return false;
	if (place < 2)
		memcpy(stored, place ? b : a, sizeof(stored));
	else
		memset(stored, 0x5a, sizeof(stored));
	memcpy(expected, stored, sizeof(expected));
	const bool done = simd->add8_rows(s, &g);
	for (size_t y = 0; done && y < g.rows; y++)
		for (size_t i = 0; i < n; i++)
			expected[y * down_to + i] = sum_expected(s, a[y * down_a + i], &b[y * down_b + i]);
	for (size_t i = 0; i < sizeof(stored); i++)
		cr_assert_eq(stored[i], expected[i], "level %s: byte %zu of %zu rows of %u", simd->name, i, g.rows, n);
	return done;
}

/* Whole blocks, or a few bytes more or less. */
static size_t random_length(struct rng *r)
{
	return rng_below(r, 3) ? BYTES : 1 + rng_below(r, 200);
}

Test(bytes, sums_of_bytes)
{
	const struct npu_simd *level[8];
	unsigned levels = npu_simd_list(level), estimated = 0, rows = 0;
	struct rng r = { 79 };

	for (unsigned round = 0; round < 600; round++) {
		struct npu_add8 s = { .scaled = true, .subtract = rng_below(&r, 2) };
		static u8 a[BYTES], b[BYTES], stored[BYTES + 64], table[256];
		const bool constant = rng_one_in(&r, 5);
		const size_t n = random_length(&r);
		s.narrow = random_narrow(&r);
		s.narrow.table = random_table(&r, table);
		random_operand8(&r, &s.a);
		random_operand8(&r, &s.b);
		s.constant = rng_range(&r, -(1 << 27), 1 << 27);
		cr_assert(npu_rescale_all(&s.rescale, random_factor(&r, rng_range(&r, 48, 52))));
		npu_add8_estimate(&s);
		estimated += s.estimate;
		random_bytes(&r, a);
		random_bytes(&r, b);
		for (unsigned l = 0; l < levels && level[l]->add8; l++) {
			memset(stored, 0x5a, sizeof(stored));
			level[l]->add8(&s, a, constant ? NULL : b, n, stored);
			for (unsigned i = 0; i < n; i++)
				cr_assert_eq(stored[i], sum_expected(&s, a[i], constant ? NULL : &b[i]), "round %u level %s: %u and %u", round,
					     level[l]->name, a[i], b[i]);
			cr_assert_eq(stored[n], 0x5a);
			rows += sums_of_rows(&r, level[l], &s, a, b);
		}
	}
	cr_assert_gt(estimated, 200);
	cr_assert(!level[0]->add8_rows || rows > 150);
}

Test(bytes, products_of_bytes)
{
	const struct npu_simd *level[8];
	unsigned levels = npu_simd_list(level), estimated = 0;
	struct rng r = { 81 };

	for (unsigned round = 0; round < 600; round++) {
		struct npu_mul8 s = { .scaled = rng_below(&r, 8) };
		static u8 a[BYTES], b[BYTES], table[256];
		u8 stored[BYTES + 64];
		const bool constant = rng_one_in(&r, 4);
		const size_t n = random_length(&r);
		s.signed_a = rng_below(&r, 2);
		s.signed_b = rng_below(&r, 2);
		s.narrow = random_narrow(&r);
		s.narrow.table = random_table(&r, table);
		s.zero_a = s.signed_a ? rng_range(&r, INT8_MIN, INT8_MAX) : rng_range(&r, 0, UINT8_MAX);
		s.zero_b = s.signed_b ? rng_range(&r, INT8_MIN, INT8_MAX) : rng_range(&r, 0, UINT8_MAX);
		s.factor = rng_below(&r, 2) ? 1 : rng_range(&r, -500, 500);
		if (!npu_rescale_values(&s.rescale, random_factor(&r, rng_range(&r, constant ? 30 : 36, 42)), 1 << 17))
			continue;
		npu_mul8_limit(&s, 255 * (constant ? 500 : 255));
		estimated += s.scaled && npu_estimates(&s.rescale, &s.narrow);
		random_bytes(&r, a);
		random_bytes(&r, b);
		for (unsigned l = 0; l < levels && level[l]->mul8; l++) {
			memset(stored, 0x5a, sizeof(stored));
			level[l]->mul8(&s, a, constant ? NULL : b, n, stored);
			for (unsigned i = 0; i < n; i++)
				cr_assert_eq(stored[i], product_expected(&s, a[i], constant ? NULL : &b[i]), "round %u level %s: %u and %u", round,
					     level[l]->name, a[i], b[i]);
			cr_assert_eq(stored[n], 0x5a);
			const size_t bricks = (n + 15) / 16 * 16;
			memset(stored, 0x5a, sizeof(stored));
			level[l]->mul8_repeated(&s, a, b, bricks, stored);
			for (unsigned i = 0; i < bricks; i++)
				cr_assert_eq(stored[i], product_expected(&s, a[i], &b[i % 16]), "round %u level %s: %u and %u, repeated", round, level[l]->name, a[i],
					     b[i % 16]);
			cr_assert_eq(stored[bricks], 0x5a);
		}
	}
	cr_assert_gt(estimated, 200);
}

/* Through a table, where the bytes are or elsewhere; what lies behind them stays. */
Test(bytes, tables_of_bytes)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 83 };
	static u8 from[BYTES], right[BYTES], to[BYTES];
	u8 table[256];

	for (unsigned round = 0; round < 200; round++) {
		const size_t n = rng_below(&r, 300);
		const bool in_place = rng_below(&r, 2);
		random_table(&r, table);
		random_bytes(&r, from);
		memcpy(right, from, sizeof(right));
		for (size_t i = 0; i < n; i++)
			right[i] = table[from[i]];
		for (unsigned l = 0; l < levels; l++) {
			memcpy(to, from, sizeof(to));
			level[l]->look_up(table, in_place ? to : from, n, to);
			cr_assert_eq(memcmp(to, right, sizeof(to)), 0, "round %u level %s, %zu bytes", round, level[l]->name, n);
		}
	}
}

/* The same of some bytes of each pixel. */
Test(bytes, tables_of_pixels)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 84 };
	static u8 from[BYTES], right[BYTES], to[BYTES];
	u8 table[256];

	for (unsigned round = 0; round < 200; round++) {
		const size_t n = 1 + rng_below(&r, rng_one_in(&r, 4) ? 100 : 40), step = rng_one_in(&r, 4) ? n : n + rng_below(&r, 40);
		const size_t pixels = rng_below(&r, (u32)(BYTES / step));
		random_table(&r, table);
		random_bytes(&r, from);
		memcpy(right, from, sizeof(right));
		for (size_t p = 0; p < pixels; p++)
			for (size_t i = 0; i < n; i++)
				right[p * step + i] = table[from[p * step + i]];
		for (unsigned l = 0; l < levels; l++) {
			memcpy(to, from, sizeof(to));
			level[l]->look_up_pixels(table, to, (i64)step, pixels, n);
			cr_assert_eq(memcmp(to, right, sizeof(to)), 0, "round %u level %s, %zu pixels of %zu bytes, %zu apart", round, level[l]->name, pixels, n,
				     step);
		}
	}
}
