/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwise of 3x3 taps and fewer over up to eight channels of bricks. Part of simd.c.
 *
 * As simd/window.h, but a vector has the sums of two output pixels, which are four apart: eight pixels take as many products as four of 16 channels. */

#if SIMD_LEVEL == 3
struct half {
	const struct npu_window_rows *in;
	__mmask64 channels; /* of four pixels */
	struct estimate_vec e;
	struct estimate_bytes bytes;
	bool two_sided;
	vec flip, pad, start;
	vec w[2][3];        /* as struct window has them */
};

static inline void half_load(struct half *k, const struct npu_depthwise8 *d, const struct npu_window_rows *in)
{
	const i8 *weights = d->weights;

	k->in = in;
	k->channels = half_mask(in->channels);
	k->two_sided = estimate_two_sided(d->rescale, d->narrow);
	k->e = half_estimate(d->rescale, d->narrow, k->two_sided);
	k->bytes = estimate_bytes_load(d->narrow);
	k->flip = _mm512_set1_epi8((char)in->flip);
	k->pad = _mm512_set1_epi8((char)(in->pad ^ in->flip));
	k->start = half_twice(vec_load(d->start));
	UNROLL for (unsigned y = 0; y < 3; y++) {
		k->w[0][y] = half_twice(window_weights(weights, in, y));
		k->w[1][y] = _mm512_slli_epi32(k->w[0][y], 8);
	}
}

/* Where eight neighbouring output pixels have their taps: two times eight positions, the second ones two further. */
struct half_taps {
	u32 x;               /* the first output pixel */
	i64 from;            /* the first position, in bytes */
	__mmask64 mask[2][2]; /* bytes that are read: of positions in the row, four at a time */
};

static inline void half_taps(struct half_taps *t, const struct half *k, u32 x)
{
	const i64 first = k->in->first + (i64)x;

	t->x = x;
	t->from = first * NPU_GROUP;
	for (unsigned i = 0; i < 4; i++) {
		const __mmask16 within = window_within(first + 2 * (i / 2) + 4 * (i % 2), k->in->in_width);
		t->mask[i / 2][i % 2] = _mm512_movepi8_mask(_mm512_movm_epi32(within)) & k->channels;
	}
}

/* Four neighbours of each channel, of positions 0 to 3 and of 4 to 7. */
ALWAYS_INLINE vec half_vector(const struct half *k, const __mmask64 mask[2], const u8 *at)
{
	const vec dwords = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 16, 20, 24, 28, 17, 21, 25, 29);
	const vec near = _mm512_mask_loadu_epi8(k->pad, mask[0], at), far = _mm512_mask_loadu_epi8(k->pad, mask[1], at + 4 * NPU_GROUP);

	return _mm512_shuffle_epi8(_mm512_xor_si512(_mm512_permutex2var_epi32(near, dwords, far), k->flip), channels_bytes());
}

ALWAYS_INLINE void half_row(const struct half *k, const struct half_taps *t, const u8 *row, vec out[2])
{
	const u8 *const at = (const u8 *)((uintptr_t)row + (uintptr_t)t->from);

	UNROLL for (unsigned i = 0; i < 2; i++)
		out[i] = row ? half_vector(k, t->mask[i], at + 2 * i * NPU_GROUP) : _mm512_xor_si512(k->pad, k->flip);
}

/* All rows of eight output pixels. */
ALWAYS_INLINE void half_column(const struct npu_depthwise8 *d, const struct half *k, const bool two_sided, const struct half_taps *t, struct window_undecided *u)
{
	const u8 *const *row = k->in->row;
	const i64 to = d->offset + t->x * (i64)NPU_GROUP;
	vec first[2], second[2], third[2];

	half_row(k, t, *row++, first);
	half_row(k, t, *row++, second);
	for (u32 y = 0; y < k->in->rows; y++) {
		vec sum[4], v[4];
		u8 *const at = k->in->to[y] + to;
		half_row(k, t, *row++, third);
		UNROLL for (unsigned i = 0; i < 4; i++) {
			sum[i] = vec_dot(k->start, first[i / 2], k->w[i % 2][0]);
			sum[i] = vec_dot(sum[i], second[i / 2], k->w[i % 2][1]);
			sum[i] = vec_dot(sum[i], third[i / 2], k->w[i % 2][2]);
		}
		UNROLL for (unsigned i = 0; i < 2; i++) {
			first[i] = second[i];
			second[i] = third[i];
		}
		if (__builtin_expect(!estimate(&k->e, two_sided, sum, 4, v), 0))
			window_keep(u, sum, at);
		half_put(at, k->channels, estimate_narrow(&k->bytes, v));
	}
	while (__builtin_expect(u->n != 0, 0)) {
		u->n--;
		half_exact(d->rescale, d->narrow, k->channels, u->sum[u->n], u->to[u->n]);
	}
}

static inline bool half_pays(const struct npu_window_rows *in)
{
	return in->channels <= HALF_CHANNELS && in->stride == 1 && in->width >= HALF_PIXELS && in->step == NPU_GROUP && in->to_step == NPU_GROUP;
}

/* The last eight pixels are done with some of those before rather than in part. */
static NOINLINE void window_half(const struct npu_depthwise8 *d, const struct npu_window_rows *in)
{
	struct window_undecided u;
	struct half k;

	u.n = 0;
	half_load(&k, d, in);
	for (u32 x = 0; x < in->width; x += HALF_PIXELS) {
		struct half_taps t;
		half_taps(&t, &k, x + HALF_PIXELS <= in->width ? x : in->width - HALF_PIXELS);
		if (k.two_sided)
			half_column(d, &k, true, &t, &u);
		else
			half_column(d, &k, false, &t, &u);
	}
}
#endif
