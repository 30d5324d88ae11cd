/* SPDX-License-Identifier: Apache-2.0 */
/* Products of two maps of int16 with AVX2: sums of more than 32 bits without multiplying in parts. Part of simd.c.
 *
 * Two products of a lane have 32 bits. Their sums are kept twice: modulo 2^32, and as sums of upper halves, which leave out less than 2^16 for each two products.
 * So the first tell what the second left out. */

#if SIMD_LEVEL == 2
#define PRODUCTS_PIXELS 3 /* of a block: their sums of 16 channels, weights, an element and its products fill the registers */

struct product_sums {
	vec low[PRODUCTS_PIXELS][2], high[PRODUCTS_PIXELS][2];
};

/* Two elements of P pixels, side by side in the lanes of pair[], by those of V times eight channels. */
ALWAYS_INLINE void products_add(const unsigned P, const unsigned V, const vec *pair, const i16 *weights, struct product_sums *s)
{
	vec w[2];

	UNROLL for (unsigned v = 0; v < V; v++)
		w[v] = vec_load(weights + v * NPU_GROUP);
	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned v = 0; v < V; v++) {
			const vec two = _mm256_madd_epi16(pair[p], w[v]);
			s->low[p][v] = vec_add(s->low[p][v], two);
			s->high[p][v] = vec_add(s->high[p][v], _mm256_srai_epi32(two, 16));
			vec_keep(s->low[p][v]);
			vec_keep(s->high[p][v]);
		}
}

ALWAYS_INLINE void products_of_two(const unsigned P, const unsigned V, const u8 *x, i64 step, const i16 *weights, struct product_sums *s)
{
	vec pair[PRODUCTS_PIXELS];

	UNROLL for (unsigned p = 0; p < P; p++)
		pair[p] = vec_pair((const i16 *)(const void *)(x + p * step));
	products_add(P, V, pair, weights, s);
}

/* The last element of an odd number: what lies behind it may be no memory. */
ALWAYS_INLINE void products_of_one(const unsigned P, const unsigned V, const u8 *x, i64 step, const i16 *weights, struct product_sums *s)
{
	vec pair[PRODUCTS_PIXELS];

	UNROLL for (unsigned p = 0; p < P; p++) {
		u16 last;
		memcpy(&last, x + p * step, sizeof(last));
		pair[p] = vec_all(last);
	}
	products_add(P, V, pair, weights, s);
}

ALWAYS_INLINE void products_sum(const unsigned P, const unsigned V, const struct npu_word_products *o, const u8 *x, const i16 *weights, struct product_sums *s)
{
	const i64 step = o->step;
	u32 left = o->depth;

	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned v = 0; v < V; v++)
			s->low[p][v] = s->high[p][v] = _mm256_setzero_si256();
	for (; left >= NPU_GROUP; left -= NPU_GROUP, x += o->group, weights += NPU_GROUP * NPU_GROUP)
		UNROLL for (unsigned k = 0; k < NPU_GROUP; k += 2)
			products_of_two(P, V, x + k * sizeof(i16), step, weights + k * NPU_GROUP, s);
	for (; left >= 2; left -= 2, x += 2 * sizeof(i16), weights += 2 * NPU_GROUP)
		products_of_two(P, V, x, step, weights, s);
	if (left)
		products_of_one(P, V, x, step, weights, s);
}

/* Constants in registers. */
struct products_scale {
	vec scale, add;
	__m128i shift;
	struct words words;
};

/* The upper words of four numbers of 2^16 * high + low, in 64-bit lanes, times the scale. */
ALWAYS_INLINE vec products_scaled(const struct products_scale *c, vec low, vec high)
{
	const vec below = _mm256_add_epi64(_mm256_mul_epi32(low, c->scale), c->add);

	return _mm256_add_epi64(_mm256_slli_epi64(_mm256_mul_epi32(high, c->scale), 16), below);
}

ALWAYS_INLINE vec products_result(const struct products_scale *c, vec low, vec high)
{
	const vec upper = vec_add(high, _mm256_srli_epi32(_mm256_sub_epi32(low, _mm256_slli_epi32(high, 16)), 16)), lower = _mm256_and_si256(low, vec_all(UINT16_MAX));
	const vec even = products_scaled(c, lower, upper), odd = products_scaled(c, _mm256_srli_epi64(lower, 32), _mm256_srli_epi64(upper, 32));

	return _mm256_sra_epi32(_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa), c->shift);
}

/* Results of a pixel's n channels. */
ALWAYS_INLINE void products_put(const unsigned V, const struct products_scale *c, const vec *low, const vec *high, u32 n, u8 *to)
{
	vec v[2];

	v[0] = products_result(c, low[0], high[0]);
	v[1] = V == 2 ? products_result(c, low[1], high[1]) : v[0];
	const words_vec words = words_narrow(&c->words, v);
	const __m128i first = _mm256_castsi256_si128(words);

	if (V == 1) {
		word_put_narrow(to, n * sizeof(i16), first);
		return;
	}
	_mm_storeu_si128((void *)to, first);
	word_put_narrow(to + sizeof(first), (n - LANES) * sizeof(i16), _mm256_extracti128_si256(words, 1));
}

ALWAYS_INLINE void products_block(const unsigned P, const unsigned V, const struct npu_word_products *o, const struct products_scale *c, const u8 *x, const i16 *weights,
				  u32 n, u8 *to)
{
	struct product_sums s;

	products_sum(P, V, o, x, weights, &s);
	UNROLL for (unsigned p = 0; p < P; p++)
		products_put(V, c, s.low[p], s.high[p], n, to + p * o->step_to);
}

/* n channels of a group of all pixels. */
ALWAYS_INLINE void products_group(const unsigned V, const struct npu_word_products *o, const struct products_scale *c, const u8 *x, u32 pixels, const i16 *weights, u32 n, u8 *to)
{
	for (; pixels >= PRODUCTS_PIXELS; pixels -= PRODUCTS_PIXELS, x += PRODUCTS_PIXELS * o->step, to += PRODUCTS_PIXELS * o->step_to)
		products_block(PRODUCTS_PIXELS, V, o, c, x, weights, n, to);
	if (pixels == 2)
		products_block(2, V, o, c, x, weights, n, to);
	else if (pixels)
		products_block(1, V, o, c, x, weights, n, to);
}

static void word_products(const struct npu_word_products *o, const u8 *x, u32 pixels, const i16 *weights, u8 *to)
{
	const struct products_scale c = { _mm256_set1_epi64x(o->scale), _mm256_set1_epi64x(o->add), _mm_cvtsi32_si128(o->shift), words_load(NULL, &o->narrow) };
	const size_t next = npu_word_weights(o->depth);

	for (u32 left = o->channels, n; left; left -= n, weights += next, to += o->group_to) {
		n = left < NPU_GROUP ? left : NPU_GROUP;
		if (n > LANES)
			products_group(2, o, &c, x, pixels, weights, n, to);
		else
			products_group(1, o, &c, x, pixels, weights, n, to);
	}
}
#endif
