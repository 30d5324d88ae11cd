/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions to a few channels: products go along a pixel's receptive field, and what a vector has of them is added up at the end for several
 * pixels at a time. Vectors of channels would be empty but for these few. Part of simd.c. */

#define FEW_BLOCK(C) \
static NOINLINE void few_block##C(const struct npu_few *f, u32 c, const u8 *const pixel[FEW_PIXELS], i32 *sums) \
{ \
	few_block(C, f, c, pixel, sums); \
}

/* Pixels one after the other, the last one again for those behind it. */
#define FEW_ROWS \
FEW_BLOCK(1) \
FEW_BLOCK(2) \
FEW_BLOCK(3) \
static void few_rows(const struct npu_few *f, const u8 *from, unsigned pixels, i32 *sums) \
{ \
	const u8 *pixel[FEW_PIXELS]; \
	for (unsigned n; pixels; pixels -= n, from += n * f->step, sums += n) { \
		n = pixels < FEW_PIXELS ? pixels : FEW_PIXELS; \
		for (unsigned p = 0; p < FEW_PIXELS; p++) \
			pixel[p] = from + (p < n ? p : n - 1) * f->step; \
		if (f->channels == 1) { \
			few_block1(f, 0, pixel, sums); \
		} else if (f->channels == 3) { \
			few_block3(f, 0, pixel, sums); \
		} else { \
			for (u32 c = 0; c < f->channels; c += 2) \
				few_block2(f, c, pixel, sums); \
		} \
	} \
}

#if SIMD_LEVEL == 3
#define FEW_PIXELS 8 /* at a time, of up to three channels */

/* Sums of the 16 values of each of eight vectors. */
ALWAYS_INLINE __m256i few_totals(const vec a[FEW_PIXELS])
{
	vec pair[4], four[2];

	UNROLL for (unsigned i = 0; i < 4; i++)
		pair[i] = _mm512_add_epi32(_mm512_unpacklo_epi32(a[2 * i], a[2 * i + 1]), _mm512_unpackhi_epi32(a[2 * i], a[2 * i + 1]));
	UNROLL for (unsigned i = 0; i < 2; i++)
		four[i] = _mm512_add_epi32(_mm512_unpacklo_epi64(pair[2 * i], pair[2 * i + 1]), _mm512_unpackhi_epi64(pair[2 * i], pair[2 * i + 1]));
	/* quarters: two of the first four pixels, two of the others */
	const vec half = _mm512_add_epi32(_mm512_shuffle_i32x4(four[0], four[1], 0x88), _mm512_shuffle_i32x4(four[0], four[1], 0xdd));
	const vec all = _mm512_add_epi32(half, _mm512_shuffle_i32x4(half, half, 0xb1));
	return _mm512_castsi512_si256(_mm512_shuffle_i32x4(all, all, 0x08));
}

/* C channels from c on. */
ALWAYS_INLINE void few_block(const unsigned C, const struct npu_few *f, u32 c, const u8 *const pixel[FEW_PIXELS], i32 *sums)
{
	const vec flip = _mm512_set1_epi8((char)f->flip);
	const i8 *w = (const i8 *)f->weights + c * sizeof(vec);
	vec a[3][FEW_PIXELS];

	UNROLL for (unsigned i = 0; i < C; i++)
		UNROLL for (unsigned p = 0; p < FEW_PIXELS; p++)
			a[i][p] = _mm512_setzero_si512();
	for (u32 n = 0; n < f->pieces; n++, w += f->channels * sizeof(vec)) {
		const __mmask64 mask = ~UINT64_C(0) >> (64 - f->piece[n].bytes);
		UNROLL for (unsigned p = 0; p < FEW_PIXELS; p++) {
			const vec x = _mm512_xor_si512(_mm512_maskz_loadu_epi8(mask, pixel[p] + f->piece[n].at), flip);
			UNROLL for (unsigned i = 0; i < C; i++) {
				a[i][p] = vec_dot(a[i][p], x, vec_load(w + i * sizeof(vec)));
				vec_keep(a[i][p]);
			}
		}
	}
	UNROLL for (unsigned i = 0; i < C; i++)
		_mm256_storeu_si256((void *)(sums + (c + i) * NPU_FEW_SUMS), _mm256_add_epi32(few_totals(a[i]), _mm256_set1_epi32(f->start[c + i])));
}

/* Sums of the four values of each of 16 quarters of vectors, which are pixels one behind the other. */
ALWAYS_INLINE vec few_quarters(const vec a[4])
{
	const vec order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
	const vec first = _mm512_add_epi32(_mm512_unpacklo_epi32(a[0], a[1]), _mm512_unpackhi_epi32(a[0], a[1]));
	const vec second = _mm512_add_epi32(_mm512_unpacklo_epi32(a[2], a[3]), _mm512_unpackhi_epi32(a[2], a[3]));

	return _mm512_permutexvar_epi32(order, _mm512_add_epi32(_mm512_unpacklo_epi64(first, second), _mm512_unpackhi_epi64(first, second)));
}

/* Up to 16 S pixels in bricks, four of them in a vector. */
ALWAYS_INLINE void few_bricks(const unsigned C, const unsigned S, const struct npu_few *f, const u8 *from, unsigned pixels, i32 *sums)
{
	const vec flip = _mm512_set1_epi8((char)f->flip);
	const i8 *w = f->weights;
	__mmask16 mask[8];
	vec a[NPU_FEW][8];

	UNROLL for (unsigned q = 0; q < 4 * S; q++)
		mask[q] = pixels >= 4 * q + 4 ? 0xffff : pixels > 4 * q ? (__mmask16)((1u << 4 * (pixels - 4 * q)) - 1) : 0;
	UNROLL for (unsigned i = 0; i < C; i++)
		UNROLL for (unsigned q = 0; q < 4 * S; q++)
			a[i][q] = _mm512_setzero_si512();
	for (u32 n = 0; n < f->pieces; n++, w += C * NPU_GROUP)
		UNROLL for (unsigned q = 0; q < 4 * S; q++) {
			const vec x = _mm512_xor_si512(_mm512_maskz_loadu_epi32(mask[q], from + f->piece[n].at + q * sizeof(vec)), flip);
			UNROLL for (unsigned i = 0; i < C; i++) {
				a[i][q] = vec_dot(a[i][q], x, _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(w + i * NPU_GROUP))));
				vec_keep(a[i][q]);
			}
		}
	UNROLL for (unsigned i = 0; i < C; i++)
		UNROLL for (unsigned s = 0; s < S; s++)
			vec_store(sums + i * NPU_FEW_SUMS + s * NPU_GROUP, _mm512_add_epi32(few_quarters(a[i] + 4 * s), _mm512_set1_epi32(f->start[i])));
}

/* As many at a time as keep the multiplier from waiting for its sums. */
#define FEW_BRICKS(C, S) \
static NOINLINE void few_bricks##C(const struct npu_few *f, const u8 *from, unsigned pixels, i32 *sums) \
{ \
	for (unsigned n; pixels; pixels -= n, from += n * NPU_GROUP, sums += n) { \
		n = pixels < (S) * NPU_GROUP ? pixels : (S) * NPU_GROUP; \
		few_bricks(C, S, f, from, n, sums); \
	} \
}
FEW_BRICKS(1, 2)
FEW_BRICKS(2, 2)
FEW_BRICKS(3, 1)
FEW_BRICKS(4, 1)

FEW_ROWS

static void few_u8(const struct npu_few *f, const u8 *from, unsigned pixels, i32 *sums)
{
	if (!f->bricks)
		few_rows(f, from, pixels, sums);
	else if (f->channels == 1)
		few_bricks1(f, from, pixels, sums);
	else if (f->channels == 2)
		few_bricks2(f, from, pixels, sums);
	else if (f->channels == 3)
		few_bricks3(f, from, pixels, sums);
	else
		few_bricks4(f, from, pixels, sums);
}
#elif SIMD_LEVEL == 2
#define FEW_PIXELS 4 /* at a time, of up to three channels */

/* C channels from c on. */
ALWAYS_INLINE void few_products(const unsigned C, const bool is_signed, const struct npu_few *f, u32 c, const u8 *const pixel[FEW_PIXELS], i32 *sums)
{
	const i16 *w = (const i16 *)f->weights + c * NPU_GROUP;
	vec a[3][FEW_PIXELS];

	UNROLL for (unsigned i = 0; i < C; i++)
		UNROLL for (unsigned p = 0; p < FEW_PIXELS; p++)
			a[i][p] = _mm256_setzero_si256();
	for (u32 n = 0; n < f->pieces; n++, w += f->channels * NPU_GROUP)
		UNROLL for (unsigned p = 0; p < FEW_PIXELS; p++) {
			const __m128i bytes = _mm_loadu_si128((const void *)(pixel[p] + f->piece[n].at));
			const vec x = is_signed ? _mm256_cvtepi8_epi16(bytes) : _mm256_cvtepu8_epi16(bytes);
			UNROLL for (unsigned i = 0; i < C; i++) {
				a[i][p] = vec_madd(a[i][p], x, vec_load(w + i * NPU_GROUP));
				vec_keep(a[i][p]);
			}
		}
	UNROLL for (unsigned i = 0; i < C; i++) {
		const vec half = _mm256_hadd_epi32(_mm256_hadd_epi32(a[i][0], a[i][1]), _mm256_hadd_epi32(a[i][2], a[i][3]));
		const __m128i all = _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
		_mm_storeu_si128((void *)(sums + (c + i) * NPU_FEW_SUMS), _mm_add_epi32(all, _mm_set1_epi32(f->start[c + i])));
	}
}

ALWAYS_INLINE void few_block(const unsigned C, const struct npu_few *f, u32 c, const u8 *const pixel[FEW_PIXELS], i32 *sums)
{
	if (f->flip)
		few_products(C, true, f, c, pixel, sums);
	else
		few_products(C, false, f, c, pixel, sums);
}

FEW_ROWS

static void few_u8(const struct npu_few *f, const u8 *from, unsigned pixels, i32 *sums)
{
	few_rows(f, from, pixels, sums);
}
#endif
