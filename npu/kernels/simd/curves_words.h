/* SPDX-License-Identifier: Apache-2.0 */
/* int16 through curves with AVX2, 16 at a time: a table's words are loaded one by one, which takes less than a gather, and what is around
 * that has 16 bits where it can. Where words are is worked out for some groups first: it takes less to load that again than to bring it out of vectors. Part of simd.c. */

#if SIMD_LEVEL == 2
/* Constants in registers. */
struct curve_vec {
	const u8 *table;
	vec zero, lo, hi, low_bits, unit, add, least, most, middle;
	__m128i bits, down;
	enum stage_kind stage;
	bool plain; /* elements are values of 16 bits */
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
		.plain = clips && stage_kind_of(&s->up) == STAGE_NONE && !s->zero_point && !c->zero_point,
	};
}

/* Where 16 values are on the curve, in the order that packing leaves: their words, and what lies above the pieces' first values. */
struct curve_places {
	vec at, within;
	vec sign; /* of tanh and sigmoid of U55: that of the values, or 1 */
};

/* Of values of 16 bits. */
ALWAYS_INLINE struct curve_places curve_find_halves(const struct curve_vec *t, vec v)
{
	v = _mm256_min_epi16(_mm256_max_epi16(v, t->lo), t->hi);
	return (struct curve_places){ .at = _mm256_srli_epi16(V_XOR(v, _mm256_set1_epi16(INT16_MIN)), 7), .within = V_AND(v, _mm256_set1_epi16(127)) };
}

ALWAYS_INLINE struct curve_places curve_find(const struct curve_vec *t, const enum curve_kind kind, const vec x[VECS])
{
	struct curve_places p;
	vec v[VECS];

	switch (kind) {
	case CURVE_WRAPS: case CURVE_CLIPS:
		return curve_find_halves(t, _mm256_packs_epi32(vec_add(x[0], t->zero), vec_add(x[1], t->zero)));
	case CURVE_TANH: case CURVE_SIGMOID: /* the last piece is flat */
		v[0] = V(abs_epi32)(x[0]);
		v[1] = V(abs_epi32)(x[1]);
		p.sign = V_OR(_mm256_packs_epi32(x[0], x[1]), _mm256_set1_epi16(1));
		p.at = _mm256_min_epu16(_mm256_packus_epi32(V(srl_epi32)(v[0], t->bits), V(srl_epi32)(v[1], t->bits)), _mm256_set1_epi16(255));
		break;
	default:
		v[0] = vec_add(vec_min(vec_max(x[0], t->lo), t->hi), t->zero);
		v[1] = vec_add(vec_min(vec_max(x[1], t->lo), t->hi), t->zero);
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

ALWAYS_INLINE __m128i curve_four(const u8 *table, const u16 at[4])
{
	return _mm_setr_epi32(curve_word(table, at[0]), curve_word(table, at[1]), curve_word(table, at[2]), curve_word(table, at[3]));
}

enum { CURVE_GROUPS = 16 };

/* Groups whose places are known. */
struct curve_room {
	NPU_LINE u16 at[CURVE_GROUPS][NPU_GROUP];
	NPU_LINE u16 within[CURVE_GROUPS][NPU_GROUP], sign[CURVE_GROUPS][NPU_GROUP];
	u8 *to[CURVE_GROUPS];
	unsigned n;
};

/* Results of one of them, two and two quads side by side. */
ALWAYS_INLINE vec curve_run(const struct curve_vec *t, const enum curve_kind kind, const struct curve_room *room, unsigned g)
{
	const u16 *const at = room->at[g];
	const vec within = vec_load(room->within[g]);
	vec r[VECS] = { _mm256_set_m128i(curve_four(t->table, at + 8), curve_four(t->table, at)), _mm256_set_m128i(curve_four(t->table, at + 12), curve_four(t->table, at + 4)) };

	r[0] = V(madd_epi16)(r[0], _mm256_unpacklo_epi16(t->unit, within));
	r[1] = V(madd_epi16)(r[1], _mm256_unpackhi_epi16(t->unit, within));
	if (kind == CURVE_TANH85 || kind == CURVE_SIGMOID85) { /* one less where values are negative */
		const vec below = _mm256_cmpgt_epi16(_mm256_set1_epi16(256), vec_load(at));
		r[0] = vec_add(r[0], _mm256_unpacklo_epi16(below, below));
		r[1] = vec_add(r[1], _mm256_unpackhi_epi16(below, below));
	}
	UNROLL for (unsigned k = 0; k < VECS; k++) {
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
		r[0] = _mm256_sign_epi16(r[0], vec_load(room->sign[g]));
	return _mm256_min_epi16(_mm256_max_epi16(_mm256_adds_epi16(r[0], t->middle), t->least), t->most);
}

/* `plain`: they are in the order of elements. */
ALWAYS_INLINE void curve_flush(const struct curve_vec *t, const enum curve_kind kind, const bool plain, struct curve_room *room)
{
	for (unsigned g = 0; g < room->n; g++) {
		const vec r = curve_run(t, kind, room, g);
		vec_store(room->to[g], plain ? r : _mm256_permute4x64_epi64(r, 0xd8));
	}
	room->n = 0;
}

#define SCALE_GROUP(kind) do { \
	UNROLL for (unsigned k_ = 0; k_ < VECS; k_++) \
		x[k_] = stage_run(&u->up, kind, x[k_]); \
	} while (0)

ALWAYS_INLINE struct curve_places curve_find_group(const struct unary16_vec *u, const struct curve_vec *t, const enum curve_kind kind, const u8 *a)
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
	return curve_find(t, kind, x);
}

/* 16 of them, whose results go to `to` once there is no room for more. */
ALWAYS_INLINE void curve_group(const struct unary16_vec *u, const struct curve_vec *t, const enum curve_kind kind, const bool plain, struct curve_room *room, const u8 *a, u8 *to)
{
	const struct curve_places p = plain ? curve_find_halves(t, vec_load(a)) : curve_find_group(u, t, kind, a);

	vec_store(room->at[room->n], p.at);
	vec_store(room->within[room->n], p.within);
	if (kind == CURVE_TANH || kind == CURVE_SIGMOID)
		vec_store(room->sign[room->n], p.sign);
	room->to[room->n++] = to;
	if (room->n == CURVE_GROUPS)
		curve_flush(t, kind, plain, room);
}

/* A row of less than a group: by way of x. */
ALWAYS_INLINE void curve_part(const struct unary16_vec *u, const struct curve_vec *t, const enum curve_kind kind, const bool plain, struct curve_room *room, const u8 *a, size_t bytes, u8 *to)
{
	NPU_LINE u8 x[64];

	part_load(x, a, bytes);
	curve_group(u, t, kind, plain, room, x, x);
	curve_flush(t, kind, plain, room);
	part_store(to, x, bytes);
}

/* What is read last is read before anything is written: rows may be their own results. */
ALWAYS_INLINE void curve_rows_of(const struct unary16_vec *u, const struct curve_vec *t, const enum curve_kind kind, const bool plain, const struct npu_words_grid *g)
{
	const size_t bytes = g->n * sizeof(i16), last = bytes - HALVES_BYTES;
	struct curve_room room;
	const u8 *a = g->a;
	u8 *to = g->to;

	room.n = 0;
	for (size_t r = g->rows; r; r--, a += g->down_a, to += g->down_to) {
		struct halves_end end;
		if (bytes < HALVES_BYTES) {
			curve_part(u, t, kind, plain, &room, a, bytes, to);
			continue;
		}
		halves_end_load(end.a, a, bytes);
		for (size_t i = 0; i <= last; i += HALVES_BYTES)
			curve_group(u, t, kind, plain, &room, a + i, to + i);
		if (bytes % HALVES_BYTES)
			curve_group(u, t, kind, plain, &room, end.a, to + last);
	}
	curve_flush(t, kind, plain, &room);
}

ALWAYS_INLINE void curve_rows(const struct npu_unary16 *s, const enum curve_kind kind, const struct npu_words_grid *g)
{
	const struct unary16_vec u = unary16_load(s);
	const struct curve_vec t = curve_load(s, kind);

	if ((kind == CURVE_WRAPS || kind == CURVE_CLIPS) && t.plain)
		curve_rows_of(&u, &t, kind, true, g);
	else
		curve_rows_of(&u, &t, kind, false, g);
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
