/* SPDX-License-Identifier: Apache-2.0 */
/* See copy.h. The two innermost dimensions are done together: runs of bytes where one is contiguous on both sides, squares of bytes
 * where each is contiguous on one side. */
#include "npu/kernels/move/copy_few.h"
#include "npu/kernels/move/copy_squares.h"

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

#define VECTOR 16 /* bytes */
typedef u16 u16x8 __attribute__((vector_size(VECTOR)));
typedef u32 u32x4 __attribute__((vector_size(VECTOR)));
typedef u64 u64x2 __attribute__((vector_size(VECTOR)));

/* Elements of a vector, the last one first. */
#define REVERSED(NAME, V, ...) \
static inline void NAME(u8 *to, const u8 *from) \
{ \
	V v; \
	memcpy(&v, from, sizeof(v)); \
	v = __builtin_shufflevector(v, v, __VA_ARGS__); \
	memcpy(to, &v, sizeof(v)); \
}
REVERSED(reversed_u16, u16x8, 7, 6, 5, 4, 3, 2, 1, 0)
REVERSED(reversed_u32, u32x4, 3, 2, 1, 0)
REVERSED(reversed_u64, u64x2, 1, 0)
#undef REVERSED

static inline void reversed_u8(u8 *to, const u8 *from)
{
	u64 v[2];

	memcpy(v, from, sizeof(v));
	const u64 reversed[2] = { __builtin_bswap64(v[1]), __builtin_bswap64(v[0]) };
	memcpy(to, reversed, sizeof(reversed));
}

#define REVERSED_RUNS(NAME) \
	for (size_t r = 0; r < rows; r++, to += outer->to, first += outer->from) { \
		for (size_t i = 0; i < last; i += VECTOR) \
			NAME(to + i, first - i); \
		NAME(to + last, first - last); \
	} \
	return

/* Runs of at least a vector whose elements come from the last one to the first; the last ones may be copied twice. */
static void copy_reversed(u8 *to, const u8 *from, size_t rows, const struct npu_copy_dim *outer, size_t n, unsigned bytes)
{
	const size_t last = n * bytes - VECTOR;
	const u8 *first = from + bytes - VECTOR;

	switch (bytes) {
	case 1: REVERSED_RUNS(reversed_u8);
	case 2: REVERSED_RUNS(reversed_u16);
	case 4: REVERSED_RUNS(reversed_u32);
	default: REVERSED_RUNS(reversed_u64);
	}
}

/* Steps are variables of this function's own: what is stored through a pointer to bytes could change those of `inner`. */
#define EACH(T) do { \
	for (size_t r = 0; r < rows; r++, to += outer->to, from += outer->from) { \
		u8 *t_ = to; \
		const u8 *f_ = from; \
		for (size_t i = n; i; i--, t_ += to_step, f_ += from_step) \
			memcpy(t_, f_, sizeof(T)); \
	} \
	} while (0)

static void copy_each(u8 *to, const u8 *from, size_t rows, const struct npu_copy_dim *outer, const struct npu_copy_dim *inner, unsigned bytes)
{
	const size_t n = inner->n;
	const i64 to_step = inner->to, from_step = inner->from;

	switch (bytes) {
	case 1: EACH(u8); return;
	case 2: EACH(u16); return;
	case 4: EACH(u32); return;
	default: EACH(u64); return;
	}
}

enum { TURNED_ROWS = 16, TURNED_COLUMNS = 128 };

/* `columns` of a few rows: channels are taken apart first, each is squares of bytes then. */
static void turn_block(const struct npu_copy_dim *dim, unsigned bytes, size_t columns, size_t rows, u8 *to, const u8 *from)
{
	u8 apart[NPU_COPY_TURNED * TURNED_ROWS * 2 * TURNED_COLUMNS * 2];
	const size_t row = columns * bytes, channel = rows * row;
	const struct npu_copy_dim lines = { dim->n, (i64)channel, bytes }, line = { columns, bytes, dim[1].from };
	const struct npu_copy_dim across[] = { { dim->n, dim->to, (i64)channel }, { columns, dim[1].to, bytes }, { rows, bytes, (i64)row } };

	npu_copy_few(apart, (i64)row, from, dim[2].from, rows, &lines, &line, bytes);
	npu_copy_squares(to, apart, apart + dim->n * channel, across, bytes);
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

/* What all planes of a copy have. */
struct planes {
	const struct npu_view *view;
	const u8 *end; /* of what is read */
	unsigned bytes;
};

/* dim[0] around dim[1]. */
static void copy_plane(const struct planes *p, const struct npu_copy_dim *dim, u8 *to, const u8 *from)
{
	const unsigned bytes = p->bytes;
	const struct npu_copy_dim *outer = dim, *inner = dim + 1;
	const size_t most = inner->n < NPU_COPY_AT_ONCE / 8 ? NPU_COPY_AT_ONCE / inner->n / 8 * 8 : 1;
	const bool run = inner->to == (i64)bytes && inner->from == (i64)bytes, across = npu_copy_is_squares(outer, inner, bytes);
	const bool reversed = inner->to == (i64)bytes && inner->from == -(i64)bytes && inner->n * bytes >= VECTOR;
	struct npu_copy_dim squares[3] = { { .n = 1 }, *outer, *inner };

	for (size_t r = 0, rows; r < outer->n && !npu_given_up(p->view); r += rows) {
		u8 *const t = to + (i64)r * outer->to;
		const u8 *const f = from + (i64)r * outer->from;
		rows = outer->n - r < most ? outer->n - r : most;
		squares[1].n = rows;
		if (run)
			npu_copy_runs(t, outer->to, f, outer->from, rows, inner->n * bytes);
		else if (across)
			npu_copy_squares(t, f, p->end, squares, bytes);
		else if (reversed)
			copy_reversed(t, f, rows, outer, inner->n, bytes);
		else
			copy_each(t, f, rows, outer, inner, bytes);
	}
}

enum { LINE_RUNS = 4 }; /* runs of a vector that are a line of the cache */

/* Groups of channels, pixels and 16 bytes, of which groups lie side by side on one of both sides. */
static bool are_lines(const struct npu_copy_dim *dim, unsigned bytes)
{
	const bool runs = dim[2].to == (i64)bytes && dim[2].from == (i64)bytes && dim[2].n * bytes == VECTOR;

	return runs && dim[0].n >= LINE_RUNS && dim[1].n > 1 && (dim[0].to == VECTOR || dim[0].from == VECTOR);
}

/* Four groups of `pixels`. */
static void copy_lines(u8 *to, const u8 *from, const struct npu_copy_dim *dim, size_t pixels)
{
	const i64 to_group = dim[0].to, from_group = dim[0].from, to_pixel = dim[1].to, from_pixel = dim[1].from;

	for (; pixels; pixels--, to += to_pixel, from += from_pixel) {
		u64x2 v[LINE_RUNS];
		memcpy(&v[0], from, VECTOR);
		memcpy(&v[1], from + from_group, VECTOR);
		memcpy(&v[2], from + 2 * from_group, VECTOR);
		memcpy(&v[3], from + 3 * from_group, VECTOR);
		memcpy(to, &v[0], VECTOR);
		memcpy(to + to_group, &v[1], VECTOR);
		memcpy(to + 2 * to_group, &v[2], VECTOR);
		memcpy(to + 3 * to_group, &v[3], VECTOR);
	}
}

/* Lines of the side where groups lie side by side are touched once, not once for each group; the last groups are no whole line. */
static void copy_groups(const struct planes *p, const struct npu_copy_dim *dim, u8 *to, const u8 *from)
{
	enum { MOST = NPU_COPY_AT_ONCE / (LINE_RUNS * VECTOR) };
	size_t g = 0;

	for (; g + LINE_RUNS <= dim->n; g += LINE_RUNS, to += LINE_RUNS * dim->to, from += LINE_RUNS * dim->from)
		for (size_t x = 0; x < dim[1].n && !npu_given_up(p->view); x += MOST)
			copy_lines(to + (i64)x * dim[1].to, from + (i64)x * dim[1].from, dim, dim[1].n - x < MOST ? dim[1].n - x : MOST);
	for (; g < dim->n; g++, to += dim->to, from += dim->from)
		copy_plane(p, dim + 1, to, from);
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

static void copy_dims(const struct planes *p, const struct npu_copy_dim *dim, unsigned dims, u8 *to, const u8 *from)
{
	if (dims == 2) {
		copy_plane(p, dim, to, from);
		return;
	}
	if (dims == 3 && dim[0].n * dim[1].n * dim[2].n <= NPU_COPY_AT_ONCE && npu_copy_is_squares(&dim[1], &dim[2], p->bytes)) {
		npu_copy_squares(to, from, p->end, dim, p->bytes);
		return;
	}
	if (dims == 3 && are_lines(dim, p->bytes)) {
		copy_groups(p, dim, to, from);
		return;
	}
	for (size_t i = 0; i < dim->n; i++)
		copy_dims(p, dim + 1, dims - 1, to + (i64)i * dim->to, from + (i64)i * dim->from);
}

/* Behind the last byte that is read. */
static const u8 *end_of(const struct npu_copy_plan *p, const u8 *from)
{
	for (unsigned d = 0; d < p->dims; d++)
		from += p->dim[d].from > 0 ? (i64)(p->dim[d].n - 1) * p->dim[d].from : 0;
	return from + p->bytes;
}

void npu_copy_planned(const struct npu_view *view, const struct npu_copy_plan *p, u8 *to, const u8 *from)
{
	if (p->whole)
		memcpy(to, from, p->whole);
	else if (p->turned)
		copy_turned(view, p->dim, p->bytes, to, from);
	else if (p->few)
		copy_few(view, p->dim, p->dims, p->bytes, to, from);
	else
		copy_dims(&(struct planes){ view, end_of(p, from), p->bytes }, p->dim, p->dims, to, from);
}
