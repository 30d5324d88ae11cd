/* SPDX-License-Identifier: Apache-2.0 */
/* Exact rescale, zero point, clamp, narrowing to bytes with NEON. Part of simd/rescale.h. */

#define vec_all vdupq_n_s32
#define vec_add vaddq_s32
#define vec_min vminq_s32
#define vec_max vmaxq_s32

struct rescale_vec {
	int32x4_t scale, shift; /* shift: to the left, negative */
	int64x2_t add_low, add_high;
	uint32x4_t negative;
};

static inline struct rescale_vec rescale_load(const struct npu_rescale *s, unsigned first)
{
	const int64x2_t even = vld1q_s64(s->add[0] + first / 2), odd = vld1q_s64(s->add[1] + first / 2);

	return (struct rescale_vec){ vec_load(s->scale + first), vnegq_s32(vec_load(s->shift + first)), vzip1q_s64(even, odd),
				     vzip2q_s64(even, odd), vdupq_n_u32(s->negative) };
}

static inline vec rescale_vec(vec x, const struct rescale_vec *r)
{
	const int64x2_t low = vmlal_s32(r->add_low, vget_low_s32(x), vget_low_s32(r->scale));
	const int64x2_t high = vmlal_high_s32(r->add_high, x, r->scale);
	/* bit 31 is the sign: exactly the 2^31 to subtract */
	const uint32x4_t less = vandq_u32(vreinterpretq_u32_s32(x), r->negative);
	const uint64x2_t a = vsubw_u32(vreinterpretq_u64_s64(low), vget_low_u32(less));
	const uint64x2_t b = vsubw_high_u32(vreinterpretq_u64_s64(high), less);

	return vshlq_s32(vuzp2q_s32(vreinterpretq_s32_u64(a), vreinterpretq_s32_u64(b)), r->shift);
}

struct narrow_vec {
	int16x8_t zero_point;
	uint8x16_t lo, hi;
	bool all; /* no byte is clamped */
};

static inline struct narrow_vec narrow_load(const struct npu_narrow8 *n)
{
	return (struct narrow_vec){ vdupq_n_s16((i16)n->zero_point), vdupq_n_u8((u8)n->lo), vdupq_n_u8((u8)n->hi),
				    n->hi - n->lo == UINT8_MAX };
}

ALWAYS_INLINE uint8x16_t narrow_signed(int16x8_t a, int16x8_t b, const struct narrow_vec *n)
{
	int8x16_t r = vqmovn_high_s16(vqmovn_s16(a), b);

	if (__builtin_expect(!n->all, 0))
		r = vminq_s8(vmaxq_s8(r, vreinterpretq_s8_u8(n->lo)), vreinterpretq_s8_u8(n->hi));
	return vreinterpretq_u8_s8(r);
}

ALWAYS_INLINE uint8x16_t narrow_unsigned(int16x8_t a, int16x8_t b, const struct narrow_vec *n)
{
	const uint8x16_t r = vqmovun_high_s16(vqmovun_s16(a), b);

	return __builtin_expect(!n->all, 0) ? vminq_u8(vmaxq_u8(r, n->lo), n->hi) : r;
}

/* Bytes of four vectors of values, in order. Saturation on the way changes nothing that the
 * clamp would not (npu_narrow8). */
ALWAYS_INLINE vec narrow4(const vec v[4], const struct narrow_vec *n, bool is_unsigned)
{
	const int16x8_t a = vqaddq_s16(vqmovn_high_s32(vqmovn_s32(v[0]), v[1]), n->zero_point);
	const int16x8_t b = vqaddq_s16(vqmovn_high_s32(vqmovn_s32(v[2]), v[3]), n->zero_point);

	return vreinterpretq_s32_u8(is_unsigned ? narrow_unsigned(a, b, n) : narrow_signed(a, b, n));
}
