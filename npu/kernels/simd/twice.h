/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of two pixels of up to eight channels in a vector. Part of simd.c.
 *
 * Four such vectors are eight pixels: vector i has the sums of pixels i and i + 4. */

#if SIMD_LEVEL == 3
#define HALF_CHANNELS (NPU_GROUP / 2)
#define HALF_PIXELS 8

/* The first eight lanes once more. */
ALWAYS_INLINE vec half_twice(vec v)
{
	return _mm512_shuffle_i32x4(v, v, 0x44);
}

ALWAYS_INLINE __m512 half_twice_ps(__m512 v)
{
	return _mm512_castsi512_ps(half_twice(_mm512_castps_si512(v)));
}

static inline struct estimate_vec half_estimate(const struct npu_rescale *s, const struct npu_narrow8 *n, const bool two_sided)
{
	struct estimate_vec e = estimate_load(s, n, two_sided);

	e.factor = half_twice_ps(e.factor);
	e.offset = half_twice_ps(e.offset);
	e.near = (e.near & 0xffff) * 0x10001;
	return e;
}

/* Bytes of the first channels of four pixels in bricks. */
static inline __mmask64 half_mask(u32 channels)
{
	return UINT64_C(0x0001000100010001) * ((1u << channels) - 1);
}

/* What estimate_narrow() gives: pixels 0, 4, 1, 5 and so on. */
ALWAYS_INLINE void half_put(u8 *to, __mmask64 channels, vec bytes)
{
	_mm512_mask_storeu_epi8(to, channels, bytes);
	_mm512_mask_storeu_epi8(to + 4 * NPU_GROUP, channels, _mm512_shuffle_epi32(bytes, 0x4e));
}

/* Sums that the estimate does not decide. */
static NOINLINE void half_exact(const struct npu_rescale *s, const struct npu_narrow8 *n, __mmask64 channels, const i32 sum[4 * NPU_GROUP], u8 *to)
{
	NPU_LINE u8 bytes[4 * NPU_GROUP];
	NPU_LINE i32 pixel[4 * NPU_GROUP] = { 0 };

	for (unsigned half = 0; half < 2; half++) {
		for (unsigned i = 0; i < 4; i++)
			memcpy(pixel + i * NPU_GROUP, sum + i * NPU_GROUP + half * HALF_CHANNELS, HALF_CHANNELS * sizeof(*pixel));
		store_exact(s, n, pixel, 4, bytes);
		_mm512_mask_storeu_epi8(to + half * 4 * NPU_GROUP, channels, vec_load(bytes));
	}
}
#endif
