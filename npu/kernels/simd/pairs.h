/* SPDX-License-Identifier: Apache-2.0 */
/* Products of two maps of int16: elements are multiplied as they are, by the low and by the high parts of the other map's, whose sums each have 32 bits and become
 * one number as those of simd/split.h do. Part of simd.c. */

#if SIMD_LEVEL == 3
/* Low and high parts of the weights of two groups. */
struct pairs_weights {
	const i16 *low[2], *high[2];
};

/* Two taps of P pixels, G groups. */
ALWAYS_INLINE void pairs_step(const unsigned P, const unsigned G, const i16 *x, size_t step, const struct pairs_weights *w, size_t at, struct split_sums *s)
{
	vec low[2], high[2];

	UNROLL for (unsigned g = 0; g < G; g++) {
		low[g] = vec_load(w->low[g] + at);
		high[g] = vec_load(w->high[g] + at);
	}
	UNROLL for (unsigned p = 0; p < P; p++) {
		const vec v = vec_pair(x + p * step);
		UNROLL for (unsigned g = 0; g < G; g++) {
			s->low[p][g] = vec_madd(s->low[p][g], v, low[g]);
			vec_keep(s->low[p][g]);
			s->high[p][g] = vec_madd(s->high[p][g], v, high[g]);
			vec_keep(s->high[p][g]);
		}
	}
}

ALWAYS_INLINE void pairs_multiply(const unsigned P, const unsigned G, const struct npu_layer8 *l, const i16 *x, u32 c, struct pairs_weights w, struct split_sums *s)
{
	const size_t step = l->bricks ? NPU_GROUP : l->row, next = l->bricks ? BRICK_STEP : NPU_GROUP;
	size_t at = 0, k = l->row;

	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned g = 0; g < G; g++) {
			s->low[p][g] = vec_load(l->start + c + g * NPU_GROUP);
			s->high[p][g] = vec_load(l->high + c + g * NPU_GROUP);
		}
	for (; k >= NPU_GROUP; k -= NPU_GROUP, x += next, at += NPU_GROUP * NPU_GROUP)
		UNROLL for (unsigned j = 0; j < NPU_GROUP; j += 2)
			pairs_step(P, G, x + j, step, &w, at + j * NPU_GROUP, s);
	for (; k; k -= 2, x += 2, at += 2 * NPU_GROUP)
		pairs_step(P, G, x, step, &w, at, s);
}

#define PAIRS_BLOCK(P) do { \
	struct split_sums s_; \
	pairs_multiply(P, G, l, x, c, w, &s_); \
	split_store_block(P, G, l, c, &s_, r, to, offset); \
	} while (0)

/* G groups from channel c on of all pixels. */
ALWAYS_INLINE void pairs_groups(const unsigned G, const struct npu_layer8 *l, const i16 *x, unsigned pixels, u32 c, u8 *const *to, i64 offset)
{
	const size_t step = l->bricks ? NPU_GROUP : l->row, first = c / NPU_GROUP * l->group_step, second = first + (G - 1) * l->group_step;
	const i16 *low = l->weights, *high = l->weights_high;
	const struct pairs_weights w = { { low + first, low + second }, { high + first, high + second } };
	struct split_rescale r[2];

	UNROLL for (unsigned g = 0; g < G; g++)
		split_rescale_load(&r[g], l->rescale + c / NPU_GROUP + g, l);
	for (unsigned n; pixels; pixels -= n, x += n * step, to += n) {
		n = pixels >= 6 ? 6 : pixels >= 2 ? 2 : 1;
		switch (n) {
		case 6: PAIRS_BLOCK(6); break;
		case 2: PAIRS_BLOCK(2); break;
		default: PAIRS_BLOCK(1); break;
		}
	}
}

static void layer_pairs(const struct npu_layer8 *l, const i16 *panel, unsigned pixels, const struct npu_target *t)
{
	u8 *to[NPU_TILE];
	unsigned n = 0;
	i64 offset = 0;

	for (unsigned i = 0; i < t->runs; i++)
		for (unsigned p = 0; p < t->run[i].n; p++)
			to[n++] = t->run[i].to + p * t->step;
	for (u32 c = 0; c < l->depth; c += 2 * NPU_GROUP, offset += 2 * l->stride_group)
		if (l->depth - c > NPU_GROUP)
			pairs_groups(2, l, panel, pixels, c, to, offset);
		else
			pairs_groups(1, l, panel, pixels, c, to, offset);
}
#endif
