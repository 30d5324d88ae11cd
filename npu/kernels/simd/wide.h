/* SPDX-License-Identifier: Apache-2.0 */
/* 64-bit lanes: sums and scaling of int32. Part of simd.c. */

static void scale64(i64 *v, size_t n, i64 scale, i64 plus, i64 minus, unsigned shift)
{
	if (plus == minus) {
		for (size_t i = 0; i < n; i++)
			v[i] = (v[i] * scale + plus) >> shift;
		return;
	}
	for (size_t i = 0; i < n; i++)
		v[i] = (v[i] * scale + (v[i] < 0 ? minus : plus)) >> shift;
}

static i64 sum32(const u8 *p, size_t n)
{
	i64 sum = 0;

	for (size_t i = 0; i < n; i++) {
		i32 e;
		memcpy(&e, p + i * sizeof(e), sizeof(e));
		sum += e;
	}
	return sum;
}

typedef i32 i32x4 __attribute__((vector_size(16)));
typedef i32 i32x8 __attribute__((vector_size(32)));

/* As many lanes as one register has: gcc keeps wider vectors in memory. */
#if SIMD_LEVEL == 3
typedef i32x16 sums_vec;
#elif SIMD_LEVEL == 2
typedef i32x8 sums_vec;
#else
typedef i32x4 sums_vec;
#endif
#define WORDS (sizeof(sums_vec) / sizeof(i32))

/* Values whose sum has 32 bits. */
ALWAYS_INLINE i32 lanes_sum(const sums_vec *v)
{
#if SIMD_LEVEL == 3
	return _mm512_reduce_add_epi32((__m512i)*v);
#elif SIMD_LEVEL == 2
	const i32x4 a = (i32x4)_mm256_castsi256_si128((__m256i)*v) + (i32x4)_mm256_extracti128_si256((__m256i)*v, 1);
	return a[0] + a[1] + (a[2] + a[3]);
#else
	return (*v)[0] + (*v)[1] + ((*v)[2] + (*v)[3]);
#endif
}

/* The magnitudes' bits of all rows together. */
static u32 rows_bits(const u8 *p, i64 step, size_t rows, size_t n)
{
	sums_vec bits = { 0 };
	u32 all = 0;

	for (size_t r = 0; r < rows; r++, p += step)
		for (size_t i = 0; i < n; i += WORDS) {
			sums_vec v;
			memcpy(&v, p + i * sizeof(i32), sizeof(v));
			bits |= v ^ (v >> 31);
		}
	for (unsigned i = 0; i < WORDS; i++)
		all |= (u32)bits[i];
	return all;
}

#if SIMD_LEVEL == 3
/* Lane i: the sum of v[i]. */
ALWAYS_INLINE __m512i rows_sums(const __m512i v[16])
{
#define HALVES(a, b) _mm512_add_epi32(_mm512_shuffle_i32x4(a, b, 0x88), _mm512_shuffle_i32x4(a, b, 0xdd))
	__m512i pair[8], four[4];

	UNROLL for (unsigned i = 0; i < 8; i++)
		pair[i] = _mm512_add_epi32(_mm512_unpacklo_epi32(v[2 * i], v[2 * i + 1]), _mm512_unpackhi_epi32(v[2 * i], v[2 * i + 1]));
	UNROLL for (unsigned i = 0; i < 4; i++)
		four[i] = _mm512_add_epi32(_mm512_unpacklo_epi64(pair[2 * i], pair[2 * i + 1]),
					   _mm512_unpackhi_epi64(pair[2 * i], pair[2 * i + 1]));
	return HALVES(HALVES(four[0], four[1]), HALVES(four[2], four[3]));
#undef HALVES
}

/* 16 rows of n values, a multiple of 16; false: their sums might not have 32 bits. */
static bool rows_of_16(const u8 *p, i64 step, size_t n, i64 *sum)
{
	__m512i v[16], most = _mm512_setzero_si512();

	UNROLL for (unsigned r = 0; r < 16; r++) {
		v[r] = _mm512_loadu_si512(p + r * step);
		most = _mm512_max_epu32(most, _mm512_abs_epi32(v[r]));
	}
	for (size_t i = NPU_GROUP; i < n; i += NPU_GROUP)
		UNROLL for (unsigned r = 0; r < 16; r++) {
			const __m512i e = _mm512_loadu_si512(p + r * step + i * sizeof(i32));
			most = _mm512_max_epu32(most, _mm512_abs_epi32(e));
			v[r] = _mm512_add_epi32(v[r], e);
		}
	if (_mm512_cmpge_epu32_mask(most, _mm512_set1_epi32((i32)((UINT32_C(1) << 31) / n))))
		return false;
	const __m512i all = rows_sums(v);
	const __m512i low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(all)), high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(all, 1));
	_mm512_storeu_si512(sum, _mm512_add_epi64(_mm512_loadu_si512(sum), low));
	_mm512_storeu_si512(sum + 8, _mm512_add_epi64(_mm512_loadu_si512(sum + 8), high));
	return true;
}
#endif

static void sum_rows32(const u8 *p, i64 step, size_t rows, size_t n, i64 *sum)
{
#if SIMD_LEVEL == 3
	/* from the end, which the operation before has written last: it is in the first cache */
	while (rows >= 16 && n && n % NPU_GROUP == 0 && rows_of_16(p + (i64)(rows - 16) * step, step, n, sum + rows - 16))
		rows -= 16;
#endif
	/* whether 32 bits are enough is asked for all rows at once: that costs less than wider lanes */
	if (n % NPU_GROUP || rows_bits(p, step, rows, n) >= (UINT32_C(1) << 31) / n) {
		for (size_t r = 0; r < rows; r++, p += step)
			sum[r] += sum32(p, n);
		return;
	}
	for (size_t r = 0; r < rows; r++, p += step) {
		sums_vec lanes = { 0 };
		for (size_t i = 0; i < n; i += WORDS) {
			sums_vec v;
			memcpy(&v, p + i * sizeof(i32), sizeof(v));
			lanes += v;
		}
		sum[r] += lanes_sum(&lanes);
	}
}

/* Words without alignment. */
#define WORD(p, i) ({ i32 w_; memcpy(&w_, (p) + (i) * sizeof(w_), sizeof(w_)); w_; })

static void widen32(const u8 *p, size_t n, i64 *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = WORD(p, i);
}

static void add_wide(i64 *acc, const i32 *sum, size_t n, unsigned shift)
{
	for (size_t i = 0; i < n; i++)
		acc[i] += (i64)((u64)sum[i] << shift);
}

#if SIMD_LEVEL == 3
static void products8(const struct npu_products8 *t, u8 *to, i64 to_step, const u8 *a, i64 a_step, const u8 *b, size_t rows, size_t n)
{
	i32x16 second[NPU_PRODUCTS / NPU_GROUP], v;

	for (size_t i = 0; i < n; i += NPU_GROUP) {
		widen_bytes(t->signed_b, b + i, &v);
		second[i / NPU_GROUP] = v - t->zero_b;
	}
	for (size_t r = 0; r < rows; r++, to += to_step, a += a_step)
		for (size_t i = 0; i < n; i += NPU_GROUP) {
			widen_bytes(t->signed_a, a + i, &v);
			v = (v - t->zero_a) * second[i / NPU_GROUP];
			memcpy(to + i * sizeof(i32), &v, sizeof(v));
		}
}
#else
#define PRODUCTS(T) \
	for (size_t r = 0; r < rows; r++, to += to_step, a += a_step) { \
		const u8 *restrict from = a; \
		u8 *restrict out = to; \
		for (size_t i = 0; i < n; i++) { \
			const i32 v = ((T)from[i] - zero) * second[i]; \
			memcpy(out + i * sizeof(v), &v, sizeof(v)); \
		} \
	}

static void products8(const struct npu_products8 *t, u8 *to, i64 to_step, const u8 *a, i64 a_step, const u8 *b, size_t rows, size_t n)
{
	const i32 zero = t->zero_a;
	i32 second[NPU_PRODUCTS];

	for (size_t i = 0; i < n; i++)
		second[i] = (t->signed_b ? (i8)b[i] : b[i]) - t->zero_b;
	if (t->signed_a)
		PRODUCTS(i8)
	else
		PRODUCTS(u8)
}
#undef PRODUCTS
#endif

#if SIMD_LEVEL == 3
/* The first n < 64 of 64 bytes. */
static inline __mmask64 first_of_64(size_t n)
{
	return (UINT64_C(1) << n) - 1;
}

/* 16 rows; of `b` each byte is taken instead where it is NULL. `flip` makes `a` unsigned, flip_b makes `b` signed. */
ALWAYS_INLINE __m512i dots_of_16(const u8 *a, i64 step, __m512i flip, const u8 *b, __m512i flip_b, size_t n)
{
	__m512i v[16];

	UNROLL for (unsigned r = 0; r < 16; r++)
		v[r] = _mm512_setzero_si512();
	for (size_t i = 0; i < n; i += 64) {
		const __mmask64 some = n - i < 64 ? first_of_64(n - i) : ~UINT64_C(0);
		const __m512i w = b ? _mm512_maskz_mov_epi8(some, _mm512_xor_si512(_mm512_maskz_loadu_epi8(some, b + i), flip_b))
				    : _mm512_maskz_set1_epi8(some, 1);
		UNROLL for (unsigned r = 0; r < 16; r++)
			v[r] = _mm512_dpbusd_epi32(v[r], _mm512_xor_si512(_mm512_maskz_loadu_epi8(some, a + r * step + i), flip), w);
	}
	return rows_sums(v);
}

/* The same of up to 32 bytes: two rows in a vector. */
ALWAYS_INLINE __m512i dots_of_16_short(const u8 *a, i64 step, __m512i flip, const u8 *b, __m512i flip_b, size_t n)
{
	const __mmask32 some = (__mmask32)first_of_64(n);
	const __m256i one = b ? _mm256_maskz_mov_epi8(some, _mm256_xor_si256(_mm256_maskz_loadu_epi8(some, b), _mm512_castsi512_si256(flip_b)))
			      : _mm256_maskz_set1_epi8(some, 1);
	const __m512i w = _mm512_broadcast_i64x4(one);
	__m512i v[8], pair[4], four[2];

	UNROLL for (unsigned r = 0; r < 8; r++) {
		v[r] = _mm512_castsi256_si512(_mm256_maskz_loadu_epi8(some, a + r * step));
		v[r] = _mm512_inserti64x4(v[r], _mm256_maskz_loadu_epi8(some, a + (r + 8) * step), 1);
		v[r] = _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_xor_si512(v[r], flip), w);
	}
	UNROLL for (unsigned i = 0; i < 4; i++)
		pair[i] = _mm512_add_epi32(_mm512_unpacklo_epi32(v[2 * i], v[2 * i + 1]), _mm512_unpackhi_epi32(v[2 * i], v[2 * i + 1]));
	UNROLL for (unsigned i = 0; i < 2; i++)
		four[i] = _mm512_add_epi32(_mm512_unpacklo_epi64(pair[2 * i], pair[2 * i + 1]),
					   _mm512_unpackhi_epi64(pair[2 * i], pair[2 * i + 1]));
	/* rows 0 to 3, 8 to 11, 4 to 7, 12 to 15 */
	const __m512i all = _mm512_add_epi32(_mm512_shuffle_i32x4(four[0], four[1], 0x88), _mm512_shuffle_i32x4(four[0], four[1], 0xdd));
	return _mm512_shuffle_i32x4(all, all, 0xd8);
}

/* Of one row: products less `zero_b` times its bytes. */
static i32 dots_of_one(const u8 *a, __m512i flip, const u8 *b, __m512i flip_b, size_t n, i32 zero_b)
{
	__m512i dots = _mm512_setzero_si512(), all = dots;

	for (size_t i = 0; i < n; i += 64) {
		const __mmask64 some = n - i < 64 ? first_of_64(n - i) : ~UINT64_C(0);
		const __m512i v = _mm512_maskz_mov_epi8(some, _mm512_xor_si512(_mm512_maskz_loadu_epi8(some, a + i), flip));
		dots = _mm512_dpbusd_epi32(dots, v, _mm512_xor_si512(_mm512_maskz_loadu_epi8(some, b + i), flip_b));
		all = _mm512_dpbusd_epi32(all, v, _mm512_set1_epi8(1));
	}
	return _mm512_reduce_add_epi32(_mm512_sub_epi32(dots, _mm512_mullo_epi32(all, _mm512_set1_epi32(zero_b))));
}

/* The bytes as the multiplier takes them, `a` unsigned and `b` signed; zero points likewise, and taken off afterwards. */
static void dots8(const struct npu_products8 *t, const u8 *a, i64 a_step, size_t rows, const u8 *b, size_t n, i32 *sum)
{
	const i32 zero_a = t->zero_a + (t->signed_a ? 128 : 0), zero_b = t->zero_b - (t->signed_b ? 0 : 128);
	const __m512i flip = _mm512_set1_epi8(t->signed_a ? -128 : 0), flip_b = _mm512_set1_epi8(t->signed_b ? 0 : -128);
	const bool is_short = n <= 32;
	__m512i all_b = _mm512_setzero_si512();

	for (size_t i = 0; i < n; i += 64) {
		const __mmask64 some = n - i < 64 ? first_of_64(n - i) : ~UINT64_C(0);
		const __m512i v = _mm512_maskz_mov_epi8(some, _mm512_xor_si512(_mm512_maskz_loadu_epi8(some, b + i), flip_b));
		all_b = _mm512_dpbusd_epi32(all_b, _mm512_set1_epi8(1), v);
	}
	const i32 sum_b = _mm512_reduce_add_epi32(all_b);
	const __m512i less = _mm512_set1_epi32(zero_a * ((i32)n * zero_b - sum_b));
	for (size_t r = 0; r < rows;) {
		if (rows - r < 16) { /* the last 16, or fewer one by one */
			if (rows < 16)
				break;
			r = rows - 16;
		}
		const u8 *p = a + (i64)r * a_step;
		__m512i v = is_short ? dots_of_16_short(p, a_step, flip, b, flip_b, n) : dots_of_16(p, a_step, flip, b, flip_b, n);
		if (zero_b) {
			const __m512i all = is_short ? dots_of_16_short(p, a_step, flip, NULL, flip_b, n) : dots_of_16(p, a_step, flip, NULL, flip_b, n);
			v = _mm512_sub_epi32(v, _mm512_mullo_epi32(all, _mm512_set1_epi32(zero_b)));
		}
		_mm512_storeu_si512(sum + r, _mm512_add_epi32(v, less));
		r += 16;
	}
	for (size_t r = 0; rows < 16 && r < rows; r++)
		sum[r] = dots_of_one(a + (i64)r * a_step, flip, b, flip_b, n, zero_b) + zero_a * ((i32)n * zero_b - sum_b);
}
#elif SIMD_LEVEL != 2
#define DOTS(T) \
	for (size_t r = 0; r < rows; r++, a += a_step) { \
		i32 all = 0; \
		for (size_t i = 0; i < n; i++) \
			all += (i16)((T)a[i] - zero) * second[i]; \
		sum[r] = all; \
	}

static void dots8(const struct npu_products8 *t, const u8 *a, i64 a_step, size_t rows, const u8 *b, size_t n, i32 *sum)
{
	const i32 zero = t->zero_a;
	i16 second[NPU_DOTS];

	for (size_t i = 0; i < n; i++)
		second[i] = (i16)((t->signed_b ? (i8)b[i] : b[i]) - t->zero_b);
	if (t->signed_a)
		DOTS(i8)
	else
		DOTS(u8)
}
#undef DOTS
#endif

static void clamp64(const i64 *v, size_t n, i64 zero, i64 lo, i64 hi, i32 *out)
{
	for (size_t i = 0; i < n; i++) {
		i64 r = v[i] + zero;
		r = r < lo ? lo : r;
		out[i] = (i32)(r > hi ? hi : r);
	}
}
#undef WORD
