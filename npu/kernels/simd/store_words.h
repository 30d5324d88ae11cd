/* SPDX-License-Identifier: Apache-2.0 */
/* Accumulators to int16 where their pixels belong. Part of simd.c. */

#ifdef USES_NEON
typedef int16x8x2_t words_vec;
#define words_store(to, words) vst1q_s16_x2((i16 *)(void *)(to), words)
#elif SIMD_LEVEL == 1
typedef struct { vec v[2]; } words_vec;
#define words_store(to, words) memcpy(to, &(words), sizeof(words))
#elif SIMD_LEVEL >= 2
typedef __m256i words_vec;
#define words_store(to, words) _mm256_storeu_si256((void *)(to), words)
#endif

#if SIMD_LEVEL >= 1
/* Constants of 16 channels' int16 results, in registers. */
struct words {
	struct rescale_vec rescale[VECS];
	vec least, most, zero;
};

/* Clamped before the zero point is added, as narrow_one() does. */
ALWAYS_INLINE words_vec words_narrow(const struct words *c, vec v[VECS])
{
	UNROLL for (unsigned i = 0; i < VECS; i++)
		v[i] = vec_add(vec_min(vec_max(v[i], c->least), c->most), c->zero);
#ifdef USES_NEON
	return (words_vec){ { vmovn_high_s32(vmovn_s32(v[0]), v[1]), vmovn_high_s32(vmovn_s32(v[2]), v[3]) } };
#elif SIMD_LEVEL == 1
	return (words_vec){ { _mm_packs_epi32(v[0], v[1]), _mm_packs_epi32(v[2], v[3]) } };
#elif SIMD_LEVEL == 2
	return _mm256_permute4x64_epi64(_mm256_packs_epi32(v[0], v[1]), 0xd8);
#else
	return _mm512_cvtepi32_epi16(v[0]);
#endif
}

ALWAYS_INLINE words_vec words_of(const struct words *c, const bool scaled, const i32 *acc)
{
	vec v[VECS];

	UNROLL for (unsigned i = 0; i < VECS; i++) {
		v[i] = vec_load(acc + i * LANES);
		v[i] = scaled ? rescale_vec(v[i], &c->rescale[i]) : v[i];
	}
	return words_narrow(c, v);
}

static inline struct words words_load(const struct npu_rescale *s, const struct npu_narrow16 *n)
{
	struct words c = { .least = vec_all(n->lo - n->zero_point), .most = vec_all(n->hi - n->zero_point), .zero = vec_all(n->zero_point) };

	UNROLL for (unsigned i = 0; s && i < VECS; i++)
		c.rescale[i] = rescale_load(s, i * LANES);
	return c;
}

ALWAYS_INLINE void store_words(const bool scaled, const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
			       const struct npu_narrow16 *n, i64 offset, unsigned channels)
{
	const struct words c = words_load(s, n);

	for (unsigned r = 0; r < t->runs; r++) {
		u8 *to = t->run[r].to + offset;
		for (unsigned left = t->run[r].n; left; left--, to += t->step, acc += NPU_GROUP) {
			const words_vec words = words_of(&c, scaled, acc);
			if (channels == NPU_GROUP)
				words_store(to, words);
			else
				store_part(to, (const u8 *)&words, channels * sizeof(i16));
		}
	}
}
#endif

#if SIMD_LEVEL == 3
/* int16 of two pixels at a time, whose zero point is 0. */
struct words_pair {
	vec lo, hi; /* int16 */
	__mmask16 some;
};

static inline struct words_pair words_pair_load(const struct npu_narrow16 *n, u32 channels)
{
	return (struct words_pair){ V(set1_epi16)((i16)n->lo), V(set1_epi16)((i16)n->hi),
				    (__mmask16)(channels < NPU_GROUP ? (1u << channels) - 1 : 0xffff) };
}

ALWAYS_INLINE void words_pair_store(const struct words_pair *w, vec a, vec b, u8 *to_a, u8 *to_b)
{
	const vec order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
	const vec v = _mm512_min_epi16(_mm512_max_epi16(_mm512_packs_epi32(a, b), w->lo), w->hi), words = _mm512_permutexvar_epi64(order, v);

	_mm256_mask_storeu_epi16(to_a, w->some, _mm512_castsi512_si256(words));
	_mm256_mask_storeu_epi16(to_b, w->some, _mm512_extracti64x4_epi64(words, 1));
}
#endif

static void store16(const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
		    const struct npu_narrow16 *n, i64 offset, unsigned channels)
{
#if SIMD_LEVEL >= 1
	if (s)
		store_words(true, acc, t, s, n, offset, channels);
	else
		store_words(false, acc, t, s, n, offset, channels);
#else
	for (unsigned r = 0; r < t->runs; r++)
		for (unsigned p = 0; p < t->run[r].n; p++, acc += NPU_GROUP) {
			u8 *to = t->run[r].to + p * t->step + offset;
			i32 v[NPU_GROUP];
			i16 out[NPU_GROUP];
			memcpy(v, acc, sizeof(v));
			if (s)
				rescale(v, 1, s);
			narrow16(v, n, out);
			if (channels == NPU_GROUP)
				memcpy(to, out, sizeof(out));
			else
				memcpy(to, out, channels * sizeof(*out));
		}
#endif
}
