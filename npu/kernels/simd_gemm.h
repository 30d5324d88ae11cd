/* SPDX-License-Identifier: Apache-2.0 */
/* Panel times packed weights, register-blocked: P pixels x one group (or two, VNNI) of 16
 * channels stay in registers over the whole of K. Part of simd.c.
 *
 * K is walked in blocks that lie together for a pixel: a whole row of the panel, or with
 * `bricks` 16 elements. */

#define BRICK_STEP ((size_t)NPU_TILE * NPU_GROUP) /* from brick to brick of a panel */

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
ALWAYS_INLINE void gemm_i16_block(const unsigned P, const bool bricks, const i16 *panel, size_t row,
				  const i16 *weights, const i32 *bias, i32 *acc)
{
	const size_t step = bricks ? NPU_GROUP : row;
	vec a[PIXELS][VECS];
	size_t n;

	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned v = 0; v < VECS; v++)
			a[p][v] = vec_load(bias + v * LANES);
	for (size_t k = 0; k < row; k += n, panel += BRICK_STEP) {
		n = block_at(row, k, bricks);
		for (size_t j = 0; j < n; j += 2, weights += 2 * NPU_GROUP) {
			vec w[VECS];
			UNROLL for (unsigned v = 0; v < VECS; v++)
				w[v] = vec_load(weights + 2 * v * LANES);
			UNROLL for (unsigned p = 0; p < P; p++) {
				vec x = vec_pair(panel + p * step + j);
				UNROLL for (unsigned v = 0; v < VECS; v++)
					a[p][v] = vec_madd(a[p][v], x, w[v]);
			}
		}
	}
	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned v = 0; v < VECS; v++)
			vec_store(acc + p * NPU_GROUP + v * LANES, a[p][v]);
}

ALWAYS_INLINE void gemm_i16_group(const bool bricks, const i16 *panel, size_t row, unsigned pixels,
				  const i16 *weights, const i32 *bias, i32 *acc)
{
	while (pixels) {
		unsigned n;
		if (pixels >= PIXELS) {
			n = PIXELS;
			gemm_i16_block(PIXELS, bricks, panel, row, weights, bias, acc);
#if PIXELS > 4
		} else if (pixels >= 4) {
			n = 4;
			gemm_i16_block(4, bricks, panel, row, weights, bias, acc);
#endif
#if PIXELS > 2
		} else if (pixels >= 2) {
			n = 2;
			gemm_i16_block(2, bricks, panel, row, weights, bias, acc);
#endif
		} else {
			n = 1;
			gemm_i16_block(1, bricks, panel, row, weights, bias, acc);
		}
		pixels -= n;
		panel += n * (bricks ? NPU_GROUP : row);
		acc += n * NPU_GROUP;
	}
}

static void gemm_i16(const i16 *panel, size_t row, bool bricks, unsigned pixels, const i16 *weights,
		     unsigned groups, size_t group_step, const i32 *bias, i32 *acc)
{
	for (unsigned g = 0; g < groups; g++) {
		if (bricks)
			gemm_i16_group(true, panel, row, pixels, weights, bias, acc);
		else
			gemm_i16_group(false, panel, row, pixels, weights, bias, acc);
		weights += group_step;
		bias += NPU_GROUP;
		acc += NPU_TILE * NPU_GROUP;
	}
}
#endif

#if SIMD_LEVEL == 3
static inline i32 load32(const void *p)
{
	i32 v;
	memcpy(&v, p, sizeof(v));
	return v;
}

ALWAYS_INLINE void gemm_u8_block(const unsigned P, const unsigned G, const bool bricks,
				 const u8 *panel, size_t row, const i8 *weights, size_t group_step,
				 const i32 *bias, i32 *acc)
{
	const size_t step = bricks ? NPU_GROUP : row;
	__m512i a[PIXELS][2];
	size_t n;

	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned g = 0; g < G; g++)
			a[p][g] = _mm512_loadu_si512(bias + g * NPU_GROUP);
	for (size_t k = 0; k < row; k += n, panel += BRICK_STEP) {
		n = block_at(row, k, bricks);
		for (size_t j = 0; j < n; j += 4, weights += 4 * NPU_GROUP) {
			__m512i w[2];
			UNROLL for (unsigned g = 0; g < G; g++)
				w[g] = _mm512_loadu_si512(weights + g * group_step);
			UNROLL for (unsigned p = 0; p < P; p++) {
				__m512i x = _mm512_set1_epi32(load32(panel + p * step + j));
				UNROLL for (unsigned g = 0; g < G; g++)
					a[p][g] = _mm512_dpbusd_epi32(a[p][g], x, w[g]);
			}
		}
	}
	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned g = 0; g < G; g++)
			_mm512_storeu_si512(acc + (g * NPU_TILE + p) * NPU_GROUP, a[p][g]);
}

ALWAYS_INLINE void gemm_u8_groups(const unsigned G, const bool bricks, const u8 *panel, size_t row,
				  unsigned pixels, const i8 *weights, size_t group_step,
				  const i32 *bias, i32 *acc)
{
	while (pixels) {
		unsigned n;
		if (pixels >= 14) {
			n = 14;
			gemm_u8_block(14, G, bricks, panel, row, weights, group_step, bias, acc);
		} else if (pixels >= 7) {
			n = 7;
			gemm_u8_block(7, G, bricks, panel, row, weights, group_step, bias, acc);
		} else if (pixels >= 3) {
			n = 3;
			gemm_u8_block(3, G, bricks, panel, row, weights, group_step, bias, acc);
		} else {
			n = 1;
			gemm_u8_block(1, G, bricks, panel, row, weights, group_step, bias, acc);
		}
		pixels -= n;
		panel += n * (bricks ? NPU_GROUP : row);
		acc += n * NPU_GROUP;
	}
}

static void gemm_u8(const u8 *panel, size_t row, bool bricks, unsigned pixels, const i8 *weights,
		    unsigned groups, size_t group_step, const i32 *bias, i32 *acc)
{
	if (groups == 2 && bricks)
		gemm_u8_groups(2, true, panel, row, pixels, weights, group_step, bias, acc);
	else if (groups == 2)
		gemm_u8_groups(2, false, panel, row, pixels, weights, group_step, bias, acc);
	else if (bricks)
		gemm_u8_groups(1, true, panel, row, pixels, weights, group_step, bias, acc);
	else
		gemm_u8_groups(1, false, panel, row, pixels, weights, group_step, bias, acc);
}
#endif
