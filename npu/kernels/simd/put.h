/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of maps to panels (simd/gather.h): bytes of a panel of bytes, int16 of one of words. Part of simd.c. */

typedef u8 u8x16 __attribute__((vector_size(16)));
typedef i8 i8x16 __attribute__((vector_size(16)));
typedef i16 i16x16 __attribute__((vector_size(32)));

ALWAYS_INLINE void put16_u8(u8 *to, const u8 *from, u8 flip)
{
	u8x16 v;
	memcpy(&v, from, sizeof(v));
	v ^= flip;
	memcpy(to, &v, sizeof(v));
}

static inline void put_u8(u8 *to, const u8 *from, size_t n, u8 flip)
{
	size_t i = 0;
	for (; i + 16 <= n; i += 16)
		put16_u8(to + i, from + i, flip);
	if (n - i >= 8) {
		u64 v;
		memcpy(&v, from + i, 8);
		v ^= flip * UINT64_C(0x0101010101010101);
		memcpy(to + i, &v, 8);
		i += 8;
	}
	for (; i < n; i++)
		to[i] = from[i] ^ flip;
}

ALWAYS_INLINE void put16_i16(i16 *to, const u8 *from, bool is_signed, i16 zero_point)
{
#ifdef USES_NEON
	const uint8x16_t v = vld1q_u8(from);
	const int8x16_t s = vreinterpretq_s8_u8(v);
	const int16x8_t zero = vdupq_n_s16(zero_point);
	const int16x8_t low = is_signed ? vmovl_s8(vget_low_s8(s)) : vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(v)));
	const int16x8_t high = is_signed ? vmovl_high_s8(s) : vreinterpretq_s16_u16(vmovl_high_u8(v));
	vst1q_s16(to, vsubq_s16(low, zero));
	vst1q_s16(to + 8, vsubq_s16(high, zero));
#elif SIMD_LEVEL >= 2
	__m128i v = _mm_loadu_si128((const void *)from);
	__m256i wide = is_signed ? _mm256_cvtepi8_epi16(v) : _mm256_cvtepu8_epi16(v);
	_mm256_storeu_si256((void *)to, _mm256_sub_epi16(wide, _mm256_set1_epi16(zero_point)));
#else
	i16x16 wide;
	if (is_signed) {
		i8x16 v;
		memcpy(&v, from, sizeof(v));
		wide = __builtin_convertvector(v, i16x16);
	} else {
		u8x16 v;
		memcpy(&v, from, sizeof(v));
		wide = __builtin_convertvector(v, i16x16);
	}
	wide -= zero_point;
	memcpy(to, &wide, sizeof(wide));
#endif
}

/* Four bytes, in a word of 64 bits. */
ALWAYS_INLINE void put4_i16(i16 *to, const u8 *from, bool is_signed, i16 zero_point)
{
	typedef u8 u8x4 __attribute__((vector_size(4)));
	typedef i8 i8x4 __attribute__((vector_size(4)));
	typedef i16 i16x4 __attribute__((vector_size(8)));
	i16x4 wide;
	u8x4 v;

	memcpy(&v, from, sizeof(v));
	wide = is_signed ? __builtin_convertvector((i8x4)v, i16x4) : __builtin_convertvector(v, i16x4);
	wide -= zero_point;
	memcpy(to, &wide, sizeof(wide));
}

typedef u8 u8x64 __attribute__((vector_size(64)));

/* n a multiple of 16 */
static inline void put_groups_u8(u8 *to, const u8 *from, size_t n, u8 flip)
{
	size_t i = 0;
	for (; i + 64 <= n; i += 64) {
		u8x64 v;
		memcpy(&v, from + i, sizeof(v));
		v ^= flip;
		memcpy(to + i, &v, sizeof(v));
	}
	for (; i < n; i += 16)
		put16_u8(to + i, from + i, flip);
}

/* 8-bit elements, or 16-bit ones with zero point 0. */
static inline void put_i16(i16 *to, const u8 *from, size_t n, const struct npu_gather *g)
{
	size_t i = 0;
	if (g->bytes == 2) {
		memcpy(to, from, n * 2);
		return;
	}
	for (; i + 16 <= n; i += 16)
		put16_i16(to + i, from + i, g->is_signed, (i16)g->zero_point);
	if (i && i < n) { /* once more, with what follows */
		put16_i16(to + n - 16, from + n - 16, g->is_signed, (i16)g->zero_point);
		return;
	}
	for (; i + 4 <= n; i += 4)
		put4_i16(to + i, from + i, g->is_signed, (i16)g->zero_point);
	for (; i < n; i++)
		to[i] = (i16)((g->is_signed ? (i8)from[i] : from[i]) - g->zero_point);
}

/* `channels` channels of n pixels that are `step` bytes apart, to groups of 16. */
static inline void put_pixels_u8(const struct npu_gather *g, u8 *to, const u8 *from, u32 n,
				 i64 step, unsigned channels)
{
	if (channels < NPU_GROUP && step == NPU_GROUP) { /* the rest of a brick meets zero weights; behind the last one is no memory */
		put_groups_u8(to, from, (n - 1) * (size_t)NPU_GROUP, g->flip);
		put_u8(to + (n - 1) * (size_t)NPU_GROUP, from + (n - 1) * step, channels, g->flip);
	} else if (channels < NPU_GROUP) {
		for (u32 p = 0; p < n; p++)
			put_u8(to + p * NPU_GROUP, from + p * step, channels, g->flip);
	} else if (step == NPU_GROUP) {
		put_groups_u8(to, from, n * (size_t)NPU_GROUP, g->flip);
	} else {
		u32 p = 0;
		for (; p + 4 <= n; p += 4) /* a loop of one takes more or less as it begins */
			UNROLL for (unsigned i = 0; i < 4; i++)
				put16_u8(to + (p + i) * NPU_GROUP, from + (p + i) * step, g->flip);
		for (; p < n; p++)
			put16_u8(to + p * NPU_GROUP, from + p * step, g->flip);
	}
}

/* n bytes of 16 channels. */
ALWAYS_INLINE void put_whole_i16(i16 *to, const u8 *from, u32 n, i64 step, const bool is_signed, i16 zero_point)
{
	for (; n >= 4; n -= 4, to += 4 * NPU_GROUP, from += 4 * step)
		UNROLL for (unsigned i = 0; i < 4; i++)
			put16_i16(to + i * NPU_GROUP, from + i * step, is_signed, zero_point);
	for (; n; n--, to += NPU_GROUP, from += step)
		put16_i16(to, from, is_signed, zero_point);
}

static inline void put_pixels_i16(const struct npu_gather *g, i16 *to, const u8 *from, u32 n,
				  i64 step, unsigned channels)
{
	const i16 zero_point = (i16)g->zero_point;
	const bool brick = step == NPU_GROUP * sizeof(i16); /* as above */
	const u32 whole = g->bytes < 2 ? 0 : channels == NPU_GROUP ? n : brick ? n - 1 : 0;

	for (u32 p = 0; p < whole; p++) /* vectors: no call for each */
		memcpy(to + p * NPU_GROUP, from + p * step, NPU_GROUP * sizeof(i16));
	to += whole * (size_t)NPU_GROUP;
	from += whole * step;
	n -= whole;
	if (!n)
		return;
	if (channels < NPU_GROUP)
		for (u32 p = 0; p < n; p++)
			put_i16(to + p * NPU_GROUP, from + p * step, channels, g);
	else if (g->is_signed)
		put_whole_i16(to, from, n, step, true, zero_point);
	else
		put_whole_i16(to, from, n, step, false, zero_point);
}
