/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of int32 in vectors of eight, npu_words_rows() of words.h with AVX2. Part of simd.c. */

#if SIMD_LEVEL == 2
/* Constants in registers. */
struct word_vec {
	vec plus, less, bias, lo, hi, zero, most; /* less: what products below 0 get instead of plus, minus plus */
	__m128i shift, rest; /* rest: what a product that fits has nothing above of, with bias */
	bool signs, wraps;   /* less is not 0; results are not limited */
};

static inline struct word_vec word_vec_of(const struct npu_words *w)
{
	const bool wraps = w->lo == INT64_MIN && w->hi == INT64_MAX;
	const u64 bias = w->shift < 32 ? UINT64_C(1) << (31 + w->shift) : 0; /* behind 32 bits nothing is left to check */

	return (struct word_vec){
		_mm256_set1_epi64x(w->plus), _mm256_set1_epi64x(w->minus - w->plus), _mm256_set1_epi64x((i64)bias),
		vec_all(wraps ? INT32_MIN : (i32)w->lo), vec_all(wraps ? INT32_MAX : (i32)w->hi), vec_all(w->zero), vec_all(w->most),
		_mm_cvtsi32_si128(w->shift), _mm_cvtsi32_si128(w->shift + 32), w->plus != w->minus, wraps,
	};
}

static inline vec word_rounded(const struct word_vec *c, vec product)
{
	const vec sum = _mm256_add_epi64(product, c->plus);

	return c->signs ? _mm256_add_epi64(sum, _mm256_and_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), product), c->less)) : sum;
}

static inline i32 word_limited(i64 v)
{
	return (i32)(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v);
}

/* Where some product is out of 32 bits. */
static NOINLINE vec word_products_limited(vec even, vec odd, unsigned shift)
{
	i64 e[4], o[4];
	i32 r[LANES];

	vec_store(e, even);
	vec_store(o, odd);
	for (unsigned i = 0; i < 4; i++) {
		r[2 * i] = word_limited(e[i] >> shift);
		r[2 * i + 1] = word_limited(o[i] >> shift);
	}
	return vec_load(r);
}

/* Shifts are of at most 32, so that zeros above do not matter. */
static inline vec word_product(const struct word_vec *c, vec x, vec y)
{
	const vec even = word_rounded(c, _mm256_mul_epi32(x, y));
	const vec odd = word_rounded(c, _mm256_mul_epi32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(y, 32)));
	const vec above = _mm256_or_si256(_mm256_srl_epi64(_mm256_add_epi64(even, c->bias), c->rest), _mm256_srl_epi64(_mm256_add_epi64(odd, c->bias), c->rest));

	if (!c->wraps && __builtin_expect(!_mm256_testz_si256(above, above), 0))
		return word_products_limited(even, odd, (unsigned)_mm_cvtsi128_si32(c->shift));
	return _mm256_blend_epi32(_mm256_srl_epi64(even, c->shift), _mm256_slli_epi64(_mm256_srl_epi64(odd, c->shift), 32), 0xaa);
}

/* A sum that left 32 bits is the end that x lies at. */
static inline vec word_saturated(vec sum, vec left, vec x)
{
	const vec end = _mm256_xor_si256(_mm256_srai_epi32(x, 31), vec_all(INT32_MAX));

	return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(sum), _mm256_castsi256_ps(end), _mm256_castsi256_ps(left)));
}

static inline vec word_sum(const struct word_vec *c, vec x, vec y)
{
	const vec sum = _mm256_add_epi32(x, y);

	return c->wraps ? sum : word_saturated(sum, _mm256_and_si256(_mm256_xor_si256(x, sum), _mm256_xor_si256(y, sum)), x);
}

static inline vec word_difference(const struct word_vec *c, vec x, vec y)
{
	const vec sum = _mm256_sub_epi32(x, y);

	return c->wraps ? sum : word_saturated(sum, _mm256_and_si256(_mm256_xor_si256(x, y), _mm256_xor_si256(x, sum)), x);
}

static inline vec word_shifted(const struct word_vec *c, vec v, vec by)
{
	const vec none = _mm256_setzero_si256(), one = vec_all(1), s = _mm256_min_epi32(_mm256_max_epi32(by, none), vec_all(31));
	const vec below = _mm256_and_si256(_mm256_and_si256(_mm256_srav_epi32(v, _mm256_sub_epi32(s, one)), one), _mm256_cmpgt_epi32(s, none));

	return _mm256_andnot_si256(_mm256_cmpgt_epi32(by, c->most), _mm256_add_epi32(_mm256_srav_epi32(v, s), below));
}

static inline vec word_result(const struct word_vec *c, unsigned mode, vec x, vec y)
{
	vec r;

	switch (mode) {
	case NPU_EW_MUL: r = word_product(c, x, y); break;
	case NPU_EW_SHR: r = word_shifted(c, x, y); break;
	case NPU_EW_MIN: r = _mm256_min_epi32(x, y); break;
	case NPU_EW_MAX: r = _mm256_max_epi32(x, y); break;
	case NPU_EW_ADD: r = word_sum(c, x, y); break;
	default: r = word_difference(c, x, y); break;
	}
	return _mm256_add_epi32(_mm256_min_epi32(_mm256_max_epi32(r, c->lo), c->hi), c->zero);
}

/* The first n <= 8, of which 8 and 4 take no mask: those of bricks. */
static inline vec word_mask(size_t n)
{
	return _mm256_cmpgt_epi32(vec_all((i32)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline vec word_load(const u8 *p, size_t n)
{
	if (n == LANES)
		return vec_load(p);
	return n == 4 ? _mm256_zextsi128_si256(_mm_loadu_si128((const void *)p)) : _mm256_maskload_epi32((const void *)p, word_mask(n));
}

static inline void word_put(u8 *to, unsigned bytes, size_t n, vec r)
{
	const __m128i low = _mm256_castsi256_si128(r), high = _mm256_extracti128_si256(r, 1);

	if (bytes == 4 && n == LANES) {
		vec_store(to, r);
	} else if (bytes == 4 && n == 4) {
		_mm_storeu_si128((void *)to, low);
	} else if (bytes == 4) {
		_mm256_maskstore_epi32((void *)to, word_mask(n), r);
	} else {
		const __m128i pick = bytes == 2 ? _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1)
						: _mm_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
		const __m128i a = _mm_shuffle_epi8(low, pick), b = _mm_shuffle_epi8(high, pick);
		const __m128i v = bytes == 2 ? _mm_unpacklo_epi64(a, b) : _mm_unpacklo_epi32(a, b);
		if (n == LANES && bytes == 2)
			_mm_storeu_si128((void *)to, v);
		else if (n == LANES)
			_mm_storel_epi64((void *)to, v);
		else
			memcpy(to, &v, n * bytes);
	}
}

ALWAYS_INLINE void word_grid(const struct npu_words *w, const unsigned mode, const bool swap, const struct npu_words_grid *g)
{
	const struct word_vec c = word_vec_of(w);
	const unsigned bytes = w->bytes;
	const size_t whole = g->n / LANES * LANES, rest = g->n - whole;
	const bool each = g->step_b;
	const u8 *a = g->a, *b = g->b;
	u8 *to = g->to;

	for (size_t r = 0; r < g->rows; r++, a += g->down_a, b += g->down_b, to += g->down_to) {
		vec y = _mm256_castps_si256(_mm256_broadcast_ss((const void *)b));
		for (size_t i = 0; i < whole; i += LANES) {
			const vec x = vec_load(a + 4 * i);
			y = each ? vec_load(b + 4 * i) : y;
			word_put(to + i * bytes, bytes, LANES, swap ? word_result(&c, mode, y, x) : word_result(&c, mode, x, y));
		}
		if (rest) {
			const vec x = word_load(a + 4 * whole, rest);
			y = each ? word_load(b + 4 * whole, rest) : y;
			word_put(to + whole * bytes, bytes, rest, swap ? word_result(&c, mode, y, x) : word_result(&c, mode, x, y));
		}
	}
}

bool npu_words_rows(const struct npu_words *w, const struct npu_words_grid *g)
{
	const bool wraps = w->lo == INT64_MIN && w->hi == INT64_MAX;

	if ((!wraps && (w->lo < INT32_MIN || w->hi > INT32_MAX)) || w->table || w->bytes_a != 4 || w->bytes_b != 4)
		return false;
	switch (w->mode) {
	case NPU_EW_MUL:
		if (w->shift <= 32)
			word_grid(w, NPU_EW_MUL, false, g);
		return w->shift <= 32;
	case NPU_EW_SHR: (w->swap ? word_grid(w, NPU_EW_SHR, true, g) : word_grid(w, NPU_EW_SHR, false, g)); return true;
	case NPU_EW_MIN: word_grid(w, NPU_EW_MIN, false, g); return true;
	case NPU_EW_MAX: word_grid(w, NPU_EW_MAX, false, g); return true;
	case NPU_EW_ADD: word_grid(w, NPU_EW_ADD, false, g); return true;
	case NPU_EW_SUB: (w->swap ? word_grid(w, NPU_EW_SUB, true, g) : word_grid(w, NPU_EW_SUB, false, g)); return true;
	default: return false;
	}
}
#endif
