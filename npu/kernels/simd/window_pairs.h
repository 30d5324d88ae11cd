/* SPDX-License-Identifier: Apache-2.0 */
/* 3x3 depthwise of bricks from memory to memory where two products make a lane. Part of simd.c.
 *
 * Of four rows the two in the middle are multiplied together, column by column, for the output row above and the one below; of the
 * first and the last row two neighbouring columns are: five multiplies for nine taps, and every byte is brought beside another one once.
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

ALWAYS_INLINE vec window_words(const struct window *k, const struct npu_window *in, const bool edge, unsigned row, i64 position)
{
	if (edge && (position < 0 || position >= in->in_width))
		return k->pad;
	return _mm256_cvtepi8_epi16(_mm_loadu_si128((const void *)(in->row[row] + position * NPU_GROUP)));
}

ALWAYS_INLINE void window_unpack(vec a, vec b, vec half[2])
{
	half[0] = _mm256_unpacklo_epi16(a, b);
	half[1] = _mm256_unpackhi_epi16(a, b);
}

/* `rows`: of the output; `edge`: columns may be outside of the row. */
ALWAYS_INLINE void window_couple(const struct window *k, const struct npu_window *in, const unsigned rows, const bool edge, i64 position, struct window_couple *c)
{
	UNROLL for (unsigned i = 0; i < 2; i++)
		window_unpack(window_words(k, in, edge, 1, position + i), window_words(k, in, edge, 2, position + i), c->down[i]);
	UNROLL for (unsigned r = 0; r < rows; r++)
		window_unpack(window_words(k, in, edge, 3 * r, position), window_words(k, in, edge, 3 * r, position + 1), c->along[r]);
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

/* Two neighbouring output pixels of a row, by half; c: their couples of columns. */
ALWAYS_INLINE void window_sums(const struct window *k, const unsigned r, const unsigned stride, const struct window_couple *c, vec sum[4])
{
	UNROLL for (unsigned h = 0; h < 2; h++) {
		sum[h] = window_sum(k, r, h, false, c, c + 1);
		sum[2 + h] = window_sum(k, r, h, stride == 1, c + stride - 1, c + stride);
	}
}

/* What the estimate does not decide. */
ALWAYS_INLINE void window_near(const struct npu_depthwise8 *d, const vec sum[4], u32 pixels, u8 *to)
{
	NPU_LINE i32 acc[2 * NPU_GROUP];

	UNROLL for (unsigned p = 0; p < 2; p++) {
		vec whole[2];
		window_halves(sum[2 * p], sum[2 * p + 1], whole);
		vec_store(acc + p * NPU_GROUP, whole[0]);
		vec_store(acc + p * NPU_GROUP + LANES, whole[1]);
	}
	store_near(d->rescale, d->narrow, acc, pixels, to);
}

/* The first `pixels` <= 2 of each row. */
ALWAYS_INLINE void window_store(const struct window *k, const struct npu_depthwise8 *d, const struct npu_window *in, const unsigned rows, const unsigned stride, const bool two_sided,
				const struct window_couple *c, u32 pixels, size_t to)
{
	UNROLL for (unsigned r = 0; r < rows; r++) {
		vec sum[4], v[4], least[2];
		window_sums(k, r, stride, c, sum);
		UNROLL for (unsigned i = 0; i < 4; i++)
			v[i] = estimate_value(&k->estimate, i % 2, two_sided, sum[i]);
		UNROLL for (unsigned h = 0; h < 2; h++)
			least[h] = _mm256_min_epu16(v[h], v[2 + h]);
		const vec bytes = _mm256_permute4x64_epi64(estimate_narrow(&k->bytes, v), 0xd8);
		if (pixels == 2)
			vec_store(in->to[r] + to, bytes);
		else
			_mm_storeu_si128((void *)(in->to[r] + to), _mm256_castsi256_si128(bytes));
		if (__builtin_expect(!estimate_decides(&k->estimate, least), 0))
			window_near(d, sum, pixels, in->to[r] + to);
	}
}

ALWAYS_INLINE void window_rows(const struct npu_depthwise8 *d, const struct npu_window *in, const unsigned rows, const unsigned stride,
			       const bool two_sided)
{
	const struct window *const k = in->room;
	i64 at = in->first;
	size_t to = 0;
	struct window_couple c[3];

	window_couple(k, in, rows, true, at, &c[0]);
	for (u32 left = in->width, n; left; left -= n, at += 2 * stride, to += 2 * NPU_GROUP) {
		const bool edge = at + 2 < 0 || at + 2 + 2 * stride > in->in_width;
		n = left < 2 ? left : 2;
		if (edge)
			UNROLL for (unsigned i = 1; i <= stride; i++)
				window_couple(k, in, rows, true, at + 2 * i, &c[i]);
		else
			UNROLL for (unsigned i = 1; i <= stride; i++)
				window_couple(k, in, rows, false, at + 2 * i, &c[i]);
		window_store(k, d, in, rows, stride, two_sided, c, n, to);
		c[0] = c[stride];
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
