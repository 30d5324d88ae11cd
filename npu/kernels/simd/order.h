/* SPDX-License-Identifier: Apache-2.0 */
/* Weights from the order of streams to that of the multiplying loops. Part of simd.c. */

#if SIMD_LEVEL == 3
/* The first or second words of runs of sixteen channels, two words each. */
static inline __m512i order_words(__m512i low, __m512i high, const bool second)
{
	const __m512i first = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);

	return _mm512_permutex2var_epi32(low, second ? _mm512_add_epi32(first, _mm512_set1_epi32(1)) : first, high);
}

/* Where the inputs behind these go, in fresh memory. */
static inline void order_ahead(const u8 *to, size_t runs)
{
	_mm_prefetch((const void *)(to + 128 * runs), _MM_HINT_T0);
	_mm_prefetch((const void *)(to + 128 * runs + 64), _MM_HINT_T0);
}

/* Eight channels of which another core has the neighbours. */
static inline void order_every_second(u8 *to, const u8 *from, size_t runs, size_t apart, u32 core)
{
	const __m512i first = _mm512_set_epi32(14, 14, 12, 12, 10, 10, 8, 8, 6, 6, 4, 4, 2, 2, 0, 0);
	const __mmask16 own = (__mmask16)(0x5555u << core);

	for (size_t i = 0; i < runs; i++, from += apart, to += 128) {
		const __m512i run = _mm512_loadu_si512(from);
		order_ahead(to, runs);
		_mm512_mask_storeu_epi32(to, own, _mm512_permutexvar_epi32(first, run));
		_mm512_mask_storeu_epi32(to + 64, own, _mm512_permutexvar_epi32(_mm512_add_epi32(first, _mm512_set1_epi32(1)), run));
	}
}

ALWAYS_INLINE void order_runs(u8 *to, const u8 *from, size_t runs, size_t apart, u32 channels, size_t eights)
{
	for (size_t i = 0; i < runs; i++, from += apart, to += 128) {
		const __m512i low = _mm512_loadu_si512(from);
		order_ahead(to, runs);
		if (channels == 16) {
			const __m512i high = _mm512_loadu_si512(from + eights);
			_mm512_storeu_si512(to, order_words(low, high, false));
			_mm512_storeu_si512(to + 64, order_words(low, high, true));
		} else {
			_mm256_storeu_si256((void *)to, _mm512_castsi512_si256(order_words(low, low, false)));
			_mm256_storeu_si256((void *)(to + 64), _mm512_castsi512_si256(order_words(low, low, true)));
		}
	}
}

static void order_i8(const struct npu_weights_target *t, u32 channels, u8 *to, const u8 *from, size_t runs, size_t apart, size_t eights)
{
	if (t->cores == 2)
		order_every_second(to - 4 * t->core, from, runs, apart, t->core);
	else if (channels == 16)
		order_runs(to, from, runs, apart, 16, eights);
	else
		order_runs(to, from, runs, apart, 8, 0);
}

/* The taps of one group. */
ALWAYS_INLINE void order_taps(const struct npu_weights_groups *g, u8 *to, const u8 *from, size_t runs, const u32 cores, u32 core)
{
	for (size_t y = 0; y < g->lines; y++, to += g->line)
		for (size_t x = 0; x < g->columns; x++, from += g->tap)
			if (cores == 2)
				order_every_second(to + x * g->column, from, runs, 64, core);
			else
				order_runs(to + x * g->column, from, runs, 64, 16, g->eights);
}

static void order_groups_i8(const struct npu_weights_target *t, const struct npu_weights_groups *g)
{
	const u8 *from = g->from;
	u8 *to = g->to - 4 * t->core;

	for (size_t i = 0; i < g->groups; i++, to += g->group, from += 2 / t->cores * g->eights) {
		if (t->cores == 2)
			order_taps(g, to, from, g->runs, 2, t->core);
		else if (g->runs == 4)
			order_taps(g, to, from, 4, 1, 0);
		else
			order_taps(g, to, from, g->runs, 1, 0);
	}
}
#endif

#if SIMD_LEVEL == 2
/* Runs of eight int16 of two channels, one to a half. */
static inline __m256i order_two(const u8 *low, const u8 *high)
{
	return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)low)), _mm_loadu_si128((const void *)high), 1);
}

/* Of eight channels side by side: half of a group. */
ALWAYS_INLINE void order_eight(u8 *to, const u8 *from)
{
	const __m256i a = order_two(from, from + 64), b = order_two(from + 16, from + 80);
	const __m256i c = order_two(from + 32, from + 96), d = order_two(from + 48, from + 112);
	const __m256i ab = _mm256_unpacklo_epi32(a, b), cd = _mm256_unpacklo_epi32(c, d);
	const __m256i ab_high = _mm256_unpackhi_epi32(a, b), cd_high = _mm256_unpackhi_epi32(c, d);

	_mm256_storeu_si256((void *)to, _mm256_unpacklo_epi64(ab, cd));
	_mm256_storeu_si256((void *)(to + 64), _mm256_unpackhi_epi64(ab, cd));
	_mm256_storeu_si256((void *)(to + 128), _mm256_unpacklo_epi64(ab_high, cd_high));
	_mm256_storeu_si256((void *)(to + 192), _mm256_unpackhi_epi64(ab_high, cd_high));
}

/* Four channels' pairs to every second word, of which the others stay. */
ALWAYS_INLINE void order_between(u8 *to, __m256i words, const u32 core)
{
	const __m256i old = _mm256_loadu_si256((const void *)to);

	_mm256_storeu_si256((void *)to, core ? _mm256_blend_epi32(old, words, 0xaa) : _mm256_blend_epi32(old, words, 0x55));
}

/* Of four channels of which another core has the neighbours. */
ALWAYS_INLINE void order_four(u8 *to, const u8 *from, const u32 core)
{
	const __m256i a = order_two(from, from + 32), b = order_two(from + 16, from + 48);
	const __m256i low = _mm256_unpacklo_epi32(a, b), high = _mm256_unpackhi_epi32(a, b);

	order_between(to, _mm256_shuffle_epi32(low, 0x50), core);
	order_between(to + 64, _mm256_shuffle_epi32(low, 0xfa), core);
	order_between(to + 128, _mm256_shuffle_epi32(high, 0x50), core);
	order_between(to + 192, _mm256_shuffle_epi32(high, 0xfa), core);
}

ALWAYS_INLINE void order_runs(u8 *to, const u8 *from, size_t runs, size_t apart, const u32 channels, size_t eights, const u32 cores, const u32 core)
{
	for (size_t i = 0; i < runs; i++, from += apart, to += 256) {
		for (size_t next = 256 * runs; next < 256 * (runs + 1); next += 64) /* where the inputs behind these go, in fresh memory */
			_mm_prefetch((const void *)(to + next), _MM_HINT_T0);
		if (cores == 2) {
			order_four(to, from, core);
			order_four(to + 32, from + 64, core);
			continue;
		}
		order_eight(to, from);
		if (channels == 16)
			order_eight(to + 32, from + eights);
	}
}

static void order_i16(const struct npu_weights_target *t, u32 channels, u8 *to, const u8 *from, size_t runs, size_t apart, size_t eights)
{
	if (t->cores == 1 && channels == 16)
		order_runs(to, from, runs, apart, 16, eights, 1, 0);
	else if (t->cores == 1)
		order_runs(to, from, runs, apart, 8, 0, 1, 0);
	else if (t->core == 0)
		order_runs(to, from, runs, apart, 8, 0, 2, 0);
	else
		order_runs(to - 4, from, runs, apart, 8, 0, 2, 1);
}
#endif
