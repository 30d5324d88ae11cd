/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a pool as lines of int32: rows under each other, then neighbours. Part of simd.c. */

#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
typedef vec line;
#define line_add(a, b) V(add_epi32)(a, b)
#define line_larger(a, b) V(max_epi32)(a, b)
#define line_smaller(a, b) V(min_epi32)(a, b)
#if SIMD_LEVEL == 3
#define LINE_HALVES(p) _mm256_loadu_si256((const void *)(p))
#define LINE_BYTES(p) _mm_loadu_si128((const void *)(p))
#else
#define LINE_HALVES(p) _mm_loadu_si128((const void *)(p))
#define LINE_BYTES(p) _mm_loadl_epi64((const void *)(p))
#endif
#define LINE_WIDEN(NAME, T, CONVERT, LOAD) \
ALWAYS_INLINE line NAME(const u8 *p) { return V(CONVERT)(LOAD(p)); }
LINE_WIDEN(line_of_i8, i8, cvtepi8_epi32, LINE_BYTES)
LINE_WIDEN(line_of_u8, u8, cvtepu8_epi32, LINE_BYTES)
LINE_WIDEN(line_of_i16, i16, cvtepi16_epi32, LINE_HALVES)
LINE_WIDEN(line_of_u16, u16, cvtepu16_epi32, LINE_HALVES)
#undef LINE_HALVES
#undef LINE_BYTES
#else
typedef i32 line __attribute__((vector_size(16)));
typedef u32 line_bits __attribute__((vector_size(16)));
#define line_add(a, b) ((line)((line_bits)(a) + (line_bits)(b))) /* sums may wrap */
#define line_larger(a, b) (((a) & ((a) > (b))) | ((b) & ((a) <= (b))))
#define line_smaller(a, b) (((a) & ((a) < (b))) | ((b) & ((a) >= (b))))
#define LINE_WIDEN(NAME, T, CONVERT, LOAD) \
ALWAYS_INLINE line NAME(const u8 *p) \
{ \
	T e[4]; \
	memcpy(e, p, sizeof(e)); \
	return (line){ e[0], e[1], e[2], e[3] }; \
}
LINE_WIDEN(line_of_i8, i8, , )
LINE_WIDEN(line_of_u8, u8, , )
LINE_WIDEN(line_of_i16, i16, , )
LINE_WIDEN(line_of_u16, u16, , )
#endif
#undef LINE_WIDEN
#define LINE_LANES (sizeof(line) / sizeof(i32))
#define LINE_VECS (NPU_GROUP / LINE_LANES)

ALWAYS_INLINE line line_load(const i32 *p)
{
	line v;
	memcpy(&v, p, sizeof(v));
	return v;
}

ALWAYS_INLINE line line_combine(const enum npu_line_way way, line a, line b)
{
	return way == NPU_LINE_SUMS ? line_add(a, b) : way == NPU_LINE_MOST ? line_larger(a, b) : line_smaller(a, b);
}

ALWAYS_INLINE line line_widen(const unsigned bytes, const bool is_signed, const u8 *p)
{
	return bytes == 1 ? (is_signed ? line_of_i8(p) : line_of_u8(p)) : is_signed ? line_of_i16(p) : line_of_u16(p);
}

/* 16 elements of all rows, from byte `at` of them on. */
ALWAYS_INLINE void line_rows_at(const enum npu_line_way way, const unsigned bytes, const bool is_signed, const u32 rows, const bool goes_on,
				const u8 *const *row, size_t at, i32 *to)
{
	UNROLL for (unsigned v = 0; v < LINE_VECS; v++, at += LINE_LANES * bytes, to += LINE_LANES) {
		line s = line_widen(bytes, is_signed, row[0] + at);
		if (goes_on)
			s = line_combine(way, s, line_load(to));
		for (u32 k = 1; k < rows; k++)
			s = line_combine(way, s, line_widen(bytes, is_signed, row[k] + at));
		memcpy(to, &s, sizeof(s));
	}
}

#define LINE_KNOWN 3

/* `rows` is known up to LINE_KNOWN of them. */
ALWAYS_INLINE void line_rows_each(const enum npu_line_way way, const unsigned bytes, const bool is_signed, const u32 rows, const bool known, const bool goes_on,
				  const struct npu_line_rows *r, i32 *to)
{
	const size_t n = r->n, step = r->step; /* stores may change what lies in memory */
	const u8 *first[LINE_KNOWN], *const *const row = known ? first : r->row, *some[NPU_LINE_ROWS];
	u8 rest[NPU_LINE_ROWS][NPU_GROUP * 2];
	size_t i = 0, at = 0;

	UNROLL for (u32 k = 0; known && k < rows; k++)
		first[k] = r->row[k];
	for (; i + NPU_GROUP <= n; i += NPU_GROUP, at += step)
		line_rows_at(way, bytes, is_signed, rows, goes_on, row, at, to + i);
	if (i == n)
		return;
	if (!goes_on && n >= NPU_GROUP) { /* some once more */
		line_rows_at(way, bytes, is_signed, rows, false, row, (n - NPU_GROUP) * bytes, to + n - NPU_GROUP);
		return;
	}
	u32 k = 0;
	do {
		memset(rest[k], 0, sizeof(rest[k]));
		some[k] = memcpy(rest[k], row[k] + at, (n - i) * bytes);
	} while (++k < rows);
	line_rows_at(way, bytes, is_signed, rows, goes_on, some, 0, to + i);
}

/* Two or three rows are what most windows have. */
ALWAYS_INLINE void line_rows_of(const enum npu_line_way way, const unsigned bytes, const bool is_signed, const struct npu_line_rows *r, i32 *to)
{
	if (r->goes_on)
		line_rows_each(way, bytes, is_signed, r->rows, false, true, r, to);
	else if (r->rows == 3)
		line_rows_each(way, bytes, is_signed, 3, true, false, r, to);
	else if (r->rows == 2)
		line_rows_each(way, bytes, is_signed, 2, true, false, r, to);
	else
		line_rows_each(way, bytes, is_signed, r->rows, false, false, r, to);
}

#define LINE_ROWS(NAME, way) \
static NOINLINE void NAME(const struct npu_line_rows *r, i32 *to) \
{ \
	if (r->bytes == 1 && r->is_signed) \
		line_rows_of(way, 1, true, r, to); \
	else if (r->bytes == 1) \
		line_rows_of(way, 1, false, r, to); \
	else if (r->is_signed) \
		line_rows_of(way, 2, true, r, to); \
	else \
		line_rows_of(way, 2, false, r, to); \
}
LINE_ROWS(line_rows_sums, NPU_LINE_SUMS)
LINE_ROWS(line_rows_most, NPU_LINE_MOST)
LINE_ROWS(line_rows_least, NPU_LINE_LEAST)
#undef LINE_ROWS

static void line_rows(const struct npu_line_rows *r, i32 *to)
{
	(r->way == NPU_LINE_SUMS ? line_rows_sums : r->way == NPU_LINE_MOST ? line_rows_most : line_rows_least)(r, to);
}

ALWAYS_INLINE void line_taps_of(const enum npu_line_way way, const u32 taps, const struct npu_line_taps *l, const i32 *from, i32 *to)
{
	const size_t step = l->step, pixel = l->pixel, tap = l->tap;

	for (u32 p = l->pixels; p; p--, from += step, to += pixel)
		for (size_t c = 0; c < pixel; c += LINE_LANES) {
			line s = line_load(from + c);
			for (u32 t = 1; t < taps; t++)
				s = line_combine(way, s, line_load(from + c + t * tap));
			memcpy(to + c, &s, sizeof(s));
		}
}

#define LINE_TAPS(NAME, way) \
static NOINLINE void NAME(const struct npu_line_taps *l, const i32 *from, i32 *to) \
{ \
	if (l->taps == 3) \
		line_taps_of(way, 3, l, from, to); \
	else if (l->taps == 2) \
		line_taps_of(way, 2, l, from, to); \
	else \
		line_taps_of(way, l->taps, l, from, to); \
}
LINE_TAPS(line_taps_sums, NPU_LINE_SUMS)
LINE_TAPS(line_taps_most, NPU_LINE_MOST)
LINE_TAPS(line_taps_least, NPU_LINE_LEAST)
#undef LINE_TAPS

static void line_taps(const struct npu_line_taps *l, const i32 *from, i32 *to)
{
	(l->way == NPU_LINE_SUMS ? line_taps_sums : l->way == NPU_LINE_MOST ? line_taps_most : line_taps_least)(l, from, to);
}
