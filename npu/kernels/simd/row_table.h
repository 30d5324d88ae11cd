/* SPDX-License-Identifier: Apache-2.0 */
/* Rows through tables of words, which compilers do not gather by themselves: npu_row_words() and npu_row_byte_words() of tabled.h. Part of simd.c. */

#ifdef ROW_LEVEL
/* Tables are read where they are: copying one takes longer than a short row. */
void npu_row_words(const void *table, i32 *at, size_t n)
{
	size_t i = 0;

	for (; i + LANES <= n; i += LANES)
#if SIMD_LEVEL == 3
		vec_store(at + i, _mm512_i32gather_epi32(vec_load(at + i), table, 4));
#else
		vec_store(at + i, _mm256_i32gather_epi32(table, vec_load(at + i), 4));
#endif
	for (; i < n; i++)
		memcpy(&at[i], (const u8 *)table + (size_t)at[i] * sizeof(*at), sizeof(*at));
}

#if SIMD_LEVEL == 3
/* A table of 256 words as four of bytes, which VBMI permutes by any byte; four vectors each. */
static __attribute__((target("avx512vbmi"))) void word_planes(const u8 *table, __m512i plane[4][4])
{
	NPU_LINE u8 of[64]; /* byte p of each of 16 words, and that of the next vector's behind it */

	for (unsigned i = 0; i < 64; i++)
		of[i] = (u8)(i % 16 * 4 + i / 16);
	for (unsigned v = 0; v < 4; v++) {
		__m512i x[4]; /* by bytes 0, 1, 2 and 3 of 16 words */
		for (unsigned k = 0; k < 4; k++)
			x[k] = _mm512_permutexvar_epi8(_mm512_load_si512(of), vec_load(table + 256 * v + 64 * k));
		const __m512i low = _mm512_shuffle_i32x4(x[0], x[1], 0x44), high = _mm512_shuffle_i32x4(x[0], x[1], 0xee);
		const __m512i low2 = _mm512_shuffle_i32x4(x[2], x[3], 0x44), high2 = _mm512_shuffle_i32x4(x[2], x[3], 0xee);
		plane[0][v] = _mm512_shuffle_i32x4(low, low2, 0x88);
		plane[1][v] = _mm512_shuffle_i32x4(low, low2, 0xdd);
		plane[2][v] = _mm512_shuffle_i32x4(high, high2, 0x88);
		plane[3][v] = _mm512_shuffle_i32x4(high, high2, 0xdd);
	}
}

/* 64 words at a time. */
static __attribute__((target("avx512vbmi"))) void byte_words_vbmi(const u8 *table, const u8 *at, size_t n, u8 *to)
{
	__m512i plane[4][4];
	NPU_LINE u8 order[64]; /* so that the bytes of 16 words in a row come out of two rounds of unpacking */

	word_planes(table, plane);
	for (unsigned i = 0; i < 64; i++)
		order[i] = (u8)(i % 16 / 4 * 16 + i / 16 * 4 + i % 4);
	for (size_t i = 0; i < n; i += 64) {
		const u64 some = n - i < 64 ? (UINT64_C(1) << (n - i)) - 1 : ~UINT64_C(0);
		const __m512i x = _mm512_permutexvar_epi8(_mm512_load_si512(order), _mm512_maskz_loadu_epi8(some, at + i));
		const __mmask64 above = _mm512_movepi8_mask(x);
		__m512i b[4];
		UNROLL for (unsigned p = 0; p < 4; p++)
			b[p] = _mm512_mask_blend_epi8(above, _mm512_permutex2var_epi8(plane[p][0], x, plane[p][1]),
						      _mm512_permutex2var_epi8(plane[p][2], x, plane[p][3]));
		const __m512i low = _mm512_unpacklo_epi8(b[0], b[1]), high = _mm512_unpackhi_epi8(b[0], b[1]);
		const __m512i low2 = _mm512_unpacklo_epi8(b[2], b[3]), high2 = _mm512_unpackhi_epi8(b[2], b[3]);
		const __m512i w[4] = { _mm512_unpacklo_epi16(low, low2), _mm512_unpackhi_epi16(low, low2), _mm512_unpacklo_epi16(high, high2),
				       _mm512_unpackhi_epi16(high, high2) };
		UNROLL for (unsigned k = 0; k < 4; k++)
			_mm512_mask_storeu_epi32(to + 4 * i + 64 * k, (__mmask16)(some >> 16 * k), w[k]);
	}
}
#endif

#define FEW_WORDS 32 /* take no longer one by one */

/* Loads of single words take half the time of a gather. */
void npu_row_byte_words(const u8 *table, const u8 *at, size_t n, u8 *to)
{
	size_t i = 0;
	i32 w[4];

#if SIMD_LEVEL == 3
	if (n > FEW_WORDS && HOST_HAS(AVX512_VBMI)) {
		byte_words_vbmi(table, at, n, to);
		return;
	}
#endif
	for (; i + 4 <= n; i += 4) {
		for (unsigned k = 0; k < 4; k++)
			memcpy(&w[k], table + at[i + k] * sizeof(*w), sizeof(*w));
		_mm_storeu_si128((void *)(to + i * sizeof(*w)), _mm_setr_epi32(w[0], w[1], w[2], w[3]));
	}
	for (; i < n; i++)
		memcpy(to + i * sizeof(*w), table + at[i] * sizeof(*w), sizeof(*w));
}
#endif
