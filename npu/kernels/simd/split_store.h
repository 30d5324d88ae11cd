/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of split int16 (simd/split.h) to memory: low and high ones become one number when they are scaled. Part of simd.c. */

#if SIMD_LEVEL == 3
#define SPLIT_PIXELS 7 /* of a block at most: both sums of two groups, weights and an element fill the registers */

/* Sums of a block; of one pixel those of even and odd quads are apart, so that they do not wait for each other. */
struct split_sums {
	vec low[SPLIT_PIXELS][2], high[SPLIT_PIXELS][2], odd_low[2], odd_high[2];
};

enum split_kind {
	SPLIT_SHORT,  /* sums have 32 bits, scales 15; no rounding depends on the sign */
	SPLIT_NARROW, /* scales have more */
	SPLIT_WIDE,   /* they may have more */
	SPLIT_ANY,
};

/* Constants of 16 channels, of even and of odd lanes. */
struct split_rescale {
	enum split_kind kind;
	vec scale, scale_high, half, down; /* of SPLIT_SHORT: scale of the lower and of the upper halves, what is added before the shift, shift */
	struct rescale_vec once; /* of SPLIT_NARROW */
	vec wide[2], add[2], shift[2]; /* of SPLIT_WIDE; the shift is eight less */
};

#define SPLIT_HALF (1 << 30) /* the product of two upper halves leaves room for it */

static inline void split_wide_load(struct split_rescale *s, const struct rescale_vec *r)
{
	const vec shift = vec_add(r->shift, vec_all(32 - 8));

	s->wide[0] = r->scale;
	s->wide[1] = r->scale_odd;
	s->add[0] = r->add_even;
	s->add[1] = r->add_odd;
	s->shift[0] = V_AND(shift, _mm512_set1_epi64(UINT32_MAX));
	s->shift[1] = _mm512_srli_epi64(shift, 32);
}

/* What is added to eight products, as multiples of 2^down; false: it is none, or too large. */
ALWAYS_INLINE bool split_half(__m512i add, __m512i down, __m512i *half)
{
	*half = _mm512_srlv_epi64(add, down);
	return !_mm512_cmpneq_epi64_mask(_mm512_sllv_epi64(*half, down), add) && !_mm512_cmpgt_epu64_mask(*half, _mm512_set1_epi64(SPLIT_HALF));
}

/* Of an accumulator 2^16 * a + b, b without sign, and a scale of 15 bits the scaled one is (a * scale + (b * scale >> 16) + half) >> shift - 16, as 2^16 divides
 * what is added: that needs products of int16 alone. Larger scales are such that were shifted left (npu_rescale_set()). False: some are not. */
static bool split_short_load(struct split_rescale *s, const struct rescale_vec *r)
{
	const vec none = _mm512_setzero_si512(), even = _mm512_set1_epi64(UINT32_MAX);
	const vec exponent = _mm512_srli_epi32(_mm512_castps_si512(_mm512_cvt_roundepi32_ps(r->scale, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)), 23);
	const vec up = vec_max(_mm512_sub_epi32(exponent, vec_all(127 + 14)), none), down = vec_add(up, vec_all(16));
	const __mmask16 some = _mm512_test_epi32_mask(r->scale, r->scale);
	const vec add_even = _mm512_maskz_mov_epi64(_mm512_test_epi64_mask(r->scale, even), r->add_even), add_odd = _mm512_maskz_mov_epi64(_mm512_test_epi64_mask(r->scale_odd, even), r->add_odd);
	const vec nothing = _mm512_srav_epi32(V_HIGH(r->add_even, r->add_odd), r->shift); /* where the scale is 0 */
	__m512i half_even, half_odd;

	s->scale = _mm512_srlv_epi32(r->scale, up);
	s->scale_high = _mm512_slli_epi32(s->scale, 16);
	s->down = _mm512_mask_sub_epi32(none, some, vec_add(r->shift, vec_all(16)), up);
	if (!split_half(add_even, V_AND(down, even), &half_even) || !split_half(add_odd, _mm512_srli_epi64(down, 32), &half_odd))
		return false;
	s->half = _mm512_mask_shuffle_epi32(half_even, 0xaaaa, half_odd, 0xa0);
	return !_mm512_cmpneq_epi32_mask(_mm512_sllv_epi32(s->scale, up), r->scale) && !_mm512_cmpgt_epu32_mask(s->down, vec_all(31)) &&
	       !_mm512_mask_test_epi32_mask((__mmask16)~some, nothing, nothing);
}

static NOINLINE void split_rescale_load(struct split_rescale *r, const struct npu_rescale *s, const struct npu_layer8 *l)
{
	const struct rescale_vec all = rescale_load(s, 0);

	r->kind = s->negative || l->whole ? SPLIT_ANY : l->fits_32 ? SPLIT_NARROW : SPLIT_WIDE;
	if (r->kind == SPLIT_ANY)
		return;
	if (r->kind == SPLIT_WIDE)
		split_wide_load(r, &all);
	else if (split_short_load(r, &all))
		r->kind = SPLIT_SHORT;
	else
		r->once = all;
}

/* Eight lanes: (256 * high + low) * scale, rounded. The lowest byte of that decides nothing, so that 64 bits are enough for whatever scale. */
ALWAYS_INLINE vec split_scale(vec low, vec high, const struct split_rescale *r, const unsigned odd)
{
	const vec below = _mm512_srai_epi64(_mm512_add_epi64(_mm512_mul_epi32(low, r->wide[odd]), r->add[odd]), 8);

	return _mm512_srav_epi64(_mm512_add_epi64(_mm512_mul_epi32(high, r->wide[odd]), below), r->shift[odd]);
}

/* 16 results, which have 32 bits. */
ALWAYS_INLINE vec split_results(const enum split_kind kind, vec low, vec high, const struct split_rescale *r)
{
	const vec sum = vec_add(_mm512_slli_epi32(high, 8), low);

	if (kind == SPLIT_SHORT)
		return _mm512_srav_epi32(vec_madd(vec_add(_mm512_mulhi_epu16(sum, r->scale), r->half), sum, r->scale_high), r->down);
	if (kind == SPLIT_NARROW)
		return rescale_once(sum, &r->once);
	const vec even = split_scale(low, high, r, 0);
	const vec odd = split_scale(_mm512_srli_epi64(low, 32), _mm512_shuffle_epi32(high, 0xf5), r, 1);

	return _mm512_mask_shuffle_epi32(even, 0xaaaa, odd, 0xa0);
}

/* Where 16 channels of neighbouring pixels go. */
struct split_target {
	u8 *const *pixel;
	i64 offset;
	struct words_pair words;
};

ALWAYS_INLINE void split_put(const struct split_target *t, unsigned first, unsigned second, vec a, vec b)
{
	words_pair_store(&t->words, a, b, t->pixel[first] + t->offset, t->pixel[second] + t->offset);
}

/* The same as split_scale() for whatever constants there are; `high` has the sign of the whole. */
static inline vec split_scale_any(vec low, vec high, vec scale, vec add, vec negative, vec shift)
{
	const vec below = _mm512_sub_epi64(_mm512_add_epi64(_mm512_mul_epi32(low, scale), add), V_AND(high, negative));

	return _mm512_srav_epi64(_mm512_add_epi64(_mm512_mul_epi32(high, scale), _mm512_srai_epi64(below, 8)), shift);
}

/* Results of int32: low words of products. */
static NOINLINE void split_store_whole(const i32 *whole, const struct split_target *t, const vec *low, const vec *high, unsigned pixels)
{
	const vec factor = vec_load(whole);

	for (unsigned p = 0; p < pixels; p++)
		_mm512_mask_storeu_epi32(t->pixel[p] + t->offset, t->words.some,
					 _mm512_mullo_epi32(vec_add(_mm512_slli_epi32(high[p], 8), low[p]), factor));
}

/* Of channel c on. */
static NOINLINE void split_store_any(const struct npu_layer8 *l, u32 c, const struct split_target *t, const vec *low, const vec *high, unsigned pixels)
{
	const struct rescale_vec r = rescale_load(l->rescale + c / NPU_GROUP, 0);
	const bool narrow = l->fits_32;

	if (l->whole) {
		split_store_whole(l->whole + c, t, low, high, pixels);
		return;
	}
	for (unsigned p = 0; narrow && p < pixels; p += 2) {
		const unsigned q = p + 1 < pixels ? p + 1 : p;
		split_put(t, p, q, rescale_vec(vec_add(_mm512_slli_epi32(high[p], 8), low[p]), &r),
			  rescale_vec(vec_add(_mm512_slli_epi32(high[q], 8), low[q]), &r));
	}
	if (narrow)
		return;
	const vec shift = vec_add(r.shift, vec_all(32 - 8)), shift_even = V_AND(shift, _mm512_set1_epi64(UINT32_MAX)), shift_odd = _mm512_srli_epi64(shift, 32);

	for (unsigned p = 0; p < pixels; p++) {
		const vec h = vec_add(high[p], _mm512_srai_epi32(low[p], 8)), byte = V_AND(low[p], vec_all(255));
		const vec even = split_scale_any(byte, h, r.scale, r.add_even, r.negative, shift_even);
		const vec odd = split_scale_any(_mm512_srli_epi64(byte, 32), _mm512_srli_epi64(h, 32), r.scale_odd, r.add_odd, r.negative, shift_odd);
		const vec v = _mm512_mask_shuffle_epi32(even, 0xaaaa, odd, 0xa0);
		split_put(t, p, p, v, v);
	}
}

/* Sums of a group of P pixels. */
ALWAYS_INLINE void split_store(const unsigned P, const unsigned g, const enum split_kind kind, const struct split_sums *s, const struct split_rescale *r,
			       const struct split_target *t)
{
	UNROLL for (unsigned p = 0; p < P; p += 2) {
		const unsigned q = p + 1 < P ? p + 1 : p;
		const vec a = split_results(kind, s->low[p][g], s->high[p][g], r), b = q == p ? a : split_results(kind, s->low[q][g], s->high[q][g], r);
		split_put(t, p, q, a, b);
	}
}

/* Of P pixels of one group, whose sums lie in pairs. */
ALWAYS_INLINE void split_store_pairs(const unsigned P, const enum split_kind kind, const struct split_sums *s, const struct split_rescale *r,
				     const struct split_target *t)
{
	UNROLL for (unsigned p = 0; p < P; p += 2)
		split_put(t, p, p + 1, split_results(kind, s->low[p / 2][0], s->high[p / 2][0], r), split_results(kind, s->low[p / 2][1], s->high[p / 2][1], r));
}

/* Both groups of SPLIT_SHORT; `beside`: of a pixel they lie side by side. */
ALWAYS_INLINE void split_store_both(const unsigned P, const bool beside, const struct split_sums *s, const struct split_rescale r[2], const struct split_target *t,
				    i64 second, __mmask16 some)
{
	const __mmask32 all = _mm512_kunpackw(some, 0xffff);
	const vec order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);

	UNROLL for (unsigned p = 0; p < P; p++) {
		const vec a = split_results(SPLIT_SHORT, s->low[p][0], s->high[p][0], &r[0]), b = split_results(SPLIT_SHORT, s->low[p][1], s->high[p][1], &r[1]);
		const vec v = _mm512_min_epi16(_mm512_max_epi16(_mm512_packs_epi32(a, b), t->words.lo), t->words.hi);
		const vec words = _mm512_permutexvar_epi64(order, v);
		u8 *const to = t->pixel[p] + t->offset;
		if (beside) {
			_mm512_mask_storeu_epi16(to, all, words);
		} else {
			_mm256_storeu_si256((void *)to, _mm512_castsi512_si256(words));
			_mm256_mask_storeu_epi16(to + second, some, _mm512_extracti64x4_epi64(words, 1));
		}
	}
}

/* Of G groups from channel c on; to[]: where the OFM pixels are. */
ALWAYS_INLINE void split_store_block(const unsigned P, const unsigned G, const struct npu_layer8 *l, u32 c, const struct split_sums *s,
				     const struct split_rescale r[2], u8 *const *to, i64 offset)
{
	struct split_target t = { .pixel = to, .offset = offset };

	if (G == 2 && r[0].kind == SPLIT_SHORT && r[1].kind == SPLIT_SHORT) {
		t.words = words_pair_load(l->narrow16, l->depth - c - NPU_GROUP);
		if (l->stride_group == NPU_GROUP * sizeof(i16))
			split_store_both(P, true, s, r, &t, l->stride_group, t.words.some);
		else
			split_store_both(P, false, s, r, &t, l->stride_group, t.words.some);
		return;
	}
	UNROLL for (unsigned g = 0; g < G; g++, c += NPU_GROUP, t.offset += l->stride_group) {
		t.words = words_pair_load(l->narrow16, l->depth - c);
		if (r[g].kind == SPLIT_SHORT) {
			split_store(P, g, SPLIT_SHORT, s, &r[g], &t);
		} else if (r[g].kind == SPLIT_NARROW) {
			split_store(P, g, SPLIT_NARROW, s, &r[g], &t);
		} else if (r[g].kind == SPLIT_WIDE) {
			split_store(P, g, SPLIT_WIDE, s, &r[g], &t);
		} else {
			vec low[SPLIT_PIXELS], high[SPLIT_PIXELS];
			UNROLL for (unsigned p = 0; p < P; p++) {
				low[p] = s->low[p][g];
				high[p] = s->high[p][g];
			}
			split_store_any(l, c, &t, low, high, P);
		}
	}
}
#endif
