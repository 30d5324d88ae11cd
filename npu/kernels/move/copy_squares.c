/* SPDX-License-Identifier: Apache-2.0 */
/* See copy_squares.h. Squares of eight by eight elements; the last ones end where the dimensions do, so that some elements are copied twice. Of fewer
 * columns only these are read and written; of fewer rows eight are read. */
#include "npu/kernels/move/copy_squares.h"

#include <string.h>

enum { SIDE = 8, LEAST = 12 }; /* elements that two short dimensions have */

#define INLINE static inline __attribute__((always_inline))

typedef u8 u8x16 __attribute__((vector_size(16)));
typedef u16 u16x8 __attribute__((vector_size(16)));
typedef u32 u32x4 __attribute__((vector_size(16)));
typedef u64 u64x2 __attribute__((vector_size(16)));

#define LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_PAIRS(a, b) __builtin_shufflevector((u32x4)(a), (u32x4)(b), 0, 4, 1, 5)
#define HIGH_PAIRS(a, b) __builtin_shufflevector((u32x4)(a), (u32x4)(b), 2, 6, 3, 7)

/* Where elements of a column are read, and those of a row written. */
struct place {
	u8 *to;
	const u8 *from;
	i64 to_row, from_column;
};

/* The first `size` bytes of v, 2 to 16, which the compiler knows. */
INLINE void put(u8 *to, u64x2 v, const unsigned size)
{
	const unsigned behind = 8 * (size % 8);
	const u64 low = v[0];

	if (size == 16) {
		memcpy(to, &v, 16);
	} else if (size >= 8) {
		const u64 high = low >> behind | v[1] << (64 - behind) % 64;
		memcpy(to, &low, 8);
		memcpy(to + size - 8, &high, size > 8 ? 8 : 0);
	} else if (size >= 4) {
		const u32 high = (u32)(low >> (behind - 32));
		memcpy(to, &low, 4);
		memcpy(to + size - 4, &high, size > 4 ? 4 : 0);
	} else {
		const u16 high = (u16)(low >> (behind - 16));
		memcpy(to, &low, 2);
		memcpy(to + size - 2, &high, size > 2 ? 2 : 0);
	}
}

/* Eight bytes of columns i and i + 1 in turns. */
INLINE u16x8 two_columns(const struct place *p, const unsigned i, const unsigned columns)
{
	u64 a = 0, b = 0;

	if (i < columns)
		memcpy(&a, p->from + i * p->from_column, sizeof(a));
	if (i + 1 < columns)
		memcpy(&b, p->from + (i + 1) * p->from_column, sizeof(b));
	return (u16x8)__builtin_shufflevector((u8x16)(u64x2){ a }, (u8x16)(u64x2){ b }, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

/* The lower and the upper half of v. */
#define BOTH(i, v) \
	ROW(i, v); \
	ROW(i + 1, ((u64x2){ (v)[1] }))

INLINE void square_of_bytes(const struct place *p, size_t rows, const unsigned columns)
{
#define ROW(i, v) if (rows > (i)) put(p->to + (i) * p->to_row, v, columns)
	const u16x8 c0 = two_columns(p, 0, columns), c2 = two_columns(p, 2, columns), c4 = two_columns(p, 4, columns), c6 = two_columns(p, 6, columns);
	const u32x4 a = (u32x4)LOW(c0, c2), b = (u32x4)HIGH(c0, c2), c = (u32x4)LOW(c4, c6), d = (u32x4)HIGH(c4, c6);
	const u64x2 r0 = (u64x2)LOW_PAIRS(a, c), r2 = (u64x2)HIGH_PAIRS(a, c), r4 = (u64x2)LOW_PAIRS(b, d), r6 = (u64x2)HIGH_PAIRS(b, d);

	BOTH(0, r0);
	BOTH(2, r2);
	BOTH(4, r4);
	BOTH(6, r6);
#undef ROW
}

INLINE u16x8 column_of_halves(const struct place *p, const unsigned i, const unsigned columns)
{
	u16x8 v = { 0 };

	if (i < columns)
		memcpy(&v, p->from + i * p->from_column, sizeof(v));
	return v;
}

/* Four columns: rows 0 and 1, 2 and 3 and so on. */
INLINE void four_columns(const struct place *p, const unsigned i, const unsigned columns, u32x4 two[4])
{
	const u16x8 c0 = column_of_halves(p, i, columns), c1 = column_of_halves(p, i + 1, columns);
	const u16x8 c2 = column_of_halves(p, i + 2, columns), c3 = column_of_halves(p, i + 3, columns);
	const u16x8 a = LOW(c0, c1), b = LOW(c2, c3), c = HIGH(c0, c1), d = HIGH(c2, c3);

	two[0] = LOW_PAIRS(a, b);
	two[1] = HIGH_PAIRS(a, b);
	two[2] = LOW_PAIRS(c, d);
	two[3] = HIGH_PAIRS(c, d);
}

INLINE void square_of_halves(const struct place *p, size_t rows, const unsigned columns)
{
#define ROW(i, v) if (rows > (i)) put(p->to + (i) * p->to_row, v, 2 * columns)
#define TWO(i) \
	ROW(2 * (i), __builtin_shufflevector((u64x2)left[i], (u64x2)right[i], 0, 2)); \
	ROW(2 * (i) + 1, __builtin_shufflevector((u64x2)left[i], (u64x2)right[i], 1, 3))
	u32x4 left[4], right[4];

	four_columns(p, 0, columns, left);
	four_columns(p, 4, columns, right);
	TWO(0);
	TWO(1);
	TWO(2);
	TWO(3);
#undef TWO
#undef ROW
}

INLINE u32x4 four_words(const struct place *p, const unsigned row, const unsigned column, const unsigned columns)
{
	u32x4 v = { 0 };

	if (column < columns)
		memcpy(&v, p->from + column * p->from_column + row * sizeof(u32), sizeof(v));
	return v;
}

/* Four rows and up to four columns. */
INLINE void quarter_of_words(const struct place *p, size_t rows, const unsigned columns, const unsigned row, const unsigned column)
{
	const unsigned some = columns - column < 4 ? columns - column : 4;
	const u32x4 c0 = four_words(p, row, column, columns), c1 = four_words(p, row, column + 1, columns);
	const u32x4 c2 = four_words(p, row, column + 2, columns), c3 = four_words(p, row, column + 3, columns);
	const u64x2 a = (u64x2)LOW_PAIRS(c0, c1), b = (u64x2)LOW_PAIRS(c2, c3), c = (u64x2)HIGH_PAIRS(c0, c1), d = (u64x2)HIGH_PAIRS(c2, c3);

#define ROW(i, v) if (rows > row + (i)) put(p->to + (row + (i)) * p->to_row + column * sizeof(u32), v, some * sizeof(u32))
	ROW(0, __builtin_shufflevector(a, b, 0, 2));
	ROW(1, __builtin_shufflevector(a, b, 1, 3));
	ROW(2, __builtin_shufflevector(c, d, 0, 2));
	ROW(3, __builtin_shufflevector(c, d, 1, 3));
#undef ROW
}

INLINE void square_of_words(const struct place *p, size_t rows, const unsigned columns)
{
	quarter_of_words(p, rows, columns, 0, 0);
	quarter_of_words(p, rows, columns, 4, 0);
	if (columns > 4) {
		quarter_of_words(p, rows, columns, 0, 4);
		quarter_of_words(p, rows, columns, 4, 4);
	}
}

INLINE void square(const struct place *p, size_t rows, const unsigned columns, const unsigned bytes)
{
	if (bytes == 1)
		square_of_bytes(p, rows, columns);
	else if (bytes == 2)
		square_of_halves(p, rows, columns);
	else
		square_of_words(p, rows, columns);
}

static void one_by_one(const struct place *p, size_t rows, unsigned columns, unsigned bytes)
{
	for (size_t r = 0; r < rows; r++)
		for (unsigned c = 0; c < columns; c++)
			memcpy(p->to + (i64)r * p->to_row + c * bytes, p->from + c * p->from_column + r * bytes, bytes);
}

/* The first of the next eight of n, or of the last eight; n at the end. */
INLINE size_t next(size_t at, size_t side, size_t n)
{
	return at + side >= n ? n : at + 2 * side <= n ? at + side : n - side;
}

struct squares {
	struct place first;
	const u8 *end;
	size_t rows, columns, planes;
	i64 to_plane, from_plane;
};

/* `columns` of each square, which is all of them where these are few. */
INLINE void plane(const struct squares *s, const struct place *first, const unsigned columns, const unsigned bytes)
{
	const size_t side = s->rows < SIDE ? s->rows : SIDE;
	const i64 read = (i64)(SIDE * bytes) + (first->from_column > 0 ? (columns - 1) * first->from_column : 0); /* of a square */

	for (size_t r = 0; r < s->rows; r = next(r, side, s->rows))
		for (size_t c = 0; c < s->columns; c = next(c, columns, s->columns)) {
			struct place p = *first;
			p.to += (i64)r * p.to_row + (i64)(c * bytes);
			p.from += (i64)c * p.from_column + (i64)(r * bytes);
			if (side == SIDE)
				square(&p, SIDE, columns, bytes);
			else if (s->end - p.from >= read)
				square(&p, side, columns, bytes);
			else
				one_by_one(&p, side, columns, bytes);
		}
}

INLINE void all_squares(const struct squares *s, const unsigned columns, const unsigned bytes)
{
	struct place p = s->first;

	for (size_t i = 0; i < s->planes; i++, p.to += s->to_plane, p.from += s->from_plane)
		plane(s, &p, columns, bytes);
}

static void columns_of_one(const struct squares *s, unsigned bytes)
{
	struct place p = s->first;

	for (size_t i = 0; i < s->planes; i++, p.to += s->to_plane, p.from += s->from_plane)
		one_by_one(&p, s->rows, 1, bytes);
}

#define BY_COLUMNS(bytes_) switch (s.columns < SIDE ? s.columns : SIDE) { \
	case 1: columns_of_one(&s, bytes_); return; \
	case 2: all_squares(&s, 2, bytes_); return; \
	case 3: all_squares(&s, 3, bytes_); return; \
	case 4: all_squares(&s, 4, bytes_); return; \
	case 5: all_squares(&s, 5, bytes_); return; \
	case 6: all_squares(&s, 6, bytes_); return; \
	case 7: all_squares(&s, 7, bytes_); return; \
	default: all_squares(&s, 8, bytes_); return; \
	}

static void squares_of_bytes(const struct squares *all)
{
	const struct squares s = *all;

	BY_COLUMNS(1)
}

static void squares_of_halves(const struct squares *all)
{
	const struct squares s = *all;

	BY_COLUMNS(2)
}

static void squares_of_words(const struct squares *all)
{
	const struct squares s = *all;

	BY_COLUMNS(4)
}

bool npu_copy_is_squares(const struct npu_copy_dim *outer, const struct npu_copy_dim *inner, unsigned bytes)
{
	return bytes <= 4 && inner->to == (i64)bytes && outer->from == (i64)bytes && inner->n > 1 && outer->n > 1 && inner->n * outer->n >= LEAST;
}

void npu_copy_squares(u8 *to, const u8 *from, const u8 *end, const struct npu_copy_dim dim[3], unsigned bytes)
{
	const struct squares s = { { to, from, dim[1].to, dim[2].from }, end, dim[1].n, dim[2].n, dim[0].n, dim[0].to, dim[0].from };

	if (bytes == 1)
		squares_of_bytes(&s);
	else if (bytes == 2)
		squares_of_halves(&s);
	else
		squares_of_words(&s);
}
