/* SPDX-License-Identifier: Apache-2.0 */
/* Pools of bytes, whole rows at a time: maxima need no room beyond a byte, sums of few none beyond 16 bits. Part of simd.c. */

#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
typedef __m128i most_vec;
ALWAYS_INLINE most_vec most_16(const bool is_signed, most_vec a, most_vec b) { return is_signed ? _mm_max_epi8(a, b) : _mm_max_epu8(a, b); }
#else
typedef u8x16 most_vec;
ALWAYS_INLINE most_vec most_16(const bool is_signed, most_vec a, most_vec b)
{
	const most_vec larger = is_signed ? (most_vec)((i8x16)a > (i8x16)b) : (most_vec)(a > b);
	return (a & larger) | (b & ~larger);
}
#endif

ALWAYS_INLINE most_vec most_load(const u8 *p)
{
	most_vec v;
	memcpy(&v, p, sizeof(v));
	return v;
}

ALWAYS_INLINE void most_store(u8 *p, most_vec v) { memcpy(p, &v, sizeof(v)); }

/* ---- rows ---- */

ALWAYS_INLINE void most_at(const bool is_signed, const u8 *const *row, u32 rows, size_t at, u8 *to)
{
	most_vec v = most_load(row[0] + at);

	for (u32 r = 1; r < rows; r++)
		v = most_16(is_signed, v, most_load(row[r] + at));
	most_store(to + at, v);
}

ALWAYS_INLINE void most_row(const bool is_signed, const u8 *const *row, u32 rows, size_t n, u8 *to)
{
	size_t i = 0;

#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
	for (; i + sizeof(vec) <= n; i += sizeof(vec)) {
		vec v = vec_load(row[0] + i);
		for (u32 r = 1; r < rows; r++)
			v = is_signed ? V(max_epi8)(v, vec_load(row[r] + i)) : V(max_epu8)(v, vec_load(row[r] + i));
		vec_store(to + i, v);
	}
#endif
	for (; i + NPU_GROUP <= n; i += NPU_GROUP)
		most_at(is_signed, row, rows, i, to);
	if (i < n && n >= NPU_GROUP) { /* some once more */
		most_at(is_signed, row, rows, n - NPU_GROUP, to);
		return;
	}
	for (; i < n; i++) {
		to[i] = row[0][i];
		for (u32 r = 1; r < rows; r++)
			if (is_signed ? (i8)row[r][i] > (i8)to[i] : row[r][i] > to[i])
				to[i] = row[r][i];
	}
}

/* So few rows that their addresses have registers. */
ALWAYS_INLINE void most_few(const u32 rows, const u8 *const *row, size_t n, u8 *to)
{
	const u8 *near[3] = { row[0], row[1], row[rows - 1] };

	most_row(true, near, rows, n, to);
}

static void most_rows(bool is_signed, const u8 *const *row, u32 rows, size_t n, u8 *to)
{
	if (is_signed && rows == 2)
		most_few(2, row, n, to);
	else if (is_signed && rows == 3)
		most_few(3, row, n, to);
	else if (is_signed)
		most_row(true, row, rows, n, to);
	else
		most_row(false, row, rows, n, to);
}

/* ---- along a row: what is written too much belongs to the next pixel, or lies behind the last one ---- */

ALWAYS_INLINE void most_pixels(const bool is_signed, const u32 taps, const struct npu_pool_line *l, const u8 *from, u32 pixels, u8 *to)
{
	for (; pixels; pixels--, from += l->step, to += l->pixel)
		for (size_t c = 0; c < l->pixel; c += NPU_GROUP) {
			most_vec v = most_load(from + c);
			for (u32 t = 1; t < taps; t++)
				v = most_16(is_signed, v, most_load(from + c + t * l->tap));
			most_store(to + c, v);
		}
}

static void most_taps(const struct npu_pool_line *l, const u8 *from, u32 pixels, u8 *to)
{
	if (l->is_signed && l->taps == 2)
		most_pixels(true, 2, l, from, pixels, to);
	else if (l->is_signed && l->taps == 3)
		most_pixels(true, 3, l, from, pixels, to);
	else if (l->is_signed)
		most_pixels(true, l->taps, l, from, pixels, to);
	else
		most_pixels(false, l->taps, l, from, pixels, to);
}

#if SIMD_LEVEL < 2 || defined(USES_NEON)
/* ---- sums ---- */

static void sum_rows8(bool is_signed, const u8 *const *row, u32 rows, size_t n, u16 *to)
{
	const u8 flip = is_signed ? 0x80 : 0;
	size_t i = 0;

	for (; i + NPU_GROUP <= n; i += NPU_GROUP) {
		u16x16 sum = { 0 };
		for (u32 r = 0; r < rows; r++)
			sum += __builtin_convertvector(most_load(row[r] + i) ^ flip, u16x16);
		memcpy(to + i, &sum, sizeof(sum));
	}
	for (; i < n; i++) {
		to[i] = 0;
		for (u32 r = 0; r < rows; r++)
			to[i] = (u16)(to[i] + (row[r][i] ^ flip));
	}
}

static void sum_taps(const struct npu_pool_line *l, const u8 *table, const u16 *from, u32 pixels, u8 *to)
{
	for (; pixels; pixels--, from += l->step, to += l->pixel)
		for (size_t c = 0; c < l->pixel; c += NPU_GROUP) {
			u16x16 sum, v;
			u16 at[NPU_GROUP];
			memcpy(&sum, from + c, sizeof(sum));
			for (u32 t = 1; t < l->taps; t++) {
				memcpy(&v, from + c + t * l->tap, sizeof(v));
				sum = sum + v;
			}
			memcpy(at, &sum, sizeof(at));
			const size_t n = l->pixel - c < NPU_GROUP ? l->pixel - c : NPU_GROUP; /* behind a pixel sums are anything */
			for (size_t i = 0; i < n; i++)
				to[c + i] = table[at[i]];
		}
}
#endif
