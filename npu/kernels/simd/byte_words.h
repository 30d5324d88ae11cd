/* SPDX-License-Identifier: Apache-2.0 */
/* npu_byte_indexes() of byte_words.h, 16 at a time. Part of simd.c. */

#ifdef ROW_LEVEL
/* The first n <= 16 bytes. */
static inline __m128i bytes_some(const u8 *p, size_t n)
{
	if (n == 16)
		return _mm_loadu_si128((const void *)p);
#if SIMD_LEVEL == 3
	return _mm_maskz_loadu_epi8((__mmask16)((1u << n) - 1), p);
#else
	u8 part[16] = { 0 };
	memcpy(part, p, n);
	return _mm_loadu_si128((const void *)part);
#endif
}

static inline void bytes_put(u8 *p, __m128i v, size_t n)
{
	if (n == 16)
		_mm_storeu_si128((void *)p, v);
	else
#if SIMD_LEVEL == 3
		_mm_mask_storeu_epi8(p, (__mmask16)((1u << n) - 1), v);
#else
		memcpy(p, &v, n);
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
		for (size_t left = g->n, i = 0, n; left; left -= n, i += n) {
			n = left < 16 ? left : 16;
			const __m128i x = bytes_some(a + i, n);
			if (b && g->step_b)
				more = _mm256_add_epi16(byte_term(bytes_some(b + i, n), flip_b, sign_b), add);
			__m256i v = _mm256_add_epi16(byte_term(x, flip_a, sign_a), more);
			v = _mm256_min_epi16(_mm256_max_epi16(v, lo), hi);
			const __m128i of = _mm_packs_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
			bytes_put(at + i, _mm_xor_si128(of, top), n);
		}
	}
}
#endif
