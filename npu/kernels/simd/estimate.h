/* SPDX-License-Identifier: Apache-2.0 */
/* Results as bytes by an estimate in single precision, where one is near enough. Part of simd.c.
 *
 * Values have 16 bits behind the binary point, zero point included. Below 512 the factor, the sum's conversion,
 * the offset and the product's rounding are off by at most 7.5 / 2^16 together: with ESTIMATE_ABOVE more the
 * integer part is right unless the fraction is less than twice that. From 512 on the clamp decides
 * (npu_estimates()). Nothing here depends on the host's rounding mode or sets its flags. */

#if SIMD_LEVEL == 3
#define ESTIMATE_ABOVE 8
#define NEAREST (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)

struct estimate_vec {
	__m512 factor, offset;
	u32 near;  /* bit 2 * lane: a tie may be too close to tell */
	vec above; /* two-sided: comes behind the conversion, as the offset has the sum's sign */
};

/* Where results below the zero point are cut off, the sign of a sum's offset does not matter. */
static inline bool estimate_two_sided(const struct npu_rescale *s, const struct npu_narrow8 *n)
{
	return s->negative && n->lo < n->zero_point;
}

/* Unsigned bytes are brought to the range of signed ones first. */
ALWAYS_INLINE struct estimate_vec estimate_load(const struct npu_rescale *s, const struct npu_narrow8 *n,
						const bool two_sided)
{
	const __m512 one = _mm512_set1_ps(0x1p16f);
	const i32 zero_point = n->zero_point - (n->is_unsigned ? 128 : 0);
	const i32 above = zero_point * (1 << 16) + (1 << 15) + ESTIMATE_ABOVE;
	const __m512 more = two_sided ? _mm512_setzero_ps() : _mm512_set1_ps((float)above);

	return (struct estimate_vec){ _mm512_mul_round_ps(_mm512_loadu_ps(s->factor), one, NEAREST),
				      _mm512_fmadd_round_ps(_mm512_loadu_ps(s->offset), one, more, NEAREST),
				      ~s->exact & 0x55555555,
				      _mm512_set1_epi32(above) };
}

/* `pixels` <= 4 pixels; what decides about them. */
ALWAYS_INLINE vec estimate_values(const struct estimate_vec *e, const bool two_sided, const vec x[4], const unsigned pixels, vec v[4])
{
	vec fraction;

	if (__builtin_expect_with_probability(two_sided, 1, 0.5)) { /* x & sign | offset; neither way is far from the products */
		const vec sign = _mm512_set1_epi32(INT32_MIN);
		UNROLL for (unsigned i = 0; i < pixels; i++) {
			const vec offset = _mm512_ternarylogic_epi32(x[i], sign, _mm512_castps_si512(e->offset), 0xea);
			const __m512 f = _mm512_cvt_roundepi32_ps(x[i], NEAREST);
			v[i] = _mm512_cvt_roundps_epi32(_mm512_fmadd_round_ps(f, e->factor, _mm512_castsi512_ps(offset), NEAREST), NEAREST);
			v[i] = _mm512_add_epi32(v[i], e->above);
		}
	} else {
		UNROLL for (unsigned i = 0; i < pixels; i++) {
			const __m512 f = _mm512_cvt_roundepi32_ps(x[i], NEAREST);
			v[i] = _mm512_cvt_roundps_epi32(_mm512_fmadd_round_ps(f, e->factor, e->offset, NEAREST), NEAREST);
		}
	}
	fraction = v[0];
	UNROLL for (unsigned i = 1; i < pixels; i++)
		fraction = _mm512_min_epu16(fraction, v[i]);
	return fraction;
}

/* False when a result lies so close to a tie that the estimate does not decide. */
ALWAYS_INLINE bool estimate_decides(u32 near, vec fraction)
{
	return !_mm512_mask_cmplt_epu16_mask(near, fraction, _mm512_set1_epi16(2 * ESTIMATE_ABOVE));
}

/* Both. */
ALWAYS_INLINE bool estimate(const struct estimate_vec *e, const bool two_sided, const vec x[4], const unsigned pixels, vec v[4])
{
	return estimate_decides(e->near, estimate_values(e, two_sided, x, pixels, v));
}

/* From such results to bytes. */
struct estimate_bytes {
	vec lo, hi, flip;
	bool all;     /* no byte is clamped */
	bool limited; /* some are from above: else the largest one is the type's, to which packing saturates */
};

static inline struct estimate_bytes estimate_bytes_load(const struct npu_narrow8 *n)
{
	const i32 less = n->is_unsigned ? 128 : 0;

	return (struct estimate_bytes){ _mm512_set1_epi8((char)(n->lo - less)), _mm512_set1_epi8((char)(n->hi - less)),
					_mm512_set1_epi8((char)less), n->hi - n->lo == UINT8_MAX, n->hi - less < INT8_MAX };
}

/* Results are most often cut off from below, by ReLUs. */
ALWAYS_INLINE vec estimate_clamp(const struct estimate_bytes *b, vec bytes)
{
	if (__builtin_constant_p(b->all) && b->all)
		return bytes;
	bytes = _mm512_max_epi8(bytes, b->lo);
	return __builtin_expect(b->limited, 0) ? _mm512_min_epi8(bytes, b->hi) : bytes;
}

/* Bytes of four vectors, in order. */
ALWAYS_INLINE vec estimate_narrow(const struct estimate_bytes *b, const vec v[4])
{
#define ODD(i) (0x30001 + 0x40004 * (i)) /* two words: the upper halves */
	const vec odd = _mm512_setr_epi32(ODD(0), ODD(1), ODD(2), ODD(3), ODD(4), ODD(5), ODD(6), ODD(7), ODD(8), ODD(9),
					  ODD(10), ODD(11), ODD(12), ODD(13), ODD(14), ODD(15));
#undef ODD
	vec r = _mm512_packs_epi16(_mm512_permutex2var_epi16(v[0], odd, v[1]), _mm512_permutex2var_epi16(v[2], odd, v[3]));

	return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), _mm512_xor_si512(estimate_clamp(b, r), b->flip));
}
#endif
