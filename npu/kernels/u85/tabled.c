/* SPDX-License-Identifier: Apache-2.0 */
/* Rows through tables; see tabled.h. Their kinds are told apart outside of the loops. */
#include "npu/kernels/u85/tabled.h"

#include <string.h>

#include "npu/kernels/rows/tabled.h"
#include "npu/kernels/rows/walk.h"

enum { SEGMENTS = 512 }; /* words of a base (low half) and a slope (high half) */

#define BY_BYTE(T, index) do { \
	for (size_t i = 0; i < n; i++) { \
		T e_; \
		memcpy(&e_, table + (index) * sizeof(e_), sizeof(e_)); \
		v[i] = e_; \
	} } while (0)

/* Segments of 2^bits values each: base * 2^bits + slope * what lies above the segment's first value. n at most NPU_ROW. */
static void interpolate(const u8 *table, i64 *v, size_t n, unsigned bits)
{
	const i64 above = (INT64_C(1) << bits) - 1;
	i32 at[NPU_ROW];

	for (size_t i = 0; i < n; i++)
		at[i] = (i32)(((u64)(v[i] >> bits) + SEGMENTS / 2) % SEGMENTS);
	npu_row_words(table, at, n);
	for (size_t i = 0; i < n; i++)
		v[i] = (i64)(i16)at[i] * (INT64_C(1) << bits) + (at[i] >> 16) * (v[i] & above);
}

/* The units for tanh and sigmoid hold half a curve of values up to 2^(bits + 8). */
static void curve(const u8 *table, i64 *v, size_t n, unsigned bits)
{
	const i64 limit = (INT64_C(1) << (bits + 8)) - 1;
	bool negative[NPU_ROW];

	for (size_t i = 0; i < n; i++) {
		const i64 least = v[i] < -limit ? -limit : v[i];
		v[i] = least > limit ? limit : least;
		negative[i] = v[i] < 0;
	}
	interpolate(table, v, n, bits);
	for (size_t i = 0; i < n; i++)
		v[i] -= negative[i];
}

/* The same in 32 bits. */
static void interpolate32(const u8 *table, i32 *v, size_t n, unsigned bits)
{
	const i32 above = (1 << bits) - 1;
	i32 at[NPU_ROW];

	for (size_t i = 0; i < n; i++)
		at[i] = (i32)(((u32)(v[i] >> bits) + SEGMENTS / 2) % SEGMENTS);
	npu_row_words(table, at, n);
	for (size_t i = 0; i < n; i++)
		v[i] = (i16)at[i] * (1 << bits) + (at[i] >> 16) * (v[i] & above);
}

static void curve32(const u8 *table, i32 *v, size_t n, unsigned bits)
{
	const i32 limit = (1 << (bits + 8)) - 1;
	i32 sign[NPU_ROW];

	for (size_t i = 0; i < n; i++) {
		const i32 least = v[i] < -limit ? -limit : v[i];
		v[i] = least > limit ? limit : least;
		sign[i] = v[i] >> 31;
	}
	interpolate32(table, v, n, bits);
	for (size_t i = 0; i < n; i++)
		v[i] += sign[i];
}

bool npu85_row_curves(const struct npu_op *op)
{
	const u8 table = op->u85.table;

	return table == NPU85_TABLE_S16_S16 || table == NPU85_TABLE_TANH || table == NPU85_TABLE_SIGMOID;
}

void npu85_row_tabled32(const struct npu_op *op, const u8 *table, i32 *v, size_t n)
{
	const bool sigmoid = op->u85.table == NPU85_TABLE_SIGMOID;
	const i32 half = sigmoid ? 512 : 128, more = sigmoid ? 16384 : 0;
	const i32 lo = op->u85.clip_off ? INT32_MIN : op->lo, hi = op->u85.clip_off ? INT32_MAX : op->hi;
	const unsigned shift = sigmoid ? 10 : 8;

	if (op->u85.table == NPU85_TABLE_S16_S16) {
		interpolate32(table, v, n, 7);
		for (size_t i = 0; i < n; i++)
			v[i] = (v[i] + 64) >> 7;
		return;
	}
	curve32(table, v, n, sigmoid ? 9 : 8);
	for (size_t i = 0; i < n; i++) {
		const i32 r = ((v[i] + half) >> shift) + more, least = r < lo ? lo : r;
		v[i] = least > hi ? hi : least;
	}
}

static inline i64 clipped(const struct npu_op *op, i64 v)
{
	const i64 low = v < op->lo ? op->lo : v;

	return op->u85.clip_off ? v : low > op->hi ? op->hi : low;
}

void npu85_row_tabled(const struct npu_op *op, const u8 *table, i64 *v, size_t n)
{
	switch (op->u85.table) {
	case NPU85_TABLE_U8_U8: BY_BYTE(u8, (u8)v[i]); return;
	case NPU85_TABLE_S8_S8: BY_BYTE(i8, (u8)(v[i] ^ 128)); return;
	case NPU85_TABLE_S8_S16: BY_BYTE(i16, (u8)(v[i] ^ 128)); return;
	case NPU85_TABLE_S8_S32: BY_BYTE(i32, (u8)(v[i] ^ 128)); return;
	case NPU85_TABLE_S16_S16:
		interpolate(table, v, n, 7);
		for (size_t i = 0; i < n; i++)
			v[i] = (v[i] + 64) >> 7;
		return;
	case NPU85_TABLE_S16_S32:
		interpolate(table, v, n, 7);
		return;
	case NPU85_TABLE_TANH:
		curve(table, v, n, 8);
		for (size_t i = 0; i < n; i++)
			v[i] = clipped(op, (v[i] + 128) >> 8);
		return;
	case NPU85_TABLE_SIGMOID:
		curve(table, v, n, 9);
		for (size_t i = 0; i < n; i++)
			v[i] = clipped(op, ((v[i] + 512) >> 10) + 16384);
		return;
	default:
		return;
	}
}
