/* SPDX-License-Identifier: Apache-2.0 */
/* 3x3 depthwise of int16 from memory to memory. Part of simd.c.
 *
 * The two elements that one multiply takes are of two rows of a column, rows 0 and 1, and rows 2 and 3 (or 2 alone): each serves both
 * output rows, with weights of their own. */

#if SIMD_LEVEL == 3
struct window_words {
	const struct npu_window_words *in;
	const u8 *row[4];
	__mmask16 some[4]; /* channels; of padding none */
	vec start;
	vec w[2][2][3]; /* by output row, pair of input rows, column of the kernel */
	struct rescale_vec rescale;
	struct words_pair words;
};

/* A column's weights of two rows of the kernel, of which one may be NULL; packed weights have those of two columns side by side. */
ALWAYS_INLINE vec window_words_pair(const i16 *above, const i16 *below, const unsigned x)
{
	const vec low = vec_all(0xffff), none = _mm512_setzero_si512();
	const vec a = above ? vec_load(above + x / 2 * 2 * NPU_GROUP) : none, b = below ? vec_load(below + x / 2 * 2 * NPU_GROUP) : none;

	return x & 1 ? _mm512_or_si512(_mm512_srli_epi32(a, 16), _mm512_andnot_si512(low, b))
		     : _mm512_or_si512(_mm512_and_si512(a, low), _mm512_slli_epi32(b, 16));
}

ALWAYS_INLINE void window_words_load(struct window_words *k, const struct npu_window_words *in, const unsigned rows)
{
	const __mmask16 all = (__mmask16)(in->channels < NPU_GROUP ? (1u << in->channels) - 1 : 0xffff);
	const i16 *w[3] = { in->weights, in->weights + 4 * NPU_GROUP, in->weights + 8 * NPU_GROUP };

	k->in = in;
	UNROLL for (unsigned i = 0; i < rows + 2; i++) {
		k->row[i] = in->row[i] ? in->row[i] : (const u8 *)in->weights; /* nothing is read */
		k->some[i] = in->row[i] ? all : 0;
	}
	k->start = vec_load(in->start);
	k->rescale = rescale_load(in->rescale, 0);
	k->words = words_pair_load(in->narrow, in->channels);
	UNROLL for (unsigned x = 0; x < 3; x++) {
		k->w[0][0][x] = window_words_pair(w[0], w[1], x);
		k->w[0][1][x] = window_words_pair(w[2], NULL, x);
		k->w[1][0][x] = window_words_pair(NULL, w[0], x);
		k->w[1][1][x] = window_words_pair(w[1], w[2], x);
	}
}

/* Both pairs of a column. */
ALWAYS_INLINE void window_words_column(const struct window_words *k, const unsigned rows, i64 position, vec q[2])
{
	const vec order = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1,
					   16, 0);
	const i64 at = position * k->in->step;
	__m256i v[4];

	UNROLL for (unsigned i = 0; i < rows + 2; i++)
		v[i] = _mm256_maskz_loadu_epi16(k->some[i], (const void *)((uintptr_t)k->row[i] + (uintptr_t)at));
	q[0] = _mm512_permutexvar_epi16(order, _mm512_inserti64x4(_mm512_castsi256_si512(v[0]), v[1], 1));
	q[1] = rows == 2 ? _mm512_permutexvar_epi16(order, _mm512_inserti64x4(_mm512_castsi256_si512(v[2]), v[3], 1)) : _mm512_cvtepu16_epi32(v[2]);
}

static inline void window_words_edge(const struct window_words *k, const unsigned rows, i64 position, vec q[2])
{
	if (position >= 0 && position < k->in->in_width)
		window_words_column(k, rows, position, q);
	else
		q[0] = q[1] = _mm512_setzero_si512();
}

ALWAYS_INLINE vec window_words_sum(const struct window_words *k, const unsigned r, const vec (*q)[2])
{
	vec a = k->start;

	UNROLL for (unsigned x = 0; x < 3; x++) {
		a = vec_madd(a, q[x][0], k->w[r][0][x]);
		a = vec_madd(a, q[x][1], k->w[r][1][x]);
	}
	return rescale_once(a, &k->rescale);
}

/* n <= 2 neighbouring output pixels; q: their columns. */
ALWAYS_INLINE void window_words_store(const struct window_words *k, const unsigned rows, const unsigned stride, const unsigned n, const vec (*q)[2],
				      i64 to)
{
	UNROLL for (unsigned r = 0; r < rows; r++) {
		u8 *const first = k->in->to[r] + to;
		const vec a = window_words_sum(k, r, q), b = n == 2 ? window_words_sum(k, r, q + stride) : a;
		words_pair_store(&k->words, a, b, first, n == 2 ? first + k->in->to_step : first);
	}
}

/* Columns of n output pixels; the first 3 - stride are there already. */
#define WINDOW_WORDS(N, COLUMN) \
	do { \
		UNROLL for (unsigned i_ = 3 - stride; i_ < ((N) - 1) * stride + 3; i_++) \
			COLUMN(&k, rows, at + i_, q[i_]); \
		window_words_store(&k, rows, stride, N, q, to); \
	} while (0)

ALWAYS_INLINE void window_words_rows(const struct npu_window_words *in, const unsigned rows, const unsigned stride)
{
	struct window_words k;
	u32 left = in->width;
	i64 at = in->first, to = 0;
	vec q[5][2];

	window_words_load(&k, in, rows);
	UNROLL for (unsigned i = 0; i < 3 - stride; i++)
		window_words_edge(&k, rows, at + i, q[i]);
	for (; left >= 2; left -= 2, at += 2 * stride, to += 2 * in->to_step) {
		if (at + 3 >= stride && at + stride + 3 <= in->in_width)
			WINDOW_WORDS(2, window_words_column);
		else
			WINDOW_WORDS(2, window_words_edge);
		UNROLL for (unsigned i = 0; i < 3 - stride; i++) {
			q[i][0] = q[2 * stride + i][0];
			q[i][1] = q[2 * stride + i][1];
		}
	}
	if (left)
		WINDOW_WORDS(1, window_words_edge);
}

static void window_words(const struct npu_window_words *in)
{
	if (in->stride == 2)
		window_words_rows(in, 1, 2);
	else if (in->to[1])
		window_words_rows(in, 2, 1);
	else
		window_words_rows(in, 1, 1);
}
#endif
