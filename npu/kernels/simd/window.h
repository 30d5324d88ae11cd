/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwise of 3x3 taps and fewer from memory to memory, without expanded lines. Part of simd.c.
 *
 * Four output pixels and 16 channels at a time, down the rows: what an input row has under them is brought together once for all output rows that it
 * belongs to. The four bytes that one multiply takes are neighbours of a row: the taps of an output pixel and, with weights one byte further, of
 * the next one. */

#if SIMD_LEVEL == 3
#define WINDOW_VECTORS 4 /* of a row: two for neighbouring output pixels, four for every second */
#define WINDOW_POSITIONS (2 * WINDOW_VECTORS + 2)

/* How pixels lie: as bricks of which all that is looked at is in the row, or some; anywhere; the same of fewer than 16 channels. */
enum window_kind { WINDOW_INSIDE, WINDOW_EDGE, WINDOW_FAR, WINDOW_PART };

struct window {
	const struct npu_window_rows *in;
	const struct npu_depthwise8 *to;
	i64 from; /* the group's bytes in input rows */
	struct direct direct;
	__mmask16 channels;
	vec flip, pad, start;
	vec w[2][3]; /* by place of the first tap, and row of the kernel */
};

/* Group g from the first one on. */
static inline struct npu_depthwise8 window_group(const struct npu_depthwise8 *d, const struct npu_window_rows *in, u32 g)
{
	return (struct npu_depthwise8){ .weights = (const i8 *)d->weights + g * in->group_weights, .start = d->start + g * NPU_GROUP,
					.rescale = d->rescale + g, .narrow = d->narrow, .offset = d->offset + g * in->group_to };
}

static inline __mmask16 window_channels(const struct npu_window_rows *in)
{
	return (__mmask16)((1u << in->channels) - 1);
}

/* Those of a row of the kernel: none where it has fewer than three. */
ALWAYS_INLINE vec window_weights(const i8 *weights, const struct npu_window_rows *in, unsigned y)
{
	return y < in->lines ? vec_load(weights + y * 64) : _mm512_setzero_si512();
}

static inline void window_load(struct window *k, const struct npu_depthwise8 *d, const struct npu_window_rows *in, i64 from)
{
	const i8 *weights = d->weights;

	k->in = in;
	k->to = d;
	k->from = from;
	direct_load(&k->direct, d->rescale, d->narrow, 1);
	k->channels = window_channels(in);
	k->flip = _mm512_set1_epi8((char)in->flip);
	k->pad = _mm512_set1_epi8((char)(in->pad ^ in->flip));
	k->start = vec_load(d->start);
	UNROLL for (unsigned y = 0; y < 3; y++) {
		k->w[0][y] = window_weights(weights, in, y);
		k->w[1][y] = _mm512_slli_epi32(k->w[0][y], 8);
	}
}

/* What is under four neighbouring output pixels in each row: vectors of four positions from every second one on. */
struct window_taps {
	u32 x;                          /* the first output pixel */
	i64 from;                       /* the first one, in bytes */
	bool inside;                    /* all positions are in the row */
	__mmask16 mask[WINDOW_VECTORS]; /* else: dwords of those that are */
	i64 at[WINDOW_POSITIONS];       /* ... pixels that lie apart, or others of the row */
};

/* Dwords of four positions from the given one on that are in a row of `width`. */
static inline __mmask16 window_within(i64 position, u32 width)
{
	const i64 before = position < 0 ? -position : 0, end = (i64)width - position;
	const u32 below = end >= 4 ? 0xffff : end > 0 ? (1u << (4 * end)) - 1 : 0;

	return (__mmask16)(before < 4 ? below >> (4 * before) << (4 * before) : 0);
}

/* The nearest pixel that there is; in bytes. */
static inline i64 window_nearest(const struct npu_window_rows *in, i64 position)
{
	const i64 last = (i64)in->in_width - 1;

	return (position < 0 ? 0 : position > last ? last : position) * in->step;
}

/* `positions`: where each pixel lies is wanted, as they may be anywhere. */
static inline void window_taps(struct window_taps *t, const struct npu_window_rows *in, const bool positions, u32 x)
{
	const unsigned vectors = 2 * in->stride;
	const i64 first = in->first + (i64)x * in->stride;

	t->x = x;
	t->from = first * in->step;
	t->inside = first >= 0 && first + 2 * vectors + 2 <= in->in_width;
	for (unsigned i = 0; i < vectors && !t->inside; i++)
		t->mask[i] = window_within(first + 2 * i, in->in_width);
	for (unsigned i = 0; i < 2 * vectors + 2 && positions && !t->inside; i++)
		t->at[i] = window_nearest(in, first + i);
}

ALWAYS_INLINE __m128i window_pixel(__mmask16 channels, const enum window_kind kind, const u8 *p)
{
	return kind == WINDOW_PART ? _mm_maskz_loadu_epi8(channels, p) : _mm_loadu_si128((const void *)p);
}

ALWAYS_INLINE vec window_pixels(__mmask16 channels, const enum window_kind kind, const u8 *a, const u8 *b, const u8 *c, const u8 *d)
{
	vec v = _mm512_castsi128_si512(window_pixel(channels, kind, a));

	v = _mm512_inserti32x4(v, window_pixel(channels, kind, b), 1);
	v = _mm512_inserti32x4(v, window_pixel(channels, kind, c), 2);
	return _mm512_inserti32x4(v, window_pixel(channels, kind, d), 3);
}

/* Vector i of a row. */
ALWAYS_INLINE vec window_vector(const struct window *k, const enum window_kind kind, const struct window_taps *t, const u8 *row, const unsigned i)
{
	const i64 step = k->in->step, *const at = t->at + 2 * i;
	const u8 *const near = (const u8 *)((uintptr_t)row + (uintptr_t)(t->from + 2 * i * (kind < WINDOW_FAR ? NPU_GROUP : step)));

	if (kind == WINDOW_INSIDE)
		return vec_load(near);
	if (kind == WINDOW_EDGE)
		return _mm512_mask_loadu_epi32(k->pad, t->mask[i], near);
	if (t->inside)
		return window_pixels(k->channels, kind, near, near + step, near + 2 * step, near + 3 * step);
	return _mm512_mask_mov_epi32(k->pad, t->mask[i], window_pixels(k->channels, kind, row + at[0], row + at[1], row + at[2], row + at[3]));
}

/* Four bytes of each channel. A row that there is not is padding. */
ALWAYS_INLINE void window_row(const struct window *k, const enum window_kind kind, const unsigned stride, const struct window_taps *t, const u8 *row,
			      vec out[WINDOW_VECTORS])
{
	UNROLL for (unsigned i = 0; i < 2 * stride; i++) {
		const vec v = row ? window_vector(k, kind, t, row + k->from, i) : k->pad;
		out[i] = channels_first(_mm512_xor_si512(v, k->flip));
	}
}

/* The first channels of the first `pixels` of four; `near`: bricks, which are whole. */
ALWAYS_INLINE void window_put(const struct npu_window_rows *in, const bool near, __mmask16 channels, u8 *to, vec bytes, unsigned pixels)
{
	const i64 step = in->to_step;

	if (near && pixels == 4) {
		vec_store(to, bytes);
		return;
	}
	_mm_mask_storeu_epi8(to, channels, _mm512_castsi512_si128(bytes));
	if (pixels > 1)
		_mm_mask_storeu_epi8(to + step, channels, _mm512_extracti32x4_epi32(bytes, 1));
	if (pixels > 2)
		_mm_mask_storeu_epi8(to + 2 * step, channels, _mm512_extracti32x4_epi32(bytes, 2));
	if (pixels > 3)
		_mm_mask_storeu_epi8(to + 3 * step, channels, _mm512_extracti32x4_epi32(bytes, 3));
}

/* Sums of a column that the estimate did not decide: to be done again. */
struct window_undecided {
	unsigned n;
	u8 *to[NPU_WINDOW_ROWS];
	NPU_LINE i32 sum[NPU_WINDOW_ROWS][4 * NPU_GROUP];
};

ALWAYS_INLINE void window_keep(struct window_undecided *u, const vec sum[4], u8 *to)
{
	UNROLL for (unsigned i = 0; i < 4; i++)
		vec_store(u->sum[u->n] + i * NPU_GROUP, sum[i]);
	u->to[u->n++] = to;
}

static NOINLINE void window_exact(const struct npu_depthwise8 *d, const struct npu_window_rows *in, bool near, struct window_undecided *u, unsigned pixels)
{
	NPU_LINE u8 bytes[4 * NPU_GROUP];

	for (unsigned n = 0; n < u->n; n++) {
		store_exact(d->rescale, d->narrow, u->sum[n], 4, bytes);
		window_put(in, near, window_channels(in), u->to[n], vec_load(bytes), pixels);
	}
	u->n = 0;
}

/* All rows of up to four output pixels. */
ALWAYS_INLINE void window_column(const struct window *k, const enum window_kind kind, const unsigned stride, const bool near, const struct window_taps *t,
				 unsigned pixels, struct window_undecided *u)
{
	const struct npu_window_rows *in = k->in;
	const u8 *const *row = in->row;
	const i64 to = k->to->offset + t->x * in->to_step;
	const u32 rows = in->rows;
	vec first[WINDOW_VECTORS], second[WINDOW_VECTORS], third[WINDOW_VECTORS];

	window_row(k, kind, stride, t, *row++, first);
	if (stride == 1)
		window_row(k, kind, stride, t, *row++, second);
	for (u32 y = 0; y < rows; y++) {
		vec sum[4], v[4];
		u8 *const at = in->to[y] + to;
		if (stride == 2)
			window_row(k, kind, stride, t, *row++, second);
		window_row(k, kind, stride, t, *row++, third);
		UNROLL for (unsigned i = 0; i < 4; i++) {
			const vec *const w = k->w[stride == 1 ? i % 2 : 0];
			const unsigned j = stride == 1 ? i / 2 : i;
			sum[i] = vec_dot(k->start, first[j], w[0]);
			sum[i] = vec_dot(sum[i], second[j], w[1]);
			sum[i] = vec_dot(sum[i], third[j], w[2]);
		}
		UNROLL for (unsigned j = 0; j < 2 * stride; j++) {
			first[j] = stride == 1 ? second[j] : third[j];
			second[j] = third[j];
		}
		if (__builtin_expect(!estimate(&k->direct.e[0], k->direct.two_sided, sum, 4, v), 0))
			window_keep(u, sum, at);
		window_put(in, near, k->channels, at, estimate_narrow(&k->direct.bytes, v), pixels);
	}
	if (__builtin_expect(u->n != 0, 0))
		window_exact(k->to, in, near, u, pixels);
}

/* The first output pixel of block i: the last four are done with some of those before rather than in part. */
static inline u32 window_block(const struct npu_window_rows *in, u32 i, unsigned pixels)
{
	return 4 * i + pixels <= in->width ? 4 * i : in->width - pixels;
}

#define WINDOW_BLOCKS 8 /* done together: where their pixels lie is found once for all groups */

ALWAYS_INLINE void window_blocks(const struct npu_depthwise8 *d, const struct npu_window_rows *in, const enum window_kind kind, const unsigned stride,
				 const bool near, const struct window_taps *t, u32 blocks, unsigned pixels)
{
	struct window_undecided u;
	struct window k;

	u.n = 0;
	for (u32 g = 0; g < in->groups; g++) {
		const struct npu_depthwise8 to = window_group(d, in, g);
		window_load(&k, &to, in, g * in->group_from);
		for (u32 i = 0; i < blocks; i++) {
			if (kind == WINDOW_INSIDE && !t[i].inside)
				window_column(&k, WINDOW_EDGE, stride, near, t + i, pixels, &u);
			else
				window_column(&k, kind, stride, near, t + i, pixels, &u);
		}
	}
}

ALWAYS_INLINE void window_columns(const struct npu_depthwise8 *d, const struct npu_window_rows *in, const enum window_kind kind, const unsigned stride,
				  const bool near)
{
	const unsigned pixels = in->width < 4 ? in->width : 4;
	const u32 all = (in->width + 3) / 4;
	struct window_taps t[WINDOW_BLOCKS];

	for (u32 first = 0, n; first < all; first += n) {
		n = all - first < WINDOW_BLOCKS ? all - first : WINDOW_BLOCKS;
		for (u32 i = 0; i < n; i++)
			window_taps(&t[i], in, !near, window_block(in, first + i, pixels));
		window_blocks(d, in, kind, stride, near, t, n, pixels);
	}
}

#define WINDOW_COLUMNS(NAME, KIND, NEAR) \
static NOINLINE void NAME(const struct npu_depthwise8 *d, const struct npu_window_rows *in) \
{ \
	window_columns(d, in, KIND, 1, NEAR); \
} \
static NOINLINE void NAME##_second(const struct npu_depthwise8 *d, const struct npu_window_rows *in) \
{ \
	window_columns(d, in, KIND, 2, NEAR); \
}
WINDOW_COLUMNS(window_bricks, WINDOW_INSIDE, true)
WINDOW_COLUMNS(window_far, WINDOW_FAR, false)
WINDOW_COLUMNS(window_part, WINDOW_PART, false)

static void window_near(const struct npu_depthwise8 *d, const struct npu_window_rows *in)
{
	const bool second = in->stride == 2;

	if (in->channels < NPU_GROUP)
		(second ? window_part_second : window_part)(d, in);
	else if (in->step == NPU_GROUP && in->to_step == NPU_GROUP)
		(second ? window_bricks_second : window_bricks)(d, in);
	else
		(second ? window_far_second : window_far)(d, in);
}

#define SETS_AHEAD 4 /* sums that do not wait for each other */

static void depthwise_rows(const struct npu_row_taps *t, const u8 *const *row, u32 rows, const i8 *weights, i32 acc[NPU_GROUP])
{
	const vec flip = _mm512_set1_epi8((char)t->flip), pad = _mm512_set1_epi8((char)(t->pad ^ t->flip));
	vec sum[SETS_AHEAD] = { vec_load(acc), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512() };

	for (u32 y = 0; y < rows; y++)
		for (u32 s = 0; s < t->sets; s++, weights += 64) {
			const i64 position = t->first + 4 * (i64)s;
			const u8 *const from = (const u8 *)((uintptr_t)row[y] + (uintptr_t)(position * NPU_GROUP));
			const __mmask16 mask = window_within(position, t->in_width);
			const vec v = row[y] ? _mm512_mask_loadu_epi32(pad, mask, from) : pad;
			const vec next = vec_dot(sum[0], channels_first(_mm512_xor_si512(v, flip)), vec_load(weights));
			sum[0] = sum[1];
			sum[1] = sum[2];
			sum[2] = sum[3];
			sum[3] = next;
		}
	vec_store(acc, _mm512_add_epi32(_mm512_add_epi32(sum[0], sum[1]), _mm512_add_epi32(sum[2], sum[3])));
}
#endif
