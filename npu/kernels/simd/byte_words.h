/* SPDX-License-Identifier: Apache-2.0 */
/* npu_byte_indexes() of byte_words.h, 16 at a time. Part of simd.c. */

#ifdef ROW_LEVEL
#if SIMD_LEVEL == 2
static inline u64 word_at(const u8 *p, size_t bytes)
{
	u64 v = 0;

	memcpy(&v, p, bytes);
	return v;
}

/* n < 8 of them, no byte behind which is read: memory that was just written in parts would have to be waited for. */
static inline u64 few_bytes(const u8 *p, size_t n)
{
	if (n >= 4)
		return word_at(p, 4) | word_at(p + n - 4, 4) << 8 * (n - 4);
	return p[0] | (u64)p[n / 2] << 8 * (n / 2) | (u64)p[n - 1] << 8 * (n - 1);
}
#endif

/* The first n of 1 to 16 bytes. */
static inline __m128i bytes_some(const u8 *p, size_t n)
{
	if (n == 16)
		return _mm_loadu_si128((const void *)p);
#if SIMD_LEVEL == 3
	return _mm_maskz_loadu_epi8((__mmask16)((1u << n) - 1), p);
#else
	if (n > 8)
		return _mm_set_epi64x((i64)(word_at(p + n - 8, 8) >> 8 * (16 - n)), (i64)word_at(p, 8));
	return _mm_cvtsi64_si128((i64)(n == 8 ? word_at(p, 8) : few_bytes(p, n)));
#endif
}

static inline __m256i byte_term(__m128i x, __m128i flip, __m256i sign)
{
	return _mm256_mullo_epi16(_mm256_cvtepu8_epi16(_mm_xor_si128(x, flip)), sign);
}

void npu_byte_indexes(const struct npu_byte_words *w, const struct npu_byte_grid *g, u8 *at)
{
	const __m128i flip_a = _mm_set1_epi8((char)w->flip_a), flip_b = _mm_set1_epi8((char)w->flip_b), top = _mm_set1_epi8((char)128);
	const __m256i sign_a = _mm256_set1_epi16(w->sign_a), sign_b = _mm256_set1_epi16(w->sign_b), add = _mm256_set1_epi16(w->add);
	const __m256i lo = _mm256_set1_epi16(w->lo), hi = _mm256_set1_epi16(w->hi);
	const u8 *a = g->a, *b = g->b;

	for (size_t r = 0; r < g->rows; r++, a += g->down_a, b = b ? b + g->down_b : NULL, at += g->n) {
		__m256i more = b ? _mm256_add_epi16(byte_term(_mm_set1_epi8((char)*b), flip_b, sign_b), add) : add;
		for (size_t i = 0, n; i < g->n; i += n) {
			n = g->n < 16 ? g->n : 16;
			i = i + n > g->n ? g->n - n : i; /* the last of them, some once more */
			const __m128i x = bytes_some(a + i, n);
			if (b && g->step_b)
				more = _mm256_add_epi16(byte_term(bytes_some(b + i, n), flip_b, sign_b), add);
			__m256i v = _mm256_add_epi16(byte_term(x, flip_a, sign_a), more);
			v = _mm256_min_epi16(_mm256_max_epi16(v, lo), hi);
			const __m128i of = _mm_packs_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
			_mm_storeu_si128((void *)(at + i), _mm_xor_si128(of, top));
		}
	}
}
#endif
