/* SPDX-License-Identifier: Apache-2.0 */
/* Split int16 (simd/split.h) of one group of channels under kernels of three columns, stride 1: what is loaded of a pixel serves the sums of three, as with
 * bytes (simd/shared.h). Part of simd.c. */

#if SIMD_LEVEL == 3
#define SPLIT_SHARED 12 /* pixels of a block: both sums of each, three taps' weights and an element are in registers */
#define SPLIT_SHARED_LEAST 8

static inline bool split_shared_pays(const struct npu_fields *f)
{
	return f->taps <= 1 && f->line == 3 * f->step && f->step % (NPU_GROUP * sizeof(i16)) == 0;
}

/* What all blocks have in common. */
struct split_shared {
	const struct npu_layer8 *layer;
	const struct npu_fields *fields;
	const i8 *weights;
	u32 c; /* first channel */
	i64 offset;
	struct split_rescale r;
};

ALWAYS_INLINE void split_shared_sums(const unsigned P, const struct split_shared *b, const u8 *from, struct split_sums *s)
{
	const vec low = vec_load(b->layer->start + b->c), high = vec_load(b->layer->high + b->c);
	const size_t step = b->fields->step, tap = step / sizeof(i16) * NPU_GROUP;
	const i8 *w = b->weights;

	UNROLL for (unsigned p = 0; p < P; p++) {
		s->low[p / 2][p % 2] = low;
		s->high[p / 2][p % 2] = high;
	}
#define SPLIT_TAP(p, sums, weights) do { \
		s->sums[(p) / 2][(p) % 2] = vec_dot(s->sums[(p) / 2][(p) % 2], v, weights); \
		vec_keep(s->sums[(p) / 2][(p) % 2]); \
	} while (0)
#define SPLIT_TAPS(sums, at) \
	UNROLL for (unsigned p = 0; p < P + 2; p++) { \
		const vec v = vec_quad((at) + p * step); \
		if (p < P) \
			SPLIT_TAP(p, sums, w0); \
		if (p > 0 && p <= P) \
			SPLIT_TAP(p - 1, sums, w1); \
		if (p > 1) \
			SPLIT_TAP(p - 2, sums, w2); \
	}
	for (u32 lines = b->fields->lines; lines; lines--, from += b->fields->down, w += 2 * tap) {
		const u8 *x = from;
		for (size_t k = step; k; k -= NPU_GROUP * sizeof(i16), x += NPU_GROUP * sizeof(i16), w += NPU_GROUP * NPU_GROUP)
			UNROLL for (unsigned j = 0; j < NPU_GROUP; j += 4) {
				const vec w0 = vec_load(w + j * NPU_GROUP), w1 = vec_load(w + tap + j * NPU_GROUP);
				const vec w2 = vec_load(w + 2 * tap + j * NPU_GROUP);
				SPLIT_TAPS(low, x + 2 * j)
				SPLIT_TAPS(high, x + 2 * j + 4)
			}
	}
#undef SPLIT_TAPS
#undef SPLIT_TAP
}

#define SPLIT_SHARED_BLOCK(P) \
static NOINLINE void split_shared_##P(const struct split_shared *b, const u8 *from, u8 *const *to) \
{ \
	struct split_target t = { .pixel = to }; \
	struct split_sums s; \
	split_shared_sums(P, b, from, &s); \
	__asm__ volatile("" : "+r"(b)); \
	t.offset = b->offset; \
	t.words = words_pair_load(b->layer->narrow16, b->layer->depth - b->c); \
	if (b->r.kind == SPLIT_SHORT) \
		split_store_pairs(P, SPLIT_SHORT, &s, &b->r, &t); \
	else if (b->r.kind == SPLIT_NARROW) \
		split_store_pairs(P, SPLIT_NARROW, &s, &b->r, &t); \
	else \
		split_store_pairs(P, SPLIT_WIDE, &s, &b->r, &t); \
}
SPLIT_SHARED_BLOCK(12)
SPLIT_SHARED_BLOCK(8)

/* How many of the pixels are done together, as they are neighbours; 0: too few. */
static inline unsigned split_shared_next(const u8 *const *pixel, unsigned pixels, size_t step)
{
	for (unsigned n = SPLIT_SHARED; n >= SPLIT_SHARED_LEAST; n -= SPLIT_SHARED - SPLIT_SHARED_LEAST)
		if (n <= pixels && pixel[n - 1] == pixel[0] + (n - 1) * step)
			return n;
	return 0;
}
#endif
