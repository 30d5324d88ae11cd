/* SPDX-License-Identifier: Apache-2.0 */
/* See copy.h. The two innermost dimensions are done together: runs of bytes where one is contiguous on both sides, squares of bytes
 * where each is contiguous on one side. */
#include "npu/kernels/move/copy_few.h"

#include <string.h>

enum { LINE = 64, PAGE = 4096, CACHE = 32768 }; /* bytes, of most hosts */
#define AT_ONCE 65536 /* elements, before it is asked whether the operation is given up */

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

/* Dimension d to place `at`. */
static void place(struct npu_copy_dim *dim, unsigned d, unsigned at)
{
	const struct npu_copy_dim t = dim[d];

	dim[d] = dim[at];
	dim[at] = t;
}

/* A few neighbours on both sides are one element, where there is one of that size. */
static unsigned join(struct npu_copy_dim *dim, unsigned dims, unsigned *bytes)
{
	for (unsigned d = 0; d < dims; d++) {
		const size_t both = dim[d].n * *bytes;
		if (dim[d].to != (i64)*bytes || dim[d].from != (i64)*bytes || (both != 2 && both != 4 && both != 8))
			continue;
		*bytes = (unsigned)both;
		dim[d] = dim[dims - 1];
		return dims - 1;
	}
	return dims;
}

#define LONG 8

/* A long dimension becomes the innermost one, that whose elements lie nearest to each other at the target. */
static void long_inside(struct npu_copy_dim *dim, unsigned dims)
{
	unsigned best = dims - 1;

	for (unsigned d = 0; d + 1 < dims; d++)
		if (dim[d].n >= LONG && (dim[best].n < LONG || dim[d].to < dim[best].to))
			best = d;
	place(dim, best, dims - 1);
}

/* Runs, or squares of bytes; else elements are copied one by one. */
static bool in_vectors(const struct npu_copy_dim *outer, const struct npu_copy_dim *inner, unsigned bytes)
{
	const bool run = inner->to == (i64)bytes && inner->from == (i64)bytes;

	return run || (bytes <= 2 && inner->to == (i64)bytes && outer->from == (i64)bytes && inner->n >= LONG && outer->n >= LONG);
}

/* Two dimensions that copy_few.h is for become the innermost ones. False: there are none. */
static bool few_inside(struct npu_copy_dim *dim, unsigned dims, unsigned bytes)
{
	for (unsigned lines = 0; lines < dims; lines++)
		for (unsigned line = 0; line < dims; line++)
			if (line != lines && npu_copy_is_few(&dim[lines], &dim[line], bytes)) {
				place(dim, line, dims - 1);
				place(dim, lines == dims - 1 ? line : lines, dims - 2);
				return true;
			}
	return false;
}

enum { TURNED_ROWS = 16, TURNED_COLUMNS = 128, MOST_CHANNELS = 4 };

/* Two or four channels, which lie side by side at the source, of columns of which the same holds, and rows that do so at the target. */
static bool is_turned(const struct npu_copy_dim *channels, const struct npu_copy_dim *columns, const struct npu_copy_dim *rows, unsigned bytes)
{
	return (channels->n == 2 || channels->n == MOST_CHANNELS) && bytes <= 2 && channels->from == (i64)bytes && columns->from == (i64)(channels->n * bytes) &&
	       rows->to == (i64)bytes && columns->n >= 16 / bytes && rows->n >= LONG;
}

/* Of three dimensions. True: they are in that order. */
static bool turned_order(struct npu_copy_dim *dim, unsigned dims, unsigned bytes)
{
	for (unsigned channels = 0; dims == 3 && channels < 3; channels++)
		for (unsigned i = 1; i < 3; i++) {
			const struct npu_copy_dim *const columns = &dim[(channels + i) % 3], *const rows = &dim[(channels + 3 - i) % 3];
			if (!is_turned(&dim[channels], columns, rows, bytes))
				continue;
			const struct npu_copy_dim all[] = { dim[channels], *columns, *rows };
			memcpy(dim, all, sizeof(all));
			return true;
		}
	return false;
}

/* `columns` of a few rows: channels are taken apart first, each is squares of bytes then. */
static void turn_block(const struct npu_copy_dim *dim, unsigned bytes, size_t columns, size_t rows, u8 *to, const u8 *from)
{
	u8 apart[MOST_CHANNELS * TURNED_ROWS * 2 * TURNED_COLUMNS * 2];
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

/* Whether the lines that n elements lie in stay in the first cache until their neighbours are copied: lines a power of two apart share few places. */
static bool lines_stay(size_t n, i64 step)
{
	const u64 apart = (u64)(step & -step), shared = apart < LINE ? LINE : apart > PAGE ? PAGE : apart;

	return n * shared <= CACHE;
}

/* The longest dimension whose lines stay; if these are all short, the longest one. */
static unsigned longest(const struct npu_copy_dim *dim, unsigned dims)
{
	unsigned best = 0;
	u64 most = 0;

	for (unsigned d = 0; d < dims; d++) {
		const bool stays = lines_stay(dim[d].n, dim[d].to) && lines_stay(dim[d].n, dim[d].from);
		const u64 worth = stays && dim[d].n >= LONG ? (u64)dim[d].n << 32 : dim[d].n;
		if (worth > most) {
			most = worth;
			best = d;
		}
	}
	return best;
}

/* What is contiguous at the target becomes the innermost dimension; around it what is contiguous at the source, or else a long one. */
static void order(struct npu_copy_dim *dim, unsigned dims, unsigned bytes)
{
	unsigned second = dims - 1;

	for (unsigned d = 0; d < dims; d++)
		if (dim[d].to == (i64)bytes) {
			place(dim, d, dims - 1);
			break;
		}
	for (unsigned d = 0; d + 1 < dims && second == dims - 1; d++)
		if (dim[d].from == (i64)bytes)
			second = d;
	place(dim, second < dims - 1 ? second : longest(dim, dims - 1), dims - 2);
	if (dim[dims - 1].n < LONG && !in_vectors(&dim[dims - 2], &dim[dims - 1], bytes))
		long_inside(dim, dims);
}

/* dim[0] around dim[1]. */
static void copy_plane(const struct npu_view *view, const struct npu_copy_dim *dim, unsigned bytes, u8 *to, const u8 *from)
{
	const struct npu_copy_dim *outer = dim, *inner = dim + 1;
	const size_t most = inner->n < AT_ONCE / 8 ? AT_ONCE / inner->n / 8 * 8 : 1;
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
	const size_t one = dim[dims - 2].n * dim[dims - 1].n, most = one < AT_ONCE ? AT_ONCE / one : 1;

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

/* Not so many that it should be asked whether the operation is given up. */
static size_t whole_of(const struct npu_copy_plan *p)
{
	const bool run = p->dims == 1 && p->dim[0].to == (i64)p->bytes && p->dim[0].from == (i64)p->bytes;

	return p->dims == 0 ? p->bytes : run && p->dim[0].n <= AT_ONCE ? p->dim[0].n * p->bytes : 0;
}

void npu_copy_plan(struct npu_copy_plan *p, const struct npu_copy_dim *dim, unsigned dims, unsigned bytes)
{
	p->dims = 0;
	for (unsigned d = 0; d < dims; d++)
		if (dim[d].n != 1)
			p->dim[p->dims++] = dim[d];
	p->bytes = bytes;
	p->dims = join(p->dim, p->dims, &p->bytes);
	p->whole = whole_of(p);
	while (p->dims < 3)
		p->dim[p->dims++] = (struct npu_copy_dim){ .n = 1 };
	p->few = few_inside(p->dim, p->dims, p->bytes);
	p->turned = !p->few && turned_order(p->dim, p->dims, p->bytes);
	if (!p->few && !p->turned)
		order(p->dim, p->dims, p->bytes);
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
