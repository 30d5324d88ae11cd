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
#endif

#define MUL8_BLOCKS(NAME, KIND) \
static void NAME(const struct npu_mul8 *s, const u8 *a, const u8 *b, size_t n, u8 *out) \
{ \
	if (mul8_estimates(s)) \
		mul8_estimate(s, KIND, a, b, n, out); \
	else \
		mul8_exact_any(s, KIND, a, b, n, out); \
}

#if SIMD_LEVEL == 3
static inline bool mul8_estimates(const struct npu_mul8 *s)
{
	return s->scaled && npu_estimates(&s->rescale, &s->narrow);
}
#else
#define mul8_estimates(s) false
#define mul8_estimate mul8_exact_any
#endif
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
