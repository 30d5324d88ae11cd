/* SPDX-License-Identifier: Apache-2.0 */
/* Products of int16 to int16: everything stays in registers, as in simd/curves.h. Part of simd.c. */

#if SIMD_LEVEL >= 2 && !defined(USES_NEON)
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

/* How values are scaled; of what is known to be one of the first four there are loops of their own. */
enum stage_kind { STAGE_NONE, STAGE_ONCE, STAGE_TWICE, STAGE_SIGNS, STAGE_ANY };

struct stage_vec {
	vec factor;
	struct rescale_vec rescale;
	struct signs_vec signs;
	bool scaled, once, by_sign;
};

static inline struct stage_vec stage_load(const struct npu_operand8 *o)
{
	return (struct stage_vec){ vec_all(o->factor), rescale_load(&o->rescale, 0), signs_load(&o->signs), o->scaled, o->scaled && !o->rescale.negative, o->by_sign };
}

static enum stage_kind stage_kind_of(const struct npu_operand8 *o)
{
	if (o->factor != 1)
		return STAGE_ANY;
	if (o->by_sign)
		return STAGE_SIGNS;
	return !o->scaled ? STAGE_NONE : o->rescale.negative ? STAGE_TWICE : STAGE_ONCE;
}

ALWAYS_INLINE vec stage_run(const struct stage_vec *s, const enum stage_kind kind, vec x)
{
	if (kind == STAGE_ONCE)
		return rescale_once(x, &s->rescale);
	if (kind == STAGE_TWICE)
		return rescale_vec(x, &s->rescale);
	if (kind == STAGE_SIGNS)
		return signs_vec(x, &s->signs);
	x = V(mullo_epi32)(x, s->factor);
	if (s->by_sign)
		return signs_vec(x, &s->signs);
	return !s->scaled ? x : s->once ? rescale_once(x, &s->rescale) : rescale_vec(x, &s->rescale);
}

/* Rows by groups of 16; those of less go by way of blocks. GROUP(a, b, to) has the operands of a group. */
#define ROWS_OF_HALVES(G, AT_ROW, GROUP) do { \
	const u8 *a_ = (G)->a, *b_ = (G)->b; \
	const size_t bytes_ = (G)->n * sizeof(i16), last_ = bytes_ - HALVES_BYTES; \
	u8 *to_ = (G)->to; \
	for (size_t r_ = (G)->rows; r_; r_--, a_ += (G)->down_a, b_ = b_ ? b_ + (G)->down_b : NULL, to_ += (G)->down_to) { \
		const u8 *const each_ = b_ && (G)->step_b ? b_ : NULL; \
		AT_ROW(b_); \
		if (bytes_ >= HALVES_BYTES) { \
			struct halves_end end_; \
			halves_end_load(end_.a, a_, bytes_); \
			halves_end_load(end_.b, each_ ? each_ : a_, bytes_); \
			for (size_t i_ = 0; i_ <= last_; i_ += HALVES_BYTES) \
				GROUP(a_ + i_, each_ ? each_ + i_ : NULL, to_ + i_); \
			if (bytes_ % HALVES_BYTES) \
				GROUP(end_.a, each_ ? end_.b : NULL, to_ + last_); \
		} else { \
			NPU_LINE u8 x_[64], y_[64]; \
			part_load(x_, a_, bytes_); \
			if (each_) \
				part_load(y_, each_, bytes_); \
			GROUP(x_, each_ ? y_ : NULL, x_); \
			part_store(to_, x_, bytes_); \
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
	case STAGE_SIGNS: mul16_rows(s, true, STAGE_SIGNS, g); return;
	default: mul16_rows(s, false, STAGE_ANY, g); return;
	}
}
#endif
