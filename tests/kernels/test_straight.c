/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of leaky ReLU as two straight lines: what levels compute is what the table has, and tables that are none are not taken for some. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "npu/kernels/rows/straight.h"
#include "tests/kernels/random.h"

enum { ROUNDS = 2000, BYTES = 300 };

/* Slopes up to 4; results are limited to bytes. */
static void leaky_table(struct rng *r, u8 table[256], i32 from)
{
	const double above = rng_below(r, 2) ? 1 : 4.0 * rng_below(r, 65536) / 65536, below = 2.0 * rng_range(r, -65536, 65536) / 65536;
	const i32 to = rng_range(r, INT8_MIN, INT8_MAX);

	for (i32 v = INT8_MIN; v <= INT8_MAX; v++) {
		const double y = to + floor((v - from) * (v < from ? below : above) + 0.5);
		table[(u8)v] = (u8)(i8)(y < INT8_MIN ? INT8_MIN : y > INT8_MAX ? INT8_MAX : y);
	}
}

static void check(struct rng *r, const struct npu_straight *s, const u8 table[256], unsigned round)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	u8 from[BYTES], right[BYTES], to[BYTES];
	const size_t n = rng_below(r, 2) ? 256 : rng_below(r, BYTES);

	for (unsigned i = 0; i < BYTES; i++) {
		from[i] = n == 256 ? (u8)i : (u8)rng_next(r);
		right[i] = i < n ? table[from[i]] : from[i];
	}
	for (unsigned l = 0; l < levels; l++) {
		if (!level[l]->straight)
			continue;
		memcpy(to, from, sizeof(to));
		level[l]->straight(s, rng_below(r, 2) ? to : from, n, to);
		cr_assert_eq(memcmp(to, right, sizeof(to)), 0, "round %u level %s, %zu bytes", round, level[l]->name, n);
	}
}

Test(straight, lines_are_what_the_table_has)
{
	struct rng r = { 92 };
	unsigned found = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct npu_straight s;
		u8 table[256];
		const i32 from = rng_range(&r, INT8_MIN, INT8_MAX);
		leaky_table(&r, table, from);
		if (!npu_straight_find(&s, table, from))
			continue;
		found++;
		check(&r, &s, table, i);
	}
	cr_log_info("%u of %u", found, ROUNDS);
	cr_assert_gt(found, ROUNDS / 2);
}

/* Lines that one entry is off may still be some; then they give it. */
Test(straight, entries_that_are_off)
{
	struct rng r = { 93 };
	unsigned refused = 0, all = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct npu_straight s;
		u8 table[256];
		const i32 from = rng_range(&r, INT8_MIN, INT8_MAX);
		leaky_table(&r, table, from);
		if (!npu_straight_find(&s, table, from))
			continue;
		all++;
		table[rng_below(&r, 256)] ^= (u8)(1u << rng_below(&r, 8));
		if (npu_straight_find(&s, table, from))
			check(&r, &s, table, i);
		else
			refused++;
	}
	cr_assert_gt(refused, all / 2);
	cr_assert(!npu_straight_find(&(struct npu_straight){ 0 }, (const u8[256]){ 0 }, INT8_MAX + 1));
}
