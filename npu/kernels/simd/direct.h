/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of convolutions and depthwises from registers to bytes in memory. Part of simd.c.
 *
 * Multiplying and rescaling use different units of the host: small blocks, whose sums never go through
 * memory, let it do both at a time. Only for scalings that an estimate decides. */

#if SIMD_LEVEL == 3
#define DIRECT_PIXELS 8 /* of a block at most */
#define DIRECT_FOURS (2 * (DIRECT_PIXELS / 4)) /* stores of up to four pixels that a block makes */

/* Constants of up to two groups, in registers. How sums are rounded is asked behind their products, so that there is one loop for both ways. */
struct direct {
	struct estimate_vec e[2];
	struct estimate_bytes bytes;
	const struct npu_rescale *rescale;
	const struct npu_narrow8 *narrow;
	bool two_sided;
	__mmask64 part; /* channels of the second group in each of four pixels, where it has fewer than 16 */
};

ALWAYS_INLINE void direct_load(struct direct *d, const struct npu_rescale *s, const struct npu_narrow8 *n, const unsigned groups)
{
	d->rescale = s;
	d->narrow = n;
	d->two_sided = estimate_two_sided(s, n);
	d->bytes = estimate_bytes_load(n);
	UNROLL for (unsigned g = 0; g < groups; g++)
		d->e[g] = estimate_load(s + g, n, d->two_sided);
}

/* The first `pixels` <= 4 of a vector. */
ALWAYS_INLINE void put_pixels(u8 *to, vec bytes, unsigned pixels)
{
	if (pixels == 4) {
		vec_store(to, bytes);
		return;
	}
	if (pixels >= 2)
		_mm256_storeu_si256((void *)to, _mm512_castsi512_si256(bytes));
	if (pixels == 3)
		_mm_storeu_si128((void *)(to + 2 * NPU_GROUP), _mm512_extracti32x4_epi32(bytes, 2));
	if (pixels == 1)
		_mm_storeu_si128((void *)to, _mm512_castsi512_si128(bytes));
}

/* Stores of a block that the estimate did not decide: to be done again. */
struct undecided {
	unsigned n;
	struct {
		u8 *to;
		unsigned pixels;
		__mmask16 channels;
		const struct npu_rescale *rescale;
	} store[DIRECT_FOURS];
	NPU_LINE i32 acc[DIRECT_FOURS][4 * NPU_GROUP];
};

ALWAYS_INLINE void direct_keep(struct undecided *u, const struct npu_rescale *s, const vec x[4], const unsigned n, unsigned pixels, __mmask16 channels,
			       u8 *to)
{
	UNROLL for (unsigned i = 0; i < n; i++)
		vec_store(u->acc[u->n] + i * NPU_GROUP, x[i]);
	u->store[u->n].to = to;
	u->store[u->n].pixels = pixels;
	u->store[u->n].channels = channels;
	u->store[u->n++].rescale = s;
}

/* Sums of n <= 4 pixels of group g, of which `pixels` are wanted; `part`: of the group's channels some. */
ALWAYS_INLINE void direct_store(const struct direct *d, const unsigned g, const bool part, const vec x[4], const unsigned n, unsigned pixels, u8 *to,
				struct undecided *u)
{
	vec v[4];
	const bool decided = estimate(&d->e[g], d->two_sided, x, n, v);

	if (__builtin_expect(!decided, 0))
		direct_keep(u, d->rescale + g, x, n, pixels, (__mmask16)(part ? d->part : 0xffff), to);
	UNROLL for (unsigned i = n; i < 4; i++)
		v[i] = v[0];
	const vec bytes = estimate_narrow(&d->bytes, v);
	if (part)
		_mm512_mask_storeu_epi8(to, d->part & (~UINT64_C(0) >> (64 - pixels * NPU_GROUP)), bytes);
	else
		put_pixels(to, bytes, pixels);
}

static NOINLINE void store_undecided(const struct npu_narrow8 *n, struct undecided *u)
{
	u8 bytes[4 * NPU_GROUP];

	for (unsigned i = 0; i < u->n; i++) {
		store_exact(u->store[i].rescale, n, u->acc[i], u->store[i].pixels, bytes);
		for (unsigned p = 0; p < u->store[i].pixels; p++)
			_mm_mask_storeu_epi8(u->store[i].to + p * NPU_GROUP, u->store[i].channels, _mm_loadu_si128((const void *)(bytes + p * NPU_GROUP)));
	}
	u->n = 0;
}

/* How the bytes of fields lie; of bricks most is known when this is compiled. */
struct direct_walk {
	size_t step, next, line, down; /* from pixel to pixel, from 16 elements to the next 16, elements of a line, from line to line */
	u32 lines;
	size_t picture; /* known when this is compiled: 0, or fields are those of a picture, so many bytes apart where it is more than 1 */
};

/* What first layers have: 3x3 taps of three channels, lines filled up, or of four. */
#define PICTURE_LINES 3
#define PICTURE_LINE 12
#define PICTURE_STEP 6 /* most of them: every second pixel of three channels */

static inline bool direct_is_picture(const struct npu_fields *f)
{
	return f->lines == PICTURE_LINES && f->line == PICTURE_LINE;
}

/* gemm_u8_sums() of fields. */
ALWAYS_INLINE void direct_sums(const unsigned P, const unsigned G, const struct direct_walk *f, const u8 *from, const i8 *weights,
			       size_t group_step, const i32 *start, vec a[PIXELS][2 * VECS])
{
	const i8 *w[2] = { weights, weights + (G - 1) * group_step };

	UNROLL for (unsigned p = 0; p < P; p++)
		UNROLL for (unsigned v = 0; v < G; v++)
			a[p][v] = vec_load(start + v * NPU_GROUP);
	if (f->picture) {
		const size_t step = f->picture > 1 ? f->picture : f->step;
		UNROLL for (unsigned y = 0; y < PICTURE_LINES; y++, from += f->down) {
			__asm__("" : "+r"(from)); /* one address for all: gcc would work out each for itself */
			UNROLL for (unsigned j = 0; j < PICTURE_LINE; j += 4)
				GEMM_STEP(P, G, 4, vec_quad, vec_dot, from + j, step, w, (y * PICTURE_LINE + j) * NPU_GROUP)
		}
		return;
	}
	for (u32 lines = f->lines; lines; lines--, from += f->down) {
		const u8 *x = from;
		size_t k = f->line;
		for (; k >= NPU_GROUP; k -= NPU_GROUP, x += f->next) {
			UNROLL for (unsigned j = 0; j < NPU_GROUP; j += 4)
				GEMM_STEP(P, G, 4, vec_quad, vec_dot, x + j, f->step, w, j * NPU_GROUP)
			w[0] += NPU_GROUP * NPU_GROUP;
			w[1] += NPU_GROUP * NPU_GROUP;
		}
		for (; k; k -= 4, x += 4) {
			GEMM_STEP(P, G, 4, vec_quad, vec_dot, x, f->step, w, 0)
			w[0] += 4 * NPU_GROUP;
			w[1] += 4 * NPU_GROUP;
		}
	}
}

/* The same of a few pixels: sums of four parts, so that none waits for the one before. */
ALWAYS_INLINE void direct_sums_few(const unsigned P, const unsigned G, const struct direct_walk *f, const u8 *from, const i8 *weights,
				   size_t group_step, const i32 *start, vec a[PIXELS][2 * VECS])
{
	const i8 *w[2] = { weights, weights + (G - 1) * group_step };
	vec part[4][2][2];

	UNROLL for (unsigned j = 0; j < 4; j++)
		UNROLL for (unsigned i = 0; i < P * G; i++)
			part[j][i / G][i % G] = j ? _mm512_setzero_si512() : vec_load(start + i % G * NPU_GROUP);
#define PART(j, x, at) \
	UNROLL for (unsigned i_ = 0; i_ < P * G; i_++) \
		part[j][i_ / G][i_ % G] = vec_dot(part[j][i_ / G][i_ % G], vec_quad((x) + i_ / G * f->step), vec_load(w[i_ % G] + (at)))
	for (u32 lines = f->lines; lines; lines--, from += f->down) {
		const u8 *x = from;
		size_t k = f->line;
		for (; k >= NPU_GROUP; k -= NPU_GROUP, x += f->next) {
			UNROLL for (unsigned j = 0; j < 4; j++)
				PART(j, x + 4 * j, 4 * j * NPU_GROUP);
			w[0] += NPU_GROUP * NPU_GROUP;
			w[1] += NPU_GROUP * NPU_GROUP;
		}
		for (; k; k -= 4, x += 4) {
			PART(0, x, 0);
			w[0] += 4 * NPU_GROUP;
			w[1] += 4 * NPU_GROUP;
		}
	}
#undef PART
	UNROLL for (unsigned i = 0; i < P * G; i++)
		a[i / G][i % G] = _mm512_add_epi32(_mm512_add_epi32(part[0][i / G][i % G], part[1][i / G][i % G]),
						   _mm512_add_epi32(part[2][i / G][i % G], part[3][i / G][i % G]));
}

ALWAYS_INLINE void direct_shared(const struct npu_layer8 *l, const struct npu_fields *f, const struct direct *d, const unsigned P, const u8 *from, u32 c,
				 const i8 *weights, u8 *to, struct undecided *u)
{
	vec a[SHARED_PIXELS];

	shared_sums(P, f, from, weights, l->start + c, a);
	UNROLL for (unsigned p = 0; p < P; p += 4) {
		const unsigned n = P - p < 4 ? P - p : 4;
		direct_store(d, 0, false, a + p, n, n, to + p * NPU_GROUP, u);
	}
	if (__builtin_expect(u->n != 0, 0))
		store_undecided(l->narrow, u);
}

/* P neighbouring pixels, G groups from channel c on, `part`: of the second some channels. */
ALWAYS_INLINE void direct_block(const struct npu_layer8 *l, const struct direct_walk *f, const struct direct *d, const unsigned P,
				const unsigned G, const bool part, const u8 *from, u32 c, const i8 *weights, u8 *to, struct undecided *u)
{
	vec a[PIXELS][2 * VECS];

	if (P <= 2)
		direct_sums_few(P, G, f, from, weights, l->group_step, l->start + c, a);
	else
		direct_sums(P, G, f, from, weights, l->group_step, l->start + c, a);
	UNROLL for (unsigned g = 0; g < G; g++)
		UNROLL for (unsigned p = 0; p < P; p += 4) {
			vec x[4];
			const unsigned n = P - p < 4 ? P - p : 4;
			UNROLL for (unsigned i = 0; i < n; i++)
				x[i] = a[p + i][g];
			direct_store(d, g, part && g, x, n, n, to + (i64)g * l->stride_group + p * NPU_GROUP, u);
		}
	if (__builtin_expect(u->n != 0, 0))
		store_undecided(l->narrow, u);
}

/* Of so many neighbours, how many are done together. */
static inline unsigned direct_next(u32 near)
{
	return near >= 8 ? 8 : near >= 6 ? near : near >= 4 ? 4 : near >= 2 ? 2 : 1;
}

/* ... where loads are shared. Fewer than eight share none, as each sum would wait for the one before. */
static inline unsigned direct_next_shared(u32 near)
{
	static const u8 next[] = { 0, 1, 2, 2, 4, 4, 6, 7, 8, 8, 10, 10, 12, 13, 14, 14, 16, 16, 10, 10, 10, 13, 14, 13 };

	return near < ARRAY_LEN(next) ? next[near] : SHARED_PIXELS;
}

/* So many neighbours, as direct_next() says. */
ALWAYS_INLINE void direct_some(const struct npu_layer8 *l, const struct direct_walk *f, const struct direct *d, unsigned n, const unsigned G, const bool part,
			       const u8 *from, u32 c, const i8 *weights, u8 *to, struct undecided *u)
{
#define DIRECT_BLOCK(P) direct_block(l, f, d, P, G, part, from, c, weights, to, u)
	switch (n) {
	case 8: DIRECT_BLOCK(8); break;
	case 7: DIRECT_BLOCK(7); break;
	case 6: DIRECT_BLOCK(6); break;
	case 4: DIRECT_BLOCK(4); break;
	case 2: DIRECT_BLOCK(2); break;
	default: DIRECT_BLOCK(1); break;
	}
#undef DIRECT_BLOCK
}

/* Eight and more, as direct_next_shared() says. */
ALWAYS_INLINE void direct_some_shared(const struct npu_layer8 *l, const struct npu_fields *f, const struct direct *d, unsigned n, const u8 *from, u32 c,
				      const i8 *weights, u8 *to, struct undecided *u)
{
#define DIRECT_SHARED(P) direct_shared(l, f, d, P, from, c, weights, to, u)
	switch (n) {
	case 16: DIRECT_SHARED(16); break;
	case 14: DIRECT_SHARED(14); break;
	case 13: DIRECT_SHARED(13); break;
	case 12: DIRECT_SHARED(12); break;
	case 10: DIRECT_SHARED(10); break;
	default: DIRECT_SHARED(8); break;
	}
#undef DIRECT_SHARED
}

/* G groups of all pixels, `part`: of the second some channels; `shares`: shared_pays(). */
ALWAYS_INLINE void direct_groups(const struct npu_layer8 *l, const unsigned G, const bool part, const bool bricks, const bool shares, const size_t picture,
				 const struct npu_fields *f, u32 c, const i8 *weights, i64 offset, const struct npu_target *t)
{
	const struct direct_walk walk = { bricks ? NPU_GROUP : f->step, bricks ? BRICK_STEP : NPU_GROUP, bricks ? l->row : f->line, bricks ? 0 : f->down,
					  bricks ? 1 : f->lines, picture };
	const u8 *from = f->from;
	u32 x = f->x;
	struct undecided u;
	struct direct d;

	u.n = 0;
	direct_load(&d, l->rescale + c / NPU_GROUP, l->narrow, G);
	if (part)
		d.part = UINT64_C(0x0001000100010001) * ((1u << (l->depth - c - NPU_GROUP)) - 1);
	for (unsigned r = 0; r < t->runs; r++) {
		u8 *to = t->run[r].to + offset;
		for (unsigned left = t->run[r].n, n; left; left -= n) {
			const u32 near = left < f->width - x ? left : f->width - x;
			n = shares ? direct_next_shared(near) : direct_next(near);
			if (shares && n >= 8)
				direct_some_shared(l, f, &d, n, from, c, weights, to, &u);
			else
				direct_some(l, &walk, &d, n, G, part, from, c, weights, to, &u);
			from += n * walk.step;
			to += n * NPU_GROUP;
			x += n;
			if (x == f->width) {
				x = 0;
				from += f->skip;
			}
		}
	}
}

#define DIRECT_GROUPS(NAME, G, PART, BRICKS, SHARES, PICTURE) \
static NOINLINE void NAME(const struct npu_layer8 *l, const struct npu_fields *f, u32 c, const i8 *weights, i64 offset, \
			  const struct npu_target *t) \
{ \
	direct_groups(l, G, PART, BRICKS, SHARES, PICTURE, f, c, weights, offset, t); \
}
DIRECT_GROUPS(direct_pair_bricks, 2, false, true, false, 0)
DIRECT_GROUPS(direct_pair, 2, false, false, false, 0)
DIRECT_GROUPS(direct_part_bricks, 2, true, true, false, 0)
DIRECT_GROUPS(direct_part, 2, true, false, false, 0)
DIRECT_GROUPS(direct_one_bricks, 1, false, true, false, 0)
DIRECT_GROUPS(direct_one, 1, false, false, false, 0)
DIRECT_GROUPS(direct_one_picture, 1, false, false, false, 1)
DIRECT_GROUPS(direct_one_second, 1, false, false, false, PICTURE_STEP)
DIRECT_GROUPS(direct_pair_picture, 2, false, false, false, 1)
DIRECT_GROUPS(direct_pair_second, 2, false, false, false, PICTURE_STEP)
DIRECT_GROUPS(direct_one_shared, 1, false, false, true, 0)

/* How many groups from channel c on the estimate decides together: 2, 1 or 0; `whole`: the first has no fewer channels. */
static inline unsigned direct_count(const struct npu_layer8 *l, u32 c, bool whole)
{
	const struct npu_rescale *s = l->rescale + c / NPU_GROUP;
	const u32 left = l->depth - c;

	if (l->narrow->table || !npu_estimates(s, l->narrow) || (whole && left < NPU_GROUP))
		return 0;
	return left <= NPU_GROUP || !s[1].estimate || s[0].negative != s[1].negative ? 1 : 2;
}

static void direct_run(const struct npu_layer8 *l, unsigned groups, const struct npu_fields *f, u32 c, const i8 *weights, i64 offset,
		       const struct npu_target *t)
{
	const bool part = groups == 2 && l->depth - c < 2 * NPU_GROUP, picture = !l->bricks && direct_is_picture(f), second = picture && f->step == PICTURE_STEP;

	if (part)
		(l->bricks ? direct_part_bricks : direct_part)(l, f, c, weights, offset, t);
	else if (groups == 2)
		(l->bricks ? direct_pair_bricks : second ? direct_pair_second : picture ? direct_pair_picture : direct_pair)(l, f, c, weights, offset, t);
	else
		(l->bricks ? direct_one_bricks : second ? direct_one_second : picture ? direct_one_picture : shared_pays(f) ? direct_one_shared
															   : direct_one)(l, f, c, weights, offset, t);
}

/* Parts of a group, pixels apart: together first. */
static NOINLINE void direct_apart(const struct npu_layer8 *l, unsigned groups, const struct npu_fields *f, u32 c, const i8 *weights,
				  i64 offset, const struct npu_target *t)
{
	NPU_LINE u8 bytes[2][NPU_TILE * NPU_GROUP];
	struct npu_layer8 near = *l;
	struct npu_target one;

	near.stride_group = sizeof(bytes[0]);
	one.step = NPU_GROUP;
	one.runs = 1;
	one.run[0] = (struct npu_run){ bytes[0], 0 };
	for (unsigned r = 0; r < t->runs; r++)
		one.run[0].n += t->run[r].n;
	direct_run(&near, groups, f, c, weights, 0, &one);
	for (unsigned g = 0; g < groups; g++) {
		const u32 left = l->depth - c - g * NPU_GROUP;
		store_copy(bytes[g], t, offset + g * l->stride_group, left < NPU_GROUP ? left : NPU_GROUP);
	}
}
#endif
