/* SPDX-License-Identifier: Apache-2.0 */
/* Scalings in the form of the vector kernels; see struct npu_rescale. */
#include "npu/kernels/rows/rescale.h"

#include <string.h>

#include "npu/kernels/u85/rounding.h"

/* 2^-n */
static double fraction(unsigned n)
{
	const u64 bits = (u64)(1023 - n) << 52;
	double f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

/* A multiple of a grain; |x| < 2^16. */
static bool is_grained(double x)
{
	x *= 0x1p16 / NPU_ESTIMATE_GRAIN;
	return x == (double)(i64)x;
}

/* The same rounding as: nearest to x * factor + (x < 0 ? -offset : offset); `shift`, `add` and `negative` are set. */
static void estimate_set(struct npu_rescale_kind *k)
{
	k->per_unit = fraction(32 + (unsigned)k->shift);
	const double add = (double)k->add;
	const double above = add * k->per_unit - 0.5, below = (add - k->negative) * k->per_unit - 0.5;

	k->offset = (float)above;
	/* an offset without a sign of its own takes that of x, or one for both signs */
	k->estimate = k->negative ? above >= 0 && below == -above : above == below;
	k->grained = is_grained(above);
	k->coarse = ((u64)NPU_ESTIMATE_GRAIN << (16 + k->shift)) - 1;
}

/* What a lane has of its own; returns whether it is exact. */
ALWAYS_INLINE u32 lane_put(struct npu_rescale *r, unsigned lane, const struct npu_rescale_kind *k, u32 shifted)
{
	r->scale[lane] = (i32)shifted;
	r->add[lane & 1][lane / 2] = k->add;
	r->shift[lane] = k->shift;
	r->factor[lane] = (float)((double)(i32)shifted * k->per_unit);
	r->offset[lane] = k->offset;
	return k->grained && !(shifted & k->coarse);
}

/* A lane that gives 0 whatever comes: scale 0, with a shift that leaves the rounding's constants below a unit.
 * Compilers give channels whose weights are all zero the largest shift there is. */
#define ZERO_SHIFT 62u
#define LARGEST_SHIFT 63u

/* `floored`: sums below 0 end as 0 however they are rounded (none gets above it), so that one constant is for both signs. */
static struct npu_rescale_kind kind_of(struct npu_scale s, unsigned left, bool floored)
{
	const unsigned shift = s.shift + left;
	/* shifts below 32: everything times a power of two */
	const unsigned up = shift < 32 ? 32u - shift : 0;
	const bool twice = s.round == NPU_ROUND_DBL && s.shift > s.first;
	const i64 add = s.shift ? INT64_C(1) << (s.shift - 1) : 0;
	struct npu_rescale_kind k = { .up = (u8)up, .negative = twice && !floored ? UINT32_C(1) << 31 : 0 };

	if (shift > 62 || s.round == NPU_ROUND_TRUNCATE || (twice && s.first != 31) || (left && k.negative))
		return k;
	k.fits = true;
	k.add = (twice ? add + (INT64_C(1) << 30) : add) << (left + up);
	k.shift = (i32)(shift + up) - 32;
	estimate_set(&k);
	return k;
}

static struct npu_rescale_kind kind85_of(struct npu85_scale s, unsigned left, bool floored)
{
	const unsigned shift = s.shift + left, up = shift < 32 ? 32 - shift : 0;
	struct npu_rescale_kind k = { .up = (u8)up };

	if (shift > 62)
		return k;
	const struct npu85_rounding c = npu85_rounding_of(s);
	const i64 apart = floored ? 0 : (c.plus - c.minus) * (INT64_C(1) << (left + up));
	if (apart != 0 && apart != INT64_C(1) << 31)
		return k;
	k.fits = true;
	k.negative = (u32)apart;
	k.add = c.plus << (left + up);
	k.shift = (i32)(shift + up) - 32;
	estimate_set(&k);
	return k;
}

/* The kind of lane that s makes, and its scale in *scale. U85: `left`; else 0. */
ALWAYS_INLINE const struct npu_rescale_kind *kind_for(struct npu_rescale_kinds *known, struct npu_scale s, const bool u85, unsigned left,
						      u32 *scale)
{
	/* 31 bits times a scale of 31 bits are less than half a unit then, in all roundings but to the lower one, which would give -1 */
	const bool zero = s.shift == LARGEST_SHIFT && s.scale <= INT32_MAX && !(u85 && s.round == NPU85_TO_LOWER);

	*scale = zero ? 0 : s.scale;
	if (u85 ? !*scale : zero)
		s.shift = (u8)((u85 ? NPU85_SHIFT_LIMIT : ZERO_SHIFT) - left);
	if (UNLIKELY(!(known->shifts >> s.shift & 1))) {
		known->shifts |= UINT64_C(1) << s.shift;
		known->of[s.shift] = u85 ? kind85_of((struct npu85_scale){ .shift = s.shift, .round = s.round, .dbl = s.first }, left, known->floored) : kind_of(s, left, known->floored);
	}
	return &known->of[s.shift];
}

/* One constant for all lanes; they are set from lane 0 on. */
static inline bool fits(const struct npu_rescale_kind *k, u64 shifted, unsigned lane, u32 negative)
{
	return k->fits && shifted <= INT32_MAX && (lane == 0 || negative == k->negative);
}

ALWAYS_INLINE bool lane_set(struct npu_rescale *r, unsigned lane, struct npu_scale s, const bool u85, unsigned left, bool floored)
{
	struct npu_rescale_kinds none;
	u32 scale;

	none.shifts = 0;
	none.floored = floored;
	const struct npu_rescale_kind *k = kind_for(&none, s, u85, left, &scale);
	const u64 shifted = (u64)scale << k->up;
	if (!fits(k, shifted, lane, r->negative))
		return false;
	r->negative = k->negative;
	r->estimate = k->estimate && (lane == 0 || r->estimate);
	r->exact = (lane == 0 ? 0 : r->exact) | lane_put(r, lane, k, (u32)shifted) << 2 * lane;
	return true;
}

bool npu_rescale_set(struct npu_rescale *r, unsigned lane, struct npu_scale s)
{
	return lane_set(r, lane, s, false, 0, false);
}

bool npu85_rescale_set(struct npu_rescale *r, unsigned lane, struct npu85_scale s, unsigned left)
{
	return lane_set(r, lane, (struct npu_scale){ s.scale, s.shift, s.round, s.dbl }, true, left, false);
}

bool npu_rescale_set_channel(struct npu_rescale *r, unsigned lane, struct npu_scale s, unsigned left, bool floored, bool u85)
{
	return u85 ? lane_set(r, lane, s, true, left, floored) : lane_set(r, lane, s, false, left, floored);
}

ALWAYS_INLINE bool lanes_set(struct npu_rescale_kinds *known, struct npu_rescale *r, const struct npu_scale *s, unsigned lanes, const bool u85)
{
	u32 negative = 0, exact = 0;
	bool estimate = true;

	for (unsigned lane = 0; lane < lanes; lane++) {
		u32 scale;
		const struct npu_rescale_kind *k = kind_for(known, s[lane], u85, 0, &scale);
		const u64 shifted = (u64)scale << k->up;
		if (UNLIKELY(!fits(k, shifted, lane, negative)))
			return false;
		negative = k->negative;
		estimate &= k->estimate;
		exact |= lane_put(r, lane, k, (u32)shifted) << 2 * lane;
	}
	r->negative = negative;
	r->estimate = estimate;
	r->exact = exact;
	return true;
}

bool npu_rescale_set_lanes(struct npu_rescale_kinds *known, struct npu_rescale *r, const struct npu_scale *s, unsigned lanes, bool u85)
{
	return u85 ? lanes_set(known, r, s, lanes, true) : lanes_set(known, r, s, lanes, false);
}

bool npu85_rescale_signs(struct npu_rescale_signs *r, struct npu85_scale s, unsigned left)
{
	const unsigned shift = s.shift + left, up = shift < 32 ? 32 - shift : 0;
	const u64 scale = (u64)s.scale << up;

	if (!scale || scale > INT32_MAX || shift > NPU85_SHIFT_LIMIT)
		return false;
	const struct npu85_rounding c = npu85_rounding_of(s);
	*r = (struct npu_rescale_signs){ c.plus << (left + up), c.minus << (left + up), (i32)scale, (u8)(shift + up) };
	return true;
}

/* What a uniform rescale multiplies with. */
static double factor_of(const struct npu_rescale *r)
{
	return r->scale[0] * fraction(32 + (unsigned)r->shift[0]);
}

static double magnitude(double v)
{
	return v < 0 ? -v : v;
}

/* Of bytes as they are stored: what is off of factors and the offset, which are next to what they should be, of two sums and the conversion, which in other
 * rounding modes are not, and what the operation itself rounds on the way. */
static void estimate_stored(struct npu_add8 *s, double offset)
{
	const double a = magnitude(s->factor_a) * (s->a.is_signed ? -INT8_MIN : UINT8_MAX), b = magnitude(s->factor_b) * (s->b.is_signed ? -INT8_MIN : UINT8_MAX);
	const double stored = offset - (double)s->factor_a * s->a.zero_point - (double)s->factor_b * s->b.zero_point, o = magnitude(stored);
	const double off = (a + b + o) * 0x1p-24 + (a + o) * 0x1p-23 + (a + b + o) * 0x1p-23 + 1 + 1.5;

	s->above_stored = 1 + (i32)(off + off * 0x1p-10);
	s->offset_stored = (float)(stored + s->above_stored);
}

/* Share of one operand in the result; false when it exceeds what the clamp can tell. */
static bool share(const struct npu_operand8 *o, double unit, float *factor)
{
	const i32 lo = o->is_signed ? INT8_MIN : 0, below = o->zero_point - lo, above = lo + UINT8_MAX - o->zero_point;
	const double f = o->factor * (o->scaled ? factor_of(&o->rescale) : 1) * unit;
	const double most = below > above ? below : above;

	*factor = (float)(f * 0x1p16);
	return most * f <= 512;
}

/* In units of 2^-16: each factor is off by 2, its product's rounding by 2 and 4, the offset by 1, operands rounded on
 * the way by 1, the sign of the sum's offset by 1/2: 12 together. */
void npu_add8_estimate(struct npu_add8 *s)
{
	const double least = 0x1p-18; /* a result's units are so much smaller than those on the way */
	const double unit = s->scaled ? factor_of(&s->rescale) : 1;
	const i32 zero_point = s->narrow.zero_point - (s->narrow.is_unsigned ? 128 : 0);
	const double offset = s->scaled && !s->rescale.negative ? (double)s->rescale.offset[0] : 0;
	const bool either_sign = !s->rescale.negative || s->rescale.offset[0] <= 0x1p-17f;

	s->estimate = s->scaled && s->rescale.estimate && either_sign && unit <= least &&
		      s->narrow.zero_point <= NPU_ESTIMATE_ZERO_POINT && s->narrow.zero_point >= -NPU_ESTIMATE_ZERO_POINT &&
		      share(&s->a, unit, &s->factor_a) && share(&s->b, unit, &s->factor_b);
	if (s->subtract)
		s->factor_b = -s->factor_b;
	s->offset = (float)((zero_point + 0.5 + offset) * 0x1p16 + NPU_ADD_ABOVE);
	if (s->estimate)
		estimate_stored(s, (zero_point + 0.5 + offset) * 0x1p16);
}

void npu_mul8_limit(struct npu_mul8 *s, u64 reach)
{
	s->narrow.small = s->scaled && (double)(reach << s->rescale.left) * factor_of(&s->rescale) < NPU_SMALL_VALUE;
}
