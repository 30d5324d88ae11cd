/* SPDX-License-Identifier: Apache-2.0 */
/* Exact rescale, zero point, clamp, narrowing to bytes and int16. Part of simd.c. */

#ifdef USES_NEON
#include "npu/kernels/simd/rescale_neon.h"
#elif SIMD_LEVEL == 1
#include "npu/kernels/simd/rescale_sse2.h"
#elif SIMD_LEVEL >= 2
#if SIMD_LEVEL == 2
#define V(op) _mm256_##op
#define V_SET64(x) _mm256_set1_epi64x(x)
#define V_AND(a, b) _mm256_and_si256(a, b)
#define V_OR(a, b) _mm256_or_si256(a, b)
#define V_XOR(a, b) _mm256_xor_si256(a, b)
#define V_HIGH(even, odd) _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa)
#define V_PERMUTE(order, v) _mm256_permutevar8x32_epi32(v, order)
#else
#define V(op) _mm512_##op
#define V_SET64(x) _mm512_set1_epi64(x)
#define V_AND(a, b) _mm512_and_si512(a, b)
#define V_OR(a, b) _mm512_or_si512(a, b)
#define V_XOR(a, b) _mm512_xor_si512(a, b)
#define V_HIGH(even, odd) _mm512_mask_shuffle_epi32(odd, 0x5555, even, 0xf5)
#define V_PERMUTE(order, v) _mm512_permutexvar_epi32(order, v)
#endif
#define vec_all V(set1_epi32)
#define vec_add V(add_epi32)
#define vec_min V(min_epi32)
#define vec_max V(max_epi32)

struct rescale_vec {
	vec scale, scale_odd, add_even, add_odd, shift, negative;
};

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
	return V(srav_epi32)(V_HIGH(even, odd), r->shift);
}

/* The same where `negative` is 0. */
ALWAYS_INLINE vec rescale_once(vec x, const struct rescale_vec *r)
{
	const vec even = V(add_epi64)(V(mul_epi32)(x, r->scale), r->add_even);
	const vec odd = V(add_epi64)(V(mul_epi32)(V(shuffle_epi32)(x, 0xf5), r->scale_odd), r->add_odd);

	return V(srav_epi32)(V_HIGH(even, odd), r->shift);
}

/* As struct npu_rescale_signs. */
struct signs_vec {
	vec scale, plus, minus;
	__m128i shift; /* less 32 */
};

static inline struct signs_vec signs_load(const struct npu_rescale_signs *s)
{
	return (struct signs_vec){ vec_all(s->scale), V_SET64(s->plus), V_SET64(s->minus), _mm_cvtsi32_si128(s->shift - 32) };
}

/* Products and the constants of their signs. */
ALWAYS_INLINE vec signs_add(const struct signs_vec *s, vec product)
{
#if SIMD_LEVEL == 3
	return _mm512_add_epi64(product, _mm512_mask_mov_epi64(s->plus, _mm512_movepi64_mask(product), s->minus));
#else
	const __m256d constant = _mm256_blendv_pd(_mm256_castsi256_pd(s->plus), _mm256_castsi256_pd(s->minus), _mm256_castsi256_pd(product));
	return _mm256_add_epi64(product, _mm256_castpd_si256(constant));
#endif
}

ALWAYS_INLINE vec signs_vec(vec x, const struct signs_vec *s)
{
	const vec even = signs_add(s, V(mul_epi32)(x, s->scale)), odd = signs_add(s, V(mul_epi32)(V(shuffle_epi32)(x, 0xf5), s->scale));

	return V(sra_epi32)(V_HIGH(even, odd), s->shift);
}

struct narrow_vec {
	vec zero_point, lo, hi, order;
	bool all; /* no byte is clamped */
};

static inline struct narrow_vec narrow_load(const struct npu_narrow8 *n)
{
	/* saturating packs work on 128-bit lanes: where the bytes of four vectors end up */
#if SIMD_LEVEL == 2
	vec order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
#else
	vec order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
#endif
	return (struct narrow_vec){ V(set1_epi16)((i16)n->zero_point), V(set1_epi8)((char)n->lo),
				    V(set1_epi8)((char)n->hi), order, n->hi - n->lo == UINT8_MAX };
}

/* Bytes of four vectors of values, in order. Saturation on the way changes nothing that the
 * clamp would not (npu_narrow8). */
ALWAYS_INLINE vec narrow4(const vec v[4], const struct narrow_vec *n, bool is_unsigned)
{
	vec a = V(adds_epi16)(V(packs_epi32)(v[0], v[1]), n->zero_point);
	vec b = V(adds_epi16)(V(packs_epi32)(v[2], v[3]), n->zero_point);
	vec r;

	r = is_unsigned ? V(packus_epi16)(a, b) : V(packs_epi16)(a, b);
	if (__builtin_expect(!n->all, 0) && is_unsigned)
		r = V(min_epu8)(V(max_epu8)(r, n->lo), n->hi);
	else if (__builtin_expect(!n->all, 0))
		r = V(min_epi8)(V(max_epi8)(r, n->lo), n->hi);
	return V_PERMUTE(n->order, r);
}
#endif

#if SIMD_LEVEL >= 1
#define STORE_PIXELS (4 / VECS) /* whose bytes fill a vector */
#else
#define STORE_PIXELS 1
#endif

#if SIMD_LEVEL == 0 || SIMD_LEVEL == 2
static inline i32 rescale_one(i32 x, const struct npu_rescale *s, unsigned c)
{
	const i64 p = (i64)x * s->scale[c] + s->add[c & 1][c / 2] - (i64)(s->negative & (u32)(x >> 31)); /* signs are not foreseen */
	return (i32)(p >> 32) >> s->shift[c];
}

/* Clamped before the zero point is added, which a sum near the ends of 32 bits would not bear. */
static inline u8 narrow_one(i32 v, const struct npu_narrow8 *n)
{
	const i32 lo = n->lo - n->zero_point, hi = n->hi - n->zero_point;

	v = v < lo ? lo : v;
	return (u8)((v > hi ? hi : v) + n->zero_point);
}
#endif

static inline void look_up(u8 bytes[NPU_GROUP], const u8 *table)
{
	for (unsigned i = 0; i < NPU_GROUP; i++)
		bytes[i] = table[bytes[i]];
}

static void rescale(i32 *v, size_t vectors, const struct npu_rescale *s)
{
#if SIMD_LEVEL >= 1
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

static void rescale_signs(i32 *v, size_t vectors, const struct npu_rescale_signs *s)
{
#if SIMD_LEVEL >= 2 && !defined(USES_NEON)
	const struct signs_vec k = signs_load(s);
	for (size_t i = 0; i < vectors * NPU_GROUP; i += LANES)
		vec_store(v + i, signs_vec(vec_load(v + i), &k));
#else
	const i64 scale = s->scale, plus = s->plus, minus = s->minus;
	const unsigned shift = s->shift;
	for (size_t i = 0; i < vectors * NPU_GROUP; i++) {
		const i64 product = v[i] * scale;
		v[i] = (i32)((product + (product < 0 ? minus : plus)) >> shift);
	}
#endif
}

#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
/* By a scale of 32 bits, of which lanes have what is left without 2^32: products' high words are less by x then. */
static void rescale_above(i32 *v, size_t vectors, const struct npu_rescale *s)
{
	struct rescale_vec r = rescale_load(s, 0);
	const vec shift = r.shift;

	r.shift = vec_all(0);
	for (size_t i = 0; i < vectors * NPU_GROUP; i += LANES) {
		const vec x = vec_load(v + i);
		vec_store(v + i, V(srav_epi32)(vec_add(rescale_vec(x, &r), x), shift));
	}
}
#endif

#if SIMD_LEVEL == 0
/* 16 values to int16, clamped first as above. */
static inline void narrow16(const i32 *v, const struct npu_narrow16 *n, i16 *out)
{
	const i32 least = n->lo - n->zero_point, most = n->hi - n->zero_point;

	for (unsigned i = 0; i < NPU_GROUP; i++) {
		i32 x = v[i] < least ? least : v[i];
		out[i] = (i16)((x > most ? most : x) + n->zero_point);
	}
}
#endif

static void narrow8(const i32 *v, size_t n, const struct npu_narrow8 *o, u8 *out)
{
	size_t i = 0;
#if SIMD_LEVEL >= 1
	const struct narrow_vec nv = narrow_load(o);
	for (; i + 4 * LANES <= n; i += 4 * LANES) {
		vec x[4];
		UNROLL for (unsigned k = 0; k < 4; k++)
			x[k] = vec_load(v + i + k * LANES);
		vec_store(out + i, narrow4(x, &nv, o->is_unsigned));
	}
	if (i < n) {
		u8 bytes[4 * LANES];
		vec x[4];
		UNROLL for (unsigned k = 0; k < 4; k++)
			x[k] = vec_load(v + i + (i + k * LANES < n ? k * LANES : 0));
		vec_store(bytes, narrow4(x, &nv, o->is_unsigned));
		memcpy(out + i, bytes, n - i);
	}
#else
	for (; i < n; i++)
		out[i] = narrow_one(v[i], o);
#endif
	for (i = 0; o->table && i < n; i += NPU_GROUP)
		look_up(out + i, o->table);
}
