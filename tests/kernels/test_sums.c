/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of int32 at every host level against sums of 64 bits: of all lengths, from values so small that 32 bits are enough to
 * those where they are not, by one. Products of bytes, and their sums. Sums of weights. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random.h"

enum { ROWS = 41, MOST = 80, STEP = (MOST + 3) * 4 + 2, ROUNDS = 1500 };

/* Mostly the largest ones that n may have, all of one sign. */
static i32 value_of(struct rng *r, u32 limit, i32 sign)
{
	if (rng_one_in(r, 200))
		return (i32)rng_next(r);
	return sign * (i32)(rng_below(r, 4) ? limit : rng_below(r, limit + 1));
}

static void fill(struct rng *r, u8 *rows, i64 step, size_t n, i64 *expected)
{
	const u32 ends = ((UINT32_C(1) << 31) >> rng_below(r, 12)) / (u32)n, limit = ends - rng_below(r, 2);
	const i32 sign = rng_below(r, 2) ? 1 : -1;

	for (unsigned row = 0; row < ROWS; row++)
		for (size_t i = 0; i < n; i++) {
			const i32 v = value_of(r, limit > INT32_MAX ? INT32_MAX : limit, sign);
			memcpy(rows + row * step + i * sizeof(v), &v, sizeof(v));
			expected[row] += v;
		}
}

Test(sums, rows_of_int32_are_summed_as_in_64_bits)
{
	const struct npu_simd *levels[8];
	const unsigned count = npu_simd_list(levels);
	struct rng r = { 19 };
	static u8 rows[ROWS * STEP];

	for (unsigned round = 0; round < ROUNDS; round++) {
		const size_t n = rng_below(&r, 2) ? 16 * (1 + rng_below(&r, MOST / 16)) : 1 + rng_below(&r, MOST);
		const i64 step = (i64)n * 4 + (i64)rng_below(&r, 8);
		i64 before[ROWS], expected[ROWS];

		for (unsigned row = 0; row < ROWS; row++)
			before[row] = expected[row] = (i64)rng_next(&r);
		fill(&r, rows, step, n, expected);
		for (unsigned l = 0; l < count; l++) {
			i64 sum[ROWS];
			memcpy(sum, before, sizeof(sum));
			levels[l]->sum_rows32(rows, step, ROWS, n, sum);
			cr_assert_eq(memcmp(sum, expected, sizeof(sum)), 0, "%s: %zu values", levels[l]->name, n);
		}
	}
}

static i32 byte_of(u8 byte, bool is_signed, i32 zero)
{
	return (is_signed ? (i8)byte : byte) - zero;
}

Test(sums, rows_of_bytes_times_one_row)
{
	const struct npu_simd *levels[8];
	const unsigned count = npu_simd_list(levels);
	struct rng r = { 20 };

	for (unsigned round = 0; round < ROUNDS; round++) {
		const size_t n = 16 * (1 + rng_below(&r, NPU_PRODUCTS / 16)), rows = 1 + rng_below(&r, 5);
		const size_t a_step = n + rng_below(&r, 3), to_step = n * sizeof(i32) + rng_below(&r, 9);
		const i32 zero_a = rng_range(&r, -128, 255), zero_b = rng_range(&r, -128, 255);
		const bool signed_a = rng_below(&r, 2), signed_b = rng_below(&r, 2);
		const struct npu_products8 t = { zero_a, zero_b, signed_a, signed_b };
		static u8 a[5 * (NPU_PRODUCTS + 3)], b[NPU_PRODUCTS], expected[5 * (4 * NPU_PRODUCTS + 9)], to[sizeof(expected)];

		for (size_t i = 0; i < sizeof(a); i++)
			a[i] = (u8)rng_next(&r);
		for (size_t i = 0; i < sizeof(b); i++)
			b[i] = (u8)rng_next(&r);
		memset(expected, 0x5a, sizeof(expected));
		for (size_t row = 0; row < rows; row++)
			for (size_t i = 0; i < n; i++) {
				const i32 v = byte_of(a[row * a_step + i], t.signed_a, t.zero_a) * byte_of(b[i], t.signed_b, t.zero_b);
				memcpy(expected + row * to_step + i * sizeof(v), &v, sizeof(v));
			}
		for (unsigned l = 0; l < count; l++) {
			memset(to, 0x5a, sizeof(to));
			levels[l]->products8(&t, to, (i64)to_step, a, (i64)a_step, b, rows, n);
			cr_assert_eq(memcmp(to, expected, sizeof(to)), 0, "%s: %zu rows of %zu", levels[l]->name, rows, n);
		}
	}
}

/* At the ends of the types more often than between them. */
static u8 extreme(struct rng *r)
{
	return (u8)(rng_below(r, 3) ? rng_next(r) : 0x7f + rng_below(r, 3) * 0x40);
}

static i32 zero_of(struct rng *r, bool is_signed)
{
	return rng_below(r, 2) ? 0 : is_signed ? (i8)extreme(r) : extreme(r);
}

Test(sums, sums_of_rows_of_bytes_times_one_row)
{
	enum { MANY = 40, FURTHER = 3 };
	const struct npu_simd *levels[8];
	const unsigned count = npu_simd_list(levels);
	struct rng r = { 21 };

	for (unsigned round = 0; round < ROUNDS; round++) {
		const size_t n = 1 + rng_below(&r, rng_below(&r, 3) ? 100 : NPU_DOTS), rows = 1 + rng_below(&r, MANY), step = n + rng_below(&r, FURTHER);
		const bool signed_a = rng_below(&r, 2), signed_b = rng_below(&r, 2);
		const i32 zero_a = zero_of(&r, signed_a), zero_b = zero_of(&r, signed_b);
		const struct npu_products8 t = { zero_a, zero_b, signed_a, signed_b };
		static u8 a[MANY * (NPU_DOTS + FURTHER)], b[NPU_DOTS];
		i32 expected[MANY] = { 0 };

		for (size_t i = 0; i < sizeof(a); i++)
			a[i] = extreme(&r);
		for (size_t i = 0; i < sizeof(b); i++)
			b[i] = extreme(&r);
		for (size_t row = 0; row < rows; row++)
			for (size_t i = 0; i < n; i++)
				expected[row] += byte_of(a[row * step + i], signed_a, t.zero_a) * byte_of(b[i], signed_b, t.zero_b);
		for (unsigned l = 0; l < count; l++) {
			i32 sum[MANY] = { 0 };
			levels[l]->dots8(&t, a, (i64)step, rows, b, n, sum);
			cr_assert_eq(memcmp(sum, expected, sizeof(sum)), 0, "%s: %zu rows of %zu", levels[l]->name, rows, n);
		}
	}
}

#define MOST_WEIGHTS 65536 /* of a channel */

/* Weights of int16 of a group of channels, two of a channel side by side. */
static u64 sum_weights(const i16 *w, size_t row, i64 sum[NPU_GROUP])
{
	u64 magnitude[NPU_GROUP] = { 0 }, most = 0;

	memset(sum, 0, NPU_GROUP * sizeof(*sum));
	for (size_t i = 0; i < row * NPU_GROUP; i++) {
		const unsigned c = i / 2 % NPU_GROUP;
		sum[c] += w[i];
		magnitude[c] += (u64)(w[i] < 0 ? -w[i] : w[i]);
		most = magnitude[c] > most ? magnitude[c] : most;
	}
	return most;
}

Test(sums, weights_of_int16_and_their_magnitudes)
{
	static i16 w[MOST_WEIGHTS * NPU_GROUP];
	const struct npu_simd *levels[8];
	const unsigned count = npu_simd_list(levels);
	struct rng r = { 20 };

	for (unsigned round = 0; round < 300; round++) {
		const bool lowest = rng_one_in(&r, 4);
		const size_t row = round ? 2 * (1 + rng_below(&r, 60)) : MOST_WEIGHTS;
		i64 expected[NPU_GROUP];
		for (size_t i = 0; i < row * NPU_GROUP; i++)
			w[i] = lowest || !round ? INT16_MIN : (i16)rng_next(&r);
		const u64 most = sum_weights(w, row, expected);
		for (unsigned l = 0; l < count; l++) {
			i32 sum[NPU_GROUP];
			cr_assert_eq(levels[l]->sums_i16(w, row, sum), most, "round %u level %s row %zu", round, levels[l]->name, row);
			for (unsigned c = 0; c < NPU_GROUP; c++)
				cr_assert_eq(sum[c], expected[c], "round %u level %s row %zu channel %u", round, levels[l]->name, row, c);
		}
	}
}
