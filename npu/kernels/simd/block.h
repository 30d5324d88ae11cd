/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of bytes by blocks of up to 14 pixels and one, two or three groups of channels: as many sums as registers hold, so that each load
 * serves many products and no sum waits for the one before. Pixels are where they are, rows do not matter. Part of simd.c. */

#if SIMD_LEVEL == 3
#define BLOCK_MOST 14 /* pixels of one or two groups, */
#define BLOCK_MOST_OF_3 8
#define BLOCK_LEAST 5 /* fewer pixels take as long */
#define BLOCK_GROUPS 3
#define BLOCK_STORES 8 /* of up to four pixels that a block makes */
#define BLOCK_FAR ((size_t)256 << 10) /* bytes of weights that the second cache does not keep from one inference to the next */

/* How the bytes of a pixel's field lie: from 16 of them to what follows, then from four to the next four. */
struct block_walk {
	const u32 *ahead;
	u32 blocks, quads;
	size_t step; /* from the first of two pixels to the second, where that is the same for all; else 0 */
};

/* Constants of some groups. */
struct block {
	struct estimate_vec e[BLOCK_GROUPS];
	bool two_sided[BLOCK_GROUPS];
	struct estimate_bytes bytes;
	__mmask16 some[BLOCK_GROUPS]; /* channels */
	const struct npu_layer8 *layer;
	const struct npu_rescale *rescale;
	const struct block_walk *walk;
	const i8 *weights;
	const i32 *start;
	i64 offset[BLOCK_GROUPS];
};

/* Its number is a constant to the compiler only where loops are unrolled. */
ALWAYS_INLINE __m128i quarter_of(vec v, unsigned i)
{
	switch (i) {
	case 0: return _mm512_castsi512_si128(v);
	case 1: return _mm512_extracti32x4_epi32(v, 1);
	case 2: return _mm512_extracti32x4_epi32(v, 2);
	default: return _mm512_extracti32x4_epi32(v, 3);
	}
}

/* Whether four pixels' groups lie one behind the other. */
ALWAYS_INLINE bool block_side_by_side(u8 *const *to)
{
	return !(((to[1] - to[0]) ^ NPU_GROUP) | ((to[2] - to[0]) ^ (2 * NPU_GROUP)) | ((to[3] - to[0]) ^ (3 * NPU_GROUP)));
}

/* Bytes of `pixels` <= 4 pixels of group g. */
ALWAYS_INLINE void block_put(const struct block *b, unsigned g, vec bytes, const unsigned pixels, u8 *const *to)
{
	if (__builtin_expect(b->some[g] != 0xffff, 0)) {
		UNROLL for (unsigned i = 0; i < pixels; i++)
			_mm_mask_storeu_epi8(to[i] + b->offset[g], b->some[g], quarter_of(bytes, i));
		return;
	}
	if (pixels == 4 && block_side_by_side(to)) {
		vec_store(to[0] + b->offset[g], bytes);
		return;
	}
	UNROLL for (unsigned i = 0; i < pixels; i++)
		_mm_storeu_si128((void *)(to[i] + b->offset[g]), quarter_of(bytes, i));
}

/* Stores that the estimate did not decide: to be done again. */
struct block_undecided {
	unsigned n;
	struct {
		unsigned g, pixels;
		u8 *const *to;
	} store[BLOCK_STORES];
	NPU_LINE i32 acc[BLOCK_STORES][4 * NPU_GROUP];
};

static NOINLINE void block_store_undecided(const struct block *b, const struct block_undecided *u)
{
	u8 bytes[4 * NPU_GROUP];

	for (unsigned i = 0; i < u->n; i++) {
		const unsigned g = u->store[i].g;
		store_exact(b->rescale + g, b->layer->narrow, u->acc[i], u->store[i].pixels, bytes);
		for (unsigned p = 0; p < u->store[i].pixels; p++)
			_mm_mask_storeu_epi8(u->store[i].to[p] + b->offset[g], b->some[g], _mm_loadu_si128((const void *)(bytes + p * NPU_GROUP)));
	}
}

/* Sums of `pixels` <= 4 pixels of group g. */
ALWAYS_INLINE void block_store(const struct block *b, const unsigned g, const vec x[4], const unsigned pixels, u8 *const *to, struct block_undecided *u)
{
	vec v[4];
	const bool decided = estimate(&b->e[g], b->two_sided[g], x, 4, v);

	if (__builtin_expect(!decided, 0)) {
		UNROLL for (unsigned i = 0; i < 4; i++)
			vec_store(u->acc[u->n] + i * NPU_GROUP, x[i]);
		u->store[u->n].g = g;
		u->store[u->n].pixels = pixels;
		u->store[u->n++].to = to;
	}
	block_put(b, g, estimate_narrow(&b->bytes, v), pixels, to);
}

/* Four bytes of each of P pixels times their weights in G groups; FROM(p): where they are. */
#define BLOCK_QUAD(P, G, FROM, w, step) do { \
	vec w_[BLOCK_GROUPS]; \
	UNROLL for (unsigned g_ = 0; g_ < (G); g_++) \
		w_[g_] = vec_load((w) + g_ * (step)); \
	UNROLL for (unsigned p_ = 0; p_ < (P); p_++) { \
		vec x_ = vec_quad(FROM(p_)); \
		vec_keep(x_); \
		UNROLL for (unsigned g_ = 0; g_ < (G); g_++) { \
			a[p_][g_] = vec_dot(a[p_][g_], x_, w_[g_]); \
			vec_keep(a[p_][g_]); \
		} \
	} } while (0)

/* P pixels of G groups; `ahead`: the next two groups' weights are brought to the second cache meanwhile. */
ALWAYS_INLINE void block_sums(const unsigned P, const unsigned G, const bool ahead, const struct block *b, const u8 *const *pixel,
			      vec a[BLOCK_MOST][BLOCK_GROUPS])
{
	const i8 *w = b->weights;
	const size_t step = b->layer->group_step;
	const u32 *next = b->walk->ahead, *const whole = next + b->walk->blocks, *const end = whole + b->walk->quads;
	const i8 *far = w + 2 * step;
	size_t at = 0;

	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned g = 0; g < G; g++) {
			a[p][g] = vec_load(b->start + g * NPU_GROUP);
			vec_keep(a[p][g]);
		}
#define FROM(p) (pixel[p] + at + j)
	for (; next != whole; at += *next++, w += NPU_GROUP * NPU_GROUP, far += NPU_GROUP * NPU_GROUP)
		UNROLL for (unsigned j = 0; j < NPU_GROUP; j += 4) {
			BLOCK_QUAD(P, G, FROM, w + j * NPU_GROUP, step);
			if (ahead) {
				_mm_prefetch((const char *)(far + j * NPU_GROUP), _MM_HINT_T1);
				_mm_prefetch((const char *)(far + step + j * NPU_GROUP), _MM_HINT_T1);
			}
		}
	for (const size_t j = 0; next != end; at += *next++, w += 4 * NPU_GROUP)
		BLOCK_QUAD(P, G, FROM, w, step);
#undef FROM
}

/* P pixels of one group, pairs of which are `step` bytes apart: the addresses of all have registers. */
ALWAYS_INLINE void block_sums_paired(const unsigned P, const size_t step, const struct block *b, const u8 *const *pixel, vec a[BLOCK_MOST][BLOCK_GROUPS])
{
	const i8 *w = b->weights;
	const u32 *next = b->walk->ahead, *const whole = next + b->walk->blocks, *const end = whole + b->walk->quads;
	const u8 *pair[BLOCK_MOST / 2];

	UNROLL for (unsigned p = 0; p < P; p += 2)
		pair[p / 2] = pixel[p];
	UNROLL for (unsigned p = 0; p < P; p++) {
		a[p][0] = vec_load(b->start);
		vec_keep(a[p][0]);
	}
#define FROM(p) (pair[(p) / 2] + (p) % 2 * step + j)
	/* gcc would have as many addresses as there are pixels */
#define MOVE_PAIRS() do { \
		UNROLL for (unsigned p_ = 0; p_ < P; p_ += 2) { \
			pair[p_ / 2] += *next; \
			__asm__("" : "+r"(pair[p_ / 2])); \
		} } while (0)
	for (; next != whole; next++, w += NPU_GROUP * NPU_GROUP) {
		UNROLL for (unsigned j = 0; j < NPU_GROUP; j += 4)
			BLOCK_QUAD(P, 1, FROM, w + j * NPU_GROUP, 0);
		MOVE_PAIRS();
	}
	for (const size_t j = 0; next != end; next++, w += 4 * NPU_GROUP) {
		BLOCK_QUAD(P, 1, FROM, w, 0);
		MOVE_PAIRS();
	}
#undef MOVE_PAIRS
#undef FROM
}

typedef void block_fn(const struct block *b, const u8 *const *pixel, u8 *const *to);

/* Functions of their own, in which constants are loaded behind the products: these need the registers. */
#define BLOCK(NAME, P, G, AHEAD) \
static NOINLINE void NAME(const struct block *b, const u8 *const *pixel, u8 *const *to) \
{ \
	vec a[BLOCK_MOST][BLOCK_GROUPS]; \
	struct block_undecided u; \
	u.n = 0; \
	if ((G) == 1) \
		block_sums_paired(P, b->walk->step, b, pixel, a); \
	else \
		block_sums(P, G, AHEAD, b, pixel, a); \
	__asm__ volatile("" : "+r"(b)); \
	UNROLL for (unsigned g = 0; g < (G); g++) \
		UNROLL for (unsigned p = 0; p < (P); p += 4) { \
			vec x[4]; \
			UNROLL for (unsigned i = 0; i < 4; i++) \
				x[i] = a[p + i < (P) ? p + i : p][g]; \
			block_store(b, g, x, (P) - p < 4 ? (P) - p : 4, to + p, &u); \
		} \
	if (__builtin_expect(u.n != 0, 0)) \
		block_store_undecided(b, &u); \
}
#define BLOCKS(G) BLOCK(block_2_##G, 2, G, false) BLOCK(block_4_##G, 4, G, false) BLOCK(block_6_##G, 6, G, false) BLOCK(block_8_##G, 8, G, false)
#define LARGE_BLOCKS(G) BLOCK(block_10_##G, 10, G, false) BLOCK(block_12_##G, 12, G, false) BLOCK(block_14_##G, 14, G, false)
BLOCKS(1)
BLOCKS(2)
BLOCKS(3)
LARGE_BLOCKS(1)
LARGE_BLOCKS(2)
BLOCK(block_14_2_ahead, 14, 2, true)

/* By half the pixels, less one. */
static block_fn *const block_fns[BLOCK_GROUPS][BLOCK_MOST / 2] = {
	{ block_2_1, block_4_1, block_6_1, block_8_1, block_10_1, block_12_1, block_14_1 },
	{ block_2_2, block_4_2, block_6_2, block_8_2, block_10_2, block_12_2, block_14_2 },
	{ block_2_3, block_4_3, block_6_3, block_8_3 },
};

/* Of `groups` groups from channel c on. */
static inline struct block block_load(const struct npu_layer8 *l, unsigned groups, u32 c, i64 offset)
{
	const struct npu_rescale *s = l->rescale + c / NPU_GROUP;
	struct block b;

	b.bytes = estimate_bytes_load(l->narrow);
	b.layer = l;
	b.rescale = s;
	b.start = l->start + c;
	for (unsigned g = 0; g < groups; g++, c += NPU_GROUP, offset += l->stride_group) {
		b.two_sided[g] = estimate_two_sided(s + g, l->narrow);
		b.e[g] = estimate_load(s + g, l->narrow, b.two_sided[g]);
		b.some[g] = (__mmask16)(l->depth - c < NPU_GROUP ? (1u << (l->depth - c)) - 1 : 0xffff);
		b.offset[g] = offset;
	}
	return b;
}

/* So many of `pixels` are the next block, an even number; none is left for a much smaller one. */
static inline unsigned block_next(unsigned pixels, unsigned most)
{
	const unsigned n = pixels >= most + BLOCK_LEAST ? most : pixels > most ? (pixels + 1) / 2 : pixels;

	return (n + 1) / 2 * 2;
}

/* Behind the pixels is another one, for an odd number of them. */
static void block_groups(unsigned groups, const struct npu_layer8 *l, const struct block_walk *walk, const u8 *const *pixel, unsigned pixels, u32 c,
			 const i8 *weights, u8 *const *to, i64 offset)
{
	struct block b = block_load(l, groups, c, offset);
	const bool ahead = groups == 2 && l->group_step * (l->depth / NPU_GROUP) >= BLOCK_FAR && pixels > BLOCK_MOST;

	b.walk = walk;
	b.weights = weights;
	for (unsigned n; pixels; pixels -= n < pixels ? n : pixels, pixel += n, to += n) {
		n = block_next(pixels, groups == 3 ? BLOCK_MOST_OF_3 : BLOCK_MOST);
		(ahead && n == BLOCK_MOST ? block_14_2_ahead : block_fns[groups - 1][n / 2 - 1])(&b, pixel, to);
	}
}

/* Whether a field's lines end with a block. */
static inline bool block_lines(const struct npu_fields *f)
{
	return f->lines == 1 || f->line % NPU_GROUP == 0;
}

/* Whether fields of a layer are for blocks. */
static inline bool block_pays(const struct npu_layer8 *l, const struct npu_fields *f, unsigned pixels)
{
	const u32 groups = (l->depth + NPU_GROUP - 1) / NPU_GROUP;
	/* by three groups loads are fewest; of lines that share no loads a group alone has more sums, none of which waits for the one before */
	const bool early = groups % 2 && (groups > 1 || (f->lines > 1 && !shared_pays(f)));
	const size_t least = early ? NPU_BLOCK_ROW / 2 : NPU_BLOCK_ROW;

	return f->taps > 1 || ((l->staged || l->row >= least) && l->row / (block_lines(f) ? NPU_GROUP : 4) <= NPU_FIELD_PARTS && pixels >= 7);
}
#endif
