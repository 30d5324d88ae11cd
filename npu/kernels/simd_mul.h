/* SPDX-License-Identifier: Apache-2.0 */
/* Products of bytes, or bytes times one factor, to bytes: everything stays in registers. Part of simd.c. */

#if SIMD_LEVEL >= 2 && !defined(USES_NEON)
struct factor_vec {
	vec zero_point;
	bool is_signed;
};

/* LANES bytes less the zero point. */
ALWAYS_INLINE vec factor_values(const struct factor_vec *f, const u8 *p)
{
#if SIMD_LEVEL == 3
	const __m128i bytes = _mm_loadu_si128((const void *)p);
#else
	const __m128i bytes = _mm_loadl_epi64((const void *)p);
#endif
	return V(sub_epi32)(f->is_signed ? V(cvtepi8_epi32)(bytes) : V(cvtepu8_epi32)(bytes), f->zero_point);
}

/* Four vectors of products. */
ALWAYS_INLINE void factors_multiply(const struct npu_mul8 *s, const u8 *a, const u8 *b, vec v[4])
{
	const struct factor_vec left = { V(set1_epi32)(s->zero_a), s->signed_a }, right = { V(set1_epi32)(s->zero_b), s->signed_b };
	const vec factor = V(set1_epi32)(s->factor);
	const __m128i up = _mm_cvtsi32_si128(s->rescale.left);

	UNROLL for (unsigned k = 0; k < 4; k++)
		v[k] = V(sll_epi32)(V(mullo_epi32)(factor_values(&left, a + k * LANES), b ? factor_values(&right, b + k * LANES) : factor), up);
}

static NOINLINE void mul8_exact(const struct npu_mul8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	const struct rescale_vec rescale = rescale_load(&s->rescale, 0);
	const struct narrow_vec narrow = narrow_load(&s->narrow);

	for (size_t i = 0; i < n; i += 4 * LANES) {
		vec v[4];
		factors_multiply(s, a + i, b ? b + i : b, v);
		UNROLL for (unsigned k = 0; k < 4; k++)
			v[k] = s->scaled ? rescale_vec(v[k], &rescale) : v[k];
		vec_store(out + i, narrow4(v, &narrow, s->narrow.is_unsigned));
	}
}

#if SIMD_LEVEL == 3
static void mul8_estimate(const struct npu_mul8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	const bool two_sided = estimate_two_sided(&s->rescale, &s->narrow);
	const struct estimate_vec e = estimate_load(&s->rescale, &s->narrow, two_sided);
	const struct estimate_bytes bytes = estimate_bytes_load(&s->narrow);

	for (size_t i = 0; i < n; i += 64) {
		vec x[4], v[4];
		factors_multiply(s, a + i, b ? b + i : b, x);
		if (__builtin_expect(estimate(&e, two_sided, x, 4, v), 1))
			vec_store(out + i, estimate_narrow(&bytes, v));
		else
			mul8_exact(s, a + i, b ? b + i : b, 64, out + i);
	}
}
#endif

static void mul8_blocks(const struct npu_mul8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
#if SIMD_LEVEL == 3
	if (s->scaled && npu_estimates(&s->rescale, &s->narrow)) {
		mul8_estimate(s, a, b, n, out);
		return;
	}
#endif
	mul8_exact(s, a, b, n, out);
}

static void mul8(const struct npu_mul8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	BLOCKS_OF_ROW(mul8_blocks);
}
#endif
