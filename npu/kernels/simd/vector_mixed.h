/* SPDX-License-Identifier: Apache-2.0 */
/* One vector of int16 times a matrix of int8 weights: half the bytes of int16 weights come from memory. Part of simd.c. */

#if SIMD_LEVEL == 2
#define MIXED_AHEAD 2048 /* bytes of weights that are on their way: hosts fetch ahead no further than to the end of a page */
#define MIXED_VECS (NPU_GROUP / 4) /* of a group: four taps each of four channels, whose products are summed to two lanes a channel */

static inline vec mixed_four(const i16 *x)
{
	i64 four;

	memcpy(&four, x, sizeof(four));
	return _mm256_set1_epi64x(four);
}

/* Sums of two groups with one vector, or of one with two. */
ALWAYS_INLINE void mixed_sums(const bool two, const i16 *x, size_t row, const i8 *weights, size_t group_step, i32 *sums)
{
	const unsigned groups = two ? 1 : 2;
	vec a[2 * MIXED_VECS];

	UNROLL for (unsigned v = 0; v < 2 * MIXED_VECS; v++)
		a[v] = _mm256_setzero_si256();
	for (size_t k = row; k; k -= 4, x += 4, weights += 4 * NPU_GROUP) {
		const vec first = mixed_four(x), second = two ? mixed_four(x + row) : first;
		UNROLL for (unsigned v = 0; v < groups * MIXED_VECS; v++) {
			const i8 *w = weights + v / MIXED_VECS * group_step + v % MIXED_VECS * NPU_GROUP;
			const vec four = _mm256_cvtepi8_epi16(_mm_loadu_si128((const void *)w));
			a[v] = vec_madd(a[v], first, four);
			vec_keep(a[v]);
			if (two) {
				a[MIXED_VECS + v] = vec_madd(a[MIXED_VECS + v], second, four);
				vec_keep(a[MIXED_VECS + v]);
			}
		}
		UNROLL for (unsigned g = 0; g < groups; g++)
			_mm_prefetch((const char *)(weights + g * group_step + MIXED_AHEAD), _MM_HINT_T0);
	}
	UNROLL for (unsigned v = 0; v < 2 * MIXED_VECS; v += 2)
		vec_store(sums + v / 2 * LANES, _mm256_permute4x64_epi64(_mm256_hadd_epi32(a[v], a[v + 1]), _MM_SHUFFLE(3, 1, 2, 0)));
}

static void vector_mixed(const i16 *x, bool two, size_t row, const i8 *weights, size_t group_step, i32 *sums)
{
	if (two)
		mixed_sums(true, x, row, weights, group_step, sums);
	else
		mixed_sums(false, x, row, weights, group_step, sums);
}

/* A group's sums to int16, of up to 16 channels. */
ALWAYS_INLINE void mixed_store(const struct npu_layer8 *l, u32 c, const i32 *sums, u8 *to)
{
	const struct words words = words_load(&l->rescale[c / NPU_GROUP], l->narrow16);
	const u32 left = l->depth - c, n = left < NPU_GROUP ? left : NPU_GROUP;
	NPU_LINE i32 acc[NPU_GROUP];

	UNROLL for (unsigned v = 0; v < VECS; v++)
		vec_store(acc + v * LANES, vec_add(vec_load(sums + v * LANES), vec_load(l->start + c + v * LANES)));
	const words_vec result = words_of(&words, true, acc);
	if (n == NPU_GROUP)
		words_store(to, result);
	else
		memcpy(to, &result, n * sizeof(i16));
}

static void vector_mixed_words(const struct npu_layer8 *l, const i16 *x, u8 *to)
{
	for (u32 c = 0; c < l->depth; c += 2 * NPU_GROUP) {
		const bool both = l->depth - c > NPU_GROUP;
		NPU_LINE i32 sums[2][NPU_GROUP];
		mixed_sums(false, x, l->row, (const i8 *)l->weights + c / NPU_GROUP * l->group_step, both ? l->group_step : 0, sums[0]);
		for (u32 g = 0; g <= both; g++)
			mixed_store(l, c + g * NPU_GROUP, sums[g], to + (c + g * NPU_GROUP) * sizeof(i16));
	}
}
#endif
