/* SPDX-License-Identifier: Apache-2.0 */
/* 3x3 depthwise of bricks from memory to memory where two products make a lane. Part of simd.c.
 *
 * Of four rows the two in the middle are multiplied together, column by column, for the output row above and the one below; of the
 * first and the last row two neighbouring columns are: five multiplies for nine taps, and every byte is brought beside another one once.
 * That, the sums and their bytes are made one after the other for a part of a row: from a pixel's bytes to its result is a long way, beside which hosts
 * find too little other work, and so what each step goes on with stays in registers.
 * Unpacking leaves channels 0 to 3 and 8 to 11 in one vector and the others in a second one: these are the halves here, and what
 * narrows results puts them together again. */

#if SIMD_LEVEL == 2
struct window {
	vec pad;
	vec start[2];
	vec down[2][3][2];  /* by output row, column and half: weights of two rows of the kernel */
	vec along[2][4][2]; /* of two columns: two for a pixel whose first column is the first of a couple, two for its neighbour */
	struct estimate_pair estimate;
	struct estimate_bytes bytes;
	bool two_sided;
};

#define WINDOW_PIXELS 56                    /* output pixels of a row that are done together: the first cache has what they need */
#define WINDOW_COUPLES (WINDOW_PIXELS + 1) /* with stride 2 each begins in one */

/* Couples of neighbouring columns of a part of a row, by half: the first one's pairs of the two rows in the middle, the second one's, and pairs of the
 * two columns in the first and the last row. */
struct window_couples {
	vec down[2][WINDOW_COUPLES][2];
	vec along[2][2][WINDOW_COUPLES];
};

/* Halves of 16 lanes. */
ALWAYS_INLINE void window_halves(vec first, vec second, vec half[2])
{
	half[0] = _mm256_permute2x128_si256(first, second, 0x20);
	half[1] = _mm256_permute2x128_si256(first, second, 0x31);
}

ALWAYS_INLINE void window_estimate(struct window *k, const struct npu_rescale *s, const struct npu_narrow8 *n)
{
	const struct estimate_pair e = estimate_load(s, n);
	vec factor[2], offset[2], below[2], near[2];

	window_halves(_mm256_castps_si256(e.half[0].factor), _mm256_castps_si256(e.half[1].factor), factor);
	window_halves(_mm256_castps_si256(e.half[0].offset), _mm256_castps_si256(e.half[1].offset), offset);
	window_halves(_mm256_castps_si256(e.half[0].below), _mm256_castps_si256(e.half[1].below), below);
	window_halves(e.half[0].near, e.half[1].near, near);
	UNROLL for (unsigned h = 0; h < 2; h++)
		k->estimate.half[h] = (struct estimate_half){ _mm256_castsi256_ps(factor[h]), _mm256_castsi256_ps(offset[h]), _mm256_castsi256_ps(below[h]), near[h] };
	k->bytes = estimate_bytes_load(n);
}

/* npu_packed has two taps of a row, then the third one, for each row of the kernel. */
ALWAYS_INLINE void window_weights(struct window *k, const struct npu_depthwise8 *d)
{
	const vec low = _mm256_set1_epi32(0xffff), zero = k->pad;
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

/* Constants of a group. */
static NOINLINE void window_prepare(struct window *k, const struct npu_depthwise8 *d, const struct npu_window *in)
{
	_Static_assert(sizeof(*k) <= NPU_WINDOW_ROOM, "room");
	k->pad = _mm256_cvtepi8_epi16(_mm_set1_epi8((char)(in->pad ^ in->flip)));
	k->two_sided = estimate_two_sided(d->rescale, d->narrow);
	window_weights(k, d);
	window_estimate(k, d->rescale, d->narrow);
}

ALWAYS_INLINE vec window_words(vec pad, i64 width, const bool edge, const u8 *row, i64 position)
{
	if (edge && (position < 0 || position >= width))
		return pad;
	return _mm256_cvtepi8_epi16(_mm_loadu_si128((const void *)(row + position * NPU_GROUP)));
}

ALWAYS_INLINE void window_unpack(vec a, vec b, vec half[2])
{
	half[0] = _mm256_unpacklo_epi16(a, b);
	half[1] = _mm256_unpackhi_epi16(a, b);
}

/* `rows`: of the output; `edge`: columns may be outside of the row. */
ALWAYS_INLINE void window_couple(vec pad, i64 width, const u8 *const row[4], const unsigned rows, const bool edge, i64 position, u32 i,
				 struct window_couples *c)
{
	vec half[2];

	UNROLL for (unsigned x = 0; x < 2; x++) {
		window_unpack(window_words(pad, width, edge, row[1], position + x), window_words(pad, width, edge, row[2], position + x), half);
		UNROLL for (unsigned h = 0; h < 2; h++)
			c->down[h][i][x] = half[h];
	}
	UNROLL for (unsigned r = 0; r < rows; r++) {
		const u8 *const other = row[3 * r];
		window_unpack(window_words(pad, width, edge, other, position), window_words(pad, width, edge, other, position + 1), half);
		UNROLL for (unsigned h = 0; h < 2; h++)
			c->along[r][h][i] = half[h];
	}
}

ALWAYS_INLINE void window_columns(const struct window *k, const struct npu_window *in, const unsigned rows, i64 position, u32 couples,
				  struct window_couples *c)
{
	const u8 *const row[4] = { in->row[0], in->row[1], in->row[2], in->row[3] };
	const i64 width = in->in_width;
	const vec pad = k->pad;

	for (u32 i = 0; i < couples; i++, position += 2) {
		if (position < 0 || position + 2 > width)
			window_couple(pad, width, row, rows, true, position, i, c);
		else
			window_couple(pad, width, row, rows, false, position, i, c);
	}
}

/* Of a half: x are pairs of the two rows in the middle at three columns, y of two columns each. */
ALWAYS_INLINE vec window_sum(vec start, const vec x[3], const vec down[3], const vec y[2], const vec along[2])
{
	const vec sum = vec_madd(vec_madd(vec_madd(start, x[0], down[0]), x[1], down[1]), x[2], down[2]);

	return vec_madd(vec_madd(sum, y[0], along[0]), y[1], along[1]);
}

/* acc[pixel]: half h of the sums of output row r, of the pixels that begin in the first `couples`. */
ALWAYS_INLINE void window_sums(const struct window *k, const unsigned r, const unsigned h, const unsigned stride, const struct window_couples *c,
			       u32 couples, i32 *acc)
{
	const vec start = k->start[h], down[3] = { k->down[r][0][h], k->down[r][1][h], k->down[r][2][h] };
	const vec along[4] = { k->along[r][0][h], k->along[r][1][h], k->along[r][2][h], k->along[r][3][h] };
	const vec *x = c->down[h][0], *y = c->along[r][h];

	for (const vec *const end = y + couples; y != end; x += 2, y++, acc += 2 / stride * NPU_GROUP) {
		vec_store(acc, window_sum(start, x, down, y, along));
		if (stride == 1)
			vec_store(acc + NPU_GROUP, window_sum(start, x + 1, down, y, along + 2));
	}
}

/* acc[row][n]: sums of n output pixels whose columns begin at `position`. An odd one makes room for one more, which the next row's first takes. */
ALWAYS_INLINE void window_line(const struct window *k, const struct npu_window *in, const unsigned rows, const unsigned stride, i64 position, u32 n,
			       i32 *acc)
{
	const u32 couples = stride == 1 ? (n + 1) / 2 : n;
	struct window_couples c;

	window_columns(k, in, rows, position, couples + 1, &c);
	UNROLL for (unsigned r = 0; r < rows; r++)
		UNROLL for (unsigned h = 0; h < 2; h++)
			window_sums(k, r, h, stride, &c, couples, acc + r * n * (size_t)NPU_GROUP + h * LANES);
}

ALWAYS_INLINE void window_rows(const struct npu_depthwise8 *d, const struct npu_window *in, const unsigned rows, const unsigned stride,
			       const bool two_sided)
{
	const struct window *const k = in->room;
	NPU_LINE i32 acc[(2 * WINDOW_PIXELS + 1) * NPU_GROUP];

	for (u32 x = 0, n; x < in->width; x += n) {
		n = in->width - x < WINDOW_PIXELS ? in->width - x : WINDOW_PIXELS;
		window_line(k, in, rows, stride, in->first + (i64)x * stride, n, acc);
		if (rows == 2 && n == in->width && in->to[1] == in->to[0] + n * (size_t)NPU_GROUP) {
			estimate_line(&k->estimate, &k->bytes, two_sided, true, 2 * n, acc, in->to[0], d->rescale, d->narrow);
			return; /* rows of n pixels lie one behind the other */
		}
		for (unsigned r = 0; r < rows; r++)
			estimate_line(&k->estimate, &k->bytes, two_sided, true, n, acc + r * n * (size_t)NPU_GROUP, in->to[r] + x * (size_t)NPU_GROUP,
				      d->rescale, d->narrow);
	}
}

#define WINDOW_ROWS(NAME, ROWS, STRIDE) \
static NOINLINE void NAME(const struct npu_depthwise8 *d, const struct npu_window *in) \
{ \
	if (((const struct window *)in->room)->two_sided) \
		window_rows(d, in, ROWS, STRIDE, true); \
	else \
		window_rows(d, in, ROWS, STRIDE, false); \
}
WINDOW_ROWS(window_two, 2, 1)
WINDOW_ROWS(window_one, 1, 1)
WINDOW_ROWS(window_apart, 1, 2)

static void window_u8(const struct npu_depthwise8 *d, const struct npu_window *in)
{
	if (!in->ready)
		window_prepare(in->room, d, in);
	if (in->stride == 2)
		window_apart(d, in);
	else if (in->to[1])
		window_two(d, in);
	else
		window_one(d, in);
}
#endif
