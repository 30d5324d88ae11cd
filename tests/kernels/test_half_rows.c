/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of int16 of any length, at a place of their own or where an operand is, at every host level: sums, differences, products, elements alone and
 * through a table, against the formulas; what lies beside the rows stays. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/arith.h"
#include "npu/kernels/rows/halves.h"
#include "npu/kernels/rows/rescale.h"
#include "npu/u85/arith.h"
#include "tests/kernels/random_parts.h"

enum { ROUNDS = 20000, ROWS = 4, MOST = 70, GAP = 8, ROOM = ROWS * (MOST + GAP), PIECES = 512 };

enum kind { SUM, DIFFERENCE, PRODUCT, ALONE, TABLED, KINDS };

struct drawn {
	enum kind kind;
	struct npu85_scale scale;
	struct npu_rescale rescale;
	i32 zero_a, zero_b, up_a, up_b; /* factors of sums' operands */
	bool plain, scaled, one;        /* one: the second operand has one element a row, or is none */
	struct npu_narrow16 narrow;
	i32 word[PIECES];
	size_t n, rows, next;           /* elements from row to row */
	i16 a[ROOM], b[ROOM];
};

static bool draw_scale(struct rng *r, struct drawn *d)
{
	static const u8 round[] = { NPU85_NATURAL, NPU85_DOUBLE_SYMMETRIC, NPU85_DOUBLE_ASYMMETRIC };

	d->scaled = d->kind == PRODUCT || rng_below(r, 4);
	d->scale = (struct npu85_scale){ .scale = 1 };
	if (!d->scaled)
		return true;
	d->scale = (struct npu85_scale){ .scale = (u32)rng_range(r, 1 << 30, INT32_MAX), .shift = (u8)rng_range(r, 32, 46), .round = round[rng_below(r, 3)] };
	return npu85_rescale_all(&d->rescale, d->scale, 0);
}

static bool draw(struct rng *r, struct drawn *d)
{
	d->kind = (enum kind)rng_below(r, KINDS);
	d->plain = rng_below(r, 2);
	d->zero_a = d->plain || d->kind == TABLED ? 0 : rng_range(r, -300, 300);
	d->zero_b = d->plain ? 0 : rng_range(r, -300, 300);
	d->up_a = d->plain ? 1 << rng_below(r, 12) : rng_range(r, 1, 5000);
	d->up_b = d->plain ? 1 << rng_below(r, 12) : rng_range(r, 1, 5000);
	d->one = d->kind >= ALONE || rng_one_in(r, 4);
	d->narrow = (struct npu_narrow16){ rng_range(r, -200, 200), rng_below(r, 2) ? INT16_MIN : rng_range(r, INT16_MIN, 0), rng_below(r, 2) ? INT16_MAX : rng_range(r, 0, INT16_MAX) };
	d->n = d->kind <= DIFFERENCE ? NPU_GROUP + rng_below(r, MOST - NPU_GROUP + 1) : 1 + rng_below(r, MOST);
	d->rows = 1 + rng_below(r, ROWS);
	d->next = d->n + rng_below(r, GAP);
	for (unsigned i = 0; i < ROOM; i++) {
		d->a[i] = (i16)rng_next(r);
		d->b[i] = (i16)rng_next(r);
	}
	for (unsigned i = 0; i < PIECES; i++)
		d->word[i] = (i32)rng_next(r);
	return draw_scale(r, d);
}

/* Of element i of a row that begins at `at`. */
static i16 result_of(const struct drawn *d, size_t at, size_t i)
{
	const i64 a = d->a[at + i] - (i64)d->zero_a, b = d->b[at + (d->one ? 0 : i)] - (i64)d->zero_b;
	const i32 word = d->word[(d->a[at + i] >> 7) + PIECES / 2];

	switch (d->kind) {
	case TABLED: return (i16)(((i16)word * 128 + (word >> 16) * (d->a[at + i] & 127) + 64) >> 7);
	case SUM: return (i16)npu_clamp(npu85_scale_round(a * d->up_a + b * d->up_b, d->scale) + d->narrow.zero_point, d->narrow.lo, d->narrow.hi);
	case DIFFERENCE: return (i16)npu_clamp(npu85_scale_round(a * d->up_a - b * d->up_b, d->scale) + d->narrow.zero_point, d->narrow.lo, d->narrow.hi);
	case PRODUCT: return (i16)npu_clamp(npu85_scale_round(a * b, d->scale) + d->narrow.zero_point, d->narrow.lo, d->narrow.hi);
	default: return (i16)npu_clamp(npu85_scale_round(a, d->scale) + d->narrow.zero_point, d->narrow.lo, d->narrow.hi);
	}
}

static void run_sum(const struct npu_simd *level, const struct drawn *d, const struct npu_words_grid *g)
{
	const struct npu_add16 s = {
		.a = { .zero_point = d->zero_a, .factor = d->up_a, .is_signed = true }, .b = { .zero_point = d->zero_b, .factor = d->up_b, .is_signed = true },
		.subtract = d->kind == DIFFERENCE, .scaled = d->scaled, .rescale = d->rescale, .narrow = d->narrow,
	};

	level->add16(&s, g);
}

static void run_product(const struct npu_simd *level, const struct drawn *d, const struct npu_words_grid *g)
{
	const struct npu_mul16 m = { .zero_a = d->zero_a, .zero_b = d->zero_b, .scale = { .factor = 1, .scaled = true, .rescale = d->rescale }, .narrow = d->narrow };

	level->mul16(&m, g);
}

static void run_unary(const struct npu_simd *level, const struct drawn *d, const struct npu_words_grid *g)
{
	struct npu_unary16 u = { .zero_point = d->zero_a, .up = { .factor = 1, .scaled = d->scaled, .rescale = d->rescale }, .narrow = d->narrow };
	u8 bytes[NPU_CURVE_BYTES];

	if (d->kind == TABLED)
		npu_unary16_pieces(&u, d->word, true);
	if (d->kind == TABLED && level->curve_bytes && d->rows % 2 && level->curve_bytes(&u.curve, bytes))
		u.curve.bytes = bytes;
	level->unary16(&u, g);
}

/* Where results go: to a place of their own, on the first operand, or on the second one. */
static void expect_rows(const struct npu_simd *level, const struct drawn *d, unsigned place)
{
	i16 a[ROOM], b[ROOM], own[ROOM] = { 0 }, *const to = place == 0 ? own : place == 1 ? a : b;
	const i16 *const before = place == 0 ? own : place == 1 ? d->a : d->b;
	const i64 down = (i64)(d->next * sizeof(i16));
	const struct npu_words_grid g = { .a = (u8 *)a, .b = d->kind < ALONE ? (u8 *)b : NULL, .to = (u8 *)to, .down_a = down, .down_b = down, .down_to = down,
					  .step_b = d->one ? 0 : sizeof(i16), .rows = d->rows, .n = d->n };
	i16 expected[ROOM];

	memcpy(expected, before, sizeof(expected));
	memcpy(a, d->a, sizeof(a));
	memcpy(b, d->b, sizeof(b));
	for (size_t row = 0; row < d->rows; row++)
		for (size_t i = 0; i < d->n; i++)
			expected[row * d->next + i] = result_of(d, row * d->next, i);
	if (d->kind <= DIFFERENCE)
		run_sum(level, d, &g);
	else if (d->kind == PRODUCT)
		run_product(level, d, &g);
	else
		run_unary(level, d, &g);
	for (size_t i = 0; i < ROOM; i++)
		cr_assert_eq(to[i], expected[i], "level %s, kind %d at place %u: element %zu of rows of %zu, %zu apart: %d instead of %d", level->name, d->kind, place, i, d->n,
			     d->next, to[i], expected[i]);
}

Test(half_rows, lengths_and_places)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level), rounds = rounds_of(ROUNDS);
	static struct drawn d;

	for (unsigned l = 0; l < levels; l++) {
		struct rng r = { 231 };
		unsigned done = 0;
		for (unsigned i = 0; level[l]->add16 && i < rounds; i++) {
			if (!draw(&r, &d))
				continue;
			expect_rows(level[l], &d, rng_below(&r, d.one ? 2 : 3));
			done++;
		}
		cr_assert(!level[l]->add16 || done > rounds / 2, "level %s: %u", level[l]->name, done);
	}
}
