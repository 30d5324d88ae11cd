/* SPDX-License-Identifier: Apache-2.0 */
/* Products of bytes, or bytes times one factor, to bytes: everything stays in registers. Part of simd.c. */

#if SIMD_LEVEL >= 2 && !defined(USES_NEON)
struct factor_vec {
	vec zero_point;
	bool is_signed;
};

/* LANES bytes less the zero point. */
ALWAYS_INLINE vec factor_values(const struct factor_vec *f, const u8 *p)
{
#if SIMD_LEVEL == 3
	const __m128i bytes = _mm_loadu_si128((const void *)p);
#else
	const __m128i bytes = _mm_loadl_epi64((const void *)p);
#endif
	return V(sub_epi32)(f->is_signed ? V(cvtepi8_epi32)(bytes) : V(cvtepu8_epi32)(bytes), f->zero_point);
}

/* The second factors of four vectors: of a row, the same for all vectors, or the same for every 16 bytes. */
enum factor_kind { FACTOR_ROW, FACTOR_ONE, FACTOR_REPEATED };

struct factors {
	struct factor_vec left, right;
	vec repeated[NPU_GROUP / LANES]; /* of every 16, or of all */
};

ALWAYS_INLINE struct factors factors_load(const struct npu_mul8 *s, const enum factor_kind kind, const u8 *b)
{
	struct factors f = { .left = { V(set1_epi32)(s->zero_a), s->signed_a }, .right = { V(set1_epi32)(s->zero_b), s->signed_b } };

	UNROLL for (unsigned v = 0; v < NPU_GROUP / LANES && kind != FACTOR_ROW; v++)
		f.repeated[v] = kind == FACTOR_ONE ? V(set1_epi32)(s->factor) : factor_values(&f.right, b + v * LANES);
	return f;
}

/* Four vectors of products. */
ALWAYS_INLINE void factors_multiply(const struct factors *f, const enum factor_kind kind, const u8 *a, const u8 *b, vec v[4])
{
	UNROLL for (unsigned k = 0; k < 4; k++)
		v[k] = V(mullo_epi32)(factor_values(&f->left, a + k * LANES),
				      kind == FACTOR_ROW ? factor_values(&f->right, b + k * LANES) : f->repeated[k % (NPU_GROUP / LANES)]);
}

ALWAYS_INLINE void mul8_exact(const struct npu_mul8 *s, const enum factor_kind kind, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	const struct factors f = factors_load(s, kind, b);
	const struct rescale_vec rescale = rescale_load(&s->rescale, 0);
	const struct narrow_vec narrow = narrow_load(&s->narrow);
	const __m128i up = _mm_cvtsi32_si128(s->rescale.left);

	for (size_t i = 0; i < n; i += 4 * LANES) {
		vec v[4];
		factors_multiply(&f, kind, a + i, b + (kind == FACTOR_ROW ? i : 0), v);
		UNROLL for (unsigned k = 0; k < 4; k++) {
			v[k] = V(sll_epi32)(v[k], up);
			v[k] = s->scaled ? rescale_vec(v[k], &rescale) : v[k];
		}
		vec_store(out + i, narrow4(v, &narrow, s->narrow.is_unsigned));
	}
}

static NOINLINE void mul8_exact_any(const struct npu_mul8 *s, const enum factor_kind kind, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	switch (kind) {
	case FACTOR_ROW: mul8_exact(s, FACTOR_ROW, a, b, n, out); return;
	case FACTOR_ONE: mul8_exact(s, FACTOR_ONE, a, b, n, out); return;
	default: mul8_exact(s, FACTOR_REPEATED, a, b, n, out); return;
	}
}

#if SIMD_LEVEL == 3
/* Products are shifted left when they are numbers of single precision, by their factor. */
ALWAYS_INLINE void mul8_estimate(const struct npu_mul8 *s, const enum factor_kind kind, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	const bool two_sided = estimate_two_sided(&s->rescale, &s->narrow);
	struct estimate_vec e = estimate_load(&s->rescale, &s->narrow, two_sided);
	const struct estimate_bytes bytes = estimate_bytes_load(&s->narrow);
	const struct factors f = factors_load(s, kind, b);

	e.factor = _mm512_mul_round_ps(e.factor, _mm512_set1_ps((float)(1u << s->rescale.left)), NEAREST);
	for (size_t i = 0; i < n; i += 64) {
		const u8 *const second = b + (kind == FACTOR_ROW ? i : 0);
		vec x[4], v[4];
		factors_multiply(&f, kind, a + i, second, x);
		if (__builtin_expect(estimate(&e, two_sided, x, 4, v), 1))
			vec_store(out + i, estimate_narrow(&bytes, v));
		else
			mul8_exact_any(s, kind, a + i, second, 64, out + i);
	}
}
#else
/* Factors as words, 16 of them; bytes without a sign are brought to the range of those with one. */
struct factor_words {
	__m128i flip;
	vec zero_point;
};

static inline struct factor_words factor_words_load(bool is_signed, i32 zero_point)
{
	const i32 less = is_signed ? 0 : 128;

	return (struct factor_words){ _mm_set1_epi8((char)less), _mm256_set1_epi16((i16)(zero_point - less)) };
}

ALWAYS_INLINE vec factor_words(const struct factor_words *f, const u8 *p)
{
	return _mm256_sub_epi16(_mm256_cvtepi8_epi16(_mm_xor_si128(_mm_loadu_si128((const void *)p), f->flip)), f->zero_point);
}

/* One vector of products with 16 bits behind the binary point; `offset` of those below 0 is another one. */
struct product_estimate {
	__m256 factor, offset, offset_below;
	vec near;
};

static inline struct product_estimate product_estimate_load(const struct npu_mul8 *s)
{
	const struct estimate_half e = estimate_load(&s->rescale, &s->narrow).half[0];

	return (struct product_estimate){ _mm256_mul_ps(e.factor, _mm256_set1_ps((float)(1u << s->rescale.left))), e.offset,
					  estimate_two_sided(&s->rescale, &s->narrow) ? e.below : e.offset, e.near };
}

ALWAYS_INLINE vec product_estimated(const struct product_estimate *e, vec x)
{
	const __m256 offset = _mm256_blendv_ps(e->offset, e->offset_below, _mm256_castsi256_ps(x));

	return _mm256_cvtps_epi32(_mm256_fmadd_ps(_mm256_cvtepi32_ps(x), e->factor, offset));
}

/* 32 products as bytes; false: one lies too close to a tie to tell. */
ALWAYS_INLINE bool products_estimated(const struct product_estimate *e, const struct estimate_bytes *bytes, const vec a[2], const vec b[2], u8 *out)
{
	vec v[4];

	UNROLL for (unsigned h = 0; h < 2; h++) {
		const vec low = _mm256_mullo_epi16(a[h], b[h]), high = _mm256_mulhi_epi16(a[h], b[h]);
		v[2 * h] = product_estimated(e, _mm256_unpacklo_epi16(low, high));
		v[2 * h + 1] = product_estimated(e, _mm256_unpackhi_epi16(low, high));
	}
	const vec least = _mm256_min_epu16(_mm256_min_epu16(v[0], v[1]), _mm256_min_epu16(v[2], v[3])), close = _mm256_subs_epu16(e->near, least);
	if (__builtin_expect(!_mm256_testz_si256(close, close), 0))
		return false;
	vec_store(out, _mm256_permute4x64_epi64(estimate_narrow(bytes, v), 0xd8));
	return true;
}

/* The one factor of a row is a word, too, or all goes by the formula. */
ALWAYS_INLINE void mul8_estimate(const struct npu_mul8 *s, const enum factor_kind kind, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	const struct product_estimate e = product_estimate_load(s);
	const struct estimate_bytes bytes = estimate_bytes_load(&s->narrow);
	const struct factor_words left = factor_words_load(s->signed_a, s->zero_a), right = factor_words_load(s->signed_b, s->zero_b);
	const vec one = kind == FACTOR_REPEATED ? factor_words(&right, b) : _mm256_set1_epi16((i16)s->factor);

	for (size_t i = 0; i < n; i += 32) {
		const u8 *const second = b + (kind == FACTOR_ROW ? i : 0);
		const vec x[2] = { factor_words(&left, a + i), factor_words(&left, a + i + 16) };
		const vec y[2] = { kind == FACTOR_ROW ? factor_words(&right, second) : one, kind == FACTOR_ROW ? factor_words(&right, second + 16) : one };
		if (__builtin_expect(!products_estimated(&e, &bytes, x, y, out + i), 0))
			mul8_exact_any(s, kind, a + i, second, 32, out + i);
	}
}
#endif

#define MUL8_BLOCKS(NAME, KIND) \
static void NAME(const struct npu_mul8 *s, const u8 *a, const u8 *b, size_t n, u8 *out) \
{ \
	if (mul8_estimates(s, KIND)) \
		mul8_estimate(s, KIND, a, b, n, out); \
	else \
		mul8_exact_any(s, KIND, a, b, n, out); \
}

/* Whether bytes less their zero points are words, and the one factor is. */
static inline bool mul8_has_words(const struct npu_mul8 *s, const enum factor_kind kind)
{
	const i32 most = INT16_MAX - 2 * UINT8_MAX;
	const bool left = s->zero_a >= -most && s->zero_a <= most, right = s->zero_b >= -most && s->zero_b <= most;

	return left && (kind == FACTOR_ONE ? s->factor == (i16)s->factor : right);
}

static inline bool mul8_estimates(const struct npu_mul8 *s, const enum factor_kind kind)
{
	const bool fits = SIMD_LEVEL == 3 || mul8_has_words(s, kind);

	return fits && s->scaled && npu_estimates(&s->rescale, &s->narrow);
}

MUL8_BLOCKS(mul8_rows, FACTOR_ROW)
MUL8_BLOCKS(mul8_one, FACTOR_ONE)
MUL8_BLOCKS(mul8_every_16, FACTOR_REPEATED)

static void mul8_blocks(const struct npu_mul8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	(b ? mul8_rows : mul8_one)(s, a, b, n, out);
}

static void mul8(const struct npu_mul8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	BLOCKS_OF_ROW(mul8_blocks);
}

static void mul8_repeated(const struct npu_mul8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	const size_t whole = n / 64 * 64;

	mul8_every_16(s, a, b, whole, out);
	if (whole < n) {
		NPU_LINE u8 block[64];
		part_load(block, a + whole, n - whole);
		mul8_every_16(s, block, b, 64, block);
		part_store(out + whole, block, n - whole);
	}
	if (s->narrow.table)
		look_up_bytes(s->narrow.table, out, n, out);
}
#endif
