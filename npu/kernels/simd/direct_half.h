/* SPDX-License-Identifier: Apache-2.0 */
/* First layers to up to eight channels in bricks, two pixels in a vector. Part of simd.c. */

#if SIMD_LEVEL == 3
struct direct_half {
	struct estimate_vec e;
	struct estimate_bytes bytes;
	bool two_sided;
	__mmask64 channels; /* of four pixels */
	const i8 *weights;
	const i32 *start;
	size_t down;        /* from line to line of a field */
};

/* Four bytes of a pixel, and of that four further. */
ALWAYS_INLINE vec half_quads(const u8 *x, size_t step)
{
	return _mm512_mask_broadcastd_epi32(vec_quad(x), 0xff00, _mm_loadu_si32(x + 4 * step));
}

/* Sums of eight pixels. Those of every second four products are apart, so that fewer wait for the ones before. */
ALWAYS_INLINE void half_sums(const struct direct_half *d, const size_t step, const u8 *from, vec sum[4])
{
	vec a[2][4];

	UNROLL for (unsigned i = 0; i < 4; i++) {
		a[0][i] = half_twice(vec_load(d->start));
		a[1][i] = _mm512_setzero_si512();
	}
	UNROLL for (unsigned y = 0; y < PICTURE_LINES; y++, from += d->down) {
		__asm__("" : "+r"(from)); /* as in direct_sums() */
		UNROLL for (unsigned k = y * PICTURE_LINE / 4; k < (y + 1) * PICTURE_LINE / 4; k++) {
			const u8 *const x = from + k * 4 % PICTURE_LINE;
			const vec w = _mm512_broadcast_i64x4(_mm256_loadu_si256((const void *)(d->weights + k * 4 * NPU_GROUP)));
			UNROLL for (unsigned i = 0; i < 4; i++) {
				a[k % 2][i] = vec_dot(a[k % 2][i], half_quads(x + i * step, step), w);
				vec_keep(a[k % 2][i]);
			}
		}
	}
	UNROLL for (unsigned i = 0; i < 4; i++)
		sum[i] = _mm512_add_epi32(a[0][i], a[1][i]);
}

ALWAYS_INLINE void half_block(const struct npu_layer8 *l, const struct npu_rescale *s, const struct direct_half *d, const size_t step, const bool two_sided, const u8 *from, u8 *to)
{
	NPU_LINE i32 undecided[4 * NPU_GROUP];
	vec sum[4], v[4];

	half_sums(d, step, from, sum);
	const bool decided = estimate(&d->e, two_sided, sum, 4, v);
	half_put(to, d->channels, estimate_narrow(&d->bytes, v));
	if (__builtin_expect(decided, 1))
		return;
	UNROLL for (unsigned i = 0; i < 4; i++)
		vec_store(undecided + i * NPU_GROUP, sum[i]);
	half_exact(s, l->narrow, d->channels, undecided, to);
}

/* n pixels of a run from the given one on. */
static NOINLINE void half_rest(const struct npu_layer8 *l, const struct npu_fields *f, const u8 *from, u32 x, u32 c, const i8 *weights, u8 *to, unsigned n)
{
	struct npu_fields rest = *f;
	struct npu_target one;

	rest.from = from;
	rest.x = x;
	one.step = NPU_GROUP;
	one.runs = 1;
	one.run[0] = (struct npu_run){ to, n };
	direct_apart(l, 1, &rest, c, weights, 0, &one);
}

/* The last pixels of a row are done with some of those before rather than for themselves. */
ALWAYS_INLINE void half_runs(const struct npu_layer8 *l, const struct direct_half *d, const size_t step, const bool two_sided, const struct npu_fields *f, u32 c,
			     const i8 *weights, i64 offset, const struct npu_target *t)
{
	const u8 *from = f->from;
	u32 x = f->x;

	for (unsigned r = 0; r < t->runs; r++) {
		u8 *to = t->run[r].to + offset;
		for (unsigned left = t->run[r].n, n; left; left -= n) {
			const u32 near = left < f->width - x ? left : f->width - x;
			n = near < HALF_PIXELS ? near : HALF_PIXELS;
			const u32 back = HALF_PIXELS - n;
			if (back <= x && back <= t->run[r].n - left)
				half_block(l, l->rescale + c / NPU_GROUP, d, step, two_sided, from - back * step, to - back * NPU_GROUP);
			else
				half_rest(l, f, from, x, c, weights, to, n);
			from += n * step;
			to += n * NPU_GROUP;
			x += n;
			if (x == f->width) {
				x = 0;
				from += f->skip;
			}
		}
	}
}

static inline bool direct_half_pays(const struct npu_layer8 *l, const struct npu_fields *f, u32 c, const struct npu_target *t)
{
	return l->depth - c <= HALF_CHANNELS && !l->bricks && direct_is_picture(f) && f->step == PICTURE_STEP && t->step == NPU_GROUP && direct_count(l, c, false);
}

static NOINLINE void direct_half(const struct npu_layer8 *l, const struct npu_fields *f, u32 c, const i8 *weights, i64 offset, const struct npu_target *t)
{
	const struct npu_rescale *s = l->rescale + c / NPU_GROUP;
	struct direct_half d = { .two_sided = estimate_two_sided(s, l->narrow), .channels = half_mask(l->depth - c), .weights = weights, .start = l->start + c,
				 .down = f->down };

	d.e = half_estimate(s, l->narrow, d.two_sided);
	d.bytes = estimate_bytes_load(l->narrow);
	if (d.two_sided)
		half_runs(l, &d, PICTURE_STEP, true, f, c, weights, offset, t);
	else
		half_runs(l, &d, PICTURE_STEP, false, f, c, weights, offset, t);
}
#endif
