/* SPDX-License-Identifier: Apache-2.0 */
/* Accumulators to where their pixels belong, exactly or by the estimate. Part of simd.c. */

/* Constants of a group of 16 channels. */
struct store {
#if SIMD_LEVEL >= 2
	struct rescale_vec rescale[VECS];
	struct narrow_vec narrow;
#else
	const struct npu_rescale *rescale;
	const struct npu_narrow8 *narrow;
#endif
};

static inline struct store store_load(const struct npu_rescale *s, const struct npu_narrow8 *n)
{
	struct store c;
#if SIMD_LEVEL >= 2
	UNROLL for (unsigned v = 0; v < VECS; v++)
		c.rescale[v] = rescale_load(s, v * LANES);
	c.narrow = narrow_load(n);
#else
	c.rescale = s;
	c.narrow = n;
#endif
	return c;
}

#if SIMD_LEVEL == 3
/* Bytes of `pixels` <= 4 pixels that the estimate does not decide; writes room for four. */
static NOINLINE void store_exact(const struct npu_rescale *s, const struct npu_narrow8 *n, const i32 *acc, unsigned pixels,
				 u8 *out)
{
	const struct rescale_vec rescale = rescale_load(s, 0);
	const struct narrow_vec narrow = narrow_load(n);
	vec v[4];

	UNROLL for (unsigned i = 0; i < 4; i++)
		v[i] = rescale_vec(vec_load(acc + (i < pixels ? i : 0) * NPU_GROUP), &rescale);
	vec_store(out, narrow4(v, &narrow, n->is_unsigned));
}
#endif

#if SIMD_LEVEL == 2
/* Whether rounding need not ask for the sign: it does not depend on it, or what is below the zero point is cut off. There sums below 0 give 0
 * at most with either constant, as half a unit and a quarter are all that is added (estimate_set() in rescale.c). */
static inline bool store_once(const struct npu_rescale *s, const struct npu_narrow8 *n)
{
	return !s->negative || (s->estimate && n->lo >= n->zero_point);
}
#endif

#if SIMD_LEVEL >= 2
ALWAYS_INLINE vec store_rescaled(vec x, const struct rescale_vec *r, const bool once)
{
#if SIMD_LEVEL == 2
	if (once)
		return rescale_once(x, r);
#endif
	(void)once;
	return rescale_vec(x, r);
}
#endif

/* Bytes of `pixels` <= STORE_PIXELS pixels; writes room for all STORE_PIXELS. */
ALWAYS_INLINE void store_bytes(const struct store *c, bool is_unsigned, const bool once, const i32 *acc, const unsigned pixels, u8 *out)
{
#if SIMD_LEVEL >= 2
	vec v[4];
	UNROLL for (unsigned i = 0; i < pixels * VECS; i++)
		v[i] = store_rescaled(vec_load(acc + i * LANES), &c->rescale[i % VECS], once);
	UNROLL for (unsigned i = pixels * VECS; i < 4; i++)
		v[i] = v[0];
	vec_store(out, narrow4(v, &c->narrow, is_unsigned));
#else
	(void)is_unsigned;
	(void)once;
	(void)pixels;
	for (unsigned i = 0; i < NPU_GROUP; i++)
		out[i] = narrow_one(rescale_one(acc[i], c->rescale, i), c->narrow);
#endif
}

/* Whole groups to pixels that lie together in each run. */
ALWAYS_INLINE void store_runs(bool is_unsigned, const bool once, const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
			      const struct npu_narrow8 *n, i64 offset)
{
	const struct store c = store_load(s, n);
	u8 bytes[STORE_PIXELS * NPU_GROUP];

	for (unsigned r = 0; r < t->runs; r++) {
		u8 *to = t->run[r].to + offset;
		unsigned left = t->run[r].n;
		for (; left >= STORE_PIXELS; left -= STORE_PIXELS) {
			store_bytes(&c, is_unsigned, once, acc, STORE_PIXELS, to);
			acc += STORE_PIXELS * NPU_GROUP;
			to += STORE_PIXELS * NPU_GROUP;
		}
#if STORE_PIXELS > 2
		if (left >= 2) {
			store_bytes(&c, is_unsigned, once, acc, 2, bytes);
			memcpy(to, bytes, 2 * NPU_GROUP);
			acc += 2 * NPU_GROUP;
			to += 2 * NPU_GROUP;
			left -= 2;
		}
#endif
		if (left) {
			store_bytes(&c, is_unsigned, once, acc, 1, bytes);
			memcpy(to, bytes, NPU_GROUP);
			acc += NPU_GROUP;
		}
	}
}

#if SIMD_LEVEL == 3
/* The same by the estimate. */
static void estimate_runs(const i32 *acc, const struct npu_target *t,
				 const struct npu_rescale *s, const struct npu_narrow8 *n, i64 offset)
{
	const bool two_sided = estimate_two_sided(s, n);
	const struct estimate_vec e = estimate_load(s, n, two_sided);
	const struct estimate_bytes b = estimate_bytes_load(n);

	for (unsigned r = 0; r < t->runs; r++) {
		u8 *to = t->run[r].to + offset;
		for (unsigned left = t->run[r].n, k; left; left -= k, acc += k * NPU_GROUP, to += k * NPU_GROUP) {
			NPU_LINE u8 bytes[4 * NPU_GROUP];
			vec x[4], v[4];
			k = left < 4 ? left : 4;
			UNROLL for (unsigned i = 0; i < 4; i++)
				x[i] = vec_load(acc + (i < k ? i : 0) * NPU_GROUP);
			if (__builtin_expect(estimate(&e, two_sided, x, 4, v), 1))
				vec_store(bytes, estimate_narrow(&b, v));
			else
				store_exact(s, n, acc, k, bytes);
			memcpy(to, bytes, k * NPU_GROUP);
		}
	}
}
#endif

static void store_groups(const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
			 const struct npu_narrow8 *n, i64 offset)
{
#if SIMD_LEVEL == 3
	if (npu_estimates(s, n)) {
		estimate_runs(acc, t, s, n, offset);
		return;
	}
#endif
#if SIMD_LEVEL == 2
	if (store_once(s, n)) {
		if (n->is_unsigned)
			store_runs(true, true, acc, t, s, n, offset);
		else
			store_runs(false, true, acc, t, s, n, offset);
		return;
	}
#endif
	if (n->is_unsigned)
		store_runs(true, false, acc, t, s, n, offset);
	else
		store_runs(false, false, acc, t, s, n, offset);
}

/* `channels` bytes of each of n pixels. */
static inline void store_parts(const u8 *from, u8 *to, i64 step, unsigned n, unsigned channels)
{
#if SIMD_LEVEL == 3
	const __mmask16 mask = (__mmask16)((1u << channels) - 1);

	for (; n; n--, to += step, from += NPU_GROUP)
		_mm_mask_storeu_epi8(to, mask, _mm_loadu_si128((const void *)from));
#else
	for (; channels == 8 && n; n--, to += step, from += NPU_GROUP)
		memcpy(to, from, 8);
	for (; n; n--, to += step, from += NPU_GROUP)
		memcpy(to, from, channels);
#endif
}

/* Pixels that lie together to where they belong. */
static inline void store_copy(const u8 *from, const struct npu_target *t, i64 offset, unsigned channels)
{
	for (unsigned r = 0; r < t->runs; from += t->run[r++].n * (size_t)NPU_GROUP) {
		u8 *to = t->run[r].to + offset;
		if (channels < NPU_GROUP) {
			store_parts(from, to, t->step, t->run[r].n, channels);
			continue;
		}
		for (unsigned i = 0; i < t->run[r].n; i++, to += t->step)
			memcpy(to, from + i * NPU_GROUP, NPU_GROUP);
	}
}

/* Parts of a group, a table, pixels apart: together first. */
static NOINLINE void store_apart(const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
				 const struct npu_narrow8 *n, i64 offset, unsigned channels)
{
	NPU_LINE u8 bytes[NPU_BATCH * NPU_GROUP];
	struct npu_target one;

	one.step = NPU_GROUP;
	one.runs = 1;
	one.run[0] = (struct npu_run){ bytes, 0 };
	for (unsigned r = 0; r < t->runs; r++)
		one.run[0].n += t->run[r].n;
	store_groups(acc, &one, s, n, 0);
	for (unsigned p = 0; n->table && p < one.run[0].n; p++)
		look_up(bytes + p * NPU_GROUP, n->table);
	store_copy(bytes, t, offset, channels);
}

static void store8(const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
		   const struct npu_narrow8 *n, i64 offset, unsigned channels)
{
	if (!n->table && channels == NPU_GROUP && t->step == NPU_GROUP)
		store_groups(acc, t, s, n, offset);
	else
		store_apart(acc, t, s, n, offset, channels);
}

#ifdef USES_NEON
typedef int16x8x2_t words_vec;
#define words_store(to, words) vst1q_s16_x2((i16 *)(void *)(to), words)
#elif SIMD_LEVEL >= 2
typedef __m256i words_vec;
#define words_store(to, words) _mm256_storeu_si256((void *)(to), words)
#endif

#if SIMD_LEVEL >= 2
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
				memcpy(to, &words, channels * sizeof(i16));
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
#if SIMD_LEVEL >= 2
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
