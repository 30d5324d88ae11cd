/* SPDX-License-Identifier: Apache-2.0 */
/* int16 through curves or with a scale for each sign, to int16. Part of simd.c. */

#if SIMD_LEVEL >= 2 && !defined(USES_NEON)
/* What npu_curve16 has of the operations there are. */
enum curve_kind {
	CURVE_WRAPS, CURVE_CLIPS, /* tables, which differ in what becomes of more than 16 bits */
	CURVE_TANH, CURVE_SIGMOID, /* of magnitudes */
	CURVE_TANH85, CURVE_SIGMOID85,
};

static enum curve_kind curve_kind_of(const struct npu_curve16 *c)
{
	if (!c->folds && !c->less)
		return c->wraps ? CURVE_WRAPS : CURVE_CLIPS;
	return c->folds ? c->bits == 8 ? CURVE_TANH : CURVE_SIGMOID : c->bits == 8 ? CURVE_TANH85 : CURVE_SIGMOID85;
}

struct curve16_vec {
	vec lo, hi, zero, first, low_bits, unit, add, least, most, less;
	__m128i bits, down;
	const void *table;
	bool folds, wraps;
};

static inline struct curve16_vec curve16_load(const struct npu_curve16 *c)
{
	return (struct curve16_vec){
		.lo = vec_all(c->lo - c->zero_point), .hi = vec_all(c->hi - c->zero_point), .zero = vec_all(c->zero_point), .first = vec_all(c->first),
		.low_bits = vec_all((1 << c->bits) - 1), .unit = vec_all(1 << c->bits), .add = vec_all(c->add), .least = vec_all(c->least),
		.most = vec_all(c->most), .less = vec_all(c->less ? -1 : 0), .bits = _mm_cvtsi32_si128(c->bits), .down = _mm_cvtsi32_si128(c->down),
		.table = c->table, .folds = c->folds, .wraps = c->wraps,
	};
}

ALWAYS_INLINE vec curve16_value(const struct curve16_vec *c, vec v)
{
	v = vec_add(vec_min(vec_max(v, c->lo), c->hi), c->zero);
	const vec sign = V(srai_epi32)(v, 31), x = c->folds ? V(abs_epi32)(v) : v;
	const vec at = vec_add(V(sra_epi32)(x, c->bits), c->first), slope = V(slli_epi32)(V_AND(x, c->low_bits), 16);
#if SIMD_LEVEL == 3
	const vec word = _mm512_i32gather_epi32(at, c->table, 4);
#else
	const vec word = _mm256_i32gather_epi32(c->table, at, 4);
#endif
	vec r = V(madd_epi16)(word, V_OR(slope, c->unit)); /* base times unit and slope times low bits */

	r = c->folds ? V_XOR(r, sign) : r;
	r = V(sra_epi32)(vec_add(vec_add(r, V_AND(sign, c->less)), c->add), c->down);
	return c->wraps ? V(srai_epi32)(V(slli_epi32)(r, 16), 16) : vec_min(vec_max(r, c->least), c->most);
}

struct unary16_vec {
	vec zero;
	struct stage_vec up, down;
	struct curve16_vec curve;
	struct words words;
	bool magnitudes;
};

static inline vec below_zero(vec v, vec not_below, vec below)
{
#if SIMD_LEVEL == 3
	return _mm512_mask_mov_epi32(not_below, _mm512_movepi32_mask(v), below);
#else
	return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(not_below), _mm256_castsi256_ps(below), _mm256_castsi256_ps(v)));
#endif
}

/* An element as it is scaled. */
ALWAYS_INLINE vec unary16_scaled(const struct unary16_vec *u, const bool signs, vec x)
{
	x = V(sub_epi32)(x, u->zero);
	x = u->magnitudes ? V(abs_epi32)(x) : x;
	const vec up = stage_run(&u->up, STAGE_ANY, x);

	return signs ? below_zero(x, up, stage_run(&u->down, STAGE_ANY, x)) : up;
}

ALWAYS_INLINE void unary16_group(const struct unary16_vec *u, const bool signs, const bool curved, const u8 *a, u8 *to)
{
	vec v[VECS];

	UNROLL for (unsigned k = 0; k < VECS; k++) {
		v[k] = unary16_scaled(u, signs, halves_load(a + k * LANES * sizeof(i16)));
		v[k] = curved ? curve16_value(&u->curve, v[k]) : v[k];
	}
	words_store(to, words_narrow(&u->words, v));
}

static inline struct unary16_vec unary16_load(const struct npu_unary16 *s)
{
	const struct npu_narrow16 all = { 0, INT16_MIN, INT16_MAX };

	return (struct unary16_vec){ vec_all(s->zero_point), stage_load(&s->up), stage_load(s->signs ? &s->down : &s->up), curve16_load(&s->curve),
				     words_load(NULL, s->curved ? &all : &s->narrow), s->magnitudes };
}

ALWAYS_INLINE void unary16_rows(const struct npu_unary16 *s, const bool signs, const bool curved, const struct npu_words_grid *g)
{
	const struct unary16_vec u = unary16_load(s);

#define NO_ROW(b) ((void)0)
#define UNARY16(a, b, to) unary16_group(&u, signs, curved, a, to)
	ROWS_OF_HALVES(g, NO_ROW, UNARY16);
#undef UNARY16
#undef NO_ROW
}

/* Curves without signs in another way (simd/curves_bytes.h, simd/curves_words.h); false: nothing has been done. */
static bool unary16_curve(const struct npu_unary16 *s, const struct npu_words_grid *g);

static void unary16(const struct npu_unary16 *s, const struct npu_words_grid *g)
{
	if (s->curved && !s->signs && unary16_curve(s, g))
		return;
	if (s->curved && !s->signs)
		unary16_rows(s, false, true, g);
	else if (s->signs && !s->curved)
		unary16_rows(s, true, false, g);
	else if (!s->curved)
		unary16_rows(s, false, false, g);
	else
		unary16_rows(s, true, true, g);
}
#endif
