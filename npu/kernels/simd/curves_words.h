/* SPDX-License-Identifier: Apache-2.0 */
/* int16 through curves with AVX2, 16 at a time: a table's words are loaded one by one, which takes less than a gather, and what is around
 * that has 16 bits where it can. Part of simd.c. */

#if SIMD_LEVEL == 2
/* Constants in registers. */
struct curve_vec {
	const u8 *table;
	vec zero, lo, hi, low_bits, unit, add, least, most, middle;
	__m128i bits, down;
	enum stage_kind stage;
};

static inline struct curve_vec curve_load(const struct npu_unary16 *s, const enum curve_kind kind)
{
	const struct npu_curve16 *c = &s->curve;
	const bool clips = kind == CURVE_WRAPS || kind == CURVE_CLIPS;

	return (struct curve_vec){
		.table = (const u8 *)c->table, .zero = vec_all(c->zero_point), .lo = clips ? _mm256_set1_epi16((i16)c->lo) : vec_all(c->lo - c->zero_point),
		.hi = clips ? _mm256_set1_epi16((i16)c->hi) : vec_all(c->hi - c->zero_point), .low_bits = vec_all((1 << c->bits) - 1),
		.unit = _mm256_set1_epi16((i16)(1 << c->bits)), .add = vec_all(c->add & ((1 << c->down) - 1)), .least = _mm256_set1_epi16((i16)c->least),
		.most = _mm256_set1_epi16((i16)c->most), .middle = _mm256_set1_epi16((i16)(c->add >> c->down)), .bits = _mm_cvtsi32_si128(c->bits),
		.down = _mm_cvtsi32_si128(c->down), .stage = stage_kind_of(&s->up),
	};
}

/* Where 16 values are on the curve, in the order that packing leaves: their words, and what lies above the pieces' first values. */
struct curve_places {
	vec at, within;
	vec below[VECS]; /* U85: -1 where they are negative */
};

ALWAYS_INLINE struct curve_places curve_find(const struct curve_vec *t, const enum curve_kind kind, const vec x[VECS])
{
	struct curve_places p;
	vec v[VECS];

	switch (kind) {
	case CURVE_WRAPS: case CURVE_CLIPS:
		p.within = _mm256_packs_epi32(vec_add(x[0], t->zero), vec_add(x[1], t->zero));
		p.within = _mm256_min_epi16(_mm256_max_epi16(p.within, t->lo), t->hi);
		p.at = _mm256_srli_epi16(V_XOR(p.within, _mm256_set1_epi16(INT16_MIN)), 7);
		p.within = V_AND(p.within, _mm256_set1_epi16(127));
		return p;
	case CURVE_TANH: case CURVE_SIGMOID: /* the last piece is flat */
		v[0] = V(abs_epi32)(x[0]);
		v[1] = V(abs_epi32)(x[1]);
		p.at = _mm256_min_epu16(_mm256_packus_epi32(V(srl_epi32)(v[0], t->bits), V(srl_epi32)(v[1], t->bits)), _mm256_set1_epi16(255));
		break;
	default:
		v[0] = vec_add(vec_min(vec_max(x[0], t->lo), t->hi), t->zero);
		v[1] = vec_add(vec_min(vec_max(x[1], t->lo), t->hi), t->zero);
		p.below[0] = V(srai_epi32)(v[0], 31);
		p.below[1] = V(srai_epi32)(v[1], 31);
		p.at = _mm256_add_epi16(_mm256_packs_epi32(V(sra_epi32)(v[0], t->bits), V(sra_epi32)(v[1], t->bits)), _mm256_set1_epi16(256));
		break;
	}
	p.within = _mm256_packs_epi32(V_AND(v[0], t->low_bits), V_AND(v[1], t->low_bits));
	return p;
}

ALWAYS_INLINE i32 curve_word(const u8 *table, u64 at)
{
	i32 word;

	memcpy(&word, table + at * sizeof(word), sizeof(word));
	return word;
}

ALWAYS_INLINE __m128i curve_four(const u8 *table, u64 at)
{
	return _mm_setr_epi32(curve_word(table, (u16)at), curve_word(table, (u16)(at >> 16)), curve_word(table, (u16)(at >> 32)), curve_word(table, at >> 48));
}

ALWAYS_INLINE void curve_look_up(const u8 *table, vec at, vec word[VECS])
{
	const __m128i low = _mm256_castsi256_si128(at), high = _mm256_extracti128_si256(at, 1);

	word[0] = _mm256_set_m128i(curve_four(table, (u64)_mm_cvtsi128_si64(high)), curve_four(table, (u64)_mm_cvtsi128_si64(low)));
	word[1] = _mm256_set_m128i(curve_four(table, (u64)_mm_extract_epi64(high, 1)), curve_four(table, (u64)_mm_extract_epi64(low, 1)));
}

/* Results, two and two quads side by side. */
ALWAYS_INLINE vec curve_run(const struct curve_vec *t, const enum curve_kind kind, const vec x[VECS])
{
	const struct curve_places p = curve_find(t, kind, x);
	vec r[VECS];

	curve_look_up(t->table, p.at, r);
	r[0] = V(madd_epi16)(r[0], _mm256_unpacklo_epi16(t->unit, p.within));
	r[1] = V(madd_epi16)(r[1], _mm256_unpackhi_epi16(t->unit, p.within));
	UNROLL for (unsigned k = 0; k < VECS; k++) {
		if (kind == CURVE_TANH85 || kind == CURVE_SIGMOID85)
			r[k] = vec_add(r[k], p.below[k]);
		r[k] = V(sra_epi32)(vec_add(r[k], t->add), t->down);
		if (kind == CURVE_WRAPS)
			r[k] = V_AND(r[k], vec_all(UINT16_MAX));
	}
	if (kind == CURVE_WRAPS)
		return _mm256_packus_epi32(r[0], r[1]);
	r[0] = _mm256_packs_epi32(r[0], r[1]);
	if (kind == CURVE_CLIPS)
		return r[0];
	if (kind == CURVE_TANH || kind == CURVE_SIGMOID)
		r[0] = _mm256_sign_epi16(r[0], V_OR(_mm256_packs_epi32(x[0], x[1]), _mm256_set1_epi16(1)));
	return _mm256_min_epi16(_mm256_max_epi16(_mm256_adds_epi16(r[0], t->middle), t->least), t->most);
}

#define SCALE_GROUP(kind) do { \
	UNROLL for (unsigned k_ = 0; k_ < VECS; k_++) \
		x[k_] = stage_run(&u->up, kind, x[k_]); \
	} while (0)

ALWAYS_INLINE void curve_group(const struct unary16_vec *u, const struct curve_vec *t, const enum curve_kind kind, const u8 *a, u8 *to)
{
	vec x[VECS];

	UNROLL for (unsigned k = 0; k < VECS; k++)
		x[k] = V(sub_epi32)(halves_load(a + k * LANES * sizeof(i16)), u->zero);
	switch (t->stage) {
	case STAGE_NONE: break;
	case STAGE_ONCE: SCALE_GROUP(STAGE_ONCE); break;
	case STAGE_TWICE: SCALE_GROUP(STAGE_TWICE); break;
	default: SCALE_GROUP(STAGE_ANY); break;
	}
	vec_store(to, _mm256_permute4x64_epi64(curve_run(t, kind, x), 0xd8));
}

ALWAYS_INLINE void curve_rows(const struct npu_unary16 *s, const enum curve_kind kind, const struct npu_words_grid *g)
{
	const struct unary16_vec u = unary16_load(s);
	const struct curve_vec t = curve_load(s, kind);

#define NO_ROW(b) ((void)0)
#define CURVE16(a, b, to) curve_group(&u, &t, kind, a, to)
	ROWS_OF_HALVES(g, NO_ROW, CURVE16);
#undef CURVE16
#undef NO_ROW
}

static bool unary16_curve(const struct npu_unary16 *s, const struct npu_words_grid *g)
{
	switch (curve_kind_of(&s->curve)) {
	case CURVE_WRAPS: curve_rows(s, CURVE_WRAPS, g); return true;
	case CURVE_CLIPS: curve_rows(s, CURVE_CLIPS, g); return true;
	case CURVE_TANH: curve_rows(s, CURVE_TANH, g); return true;
	case CURVE_TANH85: curve_rows(s, CURVE_TANH85, g); return true;
	case CURVE_SIGMOID: curve_rows(s, CURVE_SIGMOID, g); return true;
	default: curve_rows(s, CURVE_SIGMOID85, g); return true;
	}
}
#undef SCALE_GROUP
#endif
