/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwise of 3x3 taps that are apart from each other. Part of simd.c.
 *
 * As simd/window.h, but no vector has neighbouring taps: three are the four pixels under the taps of a row. Unpacked, a lane of 128 bits is a pixel with
 * a channel's taps side by side, and four vectors are four channels each. Results are bytes in order without another permutation. */

#if SIMD_LEVEL == 3
/* Constants of four channels a vector, for each of four pixels. */
struct apart {
	const struct npu_window_rows *in;
	const struct npu_depthwise8 *to;
	i64 from; /* the group's bytes in input rows */
	struct estimate_bytes bytes;
	bool two_sided, exact; /* there are channels of which estimates decide always */
	__mmask16 channels;
	vec flip, pad;
	NPU_LINE vec w[3][4]; /* by row of the kernel */
	vec start[4], exacts[4], above; /* `exacts`: their lower halves are all ones */
	__m512 factor[4], offset[4];
};

static inline vec apart_quad(const void *p)
{
	return _mm512_broadcast_i32x4(_mm_loadu_si128(p));
}

static inline void apart_load(struct apart *k, const struct npu_depthwise8 *d, const struct npu_window_rows *in, i64 from)
{
	const bool two_sided = estimate_two_sided(d->rescale, d->narrow);
	const struct estimate_vec e = estimate_load(d->rescale, d->narrow, two_sided);
	const u8 *weights = d->weights;
	NPU_LINE u8 by_channel[3][64];

	*k = (struct apart){ .in = in, .to = d, .from = from, .bytes = estimate_bytes_load(d->narrow), .two_sided = two_sided, .exact = e.near != 0x55555555,
			     .channels = window_channels(in), .flip = _mm512_set1_epi8((char)in->flip),
			     .pad = _mm512_set1_epi8((char)(in->pad ^ in->flip)), .above = e.above };
	vec_store(by_channel[0], _mm512_castps_si512(e.factor));
	vec_store(by_channel[1], _mm512_castps_si512(e.offset));
	vec_store(by_channel[2], _mm512_movm_epi16(~e.near & 0x55555555));
	UNROLL for (unsigned q = 0; q < 4; q++) {
		UNROLL for (unsigned y = 0; y < 3; y++)
			k->w[y][q] = apart_quad(weights + y * 64 + q * 16);
		k->start[q] = apart_quad(d->start + q * 4);
		k->factor[q] = _mm512_castsi512_ps(apart_quad(by_channel[0] + q * 16));
		k->offset[q] = _mm512_castsi512_ps(apart_quad(by_channel[1] + q * 16));
		k->exacts[q] = apart_quad(by_channel[2] + q * 16);
	}
}

/* Where four neighbouring output pixels have each tap of a row. */
struct apart_taps {
	u32 x;             /* the first output pixel */
	i64 from[3];       /* the first one, in bytes */
	bool inside[3];    /* all are in the row */
	__mmask16 mask[3]; /* else: dwords of those that are */
	i64 at[3][4];      /* ... pixels that lie apart, or others of the row */
};

static inline void apart_taps(struct apart_taps *t, const struct npu_window_rows *in, u32 x)
{
	t->x = x;
	for (u32 i = 0; i < 3; i++) {
		const i64 first = in->first + (i64)x + i * (i64)in->apart;
		t->from[i] = first * in->step;
		t->mask[i] = window_within(first, in->in_width);
		t->inside[i] = t->mask[i] == 0xffff;
		for (unsigned p = 0; p < 4; p++)
			t->at[i][p] = window_nearest(in, first + p);
	}
}

ALWAYS_INLINE vec apart_tap(const struct apart *k, const enum window_kind kind, const struct apart_taps *t, const u8 *row, const unsigned i)
{
	const i64 step = k->in->step, *const at = t->at[i];
	const u8 *const near = (const u8 *)((uintptr_t)row + (uintptr_t)t->from[i]);

	if (kind == WINDOW_EDGE)
		return _mm512_mask_loadu_epi32(k->pad, t->mask[i], near);
	if (t->inside[i])
		return window_pixels(k->channels, kind, near, near + step, near + 2 * step, near + 3 * step);
	return _mm512_mask_mov_epi32(k->pad, t->mask[i], window_pixels(k->channels, kind, row + at[0], row + at[1], row + at[2], row + at[3]));
}

/* A row's taps by channels; the fourth byte meets a weight of 0. */
ALWAYS_INLINE void apart_row(const struct apart *k, const enum window_kind kind, const struct apart_taps *t, const u8 *row, vec out[4])
{
	vec tap[3];

	UNROLL for (unsigned i = 0; i < 3; i++)
		tap[i] = _mm512_xor_si512(row ? apart_tap(k, kind, t, row + k->from, i) : k->pad, k->flip);
	const vec low = _mm512_unpacklo_epi8(tap[0], tap[1]), high = _mm512_unpackhi_epi8(tap[0], tap[1]);
	const vec third_low = _mm512_unpacklo_epi8(tap[2], tap[2]), third_high = _mm512_unpackhi_epi8(tap[2], tap[2]);
	out[0] = _mm512_unpacklo_epi16(low, third_low);
	out[1] = _mm512_unpackhi_epi16(low, third_low);
	out[2] = _mm512_unpacklo_epi16(high, third_high);
	out[3] = _mm512_unpackhi_epi16(high, third_high);
}

/* As estimate(), by channels. */
ALWAYS_INLINE bool apart_estimate(const struct apart *k, const vec x[4], vec v[4])
{
	vec least[4];

	if (__builtin_expect_with_probability(k->two_sided, 1, 0.5)) {
		const vec sign = _mm512_set1_epi32(INT32_MIN);
		UNROLL for (unsigned q = 0; q < 4; q++) {
			const vec offset = _mm512_ternarylogic_epi32(x[q], sign, _mm512_castps_si512(k->offset[q]), 0xea);
			const __m512 f = _mm512_cvt_roundepi32_ps(x[q], NEAREST);
			v[q] = _mm512_cvt_roundps_epi32(_mm512_fmadd_round_ps(f, k->factor[q], _mm512_castsi512_ps(offset), NEAREST), NEAREST);
			v[q] = _mm512_add_epi32(v[q], k->above);
		}
	} else {
		UNROLL for (unsigned q = 0; q < 4; q++) {
			const __m512 f = _mm512_cvt_roundepi32_ps(x[q], NEAREST);
			v[q] = _mm512_cvt_roundps_epi32(_mm512_fmadd_round_ps(f, k->factor[q], k->offset[q], NEAREST), NEAREST);
		}
	}
	UNROLL for (unsigned q = 0; q < 4; q++)
		least[q] = v[q];
	if (__builtin_expect(k->exact, 0))
		UNROLL for (unsigned q = 0; q < 4; q++)
			least[q] = _mm512_or_si512(v[q], k->exacts[q]);
	return estimate_decides(0x55555555, _mm512_min_epu16(_mm512_min_epu16(least[0], least[1]), _mm512_min_epu16(least[2], least[3])));
}

ALWAYS_INLINE vec apart_narrow(const struct estimate_bytes *b, const vec v[4])
{
#define UPPER(lane, of) (0x30001 + 0x80008 * (lane) + 0x40004 * (of)) /* two words: the upper halves; `of`: 8 and 9 are the other vector's */
	const vec upper = _mm512_setr_epi32(UPPER(0, 0), UPPER(0, 1), UPPER(0, 8), UPPER(0, 9), UPPER(1, 0), UPPER(1, 1), UPPER(1, 8), UPPER(1, 9),
					    UPPER(2, 0), UPPER(2, 1), UPPER(2, 8), UPPER(2, 9), UPPER(3, 0), UPPER(3, 1), UPPER(3, 8), UPPER(3, 9));
#undef UPPER
	const vec r = _mm512_packs_epi16(_mm512_permutex2var_epi16(v[0], upper, v[1]), _mm512_permutex2var_epi16(v[2], upper, v[3]));

	return _mm512_xor_si512(estimate_clamp(b, r), b->flip);
}

/* Sums as window_exact() has them. */
ALWAYS_INLINE void apart_keep(struct window_undecided *u, const vec x[4], u8 *to)
{
	const vec ab = _mm512_shuffle_i32x4(x[0], x[1], 0x44), cd = _mm512_shuffle_i32x4(x[2], x[3], 0x44);
	const vec behind_ab = _mm512_shuffle_i32x4(x[0], x[1], 0xee), behind_cd = _mm512_shuffle_i32x4(x[2], x[3], 0xee);
	const vec sum[4] = { _mm512_shuffle_i32x4(ab, cd, 0x88), _mm512_shuffle_i32x4(ab, cd, 0xdd), _mm512_shuffle_i32x4(behind_ab, behind_cd, 0x88),
			     _mm512_shuffle_i32x4(behind_ab, behind_cd, 0xdd) };

	window_keep(u, sum, to);
}

/* All rows of up to four output pixels. */
ALWAYS_INLINE void apart_column(const struct apart *k, const enum window_kind kind, const struct apart_taps *t, unsigned pixels, struct window_undecided *u)
{
	const struct npu_window_rows *in = k->in;
	const bool near = kind == WINDOW_EDGE;
	const u8 *const *row = in->row;
	const i64 to = k->to->offset + t->x * in->to_step;
	const u32 rows = in->rows;
	vec first[4], second[4], third[4];

	apart_row(k, kind, t, *row++, first);
	apart_row(k, kind, t, *row++, second);
	for (u32 y = 0; y < rows; y++) {
		vec sum[4], v[4];
		u8 *const at = in->to[y] + to;
		apart_row(k, kind, t, *row++, third);
		UNROLL for (unsigned q = 0; q < 4; q++) {
			sum[q] = vec_dot(k->start[q], first[q], k->w[0][q]);
			sum[q] = vec_dot(sum[q], second[q], k->w[1][q]);
			sum[q] = vec_dot(sum[q], third[q], k->w[2][q]);
			first[q] = second[q];
			second[q] = third[q];
		}
		if (__builtin_expect(!apart_estimate(k, sum, v), 0))
			apart_keep(u, sum, at);
		window_put(in, near, k->channels, at, apart_narrow(&k->bytes, v), pixels);
	}
	if (__builtin_expect(u->n != 0, 0))
		window_exact(k->to, in, near, u, pixels);
}

ALWAYS_INLINE void apart_blocks(const struct npu_depthwise8 *d, const struct npu_window_rows *in, const enum window_kind kind, const struct apart_taps *t,
				u32 blocks, unsigned pixels)
{
	struct window_undecided u;
	struct apart k;

	u.n = 0;
	for (u32 g = 0; g < in->groups; g++) {
		const struct npu_depthwise8 to = window_group(d, in, g);
		apart_load(&k, &to, in, g * in->group_from);
		for (u32 i = 0; i < blocks; i++)
			apart_column(&k, kind, t + i, pixels, &u);
	}
}

ALWAYS_INLINE void apart_columns(const struct npu_depthwise8 *d, const struct npu_window_rows *in, const enum window_kind kind)
{
	const unsigned pixels = in->width < 4 ? in->width : 4;
	const u32 all = (in->width + 3) / 4;
	struct apart_taps t[WINDOW_BLOCKS];

	for (u32 first = 0, n; first < all; first += n) {
		n = all - first < WINDOW_BLOCKS ? all - first : WINDOW_BLOCKS;
		for (u32 i = 0; i < n; i++)
			apart_taps(&t[i], in, window_block(in, first + i, pixels));
		apart_blocks(d, in, kind, t, n, pixels);
	}
}

static NOINLINE void apart_bricks(const struct npu_depthwise8 *d, const struct npu_window_rows *in)
{
	apart_columns(d, in, WINDOW_EDGE);
}

static NOINLINE void apart_far(const struct npu_depthwise8 *d, const struct npu_window_rows *in)
{
	apart_columns(d, in, WINDOW_FAR);
}

static NOINLINE void apart_part(const struct npu_depthwise8 *d, const struct npu_window_rows *in)
{
	apart_columns(d, in, WINDOW_PART);
}

static void window_rows(const struct npu_depthwise8 *d, const struct npu_window_rows *in)
{
	if (in->apart == 1)
		(half_pays(in) ? window_half : window_near)(d, in);
	else
		(in->channels < NPU_GROUP ? apart_part : in->step == NPU_GROUP && in->to_step == NPU_GROUP ? apart_bricks : apart_far)(d, in);
}
#endif
