/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of int32 in vectors, npu_words_rows() of words.h. Part of simd.c. */

#if SIMD_LEVEL == 3
static inline i32 words_in_32(i64 v)
{
	return (i32)(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v);
}

/* Constants in registers. */
struct word_vec {
	__m512i plus, minus, lo64, hi64, lo, hi, zero;
	__m128i shift; /* of sums one less */
	bool signs; /* plus and minus differ */
	bool wraps; /* sums are not limited */
};

static inline struct word_vec word_vec_of(const struct npu_words *w)
{
	return (struct word_vec){
		_mm512_set1_epi64(w->plus), _mm512_set1_epi64(w->minus), _mm512_set1_epi64(w->lo), _mm512_set1_epi64(w->hi), _mm512_set1_epi32(words_in_32(w->lo)),
		_mm512_set1_epi32(words_in_32(w->hi)), _mm512_set1_epi32(w->zero), _mm_cvtsi32_si128(w->shift - (w->shift && w->mode != NPU_EW_MUL)), w->plus != w->minus,
		w->lo == INT64_MIN && w->hi == INT64_MAX,
	};
}

/* The first `left` lanes. */
static inline __mmask16 word_some(size_t left)
{
	return left < 16 ? (__mmask16)((1u << left) - 1) : (__mmask16)~0u;
}

static inline __m512i word_product(const struct word_vec *c, __m512i x, __m512i y)
{
	__m512i even = _mm512_mul_epi32(x, y), odd = _mm512_mul_epi32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(y, 32));
	const __mmask8 below_even = c->signs ? _mm512_movepi64_mask(even) : 0, below_odd = c->signs ? _mm512_movepi64_mask(odd) : 0;

	even = _mm512_sra_epi64(_mm512_add_epi64(even, _mm512_mask_blend_epi64(below_even, c->plus, c->minus)), c->shift);
	odd = _mm512_sra_epi64(_mm512_add_epi64(odd, _mm512_mask_blend_epi64(below_odd, c->plus, c->minus)), c->shift);
	even = _mm512_min_epi64(_mm512_max_epi64(even, c->lo64), c->hi64);
	odd = _mm512_min_epi64(_mm512_max_epi64(odd, c->lo64), c->hi64);
	return _mm512_mask_shuffle_epi32(even, 0xaaaa, odd, 0xa0);
}

/* A sum that left 32 bits is the end that x lies at. */
static inline __m512i word_saturated(__m512i sum, __m512i left, __m512i x)
{
	const __m512i end = _mm512_xor_si512(_mm512_srai_epi32(x, 31), _mm512_set1_epi32(INT32_MAX));

	return _mm512_mask_mov_epi32(sum, _mm512_movepi32_mask(left), end);
}

static inline __m512i word_sum(const struct word_vec *c, __m512i x, __m512i y)
{
	const __m512i sum = _mm512_add_epi32(x, y);

	return c->wraps ? sum : word_saturated(sum, _mm512_and_si512(_mm512_xor_si512(x, sum), _mm512_xor_si512(y, sum)), x);
}

static inline __m512i word_difference(const struct word_vec *c, __m512i x, __m512i y)
{
	const __m512i sum = _mm512_sub_epi32(x, y);

	return c->wraps ? sum : word_saturated(sum, _mm512_and_si512(_mm512_xor_si512(x, y), _mm512_xor_si512(x, sum)), x);
}

/* As halved_up() of rows/words_results.h. */
static inline __m512i word_halved_up(const struct word_vec *c, __m512i half, __m512i sum)
{
	return _mm512_add_epi32(_mm512_sra_epi32(half, c->shift), _mm512_and_si512(_mm512_srl_epi32(sum, c->shift), _mm512_set1_epi32(1)));
}

static inline __m512i word_sum_shifted(const struct word_vec *c, __m512i x, __m512i y)
{
	const __m512i half = _mm512_add_epi32(_mm512_and_si512(x, y), _mm512_srai_epi32(_mm512_xor_si512(x, y), 1));

	return word_halved_up(c, half, _mm512_add_epi32(x, y));
}

static inline __m512i word_difference_shifted(const struct word_vec *c, __m512i x, __m512i y)
{
	const __m512i borrow = _mm512_and_si512(_mm512_andnot_si512(x, y), _mm512_set1_epi32(1));
	const __m512i half = _mm512_sub_epi32(_mm512_sub_epi32(_mm512_srai_epi32(x, 1), _mm512_srai_epi32(y, 1)), borrow);

	return word_halved_up(c, half, _mm512_sub_epi32(x, y));
}

/* Beside enum npu_elementwise: NPU_EW_ADD and NPU_EW_SUB that are shifted. */
enum { WORD_ADD_SHIFTED = 256, WORD_SUB_SHIFTED };

static inline __m512i word_shifted(__m512i v, __m512i by)
{
	const __m512i one = _mm512_set1_epi32(1), s = _mm512_min_epi32(_mm512_max_epi32(by, _mm512_setzero_si512()), _mm512_set1_epi32(31));
	const __mmask16 shifts = _mm512_test_epi32_mask(s, s), stays = _mm512_cmple_epi32_mask(by, _mm512_set1_epi32(31));
	const __m512i below = _mm512_maskz_and_epi32(shifts, _mm512_srav_epi32(v, _mm512_sub_epi32(s, one)), one);

	return _mm512_maskz_add_epi32(stays, _mm512_srav_epi32(v, s), below);
}

static inline __m512i word_shifted_left(__m512i v, __m512i by)
{
	return _mm512_sllv_epi32(v, _mm512_min_epi32(_mm512_max_epi32(by, _mm512_setzero_si512()), _mm512_set1_epi32(31)));
}

/* As zeros_above() of words.c. */
static inline __m512i word_zeros_above(__m512i v)
{
	const __m512i high = _mm512_andnot_si512(_mm512_srli_epi32(v, 1), v);
	const __m512i exponent = _mm512_srli_epi32(_mm512_castps_si512(_mm512_cvtepi32_ps(high)), 23);

	return _mm512_max_epi32(_mm512_min_epi32(_mm512_sub_epi32(_mm512_set1_epi32(158), exponent), _mm512_set1_epi32(32)), _mm512_setzero_si512());
}

static inline __m512i word_result(const struct word_vec *c, unsigned mode, __m512i x, __m512i y)
{
	__m512i r;

	switch (mode) {
	case NPU_EW_MUL: return _mm512_add_epi32(word_product(c, x, y), c->zero);
	case NPU_EW_SHR: r = word_shifted(x, y); break;
	case NPU_EW_SHL: r = word_shifted_left(x, y); break;
	case NPU_EW_CLZ: r = word_zeros_above(x); break;
	case NPU_EW_MIN: r = _mm512_min_epi32(x, y); break;
	case NPU_EW_MAX: r = _mm512_max_epi32(x, y); break;
	case NPU_EW_ADD: r = word_sum(c, x, y); break;
	case WORD_ADD_SHIFTED: r = word_sum_shifted(c, x, y); break;
	case WORD_SUB_SHIFTED: r = word_difference_shifted(c, x, y); break;
	default: r = word_difference(c, x, y); break;
	}
	return _mm512_add_epi32(_mm512_min_epi32(_mm512_max_epi32(r, c->lo), c->hi), c->zero);
}

static inline __m512i word_tabled(const struct npu_words *w, __m512i r)
{
	const __m512i word = _mm512_i32gather_epi32(_mm512_add_epi32(_mm512_srai_epi32(r, 7), _mm512_set1_epi32(256)), w->table, 4);
	const __m512i base = _mm512_slli_epi32(_mm512_srai_epi32(_mm512_slli_epi32(word, 16), 16), 7);
	const __m512i rise = _mm512_mullo_epi32(_mm512_srai_epi32(word, 16), _mm512_and_si512(r, _mm512_set1_epi32(127)));
	const __m512i v = _mm512_add_epi32(base, rise);

	if (!w->table_rounds)
		return v;
	const __m512i rounded = _mm512_srai_epi32(_mm512_add_epi32(v, _mm512_set1_epi32(64)), 7);
	return w->table_clips ? _mm512_cvtepi16_epi32(_mm512_cvtsepi32_epi16(rounded)) : rounded;
}

/* Of int32 or int16. */
static inline __m512i word_load(const u8 *p, unsigned bytes, __mmask16 some)
{
	return bytes == 4 ? _mm512_maskz_loadu_epi32(some, p) : _mm512_cvtepi16_epi32(_mm256_maskz_loadu_epi16(some, p));
}

static inline i32 word_load_one(const u8 *p, unsigned bytes)
{
	i32 word;
	i16 half;

	memcpy(&half, p, sizeof(half));
	if (bytes != sizeof(word))
		return half;
	memcpy(&word, p, sizeof(word));
	return word;
}

static inline void word_put(u8 *to, unsigned bytes, __mmask16 some, __m512i r)
{
	if (bytes == 4)
		_mm512_mask_storeu_epi32(to, some, r);
	else if (bytes == 2)
		_mm512_mask_cvtepi32_storeu_epi16(to, some, r);
	else
		_mm512_mask_cvtepi32_storeu_epi8(to, some, r);
}

/* `plain`: int32 in this order and no table, which costs nothing in a loop of its own. */
ALWAYS_INLINE void word_grid(const struct npu_words *w, const unsigned mode, const bool plain, const struct npu_words_grid *g)
{
	const unsigned bytes_a = plain ? 4 : w->bytes_a, bytes_b = plain ? 4 : w->bytes_b;
	const struct word_vec c = word_vec_of(w);
	const u8 *a = g->a, *b = g->b;
	u8 *to = g->to;

	for (size_t r = 0; r < g->rows; r++, a += g->down_a, b += g->down_b, to += g->down_to) {
		__m512i y = _mm512_set1_epi32(word_load_one(b, bytes_b));
		for (size_t i = 0; i < g->n; i += 16) {
			const __mmask16 some = word_some(g->n - i);
			if (g->step_b)
				y = word_load(b + i * bytes_b, bytes_b, some);
			const __m512i x = word_load(a + i * bytes_a, bytes_a, some);
			const __m512i v = !plain && w->swap ? word_result(&c, mode, y, x) : word_result(&c, mode, x, y);
			word_put(to + i * w->bytes, w->bytes, some, !plain && w->table ? word_tabled(w, v) : v);
		}
	}
}

ALWAYS_INLINE void word_grid_of(const struct npu_words *w, const unsigned mode, const struct npu_words_grid *g)
{
	const bool plain = w->bytes_a == 4 && w->bytes_b == 4 && !w->table && !w->swap;

	if (plain)
		word_grid(w, mode, true, g);
	else
		word_grid(w, mode, false, g);
}

bool npu_words_rows(const struct npu_words *w, const struct npu_words_grid *g)
{
	const bool narrow = npu_words_narrow(w);

	switch (w->mode) {
	case NPU_EW_MUL: word_grid_of(w, NPU_EW_MUL, g); return true;
	case NPU_EW_SHR: word_grid_of(w, NPU_EW_SHR, g); return true;
	case NPU_EW_SHL: word_grid_of(w, NPU_EW_SHL, g); return true;
	case NPU_EW_CLZ: word_grid_of(w, NPU_EW_CLZ, g); return true;
	case NPU_EW_MIN: word_grid_of(w, NPU_EW_MIN, g); return true;
	case NPU_EW_MAX: word_grid_of(w, NPU_EW_MAX, g); return true;
	case NPU_EW_ADD:
		if (narrow)
			(w->shift ? word_grid_of(w, WORD_ADD_SHIFTED, g) : word_grid_of(w, NPU_EW_ADD, g));
		return narrow;
	default:
		if (narrow)
			(w->shift ? word_grid_of(w, WORD_SUB_SHIFTED, g) : word_grid_of(w, NPU_EW_SUB, g));
		return narrow;
	}
}
#endif
