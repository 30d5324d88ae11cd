/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of bytes with scaled operands: everything stays in registers. Part of simd.c. Where the host has no
 * vectors for 64-bit products, tables of scaled bytes take less time. */

#if SIMD_LEVEL >= 2 && !defined(USES_NEON)
/* Less than 64 bytes to and from a whole block. */
static inline void part_load(u8 block[64], const u8 *p, size_t n)
{
#if SIMD_LEVEL == 3
	vec_store(block, _mm512_maskz_loadu_epi8((UINT64_C(1) << n) - 1, p));
#else
	memset(block, 0, 64);
	memcpy(block, p, n);
#endif
}

static inline void part_store(u8 *p, const u8 block[64], size_t n)
{
#if SIMD_LEVEL == 3
	_mm512_mask_storeu_epi8(p, (UINT64_C(1) << n) - 1, vec_load(block));
#else
	memcpy(p, block, n);
#endif
}

/* All n bytes of a row by blocks of 64, and their table. */
#define BLOCKS_OF_ROW(BLOCKS) do { \
	const size_t whole_ = n / 64 * 64; \
	if (whole_) \
		BLOCKS(s, a, b, whole_, out); \
	if (whole_ < n) { \
		NPU_LINE u8 x_[64], y_[64]; \
		part_load(x_, a + whole_, n - whole_); \
		if (b) \
			part_load(y_, b + whole_, n - whole_); \
		BLOCKS(s, x_, b ? y_ : b, 64, x_); \
		part_store(out + whole_, x_, n - whole_); \
	} \
	if (s->narrow.table) \
		look_up_bytes(s->narrow.table, out, n, out); \
	} while (0)

struct operand_vec {
	vec zero_point, factor;
	struct rescale_vec rescale;
	bool is_signed, scaled;
};

static inline struct operand_vec operand_load(const struct npu_operand8 *o)
{
	struct operand_vec v = { V(set1_epi32)(o->zero_point), V(set1_epi32)(o->factor),
				 rescale_load(&o->rescale, 0), o->is_signed, o->scaled };
	return v;
}

/* LANES bytes to the common scale. */
ALWAYS_INLINE vec operand_values(const struct operand_vec *o, const u8 *p)
{
#if SIMD_LEVEL == 3
	__m128i bytes = _mm_loadu_si128((const void *)p);
#else
	__m128i bytes = _mm_loadl_epi64((const void *)p);
#endif
	vec x = o->is_signed ? V(cvtepi8_epi32)(bytes) : V(cvtepu8_epi32)(bytes);
	x = V(mullo_epi32)(V(sub_epi32)(x, o->zero_point), o->factor);
	return o->scaled ? rescale_vec(x, &o->rescale) : x;
}

static NOINLINE void add8_exact(const struct npu_add8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	const struct operand_vec left = operand_load(&s->a), right = operand_load(&s->b);
	const struct rescale_vec rescale = rescale_load(&s->rescale, 0);
	const struct narrow_vec narrow = narrow_load(&s->narrow);
	const bool subtract = s->subtract && b, scaled = s->scaled, is_unsigned = s->narrow.is_unsigned;
	const vec constant = V(set1_epi32)(s->constant);

	for (size_t i = 0; i < n; i += 4 * LANES) {
		vec v[4];
		UNROLL for (unsigned k = 0; k < 4; k++) {
			vec x = operand_values(&left, a + i + k * LANES);
			vec y = b ? operand_values(&right, b + i + k * LANES) : constant;
			x = subtract ? V(sub_epi32)(x, y) : V(add_epi32)(x, y);
			v[k] = scaled ? rescale_vec(x, &rescale) : x;
		}
		vec_store(out + i, narrow4(v, &narrow, is_unsigned));
	}
}

/* Bytes that become one vector. */
static inline __m128i lane_bytes(const u8 *p)
{
#if SIMD_LEVEL == 3
	return _mm_loadu_si128((const void *)p);
#else
	return _mm_loadl_epi64((const void *)p);
#endif
}

struct sum_vec {
	struct estimate_bytes bytes;
#if SIMD_LEVEL == 3
	__m512 factor_a, factor_b, offset;
	vec zero_a, zero_b;
#else
	__m256 factor_a, factor_b, offset;
	vec near; /* words: fractions below this are too close to a tie to tell */
#endif
	bool signed_a, signed_b, plain; /* all bytes are signed, and none is clamped: for the compiler to know */
};

static inline struct sum_vec sum_load(const struct npu_add8 *s)
{
	const struct estimate_bytes bytes = estimate_bytes_load(&s->narrow);

	return (struct sum_vec){ .bytes = bytes,
				 .factor_a = V(set1_ps)(s->factor_a),
				 .factor_b = V(set1_ps)(s->factor_b),
#if SIMD_LEVEL == 3
				 .offset = _mm512_set1_ps(s->offset),
				 .zero_a = vec_all(s->a.zero_point),
				 .zero_b = vec_all(s->b.zero_point),
#else
				 .offset = _mm256_set1_ps(s->offset_stored),
				 .near = vec_all(2 * s->above_stored),
#endif
				 .signed_a = s->a.is_signed,
				 .signed_b = s->b.is_signed,
				 .plain = bytes.all && !s->narrow.is_unsigned && s->a.is_signed && s->b.is_signed };
}

ALWAYS_INLINE vec byte_values(bool is_signed, __m128i bytes)
{
	return is_signed ? V(cvtepi8_epi32)(bytes) : V(cvtepu8_epi32)(bytes);
}

/* One vector's sums, with 16 bits behind the binary point. */
ALWAYS_INLINE vec sum_estimate(const struct sum_vec *c, const bool plain, __m128i a, __m128i b)
{
	const vec x = byte_values(plain || c->signed_a, a), y = byte_values(plain || c->signed_b, b);
#if SIMD_LEVEL == 3
	const __m512 f = _mm512_cvt_roundepi32_ps(_mm512_sub_epi32(x, c->zero_a), NEAREST), g = _mm512_cvt_roundepi32_ps(_mm512_sub_epi32(y, c->zero_b), NEAREST);
	const __m512 t = _mm512_fmadd_round_ps(f, c->factor_a, c->offset, NEAREST);

	return _mm512_cvt_roundps_epi32(_mm512_fmadd_round_ps(g, c->factor_b, t, NEAREST), NEAREST);
#else
	const __m256 t = _mm256_fmadd_ps(_mm256_cvtepi32_ps(x), c->factor_a, c->offset);

	return _mm256_cvtps_epi32(_mm256_fmadd_ps(_mm256_cvtepi32_ps(y), c->factor_b, t));
#endif
}

/* Bytes of four vectors of them, in order. */
ALWAYS_INLINE vec sum_narrow(const struct estimate_bytes *bytes, const vec v[4])
{
#if SIMD_LEVEL == 3
	return estimate_narrow(bytes, v);
#else
	return _mm256_permutevar8x32_epi32(estimate_narrow(bytes, v), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
#endif
}

/* Four vectors of sums as bytes. False: one lies too close to a tie to tell. */
ALWAYS_INLINE bool sum_bytes(const struct sum_vec *c, const bool plain, const __m128i a[4], const __m128i b[4], vec *out)
{
	struct estimate_bytes bytes = c->bytes;
	vec v[4], least;

	UNROLL for (unsigned k = 0; k < 4; k++) {
		v[k] = sum_estimate(c, plain, a[k], b[k]);
		least = k ? V(min_epu16)(least, v[k]) : v[k];
	}
	bytes.all |= plain;
	*out = sum_narrow(&bytes, v);
#if SIMD_LEVEL == 3
	return !_mm512_mask_cmplt_epu16_mask(0x55555555, least, _mm512_set1_epi16(2 * NPU_ADD_ABOVE));
#else
	const vec close = _mm256_subs_epu16(c->near, least);
	return _mm256_testz_si256(close, close);
#endif
}

#if SIMD_LEVEL == 3
/* The same by the formula. This is rare: what has been loaded for sum_bytes() is loaded once more, so that nobody keeps it. */
static NOINLINE vec sum_settled(const struct npu_add8 *s, const struct sum_vec *c, const u8 *a, const u8 *b)
{
	NPU_LINE u8 out[4 * LANES];

	(void)c;
	add8_exact(s, a, b, 4 * LANES, out);
	return vec_load(out);
}
#else
static i32 operand_one(const struct npu_operand8 *o, u8 byte)
{
	const i32 v = ((o->is_signed ? (i8)byte : byte) - o->zero_point) * o->factor;

	return o->scaled ? rescale_one(v, &o->rescale, 0) : v;
}

/* The same, those by the formula that lie so close: most often one of them does. This is rare: what has been loaded for sum_bytes() is loaded once more, so
 * that nobody keeps it. */
static NOINLINE vec sum_settled(const struct npu_add8 *s, const struct sum_vec *c, const u8 *a, const u8 *b)
{
	NPU_LINE u8 out[4 * LANES];
	u32 close = 0;
	vec v[4];

	for (unsigned k = 0; k < 4; k++) {
		v[k] = sum_estimate(c, false, lane_bytes(a + k * LANES), lane_bytes(b + k * LANES));
		const vec lies = _mm256_cmpgt_epi32(c->near, _mm256_and_si256(v[k], vec_all(UINT16_MAX)));
		close |= (u32)_mm256_movemask_ps(_mm256_castsi256_ps(lies)) << k * LANES;
	}
	vec_store(out, sum_narrow(&c->bytes, v));
	for (; close; close &= close - 1) {
		const unsigned i = (unsigned)__builtin_ctz(close);
		const i32 p = operand_one(&s->a, a[i]), q = operand_one(&s->b, b[i]);
		out[i] = narrow_one(rescale_one(s->subtract ? p - q : p + q, &s->rescale, 0), &s->narrow);
	}
	return vec_load(out);
}
#endif

ALWAYS_INLINE void add8_sums(const struct npu_add8 *s, const struct sum_vec *c, const bool plain, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	for (size_t i = 0; i < n; i += 4 * LANES) {
		__m128i x[4], y[4];
		vec v;
		UNROLL for (unsigned k = 0; k < 4; k++) {
			x[k] = lane_bytes(a + i + k * LANES);
			y[k] = lane_bytes(b + i + k * LANES);
		}
		if (__builtin_expect(!sum_bytes(c, plain, x, y, &v), 0))
			v = sum_settled(s, c, a + i, b + i);
		vec_store(out + i, v);
	}
}

static void add8_estimate(const struct npu_add8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	const struct sum_vec c = sum_load(s);

	if (c.plain)
		add8_sums(s, &c, true, a, b, n, out);
	else
		add8_sums(s, &c, false, a, b, n, out);
}

static void add8_blocks(const struct npu_add8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	if (s->estimate && b) {
		add8_estimate(s, a, b, n, out);
		return;
	}
	add8_exact(s, a, b, n, out);
}

static void add8(const struct npu_add8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	BLOCKS_OF_ROW(add8_blocks);
}

/* LANES int16 to the common scale; `plain`: without zero point, and the factor is a power of two, which takes less time. */
ALWAYS_INLINE vec operand_words(const struct operand_vec *o, const bool plain, vec shift, const u8 *p)
{
#if SIMD_LEVEL == 3
	vec x = _mm512_cvtepi16_epi32(_mm256_loadu_si256((const void *)p));
#else
	vec x = _mm256_cvtepi16_epi32(_mm_loadu_si128((const void *)p));
#endif
	x = plain ? V(sllv_epi32)(x, shift) : V(mullo_epi32)(V(sub_epi32)(x, o->zero_point), o->factor);
	return o->scaled ? rescale_vec(x, &o->rescale) : x;
}

static bool operand_plain(const struct npu_operand8 *o)
{
	return !o->zero_point && npu_is_power((u32)o->factor);
}

/* How results of sums of int16 are scaled. */
enum { SCALED_NOT, SCALED_ONCE, SCALED };

static unsigned scaling16(const struct npu_add16 *s)
{
	return !s->scaled ? SCALED_NOT : s->rescale.negative ? SCALED : SCALED_ONCE;
}

/* What the compiler knows of them. */
struct kind16 {
	bool one, subtract;  /* there is no second operand; it is taken off */
	bool plain, stages;  /* of operands: operand_words(); some are scaled */
	unsigned scaled;
};

#define HALVES_BYTES (NPU_GROUP * sizeof(i16)) /* bytes that are done at a time */

/* The last elements of a row that is no multiple of a group, which are done with some of those before: they are taken before these are stored, perhaps
 * at the same place. */
struct halves_end {
	NPU_LINE u8 a[HALVES_BYTES];
	NPU_LINE u8 b[HALVES_BYTES];
};

static inline void halves_end_load(u8 *end, const u8 *row, size_t bytes)
{
	memcpy(end, row + bytes - HALVES_BYTES, HALVES_BYTES);
}

struct sum16_vec {
	struct operand_vec left, right;
	struct words words;
	vec up_a, up_b;
};

/* `b` NULL: `one` is the second operand. */
ALWAYS_INLINE void sum16_group(const struct sum16_vec *s, const struct kind16 kind, const u8 *a, const u8 *b, vec one, u8 *to)
{
	vec v[VECS];

	UNROLL for (unsigned k = 0; k < VECS; k++) {
		const size_t at = k * LANES * sizeof(i16);
		v[k] = operand_words(&s->left, kind.plain, s->up_a, a + at);
		const vec y = b ? operand_words(&s->right, kind.plain, s->up_b, b + at) : one;
		v[k] = kind.subtract ? V(sub_epi32)(v[k], y) : V(add_epi32)(v[k], y);
		v[k] = kind.scaled == SCALED_ONCE ? rescale_once(v[k], &s->words.rescale[0]) : kind.scaled == SCALED ? rescale_vec(v[k], &s->words.rescale[0]) : v[k];
	}
	words_store(to, words_narrow(&s->words, v));
}

/* The element at b for all of a row. */
static inline vec sum16_one(const struct sum16_vec *s, bool plain, const u8 *b)
{
	u8 all[sizeof(vec)];
	u16 half;

	memcpy(&half, b, sizeof(half));
	vec_store(all, vec_all((i32)(half * 0x10001u)));
	return operand_words(&s->right, plain, s->up_b, all);
}

ALWAYS_INLINE void rows16(const struct npu_add16 *s, const struct kind16 kind, const struct npu_words_grid *g)
{
	struct sum16_vec c = { operand_load(&s->a), operand_load(kind.one ? &s->a : &s->b), words_load(&s->rescale, &s->narrow),
			       vec_all(kind.plain ? (i32)npu_log2((u32)s->a.factor) : 0), vec_all(kind.plain && !kind.one ? (i32)npu_log2((u32)s->b.factor) : 0) };
	const size_t bytes = g->n * sizeof(i16);
	const bool each = !kind.one && g->step_b, rest = bytes % HALVES_BYTES;
	const u8 *a = g->a, *b = g->b;
	u8 *to = g->to;
	vec one = vec_all(0);
	struct halves_end end;

	c.left.scaled &= kind.stages;
	c.right.scaled &= kind.stages;
	for (size_t r = g->rows; r; r--, a += g->down_a, b += kind.one ? 0 : g->down_b, to += g->down_to) {
		if (!kind.one && !each)
			one = sum16_one(&c, kind.plain, b);
		halves_end_load(end.a, a, bytes);
		halves_end_load(end.b, each ? b : a, bytes);
		for (size_t i = 0; i + HALVES_BYTES <= bytes; i += HALVES_BYTES)
			sum16_group(&c, kind, a + i, each ? b + i : NULL, one, to + i);
		if (rest)
			sum16_group(&c, kind, end.a, each ? end.b : NULL, one, to + bytes - HALVES_BYTES);
	}
}

/* Operands as they are, or shifted left. */
ALWAYS_INLINE void rows16_plain(const struct npu_add16 *s, const bool one, const bool subtract, const struct npu_words_grid *g)
{
	switch (scaling16(s)) {
	case SCALED_NOT: rows16(s, (struct kind16){ .one = one, .subtract = subtract, .plain = true, .scaled = SCALED_NOT }, g); return;
	case SCALED_ONCE: rows16(s, (struct kind16){ .one = one, .subtract = subtract, .plain = true, .scaled = SCALED_ONCE }, g); return;
	default: rows16(s, (struct kind16){ .one = one, .subtract = subtract, .plain = true, .scaled = SCALED }, g); return;
	}
}

static void add16(const struct npu_add16 *s, const struct npu_words_grid *g)
{
	const bool one = !g->b, plain = operand_plain(&s->a) && (one || operand_plain(&s->b)), stages = s->a.scaled || (!one && s->b.scaled);

	if (one && plain && !stages)
		rows16_plain(s, true, false, g);
	else if (plain && !stages && !s->subtract)
		rows16_plain(s, false, false, g);
	else if (plain && !stages)
		rows16_plain(s, false, true, g);
	else if (one)
		rows16(s, (struct kind16){ .one = true, .stages = true, .scaled = s->scaled ? SCALED : SCALED_NOT }, g);
	else if (plain && !s->subtract)
		rows16(s, (struct kind16){ .plain = true, .stages = true, .scaled = s->scaled ? SCALED : SCALED_NOT }, g);
	else
		rows16(s, (struct kind16){ .stages = true, .subtract = s->subtract, .scaled = s->scaled ? SCALED : SCALED_NOT }, g);
}
#endif
