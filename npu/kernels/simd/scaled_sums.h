/* SPDX-License-Identifier: Apache-2.0 */
/* Accumulators of 8 bytes to int16, scaled by channel: struct npu_scaled_sums. Part of simd.c, behind to_narrow.h. */

#if SIMD_LEVEL == 2
enum { SCALED_AT_ONCE = 16384, SCALED_ROOM = 1 << 30 }; /* bytes of accumulators, which stay in the first cache while all channels' constants come to them; what accumulators leave of 31 bits */

/* Constants of 16 values: four of 64 bits in each of the first three. Shifts are in the order that two vectors' high words come in. */
struct scaled_vec {
	vec scale[4], add[4], bias[4], shift[VECS];
	vec negative, room, lo, hi;
};

ALWAYS_INLINE struct scaled_vec scaled_load(const struct npu_scaled_sums *s, const bool once, const struct npu_rescale *rescale, const i32 *bias)
{
	struct scaled_vec c = { .negative = V_SET64(rescale->negative), .room = V_SET64(SCALED_ROOM), .lo = _mm256_set1_epi16(s->lo), .hi = _mm256_set1_epi16(s->hi) };

	UNROLL for (unsigned i = 0; i < 4; i++) {
		c.scale[i] = _mm256_cvtepi32_epi64(_mm_loadu_si128((const void *)(rescale->scale + 4 * i)));
		c.bias[i] = _mm256_cvtepi32_epi64(_mm_loadu_si128((const void *)(bias + 4 * i)));
		c.add[i] = _mm256_setr_epi64x(rescale->add[0][2 * i], rescale->add[1][2 * i], rescale->add[0][2 * i + 1], rescale->add[1][2 * i + 1]);
		if (once) /* products of sums and biases are those of both */
			c.add[i] = V(add_epi64)(c.add[i], V(mul_epi32)(c.bias[i], c.scale[i]));
	}
	UNROLL for (unsigned i = 0; i < VECS; i++)
		c.shift[i] = _mm256_permute4x64_epi64(vec_load(rescale->shift + i * LANES), 0xd8);
	return c;
}

/* Four products, whose high words are results before they are shifted. `all`: what is above 31 bits when room is added to accumulators. */
ALWAYS_INLINE vec scaled_four(const struct scaled_vec *c, const bool once, unsigned i, const u8 *from, vec *all)
{
	const vec v = vec_load(from + i * sizeof(vec));

	*all = V_OR(*all, V(add_epi64)(v, c->room));
	if (once)
		return V(add_epi64)(V(mul_epi32)(v, c->scale[i]), c->add[i]);
	const vec x = V(add_epi64)(v, c->bias[i]);
	return V(sub_epi64)(V(add_epi64)(V(mul_epi32)(x, c->scale[i]), c->add[i]), V_AND(x, c->negative)); /* as rescale_vec() */
}

/* Eight results: 0, 1, 4, 5, and 2, 3, 6, 7. */
ALWAYS_INLINE vec scaled_eight(const struct scaled_vec *c, const bool once, unsigned i, const u8 *from, vec *all)
{
	const __m256 a = _mm256_castsi256_ps(scaled_four(c, once, 2 * i, from, all)), b = _mm256_castsi256_ps(scaled_four(c, once, 2 * i + 1, from, all));

	return V(srav_epi32)(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd)), c->shift[i]);
}

/* 16 values of each of some runs. `once`: rescale->negative is 0. Returns what is above 31 bits when room is added to them. */
ALWAYS_INLINE vec scaled_column(const struct npu_scaled_sums *s, const bool once, const struct npu_rescale *rescale, const i32 *bias, const u8 *from, u8 *to, size_t runs)
{
	const struct scaled_vec c = scaled_load(s, once, rescale, bias);
	const vec order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
	const i64 down_from = s->down_from, down_to = s->down_to;
	vec all = vec_all(0);

	for (; runs; runs--, from += down_from, to += down_to) {
		const vec words = _mm256_packs_epi32(scaled_eight(&c, once, 0, from, &all), scaled_eight(&c, once, 1, from, &all));
		vec_store(to, _mm256_min_epi16(_mm256_max_epi16(V_PERMUTE(order, words), c.lo), c.hi));
	}
	return all;
}

static vec scaled_block(const struct npu_scaled_sums *s, const u8 *from, u8 *to, size_t runs)
{
	const struct npu_rescale *rescale = s->rescale;
	const i32 *bias = s->bias;
	vec all = vec_all(0);

	for (u32 i = 0; i < s->n; i += NPU_GROUP, rescale++, bias += NPU_GROUP) {
		const u32 at = i + NPU_GROUP <= s->n ? i : s->n - NPU_GROUP;
		const u8 *const column = from + at * sizeof(i64);
		u8 *const results = to + at / NPU_GROUP * s->step_to + at % NPU_GROUP * sizeof(i16);
		if (rescale->negative)
			all = V_OR(all, scaled_column(s, false, rescale, bias, column, results, runs));
		else
			all = V_OR(all, scaled_column(s, true, rescale, bias, column, results, runs));
	}
	return all;
}

static bool scaled_sums(const struct npu_scaled_sums *s)
{
	const size_t fit = SCALED_AT_ONCE / (s->n * sizeof(i64)), most = fit ? fit : 1;
	vec all = vec_all(0);

	for (size_t i = 0, runs; i < s->runs; i += runs) {
		runs = s->runs - i < most ? s->runs - i : most;
		all = V_OR(all, scaled_block(s, s->from + (i64)i * s->down_from, s->to + (i64)i * s->down_to, runs));
	}
	return _mm256_testz_si256(all, V_SET64((i64)(UINT64_MAX << 31))) != 0;
}
#endif
