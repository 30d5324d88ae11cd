/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes to int16, int16 to bytes, int32 and sums of int32 to both, scaled: struct npu_to_narrow. Part of simd.c, behind to_words.h. */

#if SIMD_LEVEL == 2
/* What the compiler knows. */
struct to_narrow_kind {
	unsigned size; /* of an element */
	bool is_signed, to_bytes, two;
};

struct to_narrow_vec {
	struct signs_vec signs;
	bool scaled, subtract;
	vec zero_point;
	__m128i left;
	struct words words;           /* results of int16, */
	__m256i zero_words;           /* or of bytes */
	__m128i lo, hi;
	bool is_unsigned;
};

static inline struct to_narrow_vec to_narrow_vec_of(const struct npu_to_narrow *s)
{
	return (struct to_narrow_vec){
		signs_load(&s->signs), s->scaled, s->subtract, vec_all(s->zero_point), _mm_cvtsi32_si128(s->left), words_load(NULL, &s->words),
		_mm256_set1_epi16((i16)s->bytes.zero_point), _mm_set1_epi8((char)s->bytes.lo), _mm_set1_epi8((char)s->bytes.hi), s->bytes.is_unsigned,
	};
}

ALWAYS_INLINE vec to_narrow_load(const unsigned size, const bool is_signed, const struct to_narrow_vec *s, const u8 *from)
{
	if (size == sizeof(i32))
		return vec_load(from);
	return V(sll_epi32)(V(sub_epi32)(line_widen(size, is_signed, from), s->zero_point), s->left);
}

/* The low words of 8 bytes each; the high ones of those that have 32 bits are their signs. */
ALWAYS_INLINE vec to_narrow_low(const u8 *from, vec *left)
{
	const __m256 a = _mm256_loadu_ps((const void *)from), b = _mm256_loadu_ps((const void *)(from + sizeof(vec)));
	const vec low = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88)), high = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));

	*left = V_OR(*left, V_XOR(high, V(srai_epi32)(low, 31)));
	return _mm256_permute4x64_epi64(low, 0xd8);
}

/* It has left 32 bits where its sign is not that of x, which y's is as well or, of a difference, is not. */
ALWAYS_INLINE vec to_narrow_sum(const struct to_narrow_vec *s, vec x, vec y, vec *left)
{
	const vec sum = s->subtract ? V(sub_epi32)(x, y) : vec_add(x, y), other = s->subtract ? x : sum;

	*left = V_OR(*left, V_AND(V_XOR(x, sum), V_XOR(y, other)));
	return sum;
}

/* Whether some lane has one. */
static inline bool some_below(vec v)
{
	return _mm256_movemask_ps(_mm256_castsi256_ps(v)) != 0;
}

/* Saturation on the way changes nothing that the clamp would not (npu_narrow8). */
ALWAYS_INLINE __m128i to_narrow_bytes(const struct to_narrow_vec *s, const vec v[VECS])
{
	const __m256i saturated = _mm256_permute4x64_epi64(_mm256_packs_epi32(v[0], v[1]), 0xd8);
	const __m256i words = _mm256_adds_epi16(saturated, s->zero_words);
	const __m128i low = _mm256_castsi256_si128(words), high = _mm256_extracti128_si256(words, 1);

	if (s->is_unsigned)
		return _mm_min_epu8(_mm_max_epu8(_mm_packus_epi16(low, high), s->lo), s->hi);
	return _mm_min_epi8(_mm_max_epi8(_mm_packs_epi16(low, high), s->lo), s->hi);
}

/* 16 of them. `left`: has the sign of sums that have left 32 bits, and any bit of 8 bytes that have. */
ALWAYS_INLINE void to_narrow_at(const struct to_narrow_kind k, const struct to_narrow_vec *s, const u8 *a, const u8 *b, vec one, u8 *to, vec *left)
{
	vec v[VECS];

	UNROLL for (unsigned i = 0; i < VECS; i++) {
		const vec x = k.size == sizeof(i64) ? to_narrow_low(a + i * LANES * k.size, left) : to_narrow_load(k.size, k.is_signed, s, a + i * LANES * k.size);
		if (!k.two)
			v[i] = x;
		else
			v[i] = to_narrow_sum(s, x, b ? vec_load(b + i * sizeof(vec)) : one, left);
		if (s->scaled)
			v[i] = signs_vec(v[i], &s->signs);
	}
	if (k.to_bytes)
		_mm_storeu_si128((void *)to, to_narrow_bytes(s, v));
	else
		words_store(to, words_narrow(&s->words, v));
}

static inline vec to_narrow_one(const u8 *p)
{
	i32 word;

	memcpy(&word, p, sizeof(word));
	return vec_all(word);
}

ALWAYS_INLINE bool to_narrow_of(const struct to_narrow_kind k, const struct npu_to_narrow *all, const struct npu_words_grid *g)
{
	const struct to_narrow_vec s = to_narrow_vec_of(all);
	const size_t last = g->n - NPU_GROUP, rest = g->n % NPU_GROUP, result = k.to_bytes ? sizeof(u8) : sizeof(i16);
	const i64 step = g->step_b;
	const u8 *a = g->a, *b = g->b;
	u8 *to = g->to;
	vec left = vec_all(0);

	for (size_t r = g->rows; r; r--, a += g->down_a, b += k.two ? g->down_b : 0, to += g->down_to) {
		const vec one = k.two && !step ? to_narrow_one(b) : left;
		for (size_t i = 0; i <= last; i += NPU_GROUP)
			to_narrow_at(k, &s, a + i * k.size, step ? b + i * sizeof(i32) : NULL, one, to + i * result, &left);
		if (rest) /* some once more */
			to_narrow_at(k, &s, a + last * k.size, step ? b + last * sizeof(i32) : NULL, one, to + last * result, &left);
	}
	return k.size == sizeof(i64) ? _mm256_testz_si256(left, left) != 0 : !k.two || !some_below(left);
}

static bool to_narrow(const struct npu_to_narrow *s, const struct npu_words_grid *g)
{
	if (s->size == sizeof(i32) && g->b)
		return s->to_bytes ? to_narrow_of((struct to_narrow_kind){ 4, true, true, true }, s, g) : to_narrow_of((struct to_narrow_kind){ 4, true, false, true }, s, g);
	if (s->size == sizeof(i32))
		return s->to_bytes ? to_narrow_of((struct to_narrow_kind){ 4, true, true, false }, s, g) : to_narrow_of((struct to_narrow_kind){ 4, true, false, false }, s, g);
	if (s->size == sizeof(i64))
		return s->to_bytes ? to_narrow_of((struct to_narrow_kind){ 8, true, true, false }, s, g) : to_narrow_of((struct to_narrow_kind){ 8, true, false, false }, s, g);
	if (s->to_bytes)
		return to_narrow_of((struct to_narrow_kind){ 2, true, true, false }, s, g);
	return s->is_signed ? to_narrow_of((struct to_narrow_kind){ 1, true, false, false }, s, g) : to_narrow_of((struct to_narrow_kind){ 1, false, false, false }, s, g);
}
#endif
