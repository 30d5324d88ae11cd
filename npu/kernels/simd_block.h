/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of bytes with many products for each sum: blocks of 14 pixels and two groups of channels, so that weights come from the second
 * cache half as often as with the blocks of simd_direct.h. Pixels are where they are, rows do not matter. Part of simd.c. */

#if SIMD_LEVEL == 3
#define BLOCK_ROW 512 /* products of a sum from which on this pays */
#define BLOCK_FAR ((size_t)256 << 10) /* bytes of weights that the second cache does not keep from one inference to the next */

/* How the bytes of a pixel's field lie, in 16 and 16: as many further each, and after `blocks` of them `jump` bytes more. */
struct block_walk {
	size_t jump;
	u32 blocks;
};

/* The estimate's constants for both kinds of rounding. */
struct block_estimate {
	__m512 factor, offset;
	vec sign, above;
	u32 near;
};

static inline struct block_estimate block_estimate_load(const struct npu_rescale *s, const struct npu_narrow8 *n)
{
	const bool two_sided = estimate_two_sided(s, n);
	const struct estimate_vec e = estimate_load(s, n, two_sided);
	const vec none = _mm512_setzero_si512();

	return (struct block_estimate){ e.factor, e.offset, two_sided ? vec_all(INT32_MIN) : none, two_sided ? e.above : none, e.near };
}

/* Constants of two groups. */
struct block {
	struct block_estimate e[2];
	struct estimate_bytes bytes;
	__mmask16 some[2]; /* channels */
	const struct npu_layer8 *layer;
	const struct npu_rescale *rescale;
	i64 offset[2];
};

static NOINLINE vec block_exact(const struct npu_rescale *s, const struct npu_narrow8 *n, const vec x[4])
{
	const struct rescale_vec rescale = rescale_load(s, 0);
	const struct narrow_vec narrow = narrow_load(n);
	vec v[4];

	UNROLL for (unsigned i = 0; i < 4; i++)
		v[i] = rescale_vec(x[i], &rescale);
	return narrow4(v, &narrow, n->is_unsigned);
}

/* Its number is a constant to the compiler only where loops are unrolled. */
ALWAYS_INLINE __m128i quarter_of(vec v, unsigned i)
{
	switch (i) {
	case 0: return _mm512_castsi512_si128(v);
	case 1: return _mm512_extracti32x4_epi32(v, 1);
	case 2: return _mm512_extracti32x4_epi32(v, 2);
	default: return _mm512_extracti32x4_epi32(v, 3);
	}
}

/* Sums of `pixels` <= 4 pixels of group g. */
ALWAYS_INLINE void block_store(const struct block *b, const unsigned g, const vec x[4], const unsigned pixels, u8 *const *to)
{
	const struct block_estimate *e = &b->e[g];
	vec v[4], fraction, bytes;

	UNROLL for (unsigned i = 0; i < 4; i++) {
		const __m512 f = _mm512_cvt_roundepi32_ps(x[i], NEAREST);
		const __m512 offset = _mm512_castsi512_ps(_mm512_ternarylogic_epi32(x[i], e->sign, _mm512_castps_si512(e->offset), 0xea));
		v[i] = vec_add(_mm512_cvt_roundps_epi32(_mm512_fmadd_round_ps(f, e->factor, offset, NEAREST), NEAREST), e->above);
		fraction = i ? _mm512_min_epu16(fraction, v[i]) : v[i];
	}
	bytes = estimate_narrow(&b->bytes, v);
	if (__builtin_expect(!estimate_decides(e->near, fraction), 0))
		bytes = block_exact(b->rescale + g, b->layer->narrow, x);
	UNROLL for (unsigned i = 0; i < pixels; i++)
		_mm_mask_storeu_epi8(to[i] + b->offset[g], b->some[g], quarter_of(bytes, i));
}

/* P pixels; `ahead`: the next two groups' weights are brought to the second cache meanwhile. */
ALWAYS_INLINE void block_pixels(const unsigned P, const bool ahead, const struct block *b, const struct block_walk *walk, const u8 *const *pixel, const i8 *weights,
				const i32 *start, u8 *const *to)
{
	const struct npu_layer8 *l = b->layer;
	const i8 *w[2] = { weights, weights + l->group_step };
	u32 blocks = walk->blocks;
	size_t at = 0, k = l->row;
	vec a[PIXELS][2];

	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned g = 0; g < 2; g++)
			a[p][g] = vec_load(start + g * NPU_GROUP);
#define QUAD(x, j) do { \
	const vec w0_ = vec_load(w[0] + (j) * NPU_GROUP), w1_ = vec_load(w[1] + (j) * NPU_GROUP); \
	UNROLL for (unsigned p_ = 0; p_ < P; p_++) { \
		const vec x_ = vec_quad(pixel[p_] + (x)); \
		a[p_][0] = vec_dot(a[p_][0], x_, w0_); \
		vec_keep(a[p_][0]); \
		a[p_][1] = vec_dot(a[p_][1], x_, w1_); \
		vec_keep(a[p_][1]); \
	} } while (0)
	for (; k >= NPU_GROUP; k -= NPU_GROUP) {
		UNROLL for (unsigned j = 0; j < NPU_GROUP; j += 4) {
			QUAD(at + j, j);
			if (ahead) {
				_mm_prefetch((const char *)(w[1] + l->group_step + j * NPU_GROUP), _MM_HINT_T1);
				_mm_prefetch((const char *)(w[1] + 2 * l->group_step + j * NPU_GROUP), _MM_HINT_T1);
			}
		}
		w[0] += NPU_GROUP * NPU_GROUP;
		w[1] += NPU_GROUP * NPU_GROUP;
		const bool over = --blocks == 0; /* without a branch: see split_multiply() */
		at += NPU_GROUP + (over ? walk->jump : 0);
		blocks = over ? walk->blocks : blocks;
	}
	for (; k; k -= 4, at += 4) {
		QUAD(at, 0);
		w[0] += 4 * NPU_GROUP;
		w[1] += 4 * NPU_GROUP;
	}
#undef QUAD
	UNROLL for (unsigned g = 0; g < 2; g++)
		UNROLL for (unsigned p = 0; p < P; p += 4) {
			vec x[4];
			UNROLL for (unsigned i = 0; i < 4; i++)
				x[i] = a[p + i < P ? p + i : p][g];
			block_store(b, g, x, P - p < 4 ? P - p : 4, to + p);
		}
}

/* From channel c on. */
static inline struct block block_load(const struct npu_layer8 *l, u32 c, i64 offset)
{
	const struct npu_rescale *s = l->rescale + c / NPU_GROUP;
	struct block b = { .bytes = estimate_bytes_load(l->narrow), .layer = l, .rescale = s, .offset = { offset, offset + l->stride_group } };

	for (unsigned g = 0; g < 2; g++, c += NPU_GROUP) {
		b.e[g] = block_estimate_load(s + g, l->narrow);
		b.some[g] = (__mmask16)(l->depth - c < NPU_GROUP ? (1u << (l->depth - c)) - 1 : 0xffff);
	}
	return b;
}

static NOINLINE void block_pair(const struct npu_layer8 *l, const struct block_walk *walk, const u8 *const *pixel, unsigned pixels, u32 c,
				const i8 *weights, u8 *const *to, i64 offset)
{
	const i32 *start = l->start + c;
	const struct block b = block_load(l, c, offset);
	bool ahead = l->group_step * (l->depth / NPU_GROUP) >= BLOCK_FAR && pixels > PIXELS;
	for (unsigned n; pixels; pixels -= n, pixel += n, to += n) {
		n = pixels >= 14 ? 14 : pixels >= 7 ? 7 : pixels >= 2 ? 2 : 1;
		switch (n) {
		case 14: block_pixels(14, ahead, &b, walk, pixel, weights, start, to); break;
		case 7: block_pixels(7, false, &b, walk, pixel, weights, start, to); break;
		case 2: block_pixels(2, false, &b, walk, pixel, weights, start, to); break;
		default: block_pixels(1, false, &b, walk, pixel, weights, start, to); break;
		}
	}
}

/* Whether fields of a layer are for blocks. */
static inline bool block_pays(const struct npu_layer8 *l, const struct npu_fields *f, unsigned pixels)
{
	return (l->staged || l->row >= BLOCK_ROW) && pixels >= 7 && (f->lines == 1 || f->line % NPU_GROUP == 0);
}
#endif
