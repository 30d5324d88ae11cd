/* SPDX-License-Identifier: Apache-2.0 */
/* One vector times a matrix of int8 weights without an instruction for four products (simd/vector.h): half the bytes of int16 weights come from the
 * second cache. Part of simd.c.
 *
 * Of bytes there are products of unsigned by signed ones, whose sums of two saturate in 16 bits. Magnitudes of elements, which are signed here, times weights
 * that have taken the elements' signs do not, as long as no weight is -128: 2 * 128 * 127 < 2^15. */

#if SIMD_LEVEL == 2
/* See npu_simd.vector_input. */
static void vector_input(u8 *to, const u8 *from, size_t n, size_t row, u8 flip)
{
	const vec f = _mm256_set1_epi8((char)flip);
	size_t i = 0;

	for (; i + sizeof(vec) <= n; i += sizeof(vec))
		vec_store(to + i, _mm256_xor_si256(vec_load(from + i), f));
	for (; i < n; i++)
		to[i] = from[i] ^ flip;
	memset(to + n, 0, row - n);
	for (i = 0; i + sizeof(vec) <= row; i += sizeof(vec))
		vec_store(to + row + i, _mm256_abs_epi8(vec_load(to + i)));
	for (; i < row; i++)
		to[row + i] = to[i] & 128 ? (u8)-to[i] : to[i];
}

static inline vec vec_four(const u8 *p)
{
	i32 x;

	memcpy(&x, p, sizeof(x));
	return _mm256_set1_epi32(x);
}

#define BYTES_GROUPS 4 /* at most: as many streams of weights, each of which the host fetches ahead */

/* Sums of G groups. */
ALWAYS_INLINE void vector_bytes_sums(const unsigned G, const u8 *x, size_t row, const i8 *weights, size_t group_step, const i32 *start,
				     vec a[BYTES_GROUPS * VECS])
{
	const vec ones = _mm256_set1_epi16(1);

	UNROLL for (unsigned v = 0; v < G * VECS; v++)
		a[v] = vec_load(start + v * LANES);
	for (size_t k = row; k; k -= 4, x += 4, weights += 4 * NPU_GROUP) {
		const vec signs = vec_four(x), sizes = vec_four(x + row);
		UNROLL for (unsigned v = 0; v < G * VECS; v++) {
			const vec w = vec_load(weights + v / VECS * group_step + v % VECS * sizeof(vec));
			a[v] = vec_madd(a[v], _mm256_maddubs_epi16(sizes, _mm256_sign_epi8(w, signs)), ones);
		}
	}
}

/* G groups from channel c on; the last may have fewer channels. */
ALWAYS_INLINE void vector_bytes_groups(const unsigned G, const struct npu_layer8 *l, const u8 *x, u32 c, u8 *to)
{
	const u32 left = l->depth - c;
	u8 bytes[BYTES_GROUPS * NPU_GROUP];
	vec a[BYTES_GROUPS * VECS];

	vector_bytes_sums(G, x, l->row, (const i8 *)l->weights + c / NPU_GROUP * l->group_step, l->group_step, l->start + c, a);
	UNROLL for (unsigned g = 0; g < G; g += 2)
		vec_store(bytes + g * NPU_GROUP, vector_words_bytes(l, c + g * NPU_GROUP, G - g < 2 ? 1 : 2, a + g * VECS));
	memcpy(to + c, bytes, left < G * NPU_GROUP ? left : G * NPU_GROUP);
}

static void vector_u8(const struct npu_layer8 *l, const u8 *x, u8 *to)
{
	u32 c = 0;

	for (; l->depth > c + 3 * NPU_GROUP; c += 4 * NPU_GROUP)
		vector_bytes_groups(4, l, x, c, to);
	for (; l->depth > c + NPU_GROUP; c += 2 * NPU_GROUP)
		vector_bytes_groups(2, l, x, c, to);
	if (l->depth > c)
		vector_bytes_groups(1, l, x, c, to);
	if (l->narrow->table)
		look_up_bytes(l->narrow->table, to, l->depth, to);
}
#endif
