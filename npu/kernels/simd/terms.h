/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwises of lines whose taps lie side by side: sums of their terms from registers to bytes in memory. Part of simd.c. */

#if SIMD_LEVEL == 3
/* What a depthwise multiplies: weights of the three terms of a 3x3 kernel stay in registers. */
struct direct_taps {
	const u8 *const *term;
	unsigned terms;
	const i8 *weights;
	vec start, w[3];
};

/* 16 channels of four pixels, `at` bytes into each term; of the last ones of a row `pixels`, and others instead of those behind. */
ALWAYS_INLINE void direct_dots(const struct direct_taps *k, const bool three, size_t at, unsigned pixels, vec x[4])
{
	size_t pixel[4];

	UNROLL for (unsigned i = 0; i < 4; i++) {
		pixel[i] = at + (i < pixels ? i * 64 : 0);
		x[i] = k->start;
	}
	UNROLL for (unsigned i = 0; three && i < 4; i++)
		UNROLL for (unsigned t = 0; t < 3; t++)
			x[i] = vec_dot(x[i], vec_load(k->term[t] + pixel[i]), k->w[t]);
	for (unsigned t = 0; !three && t < k->terms; t++)
		UNROLL for (unsigned i = 0; i < 4; i++)
			x[i] = vec_dot(x[i], vec_load(k->term[t] + pixel[i]), vec_load(k->weights + t * 64));
}

/* Four neighbouring pixels of a row, or the last `pixels`. */
ALWAYS_INLINE void direct_four(const struct direct *d, const struct direct_taps *k, const bool three, size_t at, unsigned pixels, u8 *to)
{
	struct undecided u;
	vec x[4];

	u.n = 0;
	direct_dots(k, three, at, pixels, x);
	direct_store(d, 0, false, x, 4, pixels, to, &u);
	if (__builtin_expect(u.n != 0, 0))
		store_undecided(d->narrow, &u);
}

ALWAYS_INLINE void direct_rows(const struct npu_depthwise8 *w, const u8 *const *term, unsigned terms, const bool three, u32 rows, size_t down,
			       u32 pixels, const struct npu_target *t)
{
	const i8 *const weights = w->weights;
	struct direct_taps k = { .term = term, .terms = terms, .weights = weights, .start = vec_load(w->start) };
	const struct npu_run *run = t->run;
	unsigned done = 0; /* pixels of the run */
	struct direct d;

	direct_load(&d, w->rescale, w->narrow, 1);
	UNROLL for (unsigned i = 0; three && i < 3; i++)
		k.w[i] = vec_load(weights + i * 64);
	for (u32 r = 0; r < rows; r++, done += pixels) {
		if (done == run->n) {
			run++;
			done = 0;
		}
		u8 *to = run->to + w->offset + done * NPU_GROUP;
		size_t at = r * down;
		u32 left = pixels;
		for (; left >= 4; left -= 4, at += 4 * 64, to += 4 * NPU_GROUP)
			direct_four(&d, &k, three, at, 4, to);
		if (left)
			direct_four(&d, &k, three, at, left, to);
	}
}

static void depthwise_store_u8(const struct npu_depthwise8 *w, const u8 *const *term, unsigned terms, u32 rows, size_t down,
			       u32 pixels, const struct npu_target *t)
{
	if (terms == 3)
		direct_rows(w, term, terms, true, rows, down, pixels, t);
	else
		direct_rows(w, term, terms, false, rows, down, pixels, t);
}
#endif
