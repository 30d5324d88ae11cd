/* SPDX-License-Identifier: Apache-2.0 */
/* The larger or lower of two maps' elements, bytes or int16 as they are stored. Part of simd.c. */

#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
enum extreme_kind { MOST_I8, LEAST_I8, MOST_U8, LEAST_U8, MOST_I16, LEAST_I16 };

static enum extreme_kind extreme_kind_of(const struct npu_extreme *e)
{
	return (e->bytes == 2 ? MOST_I16 : e->is_signed ? MOST_I8 : MOST_U8) + (e->most ? 0 : 1);
}

ALWAYS_INLINE vec extreme_larger(const enum extreme_kind kind, vec a, vec b)
{
	return kind <= LEAST_I8 ? V(max_epi8)(a, b) : kind <= LEAST_U8 ? V(max_epu8)(a, b) : V(max_epi16)(a, b);
}

ALWAYS_INLINE vec extreme_lower(const enum extreme_kind kind, vec a, vec b)
{
	return kind <= LEAST_I8 ? V(min_epi8)(a, b) : kind <= LEAST_U8 ? V(min_epu8)(a, b) : V(min_epi16)(a, b);
}

ALWAYS_INLINE vec extreme_all(const enum extreme_kind kind, i32 v)
{
	return kind >= MOST_I16 ? V(set1_epi16)((i16)v) : V(set1_epi8)((char)v);
}

ALWAYS_INLINE vec extreme_of(const enum extreme_kind kind, vec lo, vec hi, vec a, vec b)
{
	const vec v = kind == MOST_I8 || kind == MOST_U8 || kind == MOST_I16 ? extreme_larger(kind, a, b) : extreme_lower(kind, a, b);

	return extreme_lower(kind, extreme_larger(kind, v, lo), hi);
}

/* The element at b in all lanes. */
static inline vec extreme_one(const enum extreme_kind kind, const u8 *b)
{
	i16 half;

	if (kind < MOST_I16)
		return V(set1_epi8)((char)*b);
	memcpy(&half, b, sizeof(half));
	return V(set1_epi16)(half);
}

#if SIMD_LEVEL == 3
/* Rows of `length` bytes, of which `some` of each 64 are elements. */
ALWAYS_INLINE void extreme_rows(const enum extreme_kind kind, const struct npu_extreme *e, const struct npu_words_grid *g, size_t rows, size_t length, u64 some)
{
	const vec lo = extreme_all(kind, e->lo), hi = extreme_all(kind, e->hi);
	const u8 *a = g->a, *b = g->b;
	u8 *to = g->to;

	for (; rows; rows--, a += g->down_a, b += g->down_b, to += g->down_to) {
		vec y = extreme_one(kind, b);
		for (size_t i = 0; i < length; i += 64) {
			const __mmask64 mask = length - i < 64 ? some & ((UINT64_C(1) << (length - i)) - 1) : some;
			y = g->step_b ? _mm512_maskz_loadu_epi8(mask, b + i) : y;
			_mm512_mask_storeu_epi8(to + i, mask, extreme_of(kind, lo, hi, _mm512_maskz_loadu_epi8(mask, a + i), y));
		}
	}
}

/* Bricks that are not full and lie one behind the other are one row; other short rows are brought together. */
ALWAYS_INLINE bool extremes_of(const enum extreme_kind kind, const struct npu_extreme *e, const struct npu_words_grid *g)
{
	const i64 brick = NPU_GROUP * (i64)e->bytes;
	const size_t bytes = g->n * e->bytes;

	if (g->step_b && (i64)bytes < brick && g->down_a == brick && g->down_b == brick && g->down_to == brick) {
		const u64 one = (UINT64_C(1) << bytes) - 1;
		extreme_rows(kind, e, g, 1, g->rows * (size_t)brick, e->bytes == 1 ? one * UINT64_C(0x0001000100010001) : one | one << 32);
		return true;
	}
	if (g->rows > 1 && bytes < sizeof(vec))
		return false;
	extreme_rows(kind, e, g, g->rows, bytes, ~UINT64_C(0));
	return true;
}
#else
/* 16 bytes; y where there is one second element for all. */
ALWAYS_INLINE void extreme_half(const enum extreme_kind kind, vec lo, vec hi, const u8 *a, const u8 *b, bool each, vec y, u8 *to)
{
	const vec x = _mm256_zextsi128_si256(_mm_loadu_si128((const void *)a));

	y = each ? _mm256_zextsi128_si256(_mm_loadu_si128((const void *)b)) : y;
	_mm_storeu_si128((void *)to, _mm256_castsi256_si128(extreme_of(kind, lo, hi, x, y)));
}

/* Less than 16 bytes. */
ALWAYS_INLINE void extreme_part(const enum extreme_kind kind, vec lo, vec hi, const u8 *a, const u8 *b, bool each, vec y, u8 *to, size_t bytes)
{
	NPU_LINE u8 x_[64], y_[64];

	part_load(x_, a, bytes);
	if (each)
		part_load(y_, b, bytes);
	vec_store(x_, extreme_of(kind, lo, hi, vec_load(x_), each ? vec_load(y_) : y));
	part_store(to, x_, bytes);
}

/* Rows of less than 16 bytes are brought together. The last elements of others may be done twice, which changes nothing. */
ALWAYS_INLINE bool extremes_of(const enum extreme_kind kind, const struct npu_extreme *e, const struct npu_words_grid *g)
{
	const vec lo = extreme_all(kind, e->lo), hi = extreme_all(kind, e->hi);
	const size_t bytes = g->n * e->bytes, whole = bytes / sizeof(vec) * sizeof(vec), rest = bytes - whole;
	const bool each = g->step_b;
	const u8 *a = g->a, *b = g->b;
	u8 *to = g->to;

	if (g->rows > 1 && bytes < NPU_GROUP)
		return false;
	for (size_t r = g->rows; r; r--, a += g->down_a, b += g->down_b, to += g->down_to) {
		vec y = extreme_one(kind, b);
		for (size_t i = 0; i < whole; i += sizeof(vec)) {
			y = each ? vec_load(b + i) : y;
			vec_store(to + i, extreme_of(kind, lo, hi, vec_load(a + i), y));
		}
		if (bytes < NPU_GROUP) {
			extreme_part(kind, lo, hi, a, b, each, y, to, bytes);
			continue;
		}
		if (rest > NPU_GROUP)
			extreme_half(kind, lo, hi, a + whole, b + whole, each, y, to + whole);
		if (rest)
			extreme_half(kind, lo, hi, a + bytes - NPU_GROUP, b + bytes - NPU_GROUP, each, y, to + bytes - NPU_GROUP);
	}
	return true;
}
#endif

static bool extremes(const struct npu_extreme *e, const struct npu_words_grid *g)
{
	switch (extreme_kind_of(e)) {
	case MOST_I8: return extremes_of(MOST_I8, e, g);
	case LEAST_I8: return extremes_of(LEAST_I8, e, g);
	case MOST_U8: return extremes_of(MOST_U8, e, g);
	case LEAST_U8: return extremes_of(LEAST_U8, e, g);
	case MOST_I16: return extremes_of(MOST_I16, e, g);
	default: return extremes_of(LEAST_I16, e, g);
	}
}
#endif
