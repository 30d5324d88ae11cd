/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of int16 by weights of a byte: bytes are multiplied, the elements' low and high ones for themselves. Part of simd.c.
 *
 * Of an element x = 256 * high + low, `low` is a byte without sign, and `high` one with 128 added, whose products with the weights the
 * start of the sums takes off. Four taps' low bytes lie before their high bytes. Both sums have 32 bits; sum of high bytes times 256 plus the
 * other has as many as it needs: that is put together only when it is scaled. */

#if SIMD_LEVEL == 3
#define SPLIT_LONG 128 /* elements of a row, from which on the loop is all that counts */

ALWAYS_INLINE __m512i split_vector(__m512i v)
{
	const __m512i order = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15));
	const __m512i flip = _mm512_set1_epi64((i64)UINT64_C(0x8080808000000000));

	return _mm512_xor_si512(_mm512_shuffle_epi8(v, order), flip);
}

ALWAYS_INLINE void split_copy(u8 *to, const u8 *from, size_t bytes)
{
	for (; bytes >= 64; bytes -= 64, to += 64, from += 64)
		_mm512_storeu_si512(to, split_vector(_mm512_loadu_si512(from)));
	if (bytes) {
		const __mmask64 some = (UINT64_C(1) << bytes) - 1;
		_mm512_mask_storeu_epi8(to, some, split_vector(_mm512_maskz_loadu_epi8(some, from)));
	}
}

static void split_words(u8 *words, size_t bytes)
{
	split_copy(words, words, bytes);
}

/* `channels` channels of n pixels that are `step` bytes apart, to groups of 16. */
static inline void split_pixels(i16 *to, const u8 *from, u32 n, i64 step, unsigned channels)
{
	const __mmask16 some = (__mmask16)((1u << channels) - 1);

	if (channels == NPU_GROUP && step == NPU_GROUP * sizeof(i16)) {
		split_copy((u8 *)to, from, n * NPU_GROUP * sizeof(i16));
		return;
	}
	for (u32 p = 0; p < n; p++, to += NPU_GROUP, from += step) {
		const __m256i v = _mm256_maskz_loadu_epi16(some, from);
		_mm256_storeu_si256((void *)to, _mm512_castsi512_si256(split_vector(_mm512_castsi256_si512(v))));
	}
}

static void gather_split(const struct npu_gather *g, struct npu_place at, unsigned pixels, i16 *panel)
{
#define SPLIT_PIXELS_OF(g, to, from, n, step, channels) split_pixels(to, from, n, step, channels)
	if (g->pointwise) {
		POINTWISE_BODY(SPLIT_PIXELS_OF)
		return;
	}
#undef SPLIT_PIXELS_OF
	gather_i16(g, at, pixels, panel);
	split_words((u8 *)panel, pixels * g->row * sizeof(i16));
}

/* How the elements of a pixel lie, in 16 and 16: `next` bytes further each, and after `blocks` of them `jump` bytes more. */
struct split_walk {
	size_t next, jump;
	u32 blocks;
};

/* Four taps of P pixels, G groups. */
ALWAYS_INLINE void split_quad(const unsigned P, const unsigned G, const bool odd, const u8 *const *x, size_t offset, const i8 *const w[2],
			      size_t at, struct split_sums *s)
{
	vec weights[2];

	UNROLL for (unsigned g = 0; g < G; g++)
		weights[g] = vec_load(w[g] + at);
	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned high = 0; high < 2; high++) { /* one after the other: registers are full of sums */
			vec v = vec_quad(x[p] + offset + 4 * high);
			vec_keep(v);
			UNROLL for (unsigned g = 0; g < G; g++) {
				vec *sum = high ? (odd ? &s->odd_high[g] : &s->high[p][g]) : odd ? &s->odd_low[g] : &s->low[p][g];
				*sum = vec_dot(*sum, v, weights[g]);
				vec_keep(*sum);
			}
		}
}

/* `ahead`: the next two groups' weights are brought to the second cache meanwhile. */
ALWAYS_INLINE void split_multiply(const unsigned P, const unsigned G, const bool ahead, const struct npu_layer8 *l, const struct split_walk *walk,
				  const u8 *const *pixel, u32 c, const i8 *weights, struct split_sums *s)
{
	const size_t far = 2 * l->group_step;
	const i8 *w[2] = { weights, weights + (G - 1) * l->group_step };
	const u8 *x[SPLIT_PIXELS];
	const bool apart = P == 1;
	u32 blocks = walk->blocks;
	size_t at = 0, k = l->row;

	UNROLL for (unsigned p = 0; p < P; p++)
		x[p] = pixel[p];

	UNROLL for (unsigned g = 0; g < G; g++) {
		const vec low = vec_load(l->start + c + g * NPU_GROUP), high = vec_load(l->high + c + g * NPU_GROUP);
		UNROLL for (unsigned p = 0; p < P; p++) {
			s->low[p][g] = low;
			s->high[p][g] = high;
		}
		s->odd_low[g] = s->odd_high[g] = _mm512_setzero_si512();
	}
	for (; k >= NPU_GROUP; k -= NPU_GROUP) {
		UNROLL for (unsigned j = 0; j < NPU_GROUP; j += 4) {
			split_quad(P, G, apart && j & 4, x, at + 2 * j, w, j * NPU_GROUP, s);
			if (ahead) {
				_mm_prefetch((const char *)(w[0] + far + j * NPU_GROUP), _MM_HINT_T1);
				_mm_prefetch((const char *)(w[1] + far + j * NPU_GROUP), _MM_HINT_T1);
			}
		}
		w[0] += NPU_GROUP * NPU_GROUP;
		w[1] += NPU_GROUP * NPU_GROUP;
		const bool over = --blocks == 0; /* without a branch: a loop in a loop would have gcc move all sums about */
		at += walk->next + (over ? walk->jump : 0);
		blocks = over ? walk->blocks : blocks;
	}
	for (; k; k -= 4, at += 8) {
		split_quad(P, G, false, x, at, w, 0, s);
		w[0] += 4 * NPU_GROUP;
		w[1] += 4 * NPU_GROUP;
	}
	UNROLL for (unsigned g = 0; apart && g < G; g++) {
		s->low[0][g] = vec_add(s->low[0][g], s->odd_low[g]);
		s->high[0][g] = vec_add(s->high[0][g], s->odd_high[g]);
	}
}

/* G groups from channel c on of P pixels; to[]: where their OFM pixels are. */
ALWAYS_INLINE void split_block(const unsigned P, const unsigned G, const struct npu_layer8 *l, const struct split_walk *walk, const u8 *const *pixel, u32 c,
			       const i8 *weights, const struct split_rescale r[2], u8 *const *to, i64 offset)
{
	struct split_sums s;

	split_multiply(P, G, false, l, walk, pixel, c, weights, &s);
	split_store_block(P, G, l, c, &s, r, to, offset);
}

#define SPLIT_BLOCK(P) split_block(P, G, l, walk, pixel, c, weights, r, to, offset)

ALWAYS_INLINE void split_groups(const unsigned G, const struct npu_layer8 *l, const struct split_walk *walk, const u8 *const *pixel,
				unsigned pixels, u32 c, const i8 *weights, u8 *const *to, i64 offset)
{
	struct split_rescale r[2];

	UNROLL for (unsigned g = 0; g < G; g++)
		split_rescale_load(&r[g], l->rescale + c / NPU_GROUP + g, l);
	for (unsigned n; pixels; pixels -= n, pixel += n, to += n) {
		n = pixels >= 7 ? 7 : pixels >= 3 ? 3 : 1;
		switch (n) {
		case 7: SPLIT_BLOCK(7); break;
		case 3: SPLIT_BLOCK(3); break;
		default: SPLIT_BLOCK(1); break;
		}
	}
}

static NOINLINE void split_pair(const struct npu_layer8 *l, const struct split_walk *walk, const u8 *const *pixel, unsigned pixels, u32 c,
				const i8 *weights, u8 *const *to, i64 offset)
{
	split_groups(2, l, walk, pixel, pixels, c, weights, to, offset);
}

/* What blocks of long rows have in common. */
struct split_long {
	const struct npu_layer8 *layer;
	const struct split_walk *walk;
	const i8 *weights;
	u32 c; /* first channel */
	i64 offset;
	struct split_rescale r[2];
};

/* Functions of their own, in which constants are loaded behind the products: these need the registers. */
#define SPLIT_SEVEN(NAME, AHEAD) \
static NOINLINE void NAME(const struct split_long *b, const u8 *const *pixel, u8 *const *to) \
{ \
	struct split_sums s; \
	split_multiply(SPLIT_PIXELS, 2, AHEAD, b->layer, b->walk, pixel, b->c, b->weights, &s); \
	__asm__ volatile("" : "+r"(b)); \
	split_store_block(SPLIT_PIXELS, 2, b->layer, b->c, &s, b->r, to, b->offset); \
}
SPLIT_SEVEN(split_seven, false)
SPLIT_SEVEN(split_seven_ahead, true)

/* As many of the pixels as there are whole blocks of; returns how many. */
static unsigned split_sevens(const struct npu_layer8 *l, const struct split_walk *walk, const u8 *const *pixel, unsigned pixels, u32 c, const i8 *weights,
			     u8 *const *to, i64 offset)
{
	const bool ahead = l->group_step * (l->depth / NPU_GROUP) >= BLOCK_FAR && pixels > SPLIT_PIXELS;
	struct split_long b = { .layer = l, .walk = walk, .weights = weights, .c = c, .offset = offset };
	unsigned done = 0;

	for (unsigned g = 0; g < 2; g++)
		split_rescale_load(&b.r[g], l->rescale + c / NPU_GROUP + g, l);
	for (; done + SPLIT_PIXELS <= pixels; done += SPLIT_PIXELS)
		(ahead ? split_seven_ahead : split_seven)(&b, pixel + done, to + done);
	return done;
}

static NOINLINE void split_one(const struct npu_layer8 *l, const struct split_walk *walk, const u8 *const *pixel, unsigned pixels, u32 c,
			       const i8 *weights, u8 *const *to, i64 offset)
{
	split_groups(1, l, walk, pixel, pixels, c, weights, to, offset);
}

/* One group of all pixels, of which neighbours share loads. */
static NOINLINE void split_neighbours(const struct npu_layer8 *l, const struct npu_fields *f, const struct split_walk *walk, const u8 *const *pixel,
				      unsigned pixels, u32 c, const i8 *weights, u8 *const *to, i64 offset)
{
	struct split_shared b = { .layer = l, .fields = f, .weights = weights, .c = c, .offset = offset };

	split_rescale_load(&b.r, l->rescale + c / NPU_GROUP, l);
	for (unsigned n; pixels; pixels -= n, pixel += n, to += n) {
		n = b.r.kind == SPLIT_ANY ? 0 : split_shared_next(pixel, pixels, f->step);
		if (n) {
			(n == SPLIT_SHARED ? split_shared_12 : split_shared_8)(&b, pixel[0], to);
		} else {
			n = pixels < SPLIT_PIXELS ? pixels : SPLIT_PIXELS;
			split_one(l, walk, pixel, n, c, weights, to, offset);
		}
	}
}

static void layer_split(const struct npu_layer8 *l, const struct npu_fields *f, const struct npu_target *t)
{
	const struct split_walk walk = { .next = NPU_GROUP * sizeof(i16), .jump = f->down - f->line,
					 .blocks = f->lines > 1 ? (u32)(f->line / (NPU_GROUP * sizeof(i16))) : UINT32_MAX };
	const i8 *weights = l->weights;
	const u8 *pixel[NPU_TILE];
	u8 *to[NPU_TILE];
	const unsigned pixels = fields_pixels(f, t, pixel, to);
	unsigned groups;
	i64 offset = 0;

	for (u32 c = 0; c < l->depth; c += groups * NPU_GROUP) {
		unsigned done = 0;
		groups = l->depth - c > NPU_GROUP ? 2 : 1;
		if (groups == 2 && l->row >= SPLIT_LONG)
			done = split_sevens(l, &walk, pixel, pixels, c, weights, to, offset);
		if (groups == 1 && split_shared_pays(f))
			split_neighbours(l, f, &walk, pixel, pixels, c, weights, to, offset);
		else if (done < pixels)
			(groups == 2 ? split_pair : split_one)(l, &walk, pixel + done, pixels - done, c, weights, to + done, offset);
		weights += groups * l->group_step;
		offset += groups * l->stride_group;
	}
}
#endif
