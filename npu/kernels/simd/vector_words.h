/* SPDX-License-Identifier: Apache-2.0 */
/* One vector times a matrix of int16 weights: simd/vector.h where there is no product of bytes. Sums and what becomes of them stay in
 * registers. Part of simd.c. */

#if SIMD_LEVEL == 2
#define WORDS_GROUPS 4

/* Sums of G groups. */
ALWAYS_INLINE void vector_words_sums(const unsigned G, const i16 *x, size_t row, const i16 *weights, size_t group_step, const i32 *start, vec a[WORDS_GROUPS * VECS])
{
	UNROLL for (unsigned v = 0; v < G * VECS; v++)
		a[v] = vec_load(start + v * LANES);
	for (; row; row -= 2, x += 2, weights += 2 * NPU_GROUP) {
		const vec x_ = vec_pair(x);
		UNROLL for (unsigned v = 0; v < G * VECS; v++) {
			a[v] = vec_madd(a[v], x_, vec_load(weights + v / VECS * group_step + v % VECS * LANES * 2));
			vec_keep(a[v]);
		}
	}
}

/* The estimates of groups from s on, which are to be one- or two-sided; false: they do not decide. */
ALWAYS_INLINE bool vector_words_estimate(const struct npu_layer8 *l, const struct npu_rescale *s, const bool two_sided, const unsigned groups, const vec *a,
					 vec *bytes)
{
	const vec order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
	const struct estimate_bytes b = estimate_bytes_load(l->narrow);
	bool decided = true;
	vec v[4];

	UNROLL for (unsigned g = 0; g < 2; g++) {
		const struct estimate_pair e = estimate_load(s + g % groups, l->narrow);
		UNROLL for (unsigned i = 0; i < VECS; i++)
			v[g * VECS + i] = estimate_value(&e, i, two_sided, a[g % groups * VECS + i]);
		decided &= estimate_decides(&e, v + g * VECS);
	}
	*bytes = _mm256_permutevar8x32_epi32(estimate_narrow(&b, v), order);
	return decided;
}

static inline bool vector_words_estimates(const struct npu_layer8 *l, const struct npu_rescale *s, const unsigned groups)
{
	return npu_estimates(s, l->narrow) && (groups == 1 || (npu_estimates(s + 1, l->narrow) && s[0].negative == s[1].negative));
}

/* Exactly. */
ALWAYS_INLINE vec vector_words_exact(const struct npu_layer8 *l, const struct npu_rescale *s, const unsigned groups, const vec *a)
{
	const struct narrow_vec narrow = narrow_load(l->narrow);
	vec v[4];

	UNROLL for (unsigned i = 0; i < 4; i++) {
		const unsigned g = i / VECS % groups;
		const struct rescale_vec r = rescale_load(s + g, i % VECS * LANES);
		v[i] = store_once(s + g, l->narrow) ? rescale_once(a[i % (groups * VECS)], &r) : rescale_vec(a[i % (groups * VECS)], &r);
	}
	return narrow4(v, &narrow, l->narrow->is_unsigned);
}

/* Bytes of two groups, or of one and a copy of it. */
ALWAYS_INLINE vec vector_words_bytes(const struct npu_layer8 *l, u32 c, const unsigned groups, const vec *a)
{
	const struct npu_rescale *const s = l->rescale + c / NPU_GROUP;
	vec bytes;

	if (vector_words_estimates(l, s, groups) && (estimate_two_sided(s, l->narrow) ? vector_words_estimate(l, s, true, groups, a, &bytes)
										     : vector_words_estimate(l, s, false, groups, a, &bytes)))
		return bytes;
	return vector_words_exact(l, s, groups, a);
}

/* G groups from channel c on; the last may have fewer channels. */
ALWAYS_INLINE void vector_words_groups(const unsigned G, const struct npu_layer8 *l, const i16 *x, u32 c, u8 *to)
{
	const u32 left = l->depth - c;
	vec a[WORDS_GROUPS * VECS];
	u8 bytes[WORDS_GROUPS * NPU_GROUP];

	vector_words_sums(G, x, l->row, (const i16 *)l->weights + c / NPU_GROUP * l->group_step, l->group_step, l->start + c, a);
	UNROLL for (unsigned g = 0; g < G; g += 2)
		vec_store(bytes + g * NPU_GROUP, vector_words_bytes(l, c + g * NPU_GROUP, G - g < 2 ? 1 : 2, a + g * VECS));
	memcpy(to + c, bytes, left < G * NPU_GROUP ? left : G * NPU_GROUP);
}

static void vector_i16(const struct npu_layer8 *l, const i16 *x, u8 *to)
{
	u32 c = 0;

	for (; l->depth > c + 3 * NPU_GROUP; c += 4 * NPU_GROUP)
		vector_words_groups(4, l, x, c, to);
	for (; l->depth > c + NPU_GROUP; c += 2 * NPU_GROUP)
		vector_words_groups(2, l, x, c, to);
	if (l->depth > c)
		vector_words_groups(1, l, x, c, to);
	if (l->narrow->table)
		look_up_bytes(l->narrow->table, to, l->depth, to);
}
#endif
