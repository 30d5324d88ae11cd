/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of bytes (add.h) in rows of at most 16, as the channels of groups are where layouts differ or bricks are not full: from wherever they are to
 * wherever they go without being brought together in memory. Part of simd.c. */

#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
/* A row's bytes are two pieces of `piece` bytes, the second one the last of it, which may begin in the first; or one piece of 16. */
struct pieces {
	i64 down;
	size_t second; /* where it begins */
};

/* Rows of four vectors. */
ALWAYS_INLINE size_t pieced_rows(const unsigned piece)
{
	return 4 * LANES / (piece == 16 ? 16 : 2 * piece);
}

static inline i32 piece_of_4(const u8 *p)
{
	i32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline __m128i pieces_of_8(const u8 *first, const u8 *second)
{
	return _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(_mm_loadl_epi64((const void *)first)), (const void *)second));
}

/* The bytes of vector k. */
ALWAYS_INLINE __m128i pieces_load(const unsigned piece, const struct pieces *at, const u8 *p, const unsigned k)
{
#if SIMD_LEVEL == 3
	const u8 *const row = p + (piece == 4 ? 2 * k : k) * at->down;

	if (piece == 16)
		return _mm_loadu_si128((const void *)row);
	if (piece == 8)
		return pieces_of_8(row, row + at->second);
	return _mm_setr_epi32(piece_of_4(row), piece_of_4(row + at->second), piece_of_4(row + at->down), piece_of_4(row + at->down + at->second));
#else
	const u8 *const row = p + (piece == 4 ? k : k / 2) * at->down;

	if (piece != 4)
		return _mm_loadl_epi64((const void *)(row + k % 2 * (piece == 16 ? 8 : at->second)));
	return _mm_setr_epi32(piece_of_4(row), piece_of_4(row + at->second), 0, 0);
#endif
}

static inline void pieces_put_8(u8 *first, u8 *second, __m128i v)
{
	_mm_storel_epi64((void *)first, v);
	_mm_storeh_pi((void *)second, _mm_castsi128_ps(v));
}

static inline void pieces_put_4(u8 *first, u8 *second, i64 v)
{
	memcpy(first, &v, 4);
	v >>= 32;
	memcpy(second, &v, 4);
}

/* 16 bytes of results: one row's or two rows'. */
ALWAYS_INLINE void pieces_put(const unsigned piece, const struct pieces *to, u8 *p, __m128i v)
{
	if (piece == 16)
		_mm_storeu_si128((void *)p, v);
	else if (piece == 8)
		pieces_put_8(p, p + to->second, v);
	else {
		pieces_put_4(p, p + to->second, _mm_cvtsi128_si64(v));
		pieces_put_4(p + to->down, p + to->down + to->second, _mm_cvtsi128_si64(_mm_unpackhi_epi64(v, v)));
	}
}

ALWAYS_INLINE void pieces_store(const unsigned piece, const struct pieces *to, u8 *p, vec v)
{
	const i64 down = (piece == 4 ? 2 : 1) * to->down;

#if SIMD_LEVEL == 3
	pieces_put(piece, to, p, _mm512_castsi512_si128(v));
	pieces_put(piece, to, p + down, _mm512_extracti32x4_epi32(v, 1));
	pieces_put(piece, to, p + 2 * down, _mm512_extracti32x4_epi32(v, 2));
	pieces_put(piece, to, p + 3 * down, _mm512_extracti32x4_epi32(v, 3));
#else
	pieces_put(piece, to, p, _mm256_castsi256_si128(v));
	pieces_put(piece, to, p + down, _mm256_extracti128_si256(v, 1));
#endif
}

/* Sums of which one lies too close to a tie. */
static NOINLINE vec pieces_settled(const unsigned piece, const struct npu_add8 *s, const struct sum_vec *c, const struct pieces at[2], const u8 *a, const u8 *b)
{
	NPU_LINE u8 x[4 * LANES + 16], y[4 * LANES + 16];

	for (unsigned k = 0; k < 4; k++) { /* in this order: each may be followed by bytes of no meaning */
		_mm_storeu_si128((void *)(x + k * LANES), pieces_load(piece, &at[0], a, k));
		_mm_storeu_si128((void *)(y + k * LANES), pieces_load(piece, &at[1], b, k));
	}
	return sum_settled(s, c, x, y);
}

/* As many rows as four vectors have. */
ALWAYS_INLINE vec pieces_sum(const unsigned piece, const struct npu_add8 *s, const struct sum_vec *c, const bool plain, const struct pieces at[2], const u8 *a, const u8 *b)
{
	__m128i x[4], y[4];
	vec v;

	UNROLL for (unsigned k = 0; k < 4; k++) {
		x[k] = pieces_load(piece, &at[0], a, k);
		y[k] = pieces_load(piece, &at[1], b, k);
	}
	if (__builtin_expect(!sum_bytes(c, plain, x, y, &v), 0))
		v = pieces_settled(piece, s, c, at, a, b);
	return v;
}

/* Fewer rows than four vectors have: through memory. */
ALWAYS_INLINE void pieces_few(const unsigned piece, const struct npu_add8 *s, const struct sum_vec *c, const bool plain, const struct npu_words_grid *g)
{
	const struct pieces packed = { NPU_GROUP, g->n - piece }, at[2] = { packed, packed };
	u8 x[8 * NPU_GROUP] = { 0 }, y[8 * NPU_GROUP] = { 0 };

	for (size_t r = 0; r < g->rows; r++) {
		memcpy(x + r * NPU_GROUP, g->a + (i64)r * g->down_a, g->n);
		memcpy(y + r * NPU_GROUP, g->b + (i64)r * g->down_b, g->n);
	}
	pieces_store(piece, at, x, pieces_sum(piece, s, c, plain, at, x, y));
	for (size_t r = 0; r < g->rows; r++)
		memcpy(g->to + (i64)r * g->down_to, x + r * NPU_GROUP, g->n);
}

ALWAYS_INLINE void pieces_all(const unsigned piece, const struct npu_add8 *s, const struct sum_vec *c, const bool plain, const struct npu_words_grid *g)
{
	const bool one = g->rows == 1; /* is done as many times as four vectors have rows */
	const struct pieces at[2] = { { one ? 0 : g->down_a, g->n - piece }, { one ? 0 : g->down_b, g->n - piece } }, to = { one ? 0 : g->down_to, g->n - piece };
	const size_t each = pieced_rows(piece), last = one ? 0 : g->rows - each;

	if (g->rows < each && !one) {
		pieces_few(piece, s, c, plain, g);
		return;
	}
	/* the last ones, some of which are done twice, before anything is stored, perhaps where it was */
	const vec end = pieces_sum(piece, s, c, plain, at, g->a + (i64)last * g->down_a, g->b + (i64)last * g->down_b);
	for (size_t r = 0; r < last; r += each)
		pieces_store(piece, &to, g->to + (i64)r * g->down_to, pieces_sum(piece, s, c, plain, at, g->a + (i64)r * g->down_a, g->b + (i64)r * g->down_b));
	pieces_store(piece, &to, g->to + (i64)last * g->down_to, end);
}

ALWAYS_INLINE void add8_pieces(const unsigned piece, const struct npu_add8 *s, const struct npu_words_grid *g)
{
	const struct sum_vec c = sum_load(s);

	if (c.plain)
		pieces_all(piece, s, &c, true, g);
	else
		pieces_all(piece, s, &c, false, g);
}
#endif

#if SIMD_LEVEL == 3
#define LANES_BLOCK 512 /* bytes done together */

#define FEW_CHANNELS 4
#define MANY_CHANNELS 9 /* from so many on most of a vector is filled */
#define MANY_EXACT 11   /* the same of sums that take longer */

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

/* The first channels of bricks, which fill most of a vector. */
static void add8_many(const struct npu_add8 *s, const u8 *a, const u8 *b, size_t bricks, u64 of_four, u8 *out)
{
	for (size_t left = bricks * NPU_GROUP, n; left; left -= n, a += n, b += n, out += n) {
		NPU_LINE u8 x[LANES_BLOCK], y[LANES_BLOCK];
		__mmask64 mask[LANES_BLOCK / 64];
		n = left < LANES_BLOCK ? left : LANES_BLOCK;
		const size_t blocks = (n + 63) / 64;
		for (size_t i = 0; i < blocks; i++) {
			const size_t rest = n - i * 64;
			mask[i] = rest < 64 ? of_four & ((UINT64_C(1) << rest) - 1) : of_four;
			vec_store(x + i * 64, _mm512_maskz_loadu_epi8(mask[i], a + i * 64));
			vec_store(y + i * 64, _mm512_maskz_loadu_epi8(mask[i], b + i * 64));
		}
		add8(s, x, y, blocks * 64, x);
		for (size_t i = 0; i < blocks; i++)
			_mm512_mask_storeu_epi8(out + i * 64, mask[i], vec_load(x + i * 64));
	}
}

/* Bricks that lie one behind the other: channels behind those meant are neither looked at nor written. */
static bool add8_bricks(const struct npu_add8 *s, const struct npu_words_grid *g)
{
	const u64 of_four = UINT64_C(0x0001000100010001) * ((1u << g->n) - 1);

	if (g->down_a != NPU_GROUP || g->down_b != NPU_GROUP || g->down_to != NPU_GROUP || (g->n > FEW_CHANNELS && g->n < (s->estimate ? MANY_CHANNELS : MANY_EXACT)))
		return false;
	if (g->n <= FEW_CHANNELS)
		add8_few(s, g->a, g->b, g->rows, of_four, g->to);
	else
		add8_many(s, g->a, g->b, g->rows, of_four, g->to);
	return true;
}
#endif

#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
static bool add8_rows(const struct npu_add8 *s, const struct npu_words_grid *g)
{
	if (g->n > NPU_GROUP)
		return false;
#if SIMD_LEVEL == 3
	if (add8_bricks(s, g))
		return true;
#endif
	if (g->n < 4 || !s->estimate || s->narrow.table)
		return false;
	if (g->n == NPU_GROUP)
		add8_pieces(16, s, g);
	else if (g->n > 8)
		add8_pieces(8, s, g);
	else
		add8_pieces(4, s, g);
	return true;
}
#endif
