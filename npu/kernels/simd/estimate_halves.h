/* SPDX-License-Identifier: Apache-2.0 */
/* Results as bytes by an estimate in single precision (simd/estimate.h), where two vectors make a group of channels. Part of simd.c.
 *
 * The host's rounding mode is not asked for: in another one than to the nearest each step is off by twice as much, 15 / 2^16 together. */

#if SIMD_LEVEL == 2
#define ESTIMATE_ABOVE 16 /* half of NPU_ESTIMATE_GRAIN: lanes that are exact stay so */

struct estimate_half {
	__m256 factor, offset;
	__m256 below; /* two-sided: the offset of sums below 0 */
	vec near;     /* words: fractions below this are too close to a tie to tell */
};

struct estimate_pair {
	struct estimate_half half[2];
};

/* Where results below the zero point are cut off, the sign of a sum's offset does not matter. */
static inline bool estimate_two_sided(const struct npu_rescale *s, const struct npu_narrow8 *n)
{
	return s->negative && n->lo < n->zero_point;
}

/* `first`: the first channel. Unsigned bytes are brought to the range of signed ones first. */
ALWAYS_INLINE struct estimate_half estimate_half_load(const struct npu_rescale *s, i32 above, unsigned first)
{
	const __m256 one = _mm256_set1_ps(0x1p16f), more = _mm256_set1_ps((float)above);
	const vec lane = _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14);
	const vec exact = _mm256_and_si256(_mm256_srlv_epi32(vec_all((i32)(s->exact >> 2 * first)), lane), vec_all(1));

	return (struct estimate_half){ _mm256_mul_ps(_mm256_loadu_ps(s->factor + first), one),
				       _mm256_fmadd_ps(_mm256_loadu_ps(s->offset + first), one, more),
				       _mm256_fnmadd_ps(_mm256_loadu_ps(s->offset + first), one, more),
				       _mm256_and_si256(_mm256_cmpeq_epi32(exact, _mm256_setzero_si256()), vec_all(2 * ESTIMATE_ABOVE)) };
}

ALWAYS_INLINE struct estimate_pair estimate_load(const struct npu_rescale *s, const struct npu_narrow8 *n)
{
	const i32 zero_point = n->zero_point - (n->is_unsigned ? 128 : 0);
	const i32 above = zero_point * (1 << 16) + (1 << 15) + ESTIMATE_ABOVE;

	return (struct estimate_pair){ { estimate_half_load(s, above, 0), estimate_half_load(s, above, LANES) } };
}

/* Of one vector. */
ALWAYS_INLINE vec estimate_value(const struct estimate_pair *e, const unsigned h, const bool two_sided, vec x)
{
	const __m256 f = _mm256_cvtepi32_ps(x);
	__m256 offset = e->half[h].offset;

	if (two_sided)
		offset = _mm256_blendv_ps(offset, e->half[h].below, _mm256_castsi256_ps(x));
	return _mm256_cvtps_epi32(_mm256_fmadd_ps(f, e->half[h].factor, offset));
}

/* False when one of some values, of which these are the least words, lies so close to a tie that the estimate does not decide. */
ALWAYS_INLINE bool estimate_decides(const struct estimate_pair *e, const vec least[2])
{
	const vec close = _mm256_or_si256(_mm256_subs_epu16(e->half[0].near, least[0]), _mm256_subs_epu16(e->half[1].near, least[1]));

	return _mm256_testz_si256(close, close);
}

/* A bit for each lane of a vector of values that is so close. */
ALWAYS_INLINE u32 estimate_near(const struct estimate_pair *e, const unsigned h, vec v)
{
	const vec close = _mm256_cmpgt_epi32(_mm256_subs_epu16(e->half[h].near, v), _mm256_setzero_si256());

	return (u32)_mm256_movemask_ps(_mm256_castsi256_ps(close));
}

/* From such results to bytes. */
struct estimate_bytes {
	vec lo, hi, flip;
	bool all; /* bytes are signed, and none is clamped */
};

static inline struct estimate_bytes estimate_bytes_load(const struct npu_narrow8 *n)
{
	const i32 less = n->is_unsigned ? 128 : 0;

	return (struct estimate_bytes){ _mm256_set1_epi8((char)(n->lo - less)), _mm256_set1_epi8((char)(n->hi - less)),
					_mm256_set1_epi8((char)less), !n->is_unsigned && n->hi - n->lo == UINT8_MAX };
}

/* Bytes of four vectors: each 128 bits of the first two, then of the others. */
ALWAYS_INLINE vec estimate_narrow(const struct estimate_bytes *b, const vec v[4])
{
	const vec first = _mm256_packs_epi32(_mm256_srai_epi32(v[0], 16), _mm256_srai_epi32(v[1], 16));
	const vec second = _mm256_packs_epi32(_mm256_srai_epi32(v[2], 16), _mm256_srai_epi32(v[3], 16));
	vec r = _mm256_packs_epi16(first, second);

	if (__builtin_expect(!b->all, 0))
		r = _mm256_xor_si256(_mm256_min_epi8(_mm256_max_epi8(r, b->lo), b->hi), b->flip);
	return r;
}
#endif
