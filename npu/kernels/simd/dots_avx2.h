/* SPDX-License-Identifier: Apache-2.0 */
/* npu_simd.dots8 with AVX2: eight rows at a time, whose sums are added up together. Part of simd.c. */

#if SIMD_LEVEL == 2
/* The second operand less its zero point, and zeros up to a whole vector; of the last vector of a row of 16 and more, which reaches back, those that
 * have not been multiplied. */
struct dots_second {
	i16 words[NPU_DOTS + NPU_GROUP], last[NPU_GROUP];
	i32 sum;
};

static void dots_second_of(struct dots_second *s, const struct npu_products8 *t, const u8 *b, size_t n)
{
	const i32 flip = t->signed_b ? 128 : 0, zero = t->zero_b;
	i32 sum = 0;

	for (size_t i = 0; i < n; i++) {
		s->words[i] = (i16)((b[i] ^ flip) - flip - zero);
		sum += s->words[i];
	}
	memset(s->words + n, 0, NPU_GROUP * sizeof(*s->words));
	for (size_t i = 0; n >= NPU_GROUP && i < NPU_GROUP; i++)
		s->last[i] = i < NPU_GROUP - n % NPU_GROUP ? 0 : s->words[n - NPU_GROUP + i];
	s->sum = sum;
}

ALWAYS_INLINE vec dots_16(vec sum, const u8 *a, bool is_signed, vec w)
{
	const __m128i bytes = _mm_loadu_si128((const __m128i *)a);

	return _mm256_add_epi32(sum, _mm256_madd_epi16(is_signed ? _mm256_cvtepi8_epi16(bytes) : _mm256_cvtepu8_epi16(bytes), w));
}

/* Sums of eight rows of 16 and more bytes, 16 of which are `group` bytes from the next. */
ALWAYS_INLINE vec dots_8_rows(const struct dots_second *s, const u8 *a, i64 step, i64 group, bool is_signed, size_t n)
{
	const size_t whole = n / NPU_GROUP * NPU_GROUP;
	vec v[8];

	UNROLL for (unsigned r = 0; r < 8; r++)
		v[r] = _mm256_setzero_si256();
	const u8 *part = a;
	for (size_t i = 0; i < whole; i += NPU_GROUP, part += group) {
		const vec w = _mm256_loadu_si256((const __m256i *)(s->words + i));
		UNROLL for (unsigned r = 0; r < 8; r++)
			v[r] = dots_16(v[r], part + r * step, is_signed, w);
	}
	if (whole < n) {
		const vec w = _mm256_loadu_si256((const __m256i *)s->last);
		UNROLL for (unsigned r = 0; r < 8; r++)
			v[r] = dots_16(v[r], a + r * step + n - NPU_GROUP, is_signed, w);
	}
	const vec low = _mm256_hadd_epi32(_mm256_hadd_epi32(v[0], v[1]), _mm256_hadd_epi32(v[2], v[3]));
	const vec high = _mm256_hadd_epi32(_mm256_hadd_epi32(v[4], v[5]), _mm256_hadd_epi32(v[6], v[7]));
	return _mm256_add_epi32(_mm256_permute2x128_si256(low, high, 0x20), _mm256_permute2x128_si256(low, high, 0x31));
}

static i32 dots_of_row(const struct dots_second *s, const u8 *a, bool is_signed, size_t n)
{
	const i32 flip = is_signed ? 128 : 0;
	i32 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += ((a[i] ^ flip) - flip) * s->words[i];
	return sum;
}

ALWAYS_INLINE void dots_of_rows(const struct dots_second *s, const struct npu_products8 *t, const u8 *a, i64 step, i64 group, bool is_signed, size_t rows, size_t n,
				i32 *sum)
{
	const i32 less = t->zero_a * s->sum;

	if (n < NPU_GROUP || rows < 8) {
		for (size_t r = 0; r < rows; r++)
			sum[r] = dots_of_row(s, a + (i64)r * step, is_signed, n) - less;
		return;
	}
	for (size_t r = 0; r < rows; r += 8) {
		r = rows - r < 8 ? rows - 8 : r; /* the last eight, some once more */
		_mm256_storeu_si256((__m256i *)(sum + r), _mm256_sub_epi32(dots_8_rows(s, a + (i64)r * step, step, group, is_signed, n), vec_all(less)));
	}
}

static void dots8_bricks(const struct npu_products8 *t, const u8 *a, i64 a_step, i64 group, size_t rows, const u8 *b, size_t n, i32 *sum)
{
	struct dots_second s;

	dots_second_of(&s, t, b, n);
	if (t->signed_a)
		dots_of_rows(&s, t, a, a_step, group, true, rows, n, sum);
	else
		dots_of_rows(&s, t, a, a_step, group, false, rows, n, sum);
}

static void dots8(const struct npu_products8 *t, const u8 *a, i64 a_step, size_t rows, const u8 *b, size_t n, i32 *sum)
{
	dots8_bricks(t, a, a_step, NPU_GROUP, rows, b, n, sum);
}
#endif
