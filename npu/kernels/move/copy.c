/* SPDX-License-Identifier: Apache-2.0 */
/* See copy.h. The two innermost dimensions are done together: runs of bytes where one is contiguous on both sides, squares of bytes
 * where each is contiguous on one side. */
#include "npu/kernels/move/copy_few.h"

#include <string.h>

/* Whole vectors and the last 16 bytes, which may have been copied already: no call for each. */
static inline void copy_vectors(u8 *to, const u8 *from, size_t bytes)
{
	for (size_t k = 0; k + 16 < bytes; k += 16)
		memcpy(to + k, from + k, 16);
	memcpy(to + bytes - 16, from + bytes - 16, 16);
}

#define RUNS(n) \
	case n: \
		for (size_t i = 0; i < runs; i++, to += to_stride, from += from_stride) \
			memcpy(to, from, n); \
		return

/* Where the compiler knows how many bytes there are it takes one or two moves. */
void npu_copy_runs(u8 *to, i64 to_stride, const u8 *from, i64 from_stride, size_t runs, size_t bytes)
{
	switch (bytes) {
	RUNS(1); RUNS(2); RUNS(3); RUNS(4); RUNS(5); RUNS(6); RUNS(7); RUNS(8);
	RUNS(9); RUNS(10); RUNS(11); RUNS(12); RUNS(13); RUNS(14); RUNS(15); RUNS(16);
	default:
		for (size_t i = 0; i < runs; i++, to += to_stride, from += from_stride)
			if (bytes <= 512)
				copy_vectors(to, from, bytes);
			else
				memcpy(to, from, bytes);
	}
}

typedef u8 u8x16 __attribute__((vector_size(16)));
typedef u16 u16x8 __attribute__((vector_size(16)));
typedef u32 u32x4 __attribute__((vector_size(16)));
typedef u64 u64x2 __attribute__((vector_size(16)));

/* Rows r and r + 1, byte by byte in turns. */
static inline u16x8 two_rows(const u8 *from, i64 from_row)
{
	u64 a, b;

	memcpy(&a, from, sizeof(a));
	memcpy(&b, from + from_row, sizeof(b));
	return (u16x8)__builtin_shufflevector((u8x16)(u64x2){ a }, (u8x16)(u64x2){ b }, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

static inline void put_two(u8 *to, i64 to_row, u32x4 v)
{
	const u64 first = ((u64x2)v)[0], second = ((u64x2)v)[1];

	memcpy(to, &first, sizeof(first));
	memcpy(to + to_row, &second, sizeof(second));
}

/* Eight rows of eight bytes: row i, column k to row k, column i. */
static inline void square(u8 *to, i64 to_row, const u8 *from, i64 from_row)
{
#define LOW(a, b) (u32x4)__builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) (u32x4)__builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
	const u16x8 r0 = two_rows(from, from_row), r2 = two_rows(from + 2 * from_row, from_row);
	const u16x8 r4 = two_rows(from + 4 * from_row, from_row), r6 = two_rows(from + 6 * from_row, from_row);
	const u32x4 a = LOW(r0, r2), b = HIGH(r0, r2), c = LOW(r4, r6), d = HIGH(r4, r6);

	put_two(to, to_row, __builtin_shufflevector(a, c, 0, 4, 1, 5));
	put_two(to + 2 * to_row, to_row, __builtin_shufflevector(a, c, 2, 6, 3, 7));
	put_two(to + 4 * to_row, to_row, __builtin_shufflevector(b, d, 0, 4, 1, 5));
	put_two(to + 6 * to_row, to_row, __builtin_shufflevector(b, d, 2, 6, 3, 7));
#undef LOW
#undef HIGH
}

static inline u16x8 halves_at(const u8 *p)
{
	u16x8 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline void put_row(u8 *to, u64x2 v)
{
	memcpy(to, &v, sizeof(v));
}

/* The same of elements of two bytes. */
static inline void square16(u8 *to, i64 to_row, const u8 *from, i64 from_row)
{
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_PAIRS(a, b) __builtin_shufflevector((u32x4)(a), (u32x4)(b), 0, 4, 1, 5)
#define HIGH_PAIRS(a, b) __builtin_shufflevector((u32x4)(a), (u32x4)(b), 2, 6, 3, 7)
	u16x8 r[8];
	u32x4 pair[4], other[4];

	for (unsigned i = 0; i < 8; i++)
		r[i] = halves_at(from + i * from_row);
	for (unsigned i = 0; i < 2; i++) { /* columns 0 to 3 and 4 to 7 of rows 4 i to 4 i + 3 */
		const u16x8 a = LOW(r[4 * i], r[4 * i + 1]), b = LOW(r[4 * i + 2], r[4 * i + 3]);
		const u16x8 c = HIGH(r[4 * i], r[4 * i + 1]), d = HIGH(r[4 * i + 2], r[4 * i + 3]);
		pair[2 * i] = LOW_PAIRS(a, b);
		pair[2 * i + 1] = HIGH_PAIRS(a, b);
		other[2 * i] = LOW_PAIRS(c, d);
		other[2 * i + 1] = HIGH_PAIRS(c, d);
	}
	for (unsigned i = 0; i < 2; i++) {
		const u64x2 a = (u64x2)pair[i], b = (u64x2)pair[2 + i], c = (u64x2)other[i], d = (u64x2)other[2 + i];
		put_row(to + (2 * i) * to_row, __builtin_shufflevector(a, b, 0, 2));
		put_row(to + (2 * i + 1) * to_row, __builtin_shufflevector(a, b, 1, 3));
		put_row(to + (2 * i + 4) * to_row, __builtin_shufflevector(c, d, 0, 2));
		put_row(to + (2 * i + 5) * to_row, __builtin_shufflevector(c, d, 1, 3));
	}
#undef LOW
#undef HIGH
#undef LOW_PAIRS
#undef HIGH_PAIRS
}

#define EACH(T) do { \
	for (size_t r = 0; r < rows; r++, to += outer->to, from += outer->from) \
		for (size_t i = 0; i < inner->n; i++) { \
			T e_; \
			memcpy(&e_, from + (i64)i * inner->from, sizeof(e_)); \
			memcpy(to + (i64)i * inner->to, &e_, sizeof(e_)); \
		} \
	} while (0)

static void copy_each(u8 *to, const u8 *from, size_t rows, const struct npu_copy_dim *outer, const struct npu_copy_dim *inner, unsigned bytes)
{
	switch (bytes) {
	case 1: EACH(u8); return;
	case 2: EACH(u16); return;
	case 4: EACH(u32); return;
	default: EACH(u64); return;
	}
}

/* Elements of one or two bytes, which the compiler knows, whose inner dimension is contiguous at `to`, the outer one at `from`. */
static inline __attribute__((always_inline)) void squares(u8 *to, const u8 *from, size_t rows, const struct npu_copy_dim *outer,
							   const struct npu_copy_dim *inner, const unsigned bytes)
{
	struct npu_copy_dim rest = *inner;
	size_t r = 0;

	for (; r + 8 <= rows; r += 8, to += 8 * outer->to, from += 8 * bytes) {
		size_t i = 0;
		for (; i + 8 <= inner->n; i += 8)
			if (bytes == 1)
				square(to + i, outer->to, from + (i64)i * inner->from, inner->from);
			else
				square16(to + i * bytes, outer->to, from + (i64)i * inner->from, inner->from);
		rest.n = inner->n - i;
		copy_each(to + i * bytes, from + (i64)i * inner->from, 8, outer, &rest, bytes);
	}
	copy_each(to, from, rows - r, outer, inner, bytes);
}

static void copy_across(u8 *to, const u8 *from, size_t rows, const struct npu_copy_dim *outer, const struct npu_copy_dim *inner, unsigned bytes)
{
	if (bytes == 1)
		squares(to, from, rows, outer, inner, 1);
	else
		squares(to, from, rows, outer, inner, 2);
}

enum { TURNED_ROWS = 16, TURNED_COLUMNS = 128 };

/* `columns` of a few rows: channels are taken apart first, each is squares of bytes then. */
static void turn_block(const struct npu_copy_dim *dim, unsigned bytes, size_t columns, size_t rows, u8 *to, const u8 *from)
{
	u8 apart[NPU_COPY_TURNED * TURNED_ROWS * 2 * TURNED_COLUMNS * 2];
	const size_t row = columns * bytes, channel = rows * row;
	const struct npu_copy_dim lines = { dim->n, (i64)channel, bytes }, line = { columns, bytes, dim[1].from };
	const struct npu_copy_dim outer = { columns, dim[1].to, bytes }, inner = { rows, bytes, (i64)row };

	npu_copy_few(apart, (i64)row, from, dim[2].from, rows, &lines, &line, bytes);
	for (size_t c = 0; c < dim->n; c++)
		copy_across(to + (i64)c * dim->to, apart + c * channel, columns, &outer, &inner, bytes);
}

static void copy_turned(const struct npu_view *view, const struct npu_copy_dim *dim, unsigned bytes, u8 *to, const u8 *from)
{
	for (size_t r = 0, rows; r < dim[2].n && !npu_given_up(view); r += rows) {
		rows = dim[2].n - r < TURNED_ROWS ? dim[2].n - r : TURNED_ROWS;
		for (size_t x = 0, columns; x < dim[1].n; x += columns) { /* the last ones are at least a vector */
			columns = dim[1].n - x < 2 * TURNED_COLUMNS ? dim[1].n - x : TURNED_COLUMNS;
			turn_block(dim, bytes, columns, rows, to + (i64)r * dim[2].to + (i64)x * dim[1].to, from + (i64)r * dim[2].from + (i64)x * dim[1].from);
		}
	}
}

/* dim[0] around dim[1]. */
static void copy_plane(const struct npu_view *view, const struct npu_copy_dim *dim, unsigned bytes, u8 *to, const u8 *from)
{
	const struct npu_copy_dim *outer = dim, *inner = dim + 1;
	const size_t most = inner->n < NPU_COPY_AT_ONCE / 8 ? NPU_COPY_AT_ONCE / inner->n / 8 * 8 : 1;
	const bool run = inner->to == (i64)bytes && inner->from == (i64)bytes, across = bytes <= 2 && inner->to == (i64)bytes && outer->from == (i64)bytes;

	for (size_t r = 0, rows; r < outer->n && !npu_given_up(view); r += rows) {
		u8 *const t = to + (i64)r * outer->to;
		const u8 *const f = from + (i64)r * outer->from;
		rows = outer->n - r < most ? outer->n - r : most;
		if (run)
			npu_copy_runs(t, outer->to, f, outer->from, rows, inner->n * bytes);
		else if (across)
			copy_across(t, f, rows, outer, inner, bytes);
		else
			copy_each(t, f, rows, outer, inner, bytes);
	}
}

/* All but the two innermost dimensions of copy_few.h. */
static void copy_few(const struct npu_view *view, const struct npu_copy_dim *dim, unsigned dims, unsigned bytes, u8 *to, const u8 *from)
{
	const size_t one = dim[dims - 2].n * dim[dims - 1].n, most = one < NPU_COPY_AT_ONCE ? NPU_COPY_AT_ONCE / one : 1;

	if (dims > 3) {
		for (size_t i = 0; i < dim->n; i++)
			copy_few(view, dim + 1, dims - 1, bytes, to + (i64)i * dim->to, from + (i64)i * dim->from);
		return;
	}
	for (size_t i = 0, rows; i < dim->n && !npu_given_up(view); i += rows) {
		rows = dim->n - i < most ? dim->n - i : most;
		npu_copy_few(to + (i64)i * dim->to, dim->to, from + (i64)i * dim->from, dim->from, rows, dim + 1, dim + 2, bytes);
	}
}

static void copy_dims(const struct npu_view *view, const struct npu_copy_dim *dim, unsigned dims, unsigned bytes, u8 *to, const u8 *from)
{
	if (dims == 2) {
		copy_plane(view, dim, bytes, to, from);
		return;
	}
	for (size_t i = 0; i < dim->n; i++)
		copy_dims(view, dim + 1, dims - 1, bytes, to + (i64)i * dim->to, from + (i64)i * dim->from);
}

void npu_copy_planned(const struct npu_view *view, const struct npu_copy_plan *p, u8 *to, const u8 *from)
{
	if (p->whole)
		memcpy(to, from, p->whole);
	else if (p->turned)
		copy_turned(view, p->dim, p->bytes, to, from);
	else
		(p->few ? copy_few : copy_dims)(view, p->dim, p->dims, p->bytes, to, from);
}
