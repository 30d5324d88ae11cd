/* SPDX-License-Identifier: Apache-2.0 */
/* 3x3 depthwise of bricks from memory to memory. Part of simd.c.
 *
 * The four bytes that one multiply takes are of four rows of a column: three for an output row, and
 * with weights one byte further for the row below it. So a column is brought together once for up
 * to six products and never stored. */

#if SIMD_LEVEL == 3
struct window {
	const struct npu_window *in;
	struct direct direct;
	vec flip, pad, start;
	vec w[2][3]; /* by output row and column of the kernel */
};

/* Weights of a column instead of those of a row, which npu_packed has. */
ALWAYS_INLINE void window_weights(struct window *k, const i8 *packed)
{
	const vec low = _mm512_set1_epi32(0xff);
	const vec row[3] = { vec_load(packed), vec_load(packed + 64), vec_load(packed + 128) };

	UNROLL for (unsigned x = 0; x < 3; x++) {
		vec a = _mm512_and_si512(_mm512_srli_epi32(row[0], 8 * x), low);
		vec b = _mm512_and_si512(_mm512_srli_epi32(row[1], 8 * x), low);
		vec c = _mm512_and_si512(_mm512_srli_epi32(row[2], 8 * x), low);
		b = _mm512_or_si512(_mm512_slli_epi32(b, 8), _mm512_slli_epi32(c, 16));
		k->w[0][x] = _mm512_or_si512(a, b);
		k->w[1][x] = _mm512_slli_epi32(k->w[0][x], 8);
	}
}

/* Four bytes of each channel at a position of the input row; `rows`: of the output. */
ALWAYS_INLINE vec window_column(const struct window *k, const unsigned rows, i64 position)
{
	const i64 at = position * NPU_GROUP;
	vec v = _mm512_castsi128_si512(_mm_loadu_si128((const void *)(k->in->row[0] + at)));

	v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(k->in->row[1] + at)), 1);
	v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(k->in->row[2] + at)), 2);
	if (rows == 2)
		v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(k->in->row[3] + at)), 3);
	return channels_first(_mm512_xor_si512(v, k->flip));
}

/* Padding outside of the row. */
static inline vec window_edge(const struct window *k, const unsigned rows, i64 position)
{
	return position < 0 || position >= k->in->in_width ? k->pad : window_column(k, rows, position);
}

/* N neighbouring output pixels of one or two rows, of which `pixels` are wanted; q: their columns. */
ALWAYS_INLINE void window_store(const struct window *k, const unsigned rows, const unsigned stride, const unsigned N, unsigned pixels, const vec *q,
				size_t to)
{
	struct undecided u;

	u.n = 0;
	UNROLL for (unsigned r = 0; r < rows; r++) {
		vec a[4];
		UNROLL for (unsigned i = 0; i < N; i++) {
			a[i] = vec_dot(k->start, q[i * stride], k->w[r][0]);
			a[i] = vec_dot(a[i], q[i * stride + 1], k->w[r][1]);
			a[i] = vec_dot(a[i], q[i * stride + 2], k->w[r][2]);
		}
		direct_store(&k->direct, 0, a, N, pixels, k->in->to[r] + to, &u);
	}
	if (__builtin_expect(u.n != 0, 0))
		store_undecided(k->direct.narrow, &u);
}

/* Columns of n output pixels from position `at` on but for the first 3 - stride, which are there already. */
#define WINDOW_COLUMNS(N, COLUMN) UNROLL for (unsigned i_ = 3 - stride; i_ < ((N) - 1) * stride + 3; i_++) q[i_] = COLUMN(&k, rows, at + i_)

ALWAYS_INLINE void window_rows(const struct npu_depthwise8 *d, const struct npu_window *in, const unsigned rows, const unsigned stride)
{
	struct window k = { .in = in, .start = vec_load(d->start), .flip = _mm512_set1_epi8((char)in->flip), .pad = _mm512_set1_epi8((char)in->pad) };
	u32 left = in->width;
	i64 at = in->first;
	size_t to = 0;
	vec q[9];

	direct_load(&k.direct, d->rescale, d->narrow, 1);
	window_weights(&k, d->weights);
	UNROLL for (unsigned i = 0; i < 3 - stride; i++)
		q[i] = window_edge(&k, rows, at + i);
	for (unsigned n; left > 2; left -= n, at += 4 * stride, to += 4 * NPU_GROUP) {
		n = left < 4 ? left : 4;
		if (at + 3 >= stride && at + 3 * stride + 3 <= in->in_width)
			WINDOW_COLUMNS(4, window_column);
		else
			WINDOW_COLUMNS(4, window_edge);
		window_store(&k, rows, stride, 4, n, q, to);
		UNROLL for (unsigned i = 0; i < 3 - stride; i++)
			q[i] = q[4 * stride + i];
	}
	if (left == 2) {
		WINDOW_COLUMNS(2, window_edge);
		window_store(&k, rows, stride, 2, 2, q, to);
	} else if (left) {
		WINDOW_COLUMNS(1, window_edge);
		window_store(&k, rows, stride, 1, 1, q, to);
	}
}

static void window_u8(const struct npu_depthwise8 *d, const struct npu_window *in)
{
	if (in->stride == 2)
		window_rows(d, in, 1, 2);
	else if (in->to[1])
		window_rows(d, in, 2, 1);
	else
		window_rows(d, in, 1, 1);
}
#endif
