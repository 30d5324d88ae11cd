/* SPDX-License-Identifier: Apache-2.0 */
/* Scalings in the form of the vector kernels; see struct npu_rescale. */
#include "npu/kernels/rescale.h"

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

/* The same rounding as: nearest to x * factor + (x < 0 ? -offset : offset). */
static void estimate_set(struct npu_rescale *r, unsigned lane)
{
	const double per_unit = fraction(32 + (unsigned)r->shift[lane]);
	const double add = (double)r->add[lane & 1][lane / 2];
	const double above = add * per_unit - 0.5, below = (add - r->negative) * per_unit - 0.5;

	r->factor[lane] = (float)(r->scale[lane] * per_unit);
	r->offset[lane] = (float)above;
	/* an offset without a sign of its own takes that of x, or one for both signs */
	bool fits = r->negative ? above >= 0 && below == -above : above == below;
	r->estimate = fits && (lane == 0 || r->estimate);
	const u32 exact = is_grained(r->scale[lane] * per_unit) && is_grained(above);
	r->exact = (lane == 0 ? 0 : r->exact) | exact << 2 * lane;
}

/* A lane that gives 0 whatever comes: scale 0, with a shift that leaves the rounding's constants below a unit.
 * Compilers give channels whose weights are all zero the largest shift there is. */
#define ZERO_SHIFT 62u
#define LARGEST_SHIFT 63u

bool npu_rescale_set(struct npu_rescale *r, unsigned lane, struct npu_scale s)
{
	/* 31 bits times a scale of 31 bits are less than half a unit then, in both roundings */
	if (s.shift == LARGEST_SHIFT && s.scale <= INT32_MAX) {
		s.scale = 0;
		s.shift = ZERO_SHIFT;
	}
	/* shifts below 32: everything times a power of two */
	unsigned up = s.shift < 32 ? 32u - s.shift : 0;
	bool twice = s.round == NPU_ROUND_DBL && s.shift > s.first;
	u32 negative = twice ? UINT32_C(1) << 31 : 0;

	if (s.shift > 62 || (u64)s.scale << up > INT32_MAX || s.round == NPU_ROUND_TRUNCATE ||
	    (twice && s.first != 31) || (lane > 0 && r->negative != negative))
		return false; /* one constant for all lanes; they are set from lane 0 on */
	i64 add = s.shift ? INT64_C(1) << (s.shift - 1) : 0;
	r->negative = negative;
	r->scale[lane] = (i32)((u64)s.scale << up);
	r->add[lane & 1][lane / 2] = (twice ? add + (INT64_C(1) << 30) : add) << up;
	r->shift[lane] = s.shift + (i32)up - 32;
	estimate_set(r, lane);
	return true;
}

bool npu85_rescale_set(struct npu_rescale *r, unsigned lane, struct npu85_scale s, unsigned left)
{
	/* as above; rounding to the lower one would give -1 */
	if (s.shift == LARGEST_SHIFT && !left && s.scale <= INT32_MAX && s.round != NPU85_TO_LOWER)
		s.scale = 0;
	if (!s.scale)
		s.shift = (u8)(NPU85_SHIFT_LIMIT - left);
	/* shifts below 32: everything times a power of two */
	unsigned shift = s.shift + left, up = shift < 32 ? 32 - shift : 0;

	if (shift > 62 || (u64)s.scale << up > INT32_MAX)
		return false;
	struct npu85_rounding c = npu85_rounding_of(s);
	i64 apart = (c.plus - c.minus) * (INT64_C(1) << (left + up));
	if ((apart != 0 && apart != INT64_C(1) << 31) || (lane > 0 && r->negative != apart))
		return false; /* one constant for all lanes; they are set from lane 0 on */
	r->negative = (u32)apart;
	r->scale[lane] = (i32)((u64)s.scale << up);
	r->add[lane & 1][lane / 2] = c.plus << (left + up);
	r->shift[lane] = (i32)(shift + up) - 32;
	estimate_set(r, lane);
	return true;
}

/* What a uniform rescale multiplies with. */
static double factor_of(const struct npu_rescale *r)
{
	return r->scale[0] * fraction(32 + (unsigned)r->shift[0]);
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
}

void npu_mul8_limit(struct npu_mul8 *s, u64 reach)
{
	s->narrow.small = s->scaled && (double)(reach << s->rescale.left) * factor_of(&s->rescale) < NPU_SMALL_VALUE;
}
