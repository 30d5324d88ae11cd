/* SPDX-License-Identifier: Apache-2.0 */
/* Products of int16, and int16 through curves or with a scale for each sign, to int16: everything stays in registers. Part of simd.c. */

#if SIMD_LEVEL >= 2 && !defined(USES_NEON)
#define HALVES_BYTES (NPU_GROUP * sizeof(i16)) /* bytes that are done at a time */

/* LANES int16. */
ALWAYS_INLINE vec halves_load(const u8 *p)
{
#if SIMD_LEVEL == 3
	return _mm512_cvtepi16_epi32(_mm256_loadu_si256((const void *)p));
#else
	return _mm256_cvtepi16_epi32(_mm_loadu_si128((const void *)p));
#endif
}

/* The same with zeros above: products of such are those of the lower halves. */
ALWAYS_INLINE vec halves_load_low(const u8 *p)
{
#if SIMD_LEVEL == 3
	return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)p));
#else
	return _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)p));
#endif
}

/* How values are scaled; of what is known to be one of the first two there are loops of their own. */
enum stage_kind { STAGE_ONCE, STAGE_TWICE, STAGE_ANY };

struct stage_vec {
	vec factor;
	struct rescale_vec rescale;
	bool scaled, once;
};

static inline struct stage_vec stage_load(const struct npu_operand8 *o)
{
	return (struct stage_vec){ vec_all(o->factor), rescale_load(&o->rescale, 0), o->scaled, o->scaled && !o->rescale.negative };
}

static enum stage_kind stage_kind_of(const struct npu_operand8 *o)
{
	return !o->scaled || o->factor != 1 ? STAGE_ANY : o->rescale.negative ? STAGE_TWICE : STAGE_ONCE;
}

ALWAYS_INLINE vec stage_run(const struct stage_vec *s, const enum stage_kind kind, vec x)
{
	if (kind == STAGE_ONCE)
		return rescale_once(x, &s->rescale);
	if (kind == STAGE_TWICE)
		return rescale_vec(x, &s->rescale);
	x = V(mullo_epi32)(x, s->factor);
	return !s->scaled ? x : s->once ? rescale_once(x, &s->rescale) : rescale_vec(x, &s->rescale);
}

/* Rows by groups of 16, and what is left by way of blocks. GROUP(a, b, to) has the operands of a group. */
#define ROWS_OF_HALVES(G, AT_ROW, GROUP) do { \
	const u8 *a_ = (G)->a, *b_ = (G)->b; \
	const size_t bytes_ = (G)->n * sizeof(i16); \
	u8 *to_ = (G)->to; \
	for (size_t r_ = (G)->rows; r_; r_--, a_ += (G)->down_a, b_ = b_ ? b_ + (G)->down_b : NULL, to_ += (G)->down_to) { \
		const u8 *const each_ = b_ && (G)->step_b ? b_ : NULL; \
		size_t i_ = 0; \
		AT_ROW(b_); \
		for (; i_ + HALVES_BYTES <= bytes_; i_ += HALVES_BYTES) \
			GROUP(a_ + i_, each_ ? each_ + i_ : NULL, to_ + i_); \
		if (i_ < bytes_) { \
			NPU_LINE u8 x_[64], y_[64]; \
			part_load(x_, a_ + i_, bytes_ - i_); \
			if (each_) \
				part_load(y_, each_ + i_, bytes_ - i_); \
			GROUP(x_, each_ ? y_ : NULL, x_); \
			part_store(to_ + i_, x_, bytes_ - i_); \
		} \
	} } while (0)

struct mul16_vec {
	vec zero_a, zero_b;
	struct stage_vec scale;
	struct words words;
};

/* `plain`: there are no zero points. `one`: a second operand for all, as it is multiplied, where b is NULL. */
ALWAYS_INLINE void mul16_group(const struct mul16_vec *m, const bool plain, const enum stage_kind kind, const u8 *a, const u8 *b, vec one, u8 *to)
{
	vec v[VECS];

	UNROLL for (unsigned k = 0; k < VECS; k++) {
		const size_t at = k * LANES * sizeof(i16);
		const vec x = plain ? halves_load_low(a + at) : V(sub_epi32)(halves_load(a + at), m->zero_a);
		const vec y = !b ? one : plain ? halves_load_low(b + at) : V(sub_epi32)(halves_load(b + at), m->zero_b);
		v[k] = stage_run(&m->scale, kind, plain ? V(madd_epi16)(x, y) : V(mullo_epi32)(x, y));
	}
	words_store(to, words_narrow(&m->words, v));
}

/* The element at b, as it is multiplied. */
static inline vec mul16_one(const struct npu_mul16 *s, bool plain, const u8 *b)
{
	i16 half;

	memcpy(&half, b, sizeof(half));
	return vec_all(plain ? (u16)half : half - s->zero_b);
}

ALWAYS_INLINE void mul16_rows(const struct npu_mul16 *s, const bool plain, const enum stage_kind kind, const struct npu_words_grid *g)
{
	const struct mul16_vec m = { vec_all(s->zero_a), vec_all(s->zero_b), stage_load(&s->scale), words_load(NULL, &s->narrow) };
	vec one = vec_all(plain ? (u16)s->factor : s->factor);

#define ONE_OF_ROW(b) (one = (b) && !g->step_b ? mul16_one(s, plain, b) : one)
#define MUL16(a, b, to) mul16_group(&m, plain, kind, a, b, one, to)
	ROWS_OF_HALVES(g, ONE_OF_ROW, MUL16);
#undef MUL16
#undef ONE_OF_ROW
}

static void mul16(const struct npu_mul16 *s, const struct npu_words_grid *g)
{
	const bool plain = !s->zero_a && !s->zero_b && s->factor == (i16)s->factor;

	switch (plain ? stage_kind_of(&s->scale) : STAGE_ANY) {
	case STAGE_ONCE: mul16_rows(s, true, STAGE_ONCE, g); return;
	case STAGE_TWICE: mul16_rows(s, true, STAGE_TWICE, g); return;
	default: mul16_rows(s, false, STAGE_ANY, g); return;
	}
}

struct curve16_vec {
	vec lo, hi, zero, first, low_bits, unit, add, least, most, less;
	__m128i bits, slope, down;
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
	const vec word = _mm512_i32gather_epi32(at, c->table, 4), pair = _mm512_or_si512(slope, c->unit);
#else
	const vec word = _mm256_i32gather_epi32(c->table, at, 4), pair = _mm256_or_si256(slope, c->unit);
#endif
	vec r = V(madd_epi16)(word, pair); /* base times unit and slope times low bits */

#if SIMD_LEVEL == 3
	r = c->folds ? _mm512_xor_si512(r, sign) : r;
#else
	r = c->folds ? _mm256_xor_si256(r, sign) : r;
#endif
	r = V(sra_epi32)(vec_add(vec_add(r, V_AND(sign, c->less)), c->add), c->down);
	return c->wraps ? V(srai_epi32)(V(slli_epi32)(r, 16), 16) : vec_min(vec_max(r, c->least), c->most);
}

struct unary16_vec {
	vec zero;
	struct stage_vec up, down;
	struct curve16_vec curve;
	struct words words;
};

static inline vec below_zero(vec v, vec not_below, vec below)
{
#if SIMD_LEVEL == 3
	return _mm512_mask_mov_epi32(not_below, _mm512_movepi32_mask(v), below);
#else
	return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(not_below), _mm256_castsi256_ps(below), _mm256_castsi256_ps(v)));
#endif
}

ALWAYS_INLINE void unary16_group(const struct unary16_vec *u, const bool signs, const bool curved, const u8 *a, u8 *to)
{
	vec v[VECS];

	UNROLL for (unsigned k = 0; k < VECS; k++) {
		const vec x = V(sub_epi32)(halves_load(a + k * LANES * sizeof(i16)), u->zero), up = stage_run(&u->up, STAGE_ANY, x);
		v[k] = signs ? below_zero(x, up, stage_run(&u->down, STAGE_ANY, x)) : up;
		v[k] = curved ? curve16_value(&u->curve, v[k]) : v[k];
	}
	words_store(to, words_narrow(&u->words, v));
}

ALWAYS_INLINE void unary16_rows(const struct npu_unary16 *s, const bool signs, const bool curved, const struct npu_words_grid *g)
{
	const struct npu_narrow16 all = { 0, INT16_MIN, INT16_MAX };
	const struct unary16_vec u = { vec_all(s->zero_point), stage_load(&s->up), stage_load(signs ? &s->down : &s->up),
				       curve16_load(&s->curve), words_load(NULL, curved ? &all : &s->narrow) };

#define NO_ROW(b) ((void)0)
#define UNARY16(a, b, to) unary16_group(&u, signs, curved, a, to)
	ROWS_OF_HALVES(g, NO_ROW, UNARY16);
#undef UNARY16
#undef NO_ROW
}

static void unary16(const struct npu_unary16 *s, const struct npu_words_grid *g)
{
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
