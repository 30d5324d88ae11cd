/* SPDX-License-Identifier: Apache-2.0 */
/* Elements repeated, as broadcasting along the channels has them, by vectors of 16 bytes. Part of simd.c. */

#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
/* Which bytes of 16 / `bytes` elements are vector v of those that they give, each n < 16 times: (16 / bytes * v + lane / bytes) / n. */
ALWAYS_INLINE __m128i repeat_order(const unsigned bytes, size_t n, size_t v)
{
	const __m256i lane = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	const unsigned shift = bytes == 4 ? 2 : bytes - 1;
	const __m256i at = _mm256_add_epi16(_mm256_srli_epi16(lane, (int)shift), _mm256_set1_epi16((i16)(16 / bytes * v)));
	const __m256i of = n == 1 ? at : _mm256_mulhi_epu16(at, _mm256_set1_epi16((i16)(UINT16_MAX / n + 1))); /* below 256, so that it is exact */
	const __m256i byte = _mm256_or_si256(_mm256_slli_epi16(of, (int)shift), _mm256_and_si256(lane, _mm256_set1_epi16((i16)(bytes - 1))));

	return _mm_packus_epi16(_mm256_castsi256_si128(byte), _mm256_extracti128_si256(byte, 1));
}

/* Blocks of 16 bytes, n vectors each. */
ALWAYS_INLINE void repeat_blocks(const unsigned bytes, u8 *to, const u8 *from, size_t blocks, size_t n)
{
	for (size_t v = 0; v < n; v++) {
		const __m128i order = repeat_order(bytes, n, v);
		for (size_t k = 0; k < blocks; k++)
			_mm_storeu_si128((void *)(to + 16 * (n * k + v)), _mm_shuffle_epi8(_mm_loadu_si128((const void *)(from + 16 * k)), order));
	}
}

ALWAYS_INLINE __m128i repeat_one(const unsigned bytes, const u8 *p)
{
	i32 word;
	i16 half;

	if (bytes == 1)
		return _mm_set1_epi8((char)*p);
	memcpy(&half, p, sizeof(half));
	if (bytes == 2)
		return _mm_set1_epi16(half);
	memcpy(&word, p, sizeof(word));
	return _mm_set1_epi32(word);
}

/* Of at least 16 bytes: the last vector of a run begins in the one before. */
ALWAYS_INLINE void repeat_long(const unsigned bytes, u8 *to, const u8 *from, i64 step, size_t runs, size_t length)
{
	for (; runs; runs--, from += step, to += length) {
		const __m128i all = repeat_one(bytes, from);
		for (size_t i = 0; i + 16 < length; i += 16)
			_mm_storeu_si128((void *)(to + i), all);
		_mm_storeu_si128((void *)(to + length - 16), all);
	}
}

ALWAYS_INLINE void repeat_of(const unsigned bytes, u8 *to, const u8 *from, i64 step, size_t runs, size_t n)
{
	const size_t length = n * bytes, blocks = step == bytes && length < 16 ? runs * bytes / 16 : 0, done = blocks * 16 / bytes;

	if (length >= 16) {
		repeat_long(bytes, to, from, step, runs, length);
		return;
	}
	repeat_blocks(bytes, to, from, blocks, n);
	to += done * length;
	from += (i64)done * step;
	for (size_t r = done; r < runs; r++, from += step)
		for (size_t i = 0; i < n; i++, to += bytes)
			memcpy(to, from, bytes);
}

static void repeat(u8 *to, const u8 *from, i64 step, size_t runs, size_t n, unsigned bytes)
{
	switch (bytes) {
	case 1: repeat_of(1, to, from, step, runs, n); return;
	case 2: repeat_of(2, to, from, step, runs, n); return;
	default: repeat_of(4, to, from, step, runs, n); return;
	}
}
#endif
