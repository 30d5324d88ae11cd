/* SPDX-License-Identifier: Apache-2.0 */
/* Rows through tables; see tabled.h. Their kinds are told apart outside of the loops. */
#include "npu/kernels/u85/tabled.h"

#include <string.h>

enum { SEGMENTS = 512 }; /* words of a base (low half) and a slope (high half) */

#define BY_BYTE(T, index) do { \
	for (size_t i = 0; i < n; i++) { \
		T e_; \
		memcpy(&e_, table + (index) * sizeof(e_), sizeof(e_)); \
		v[i] = e_; \
	} } while (0)

/* Of 2^bits values each: base * 2^bits + slope * what lies above the segment's first value. */
static inline i64 interpolated(const u8 *table, i64 v, unsigned bits)
{
	i16 segment[2];

	memcpy(segment, table + ((u64)(v >> bits) + SEGMENTS / 2) % SEGMENTS * sizeof segment, sizeof segment);
	return (i64)segment[0] * (INT64_C(1) << bits) + segment[1] * (v & ((INT64_C(1) << bits) - 1));
}

/* The units for tanh and sigmoid hold half a curve of values up to 2^(bits + 8). */
static inline i64 curve(const u8 *table, i64 v, unsigned bits)
{
	const i64 limit = (INT64_C(1) << (bits + 8)) - 1, least = v < -limit ? -limit : v, in = least > limit ? limit : least;

	return interpolated(table, in, bits) - (in < 0);
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
		for (size_t i = 0; i < n; i++)
			v[i] = (interpolated(table, v[i], 7) + 64) >> 7;
		return;
	case NPU85_TABLE_S16_S32:
		for (size_t i = 0; i < n; i++)
			v[i] = interpolated(table, v[i], 7);
		return;
	case NPU85_TABLE_TANH:
		for (size_t i = 0; i < n; i++)
			v[i] = clipped(op, (curve(table, v[i], 8) + 128) >> 8);
		return;
	case NPU85_TABLE_SIGMOID:
		for (size_t i = 0; i < n; i++)
			v[i] = clipped(op, ((curve(table, v[i], 9) + 512) >> 10) + 16384);
		return;
	default:
		return;
	}
}
