/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes through a table of 256. Part of simd.c. Where the host shuffles 16 bytes in one instruction: the table is 16 such
 * vectors, all of which are looked at by the low four bits; the upper four choose among the results, bit by bit. NEON looks at
 * four vectors in one instruction, AVX-512 with VBMI at two of 64 bytes. */

#if SIMD_LEVEL == 3
typedef __m512i bytes_vec;
#define BYTES_OF(p) _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(p)))
#define LOW_BITS(x) _mm512_and_si512(x, _mm512_set1_epi8(15))
#define SHUFFLE _mm512_shuffle_epi8
typedef __mmask64 choice;
/* Bit `bit` of every byte. */
#define CHOICE(x, bit) _mm512_movepi8_mask(_mm512_slli_epi16(x, 7 - (bit)))
#define CHOOSE(c, no, yes) _mm512_mask_blend_epi8(c, no, yes)
#elif SIMD_LEVEL == 2
typedef __m256i bytes_vec;
#define BYTES_OF(p) _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(p)))
#define LOW_BITS(x) _mm256_and_si256(x, _mm256_set1_epi8(15))
#define SHUFFLE _mm256_shuffle_epi8
typedef __m256i choice;
#define CHOICE(x, bit) _mm256_slli_epi16(x, 7 - (bit))
#define CHOOSE(c, no, yes) _mm256_blendv_epi8(no, yes, c)
#endif

#if SIMD_LEVEL >= 2 && !defined(USES_NEON)
/* The four vectors of the table from `t` on. */
ALWAYS_INLINE bytes_vec look_up_four(const bytes_vec *t, bytes_vec low, choice bit4, choice bit5)
{
	const bytes_vec even = CHOOSE(bit4, SHUFFLE(t[0], low), SHUFFLE(t[1], low));

	return CHOOSE(bit5, even, CHOOSE(bit4, SHUFFLE(t[2], low), SHUFFLE(t[3], low)));
}

ALWAYS_INLINE void look_up_load(bytes_vec t[16], const u8 table[256])
{
	UNROLL for (unsigned k = 0; k < 16; k++)
		t[k] = BYTES_OF(table + 16 * k);
}

ALWAYS_INLINE bytes_vec look_up_vec(const bytes_vec t[16], bytes_vec x)
{
	const bytes_vec low = LOW_BITS(x);
	const choice bit4 = CHOICE(x, 4), bit5 = CHOICE(x, 5), bit6 = CHOICE(x, 6), bit7 = CHOICE(x, 7);
	const bytes_vec below = CHOOSE(bit6, look_up_four(t, low, bit4, bit5), look_up_four(t + 4, low, bit4, bit5));
	const bytes_vec above = CHOOSE(bit6, look_up_four(t + 8, low, bit4, bit5), look_up_four(t + 12, low, bit4, bit5));

	return CHOOSE(bit7, below, above);
}
#endif

#if SIMD_LEVEL == 3
#define VBMI __attribute__((target("avx512vbmi")))

/* VBMI permutes the bytes of two vectors by any of them. */
ALWAYS_INLINE VBMI __m512i look_up_64(const __m512i t[4], __m512i x)
{
	const __m512i below = _mm512_permutex2var_epi8(t[0], x, t[1]), above = _mm512_permutex2var_epi8(t[2], x, t[3]);

	return _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), below, above);
}

ALWAYS_INLINE VBMI void look_up_some(const __m512i t[4], __mmask64 some, const u8 *from, u8 *to)
{
	_mm512_mask_storeu_epi8(to, some, look_up_64(t, _mm512_maskz_loadu_epi8(some, from)));
}

static VBMI void look_up_vbmi(const u8 table[256], const u8 *from, size_t n, u8 *to)
{
	const __m512i t[4] = { vec_load(table), vec_load(table + 64), vec_load(table + 128), vec_load(table + 192) };

	for (size_t i = 0; i < n; i += 64)
		look_up_some(t, n - i < 64 ? (UINT64_C(1) << (n - i)) - 1 : ~UINT64_C(0), from + i, to + i);
}

/* Several pixels at a time where they fill a vector, else by 16 and 32 bytes: what is loaded must not overlap what was stored with a mask just before, as the host would wait for that. */
static VBMI void look_up_pixels_vbmi(const u8 table[256], u8 *p, i64 step, size_t pixels, size_t n)
{
	const __m512i t[4] = { vec_load(table), vec_load(table + 64), vec_load(table + 128), vec_load(table + 192) };
	const size_t whole = n / 32 * 32, rest = n - whole;
	const __mmask32 some = (__mmask32)((UINT64_C(1) << rest) - 1);
	const size_t most = step > (i64)n && step <= 32 && 64 % step == 0 ? 64 / (size_t)step : 0;
	__mmask64 all = 0;

	for (size_t i = 0; i < most; i++)
		all |= ((UINT64_C(1) << n) - 1) << i * (size_t)step;
	for (; most && pixels >= most; pixels -= most, p += 64)
		look_up_some(t, all, p, p);
	for (; pixels; pixels--, p += step) {
		for (size_t i = 0; i < whole; i += 32)
			_mm256_storeu_si256((void *)(p + i), _mm512_castsi512_si256(look_up_64(t, _mm512_castsi256_si512(_mm256_loadu_si256((void *)(p + i))))));
		if (rest > 16)
			_mm256_mask_storeu_epi8(p + whole, some, _mm512_castsi512_si256(look_up_64(t, _mm512_castsi256_si512(_mm256_maskz_loadu_epi8(some, p + whole)))));
		else if (rest)
			_mm_mask_storeu_epi8(p + whole, (__mmask16)some,
					     _mm512_castsi512_si128(look_up_64(t, _mm512_castsi128_si512(_mm_maskz_loadu_epi8((__mmask16)some, p + whole)))));
	}
}

/* Of rows of at most 16 bytes, `whole` where they have as many. */
ALWAYS_INLINE VBMI __m128i row_load(const bool whole, __mmask16 some, const u8 *p)
{
	return whole ? _mm_loadu_si128((const void *)p) : _mm_maskz_loadu_epi8(some, p);
}

ALWAYS_INLINE VBMI void row_put(const bool whole, __mmask16 some, u8 *p, __m128i v)
{
	if (whole)
		_mm_storeu_si128((void *)p, v);
	else
		_mm_mask_storeu_epi8(p, some, v);
}

/* Four at a time, from wherever they are to wherever they go. */
ALWAYS_INLINE VBMI void look_up_rows_of(const u8 table[256], const bool whole, const struct npu_byte_rows *g)
{
	const __m512i t[4] = { vec_load(table), vec_load(table + 64), vec_load(table + 128), vec_load(table + 192) };
	const __mmask16 some = (__mmask16)((1u << g->n) - 1);
	const i64 df = g->down_from, dt = g->down_to;
	const u8 *from = g->from;
	size_t rows = g->rows;
	u8 *to = g->to;

	for (; rows >= 4; rows -= 4, from += 4 * df, to += 4 * dt) {
		__m512i x = _mm512_castsi128_si512(row_load(whole, some, from));
		x = _mm512_inserti32x4(x, row_load(whole, some, from + df), 1);
		x = _mm512_inserti32x4(x, row_load(whole, some, from + 2 * df), 2);
		x = _mm512_inserti32x4(x, row_load(whole, some, from + 3 * df), 3);
		x = look_up_64(t, x);
		row_put(whole, some, to, _mm512_castsi512_si128(x));
		row_put(whole, some, to + dt, _mm512_extracti32x4_epi32(x, 1));
		row_put(whole, some, to + 2 * dt, _mm512_extracti32x4_epi32(x, 2));
		row_put(whole, some, to + 3 * dt, _mm512_extracti32x4_epi32(x, 3));
	}
	for (; rows; rows--, from += df, to += dt)
		row_put(whole, some, to, _mm512_castsi512_si128(look_up_64(t, _mm512_castsi128_si512(row_load(whole, some, from)))));
}

static VBMI void look_up_rows_vbmi(const u8 table[256], const struct npu_byte_rows *g)
{
	if (g->n == NPU_GROUP)
		look_up_rows_of(table, true, g);
	else
		look_up_rows_of(table, false, g);
}

static bool look_up_rows(const u8 table[256], const struct npu_byte_rows *g)
{
	if (g->n > NPU_GROUP || !HOST_HAS(AVX512_VBMI))
		return false;
	look_up_rows_vbmi(table, g);
	return true;
}
#undef VBMI
#endif

static void look_up_bytes(const u8 table[256], const u8 *from, size_t n, u8 *to)
{
	size_t i = 0;

#if SIMD_LEVEL == 3
	if (HOST_HAS(AVX512_VBMI)) {
		look_up_vbmi(table, from, n, to);
		return;
	}
#endif
#ifdef USES_NEON
	const uint8x16x4_t t0 = vld1q_u8_x4(table), t1 = vld1q_u8_x4(table + 64), t2 = vld1q_u8_x4(table + 128),
			   t3 = vld1q_u8_x4(table + 192);
	for (; i + 16 <= n; i += 16) { /* an index of 64 or more gives 0, or what was there */
		const uint8x16_t x = vld1q_u8(from + i), less = vdupq_n_u8(64);
		uint8x16_t r = vqtbl4q_u8(t0, x), index = vsubq_u8(x, less);
		r = vqtbx4q_u8(r, t1, index);
		index = vsubq_u8(index, less);
		r = vqtbx4q_u8(r, t2, index);
		vst1q_u8(to + i, vqtbx4q_u8(r, t3, vsubq_u8(index, less)));
	}
#elif SIMD_LEVEL >= 2
	if (n >= sizeof(bytes_vec)) {
		const bytes_vec last = vec_load(from + n - sizeof(bytes_vec)); /* some once more, as they were: `to` may be `from` */
		bytes_vec t[16];
		look_up_load(t, table);
		for (; i + sizeof(bytes_vec) <= n; i += sizeof(bytes_vec))
			vec_store(to + i, look_up_vec(t, vec_load(from + i)));
		if (i < n)
			vec_store(to + n - sizeof(bytes_vec), look_up_vec(t, last));
		return;
	}
#endif
	for (; i < n; i++)
		to[i] = table[from[i]];
}

#if SIMD_LEVEL == 2
/* 4 to 16 bytes as two halves that may have some in common. */
static inline __m128i row_load(const u8 *p, size_t n)
{
	i32 first, last;

	if (n == 16)
		return _mm_loadu_si128((const void *)p);
	if (n >= 8)
		return _mm_unpacklo_epi64(_mm_loadl_epi64((const void *)p), _mm_loadl_epi64((const void *)(p + n - 8)));
	memcpy(&first, p, sizeof(first));
	memcpy(&last, p + n - sizeof(last), sizeof(last));
	return _mm_set_epi64x(last, first);
}

static inline void row_put(u8 *p, size_t n, __m128i v)
{
	const __m128i high = _mm_unpackhi_epi64(v, v);

	if (n == 16) {
		_mm_storeu_si128((void *)p, v);
	} else if (n >= 8) {
		_mm_storel_epi64((void *)p, v);
		_mm_storel_epi64((void *)(p + n - 8), high);
	} else {
		const i32 first = _mm_cvtsi128_si32(v), last = _mm_cvtsi128_si32(high);
		memcpy(p, &first, sizeof(first));
		memcpy(p + n - sizeof(last), &last, sizeof(last));
	}
}

/* Two rows of at most 16 at a time. */
static void look_up_rows_short(const u8 table[256], const struct npu_byte_rows *g)
{
	const u8 *from = g->from;
	u8 *to = g->to;
	bytes_vec t[16];

	look_up_load(t, table);
	for (size_t r = 0; r < g->rows; r += 2, from += 2 * g->down_from, to += 2 * g->down_to) {
		const bool two = r + 1 < g->rows;
		const __m128i first = row_load(from, g->n);
		const __m256i v = look_up_vec(t, _mm256_set_m128i(two ? row_load(from + g->down_from, g->n) : first, first));
		row_put(to, g->n, _mm256_castsi256_si128(v));
		if (two)
			row_put(to + g->down_to, g->n, _mm256_extracti128_si256(v, 1));
	}
}

/* 17 to 31 bytes: both ends. */
static void look_up_rows_of_ends(const u8 table[256], const struct npu_byte_rows *g)
{
	const size_t last = g->n - 16;
	const u8 *from = g->from;
	u8 *to = g->to;
	bytes_vec t[16];

	look_up_load(t, table);
	for (size_t r = 0; r < g->rows; r++, from += g->down_from, to += g->down_to) {
		const __m256i v = look_up_vec(t, _mm256_set_m128i(_mm_loadu_si128((const void *)(from + last)), _mm_loadu_si128((const void *)from)));
		_mm_storeu_si128((void *)to, _mm256_castsi256_si128(v));
		_mm_storeu_si128((void *)(to + last), _mm256_extracti128_si256(v, 1));
	}
}

static bool look_up_rows(const u8 table[256], const struct npu_byte_rows *g)
{
	if (g->n < 4 || g->n >= sizeof(bytes_vec))
		return false;
	if (g->n <= 16)
		look_up_rows_short(table, g);
	else
		look_up_rows_of_ends(table, g);
	return true;
}
#endif

/* The same in place, of n bytes of each of some pixels that are `step` apart. */
static void look_up_pixels(const u8 table[256], u8 *p, i64 step, size_t pixels, size_t n)
{
	if (step == (i64)n) {
		look_up_bytes(table, p, pixels * n, p);
		return;
	}
#if SIMD_LEVEL == 2
	if (look_up_rows(table, &(struct npu_byte_rows){ p, p, step, step, pixels, n }))
		return;
#endif
#if SIMD_LEVEL == 3
	if (HOST_HAS(AVX512_VBMI)) {
		look_up_pixels_vbmi(table, p, step, pixels, n);
		return;
	}
#endif
	for (; pixels; pixels--, p += step)
		look_up_bytes(table, p, n, p);
}

#undef BYTES_OF
#undef LOW_BITS
#undef SHUFFLE
#undef CHOICE
#undef CHOOSE
