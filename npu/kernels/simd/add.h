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

#if SIMD_LEVEL == 3
ALWAYS_INLINE __m512 operand_floats(bool is_signed, vec zero_point, const u8 *p)
{
	const __m128i bytes = _mm_loadu_si128((const void *)p);
	const vec x = is_signed ? _mm512_cvtepi8_epi32(bytes) : _mm512_cvtepu8_epi32(bytes);

	return _mm512_cvt_roundepi32_ps(_mm512_sub_epi32(x, zero_point), NEAREST);
}

static void add8_estimate(const struct npu_add8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	const struct estimate_bytes bytes = estimate_bytes_load(&s->narrow);
	const __m512 factor_a = _mm512_set1_ps(s->factor_a), factor_b = _mm512_set1_ps(s->factor_b);
	const __m512 offset = _mm512_set1_ps(s->offset);
	const vec zero_a = _mm512_set1_epi32(s->a.zero_point), zero_b = _mm512_set1_epi32(s->b.zero_point);
	const vec window = _mm512_set1_epi16(2 * NPU_ADD_ABOVE);
	const bool signed_a = s->a.is_signed, signed_b = s->b.is_signed;

	for (size_t i = 0; i < n; i += 64) {
		vec v[4], fraction;
		UNROLL for (unsigned k = 0; k < 4; k++) {
			__m512 t = operand_floats(signed_a, zero_a, a + i + k * LANES);
			t = _mm512_fmadd_round_ps(t, factor_a, offset, NEAREST);
			t = _mm512_fmadd_round_ps(operand_floats(signed_b, zero_b, b + i + k * LANES), factor_b, t, NEAREST);
			v[k] = _mm512_cvt_roundps_epi32(t, NEAREST);
			fraction = k ? _mm512_min_epu16(fraction, v[k]) : v[k];
		}
		if (__builtin_expect(_mm512_mask_cmplt_epu16_mask(0x55555555, fraction, window) != 0, 0))
			add8_exact(s, a + i, b + i, 64, out + i);
		else
			vec_store(out + i, estimate_narrow(&bytes, v));
	}
}
#elif SIMD_LEVEL == 2
ALWAYS_INLINE __m256 operand_floats(bool is_signed, vec zero_point, const u8 *p)
{
	const __m128i bytes = _mm_loadl_epi64((const void *)p);
	const vec x = is_signed ? _mm256_cvtepi8_epi32(bytes) : _mm256_cvtepu8_epi32(bytes);

	return _mm256_cvtepi32_ps(_mm256_sub_epi32(x, zero_point));
}

/* The margin is twice as wide as the offset has it: see simd/estimate_halves.h. */
static void add8_estimate(const struct npu_add8 *s, const u8 *a, const u8 *b, size_t n, u8 *out)
{
	const struct estimate_bytes bytes = estimate_bytes_load(&s->narrow);
	const __m256 factor_a = _mm256_set1_ps(s->factor_a), factor_b = _mm256_set1_ps(s->factor_b);
	const __m256 offset = _mm256_set1_ps(s->offset + NPU_ADD_ABOVE);
	const vec zero_a = vec_all(s->a.zero_point), zero_b = vec_all(s->b.zero_point), near = vec_all(4 * NPU_ADD_ABOVE);
	const vec order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
	const bool signed_a = s->a.is_signed, signed_b = s->b.is_signed;

	for (size_t i = 0; i < n; i += 4 * LANES) {
		vec v[4], least;
		UNROLL for (unsigned k = 0; k < 4; k++) {
			const __m256 t = _mm256_fmadd_ps(operand_floats(signed_a, zero_a, a + i + k * LANES), factor_a, offset);
			v[k] = _mm256_cvtps_epi32(_mm256_fmadd_ps(operand_floats(signed_b, zero_b, b + i + k * LANES), factor_b, t));
			least = k ? _mm256_min_epu16(least, v[k]) : v[k];
		}
		const vec close = _mm256_subs_epu16(near, least);
		if (__builtin_expect(!_mm256_testz_si256(close, close), 0))
			add8_exact(s, a + i, b + i, 4 * LANES, out + i);
		else
			vec_store(out + i, _mm256_permutevar8x32_epi32(estimate_narrow(&bytes, v), order));
	}
}
#endif

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

#if SIMD_LEVEL == 3
#define LANES_BLOCK 512 /* bytes done together */

#define FEW_CHANNELS 4

/* Where bricks have at most four channels: those of 16 bricks side by side, which are four vectors. */
ALWAYS_INLINE vec bricks_joined(const u8 *p, const __mmask64 some[4])
{
	const vec first = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 0, 0, 0, 0, 0, 0, 0);
	const vec low = _mm512_permutex2var_epi32(_mm512_maskz_loadu_epi8(some[0], p), first, _mm512_maskz_loadu_epi8(some[1], p + 64));
	const vec high = _mm512_permutex2var_epi32(_mm512_maskz_loadu_epi8(some[2], p + 128), first, _mm512_maskz_loadu_epi8(some[3], p + 192));

	return _mm512_inserti64x4(low, _mm512_castsi512_si256(high), 1);
}

static inline void bricks_parted(u8 *p, const __mmask64 some[4], vec v)
{
	vec at = _mm512_setr_epi32(0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0);

	UNROLL for (unsigned k = 0; k < 4; k++) {
		_mm512_mask_storeu_epi8(p + 64 * k, some[k], _mm512_permutexvar_epi32(at, v));
		at = _mm512_add_epi32(at, _mm512_set1_epi32(4));
	}
}

/* `some`: of 16 bricks; fewer have none behind the last one. */
static inline void bricks_some(__mmask64 some[4], u64 of_four, size_t bricks)
{
	for (unsigned k = 0; k < 4; k++, bricks -= bricks < 4 ? bricks : 4)
		some[k] = bricks < 4 ? of_four & ((UINT64_C(1) << 16 * bricks) - 1) : of_four;
}

static void add8_few(const struct npu_add8 *s, const u8 *a, const u8 *b, size_t bricks, u64 of_four, u8 *out)
{
	for (size_t n; bricks; bricks -= n, a += n * NPU_GROUP, b += n * NPU_GROUP, out += n * NPU_GROUP) {
		NPU_LINE u8 x[LANES_BLOCK], y[LANES_BLOCK];
		__mmask64 some[4];
		n = bricks < LANES_BLOCK / FEW_CHANNELS ? bricks : LANES_BLOCK / FEW_CHANNELS;
		for (size_t i = 0; i < n; i += 16) {
			bricks_some(some, of_four, n - i);
			vec_store(x + FEW_CHANNELS * i, bricks_joined(a + NPU_GROUP * i, some));
			vec_store(y + FEW_CHANNELS * i, bricks_joined(b + NPU_GROUP * i, some));
		}
		add8(s, x, y, (n + 15) / 16 * 64, x);
		for (size_t i = 0; i < n; i += 16) {
			bricks_some(some, of_four, n - i);
			bricks_parted(out + NPU_GROUP * i, some, vec_load(x + FEW_CHANNELS * i));
		}
	}
}

/* The first channels of bricks: others are neither looked at nor written. */
static bool add8_bricks(const struct npu_add8 *s, const u8 *a, const u8 *b, size_t bricks, unsigned channels, u8 *out)
{
	const u64 four = UINT64_C(0x0001000100010001) * ((1u << channels) - 1);

	if (channels <= FEW_CHANNELS) {
		add8_few(s, a, b, bricks, four, out);
		return true;
	}
	if (channels < NPU_GROUP / 2)
		return false;
	for (size_t left = bricks * NPU_GROUP, n; left; left -= n, a += n, b += n, out += n) {
		NPU_LINE u8 x[LANES_BLOCK], y[LANES_BLOCK];
		__mmask64 mask[LANES_BLOCK / 64];
		n = left < LANES_BLOCK ? left : LANES_BLOCK;
		const size_t blocks = (n + 63) / 64;
		for (size_t i = 0; i < blocks; i++) {
			const size_t rest = n - i * 64;
			mask[i] = rest < 64 ? four & ((UINT64_C(1) << rest) - 1) : four;
			vec_store(x + i * 64, _mm512_maskz_loadu_epi8(mask[i], a + i * 64));
			vec_store(y + i * 64, _mm512_maskz_loadu_epi8(mask[i], b + i * 64));
		}
		add8(s, x, y, blocks * 64, x);
		for (size_t i = 0; i < blocks; i++)
			_mm512_mask_storeu_epi8(out + i * 64, mask[i], vec_load(x + i * 64));
	}
	return true;
}
#endif

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

ALWAYS_INLINE void rows16(const struct npu_add16 *s, const struct kind16 kind, const struct npu_words_grid *g)
{
	struct operand_vec left = operand_load(&s->a), right = kind.one ? left : operand_load(&s->b);
	const struct words words = words_load(&s->rescale, &s->narrow);
	const vec up_a = V(set1_epi32)(kind.plain ? (i32)npu_log2((u32)s->a.factor) : 0);
	const vec up_b = V(set1_epi32)(kind.plain && !kind.one ? (i32)npu_log2((u32)s->b.factor) : 0);
	const size_t bytes = g->n * sizeof(i16);
	const u8 *a = g->a, *b = g->b;
	u8 *to = g->to;

	left.scaled &= kind.stages;
	right.scaled &= kind.stages;
	for (size_t r = g->rows; r; r--, a += g->down_a, b += kind.one ? 0 : g->down_b, to += g->down_to)
		for (size_t i = 0; i < bytes; i += NPU_GROUP * sizeof(i16)) {
			vec v[VECS];
			UNROLL for (unsigned k = 0; k < VECS; k++) {
				const size_t at = i + k * LANES * sizeof(i16);
				v[k] = operand_words(&left, kind.plain, up_a, a + at);
				const vec y = kind.one ? V(set1_epi32)(0) : operand_words(&right, kind.plain, up_b, b + at);
				v[k] = kind.subtract ? V(sub_epi32)(v[k], y) : V(add_epi32)(v[k], y);
				v[k] = kind.scaled == SCALED_ONCE ? rescale_once(v[k], &words.rescale[0]) : kind.scaled == SCALED ? rescale_vec(v[k], &words.rescale[0]) : v[k];
			}
			words_store(to + i, words_narrow(&words, v));
		}
}

/* Operands as they are, or shifted left. */
ALWAYS_INLINE void rows16_plain(const struct npu_add16 *s, const bool one, const struct npu_words_grid *g)
{
	switch (scaling16(s)) {
	case SCALED_NOT: rows16(s, (struct kind16){ .one = one, .plain = true, .scaled = SCALED_NOT }, g); return;
	case SCALED_ONCE: rows16(s, (struct kind16){ .one = one, .plain = true, .scaled = SCALED_ONCE }, g); return;
	default: rows16(s, (struct kind16){ .one = one, .plain = true, .scaled = SCALED }, g); return;
	}
}

static void add16(const struct npu_add16 *s, const struct npu_words_grid *g)
{
	const bool one = !g->b, plain = operand_plain(&s->a) && (one || operand_plain(&s->b)), stages = s->a.scaled || (!one && s->b.scaled);

	if (one && plain && !stages)
		rows16_plain(s, true, g);
	else if (!one && plain && !stages && !s->subtract)
		rows16_plain(s, false, g);
	else if (one)
		rows16(s, (struct kind16){ .one = true, .stages = true, .scaled = s->scaled ? SCALED : SCALED_NOT }, g);
	else if (plain && !s->subtract)
		rows16(s, (struct kind16){ .plain = true, .stages = true, .scaled = s->scaled ? SCALED : SCALED_NOT }, g);
	else
		rows16(s, (struct kind16){ .stages = true, .subtract = s->subtract, .scaled = s->scaled ? SCALED : SCALED_NOT }, g);
}
#endif
