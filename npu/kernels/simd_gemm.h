/* SPDX-License-Identifier: Apache-2.0 */
/* Panel times packed weights, register-blocked: P pixels x one group (or two, VNNI) of 16
 * channels stay in registers over the whole of K. Part of simd.c. */

#if SIMD_LEVEL == 0
/* One pixel, 16 channels: the form that compilers without an x86 path vectorise. */
static void gemm_i16(const i16 *panel, size_t row, unsigned pixels, const i16 *weights,
		     unsigned groups, size_t group_step, const i32 *bias, i32 *acc)
{
	for (unsigned g = 0; g < groups; g++)
		for (unsigned p = 0; p < pixels; p++) {
			const i16 *x = panel + p * row, *w = weights + g * group_step;
			u32 a[NPU_GROUP];
			memcpy(a, bias + g * NPU_GROUP, sizeof(a));
			for (size_t k = 0; k < row; k += 2, w += 2 * NPU_GROUP)
				for (unsigned c = 0; c < NPU_GROUP; c++)
					a[c] += (u32)(x[k] * w[2 * c]) + (u32)(x[k + 1] * w[2 * c + 1]);
			memcpy(acc + (g * NPU_TILE + p) * NPU_GROUP, a, sizeof(a));
		}
}
#else
ALWAYS_INLINE void gemm_i16_block(const unsigned P, const i16 *panel, size_t row,
				  const i16 *weights, const i32 *bias, i32 *acc)
{
	vec a[PIXELS][VECS];

	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned v = 0; v < VECS; v++)
			a[p][v] = vec_load(bias + v * LANES);
	for (size_t k = 0; k < row; k += 2, weights += 2 * NPU_GROUP) {
		vec w[VECS];
		UNROLL for (unsigned v = 0; v < VECS; v++)
			w[v] = vec_load(weights + 2 * v * LANES);
		UNROLL for (unsigned p = 0; p < P; p++) {
			vec x = vec_pair(panel + p * row + k);
			UNROLL for (unsigned v = 0; v < VECS; v++)
				a[p][v] = vec_madd(a[p][v], x, w[v]);
		}
	}
	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned v = 0; v < VECS; v++)
			vec_store(acc + p * NPU_GROUP + v * LANES, a[p][v]);
}

static void gemm_i16_group(const i16 *panel, size_t row, unsigned pixels, const i16 *weights,
			   const i32 *bias, i32 *acc)
{
	while (pixels) {
		unsigned n;
		if (pixels >= PIXELS) {
			n = PIXELS;
			gemm_i16_block(PIXELS, panel, row, weights, bias, acc);
#if PIXELS > 4
		} else if (pixels >= 4) {
			n = 4;
			gemm_i16_block(4, panel, row, weights, bias, acc);
#endif
#if PIXELS > 2
		} else if (pixels >= 2) {
			n = 2;
			gemm_i16_block(2, panel, row, weights, bias, acc);
#endif
		} else {
			n = 1;
			gemm_i16_block(1, panel, row, weights, bias, acc);
		}
		pixels -= n;
		panel += n * row;
		acc += n * NPU_GROUP;
	}
}

static void gemm_i16(const i16 *panel, size_t row, unsigned pixels, const i16 *weights,
		     unsigned groups, size_t group_step, const i32 *bias, i32 *acc)
{
	for (unsigned g = 0; g < groups; g++)
		gemm_i16_group(panel, row, pixels, weights + g * group_step, bias + g * NPU_GROUP,
			       acc + g * NPU_TILE * NPU_GROUP);
}
#endif

#if SIMD_LEVEL == 3
static inline i32 load32(const void *p)
{
	i32 v;
	memcpy(&v, p, sizeof(v));
	return v;
}

ALWAYS_INLINE void gemm_u8_block(const unsigned P, const unsigned G, const u8 *panel, size_t row,
				 const i8 *weights, size_t group_step, const i32 *bias, i32 *acc)
{
	__m512i a[PIXELS][2];

	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned g = 0; g < G; g++)
			a[p][g] = _mm512_loadu_si512(bias + g * NPU_GROUP);
	for (size_t k = 0; k < row; k += 4, weights += 4 * NPU_GROUP) {
		__m512i w[2];
		UNROLL for (unsigned g = 0; g < G; g++)
			w[g] = _mm512_loadu_si512(weights + g * group_step);
		UNROLL for (unsigned p = 0; p < P; p++) {
			__m512i x = _mm512_set1_epi32(load32(panel + p * row + k));
			UNROLL for (unsigned g = 0; g < G; g++)
				a[p][g] = _mm512_dpbusd_epi32(a[p][g], x, w[g]);
		}
	}
	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned g = 0; g < G; g++)
			_mm512_storeu_si512(acc + (g * NPU_TILE + p) * NPU_GROUP, a[p][g]);
}

ALWAYS_INLINE void gemm_u8_groups(const unsigned G, const u8 *panel, size_t row, unsigned pixels,
				  const i8 *weights, size_t group_step, const i32 *bias, i32 *acc)
{
	while (pixels) {
		unsigned n;
		if (pixels >= 14) {
			n = 14;
			gemm_u8_block(14, G, panel, row, weights, group_step, bias, acc);
		} else if (pixels >= 7) {
			n = 7;
			gemm_u8_block(7, G, panel, row, weights, group_step, bias, acc);
		} else if (pixels >= 3) {
			n = 3;
			gemm_u8_block(3, G, panel, row, weights, group_step, bias, acc);
		} else {
			n = 1;
			gemm_u8_block(1, G, panel, row, weights, group_step, bias, acc);
		}
		pixels -= n;
		panel += n * row;
		acc += n * NPU_GROUP;
	}
}

static void gemm_u8(const u8 *panel, size_t row, unsigned pixels, const i8 *weights,
		    unsigned groups, size_t group_step, const i32 *bias, i32 *acc)
{
	if (groups == 2)
		gemm_u8_groups(2, panel, row, pixels, weights, group_step, bias, acc);
	else
		gemm_u8_groups(1, panel, row, pixels, weights, group_step, bias, acc);
}
#endif
