/* SPDX-License-Identifier: Apache-2.0 */
/* 1x1 convolutions whose sums have few products: what is rescaled and what is multiplied alternates, four pixels of two groups each, so that
 * neither waits for the other. Blocks of direct.h leave that to the host, which does not look far enough ahead. Part of simd.c. */

#if SIMD_LEVEL == 3
#define PIPED_LEAST 16 /* products of a sum: rescaling goes between so many; */
#define PIPED_MOST 48  /* with more of them blocks of eight pixels take less time */

/* Sums of four pixels that are still to be stored. */
struct piped {
	vec sum[2][4];
	u8 *to; /* NULL: there are none */
};

#define PIPED_ALL(g, i) UNROLL for (unsigned g = 0; g < 2; g++) UNROLL for (unsigned i = 0; i < 4; i++)

/* Four bytes of each pixel times the weights of two groups. */
ALWAYS_INLINE void piped_step(vec a[2][4], const u8 *x, const i8 *w, size_t group_step)
{
	const vec first = vec_load(w), second = vec_load(w + group_step);

	UNROLL for (unsigned i = 0; i < 4; i++) {
		vec v = vec_quad(x + i * NPU_GROUP);
		vec_keep(v);
		a[0][i] = vec_dot(a[0][i], v, first);
		vec_keep(a[0][i]);
		a[1][i] = vec_dot(a[1][i], v, second);
		vec_keep(a[1][i]);
	}
}

/* Products from number k on. */
ALWAYS_INLINE void piped_rest(vec a[2][4], const struct npu_layer8 *l, const u8 *x, const i8 *w, size_t k)
{
	for (w += k * NPU_GROUP, x += k / NPU_GROUP * BRICK_STEP; k + NPU_GROUP <= l->row; k += NPU_GROUP, w += NPU_GROUP * NPU_GROUP, x += BRICK_STEP)
		UNROLL for (unsigned j = 0; j < NPU_GROUP; j += 4)
			piped_step(a, x + j, w + j * NPU_GROUP, l->group_step);
	for (; k < l->row; k += 4, w += 4 * NPU_GROUP, x += 4)
		piped_step(a, x, w, l->group_step);
}

/* The values of sums that are rescaled by now. */
ALWAYS_INLINE void piped_store(const struct npu_layer8 *l, const struct direct *d, const struct piped *p, const vec v[2][4], struct undecided *u)
{
	UNROLL for (unsigned g = 0; g < 2; g++) {
		u8 *const to = p->to + (i64)g * l->stride_group;
		const vec fraction = _mm512_min_epu16(_mm512_min_epu16(v[g][0], v[g][1]), _mm512_min_epu16(v[g][2], v[g][3]));
		if (__builtin_expect(!estimate_decides(d->e[g].near, fraction), 0))
			direct_keep(u, d->rescale + g, p->sum[g], 4, 4, 0xffff, to);
		vec_store(to, estimate_narrow(&d->bytes, v[g]));
	}
	if (__builtin_expect(u->n != 0, 0))
		store_undecided(l->narrow, u);
}

/* Sums of the next four pixels in place of those that are stored meanwhile, by the three steps of estimate_values(). */
ALWAYS_INLINE void piped_four(const struct npu_layer8 *l, const struct direct *d, struct piped *p, const u8 *x, u32 c, const i8 *w, u8 *to, struct undecided *u)
{
	vec a[2][4], v[2][4];

	PIPED_ALL(g, i) {
		a[g][i] = vec_load(l->start + c + g * NPU_GROUP);
		vec_keep(a[g][i]);
	}
	PIPED_ALL(g, i) {
		v[g][i] = _mm512_castps_si512(_mm512_cvt_roundepi32_ps(p->sum[g][i], NEAREST));
		vec_keep(v[g][i]);
	}
	piped_step(a, x, w, l->group_step);
	PIPED_ALL(g, i) {
		v[g][i] = _mm512_castps_si512(_mm512_fmadd_round_ps(_mm512_castsi512_ps(v[g][i]), d->e[g].factor, d->e[g].offset, NEAREST));
		vec_keep(v[g][i]);
	}
	piped_step(a, x + 4, w + 4 * NPU_GROUP, l->group_step);
	PIPED_ALL(g, i) {
		v[g][i] = _mm512_cvt_roundps_epi32(_mm512_castsi512_ps(v[g][i]), NEAREST);
		vec_keep(v[g][i]);
	}
	piped_step(a, x + 8, w + 8 * NPU_GROUP, l->group_step);
	piped_store(l, d, p, v, u);
	piped_step(a, x + 12, w + 12 * NPU_GROUP, l->group_step);
	piped_rest(a, l, x, w, NPU_GROUP);
	PIPED_ALL(g, i)
		p->sum[g][i] = a[g][i];
	p->to = to;
}

/* The first four pixels. */
ALWAYS_INLINE void piped_begin(const struct npu_layer8 *l, struct piped *p, const u8 *x, u32 c, const i8 *w, u8 *to)
{
	PIPED_ALL(g, i) {
		p->sum[g][i] = vec_load(l->start + c + g * NPU_GROUP);
		vec_keep(p->sum[g][i]);
	}
	piped_rest(p->sum, l, x, w, 0);
	p->to = to;
}

/* The last ones are stored. */
ALWAYS_INLINE void piped_end(const struct npu_layer8 *l, const struct direct *d, const struct piped *p, struct undecided *u)
{
	vec v[2][4];

	UNROLL for (unsigned g = 0; g < 2; g++)
		(void)estimate_values(&d->e[g], false, p->sum[g], 4, v[g]);
	piped_store(l, d, p, v, u);
}

/* Whether two groups from channel c on are done this way. */
static inline bool piped_pays(const struct npu_layer8 *l, u32 c)
{
	return l->bricks && l->row >= PIPED_LEAST && l->row <= PIPED_MOST && l->depth - c >= 2 * NPU_GROUP &&
	       !estimate_two_sided(l->rescale + c / NPU_GROUP, l->narrow);
}

/* All pixels; the last ones of a run, fewer than four, as direct.h does them. */
static NOINLINE void piped_pair(const struct npu_layer8 *l, const struct npu_fields *f, u32 c, const i8 *weights, i64 offset, const struct npu_target *t)
{
	const struct direct_walk walk = { NPU_GROUP, BRICK_STEP, l->row, 0, 1, false };
	const u8 *from = f->from;
	struct piped p;
	struct undecided u;
	struct direct d;

	p.to = NULL;
	u.n = 0;
	direct_load(&d, l->rescale + c / NPU_GROUP, l->narrow, 2);
	for (unsigned r = 0; r < t->runs; r++) {
		u8 *to = t->run[r].to + offset;
		unsigned left = t->run[r].n, n;
		for (; left >= 4; left -= 4, from += 4 * NPU_GROUP, to += 4 * NPU_GROUP) {
			if (p.to)
				piped_four(l, &d, &p, from, c, weights, to, &u);
			else
				piped_begin(l, &p, from, c, weights, to);
		}
		for (; left; left -= n, from += n * NPU_GROUP, to += n * NPU_GROUP) {
			n = left >= 2 ? 2 : 1;
			if (n == 2)
				direct_block(l, &walk, &d, 2, 2, false, from, c, weights, to, &u);
			else
				direct_block(l, &walk, &d, 1, 2, false, from, c, weights, to, &u);
		}
	}
	if (p.to)
		piped_end(l, &d, &p, &u);
}
#undef PIPED_ALL
#endif
