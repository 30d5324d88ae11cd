/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwise, 16 channels at a time. Part of simd.c.
 *
 * The taps along x that one multiply takes are brought side by side once per input row; every
 * output row that uses the input row then reads them ready. 3x3 on VNNI: three multiplies per
 * 16 outputs. */

/* 16 channels of two positions to pairs. */
ALWAYS_INLINE void pair(const i16 *a, const i16 *b, i16 *out)
{
#ifdef USES_NEON
	for (unsigned h = 0; h < NPU_GROUP; h += 8)
		vst2q_s16(out + 2 * h, ((int16x8x2_t){ { vld1q_s16(a + h), vld1q_s16(b + h) } }));
#elif SIMD_LEVEL >= 2
	__m256i va = _mm256_loadu_si256((const void *)a), vb = _mm256_loadu_si256((const void *)b);
	__m256i lo = _mm256_unpacklo_epi16(va, vb), hi = _mm256_unpackhi_epi16(va, vb);
	_mm256_storeu_si256((void *)out, _mm256_permute2x128_si256(lo, hi, 0x20));
	_mm256_storeu_si256((void *)(out + NPU_GROUP), _mm256_permute2x128_si256(lo, hi, 0x31));
#elif SIMD_LEVEL == 1
	for (unsigned h = 0; h < NPU_GROUP; h += 8) {
		__m128i va = _mm_loadu_si128((const void *)(a + h));
		__m128i vb = _mm_loadu_si128((const void *)(b + h));
		_mm_storeu_si128((void *)(out + 2 * h), _mm_unpacklo_epi16(va, vb));
		_mm_storeu_si128((void *)(out + 2 * h + 8), _mm_unpackhi_epi16(va, vb));
	}
#else
	for (unsigned i = 0; i < NPU_GROUP; i++) {
		out[2 * i] = a[i];
		out[2 * i + 1] = b[i];
	}
#endif
}

static inline void expand_line_i16(const struct npu_columns *c, const i16 *line, i16 *out)
{
	static const i16 none[NPU_GROUP];
	const size_t step = (size_t)c->stride_w * NPU_GROUP, tap = (size_t)c->dilation_w * NPU_GROUP;
	const u32 width = c->width, kernel_w = c->kernel_w;

	for (u32 k = 0; k < kernel_w; k += 2) {
		const i16 *a = line + k * tap;
		bool two = k + 1 < kernel_w;
		const i16 *b = two ? a + tap : none;
		for (u32 x = 0; x < width; x++, a += step, b += two ? step : 0, out += 2 * NPU_GROUP)
			pair(a, b, out);
	}
}

static void expand_i16(const struct npu_gather *g, const struct npu_columns *c, i32 yu, u32 rows, i64 offset,
		       unsigned channels, i16 *line, u8 *expanded)
{
	for (u32 r = 0; r < rows; r++, expanded += c->slot) {
		line_i16(g, yu + (i32)r, c->positions, offset, channels, line);
		expand_line_i16(c, line, (i16 *)(void *)expanded);
	}
}

#if SIMD_LEVEL >= 1
/* Pixels whose sums fit the registers */
#if SIMD_LEVEL == 1
#define pairs_ROW 2
#elif defined(USES_NEON)
#define pairs_ROW 2
#define quads_ROW 4
#else
#define pairs_ROW 4
#endif

/* P pixels, `at` bytes into each set; TAPS elements of a type make a lane of T. */
#define DEPTHWISE(NAME, X, W, TAPS, DOT, T) \
ALWAYS_INLINE void NAME##_block(const unsigned P, const u8 *const *term, unsigned terms, size_t at, \
				const W *weights, const i32 *bias, i32 *acc) \
{ \
	T a[T##_ROW][VECS]; \
	UNROLL for (unsigned i = 0; i < P; i++) \
		UNROLL for (unsigned v = 0; v < VECS; v++) \
			a[i][v] = T##_start(bias + v * LANES); \
	for (unsigned t = 0; t < terms; t++, weights += (TAPS) * NPU_GROUP) { \
		const X *x = (const X *)(const void *)(term[t] + at); \
		UNROLL for (unsigned v = 0; v < VECS; v++) { \
			vec w = vec_load(weights + (TAPS) * v * LANES); \
			UNROLL for (unsigned i = 0; i < P; i++) \
				a[i][v] = DOT(a[i][v], vec_load(x + (TAPS) * (i * NPU_GROUP + v * LANES)), w); \
		} \
	} \
	UNROLL for (unsigned i = 0; i < P; i++) \
		UNROLL for (unsigned v = 0; v < VECS; v++) \
			vec_store(acc + i * NPU_GROUP + v * LANES, T##_value(a[i][v])); \
} \
static inline void NAME##_row(const u8 *const *term, unsigned terms, size_t at, u32 pixels, \
			      const W *weights, const i32 *bias, i32 *acc) \
{ \
	const size_t pixel = (TAPS) * NPU_GROUP * sizeof(X); \
	for (; pixels >= T##_ROW; pixels -= T##_ROW, at += T##_ROW * pixel, acc += T##_ROW * NPU_GROUP) \
		NAME##_block(T##_ROW, term, terms, at, weights, bias, acc); \
	for (; pixels; pixels--, at += pixel, acc += NPU_GROUP) \
		NAME##_block(1, term, terms, at, weights, bias, acc); \
}
DEPTHWISE(depthwise_i16, i16, i16, 2, vec_madd, pairs)
#else
static inline void depthwise_i16_row(const u8 *const *term, unsigned terms, size_t at, u32 pixels,
				     const i16 *weights, const i32 *bias, i32 *acc)
{
	const size_t pixel = 2 * NPU_GROUP * sizeof(i16);

	for (; pixels; pixels--, at += pixel, acc += NPU_GROUP) {
		u32 a[NPU_GROUP];
		memcpy(a, bias, sizeof(a));
		for (unsigned t = 0; t < terms; t++) {
			const i16 *x = (const i16 *)(const void *)(term[t] + at), *w = weights + t * 2 * NPU_GROUP;
			for (unsigned i = 0; i < NPU_GROUP; i++)
				a[i] += (u32)(x[2 * i] * w[2 * i]) + (u32)(x[2 * i + 1] * w[2 * i + 1]);
		}
		memcpy(acc, a, sizeof(a));
	}
}
#endif

static void depthwise_i16(const u8 *const *term, unsigned terms, u32 rows, size_t down, u32 pixels,
			  const i16 *weights, const i32 *bias, i32 *acc)
{
	for (u32 r = 0; r < rows; r++, acc += pixels * (size_t)NPU_GROUP)
		depthwise_i16_row(term, terms, r * down, pixels, weights, bias, acc);
}

#if SIMD_LEVEL < 3
/* One element to a pair with another one, in sixteens. */
static void pair_lines(const i16 *a, const i16 *b, size_t n, i16 *to)
{
	for (size_t i = 0; i < n; i += NPU_GROUP)
		pair(a + i, b + i, to + 2 * i);
}

static void put_line(const struct npu_gather *g, i16 *to, const u8 *from, size_t n)
{
	put_i16(to, from, n, g);
}
#endif

#if SIMD_LEVEL == 5
/* Taps beyond the kernel's width meet zero weights. */
static inline void expand_line_u8(const struct npu_columns *c, const u8 *line, u8 *out)
{
	const size_t step = (size_t)c->stride_w * NPU_GROUP, tap = (size_t)c->dilation_w * NPU_GROUP;

	for (u32 k = 0; k < c->kernel_w; k += 4) {
		const u8 *from = line + k * tap;
		for (u32 x = 0; x < c->width; x++, from += step, out += 4 * NPU_GROUP)
			vst4q_u8(out, ((uint8x16x4_t){ { vld1q_u8(from), vld1q_u8(from + tap), vld1q_u8(from + 2 * tap),
							 vld1q_u8(from + 3 * tap) } }));
	}
}

static void expand_u8(const struct npu_gather *g, const struct npu_columns *c, i32 yu, u32 rows, i64 offset,
		      unsigned channels, u8 *line, u8 *expanded)
{
	for (u32 r = 0; r < rows; r++, expanded += c->slot) {
		line_u8(g, yu + (i32)r, c->positions, offset, channels, line);
		expand_line_u8(c, line, expanded);
	}
}

DEPTHWISE(depthwise_u8, u8, i8, 4, vec_dot, quads)

static void depthwise_u8(const u8 *const *term, unsigned terms, u32 rows, size_t down, u32 pixels,
			 const i8 *weights, const i32 *bias, i32 *acc)
{
	for (u32 r = 0; r < rows; r++, acc += pixels * (size_t)NPU_GROUP)
		depthwise_u8_row(term, terms, r * down, pixels, weights, bias, acc);
}
#endif

#if SIMD_LEVEL == 3
/* Four times four bytes, those at the same place in each four together. */
static inline __m512i channels_bytes(void)
{
	return _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
}

/* Bytes of four positions, 16 channels each, to four bytes per channel. */
static inline __m512i channels_first(__m512i positions)
{
	const __m512i dwords = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);

	return _mm512_shuffle_epi8(_mm512_permutexvar_epi32(dwords, positions), channels_bytes());
}

/* Four positions that are not neighbours. */
static inline __m512i load_apart(const u8 *from, size_t tap)
{
	__m512i v = _mm512_castsi128_si512(_mm_loadu_si128((const void *)from));

	v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(from + tap)), 1);
	v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(from + 2 * tap)), 2);
	return _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(from + 3 * tap)), 3);
}

/* Taps beyond the kernel's width meet zero weights. */
static inline void expand_line_u8(const struct npu_columns *c, const u8 *line, u8 *out)
{
	const size_t step = (size_t)c->stride_w * NPU_GROUP, tap = (size_t)c->dilation_w * NPU_GROUP;
	const u32 width = c->width, kernel_w = c->kernel_w;

	for (u32 k = 0; k < kernel_w; k += 4) {
		const u8 *from = line + k * tap;
		for (u32 x = 0; x < width; x++, from += step, out += 4 * NPU_GROUP)
			_mm512_storeu_si512(out, channels_first(tap == NPU_GROUP ? _mm512_loadu_si512(from)
										 : load_apart(from, tap)));
	}
}

/* Four neighbours from a position on of a row of bricks; padding where they are outside. */
static inline __m512i load_edge(const struct npu_gather *g, const u8 *row, i32 position)
{
	const i64 from = (i64)position * NPU_GROUP;
	const i32 before = position < 0 ? -position : 0, end = (i32)g->up_width - position;
	__mmask64 mask = end >= 4 ? ~UINT64_C(0) : end > 0 ? ~(~UINT64_C(0) << (end * NPU_GROUP)) : 0;

	mask = before < 4 ? mask >> (before * NPU_GROUP) << (before * NPU_GROUP) : 0;
	return _mm512_mask_loadu_epi8(_mm512_set1_epi8((char)(g->pad ^ g->flip)), mask,
				      (const void *)((uintptr_t)row + (uintptr_t)from));
}

/* One set of taps of a row as it is stored; the first is at `position`. */
static inline void expand_bricks(const struct npu_gather *g, const struct npu_columns *c, const u8 *row, i32 position,
				 u8 *out)
{
	const __m512i flip = _mm512_set1_epi8((char)g->flip);
	const i32 stride = c->stride_w, last = (i32)g->up_width - 4;
	const size_t step = (size_t)stride * NPU_GROUP;
	const u8 *const end = out + c->width * (size_t)64;

	for (; out != end && position < 0; out += 64, position += stride)
		_mm512_storeu_si512(out, channels_first(_mm512_xor_si512(load_edge(g, row, position), flip)));
	const u8 *from = (const u8 *)((uintptr_t)row + (uintptr_t)((i64)position * NPU_GROUP)); /* of a part that has no such pixel */
	for (; out != end && position <= last; out += 64, position += stride, from += step)
		_mm512_storeu_si512(out, channels_first(_mm512_xor_si512(_mm512_loadu_si512(from), flip)));
	for (; out != end; out += 64, position += stride)
		_mm512_storeu_si512(out, channels_first(_mm512_xor_si512(load_edge(g, row, position), flip)));
}

static void expand_u8(const struct npu_gather *g, const struct npu_columns *c, i32 yu, u32 rows, i64 offset,
		      unsigned channels, u8 *line, u8 *expanded)
{
	const bool bricks = g->stride_x == NPU_GROUP && channels == NPU_GROUP && c->dilation_w == 1 && !g->splits_rows &&
			    !g->upscale;

	for (u32 r = 0, y; r < rows; r++, expanded += c->slot) {
		if (!stored(g, yu + (i32)r, g->up_height, &y)) {
			memset(expanded, g->pad, c->slot);
			continue;
		}
		if (!bricks) {
			line_u8(g, yu + (i32)r, c->positions, offset, channels, line);
			expand_line_u8(c, line, expanded);
			continue;
		}
		for (u32 k = 0; k < c->kernel_w; k += 4)
			expand_bricks(g, c, element(g, y, 0) + offset, (i32)k - g->pad_left,
				      expanded + k / 4 * c->width * (size_t)64);
	}
}

/* 3x3: weights stay in registers */
static inline void depthwise_u8_3(const u8 *const *term, size_t at, u32 pixels, const i8 *weights, __m512i bias,
				  i32 *acc)
{
	const u8 *t0 = term[0] + at, *t1 = term[1] + at, *t2 = term[2] + at;
	const __m512i w0 = _mm512_loadu_si512(weights), w1 = _mm512_loadu_si512(weights + 64),
		      w2 = _mm512_loadu_si512(weights + 128);

#pragma GCC unroll 4
	for (size_t i = 0; i < pixels * (size_t)64; i += 64) { /* bytes of the taps, and of the sums */
		__m512i a = _mm512_dpbusd_epi32(bias, _mm512_loadu_si512(t0 + i), w0);
		a = _mm512_dpbusd_epi32(a, _mm512_loadu_si512(t1 + i), w1);
		a = _mm512_dpbusd_epi32(a, _mm512_loadu_si512(t2 + i), w2);
		_mm512_storeu_si512((u8 *)acc + i, a);
	}
}

static inline void depthwise_u8_any(const u8 *const *term, unsigned terms, size_t at, u32 pixels, const i8 *weights,
				    __m512i bias, i32 *acc)
{
	for (u32 p = 0; p < pixels; p++, at += 64) {
		__m512i a = bias;
		for (unsigned t = 0; t < terms; t++)
			a = _mm512_dpbusd_epi32(a, _mm512_loadu_si512(term[t] + at),
						_mm512_loadu_si512(weights + t * 64));
		_mm512_storeu_si512(acc + p * NPU_GROUP, a);
	}
}

static void depthwise_u8(const u8 *const *term, unsigned terms, u32 rows, size_t down, u32 pixels,
			 const i8 *weights, const i32 *bias, i32 *acc)
{
	const __m512i start = _mm512_loadu_si512(bias);

	for (u32 r = 0; r < rows; r++, acc += pixels * (size_t)NPU_GROUP) {
		if (terms == 3)
			depthwise_u8_3(term, r * down, pixels, weights, start, acc);
		else
			depthwise_u8_any(term, terms, r * down, pixels, weights, start, acc);
	}
}
#endif
