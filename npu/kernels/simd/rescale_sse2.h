/* SPDX-License-Identifier: Apache-2.0 */
/* Exact rescale, zero point, clamp, narrowing to bytes with SSE2, which multiplies without signs and shifts all lanes alike. Part of simd/rescale.h. */

#define vec_all _mm_set1_epi32
#define vec_add _mm_add_epi32

static inline vec vec_min(vec a, vec b)
{
	const vec more = _mm_cmpgt_epi32(a, b);

	return _mm_or_si128(_mm_and_si128(more, b), _mm_andnot_si128(more, a));
}

static inline vec vec_max(vec a, vec b)
{
	const vec more = _mm_cmpgt_epi32(a, b);

	return _mm_or_si128(_mm_and_si128(more, a), _mm_andnot_si128(more, b));
}

struct rescale_vec {
	vec scale, scale_odd, add_even, add_odd, negative;
	vec power, power_odd, power_twice; /* 2^(31 - shift) */
	vec shift;                         /* of all lanes, where they are */
	bool alike;
};

static inline struct rescale_vec rescale_load(const struct npu_rescale *s, unsigned first)
{
	const vec scale = vec_load(s->scale + first), shift = vec_load(s->shift + first);
	const vec different = _mm_xor_si128(shift, _mm_shuffle_epi32(shift, 0));
	/* as numbers of single precision; 2^31 is what conversions give that have no room */
	const vec power = _mm_cvttps_epi32(_mm_castsi128_ps(_mm_slli_epi32(_mm_sub_epi32(_mm_set1_epi32(158), shift), 23)));

	return (struct rescale_vec){ scale, _mm_srli_epi64(scale, 32), vec_load(s->add[0] + first / 2), vec_load(s->add[1] + first / 2),
				     _mm_setr_epi32((i32)s->negative, 0, (i32)s->negative, 0), power, _mm_srli_epi64(power, 32), _mm_slli_epi32(power, 1),
				     _mm_cvtsi32_si128(s->shift[first]), _mm_movemask_epi8(_mm_cmpeq_epi32(different, _mm_setzero_si128())) == 0xffff };
}

/* Lower words of even lanes' 64 bits, upper words of odd ones'. */
static inline vec rescale_joined(vec even, vec odd)
{
	const vec low = _mm_setr_epi32(-1, 0, -1, 0);

	return _mm_or_si128(_mm_and_si128(low, even), _mm_andnot_si128(low, odd));
}

/* What each product without signs has too much in its upper word is taken off behind it. */
static inline vec rescale_vec(vec x, const struct rescale_vec *r)
{
	const vec x_odd = _mm_srli_epi64(x, 32);
	vec even = _mm_add_epi64(_mm_mul_epu32(x, r->scale), r->add_even);
	vec odd = _mm_add_epi64(_mm_mul_epu32(x_odd, r->scale_odd), r->add_odd);

	/* bit 31 of each low half is the sign: exactly the 2^31 to subtract */
	even = _mm_sub_epi64(even, _mm_and_si128(x, r->negative));
	odd = _mm_sub_epi64(odd, _mm_and_si128(x_odd, r->negative));
	const vec high = _mm_sub_epi32(rescale_joined(_mm_srli_epi64(even, 32), odd), _mm_and_si128(_mm_srai_epi32(x, 31), r->scale));
	if (r->alike)
		return _mm_sra_epi32(high, r->shift);
	even = _mm_srli_epi64(_mm_mul_epu32(high, r->power), 31);
	odd = _mm_slli_epi64(_mm_mul_epu32(_mm_srli_epi64(high, 32), r->power_odd), 1);
	return _mm_sub_epi32(rescale_joined(even, odd), _mm_and_si128(_mm_srai_epi32(high, 31), r->power_twice));
}

struct narrow_vec {
	vec zero_point, lo, hi; /* int16 */
	bool all;               /* no byte is clamped */
};

static inline struct narrow_vec narrow_load(const struct npu_narrow8 *n)
{
	return (struct narrow_vec){ _mm_set1_epi16((i16)n->zero_point), _mm_set1_epi16((i16)n->lo), _mm_set1_epi16((i16)n->hi), n->hi - n->lo == UINT8_MAX };
}

/* Bytes of four vectors of values, in order. Saturation on the way changes nothing that the
 * clamp would not (npu_narrow8). */
ALWAYS_INLINE vec narrow4(const vec v[4], const struct narrow_vec *n, bool is_unsigned)
{
	vec a = _mm_adds_epi16(_mm_packs_epi32(v[0], v[1]), n->zero_point);
	vec b = _mm_adds_epi16(_mm_packs_epi32(v[2], v[3]), n->zero_point);

	if (__builtin_expect(!n->all, 0)) {
		a = _mm_min_epi16(_mm_max_epi16(a, n->lo), n->hi);
		b = _mm_min_epi16(_mm_max_epi16(b, n->lo), n->hi);
	}
	return is_unsigned ? _mm_packus_epi16(a, b) : _mm_packs_epi16(a, b);
}
