/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes along two straight lines. Part of simd.c. */

#if SIMD_LEVEL == 2
/* 16 of them as words. */
ALWAYS_INLINE vec straight_words(const struct npu_straight *s, const u8 *p)
{
	const vec x = _mm256_cvtepi8_epi16(_mm_loadu_si128((const void *)p)), d = _mm256_sub_epi16(x, _mm256_set1_epi16(s->from));
	const vec slope = _mm256_blendv_epi8(_mm256_set1_epi16(s->above), _mm256_set1_epi16(s->below), _mm256_srai_epi16(d, 15));

	return _mm256_adds_epi16(_mm256_mulhrs_epi16(_mm256_sll_epi16(d, _mm_cvtsi32_si128(s->up)), slope), _mm256_set1_epi16(s->to));
}

ALWAYS_INLINE void straight_some(const struct npu_straight *s, const u8 *from, u8 *to)
{
	const vec both = _mm256_packs_epi16(straight_words(s, from), straight_words(s, from + 16));

	vec_store(to, _mm256_permute4x64_epi64(both, 0xd8));
}

static void straight(const struct npu_straight *lines, const u8 *from, size_t n, u8 *to)
{
	const struct npu_straight s = *lines; /* which what is stored cannot be */
	u8 rest[sizeof(vec)] = { 0 };
	size_t i = 0;

	for (; i + sizeof(vec) <= n; i += sizeof(vec))
		straight_some(&s, from + i, to + i);
	if (i < n) {
		memcpy(rest, from + i, n - i);
		straight_some(&s, rest, rest);
		memcpy(to + i, rest, n - i);
	}
}
#endif
