/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of int16 by weights of a byte: bytes are multiplied, the elements' low and high ones for themselves. Part of simd.c.
 *
 * Of an element x = 256 * high + low, `low` is a byte without sign, and `high` one with 128 added, whose products with the weights the
 * start of the sums takes off. Four taps' low bytes lie before their high bytes. Both sums have 32 bits; sum of high bytes times 256 plus the
 * other has as many as it needs: that is put together only when it is scaled. */

#if SIMD_LEVEL == 3
#define SPLIT_PIXELS 7 /* of a block at most: both sums of two groups, weights and an element fill the registers */

static void split_words(u8 *words, size_t bytes)
{
	const __m512i order = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15));
	const __m512i flip = _mm512_set1_epi64((i64)UINT64_C(0x8080808000000000));

	for (size_t i = 0; i < bytes; i += 64) {
		const __mmask64 some = bytes - i < 64 ? (UINT64_C(1) << (bytes - i)) - 1 : ~UINT64_C(0);
		const __m512i v = _mm512_shuffle_epi8(_mm512_maskz_loadu_epi8(some, words + i), order);
		_mm512_mask_storeu_epi8(words + i, some, _mm512_xor_si512(v, flip));
	}
}

/* How the elements of a pixel lie, in 16 and 16: `next` bytes further each, and after `blocks` of them `jump` bytes more. */
struct split_walk {
	size_t next, jump;
	u32 blocks;
};

/* Sums of a block; of one pixel those of even and odd quads are apart, so that they do not wait for each other. */
struct split_sums {
	vec low[SPLIT_PIXELS][2], high[SPLIT_PIXELS][2], odd_low[2], odd_high[2];
};

/* Four taps of P pixels, G groups. */
ALWAYS_INLINE void split_quad(const unsigned P, const unsigned G, const bool odd, const u8 *const *x, size_t offset, const i8 *const w[2],
			      size_t at, struct split_sums *s)
{
	vec weights[2];

	UNROLL for (unsigned g = 0; g < G; g++)
		weights[g] = vec_load(w[g] + at);
	UNROLL for (unsigned p = 0; p < P; p++) {
		const vec low = vec_quad(x[p] + offset), high = vec_quad(x[p] + offset + 4);
		UNROLL for (unsigned g = 0; g < G; g++) {
			vec *l = odd ? &s->odd_low[g] : &s->low[p][g], *h = odd ? &s->odd_high[g] : &s->high[p][g];
			*l = vec_dot(*l, low, weights[g]);
			vec_keep(*l);
			*h = vec_dot(*h, high, weights[g]);
			vec_keep(*h);
		}
	}
}

ALWAYS_INLINE void split_multiply(const unsigned P, const unsigned G, const struct npu_layer8 *l, const struct split_walk *walk,
				  const u8 *const *pixel, u32 c, const i8 *weights, struct split_sums *s)
{
	const i8 *w[2] = { weights, weights + (G - 1) * l->group_step };
	const u8 *x[SPLIT_PIXELS];
	const bool apart = P == 1;
	u32 blocks = walk->blocks;
	size_t at = 0, k = l->row;

	UNROLL for (unsigned p = 0; p < P; p++)
		x[p] = pixel[p];

	UNROLL for (unsigned g = 0; g < G; g++) {
		const vec low = vec_load(l->start + c + g * NPU_GROUP), high = vec_load(l->high + c + g * NPU_GROUP);
		UNROLL for (unsigned p = 0; p < P; p++) {
			s->low[p][g] = low;
			s->high[p][g] = high;
		}
		s->odd_low[g] = s->odd_high[g] = _mm512_setzero_si512();
	}
	for (; k >= NPU_GROUP; k -= NPU_GROUP) {
		UNROLL for (unsigned j = 0; j < NPU_GROUP; j += 4)
			split_quad(P, G, apart && j & 4, x, at + 2 * j, w, j * NPU_GROUP, s);
		w[0] += NPU_GROUP * NPU_GROUP;
		w[1] += NPU_GROUP * NPU_GROUP;
		const bool over = --blocks == 0; /* without a branch: a loop in a loop would have gcc move all sums about */
		at += walk->next + (over ? walk->jump : 0);
		blocks = over ? walk->blocks : blocks;
	}
	for (; k; k -= 4, at += 8) {
		split_quad(P, G, false, x, at, w, 0, s);
		w[0] += 4 * NPU_GROUP;
		w[1] += 4 * NPU_GROUP;
	}
	UNROLL for (unsigned g = 0; apart && g < G; g++) {
		s->low[0][g] = vec_add(s->low[0][g], s->odd_low[g]);
		s->high[0][g] = vec_add(s->high[0][g], s->odd_high[g]);
	}
}

enum split_kind {
	SPLIT_NARROW, /* sums have 32 bits; no rounding depends on the sign */
	SPLIT_WIDE,   /* they may have more; there is room for scales times 256 */
	SPLIT_ANY,
};

/* Constants of 16 channels, of even and of odd lanes. */
struct split_rescale {
	enum split_kind kind;
	struct rescale_vec once; /* of SPLIT_NARROW */
	/* of SPLIT_WIDE: scale and 256 times that */
	vec low[2], high[2], add[2], shift[2];
};

#define SPLIT_SCALE (1 << 23)

/* Scales of 16 bits have been shifted left to give shifts of 32 and more (npu_rescale_set()): that is taken back where it leaves no room. */
static inline void split_wide_load(struct split_rescale *s, const struct rescale_vec *r)
{
	const __mmask16 large = _mm512_cmpge_epi32_mask(r->scale, vec_all(SPLIT_SCALE));
	const vec down = _mm512_maskz_mov_epi32(large, vec_all(8)), low = _mm512_srlv_epi32(r->scale, down), high = _mm512_slli_epi32(low, 8);
	const vec shift = _mm512_sub_epi32(vec_add(r->shift, vec_all(32)), down), even = _mm512_set1_epi64(UINT32_MAX);

	s->kind = _mm512_mask_test_epi32_mask(large, r->scale, vec_all(255)) ? SPLIT_ANY : SPLIT_WIDE;
	s->low[0] = low;
	s->low[1] = _mm512_srli_epi64(low, 32);
	s->high[0] = high;
	s->high[1] = _mm512_srli_epi64(high, 32);
	s->add[0] = _mm512_srav_epi64(r->add_even, V_AND(down, even));
	s->add[1] = _mm512_srav_epi64(r->add_odd, _mm512_srli_epi64(down, 32));
	s->shift[0] = V_AND(shift, even);
	s->shift[1] = _mm512_srli_epi64(shift, 32);
}

static NOINLINE void split_rescale_load(struct split_rescale *r, const struct npu_rescale *s, const struct npu_layer8 *l)
{
	const struct rescale_vec all = rescale_load(s, 0);

	r->kind = s->negative || l->whole ? SPLIT_ANY : SPLIT_NARROW;
	if (r->kind == SPLIT_ANY)
		return;
	if (l->fits_32)
		r->once = all;
	else
		split_wide_load(r, &all);
}

/* Eight lanes: (256 * high + low) * scale, rounded. */
ALWAYS_INLINE vec split_scale(vec low, vec high, const struct split_rescale *r, const unsigned odd)
{
	const vec v = _mm512_add_epi64(_mm512_mul_epi32(high, r->high[odd]), _mm512_mul_epi32(low, r->low[odd]));

	return _mm512_srav_epi64(_mm512_add_epi64(v, r->add[odd]), r->shift[odd]);
}

/* 16 results, which have 32 bits. */
ALWAYS_INLINE vec split_results(const bool narrow, vec low, vec high, const struct split_rescale *r)
{
	if (narrow)
		return rescale_once(vec_add(_mm512_slli_epi32(high, 8), low), &r->once);
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
	const vec v = _mm512_add_epi64(_mm512_slli_epi64(_mm512_mul_epi32(high, scale), 8), _mm512_mul_epi32(low, scale));

	return _mm512_srav_epi64(_mm512_sub_epi64(_mm512_add_epi64(v, add), V_AND(high, negative)), shift);
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
	const vec shift = vec_add(r.shift, vec_all(32)), shift_even = V_AND(shift, _mm512_set1_epi64(UINT32_MAX)), shift_odd = _mm512_srli_epi64(shift, 32);

	for (unsigned p = 0; p < pixels; p++) {
		const vec h = vec_add(high[p], _mm512_srai_epi32(low[p], 8)), byte = V_AND(low[p], vec_all(255));
		const vec even = split_scale_any(byte, h, r.scale, r.add_even, r.negative, shift_even);
		const vec odd = split_scale_any(_mm512_srli_epi64(byte, 32), _mm512_srli_epi64(h, 32), r.scale_odd, r.add_odd, r.negative, shift_odd);
		const vec v = _mm512_mask_shuffle_epi32(even, 0xaaaa, odd, 0xa0);
		split_put(t, p, p, v, v);
	}
}

/* Sums of a group of P pixels. */
ALWAYS_INLINE void split_store(const unsigned P, const unsigned g, const bool narrow, const struct split_sums *s, const struct split_rescale *r,
			       const struct split_target *t)
{
	UNROLL for (unsigned p = 0; p < P; p += 2) {
		const unsigned q = p + 1 < P ? p + 1 : p;
		const vec a = split_results(narrow, s->low[p][g], s->high[p][g], r), b = q == p ? a : split_results(narrow, s->low[q][g], s->high[q][g], r);
		split_put(t, p, q, a, b);
	}
}

/* G groups from channel c on of P pixels; to[]: where their OFM pixels are. */
ALWAYS_INLINE void split_block(const unsigned P, const unsigned G, const struct npu_layer8 *l, const struct split_walk *walk, const u8 *const *pixel, u32 c,
			       const i8 *weights, const struct split_rescale r[2], u8 *const *to, i64 offset)
{
	struct split_target t = { .pixel = to, .offset = offset };
	struct split_sums s;

	split_multiply(P, G, l, walk, pixel, c, weights, &s);
	UNROLL for (unsigned g = 0; g < G; g++, c += NPU_GROUP, t.offset += l->stride_group) {
		t.words = words_pair_load(l->narrow16, l->depth - c);
		if (r[g].kind == SPLIT_NARROW) {
			split_store(P, g, true, &s, &r[g], &t);
		} else if (r[g].kind == SPLIT_WIDE) {
			split_store(P, g, false, &s, &r[g], &t);
		} else {
			vec low[SPLIT_PIXELS], high[SPLIT_PIXELS];
			UNROLL for (unsigned p = 0; p < P; p++) {
				low[p] = s.low[p][g];
				high[p] = s.high[p][g];
			}
			split_store_any(l, c, &t, low, high, P);
		}
	}
}

#define SPLIT_BLOCK(P) split_block(P, G, l, walk, pixel, c, weights, r, to, offset)

ALWAYS_INLINE void split_groups(const unsigned G, const struct npu_layer8 *l, const struct split_walk *walk, const u8 *const *pixel,
				unsigned pixels, u32 c, const i8 *weights, u8 *const *to, i64 offset)
{
	struct split_rescale r[2];

	UNROLL for (unsigned g = 0; g < G; g++)
		split_rescale_load(&r[g], l->rescale + c / NPU_GROUP + g, l);
	for (unsigned n; pixels; pixels -= n, pixel += n, to += n) {
		n = pixels >= 7 ? 7 : pixels >= 3 ? 3 : 1;
		switch (n) {
		case 7: SPLIT_BLOCK(7); break;
		case 3: SPLIT_BLOCK(3); break;
		default: SPLIT_BLOCK(1); break;
		}
	}
}

static NOINLINE void split_pair(const struct npu_layer8 *l, const struct split_walk *walk, const u8 *const *pixel, unsigned pixels, u32 c,
				const i8 *weights, u8 *const *to, i64 offset)
{
	split_groups(2, l, walk, pixel, pixels, c, weights, to, offset);
}

static NOINLINE void split_one(const struct npu_layer8 *l, const struct split_walk *walk, const u8 *const *pixel, unsigned pixels, u32 c,
			       const i8 *weights, u8 *const *to, i64 offset)
{
	split_groups(1, l, walk, pixel, pixels, c, weights, to, offset);
}

static void layer_split(const struct npu_layer8 *l, const struct npu_fields *f, const struct npu_target *t)
{
	const struct split_walk walk = { .next = NPU_GROUP * sizeof(i16), .jump = f->down - f->line,
					 .blocks = f->lines > 1 ? (u32)(f->line / (NPU_GROUP * sizeof(i16))) : UINT32_MAX };
	const i8 *weights = l->weights;
	const u8 *pixel[NPU_TILE];
	u8 *to[NPU_TILE];
	const unsigned pixels = fields_pixels(f, t, pixel, to);
	unsigned groups;
	i64 offset = 0;

	for (u32 c = 0; c < l->depth; c += groups * NPU_GROUP) {
		groups = l->depth - c > NPU_GROUP ? 2 : 1;
		(groups == 2 ? split_pair : split_one)(l, &walk, pixel, pixels, c, weights, to, offset);
		weights += groups * l->group_step;
		offset += groups * l->stride_group;
	}
}
#endif
