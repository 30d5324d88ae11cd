/* SPDX-License-Identifier: Apache-2.0 */
/* Panel times packed weights with half the multiplies (S. Winograd, 1968), where sums of an element and a weight have int16: of four taps
 *
 *   (x0 + w2) (x2 + w0) + (x1 + w3) (x3 + w1)
 *
 * is their sum, x0 x2 + x1 x3, which is one for all channels, and w0 w2 + w1 w3, which is one for all pixels. Of as many operations three in four are
 * additions, for which hosts have twice as many units. All is exact as it wraps. Part of simd.c. */

#if SIMD_LEVEL == 2
#define CROSS_PIXELS 4  /* at a time: their sums, weights of four taps and elements fill the registers */
#define CROSS_LEAST 16  /* pixels of a tile: what channels need for themselves takes as long as half a pixel */
#define CROSS_ROW 32    /* taps */
#define CROSS_DEPTH 64  /* channels: pixels' own products are made for all of them */

/* Whether a layer is done so; no vector's products of a group are left out. */
static inline bool cross_pays(const struct npu_layer8 *l, unsigned pixels)
{
	return l->small && l->row >= CROSS_ROW && l->depth >= CROSS_DEPTH && (l->depth - 1) % NPU_GROUP >= LANES && pixels >= CROSS_LEAST;
}

/* What each pixel's own products are; those of less than 16 taps at the end are made in pairs. */
static void cross_pixels(const i16 *panel, size_t row, bool bricks, unsigned pixels, i32 *own)
{
	const size_t step = bricks ? NPU_GROUP : row, next = bricks ? BRICK_STEP : NPU_GROUP;

	for (unsigned p = 0; p < pixels; p++, panel += step) {
		const i16 *x = panel;
		vec sum = _mm256_setzero_si256();
		for (size_t k = row; k >= NPU_GROUP; k -= NPU_GROUP, x += next) {
			const vec v = vec_load(x);
			sum = vec_madd(sum, v, _mm256_srli_epi64(v, 32));
		}
		const __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
		own[p] = _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_unpackhi_epi64(half, half)));
	}
}

/* start = bias less each channel's own products. */
static void cross_channels(const i16 *weights, size_t row, const i32 *bias, i32 start[NPU_GROUP])
{
	vec own[VECS];

	UNROLL for (unsigned v = 0; v < VECS; v++)
		own[v] = _mm256_setzero_si256();
	for (; row >= NPU_GROUP; row -= NPU_GROUP)
		for (unsigned j = 0; j < NPU_GROUP; j += 4, weights += 4 * NPU_GROUP)
			UNROLL for (unsigned v = 0; v < VECS; v++)
				own[v] = vec_madd(own[v], vec_load(weights + v * 2 * LANES), vec_load(weights + 2 * NPU_GROUP + v * 2 * LANES));
	UNROLL for (unsigned v = 0; v < VECS; v++)
		vec_store(start + v * LANES, _mm256_sub_epi32(vec_load(bias + v * LANES), own[v]));
}

/* Where pixel p's elements are. */
#define CROSS_AT(p) ((p) < 3 ? x + (p) * step : fourth)

/* Four taps of P pixels. */
ALWAYS_INLINE void cross_four(const unsigned P, const i16 *x, const i16 *fourth, size_t step, const i16 *w, vec a[CROSS_PIXELS][VECS])
{
	vec low[VECS], high[VECS];

	UNROLL for (unsigned v = 0; v < VECS; v++) {
		low[v] = vec_load(w + v * 2 * LANES);
		high[v] = vec_load(w + 2 * NPU_GROUP + v * 2 * LANES);
	}
	UNROLL for (unsigned p = 0; p < P; p++) {
		const vec first = vec_pair(CROSS_AT(p)), second = vec_pair(CROSS_AT(p) + 2);
		vec left[VECS], right[VECS];
		UNROLL for (unsigned v = 0; v < VECS; v++) {
			left[v] = _mm256_add_epi16(first, high[v]);
			right[v] = _mm256_add_epi16(second, low[v]);
		}
		UNROLL for (unsigned v = 0; v < VECS; v++) {
			a[p][v] = vec_madd(a[p][v], left[v], right[v]);
			vec_keep(a[p][v]);
		}
	}
}

/* Two taps as they are. */
ALWAYS_INLINE void cross_two(const unsigned P, const i16 *x, const i16 *fourth, size_t step, const i16 *w, vec a[CROSS_PIXELS][VECS])
{
	UNROLL for (unsigned p = 0; p < P; p++) {
		const vec both = vec_pair(CROSS_AT(p));
		UNROLL for (unsigned v = 0; v < VECS; v++) {
			a[p][v] = vec_madd(a[p][v], both, vec_load(w + v * 2 * LANES));
			vec_keep(a[p][v]);
		}
	}
}
#undef CROSS_AT

ALWAYS_INLINE void cross_block(const unsigned P, const bool bricks, const i16 *x, size_t row, const i16 *w, const i32 *start, const i32 *own, i32 *acc)
{
	const size_t next = bricks ? BRICK_STEP : NPU_GROUP;
	size_t step = bricks ? NPU_GROUP : row, k = row;
	const i16 *fourth = P == CROSS_PIXELS ? x + 3 * step : x;
	vec a[CROSS_PIXELS][VECS];

	__asm__("" : "+r"(fourth)); /* an address of its own */
	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned v = 0; v < VECS; v++)
			a[p][v] = _mm256_sub_epi32(vec_load(start + v * LANES), _mm256_set1_epi32(own[p]));
	for (; k >= NPU_GROUP; k -= NPU_GROUP, x += next, fourth += next, w += NPU_GROUP * NPU_GROUP)
		UNROLL for (unsigned j = 0; j < NPU_GROUP; j += 4) {
			if (!bricks)
				__asm__ volatile("" : "+r"(step)); /* gcc would have a register for each step + j */
			cross_four(P, x + j, fourth + j, step, w + j * NPU_GROUP, a);
		}
	for (; k; k -= 2, x += 2, fourth += 2, w += 2 * NPU_GROUP)
		cross_two(P, x, fourth, step, w, a);
	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned v = 0; v < VECS; v++)
			vec_store(acc + p * NPU_GROUP + v * LANES, a[p][v]);
}

ALWAYS_INLINE void cross_blocks(const bool bricks, const i16 *x, size_t row, unsigned pixels, const i16 *w, const i32 *start, const i32 *own, i32 *acc)
{
	const size_t step = bricks ? NPU_GROUP : row;

	for (; pixels >= CROSS_PIXELS; pixels -= CROSS_PIXELS, x += CROSS_PIXELS * step, own += CROSS_PIXELS, acc += CROSS_PIXELS * NPU_GROUP)
		cross_block(CROSS_PIXELS, bricks, x, row, w, start, own, acc);
	for (; pixels; pixels--, x += step, own++, acc += NPU_GROUP)
		cross_block(1, bricks, x, row, w, start, own, acc);
}

/* acc[pixel][16] of a group. */
static void cross_group(const i16 *panel, size_t row, bool bricks, unsigned pixels, const i16 *weights, const i32 *bias, const i32 *own, i32 *acc)
{
	NPU_LINE i32 start[NPU_GROUP];

	cross_channels(weights, row, bias, start);
	if (bricks)
		cross_blocks(true, panel, row, pixels, weights, start, own, acc);
	else
		cross_blocks(false, panel, row, pixels, weights, start, own, acc);
}
#endif
