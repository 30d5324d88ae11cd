/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions between formats and to and from integers, rounding to integral values. */
#include "cpu/fp/number.h"

ALWAYS_INLINE u64 convert_nan(struct format from, struct format to, u64 bits, const struct number *n,
			      u32 *fpscr)
{
	bool alternative = to.bits == 16 && (*fpscr & FPSCR_AHP);
	u64 payload = (bits & ((1ull << from.fraction) - 1)) << (63 - from.fraction) >> (63 - to.fraction);

	if (n->class == NUM_SNAN || alternative)
		*fpscr |= FPSCR_IOC;
	if (alternative)
		return num_zero(to, n->sign);
	if (*fpscr & FPSCR_DN)
		return fmt_default_nan(to);
	return num_inf(to, n->sign) | fmt_quiet(to) | payload;
}

ALWAYS_INLINE u64 convert(struct format from, struct format to, u64 bits, u32 *fpscr)
{
	struct number n = num_unpack(from, bits, CONVERSION, fpscr);

	if (num_is_nan(&n))
		return convert_nan(from, to, bits, &n, fpscr);
	if (n.class == NUM_INF) {
		if (to.bits != 16 || !(*fpscr & FPSCR_AHP))
			return num_inf(to, n.sign);
		*fpscr |= FPSCR_IOC;
		return num_zero(to, n.sign) | (fmt_sign(to) - 1);
	}
	if (n.class == NUM_ZERO)
		return num_zero(to, n.sign);
	return num_round(to, n.sign, n.exp, n.sig, fp_mode(*fpscr), CONVERSION, fpscr);
}

u32 fp16_to_fp32(u32 a, u32 *fpscr) { return (u32)convert(HALF, SINGLE, a, fpscr); }
u64 fp16_to_fp64(u32 a, u32 *fpscr) { return convert(HALF, DOUBLE, a, fpscr); }
u32 fp32_to_fp16(u32 a, u32 *fpscr) { return (u32)convert(SINGLE, HALF, a, fpscr); }
u64 fp32_to_fp64(u32 a, u32 *fpscr) { return convert(SINGLE, DOUBLE, a, fpscr); }
u32 fp64_to_fp16(u64 a, u32 *fpscr) { return (u32)convert(DOUBLE, HALF, a, fpscr); }
u32 fp64_to_fp32(u64 a, u32 *fpscr) { return (u32)convert(DOUBLE, SINGLE, a, fpscr); }

/* |n| * 2^scale rounded to an integer of at most 64 bits; *inexact: something was cut off. Larger
 * values give all ones. */
ALWAYS_INLINE u64 magnitude(const struct number *n, i32 scale, enum fp_round mode, bool *inexact)
{
	i32 exp = n->exp + scale;

	*inexact = false;
	if (exp > 63)
		return ~0ull;
	if (exp == 63)
		return n->sig;
	u64 kept = exp < 0 ? 0 : n->sig >> (63 - exp);
	/* the part below the point, at 2^-63, sticky */
	u64 rest = exp < -1 ? shift_jam64(n->sig, (u32)(-1 - exp)) : n->sig << (exp + 1);
	*inexact = rest != 0;
	return kept + round_up(mode, n->sign, kept, rest, 1ull << 63);
}

ALWAYS_INLINE u32 to_fixed(struct format f, u64 bits, unsigned fraction, unsigned width, bool is_unsigned,
			   enum fp_round mode, u32 *fpscr)
{
	struct number n = num_unpack(f, bits, ARITHMETIC, fpscr);
	u64 max = is_unsigned ? (1ull << width) - 1 : (1ull << (width - 1)) - 1;
	u64 limit = !n.sign ? max : is_unsigned ? 0 : max + 1;
	bool inexact = false;

	if (num_is_nan(&n)) {
		*fpscr |= FPSCR_IOC;
		return 0;
	}
	if (n.class == NUM_ZERO)
		return 0;
	u64 value = n.class == NUM_INF ? ~0ull : magnitude(&n, (i32)fraction, mode, &inexact);
	if (value > limit) {
		*fpscr |= FPSCR_IOC;
		value = limit;
	} else if (inexact) {
		*fpscr |= FPSCR_IXC;
	}
	return (u32)(n.sign ? -value : value);
}

ALWAYS_INLINE u64 from_fixed(struct format f, i64 value, unsigned fraction, enum fp_round mode, u32 *fpscr)
{
	u64 size = value < 0 ? -(u64)value : (u64)value;

	if (!size)
		return 0;
	unsigned zeros = (unsigned)__builtin_clzll(size);
	return num_round(f, value < 0, 63 - (i32)zeros - (i32)fraction, size << zeros, mode, ARITHMETIC, fpscr);
}

ALWAYS_INLINE u64 round_int(struct format f, u64 bits, enum fp_round mode, bool exact, u32 *fpscr)
{
	struct number n = num_unpack(f, bits, ARITHMETIC, fpscr);
	bool inexact;

	if (num_is_nan(&n))
		return num_nan(f, bits, &n, fpscr);
	if (n.class == NUM_ZERO)
		return num_zero(f, n.sign);
	if (n.class == NUM_INF || n.exp >= f.fraction)
		return bits;
	u64 value = magnitude(&n, 0, mode, &inexact);
	if (inexact && exact)
		*fpscr |= FPSCR_IXC;
	if (!value)
		return num_zero(f, n.sign);
	unsigned zeros = (unsigned)__builtin_clzll(value);
	return num_round(f, n.sign, 63 - (i32)zeros, value << zeros, mode, ARITHMETIC, fpscr);
}

#define FUNCTIONS(bits, T, fmt) \
	u32 fp##bits##_to_fixed(T a, unsigned fraction, unsigned width, bool is_unsigned, \
				enum fp_round mode, u32 *fpscr) \
	{ \
		return to_fixed(fmt, a, fraction, width, is_unsigned, mode, fpscr); \
	} \
	T fp##bits##_from_fixed(i64 value, unsigned fraction, enum fp_round mode, u32 *fpscr) \
	{ \
		return (T)from_fixed(fmt, value, fraction, mode, fpscr); \
	} \
	T fp##bits##_round_int(T a, enum fp_round mode, bool exact, u32 *fpscr) \
	{ \
		return (T)round_int(fmt, a, mode, exact, fpscr); \
	}

FUNCTIONS(16, u32, HALF)
FUNCTIONS(32, u32, SINGLE)
FUNCTIONS(64, u64, DOUBLE)

ALWAYS_INLINE u64 expand(struct format f, u32 imm8)
{
	unsigned exp_bits = f.bits - f.fraction - 1u;
	u64 b = imm8 >> 6 & 1;
	u64 exp = (b ^ 1) << (exp_bits - 1) | (b ? ((1ull << (exp_bits - 3)) - 1) << 2 : 0) | (imm8 >> 4 & 3);

	return (u64)(imm8 >> 7) << (f.bits - 1) | exp << f.fraction | (u64)(imm8 & 15) << (f.fraction - 4);
}

u32 fp16_expand(u32 imm8) { return (u32)expand(HALF, imm8); }
u32 fp32_expand(u32 imm8) { return (u32)expand(SINGLE, imm8); }
u64 fp64_expand(u32 imm8) { return expand(DOUBLE, imm8); }
