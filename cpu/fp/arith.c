/* SPDX-License-Identifier: Apache-2.0 */
/* Addition, multiplication, division, square root, fused multiply-add, comparison, min and max. */
#include "cpu/fp/half.h"
#include "cpu/fp/number.h"

ALWAYS_INLINE u64 num_add(struct format f, u64 x, u64 y, u32 *fpscr)
{
	struct number a = num_unpack(f, x, ARITHMETIC, fpscr), b = num_unpack(f, y, ARITHMETIC, fpscr);

	if (num_is_nan(&a) || num_is_nan(&b))
		return num_nans(f, x, &a, y, &b, fpscr);
	if (a.class == NUM_INF || b.class == NUM_INF) {
		if (a.class == b.class && a.sign != b.sign)
			return num_invalid(f, fpscr);
		return num_inf(f, a.class == NUM_INF ? a.sign : b.sign);
	}
	if (a.class == NUM_ZERO && b.class == NUM_ZERO && a.sign == b.sign)
		return num_zero(f, a.sign);
	if (a.class == NUM_ZERO)
		a.exp = b.exp;
	if (b.class == NUM_ZERO)
		b.exp = a.exp;
	if (a.exp < b.exp) {
		struct number t = a;
		a = b;
		b = t;
	}
	u128 p = (u128)a.sig << 62, q = shift_jam128((u128)b.sig << 62, (u32)(a.exp - b.exp)), sum;
	bool sign = a.sign;
	if (a.sign == b.sign) {
		sum = p + q;
	} else if (p >= q) {
		sum = p - q;
	} else {
		sum = q - p;
		sign = b.sign;
	}
	if (!sum)
		return num_zero(f, fp_mode(*fpscr) == ROUND_MINUS);
	return num_round128(f, sign, a.exp + 1, sum, fpscr);
}

ALWAYS_INLINE u64 num_mul(struct format f, u64 x, u64 y, u32 *fpscr)
{
	struct number a = num_unpack(f, x, ARITHMETIC, fpscr), b = num_unpack(f, y, ARITHMETIC, fpscr);
	bool sign = a.sign != b.sign;

	if (num_is_nan(&a) || num_is_nan(&b))
		return num_nans(f, x, &a, y, &b, fpscr);
	if (a.class == NUM_INF || b.class == NUM_INF) {
		if (a.class == NUM_ZERO || b.class == NUM_ZERO)
			return num_invalid(f, fpscr);
		return num_inf(f, sign);
	}
	if (a.class == NUM_ZERO || b.class == NUM_ZERO)
		return num_zero(f, sign);
	return num_round128(f, sign, a.exp + b.exp, (u128)a.sig * b.sig, fpscr);
}

ALWAYS_INLINE u64 num_div(struct format f, u64 x, u64 y, u32 *fpscr)
{
	struct number a = num_unpack(f, x, ARITHMETIC, fpscr), b = num_unpack(f, y, ARITHMETIC, fpscr);
	bool sign = a.sign != b.sign;

	if (num_is_nan(&a) || num_is_nan(&b))
		return num_nans(f, x, &a, y, &b, fpscr);
	if (a.class == b.class && (a.class == NUM_INF || a.class == NUM_ZERO))
		return num_invalid(f, fpscr);
	if (a.class == NUM_INF)
		return num_inf(f, sign);
	if (b.class == NUM_ZERO) {
		*fpscr |= FPSCR_DZC;
		return num_inf(f, sign);
	}
	if (a.class == NUM_ZERO || b.class == NUM_INF)
		return num_zero(f, sign);
	u128 top = (u128)a.sig << 62;
	u64 quotient = (u64)(top / b.sig), rest = (u64)(top % b.sig);
	return num_round128(f, sign, a.exp - b.exp, (u128)(quotient | (rest != 0)) << 64, fpscr);
}

ALWAYS_INLINE u64 num_sqrt(struct format f, u64 x, u32 *fpscr)
{
	struct number a = num_unpack(f, x, ARITHMETIC, fpscr);

	if (num_is_nan(&a))
		return num_nan(f, x, &a, fpscr);
	if (a.class == NUM_ZERO)
		return num_zero(f, a.sign);
	if (a.sign)
		return num_invalid(f, fpscr);
	if (a.class == NUM_INF)
		return num_inf(f, false);
	/* sqrt(sig * 2^odd / 2^63 * 2^even): 63 bits of root from a 126-bit radicand, digit by digit */
	u128 rest = (u128)a.sig << (62 - !(a.exp & 1));
	u64 root = 0;
	for (int i = 62; i >= 0; i--) {
		u128 trial = ((u128)root << 1 | 1ull << i) << i;
		if (rest >= trial) {
			rest -= trial;
			root |= 1ull << i;
		}
	}
	i32 even = a.exp & 1 ? a.exp - 1 : a.exp;
	return num_round128(f, false, even / 2, (u128)(root | (rest != 0)) << 64, fpscr);
}

ALWAYS_INLINE u64 num_fma(struct format f, u64 z, u64 x, u64 y, u32 *fpscr)
{
	struct number c = num_unpack(f, z, ARITHMETIC, fpscr);
	struct number a = num_unpack(f, x, ARITHMETIC, fpscr), b = num_unpack(f, y, ARITHMETIC, fpscr);
	bool sign = a.sign != b.sign, nan = num_is_nan(&a) || num_is_nan(&b);
	bool zero = a.class == NUM_ZERO || b.class == NUM_ZERO;
	bool inf = a.class == NUM_INF || b.class == NUM_INF;

	if (c.class == NUM_QNAN && inf && zero)
		return num_invalid(f, fpscr);
	if (c.class == NUM_SNAN || (c.class == NUM_QNAN && a.class != NUM_SNAN && b.class != NUM_SNAN))
		return num_nan(f, z, &c, fpscr);
	if (nan)
		return num_nans(f, x, &a, y, &b, fpscr);
	if ((inf && zero) || (inf && c.class == NUM_INF && c.sign != sign))
		return num_invalid(f, fpscr);
	if (inf || c.class == NUM_INF)
		return num_inf(f, inf ? sign : c.sign);
	if (zero && c.class == NUM_ZERO)
		return num_zero(f, c.sign == sign ? sign : fp_mode(*fpscr) == ROUND_MINUS);
	/* Both at 2^126; the product's low 22 bits are zero, so halving it loses nothing. */
	u128 p = zero ? 0 : (u128)a.sig * b.sig, q = (u128)c.sig << 63;
	i32 exp = a.exp + b.exp;
	if (p >> 127) {
		p >>= 1;
		exp++;
	}
	if (zero)
		exp = c.exp;
	i32 away = c.class == NUM_ZERO ? 0 : exp - c.exp;
	if (away >= 0) {
		q = shift_jam128(q, (u32)away);
	} else {
		p = shift_jam128(p, (u32)-away);
		exp = c.exp;
	}
	u128 sum;
	if (sign == c.sign) {
		sum = p + q;
	} else if (p >= q) {
		sum = p - q;
	} else {
		sum = q - p;
		sign = c.sign;
	}
	if (!sum)
		return num_zero(f, fp_mode(*fpscr) == ROUND_MINUS);
	return num_round128(f, sign, exp, sum, fpscr);
}

/* -1, 0, 1; neither is a NaN. */
ALWAYS_INLINE int num_order(const struct number *a, const struct number *b)
{
	int bigger = a->sign ? -1 : 1;

	if (a->class == NUM_ZERO && b->class == NUM_ZERO)
		return 0;
	if (a->class == NUM_ZERO)
		return b->sign ? 1 : -1;
	if (b->class == NUM_ZERO || a->sign != b->sign)
		return bigger;
	if (a->class != b->class)
		return a->class == NUM_INF ? bigger : -bigger;
	if (a->class == NUM_INF)
		return 0;
	if (a->exp != b->exp)
		return a->exp > b->exp ? bigger : -bigger;
	return a->sig == b->sig ? 0 : a->sig > b->sig ? bigger : -bigger;
}

ALWAYS_INLINE u32 num_compare(struct format f, u64 x, u64 y, bool signalling, u32 *fpscr)
{
	struct number a = num_unpack(f, x, ARITHMETIC, fpscr), b = num_unpack(f, y, ARITHMETIC, fpscr);

	if (num_is_nan(&a) || num_is_nan(&b)) {
		if (signalling || a.class == NUM_SNAN || b.class == NUM_SNAN)
			*fpscr |= FPSCR_IOC;
		return FPSCR_C | FPSCR_V;
	}
	int order = num_order(&a, &b);
	return order < 0 ? FPSCR_N : order > 0 ? FPSCR_C : FPSCR_Z | FPSCR_C;
}

ALWAYS_INLINE u64 num_minmax(struct format f, u64 x, u64 y, bool max, u32 *fpscr)
{
	struct number a = num_unpack(f, x, ARITHMETIC, fpscr), b = num_unpack(f, y, ARITHMETIC, fpscr);

	/* A quiet NaN gives way to anything but another quiet one. */
	if (a.class == NUM_QNAN && b.class != NUM_QNAN && b.class != NUM_SNAN)
		return b.class == NUM_ZERO ? num_zero(f, b.sign) : y;
	if (b.class == NUM_QNAN && a.class != NUM_QNAN && a.class != NUM_SNAN)
		return a.class == NUM_ZERO ? num_zero(f, a.sign) : x;
	if (num_is_nan(&a) || num_is_nan(&b))
		return num_nans(f, x, &a, y, &b, fpscr);
	if (a.class == NUM_ZERO && b.class == NUM_ZERO)
		return num_zero(f, max ? a.sign && b.sign : a.sign || b.sign);
	bool first = max ? num_order(&a, &b) > 0 : num_order(&a, &b) < 0;
	const struct number *n = first ? &a : &b;
	return n->class == NUM_ZERO ? num_zero(f, n->sign) : first ? x : y;
}

#define FUNCTIONS(bits, T, fmt) \
	T fp##bits##_div(T a, T b, u32 *s) { return (T)num_div(fmt, a, b, s); } \
	T fp##bits##_sqrt(T a, u32 *s) { return (T)num_sqrt(fmt, a, s); } \
	T fp##bits##_maxnm(T a, T b, u32 *s) { return (T)num_minmax(fmt, a, b, true, s); } \
	T fp##bits##_minnm(T a, T b, u32 *s) { return (T)num_minmax(fmt, a, b, false, s); } \
	u32 fp##bits##_compare(T a, T b, bool e, u32 *s) { return num_compare(fmt, a, b, e, s); }

/* A NaN keeps its sign when it is subtracted. */
ALWAYS_INLINE u64 num_sub(struct format f, u64 x, u64 y, u32 *fpscr)
{
	bool nan = (y & (fmt_sign(f) - 1)) > fmt_inf(f);
	return num_add(f, x, nan ? y : y ^ fmt_sign(f), fpscr);
}

FUNCTIONS(16, u32, HALF)
FUNCTIONS(32, u32, SINGLE)
FUNCTIONS(64, u64, DOUBLE)

/* The larger formats' callers have tried the host's FPU (fast.h); half precision tries it here. */
#define LARGER(bits, T, fmt) \
	T fp##bits##_add(T a, T b, u32 *s) { return (T)num_add(fmt, a, b, s); } \
	T fp##bits##_sub(T a, T b, u32 *s) { return (T)num_sub(fmt, a, b, s); } \
	T fp##bits##_mul(T a, T b, u32 *s) { return (T)num_mul(fmt, a, b, s); } \
	T fp##bits##_fma(T c, T a, T b, u32 *s) { return (T)num_fma(fmt, c, a, b, s); }
LARGER(32, u32, SINGLE)
LARGER(64, u64, DOUBLE)

u32 fp16_add(u32 a, u32 b, u32 *s)
{
	u32 r;
	return LIKELY(half_add(&r, a, b, *s)) ? r : (u32)num_add(HALF, a, b, s);
}
u32 fp16_sub(u32 a, u32 b, u32 *s)
{
	u32 r;
	return LIKELY(half_add(&r, a, b ^ 0x8000, *s)) ? r : (u32)num_sub(HALF, a, b, s);
}
u32 fp16_mul(u32 a, u32 b, u32 *s)
{
	u32 r;
	return LIKELY(half_mul(&r, a, b, *s)) ? r : (u32)num_mul(HALF, a, b, s);
}
u32 fp16_fma(u32 c, u32 a, u32 b, u32 *s)
{
	u32 r;
	return LIKELY(half_fma(&r, c, a, b, *s)) ? r : (u32)num_fma(HALF, c, a, b, s);
}
