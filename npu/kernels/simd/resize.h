/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of bytes that are blended along x (struct npu_blended). Part of simd.c. */

static void blend_columns(const struct npu_blended *c, size_t groups, const u8 *row, u16 *to)
{
	for (; groups; groups--, c++, to += NPU_BLENDED) {
#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
		const __m128i left = _mm_shuffle_epi8(_mm_loadu_si128((const void *)(row + c->left)), _mm_load_si128((const void *)c->first));
		const __m128i right = _mm_shuffle_epi8(_mm_loadu_si128((const void *)(row + c->right)), _mm_load_si128((const void *)c->second));
		const __m128i near = _mm_mullo_epi16(left, _mm_load_si128((const void *)c->near));
		_mm_storeu_si128((void *)to, _mm_add_epi16(near, _mm_mullo_epi16(right, _mm_load_si128((const void *)c->far))));
#else
		for (unsigned i = 0; i < NPU_BLENDED; i++)
			to[i] = (u16)(row[c->left + c->first[2 * i]] * c->near[i] + row[c->right + c->second[2 * i]] * c->far[i]);
#endif
	}
}
