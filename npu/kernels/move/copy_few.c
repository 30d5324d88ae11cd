/* SPDX-License-Identifier: Apache-2.0 */
/* See copy_few.h. Lines are done by vectors; the last one ends where the line does, so that some elements are copied twice. */
#include "npu/kernels/move/copy_few.h"

#include <string.h>

#define VECTOR 16 /* bytes */

typedef u8 u8x16 __attribute__((vector_size(VECTOR)));
typedef u16 u16x8 __attribute__((vector_size(VECTOR)));
typedef u32 u32x4 __attribute__((vector_size(VECTOR)));

static inline u8x16 get(const u8 *p)
{
	u8x16 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline void put(u8 *p, u8x16 v)
{
	memcpy(p, &v, sizeof(v));
}

#define SHUFFLE(T, a, b, ...) (u8x16)__builtin_shufflevector((T)(a), (T)(b), __VA_ARGS__)

/* Elements of *a and *b in turns: those of the first vector of two, and of the second. */
static inline __attribute__((always_inline)) void zip(u8x16 *a, u8x16 *b, const unsigned bytes)
{
	const u8x16 x = *a, y = *b;

	if (bytes == 1) {
		*a = SHUFFLE(u8x16, x, y, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
		*b = SHUFFLE(u8x16, x, y, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
	} else if (bytes == 2) {
		*a = SHUFFLE(u16x8, x, y, 0, 8, 1, 9, 2, 10, 3, 11);
		*b = SHUFFLE(u16x8, x, y, 4, 12, 5, 13, 6, 14, 7, 15);
	} else {
		*a = SHUFFLE(u32x4, x, y, 0, 4, 1, 5);
		*b = SHUFFLE(u32x4, x, y, 2, 6, 3, 7);
	}
}

/* The other way round. */
static inline __attribute__((always_inline)) void unzip(u8x16 *a, u8x16 *b, const unsigned bytes)
{
	const u8x16 x = *a, y = *b;

	if (bytes == 1) {
		*a = SHUFFLE(u8x16, x, y, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
		*b = SHUFFLE(u8x16, x, y, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
	} else if (bytes == 2) {
		*a = SHUFFLE(u16x8, x, y, 0, 2, 4, 6, 8, 10, 12, 14);
		*b = SHUFFLE(u16x8, x, y, 1, 3, 5, 7, 9, 11, 13, 15);
	} else {
		*a = SHUFFLE(u32x4, x, y, 0, 2, 4, 6);
		*b = SHUFFLE(u32x4, x, y, 1, 3, 5, 7);
	}
}

/* One vector of each line. */
static inline __attribute__((always_inline)) void together(u8 *to, const u8 *from, i64 apart, const unsigned lines, const unsigned bytes)
{
	u8x16 v[4];

	for (unsigned i = 0; i < lines; i++)
		v[i] = get(from + (i64)i * apart);
	if (lines == 4) {
		zip(&v[0], &v[2], bytes);
		zip(&v[1], &v[3], bytes);
		zip(&v[0], &v[1], bytes);
		zip(&v[2], &v[3], bytes);
	} else {
		zip(&v[0], &v[1], bytes);
	}
	for (unsigned i = 0; i < lines; i++)
		put(to + i * VECTOR, v[i]);
}

static inline __attribute__((always_inline)) void asunder(u8 *to, i64 apart, const u8 *from, const unsigned lines, const unsigned bytes)
{
	u8x16 v[4];

	for (unsigned i = 0; i < lines; i++)
		v[i] = get(from + i * VECTOR);
	if (lines == 4) {
		unzip(&v[0], &v[1], bytes);
		unzip(&v[2], &v[3], bytes);
		unzip(&v[0], &v[2], bytes);
		unzip(&v[1], &v[3], bytes);
	} else {
		unzip(&v[0], &v[1], bytes);
	}
	for (unsigned i = 0; i < lines; i++)
		put(to + (i64)i * apart, v[i]);
}

/* What is done, all of which the compiler knows. */
struct few {
	unsigned lines, bytes;
	bool together;
};

struct rows {
	u8 *to;
	const u8 *from;
	i64 to_row, from_row, apart;
	size_t rows, n;
};

static inline __attribute__((always_inline)) void vector(const struct rows *r, u8 *to, const u8 *from, size_t i, const struct few f)
{
	if (f.together)
		together(to + i * f.lines * f.bytes, from + i * f.bytes, r->apart, f.lines, f.bytes);
	else
		asunder(to + i * f.bytes, r->apart, from + i * f.lines * f.bytes, f.lines, f.bytes);
}

static inline __attribute__((always_inline)) void all_rows(const struct rows *r, const struct few f)
{
	const size_t step = VECTOR / f.bytes, last = r->n - step;
	u8 *to = r->to;
	const u8 *from = r->from;

	for (size_t row = 0; row < r->rows; row++, to += r->to_row, from += r->from_row) {
		for (size_t i = 0; i < last; i += step)
			vector(r, to, from, i, f);
		vector(r, to, from, last, f);
	}
}

static bool is_together(const struct npu_copy_dim *lines, const struct npu_copy_dim *line, unsigned bytes)
{
	return lines->to == (i64)bytes && line->from == (i64)bytes && line->to == (i64)(lines->n * bytes);
}

static bool is_asunder(const struct npu_copy_dim *lines, const struct npu_copy_dim *line, unsigned bytes)
{
	return lines->from == (i64)bytes && line->to == (i64)bytes && line->from == (i64)(lines->n * bytes);
}

bool npu_copy_is_few(const struct npu_copy_dim *lines, const struct npu_copy_dim *line, unsigned bytes)
{
	return (lines->n == 2 || lines->n == 4) && bytes <= 4 && line->n >= VECTOR / bytes && (is_together(lines, line, bytes) || is_asunder(lines, line, bytes));
}

#define BY_BYTES(lines_, together_) do { \
	if (bytes == 1) \
		all_rows(&r, (struct few){ lines_, 1, together_ }); \
	else if (bytes == 2) \
		all_rows(&r, (struct few){ lines_, 2, together_ }); \
	else \
		all_rows(&r, (struct few){ lines_, 4, together_ }); \
	} while (0)

void npu_copy_few(u8 *to, i64 to_row, const u8 *from, i64 from_row, size_t rows, const struct npu_copy_dim *lines, const struct npu_copy_dim *line,
		  unsigned bytes)
{
	const bool joined = is_together(lines, line, bytes);
	const struct rows r = { to, from, to_row, from_row, joined ? lines->from : lines->to, rows, line->n };

	if (joined && lines->n == 2)
		BY_BYTES(2, true);
	else if (joined)
		BY_BYTES(4, true);
	else if (lines->n == 2)
		BY_BYTES(2, false);
	else
		BY_BYTES(4, false);
}
