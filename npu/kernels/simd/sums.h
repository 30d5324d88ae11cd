/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of a group of channels' weights of int16, and of their magnitudes. Part of simd.c. */

/* -1 or 1 for each int16, negative or not. */
#if SIMD_LEVEL == 0
static inline vec vec_signs(vec w) { return (i32)((w < 0 ? 0xffff0000 : 0x10000) | ((u32)w & 0x8000 ? 0xffff : 1)); }
#else
typedef i16 vec_words __attribute__((vector_size(sizeof(vec))));
static inline vec vec_signs(vec w) { return (vec)(((vec_words)w >> 15) | (i16)1); }
#endif

/* What is added does not wait for what was added just before. */
#define SUM_CHAINS 4

static u32 sums_i16(const i16 *weights, size_t row, i32 sum[NPU_GROUP])
{
	static const i16 one[2] = { 1, 1 };
	static const i32 zero[LANES];
	const vec ones = vec_pair(one);
	i32 sums[SUM_CHAINS][LANES], all[SUM_CHAINS][LANES];
	u32 most = 0;

	for (unsigned v = 0; v < VECS; v++) {
		pairs a[SUM_CHAINS], m[SUM_CHAINS];
		UNROLL for (unsigned i = 0; i < SUM_CHAINS; i++)
			a[i] = m[i] = pairs_start(zero);
		for (size_t k = 0; k < row; k += 2 * SUM_CHAINS)
			UNROLL for (unsigned i = 0; i < SUM_CHAINS; i++) {
				if (k + 2 * i >= row)
					break;
				const vec w = vec_load(weights + (k + 2 * i) * NPU_GROUP + v * 2 * LANES);
				a[i] = vec_madd(a[i], ones, w);
				m[i] = vec_madd(m[i], vec_signs(w), w);
			}
		UNROLL for (unsigned i = 0; i < SUM_CHAINS; i++) {
			vec_store(sums[i], pairs_value(a[i]));
			vec_store(all[i], pairs_value(m[i]));
		}
		for (unsigned c = 0; c < LANES; c++) {
			const u32 magnitude = (u32)all[0][c] + (u32)all[1][c] + (u32)all[2][c] + (u32)all[3][c];
			sum[v * LANES + c] = (i32)((u32)sums[0][c] + (u32)sums[1][c] + (u32)sums[2][c] + (u32)sums[3][c]);
			most = magnitude > most ? magnitude : most;
		}
	}
	return most;
}
