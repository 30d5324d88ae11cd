/* SPDX-License-Identifier: Apache-2.0 */
/* Panel times packed weights, register-blocked: P pixels x one or two groups of 16 channels, V vectors of them, stay
 * in registers over the whole of K. Part of simd.c.
 *
 * K is walked in blocks of 16 elements, which with `bricks` lie together for a pixel. */

static inline size_t block_at(size_t row, size_t k, bool bricks)
{
	return bricks && row - k > NPU_GROUP ? NPU_GROUP : row - k;
}

#if SIMD_LEVEL == 0
/* One pixel, 16 channels: the form that compilers without an x86 path vectorise. */
static void gemm_i16_pixel(const i16 *x, size_t row, bool bricks, const i16 *w, const i32 *bias,
			   i32 *acc)
{
	u32 a[NPU_GROUP];
	size_t n;

	memcpy(a, bias, sizeof(a));
	for (size_t k = 0; k < row; k += n, x += BRICK_STEP) {
		n = block_at(row, k, bricks);
		for (size_t j = 0; j < n; j += 2, w += 2 * NPU_GROUP)
			for (unsigned c = 0; c < NPU_GROUP; c++)
				a[c] += (u32)(x[j] * w[2 * c]) + (u32)(x[j + 1] * w[2 * c + 1]);
	}
	memcpy(acc, a, sizeof(a));
}

static void gemm_i16(const i16 *panel, size_t row, bool bricks, unsigned pixels, const i16 *weights,
		     unsigned groups, size_t group_step, const i32 *bias, i32 *acc)
{
	for (unsigned g = 0; g < groups; g++)
		for (unsigned p = 0; p < pixels; p++)
			gemm_i16_pixel(panel + p * (bricks ? NPU_GROUP : row), row, bricks,
				       weights + g * group_step, bias + g * NPU_GROUP,
				       acc + (g * NPU_TILE + p) * NPU_GROUP);
}
#else
/* T: the type of sums, pairs or quads (simd/ops.h).
 *
 * One multiply per sum: TAPS elements of each pixel with TAPS weights of each channel, `at` weights
 * from those of each group in w on. */
#define GEMM_STEP(P, V, TAPS, SPREAD, DOT, x, step, w, at) \
	UNROLL for (unsigned p_ = 0; p_ < (P); p_++) { \
		vec x_ = SPREAD((x) + p_ * (step)); \
		UNROLL for (unsigned v_ = 0; v_ < (V); v_++) { \
			a[p_][v_] = DOT(a[p_][v_], x_, vec_load(w[v_ / VECS] + (at) + v_ % VECS * LANES * (TAPS))); \
			vec_keep(a[p_][v_]); \
		} \
	}

/* Sums to a[pixel][vector]. */
#define GEMM_SUMS(NAME, X, W, TAPS, SPREAD, DOT, T) \
ALWAYS_INLINE void NAME##_sums(const unsigned P, const unsigned V, size_t step, size_t next, const X *panel, size_t row, \
			       const W *weights, size_t group_step, const i32 *bias, T a[PIXELS][2 * VECS]) \
{ \
	const W *w[2] = { weights, weights + ((V) - 1) / VECS * group_step }; \
	size_t k = row; \
	UNROLL for (unsigned p = 0; p < P; p++) \
		UNROLL for (unsigned v = 0; v < V; v++) \
			a[p][v] = T##_start(bias + v * LANES); \
	for (; k >= NPU_GROUP; k -= NPU_GROUP, panel += next) { \
		UNROLL for (unsigned j = 0; j < NPU_GROUP; j += (TAPS)) \
			GEMM_STEP(P, V, TAPS, SPREAD, DOT, panel + j, step, w, j * NPU_GROUP) \
		w[0] += NPU_GROUP * NPU_GROUP; \
		w[1] += NPU_GROUP * NPU_GROUP; \
	} \
	for (; k; k -= (TAPS), panel += (TAPS)) { \
		GEMM_STEP(P, V, TAPS, SPREAD, DOT, panel, step, w, 0) \
		w[0] += (TAPS) * NPU_GROUP; \
		w[1] += (TAPS) * NPU_GROUP; \
	} \
}

#define GEMM_BLOCK(NAME, X, W, T) \
ALWAYS_INLINE void NAME##_block(const unsigned P, const unsigned V, size_t step, size_t next, const X *panel, \
				size_t row, const W *weights, size_t group_step, const i32 *bias, i32 *acc) \
{ \
	T a[PIXELS][2 * VECS]; \
	NAME##_sums(P, V, step, next, panel, row, weights, group_step, bias, a); \
	UNROLL for (unsigned p = 0; p < P; p++) \
		UNROLL for (unsigned v = 0; v < V; v++) \
			vec_store(acc + (v / VECS * NPU_TILE + p) * NPU_GROUP + v % VECS * LANES, T##_value(a[p][v])); \
}

/* All pixels, in the largest blocks that fit. */
#define GEMM_GROUPS(NAME, X, W, T) \
ALWAYS_INLINE void NAME##_groups(const unsigned V, bool bricks, const X *panel, size_t row, \
				 unsigned pixels, const W *weights, size_t group_step, \
				 const i32 *bias, i32 *acc) \
{ \
	const size_t step = bricks ? NPU_GROUP : row, next = bricks ? BRICK_STEP : NPU_GROUP; \
	for (unsigned n; pixels; pixels -= n) { \
		if (pixels >= T##_MOST(V)) { \
			n = T##_MOST(V); \
			NAME##_block(T##_MOST(V), V, step, next, panel, row, weights, group_step, bias, acc); \
		} else if (pixels >= T##_SOME) { \
			n = T##_SOME; \
			NAME##_block(T##_SOME, V, step, next, panel, row, weights, group_step, bias, acc); \
		} else if (pixels >= T##_FEW) { \
			n = T##_FEW; \
			NAME##_block(T##_FEW, V, step, next, panel, row, weights, group_step, bias, acc); \
		} else { \
			n = 1; \
			NAME##_block(1, V, step, next, panel, row, weights, group_step, bias, acc); \
		} \
		panel += n * step; \
		acc += n * NPU_GROUP; \
	} \
}

#ifdef USES_NEON
/* One group after the other: the registers are full of one group's sums. */
#define GEMM_ALL(NAME, X, W) \
static void NAME(const X *panel, size_t row, bool bricks, unsigned pixels, const W *weights, \
		 unsigned groups, size_t group_step, const i32 *bias, i32 *acc) \
{ \
	for (; groups; groups--, weights += group_step, bias += NPU_GROUP, acc += NPU_TILE * NPU_GROUP) \
		if (bricks) \
			NAME##_groups(VECS, true, panel, row, pixels, weights, group_step, bias, acc); \
		else \
			NAME##_groups(VECS, false, panel, row, pixels, weights, group_step, bias, acc); \
}
#else
/* Taps up to which AVX2 takes one group after the other: weights read for three pixels take longer than their products, those for six do not. */
#define GEMM_SHORT (SIMD_LEVEL == 2 ? 2 * NPU_GROUP : 0)

#define GEMM_ALL(NAME, X, W) \
static void NAME(const X *panel, size_t row, bool bricks, unsigned pixels, const W *weights, \
		 unsigned groups, size_t group_step, const i32 *bias, i32 *acc) \
{ \
	if (GEMM_SHORT > 0 && bricks && row <= GEMM_SHORT) \
		for (; groups; groups--, weights += group_step, bias += NPU_GROUP, acc += NPU_TILE * NPU_GROUP) \
			NAME##_groups(VECS, true, panel, row, pixels, weights, group_step, bias, acc); \
	else if (groups == 2) \
		NAME##_groups(2 * VECS, bricks, panel, row, pixels, weights, group_step, bias, acc); \
	else if (bricks && PIXELS > 8) /* no registers are left for so many addresses: their distance is a constant */ \
		NAME##_groups(VECS, true, panel, row, pixels, weights, group_step, bias, acc); \
	else \
		NAME##_groups(VECS, bricks, panel, row, pixels, weights, group_step, bias, acc); \
}
#endif

#define GEMM(NAME, X, W, TAPS, SPREAD, DOT, T) \
GEMM_SUMS(NAME, X, W, TAPS, SPREAD, DOT, T) \
GEMM_BLOCK(NAME, X, W, T) \
GEMM_GROUPS(NAME, X, W, T) \
GEMM_ALL(NAME, X, W)

GEMM(gemm_i16, i16, i16, 2, vec_pair, vec_madd, pairs)
#ifdef USES_DOT
GEMM(gemm_u8, u8, i8, 4, vec_quad, vec_dot, quads)
#endif

#if SIMD_LEVEL == 2
/* gemm_i16 where the last group has no more than the channels of a vector: 0 for the others. */
static void gemm_i16_half(const i16 *panel, size_t row, bool bricks, unsigned pixels, const i16 *weights, unsigned groups, size_t group_step,
			  const i32 *bias, i32 *acc)
{
	if (groups == 2)
		gemm_i16_groups(VECS + 1, bricks, panel, row, pixels, weights, group_step, bias, acc);
	else
		gemm_i16_groups(1, bricks, panel, row, pixels, weights, group_step, bias, acc);
	acc += (groups - 1) * NPU_TILE * NPU_GROUP + LANES;
	for (; pixels; pixels--, acc += NPU_GROUP)
		vec_store(acc, _mm256_setzero_si256());
}
#endif

#if SIMD_LEVEL == 3
/* Four chains of sums, which do not wait for each other. */
static u32 sums_i8(const i8 *weights, size_t row, i32 sum[NPU_GROUP])
{
	const vec ones = _mm512_set1_epi8(1);
	vec a[4], m[4];

	UNROLL for (unsigned v = 0; v < 4; v++)
		a[v] = m[v] = _mm512_setzero_si512();
	for (size_t k = 0; k < row; k += 16)
		UNROLL for (unsigned v = 0; v < 4; v++) {
			if (k + 4 * v >= row)
				break;
			const vec w = vec_load(weights + (k + 4 * v) * NPU_GROUP);
			a[v] = vec_dot(a[v], ones, w);
			m[v] = vec_dot(m[v], _mm512_abs_epi8(w), ones);
		}
	_mm512_storeu_si512(sum, _mm512_add_epi32(_mm512_add_epi32(a[0], a[1]), _mm512_add_epi32(a[2], a[3])));
	return (u32)_mm512_reduce_max_epu32(_mm512_add_epi32(_mm512_add_epi32(m[0], m[1]), _mm512_add_epi32(m[2], m[3])));
}
#elif SIMD_LEVEL == 2
/* vector_u8 has no products of -128. */
static u32 sums_i8(const i8 *weights, size_t row, i32 sum[NPU_GROUP])
{
	const vec ones = _mm256_set1_epi8(1), words = _mm256_set1_epi16(1), least = _mm256_set1_epi8(INT8_MIN);
	vec a[VECS], m[VECS], most, lowest = _mm256_setzero_si256();
	u32 sums[LANES], largest = 0;

	UNROLL for (unsigned v = 0; v < VECS; v++)
		a[v] = m[v] = _mm256_setzero_si256();
	for (size_t k = 0; k < row; k += 4)
		UNROLL for (unsigned v = 0; v < VECS; v++, weights += sizeof(vec)) {
			const vec w = vec_load(weights), size = _mm256_abs_epi8(w);
			a[v] = vec_madd(a[v], _mm256_maddubs_epi16(ones, w), words);
			m[v] = vec_madd(m[v], _mm256_maddubs_epi16(size, ones), words);
			lowest = _mm256_or_si256(lowest, _mm256_cmpeq_epi8(w, least));
		}
	UNROLL for (unsigned v = 0; v < VECS; v++)
		vec_store(sum + v * LANES, a[v]);
	most = _mm256_max_epu32(m[0], m[1]);
	vec_store(sums, most);
	for (unsigned i = 0; i < LANES; i++)
		largest = sums[i] > largest ? sums[i] : largest;
	return _mm256_testz_si256(lowest, lowest) ? largest : UINT32_MAX;
}
#elif SIMD_LEVEL == 5
static u32 sums_i8(const i8 *weights, size_t row, i32 sum[NPU_GROUP])
{
	const uint8x16_t ones = vdupq_n_u8(1);
	uint32x4_t m[VECS] = { vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0) };
	int32x4_t a[VECS] = { vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0) };

	for (size_t k = 0; k < row; k += 4)
		UNROLL for (unsigned v = 0; v < VECS; v++, weights += 4 * LANES) {
			const int8x16_t w = vld1q_s8(weights);
			a[v] = vdotq_s32(a[v], w, vreinterpretq_s8_u8(ones));
			m[v] = vdotq_u32(m[v], vreinterpretq_u8_s8(vabsq_s8(w)), ones);
		}
	UNROLL for (unsigned v = 0; v < VECS; v++)
		vst1q_s32(sum + v * LANES, a[v]);
	return vmaxvq_u32(vmaxq_u32(vmaxq_u32(m[0], m[1]), vmaxq_u32(m[2], m[3])));
}
#endif
#endif
