/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of bytes with scaled operands: everything stays in registers. Part of simd.c. Where the host has no
 * vectors for 64-bit products, tables of scaled bytes take less time. */

#if SIMD_LEVEL >= 2
struct operand_vec {
	vec zero_point, factor;
	struct rescale_vec rescale;
	bool is_signed, scaled;
};

static inline struct operand_vec operand_load(const struct npu_operand8 *o)
{
	struct operand_vec v = { V(set1_epi32)(o->zero_point), V(set1_epi32)(o->factor),
				 rescale_load(&o->rescale, 0), o->is_signed, o->scaled };
	return v;
}

/* LANES bytes to the common scale. */
ALWAYS_INLINE vec operand_values(const struct operand_vec *o, const u8 *p)
{
#if SIMD_LEVEL == 3
	__m128i bytes = _mm_loadu_si128((const void *)p);
#else
	__m128i bytes = _mm_loadl_epi64((const void *)p);
#endif
	vec x = o->is_signed ? V(cvtepi8_epi32)(bytes) : V(cvtepu8_epi32)(bytes);
	x = V(mullo_epi32)(V(sub_epi32)(x, o->zero_point), o->factor);
	return o->scaled ? rescale_vec(x, &o->rescale) : x;
}

static void add8(const struct npu_add8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	const struct operand_vec left = operand_load(&s->a), right = operand_load(&s->b);
	const struct rescale_vec rescale = rescale_load(&s->rescale, 0);
	const struct narrow_vec narrow = narrow_load(&s->narrow);
	const bool subtract = s->subtract, scaled = s->scaled, is_unsigned = s->narrow.is_unsigned;

	for (size_t i = 0; i < n; i += 4 * LANES) {
		vec v[4];
		UNROLL for (unsigned k = 0; k < 4; k++) {
			vec x = operand_values(&left, a + i + k * LANES);
			vec y = operand_values(&right, b + i + k * LANES);
			x = subtract ? V(sub_epi32)(x, y) : V(add_epi32)(x, y);
			v[k] = scaled ? rescale_vec(x, &rescale) : x;
		}
		vec_store(out + i, narrow4(v, &narrow, is_unsigned));
	}
}
#endif
