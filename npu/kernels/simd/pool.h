/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a pool, 16 channels at a time. Part of simd.c. */

typedef i32 i32x16 __attribute__((vector_size(64)));
typedef u16 u16x16 __attribute__((vector_size(32)));

/* 16 elements as int32. gcc 12 takes conversions of whole vectors apart with AVX2 and AVX-512, and with AVX2 it keeps vectors of two registers
 * in memory. */
#if SIMD_LEVEL == 2
typedef struct { vec half[2]; } lanes16;
#define PAIRWISE(NAME, OP) \
ALWAYS_INLINE lanes16 NAME(lanes16 a, lanes16 b) { return (lanes16){ { OP(a.half[0], b.half[0]), OP(a.half[1], b.half[1]) } }; }
PAIRWISE(lanes_add, _mm256_add_epi32)
PAIRWISE(lanes_difference, _mm256_sub_epi32)
PAIRWISE(lanes_product, _mm256_mullo_epi32)
PAIRWISE(lanes_larger, _mm256_max_epi32)
#undef PAIRWISE
ALWAYS_INLINE lanes16 lanes_all(i32 x) { return (lanes16){ { _mm256_set1_epi32(x), _mm256_set1_epi32(x) } }; }
ALWAYS_INLINE lanes16 lanes_low(lanes16 v) { return (lanes16){ { _mm256_slli_epi32(v.half[0], 16), _mm256_slli_epi32(v.half[1], 16) } }; }
ALWAYS_INLINE lanes16 lanes_high(lanes16 v) { return (lanes16){ { _mm256_srai_epi32(v.half[0], 16), _mm256_srai_epi32(v.half[1], 16) } }; }
#define WIDEN(NAME, T, CONVERT, LOAD) \
ALWAYS_INLINE void NAME(const u8 *p, lanes16 *v) \
{ \
	*v = (lanes16){ { CONVERT(LOAD((const void *)p)), CONVERT(LOAD((const void *)(p + sizeof(T) / 2))) } }; \
}
WIDEN(widen_i8, i8x16, _mm256_cvtepi8_epi32, _mm_loadl_epi64)
WIDEN(widen_u8, u8x16, _mm256_cvtepu8_epi32, _mm_loadl_epi64)
WIDEN(widen_i16, i16x16, _mm256_cvtepi16_epi32, _mm_loadu_si128)
WIDEN(widen_u16, u16x16, _mm256_cvtepu16_epi32, _mm_loadu_si128)
#else
typedef i32x16 lanes16;
#define lanes_add(a, b) ((a) + (b))
#define lanes_difference(a, b) ((a) - (b))
#define lanes_product(a, b) ((a) * (b))
#define lanes_all(x) ((i32x16){ 0 } + (x))
#define lanes_low(v) ((v) << 16)
#define lanes_high(v) ((v) >> 16)
#if SIMD_LEVEL == 3
#define lanes_larger(a, b) ((i32x16)_mm512_max_epi32((__m512i)(a), (__m512i)(b)))
#define WIDEN(NAME, T, CONVERT, LOAD) \
ALWAYS_INLINE void NAME(const u8 *p, lanes16 *v) \
{ \
	*v = (i32x16)CONVERT(LOAD((const void *)p)); \
}
#else
#define lanes_larger(a, b) (((a) & ((a) > (b))) | ((b) & ((a) <= (b))))
#define WIDEN(NAME, T, CONVERT, LOAD) \
ALWAYS_INLINE void NAME(const u8 *p, lanes16 *v) \
{ \
	T e; \
	memcpy(&e, p, sizeof(e)); \
	*v = __builtin_convertvector(e, i32x16); \
}
#endif
WIDEN(widen_i8, i8x16, _mm512_cvtepi8_epi32, _mm_loadu_si128)
WIDEN(widen_u8, u8x16, _mm512_cvtepu8_epi32, _mm_loadu_si128)
WIDEN(widen_i16, i16x16, _mm512_cvtepi16_epi32, _mm256_loadu_si256)
WIDEN(widen_u16, u16x16, _mm512_cvtepu16_epi32, _mm256_loadu_si256)
#endif
#undef WIDEN

/* Bytes of either type. */
ALWAYS_INLINE void widen_bytes(bool is_signed, const u8 *p, lanes16 *v)
{
	if (is_signed)
		widen_i8(p, v);
	else
		widen_u8(p, v);
}

/* Sum or maximum so far of a window's elements. */
struct pooled {
	lanes16 v;
	u32 count;
};

/* 16 elements of the map's type; those behind `channels` are anything. */
ALWAYS_INLINE void load_16(const struct npu_gather *g, const u8 *from, unsigned channels, lanes16 *v)
{
	u8 part[32] = { 0 };

	if (channels < NPU_GROUP && g->end - from < (i64)NPU_GROUP * g->bytes) {
		memcpy(part, from, channels * g->bytes);
		from = part;
	}
	if (g->bytes == 1)
		widen_bytes(g->is_signed, from, v);
	else if (g->is_signed)
		widen_i16(from, v);
	else
		widen_u16(from, v);
}

ALWAYS_INLINE void pool_tap(struct pooled *s, const struct npu_gather *g, const u8 *from, unsigned channels, const bool max)
{
	lanes16 v;

	load_16(g, from, channels, &v);
	s->v = max ? lanes_larger(v, s->v) : lanes_add(s->v, v);
	s->count++;
}

/* Taps first .. end-1 of an axis lie inside the map. */
static inline void taps_inside(i32 start, u32 taps, u32 dilation, u32 size, u32 *first, u32 *end)
{
	i32 step = (i32)dilation, f = start < 0 ? (-start + step - 1) / step : 0;
	i64 room = (i64)size - start;
	i64 e = room <= 0 ? 0 : (room + step - 1) / step;

	*end = e < (i64)taps ? (u32)e : taps;
	*first = (u32)f < *end ? (u32)f : *end;
}

/* No tiles, no upscaling: constant steps from tap to tap. */
ALWAYS_INLINE void pool_plain(struct pooled *s, const struct npu_gather *g, i32 y0, i32 x0,
			      i64 offset, unsigned channels, const bool max)
{
	u32 ky, ky_end, kx0, kx_end;
	i64 step = g->stride_x * g->dilation_w;

	taps_inside(y0, g->kernel_h, g->dilation_h, g->up_height, &ky, &ky_end);
	taps_inside(x0, g->kernel_w, g->dilation_w, g->up_width, &kx0, &kx_end);
	if (kx0 == kx_end)
		return; /* nothing but padding: there may be no map */
	for (; ky < ky_end; ky++) {
		const u8 *from = element(g, (u32)(y0 + (i32)(ky * g->dilation_h)), 0) +
				 (i64)(x0 + (i32)(kx0 * g->dilation_w)) * g->stride_x + offset;
		for (u32 kx = kx0; kx < kx_end; kx++, from += step)
			pool_tap(s, g, from, channels, max);
	}
}

/* The same of a map that is doubled. */
ALWAYS_INLINE void pool_doubled(struct pooled *s, const struct npu_gather *g, i32 y0, i32 x0, i64 offset, unsigned channels, const bool max)
{
	u32 ky, ky_end, kx0, kx_end;

	taps_inside(y0, g->kernel_h, g->dilation_h, g->up_height, &ky, &ky_end);
	taps_inside(x0, g->kernel_w, g->dilation_w, g->up_width, &kx0, &kx_end);
	if (kx0 == kx_end)
		return;
	for (; ky < ky_end; ky++) {
		const u8 *row = element(g, (u32)(y0 + (i32)(ky * g->dilation_h)) / 2, 0) + offset;
		for (u32 kx = kx0; kx < kx_end; kx++)
			pool_tap(s, g, row + (i64)((u32)(x0 + (i32)(kx * g->dilation_w)) / 2) * g->stride_x, channels, max);
	}
}

ALWAYS_INLINE void pool_any(struct pooled *s, const struct npu_gather *g, i32 y0, i32 x0,
			    i64 offset, unsigned channels, const bool max)
{
	for (u32 ky = 0; ky < g->kernel_h; ky++) {
		u32 y, x;
		if (!stored(g, y0 + (i32)(ky * g->dilation_h), g->up_height, &y))
			continue;
		for (u32 kx = 0; kx < g->kernel_w; kx++)
			if (stored(g, x0 + (i32)(kx * g->dilation_w), g->up_width, &x))
				pool_tap(s, g, element(g, y, x) + offset, channels, max);
	}
}

/* One channel, whose taps along a row are contiguous: the vector's lanes are taps. */
ALWAYS_INLINE u32 pool_line(const struct npu_gather *g, i32 y0, i32 x0, i64 offset, const bool max, i32 *acc)
{
	struct pooled lanes = { .v = lanes_all(max ? INT32_MIN : 0) }, rest = lanes;
	i32 first[NPU_GROUP];
	u32 ky, ky_end, kx0, kx_end;

	taps_inside(y0, g->kernel_h, g->dilation_h, g->up_height, &ky, &ky_end);
	taps_inside(x0, g->kernel_w, 1, g->up_width, &kx0, &kx_end);
	for (; kx0 < kx_end && ky < ky_end; ky++) {
		const u8 *from = element(g, (u32)(y0 + (i32)(ky * g->dilation_h)), 0) + (i64)(x0 + (i32)kx0) * g->stride_x +
				 offset;
		u32 n = kx_end - kx0;
		for (; n >= NPU_GROUP; n -= NPU_GROUP, from += NPU_GROUP * g->bytes)
			pool_tap(&lanes, g, from, NPU_GROUP, max);
		for (; n; n--, from += g->bytes)
			pool_tap(&rest, g, from, 1, max);
	}
	memcpy(first, &rest.v, sizeof(first));
	i32 v = first[0];
#if SIMD_LEVEL == 3
	const i32 all = max ? _mm512_reduce_max_epi32((__m512i)lanes.v) : _mm512_reduce_add_epi32((__m512i)lanes.v);
	v = !max ? v + all : all > v ? all : v;
#else
	memcpy(first, &lanes.v, sizeof(first));
	for (unsigned i = 0; i < NPU_GROUP; i++)
		v = !max ? v + first[i] : first[i] > v ? first[i] : v;
#endif
	memset(acc, 0, NPU_GROUP * sizeof(*acc));
	acc[0] = v;
	return lanes.count * NPU_GROUP + rest.count;
}

static u32 pool(const struct npu_gather *g, u32 oy, u32 ox, i64 offset, unsigned channels,
		bool max, i32 *acc)
{
	i32 y0 = (i32)(oy * g->stride_h) - g->pad_top, x0 = (i32)(ox * g->stride_w) - g->pad_left;
	const bool plain = !g->splits_rows && !g->upscale, doubled = !g->splits_rows && g->upscale == NPU_UPSCALE_NEAREST;
	struct pooled s = { .count = 0 };

	if (plain && channels == 1 && g->dilation_w == 1 && g->stride_x == g->bytes && g->kernel_w >= NPU_GROUP)
		return max ? pool_line(g, y0, x0, offset, true, acc) : pool_line(g, y0, x0, offset, false, acc);
	s.v = lanes_all(max ? INT32_MIN : 0);
	if (plain && channels == NPU_GROUP && max)
		pool_plain(&s, g, y0, x0, offset, NPU_GROUP, true);
	else if (plain && channels == NPU_GROUP)
		pool_plain(&s, g, y0, x0, offset, NPU_GROUP, false);
	else if (plain)
		pool_plain(&s, g, y0, x0, offset, channels, max);
	else if (doubled)
		pool_doubled(&s, g, y0, x0, offset, channels, max);
	else
		pool_any(&s, g, y0, x0, offset, channels, max);
	memcpy(acc, &s.v, sizeof(s.v));
	return s.count;
}
