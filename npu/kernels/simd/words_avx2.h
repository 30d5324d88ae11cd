/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of eight int32 with AVX2: loaded, brought together, stored. Part of simd.c. */

#if SIMD_LEVEL == 2
/* Constants in registers. */
struct word_vec {
	vec plus, less, bias, lo, hi, zero; /* less: what products below 0 get instead of plus, minus plus */
	__m128i shift, rest; /* shift: 32 less from that on, of sums one less; rest: what a product that fits has nothing above of, with bias */
	bool signs, wraps;   /* less is not 0; results are not limited */
	bool leaves;         /* some product has left 32 bits, and others will: what to do is not decided for each vector */
};

static inline struct word_vec word_vec_of(const struct npu_words *w)
{
	const bool wraps = w->lo == INT64_MIN && w->hi == INT64_MAX;
	const bool halved = w->shift && w->mode != NPU_EW_MUL;
	const u64 bias = w->shift < 32 ? UINT64_C(1) << (31 + w->shift) : 0; /* from 32 bits on nothing is left to check */

	return (struct word_vec){
		_mm256_set1_epi64x(w->plus), _mm256_set1_epi64x(w->minus - w->plus), _mm256_set1_epi64x((i64)bias),
		vec_all(wraps ? INT32_MIN : (i32)w->lo), vec_all(wraps ? INT32_MAX : (i32)w->hi), vec_all(w->zero),
		_mm_cvtsi32_si128((w->shift >= 32 ? w->shift - 32 : w->shift) - halved), _mm_cvtsi32_si128(w->shift + 32), w->plus != w->minus, wraps, false,
	};
}

static inline vec word_rounded(const struct word_vec *c, vec product)
{
	const vec sum = _mm256_add_epi64(product, c->plus);

	return c->signs ? _mm256_add_epi64(sum, _mm256_and_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), product), c->less)) : sum;
}

/* What 64-bit lanes give that are shifted; the lower words count. */
static inline vec word_joined(vec even, vec odd)
{
	return _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
}

/* The end that a product lies at where something is `above` 32 bits. */
static inline vec word_end_of(vec product, __m128i shift, vec above)
{
	const vec fits = _mm256_cmpeq_epi64(above, _mm256_setzero_si256()), sign = _mm256_shuffle_epi32(_mm256_srai_epi32(product, 31), 0xf5);

	return _mm256_blendv_epi8(_mm256_xor_si256(sign, vec_all(INT32_MAX)), _mm256_srl_epi64(product, shift), fits);
}

/* Where some product is out of 32 bits. */
static inline vec word_products_limited(vec even, vec odd, __m128i shift, vec above_even, vec above_odd)
{
	return word_joined(word_end_of(even, shift, above_even), word_end_of(odd, shift, above_odd));
}

/* Shifts are of less than 32, so that zeros above do not matter. */
static inline vec word_product(struct word_vec *c, vec x, vec y)
{
	const vec even = word_rounded(c, _mm256_mul_epi32(x, y));
	const vec odd = word_rounded(c, _mm256_mul_epi32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(y, 32)));
	const vec above_even = _mm256_srl_epi64(_mm256_add_epi64(even, c->bias), c->rest);
	const vec above_odd = _mm256_srl_epi64(_mm256_add_epi64(odd, c->bias), c->rest), above = _mm256_or_si256(above_even, above_odd);

	if (!c->wraps && (c->leaves || __builtin_expect(!_mm256_testz_si256(above, above), 0))) {
		c->leaves = true;
		return word_products_limited(even, odd, c->shift, above_even, above_odd);
	}
	return word_joined(_mm256_srl_epi64(even, c->shift), _mm256_srl_epi64(odd, c->shift));
}

/* Behind shifts of 32 and more upper words are all that counts. */
static inline vec word_product_upper(const struct word_vec *c, vec x, vec y)
{
	const vec even = word_rounded(c, _mm256_mul_epi32(x, y));
	const vec odd = word_rounded(c, _mm256_mul_epi32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(y, 32)));

	return _mm256_blend_epi32(_mm256_srli_epi64(_mm256_sra_epi32(even, c->shift), 32), _mm256_sra_epi32(odd, c->shift), 0xaa);
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

static inline vec word_shifted(vec v, vec by)
{
	const vec none = _mm256_setzero_si256(), one = vec_all(1), s = _mm256_min_epi32(_mm256_max_epi32(by, none), vec_all(31));
	const vec below = _mm256_and_si256(_mm256_and_si256(_mm256_srav_epi32(v, _mm256_sub_epi32(s, one)), one), _mm256_cmpgt_epi32(s, none));

	return _mm256_andnot_si256(_mm256_cmpgt_epi32(by, vec_all(31)), _mm256_add_epi32(_mm256_srav_epi32(v, s), below));
}

/* As halved_up() of rows/words_results.h. */
static inline vec word_halved_up(const struct word_vec *c, vec half, vec sum)
{
	return _mm256_add_epi32(_mm256_sra_epi32(half, c->shift), _mm256_and_si256(_mm256_srl_epi32(sum, c->shift), vec_all(1)));
}

static inline vec word_sum_shifted(const struct word_vec *c, vec x, vec y)
{
	const vec half = _mm256_add_epi32(_mm256_and_si256(x, y), _mm256_srai_epi32(_mm256_xor_si256(x, y), 1));

	return word_halved_up(c, half, _mm256_add_epi32(x, y));
}

static inline vec word_difference_shifted(const struct word_vec *c, vec x, vec y)
{
	const vec borrow = _mm256_and_si256(_mm256_andnot_si256(x, y), vec_all(1));
	const vec half = _mm256_sub_epi32(_mm256_sub_epi32(_mm256_srai_epi32(x, 1), _mm256_srai_epi32(y, 1)), borrow);

	return word_halved_up(c, half, _mm256_sub_epi32(x, y));
}

/* Beside enum npu_elementwise: NPU_EW_MUL behind shifts of 32 and more, of int16 that is not shifted, NPU_EW_ADD and NPU_EW_SUB that are shifted. */
enum { WORD_MUL_UPPER = 256, WORD_MUL_HALVES, WORD_ADD_SHIFTED, WORD_SUB_SHIFTED };

static inline vec word_result(struct word_vec *c, unsigned mode, vec x, vec y)
{
	vec r;

	switch (mode) {
	case NPU_EW_MUL: r = word_product(c, x, y); break;
	case WORD_MUL_UPPER: r = word_product_upper(c, x, y); break;
	case WORD_MUL_HALVES: r = _mm256_madd_epi16(_mm256_and_si256(x, vec_all(UINT16_MAX)), y); break;
	case WORD_ADD_SHIFTED: r = word_sum_shifted(c, x, y); break;
	case WORD_SUB_SHIFTED: r = word_difference_shifted(c, x, y); break;
	case NPU_EW_SHR: r = word_shifted(x, y); break;
	case NPU_EW_MIN: r = _mm256_min_epi32(x, y); break;
	case NPU_EW_MAX: r = _mm256_max_epi32(x, y); break;
	case NPU_EW_ADD: r = word_sum(c, x, y); break;
	default: r = word_difference(c, x, y); break;
	}
	return _mm256_add_epi32(_mm256_min_epi32(_mm256_max_epi32(r, c->lo), c->hi), c->zero);
}

ALWAYS_INLINE i32 word_of_table(const u8 *table, u64 at)
{
	i32 word;

	memcpy(&word, table + at * sizeof(word), sizeof(word));
	return word;
}

/* Four words, one by one: that takes less time than a gather. */
ALWAYS_INLINE __m128i word_look_up(const u8 *table, __m128i at)
{
	const u64 low = (u64)_mm_cvtsi128_si64(at), high = (u64)_mm_extract_epi64(at, 1);

	return _mm_setr_epi32(word_of_table(table, (u32)low), word_of_table(table, low >> 32), word_of_table(table, (u32)high), word_of_table(table, high >> 32));
}

/* What becomes of results, where stores to memory do not make it be looked at again. */
struct word_table {
	const u8 *table; /* NULL: nothing */
	bool rounds, clips;
};

/* int16 through the table, the first n at least: base times 128 and slope times the low bits. `saturates`: what leaves
 * 16 bits is clipped where it is stored. */
ALWAYS_INLINE vec word_tabled(const struct word_table *t, const bool saturates, size_t n, vec r)
{
	const vec at = _mm256_add_epi32(_mm256_srai_epi32(r, 7), vec_all(256));
	const __m128i low = word_look_up(t->table, _mm256_castsi256_si128(at)), high = n > 4 ? word_look_up(t->table, _mm256_extracti128_si256(at, 1)) : low;
	const vec word = _mm256_set_m128i(high, low);
	const vec by = _mm256_or_si256(_mm256_slli_epi32(_mm256_and_si256(r, vec_all(127)), 16), vec_all(128)), v = _mm256_madd_epi16(word, by);

	if (!t->rounds)
		return v;
	const vec rounded = _mm256_srai_epi32(_mm256_add_epi32(v, vec_all(64)), 7);
	if (saturates)
		return t->clips ? rounded : _mm256_srai_epi32(_mm256_slli_epi32(rounded, 16), 16);
	return t->clips ? _mm256_min_epi32(_mm256_max_epi32(rounded, vec_all(INT16_MIN)), vec_all(INT16_MAX)) : rounded;
}

/* The first n <= 8, of which 8 and 4 take no mask: those of bricks. */
static inline vec word_mask(size_t n)
{
	return _mm256_cmpgt_epi32(vec_all((i32)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* Of int32. */
ALWAYS_INLINE vec word_load(const u8 *p, size_t n)
{
	if (n == LANES)
		return vec_load(p);
	return n == 4 ? _mm256_zextsi128_si256(_mm_loadu_si128((const void *)p)) : _mm256_maskload_epi32((const void *)p, word_mask(n));
}

/* The first n <= 4 int16; calling memcpy() for so few would take longer. */
static inline u64 halves_few(const u8 *p, size_t n)
{
	u64 four = 0;
	u32 two;
	u16 one = 0;

	if (n == 4) {
		memcpy(&four, p, sizeof(four));
		return four;
	}
	if (n & 1)
		memcpy(&one, p + (n & 2) * sizeof(one), sizeof(one));
	if (!(n & 2))
		return one;
	memcpy(&two, p, sizeof(two));
	return two | (u64)one << 32;
}

/* Of int16. */
static inline vec word_load_halves(const u8 *p, size_t n)
{
	if (n == LANES)
		return _mm256_cvtepi16_epi32(_mm_loadu_si128((const void *)p));
	const u64 first = halves_few(p, n < 4 ? n : 4), second = n > 4 ? halves_few(p + 4 * sizeof(i16), n - 4) : 0;
	return _mm256_cvtepi16_epi32(_mm_set_epi64x((i64)second, (i64)first));
}

ALWAYS_INLINE vec word_load_of(const u8 *p, unsigned bytes, size_t n)
{
	return bytes == sizeof(i32) ? word_load(p, n) : word_load_halves(p, n);
}

static inline vec word_of_one(const u8 *p, unsigned bytes)
{
	i16 half;

	if (bytes == sizeof(i32))
		return _mm256_castps_si256(_mm256_broadcast_ss((const void *)p));
	memcpy(&half, p, sizeof(half));
	return vec_all(half);
}

/* Some bytes, of each power of two once: calling memcpy() for so few would take longer. */
ALWAYS_INLINE void word_put_few(u8 *to, size_t bytes, u64 v)
{
	if (bytes & 4) {
		memcpy(to, &v, 4);
		to += 4;
		v >>= 32;
	}
	if (bytes & 2) {
		memcpy(to, &v, 2);
		to += 2;
		v >>= 16;
	}
	if (bytes & 1)
		*to = (u8)v;
}

/* The first `bytes` <= 16 of them. */
ALWAYS_INLINE void word_put_narrow(u8 *to, size_t bytes, __m128i v)
{
	if (bytes == 16) {
		_mm_storeu_si128((void *)to, v);
		return;
	}
	if (bytes & 8) {
		_mm_storel_epi64((void *)to, v);
		to += 8;
		v = _mm_unpackhi_epi64(v, v);
	}
	if (bytes & 7)
		word_put_few(to, bytes, (u64)_mm_cvtsi128_si64(v));
}

/* n < 8 int32: hosts take long to store with a mask. */
ALWAYS_INLINE void word_put_some(u8 *to, size_t n, __m128i low, __m128i high)
{
	if (n & 4) {
		_mm_storeu_si128((void *)to, low);
		to += 16;
		low = high;
	}
	if (n & 3)
		word_put_narrow(to, (n & 3) * sizeof(i32), low);
}

/* `saturates`: to int16. */
ALWAYS_INLINE void word_put(u8 *to, unsigned bytes, const bool saturates, size_t n, vec r)
{
	const __m128i low = _mm256_castsi256_si128(r), high = _mm256_extracti128_si256(r, 1);

	if (bytes == 4 && n == LANES) {
		vec_store(to, r);
	} else if (bytes == 4) {
		word_put_some(to, n, low, high);
	} else {
		const __m128i pick = _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, -1, -1, -1, -1, -1, -1, -1, -1), half = _mm_set1_epi32(UINT16_MAX);
		const __m128i halves = saturates ? _mm_packs_epi32(low, high) : _mm_packus_epi32(_mm_and_si128(low, half), _mm_and_si128(high, half));
		word_put_narrow(to, n * bytes, bytes == 2 ? halves : _mm_shuffle_epi8(halves, pick));
	}
}
#endif
