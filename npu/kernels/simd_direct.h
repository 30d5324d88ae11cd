/* SPDX-License-Identifier: Apache-2.0 */
/* A convolution's sums from registers to bytes in memory. Part of simd.c.
 *
 * Multiplying and rescaling use different units of the host: small blocks, whose sums never go through
 * memory, let it do both at a time. Only for scalings that an estimate decides. */

#if SIMD_LEVEL == 3
#define DIRECT_PIXELS 8 /* of a block at most */
#define DIRECT_FOURS (2 * (DIRECT_PIXELS / 4)) /* stores of up to four pixels that a block makes */

/* Stores of a block that the estimate did not decide: to be done again. */
struct undecided {
	unsigned n;
	struct {
		u8 *to;
		unsigned pixels;
		const struct npu_rescale *rescale;
	} store[DIRECT_FOURS];
	NPU_LINE i32 acc[DIRECT_FOURS][4 * NPU_GROUP];
};

/* Constants of G groups, in registers. */
struct direct {
	struct estimate_vec e[2];
	struct narrow_vec narrow;
	const struct npu_rescale *rescale;
};

ALWAYS_INLINE void put_pixels(u8 *to, vec bytes, const unsigned pixels)
{
	if (pixels == 4)
		vec_store(to, bytes);
	if (pixels == 2 || pixels == 3)
		_mm256_storeu_si256((void *)to, _mm512_castsi512_si256(bytes));
	if (pixels == 3)
		_mm_storeu_si128((void *)(to + 2 * NPU_GROUP), _mm512_extracti32x4_epi32(bytes, 2));
	if (pixels == 1)
		_mm_storeu_si128((void *)to, _mm512_castsi512_si128(bytes));
}

/* Sums of up to four pixels of group g. */
ALWAYS_INLINE void direct_store(const struct direct *d, const unsigned g, const bool is_unsigned, const vec x[4],
				const unsigned pixels, u8 *to, struct undecided *u)
{
	vec v[4];
	bool decided = estimate(&d->e[g], x, pixels, v);

	if (__builtin_expect(!decided, 0)) {
		UNROLL for (unsigned i = 0; i < pixels; i++)
			vec_store(u->acc[u->n] + i * NPU_GROUP, x[i]);
		u->store[u->n].to = to;
		u->store[u->n].pixels = pixels;
		u->store[u->n++].rescale = d->rescale + g;
	}
	UNROLL for (unsigned i = pixels; i < 4; i++)
		v[i] = v[0];
	put_pixels(to, narrow4(v, &d->narrow, is_unsigned), pixels);
}

static NOINLINE void store_undecided(const struct npu_narrow8 *n, struct undecided *u)
{
	u8 bytes[4 * NPU_GROUP];

	for (unsigned i = 0; i < u->n; i++) {
		store_exact(u->store[i].rescale, n, u->acc[i], u->store[i].pixels, bytes);
		memcpy(u->store[i].to, bytes, u->store[i].pixels * NPU_GROUP);
	}
	u->n = 0;
}

/* P neighbouring pixels, G groups from channel c on. */
ALWAYS_INLINE void direct_block(const struct npu_layer8 *l, const struct direct *d, const unsigned P, const unsigned G,
				const bool bricks, const bool is_unsigned, const u8 *panel, u32 c, const i8 *weights,
				u8 *to, struct undecided *u)
{
	vec a[PIXELS][2 * VECS];

	gemm_u8_sums(P, G, bricks, panel, l->row, weights, l->group_step, l->start + c, a);
	UNROLL for (unsigned g = 0; g < G; g++)
		UNROLL for (unsigned p = 0; p < P; p += 4) {
			vec x[4];
			const unsigned n = P - p < 4 ? P - p : 4;
			UNROLL for (unsigned i = 0; i < n; i++)
				x[i] = a[p + i][g];
			direct_store(d, g, is_unsigned, x, n, to + (i64)g * l->stride_group + p * NPU_GROUP, u);
		}
	if (__builtin_expect(u->n != 0, 0))
		store_undecided(l->narrow, u);
}

#define DIRECT_BLOCK(P) direct_block(l, &d, P, G, bricks, is_unsigned, panel, c, weights, to, &u)

/* G groups of all pixels. */
ALWAYS_INLINE void direct_groups(const struct npu_layer8 *l, const unsigned G, const bool bricks, const bool is_unsigned,
				 const u8 *panel, u32 c, const i8 *weights, i64 offset, const struct npu_target *t)
{
	const struct npu_rescale *s = l->rescale + c / NPU_GROUP;
	struct direct d = { .narrow = narrow_load(l->narrow), .rescale = s };
	struct undecided u;

	UNROLL for (unsigned g = 0; g < G; g++)
		d.e[g] = (struct estimate_vec){ _mm512_loadu_ps(s[g].factor), vec_load(s[g].offset),
						_mm512_set1_epi32(s->negative ? INT32_MIN : 0) };
	u.n = 0;
	for (unsigned r = 0; r < t->runs; r++) {
		u8 *to = t->run[r].to + offset;
		for (unsigned left = t->run[r].n, n; left; left -= n) {
			n = left >= 8 ? 8 : left >= 6 ? left : left >= 4 ? 4 : left >= 2 ? 2 : 1;
			switch (n) {
			case 8: DIRECT_BLOCK(8); break;
			case 7: DIRECT_BLOCK(7); break;
			case 6: DIRECT_BLOCK(6); break;
			case 4: DIRECT_BLOCK(4); break;
			case 2: DIRECT_BLOCK(2); break;
			default: DIRECT_BLOCK(1); break;
			}
			panel += n * (bricks ? NPU_GROUP : l->row);
			to += n * NPU_GROUP;
		}
	}
}

#define DIRECT_GROUPS(NAME, G, BRICKS) \
static NOINLINE void NAME(const struct npu_layer8 *l, const u8 *panel, u32 c, const i8 *weights, i64 offset, \
			  const struct npu_target *t) \
{ \
	if (l->narrow->is_unsigned) \
		direct_groups(l, G, BRICKS, true, panel, c, weights, offset, t); \
	else \
		direct_groups(l, G, BRICKS, false, panel, c, weights, offset, t); \
}
DIRECT_GROUPS(direct_pair_bricks, 2, true)
DIRECT_GROUPS(direct_pair, 2, false)
DIRECT_GROUPS(direct_one_bricks, 1, true)
DIRECT_GROUPS(direct_one, 1, false)

/* How many whole groups from channel c on may be stored so: 2, 1 or 0. */
static inline unsigned direct_count(const struct npu_layer8 *l, u32 c)
{
	const struct npu_rescale *s = l->rescale + c / NPU_GROUP;

	if (l->depth - c < NPU_GROUP || !s[0].estimate)
		return 0;
	return l->depth - c < 2 * NPU_GROUP || !s[1].estimate || s[0].negative != s[1].negative ? 1 : 2;
}

static inline bool direct_fits(const struct npu_layer8 *l, const struct npu_target *t)
{
	const struct npu_narrow8 *n = l->narrow;

	return !n->table && t->step == NPU_GROUP && n->zero_point <= ESTIMATE_ZERO_POINT &&
	       n->zero_point >= -ESTIMATE_ZERO_POINT;
}

static void direct_run(const struct npu_layer8 *l, unsigned groups, const u8 *panel, u32 c, const i8 *weights, i64 offset,
		       const struct npu_target *t)
{
	if (groups == 2)
		(l->bricks ? direct_pair_bricks : direct_pair)(l, panel, c, weights, offset, t);
	else
		(l->bricks ? direct_one_bricks : direct_one)(l, panel, c, weights, offset, t);
}
#endif
