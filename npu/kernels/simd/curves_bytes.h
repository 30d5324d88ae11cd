/* SPDX-License-Identifier: Apache-2.0 */
/* int16 through curves with VBMI, 64 at a time: the tables' words are four tables of bytes, which take a fifth of a gather's time. What lies between
 * two of a curve's values has 16 bits here. Part of simd.c. */

#if SIMD_LEVEL == 3
#define VBMI __attribute__((target("avx512vbmi")))
#define CURVE_PARTS 4  /* vectors of 16 int32 */
#define CURVE_MIDDLE 16384

/* Constants in registers. */
struct curve_vec {
	const u8 *plane; /* byte p of words, 64 each, from 512 * p on; of magnitudes the first half */
	__m512i zero, lo, hi, least, most, within;
	__m128i bits;
	enum stage_kind stage;
};

static VBMI void curve_planes(const struct npu_curve16 *c, u8 bytes[NPU_CURVE_BYTES])
{
	__m512i plane[4][4];

	for (unsigned half = 0; half < (c->folds ? 1 : 2); half++) {
		word_planes((const u8 *)c->table + 1024 * half, plane);
		for (unsigned p = 0; p < 4; p++)
			memcpy(bytes + 512 * p + 256 * half, plane[p], sizeof(plane[p]));
	}
}

static bool curve_bytes(const struct npu_curve16 *c, u8 bytes[NPU_CURVE_BYTES])
{
	if (!HOST_HAS(AVX512_VBMI))
		return false;
	curve_planes(c, bytes);
	return true;
}

static inline struct curve_vec curve_load(const struct npu_unary16 *s, enum curve_kind kind)
{
	const struct npu_curve16 *c = &s->curve;
	const bool clips = kind == CURVE_WRAPS || kind == CURVE_CLIPS;

	return (struct curve_vec){
		.plane = c->bytes, .zero = vec_all(c->zero_point), .lo = clips ? _mm512_set1_epi16((i16)c->lo) : vec_all(c->lo - c->zero_point),
		.hi = clips ? _mm512_set1_epi16((i16)c->hi) : vec_all(c->hi - c->zero_point), .least = _mm512_set1_epi16((i16)c->least),
		.most = _mm512_set1_epi16((i16)c->most), .within = vec_all((1 << c->bits) - 1), .bits = _mm_cvtsi32_si128(c->bits),
		.stage = stage_kind_of(&s->up),
	};
}

/* Where 64 values are on the curve, 32 in a vector: the piece's low eight bits, its sign, and what lies above its first value. */
struct curve_places {
	__m512i low, above[2];
	__mmask64 negative;
	__mmask32 below[2]; /* the same in the order of `above` */
};

/* Base and slope of 64 pieces. */
struct curve_pieces {
	__m512i base[2], slope[2];
};

/* Those of 256 pieces. */
ALWAYS_INLINE VBMI __m512i curve_byte(const u8 *plane, __m512i low, __mmask64 high)
{
	return _mm512_mask_blend_epi8(high, _mm512_permutex2var_epi8(vec_load(plane), low, vec_load(plane + 64)),
				      _mm512_permutex2var_epi8(vec_load(plane + 128), low, vec_load(plane + 192)));
}

/* `signs`: the table has 512 pieces, by signed ones. */
ALWAYS_INLINE VBMI struct curve_pieces curve_look_up(const struct curve_vec *t, const bool signs, const struct curve_places *at)
{
	const __mmask64 high = _mm512_movepi8_mask(at->low);
	__m512i x[4];

	UNROLL for (unsigned p = 0; p < 4; p++) {
		x[p] = curve_byte(t->plane + 512 * p, at->low, high);
		if (signs)
			x[p] = _mm512_mask_blend_epi8(at->negative, curve_byte(t->plane + 512 * p + 256, at->low, high), x[p]);
	}
	return (struct curve_pieces){ { _mm512_unpacklo_epi8(x[0], x[1]), _mm512_unpackhi_epi8(x[0], x[1]) },
				      { _mm512_unpacklo_epi8(x[2], x[3]), _mm512_unpackhi_epi8(x[2], x[3]) } };
}

/* Packing leaves values of two vectors side by side in 128 bits, and so do bytes of two vectors of these, which unpacking undoes. */
ALWAYS_INLINE __m512i curve_low(__m512i piece, __m512i piece2)
{
	const __m512i byte = _mm512_set1_epi16(0xff);

	return _mm512_packus_epi16(_mm512_and_si512(piece, byte), _mm512_and_si512(piece2, byte));
}

/* base + slope * above / 128, rounded. */
ALWAYS_INLINE VBMI void curve_tables(const struct curve_vec *t, const bool wraps, const vec x[CURVE_PARTS], __m512i r[2])
{
	struct curve_places at;
	__m512i v[2];

	UNROLL for (unsigned i = 0; i < 2; i++) {
		v[i] = _mm512_packs_epi32(vec_add(x[2 * i], t->zero), vec_add(x[2 * i + 1], t->zero));
		v[i] = _mm512_min_epi16(_mm512_max_epi16(v[i], t->lo), t->hi);
		at.above[i] = _mm512_and_si512(_mm512_slli_epi16(v[i], 8), _mm512_set1_epi16(127 << 8));
	}
	at.low = curve_low(_mm512_srai_epi16(v[0], 7), _mm512_srai_epi16(v[1], 7));
	at.negative = _mm512_movepi8_mask(_mm512_packs_epi16(v[0], v[1]));
	const struct curve_pieces p = curve_look_up(t, true, &at);
	UNROLL for (unsigned i = 0; i < 2; i++) {
		const __m512i rise = _mm512_mulhrs_epi16(p.slope[i], at.above[i]);
		r[i] = wraps ? _mm512_add_epi16(p.base[i], rise) : _mm512_adds_epi16(p.base[i], rise);
	}
}

/* Units; the pieces of magnitudes end with a flat one, in which values beyond them are. */
ALWAYS_INLINE void curve_find(const struct curve_vec *t, const bool folds, const vec x[CURVE_PARTS], struct curve_places *at)
{
	vec v[CURVE_PARTS], piece[2];

	UNROLL for (unsigned k = 0; k < CURVE_PARTS; k++)
		v[k] = folds ? _mm512_abs_epi32(x[k]) : vec_add(vec_min(vec_max(x[k], t->lo), t->hi), t->zero);
	UNROLL for (unsigned i = 0; i < 2; i++) {
		piece[i] = _mm512_packs_epi32(_mm512_sra_epi32(v[2 * i], t->bits), _mm512_sra_epi32(v[2 * i + 1], t->bits));
		at->above[i] = _mm512_slli_epi16(_mm512_packs_epi32(V_AND(v[2 * i], t->within), V_AND(v[2 * i + 1], t->within)), 7);
		at->below[i] = _mm512_movepi16_mask(folds ? _mm512_packs_epi32(x[2 * i], x[2 * i + 1]) : piece[i]);
	}
	at->low = folds ? _mm512_packus_epi16(piece[0], piece[1]) : curve_low(piece[0], piece[1]);
	at->negative = folds ? 0 : _mm512_movepi8_mask(_mm512_packs_epi16(piece[0], piece[1]));
}

ALWAYS_INLINE __m512i curve_negated(__mmask32 some, __m512i v)
{
	return _mm512_mask_sub_epi16(v, some, _mm512_setzero_si512(), v);
}

/* base + slope * above / 256, rounded. U85 takes one off the products' sum where values are negative, which makes ties of these go downwards. */
ALWAYS_INLINE VBMI void curve_tanh(const struct curve_vec *t, const bool folds, const vec x[CURVE_PARTS], __m512i r[2])
{
	struct curve_places at;

	curve_find(t, folds, x, &at);
	const struct curve_pieces p = curve_look_up(t, !folds, &at);
	UNROLL for (unsigned i = 0; i < 2; i++) {
		const __mmask32 some = at.below[i];
		if (folds)
			r[i] = curve_negated(some, _mm512_add_epi16(p.base[i], _mm512_mulhrs_epi16(p.slope[i], at.above[i])));
		else
			r[i] = _mm512_adds_epi16(p.base[i], curve_negated(some, _mm512_mulhrs_epi16(p.slope[i], curve_negated(some, at.above[i]))));
	}
}

/* slope * above / 512, less one before it is rounded down for `some`. */
ALWAYS_INLINE __m512i curve_rise(__m512i slope, __m512i above, __mmask32 some)
{
	const __m512i low = _mm512_mullo_epi16(slope, above), high = _mm512_mulhi_epi16(slope, above);
	const __m512i rise = _mm512_add_epi16(high, _mm512_maskz_mov_epi16(_mm512_movepi16_mask(above), slope)); /* `above` has no sign */

	return _mm512_mask_sub_epi16(rise, _mm512_mask_testn_epi16_mask(some, low, low), rise, _mm512_set1_epi16(1));
}

/* Half of base and slope * above / 512, rounded, and 1/2. */
ALWAYS_INLINE VBMI void curve_sigmoid(const struct curve_vec *t, const bool folds, const vec x[CURVE_PARTS], __m512i r[2])
{
	const __m512i sign = _mm512_set1_epi16(INT16_MIN), middle = _mm512_set1_epi16(CURVE_MIDDLE);
	struct curve_places at;

	curve_find(t, folds, x, &at);
	const struct curve_pieces p = curve_look_up(t, !folds, &at);
	UNROLL for (unsigned i = 0; i < 2; i++) {
		if (folds) {
			r[i] = curve_negated(at.below[i], _mm512_avg_epu16(p.base[i], _mm512_mulhi_epu16(p.slope[i], at.above[i])));
		} else {
			const __m512i rise = curve_rise(p.slope[i], at.above[i], at.below[i]);
			r[i] = V_XOR(_mm512_avg_epu16(V_XOR(p.base[i], sign), V_XOR(rise, sign)), sign);
		}
		r[i] = _mm512_adds_epi16(r[i], middle);
	}
}

ALWAYS_INLINE VBMI void curve_run(const struct curve_vec *t, const enum curve_kind kind, const vec x[CURVE_PARTS], __m512i r[2])
{
	switch (kind) {
	case CURVE_WRAPS: curve_tables(t, true, x, r); return;
	case CURVE_CLIPS: curve_tables(t, false, x, r); return;
	case CURVE_TANH: curve_tanh(t, true, x, r); break;
	case CURVE_TANH85: curve_tanh(t, false, x, r); break;
	case CURVE_SIGMOID: curve_sigmoid(t, true, x, r); break;
	default: curve_sigmoid(t, false, x, r); break;
	}
	UNROLL for (unsigned i = 0; i < 2; i++)
		r[i] = _mm512_min_epi16(_mm512_max_epi16(r[i], t->least), t->most);
}

/* Rows by parts of up to 16 elements, which may be all of a row where maps are bricks. */
struct curve_walk {
	const u8 *a, *row_a;
	u8 *to, *row_to;
	size_t left, rows;
};

struct curve_part {
	const u8 *a;
	u8 *to;
	__mmask16 some; /* none behind the last row */
};

ALWAYS_INLINE struct curve_part curve_next(struct curve_walk *w, const struct npu_words_grid *g)
{
	const struct curve_part p = { w->a, w->to, w->rows ? word_some(w->left) : 0 };

	if (w->left > NPU_GROUP) {
		w->left -= NPU_GROUP;
		w->a += HALVES_BYTES;
		w->to += HALVES_BYTES;
	} else if (w->rows) {
		w->rows--;
		w->left = g->n;
		w->a = w->row_a += g->down_a;
		w->to = w->row_to += g->down_to;
	}
	return p;
}

#define SCALE_PARTS(kind) do { \
	UNROLL for (unsigned k_ = 0; k_ < CURVE_PARTS; k_++) \
		x[k_] = stage_run(&u.up, kind, x[k_]); \
	} while (0)

ALWAYS_INLINE VBMI void curve_rows(const struct npu_unary16 *s, const enum curve_kind kind, const struct npu_words_grid *g)
{
	const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
	const struct unary16_vec u = unary16_load(s);
	const struct curve_vec t = curve_load(s, kind);
	struct curve_walk w = { g->a, g->a, g->to, g->to, g->n, g->rows };

	while (w.rows) {
		struct curve_part p[CURVE_PARTS];
		vec x[CURVE_PARTS], r[2];
		UNROLL for (unsigned k = 0; k < CURVE_PARTS; k++) {
			p[k] = curve_next(&w, g);
			x[k] = V(sub_epi32)(_mm512_cvtepi16_epi32(_mm256_maskz_loadu_epi16(p[k].some, p[k].a)), u.zero);
		}
		switch (t.stage) {
		case STAGE_NONE: break;
		case STAGE_ONCE: SCALE_PARTS(STAGE_ONCE); break;
		case STAGE_TWICE: SCALE_PARTS(STAGE_TWICE); break;
		case STAGE_SIGNS: SCALE_PARTS(STAGE_SIGNS); break;
		default: SCALE_PARTS(STAGE_ANY); break;
		}
		curve_run(&t, kind, x, r);
		UNROLL for (unsigned i = 0; i < 2; i++) {
			const __m512i v = _mm512_permutexvar_epi64(order, r[i]);
			_mm256_mask_storeu_epi16(p[2 * i].to, p[2 * i].some, _mm512_castsi512_si256(v));
			_mm256_mask_storeu_epi16(p[2 * i + 1].to, p[2 * i + 1].some, _mm512_extracti64x4_epi64(v, 1));
		}
	}
}

static VBMI void unary16_vbmi(const struct npu_unary16 *s, const struct npu_words_grid *g)
{
	switch (curve_kind_of(&s->curve)) {
	case CURVE_WRAPS: curve_rows(s, CURVE_WRAPS, g); return;
	case CURVE_CLIPS: curve_rows(s, CURVE_CLIPS, g); return;
	case CURVE_TANH: curve_rows(s, CURVE_TANH, g); return;
	case CURVE_TANH85: curve_rows(s, CURVE_TANH85, g); return;
	case CURVE_SIGMOID: curve_rows(s, CURVE_SIGMOID, g); return;
	default: curve_rows(s, CURVE_SIGMOID85, g); return;
	}
}

static bool unary16_curve(const struct npu_unary16 *s, const struct npu_words_grid *g)
{
	if (!s->curve.bytes)
		return false;
	unary16_vbmi(s, g);
	return true;
}
#undef SCALE_PARTS
#undef VBMI
#endif
