/* SPDX-License-Identifier: Apache-2.0 */
/* Elements, also of 8 bytes, and sums of int32 that are scaled to bytes and int16, on every level of the host that has vectors for it, against the arithmetic of the manual. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/kernels/rows/rescale.h"
#include "npu/kernels/rows/words.h"
#include "npu/kernels/simd/simd.h"
#include "npu/u85/arith.h"
#include "tests/kernels/random_parts.h"

enum { ROUNDS = 20000, ROWS = 4, MOST = 70, GAP = 8, FILL = 0x5a, ROOM = ROWS * (MOST + GAP) };

struct drawn {
	struct npu_to_narrow s;
	struct npu85_scale scale;
	i32 zero, lo, hi;
	i64 a[ROOM], b[ROOM];
	bool two;
	struct npu_words_grid g; /* whose pointers are set where it is used */
	size_t next_a, next_b, next_to; /* elements from row to row */
};

/* Whether the scale has vectors' form. */
static bool draw_scale(struct rng *r, struct drawn *d)
{
	d->scale = (struct npu85_scale){ .scale = (u32)rng_range(r, 1 << 30, INT32_MAX), .shift = (u8)rng_range(r, 24, 61), .round = (u8)rng_below(r, 6),
					 .dbl = (u8)(rng_below(r, 2) ? 0 : 31) };
	d->s.left = d->s.size >= 4 ? 0 : (u8)rng_below(r, 8);
	d->s.scaled = d->two || rng_below(r, 6);
	if (!d->s.scaled)
		d->scale = (struct npu85_scale){ .scale = UINT32_C(1) << d->s.left };
	return !d->s.scaled || npu85_rescale_signs(&d->s.signs, d->scale, d->s.left);
}

static void draw_results(struct rng *r, struct drawn *d)
{
	const bool is_unsigned = d->s.to_bytes && rng_below(r, 2);
	const i32 least = is_unsigned ? 0 : d->s.to_bytes ? INT8_MIN : INT16_MIN, most = is_unsigned ? UINT8_MAX : d->s.to_bytes ? INT8_MAX : INT16_MAX;

	d->zero = rng_range(r, -150, 150);
	d->lo = rng_below(r, 3) ? least : rng_range(r, least, most);
	d->hi = rng_below(r, 3) ? most : rng_range(r, d->lo, most);
	d->s.bytes = (struct npu_narrow8){ .zero_point = d->zero, .lo = d->lo, .hi = d->hi, .is_unsigned = is_unsigned };
	d->s.words = (struct npu_narrow16){ d->zero, d->lo, d->hi };
}

/* Of so many bits; all int32 now and then, and more than that where there are 8 bytes. */
static void draw_elements(struct rng *r, const struct drawn *d, i64 *v)
{
	const unsigned bits = d->s.size < 4 ? 8 * d->s.size : 32 - rng_below(r, 24);

	for (unsigned i = 0; i < ROOM; i++)
		v[i] = d->s.is_signed ? (i32)rng_next(r) >> (32 - bits) : (i32)(rng_next(r) >> (32 - bits));
	if (rng_one_in(r, 8) && d->s.size == 8)
		v[rng_below(r, ROOM)] = (rng_below(r, 2) ? INT64_C(1) : INT64_C(-1)) * (INT64_C(1) << rng_range(r, 30, 62)) - rng_below(r, 2);
	if (rng_one_in(r, 8) && d->s.size >= 4)
		v[rng_below(r, ROOM)] = rng_below(r, 2) ? INT32_MAX : INT32_MIN;
}

static bool draw(struct rng *r, struct drawn *d)
{
	static const u8 sizes[] = { 1, 2, 4, 4, 4, 8, 8 };

	memset(d, 0, sizeof(*d));
	d->s.size = sizes[rng_below(r, sizeof(sizes))];
	d->s.to_bytes = d->s.size == 2 || (d->s.size >= 4 && rng_below(r, 2));
	d->s.is_signed = d->s.size > 1 || rng_below(r, 2);
	d->s.zero_point = d->s.size >= 4 ? 0 : rng_range(r, -100, 100);
	d->two = d->s.size == 4 && rng_below(r, 2);
	d->s.subtract = rng_below(r, 2);
	d->g.n = NPU_GROUP + rng_below(r, MOST - NPU_GROUP + 1);
	d->g.rows = 1 + rng_below(r, ROWS);
	d->g.step_b = rng_below(r, 2) ? sizeof(i32) : 0;
	d->next_a = d->g.n + rng_below(r, GAP);
	d->next_b = rng_one_in(r, 3) ? 0 : d->g.n + rng_below(r, GAP);
	d->next_to = d->g.n + rng_below(r, GAP);
	draw_elements(r, d, d->a);
	draw_elements(r, d, d->b);
	draw_results(r, d);
	return draw_scale(r, d);
}

/* The value before it is scaled. */
static i64 value_of(const struct drawn *d, size_t row, size_t i)
{
	const i64 a = d->a[row * d->next_a + i] - (i64)d->s.zero_point;
	const i64 b = d->two ? d->b[row * d->next_b + (d->g.step_b ? i : 0)] : 0;

	return d->s.subtract ? a - b : a + b;
}

static i32 result_of(const struct drawn *d, size_t row, size_t i)
{
	const i64 v = npu85_scale_round(value_of(d, row, i), d->scale) + d->zero;

	return (i32)(v < d->lo ? d->lo : v > d->hi ? d->hi : v);
}

static bool leaves(const struct drawn *d)
{
	bool any = false;

	for (size_t row = 0; row < d->g.rows; row++)
		for (size_t i = 0; i < d->g.n; i++)
			any |= value_of(d, row, i) != (i32)value_of(d, row, i);
	return any;
}

/* Elements as they are stored. */
static void put(const i64 *v, unsigned bytes, u8 *to)
{
	for (size_t i = 0; i < ROOM; i++)
		memcpy(to + i * bytes, &v[i], bytes);
}

static void expect_results(const struct npu_simd *level, const struct drawn *d, const u8 *to)
{
	const size_t bytes = d->s.to_bytes ? sizeof(u8) : sizeof(i16);

	for (size_t row = 0; row < d->g.rows; row++)
		for (size_t i = 0; i < d->next_to; i++) {
			i32 found = 0, expected = i < d->g.n ? result_of(d, row, i) : 0x5a5a5a5a;
			memcpy(&found, to + (row * d->next_to + i) * bytes, bytes);
			cr_assert_eq(memcmp(&found, &expected, bytes), 0, "level %s: element %zu of row %zu of %zu, size %u to %zu, two %d: %d instead of %d", level->name, i, row,
				     d->g.n, d->s.size, bytes, d->two, found, expected);
		}
}

/* Returns whether there was nothing to refuse. */
static bool expect_narrowed(const struct npu_simd *level, struct drawn *d)
{
	static u8 a[ROOM * sizeof(i64)], b[ROOM * sizeof(i32)], to[ROOM * sizeof(i16)];
	const i64 bytes = d->s.to_bytes ? sizeof(u8) : sizeof(i16);
	const bool fits = (!d->two && d->s.size < 8) || !leaves(d);

	put(d->a, d->s.size, a);
	put(d->b, sizeof(i32), b);
	memset(to, FILL, sizeof(to));
	d->g.a = a;
	d->g.b = d->two ? b : NULL;
	d->g.to = to;
	d->g.down_a = (i64)d->next_a * d->s.size;
	d->g.down_b = (i64)(d->next_b * sizeof(i32));
	d->g.down_to = (i64)d->next_to * bytes;
	cr_assert_eq(level->to_narrow(&d->s, &d->g), fits, "level %s: values that leave 32 bits", level->name);
	if (fits)
		expect_results(level, d, to);
	return fits;
}

Test(narrowed, rows)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level), rounds = rounds_of(ROUNDS);
	struct drawn d;

	for (unsigned l = 0; l < levels; l++) {
		struct rng r = { 221 };
		unsigned done = 0;
		for (unsigned i = 0; level[l]->to_narrow && i < rounds; i++)
			done += draw(&r, &d) && expect_narrowed(level[l], &d);
		cr_assert(!level[l]->to_narrow || done > rounds / 2, "level %s: %u", level[l]->name, done);
	}
}
