/* SPDX-License-Identifier: Apache-2.0 */
/* Exact rescale, zero point, clamp, narrowing to bytes. Part of simd.c. */

#if SIMD_LEVEL >= 2
struct rescale_vec {
	vec scale, scale_odd, add_even, add_odd, shift, negative;
};

#if SIMD_LEVEL == 2
#define V(op) _mm256_##op
#define V_SET64(x) _mm256_set1_epi64x(x)
#define V_AND(a, b) _mm256_and_si256(a, b)
#define V_BLEND_ODD(even, odd) _mm256_blend_epi32(even, odd, 0xaa)
#else
#define V(op) _mm512_##op
#define V_SET64(x) _mm512_set1_epi64(x)
#define V_AND(a, b) _mm512_and_si512(a, b)
#define V_BLEND_ODD(even, odd) _mm512_mask_blend_epi32(0xaaaa, even, odd)
#endif

static inline struct rescale_vec rescale_load(const struct npu_rescale *s, unsigned first)
{
	struct rescale_vec r;

	r.scale = vec_load(s->scale + first);
	r.scale_odd = V(srli_epi64)(r.scale, 32);
	r.add_even = vec_load(s->add[0] + first / 2);
	r.add_odd = vec_load(s->add[1] + first / 2);
	r.shift = vec_load(s->shift + first);
	r.negative = V_SET64(s->negative);
	return r;
}

static inline vec rescale_vec(vec x, const struct rescale_vec *r)
{
	vec x_odd = V(srli_epi64)(x, 32);
	vec even = V(add_epi64)(V(mul_epi32)(x, r->scale), r->add_even);
	vec odd = V(add_epi64)(V(mul_epi32)(x_odd, r->scale_odd), r->add_odd);
	/* bit 31 of each low half is the sign: exactly the 2^31 to subtract */
	even = V(sub_epi64)(even, V_AND(x, r->negative));
	odd = V(sub_epi64)(odd, V_AND(x_odd, r->negative));
	return V(srav_epi32)(V_BLEND_ODD(V(srli_epi64)(even, 32), odd), r->shift);
}

struct narrow_vec {
	vec zero_point, lo, hi;
};

static inline struct narrow_vec narrow_load(const struct npu_narrow8 *n)
{
	return (struct narrow_vec){ V(set1_epi32)(n->zero_point), V(set1_epi32)(n->lo),
				    V(set1_epi32)(n->hi) };
}

static inline vec narrow_clamp(vec v, const struct narrow_vec *n)
{
	v = V(add_epi32)(v, n->zero_point);
	return V(min_epi32)(V(max_epi32)(v, n->lo), n->hi);
}

/* The low bytes of 16 values. */
static inline __m128i narrow_pack(const vec v[VECS])
{
#if SIMD_LEVEL == 2
	vec mask = _mm256_set1_epi32(0xff);
	vec words = _mm256_packus_epi32(_mm256_and_si256(v[0], mask), _mm256_and_si256(v[1], mask));
	words = _mm256_permute4x64_epi64(words, 0xd8);
	return _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
#else
	return _mm512_cvtepi32_epi8(v[0]);
#endif
}
#endif

#if SIMD_LEVEL < 2
static inline i32 rescale_one(i32 x, const struct npu_rescale *s, unsigned c)
{
	i64 p = (i64)x * s->scale[c] + s->add[c & 1][c / 2] - (x < 0 ? (i64)s->negative : 0);
	return (i32)(p >> 32) >> s->shift[c];
}

static inline u8 narrow_one(i32 v, const struct npu_narrow8 *n)
{
	v += n->zero_point;
	v = v < n->lo ? n->lo : v;
	return (u8)(v > n->hi ? n->hi : v);
}
#endif

static inline void look_up(u8 bytes[NPU_GROUP], const u8 *table)
{
	for (unsigned i = 0; i < NPU_GROUP; i++)
		bytes[i] = table[bytes[i]];
}

ALWAYS_INLINE void store8_as(const bool whole, const bool lut, const i32 *acc, unsigned pixels,
			     const struct npu_rescale *s, const struct npu_narrow8 *n,
			     u8 *const *dst, i64 offset, unsigned channels)
{
#if SIMD_LEVEL >= 2
	struct rescale_vec r[VECS];
	struct narrow_vec nv = narrow_load(n);
	UNROLL for (unsigned v = 0; v < VECS; v++)
		r[v] = rescale_load(s, v * LANES);
#endif
	for (unsigned p = 0; p < pixels; p++, acc += NPU_GROUP) {
		u8 bytes[NPU_GROUP];
#if SIMD_LEVEL >= 2
		vec x[VECS];
		UNROLL for (unsigned v = 0; v < VECS; v++)
			x[v] = narrow_clamp(rescale_vec(vec_load(acc + v * LANES), &r[v]), &nv);
		if (whole && !lut) {
			_mm_storeu_si128((void *)(dst[p] + offset), narrow_pack(x));
			continue;
		}
		_mm_storeu_si128((void *)bytes, narrow_pack(x));
#else
		for (unsigned c = 0; c < NPU_GROUP; c++)
			bytes[c] = narrow_one(rescale_one(acc[c], s, c), n);
#endif
		if (lut)
			look_up(bytes, n->table);
		memcpy(dst[p] + offset, bytes, whole ? NPU_GROUP : channels);
	}
}

static void store8(const i32 *acc, unsigned pixels, const struct npu_rescale *s,
		   const struct npu_narrow8 *n, u8 *const *dst, i64 offset, unsigned channels)
{
	if (n->table)
		store8_as(false, true, acc, pixels, s, n, dst, offset, channels);
	else if (channels == NPU_GROUP)
		store8_as(true, false, acc, pixels, s, n, dst, offset, channels);
	else
		store8_as(false, false, acc, pixels, s, n, dst, offset, channels);
}

static void rescale(i32 *v, size_t vectors, const struct npu_rescale *s)
{
#if SIMD_LEVEL >= 2
	struct rescale_vec r[VECS];
	UNROLL for (unsigned i = 0; i < VECS; i++)
		r[i] = rescale_load(s, i * LANES);
	for (; vectors; vectors--, v += NPU_GROUP)
		UNROLL for (unsigned i = 0; i < VECS; i++)
			vec_store(v + i * LANES, rescale_vec(vec_load(v + i * LANES), &r[i]));
#else
	for (; vectors; vectors--, v += NPU_GROUP)
		for (unsigned c = 0; c < NPU_GROUP; c++)
			v[c] = rescale_one(v[c], s, c);
#endif
}

static void narrow8(const i32 *v, size_t n, const struct npu_narrow8 *o, u8 *out)
{
#if SIMD_LEVEL >= 2
	struct narrow_vec nv = narrow_load(o);
#endif
	for (size_t i = 0; i < n; i += NPU_GROUP) {
#if SIMD_LEVEL >= 2
		vec x[VECS];
		UNROLL for (unsigned k = 0; k < VECS; k++)
			x[k] = narrow_clamp(vec_load(v + i + k * LANES), &nv);
		_mm_storeu_si128((void *)(out + i), narrow_pack(x));
#else
		for (unsigned c = 0; c < NPU_GROUP; c++)
			out[i + c] = narrow_one(v[i + c], o);
#endif
		if (o->table)
			look_up(out + i, o->table);
	}
}
