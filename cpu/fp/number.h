/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacked floating-point numbers of any format: taking apart, rounding, packing, NaNs. All
 * functions take the format as a constant and fold to code for that format. Private to cpu/fp. */
#ifndef CPU_FP_NUMBER_H
#define CPU_FP_NUMBER_H

#include "cpu/fp/fp.h"

typedef unsigned __int128 u128;

struct format { u8 bits, fraction; };
#define HALF ((struct format){ 16, 10 })
#define SINGLE ((struct format){ 32, 23 })
#define DOUBLE ((struct format){ 64, 52 })

enum number_class { NUM_ZERO, NUM_FINITE, NUM_INF, NUM_QNAN, NUM_SNAN };

/* value = sig / 2^63 * 2^exp; bit 63 of sig is set when NUM_FINITE. */
struct number { u64 sig; i32 exp; u8 class; bool sign; };

/* Conversions between formats see half precision differently: AHP counts, FZ16 does not. */
enum use { ARITHMETIC, CONVERSION };

ALWAYS_INLINE i32 fmt_bias(struct format f) { return (1 << (f.bits - f.fraction - 2)) - 1; }
ALWAYS_INLINE u64 fmt_sign(struct format f) { return 1ull << (f.bits - 1); }
ALWAYS_INLINE u64 fmt_inf(struct format f) { return fmt_sign(f) - (1ull << f.fraction); }
ALWAYS_INLINE u64 fmt_quiet(struct format f) { return 1ull << (f.fraction - 1); }
ALWAYS_INLINE u64 fmt_default_nan(struct format f) { return fmt_inf(f) | fmt_quiet(f); }

ALWAYS_INLINE bool fmt_flushes(struct format f, enum use use, u32 fpscr)
{
	return f.bits == 16 ? use == ARITHMETIC && (fpscr & FPSCR_FZ16) : (fpscr & FPSCR_FZ) != 0;
}

ALWAYS_INLINE u64 shift_jam64(u64 x, u32 by)
{
	return by == 0 ? x : by > 63 ? x != 0 : x >> by | ((x << (64 - by)) != 0);
}

ALWAYS_INLINE u128 shift_jam128(u128 x, u32 by)
{
	return by == 0 ? x : by > 127 ? x != 0 : x >> by | ((x << (128 - by)) != 0);
}

ALWAYS_INLINE unsigned clz128(u128 x)
{
	u64 high = (u64)(x >> 64);
	return high ? (unsigned)__builtin_clzll(high) : 64 + (unsigned)__builtin_clzll((u64)x);
}

ALWAYS_INLINE struct number num_unpack(struct format f, u64 bits, enum use use, u32 *fpscr)
{
	struct number n = { .sign = (bits & fmt_sign(f)) != 0 };
	u64 frac = bits & ((1ull << f.fraction) - 1);
	u32 max = (1u << (f.bits - 1 - f.fraction)) - 1;
	u32 exp = (u32)(bits >> f.fraction) & max;
	bool alternative = f.bits == 16 && use == CONVERSION && (*fpscr & FPSCR_AHP);

	if (exp == 0) {
		n.class = NUM_ZERO;
		if (!frac)
			return n;
		if (fmt_flushes(f, use, *fpscr)) {
			if (f.bits != 16)
				*fpscr |= FPSCR_IDC;
			return n;
		}
		unsigned zeros = (unsigned)__builtin_clzll(frac);
		n.class = NUM_FINITE;
		n.sig = frac << zeros;
		n.exp = 1 - fmt_bias(f) + (63 - f.fraction) - (i32)zeros;
	} else if (exp == max && !alternative) {
		n.class = !frac ? NUM_INF : frac & fmt_quiet(f) ? NUM_QNAN : NUM_SNAN;
	} else {
		n.class = NUM_FINITE;
		n.sig = 1ull << 63 | frac << (63 - f.fraction);
		n.exp = (i32)exp - fmt_bias(f);
	}
	return n;
}

ALWAYS_INLINE bool round_up(enum fp_round mode, bool sign, u64 kept, u64 rest, u64 half)
{
	switch (mode) {
	case ROUND_NEAREST: return rest > half || (rest == half && (kept & 1));
	case ROUND_PLUS: return rest && !sign;
	case ROUND_MINUS: return rest && sign;
	case ROUND_AWAY: return rest >= half;
	default: return false;
	}
}

ALWAYS_INLINE u64 num_overflow(struct format f, bool sign, enum fp_round mode, u32 *fpscr)
{
	bool to_inf = mode == ROUND_NEAREST || mode == ROUND_AWAY || mode == (sign ? ROUND_MINUS : ROUND_PLUS);
	*fpscr |= FPSCR_OFC | FPSCR_IXC;
	return (sign ? fmt_sign(f) : 0) | (fmt_inf(f) - !to_inf);
}

/* Rounds sig / 2^63 * 2^exp (bit 63 set; bit 0 sticky) and packs it: FPRoundBase. */
ALWAYS_INLINE u64 num_round(struct format f, bool sign, i32 exp, u64 sig, enum fp_round mode,
			    enum use use, u32 *fpscr)
{
	u64 sign_bit = sign ? fmt_sign(f) : 0, cut = 1ull << (63 - f.fraction);
	i32 biased = exp + fmt_bias(f);
	bool tiny = biased < 1;

	if (tiny) {
		if (fmt_flushes(f, use, *fpscr)) {
			*fpscr |= FPSCR_UFC;
			return sign_bit;
		}
		sig = shift_jam64(sig, (u32)(1 - biased));
	}
	u64 kept = sig / cut, rest = sig & (cut - 1);
	kept += round_up(mode, sign, kept, rest, cut / 2);
	u64 packed = tiny ? kept : ((u64)(u32)(biased - 1) << f.fraction) + kept;
	if (f.bits == 16 && use == CONVERSION && (*fpscr & FPSCR_AHP)) {
		if (packed >= fmt_sign(f)) {
			*fpscr |= FPSCR_IOC;
			return sign_bit | (fmt_sign(f) - 1);
		}
	} else if (biased > 2 * fmt_bias(f) + 1 || packed >= fmt_inf(f)) {
		return num_overflow(f, sign, mode, fpscr);
	}
	if (rest)
		*fpscr |= tiny ? FPSCR_UFC | FPSCR_IXC : FPSCR_IXC;
	return sign_bit | packed;
}

/* The same from a 128-bit significand with any number of leading zeros, value sig / 2^126 * 2^exp. */
ALWAYS_INLINE u64 num_round128(struct format f, bool sign, i32 exp, u128 sig, u32 *fpscr)
{
	unsigned zeros = clz128(sig);
	sig <<= zeros;
	return num_round(f, sign, exp + 1 - (i32)zeros, (u64)(sig >> 64) | ((u64)sig != 0), fp_mode(*fpscr),
			 ARITHMETIC, fpscr);
}

ALWAYS_INLINE u64 num_zero(struct format f, bool sign) { return sign ? fmt_sign(f) : 0; }
ALWAYS_INLINE u64 num_inf(struct format f, bool sign) { return num_zero(f, sign) | fmt_inf(f); }

ALWAYS_INLINE u64 num_invalid(struct format f, u32 *fpscr)
{
	*fpscr |= FPSCR_IOC;
	return fmt_default_nan(f);
}

/* FPProcessNaN */
ALWAYS_INLINE u64 num_nan(struct format f, u64 bits, const struct number *n, u32 *fpscr)
{
	if (n->class == NUM_SNAN)
		*fpscr |= FPSCR_IOC;
	return *fpscr & FPSCR_DN ? fmt_default_nan(f) : bits | fmt_quiet(f);
}

ALWAYS_INLINE bool num_is_nan(const struct number *n) { return n->class >= NUM_QNAN; }

/* FPProcessNaNs: signalling before quiet, first operand before second. */
ALWAYS_INLINE u64 num_nans(struct format f, u64 x, const struct number *a, u64 y, const struct number *b,
			   u32 *fpscr)
{
	bool second = a->class != NUM_SNAN && (b->class == NUM_SNAN || a->class != NUM_QNAN);
	return second ? num_nan(f, y, b, fpscr) : num_nan(f, x, a, fpscr);
}

#endif
