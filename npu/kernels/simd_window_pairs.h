/* SPDX-License-Identifier: Apache-2.0 */
/* 3x3 depthwise of bricks from memory to memory where two products make a lane. Part of simd.c.
 *
 * Of four rows the two in the middle are multiplied together, column by column, for the output row above and the one below; of the
 * first and the last row two neighbouring columns are: five multiplies for nine taps, and every byte is brought beside another one once.
 * Unpacking leaves channels 0 to 3 and 8 to 11 in one vector and the others in a second one: these are the halves here, and what
 * narrows results puts them together again. */

#if SIMD_LEVEL == 2
struct window {
	const struct npu_window *in;
	vec pad;
	vec start[2];
	vec down[2][3][2];  /* by output row, column and half: weights of two rows of the kernel */
	vec along[2][4][2]; /* of two columns: two for a pixel whose first column is the first of a couple, two for its neighbour */
	struct rescale_vec rescale[2];
	struct narrow_vec narrow;
};

/* Two neighbouring columns. */
struct window_couple {
	vec down[2][2];  /* by column and half: the rows in the middle */
	vec along[2][2]; /* of the first and the last row */
};

/* Halves of 16 lanes. */
ALWAYS_INLINE void window_halves(vec first, vec second, vec half[2])
{
	half[0] = _mm256_permute2x128_si256(first, second, 0x20);
	half[1] = _mm256_permute2x128_si256(first, second, 0x31);
}

ALWAYS_INLINE void window_rescale(struct window *k, const struct npu_rescale *s)
{
	const struct rescale_vec a = rescale_load(s, 0), b = rescale_load(s, LANES);
	vec half[2];

#define HALVES(member) \
	window_halves(a.member, b.member, half); \
	k->rescale[0].member = half[0]; \
	k->rescale[1].member = half[1];
	HALVES(scale)
	HALVES(scale_odd)
	HALVES(add_even)
	HALVES(add_odd)
	HALVES(shift)
	HALVES(negative)
#undef HALVES
}

/* npu_packed has two taps of a row, then the third one, for each row of the kernel. */
ALWAYS_INLINE void window_weights(struct window *k, const struct npu_depthwise8 *d)
{
	const vec low = _mm256_set1_epi32(0xffff), zero = _mm256_cvtepi8_epi16(_mm_set1_epi8((char)(k->in->pad ^ k->in->flip)));
	const i16 *packed = d->weights;
	vec column[3][3][2]; /* row of the kernel, column, half */

	window_halves(vec_load(d->start), vec_load(d->start + LANES), k->start);
	UNROLL for (unsigned y = 0; y < 3; y++, packed += 4 * NPU_GROUP) {
		vec two[2], third[2];
		window_halves(vec_load(packed), vec_load(packed + NPU_GROUP), two);
		window_halves(vec_load(packed + 2 * NPU_GROUP), vec_load(packed + 3 * NPU_GROUP), third);
		UNROLL for (unsigned h = 0; h < 2; h++) {
			column[y][0][h] = _mm256_and_si256(two[h], low);
			column[y][1][h] = _mm256_srli_epi32(two[h], 16);
			column[y][2][h] = third[h];
			k->start[h] = _mm256_sub_epi32(k->start[h], _mm256_madd_epi16(_mm256_add_epi16(two[h], third[h]), zero));
		}
	}
	UNROLL for (unsigned h = 0; h < 2; h++)
		UNROLL for (unsigned r = 0; r < 2; r++) {
			const unsigned apart = r ? 2 : 0; /* the row that is multiplied along */
			UNROLL for (unsigned x = 0; x < 3; x++)
				k->down[r][x][h] = _mm256_or_si256(column[1 - r][x][h], _mm256_slli_epi32(column[2 - r][x][h], 16));
			k->along[r][0][h] = _mm256_or_si256(column[apart][0][h], _mm256_slli_epi32(column[apart][1][h], 16));
			k->along[r][1][h] = column[apart][2][h];
			k->along[r][2][h] = _mm256_slli_epi32(column[apart][0][h], 16);
			k->along[r][3][h] = _mm256_or_si256(column[apart][1][h], _mm256_slli_epi32(column[apart][2][h], 16));
		}
}

ALWAYS_INLINE vec window_words(const struct window *k, const bool edge, unsigned row, i64 position)
{
	if (edge && (position < 0 || position >= k->in->in_width))
		return k->pad;
	return _mm256_cvtepi8_epi16(_mm_loadu_si128((const void *)(k->in->row[row] + position * NPU_GROUP)));
}

ALWAYS_INLINE void window_unpack(vec a, vec b, vec half[2])
{
	half[0] = _mm256_unpacklo_epi16(a, b);
	half[1] = _mm256_unpackhi_epi16(a, b);
}

/* `rows`: of the output; `edge`: columns may be outside of the row. */
ALWAYS_INLINE void window_couple(const struct window *k, const unsigned rows, const bool edge, i64 position, struct window_couple *c)
{
	UNROLL for (unsigned i = 0; i < 2; i++)
		window_unpack(window_words(k, edge, 1, position + i), window_words(k, edge, 2, position + i), c->down[i]);
	UNROLL for (unsigned r = 0; r < rows; r++)
		window_unpack(window_words(k, edge, 3 * r, position), window_words(k, edge, 3 * r, position + 1), c->along[r]);
}

/* A half of an output pixel whose columns are `down`, the first of couple a or, `odd`, its second one. */
ALWAYS_INLINE vec window_sum(const struct window *k, const unsigned r, const unsigned h, const bool odd, const struct window_couple *a,
			     const struct window_couple *b)
{
	const vec *first = odd ? a->down[1] : a->down[0], *second = odd ? b->down[0] : a->down[1], *third = odd ? b->down[1] : b->down[0];
	vec sum = vec_madd(k->start[h], first[h], k->down[r][0][h]);

	sum = vec_madd(sum, second[h], k->down[r][1][h]);
	sum = vec_madd(sum, third[h], k->down[r][2][h]);
	sum = vec_madd(sum, a->along[r][h], k->along[r][odd ? 2 : 0][h]);
	return vec_madd(sum, b->along[r][h], k->along[r][odd ? 3 : 1][h]);
}

/* Two neighbouring output pixels of each row, or the first one alone; c: their couples of columns. */
ALWAYS_INLINE void window_store(const struct window *k, const unsigned rows, const unsigned stride, const bool is_unsigned, const bool once,
				const struct window_couple *c, u32 pixels, size_t to)
{
	UNROLL for (unsigned r = 0; r < rows; r++) {
		vec v[4];
		UNROLL for (unsigned h = 0; h < 2; h++) {
			v[h] = store_rescaled(window_sum(k, r, h, false, c, c + 1), &k->rescale[h], once);
			v[2 + h] = store_rescaled(window_sum(k, r, h, stride == 1, c + stride - 1, c + stride), &k->rescale[h], once);
		}
		const vec bytes = narrow4(v, &k->narrow, is_unsigned);
		if (pixels >= 2)
			vec_store(k->in->to[r] + to, bytes);
		else
			_mm_storeu_si128((void *)(k->in->to[r] + to), _mm256_castsi256_si128(bytes));
	}
}

ALWAYS_INLINE void window_rows(const struct npu_depthwise8 *d, const struct npu_window *in, const unsigned rows, const unsigned stride,
			       const bool is_unsigned, const bool once)
{
	struct window k = { .in = in, .pad = _mm256_cvtepi8_epi16(_mm_set1_epi8((char)(in->pad ^ in->flip))), .narrow = narrow_load(d->narrow) };
	i64 at = in->first;
	size_t to = 0;
	struct window_couple c[3];

	k.narrow.order = _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7);
	window_weights(&k, d);
	window_rescale(&k, d->rescale);
	window_couple(&k, rows, true, at, &c[0]);
	for (u32 left = in->width, n; left; left -= n, at += 2 * stride, to += 2 * NPU_GROUP) {
		const bool edge = at + 2 < 0 || at + 2 + 2 * stride > in->in_width;
		n = left < 2 ? left : 2;
		if (edge)
			UNROLL for (unsigned i = 1; i <= stride; i++)
				window_couple(&k, rows, true, at + 2 * i, &c[i]);
		else
			UNROLL for (unsigned i = 1; i <= stride; i++)
				window_couple(&k, rows, false, at + 2 * i, &c[i]);
		window_store(&k, rows, stride, is_unsigned, once, c, n, to);
		c[0] = c[stride];
	}
}

#define WINDOW_ROWS(NAME, ROWS, STRIDE) \
static NOINLINE void NAME(const struct npu_depthwise8 *d, const struct npu_window *in) \
{ \
	const bool once = store_once(d->rescale, d->narrow); \
	if (d->narrow->is_unsigned) \
		window_rows(d, in, ROWS, STRIDE, true, false); \
	else if (once) \
		window_rows(d, in, ROWS, STRIDE, false, true); \
	else \
		window_rows(d, in, ROWS, STRIDE, false, false); \
}
WINDOW_ROWS(window_two, 2, 1)
WINDOW_ROWS(window_one, 1, 1)
WINDOW_ROWS(window_apart, 1, 2)

static void window_u8(const struct npu_depthwise8 *d, const struct npu_window *in)
{
	if (in->stride == 2)
		window_apart(d, in);
	else if (in->to[1])
		window_two(d, in);
	else
		window_one(d, in);
}
#endif
