/* SPDX-License-Identifier: Apache-2.0 */
/* Scaling of rows of U85 values; see rows.h. */
#include "npu/kernels/rows/rescale.h"
#include "npu/kernels/u85/rows.h"

#define MOST_DOWN 29
#define MOST_PART 22 /* bits of a scale that are shifted out: values of eight bits have room for them */

/* Of values that are shifted left by as little as it takes. */
static bool set_lanes(struct npu85_stage *s)
{
	for (u8 up = 0; up <= NPU85_MOST_UP; up++)
		if (npu85_rescale_all(&s->lanes, s->scale, up)) {
			s->fast = up == 0;
			s->up = up;
			return true;
		}
	return false;
}

/* A power of two, of values that leave room for the rounding. */
static void set_shift(struct npu85_stage *s)
{
	const int up = npu_is_power(s->scale.scale) ? (int)npu_log2(s->scale.scale) : -1, down = s->scale.shift - up;

	s->shifts = up >= 0 && down > 0 && down <= MOST_DOWN;
	if (!s->shifts)
		return;
	s->down = (u8)down;
	s->plus = (i32)(s->rounding.plus >> up);
	s->minus = (i32)(s->rounding.minus >> up);
}

static void set_signs(struct npu85_stage *s)
{
	for (u8 up = 0; up <= NPU85_MOST_UP && !s->by_sign; up++) {
		s->by_sign = npu85_rescale_signs(&s->signs, s->scale, up);
		s->up = s->by_sign ? up : 0;
	}
}

/* A scale above 1, of values so small that their product with what is shifted out stays below 2^30. */
static void set_parts(struct npu85_stage *s)
{
	const struct npu85_scale scale = s->scale;
	const i64 most = INT64_C(1) << 30;

	s->parts = scale.shift <= MOST_PART && s->rounding.plus < most && s->rounding.minus < most && s->rounding.minus > -most;
	if (!s->parts)
		return;
	s->whole = (i32)(scale.scale >> scale.shift);
	s->part = (i32)(scale.scale & ((UINT32_C(1) << scale.shift) - 1));
}

void npu85_stage_init(struct npu85_stage *s, struct npu85_scale scale)
{
	s->scale = scale;
	s->rounding = npu85_rounding_of(scale);
	s->none = npu_is_power(scale.scale) && scale.shift == npu_log2(scale.scale); /* there is nothing to round */
	s->limit = scale.shift > NPU85_SHIFT_LIMIT ? -1
		 : scale.scale ? NPU85_PRODUCT_LIMIT / scale.scale : INT64_MAX;
	s->left = npu_is_power(scale.scale) && scale.shift <= npu_log2(scale.scale) ? (u8)(npu_log2(scale.scale) - scale.shift) : 0;
	s->fast = s->by_sign = s->room = false;
	s->up = 0;
	set_shift(s);
	set_parts(s);
	if (!s->none && !s->left && !set_lanes(s))
		set_signs(s);
}

bool npu85_stage_bytes(const struct npu85_stage *s, i64 reach, struct npu_operand8 *o)
{
	const struct npu85_rounding c = s->rounding;
	/* by so much the constants of both signs become 2^31 apart, or the shift 32 */
	const unsigned apart = c.plus > c.minus ? (unsigned)__builtin_ctzll((u64)(c.plus - c.minus)) : 31u;
	const unsigned up = c.plus == c.minus ? 32u - s->scale.shift : 31 - apart;

	o->factor = 1 << s->left;
	o->scaled = !s->none && !s->left;
	if (s->fast)
		o->rescale = s->lanes;
	if (!o->scaled || s->fast)
		return true;
	if (up > 30 || reach > INT32_MAX >> up || !npu85_rescale_all(&o->rescale, s->scale, up))
		return false;
	o->factor = 1 << up;
	return true;
}

void npu85_stage_run(const struct npu85_stage *s, const struct npu_simd *simd, i64 *v, size_t n)
{
	i64 most = 0, least = 0;

	if (s->none)
		return;
	for (size_t i = 0; i < n; i++) {
		most = v[i] > most ? v[i] : most;
		least = v[i] < least ? v[i] : least;
	}
	if (most <= s->limit && least >= -s->limit) {
		simd->scale64(v, n, s->scale.scale, s->rounding.plus, s->rounding.minus, s->scale.shift);
		return;
	}
	for (size_t i = 0; i < n; i++)
		v[i] = npu85_scale_round(v[i], s->scale);
}

/* Whether values may be shifted left by so much. */
static bool leave_room(const i32 *v, size_t n, unsigned bits)
{
	u32 all = 0;

	for (size_t i = 0; i < n; i++)
		all |= (u32)(v[i] ^ v[i] >> 31);
	return !(all >> (31 - bits));
}

static void shift_left(i32 *v, size_t n, unsigned bits)
{
	for (size_t i = 0; i < n; i++)
		v[i] = (i32)((u32)v[i] << bits);
}

static void shift_right(const struct npu85_stage *s, i32 *v, size_t n)
{
	const i32 plus = s->plus, minus = s->minus, down = s->down;

	for (size_t i = 0; i < n; i++)
		v[i] = (v[i] + (v[i] < 0 ? minus : plus)) >> down;
}

/* Whether vectors of 32 bits have room for it. */
static bool in_lanes(const struct npu85_stage *s, const i32 *v, size_t n)
{
	return s->up ? s->room || leave_room(v, n, s->up) : s->fast || s->by_sign;
}

static void run_lanes(const struct npu85_stage *s, const struct npu_simd *simd, i32 *v, size_t n)
{
	if (s->up)
		shift_left(v, n, s->up);
	for (size_t i = n; i < npu85_vectors(n) * NPU_GROUP; i++)
		v[i] = 0;
	if (s->by_sign)
		simd->rescale_signs(v, npu85_vectors(n), &s->signs);
	else
		simd->rescale(v, npu85_vectors(n), &s->lanes);
}

static void run_parts(const struct npu85_stage *s, i32 *v, size_t n)
{
	const u32 whole = (u32)s->whole;
	const i32 part = s->part, plus = (i32)s->rounding.plus, minus = (i32)s->rounding.minus, shift = s->scale.shift;

	for (size_t i = 0; i < n; i++) {
		const i32 out = (v[i] * part + (v[i] < 0 ? minus : plus)) >> shift;
		v[i] = (i32)((u32)v[i] * whole + (u32)out);
	}
}

static void run_wide(const struct npu85_stage *s, const struct npu_simd *simd, i32 *v, size_t n)
{
	i64 wide[NPU_ROW];

	for (size_t i = 0; i < n; i++)
		wide[i] = v[i];
	npu85_stage_run(s, simd, wide, n);
	for (size_t i = 0; i < n; i++)
		v[i] = (i32)wide[i];
}

void npu85_stage_run32(const struct npu85_stage *s, const struct npu_simd *simd, i32 *v, size_t n)
{
	if (s->none)
		return;
	if (s->left)
		shift_left(v, n, s->left);
	else if (s->fast && s->shifts)
		shift_right(s, v, n);
	else if (in_lanes(s, v, n))
		run_lanes(s, simd, v, n);
	else if (s->parts && leave_room(v, n, s->scale.shift + 1u))
		run_parts(s, v, n);
	else
		run_wide(s, simd, v, n);
}

bool npu85_stage_fits(const struct npu85_stage *s, i64 reach)
{
	/* scaling is monotonic */
	return npu85_scale_round(reach, s->scale) < NPU_ROW_LIMIT && npu85_scale_round(-reach, s->scale) > -NPU_ROW_LIMIT;
}

bool npu85_stage_small(const struct npu85_stage *s, i64 reach)
{
	return reach < NPU_ROW_LIMIT && npu85_stage_fits(s, reach);
}
