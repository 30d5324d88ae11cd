/* SPDX-License-Identifier: Apache-2.0 */
/* The integer floating point against the host's FPU in all rounding modes (random values with many
 * special and nearly equal ones), and what hosts do not have (Arm's NaN, flush and AHP rules) by
 * values worked out from the Arm ARM. */
#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "cpu/fp/fp.h"

#define CASES 150000

static u64 random64(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * 0x2545f4914f6cdd1dull;
}

static u32 random_single(u64 *state)
{
	static const u32 special[] = { 0, 0x80000000, 0x7f800000, 0xff800000, 1, 0x80000001, 0x7fffff,
		0x800000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x7fc00000, 0x34000000, 0x3f7fffff };
	u64 r = random64(state);
	if ((r >> 40 & 7) == 0)
		return special[(r >> 44) % ARRAY_LEN(special)];
	u32 v = (u32)r;
	if (r >> 43 & 1)
		v = (v & 0x807fffff) | (u32)(127 - 12 + (r >> 48) % 25) << 23;
	if (r >> 60 & 1)
		v &= 0xfffff000;
	return v;
}

static u64 random_double(u64 *state)
{
	static const u64 special[] = { 0, 1ull << 63, 0x7ffull << 52, 0xfffull << 52, 1, 0xfffffffffffffull,
		1ull << 52, 0x3ffull << 52, 0xbffull << 52, 0x7fefffffffffffffull, 0x7ff8ull << 48 };
	u64 r = random64(state), v = random64(state);
	if ((r & 7) == 0)
		return special[(r >> 8) % ARRAY_LEN(special)];
	if (r & 8)
		v = (v & 0x800fffffffffffffull) | (1023 - 30 + (r >> 48) % 61) << 52;
	if (r & 16)
		v &= ~0ull << 30;
	return v;
}

static float f32(u32 v) { float f; memcpy(&f, &v, 4); return f; }
static double f64(u64 v) { double f; memcpy(&f, &v, 8); return f; }
static u32 b32(float f) { u32 v; memcpy(&v, &f, 4); return v; }
static u64 b64(double f) { u64 v; memcpy(&v, &f, 8); return v; }

static const int host_modes[4] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };

static u32 host_flags(void)
{
	int e = fetestexcept(FE_ALL_EXCEPT);
	return (e & FE_INVALID ? FPSCR_IOC : 0) | (e & FE_DIVBYZERO ? FPSCR_DZC : 0) |
	       (e & FE_OVERFLOW ? FPSCR_OFC : 0) | (e & FE_UNDERFLOW ? FPSCR_UFC : 0) |
	       (e & FE_INEXACT ? FPSCR_IXC : 0);
}

/* Compares result and flags; a result of the least normal size may differ in Underflow (hosts may
 * detect tininess after rounding), NaNs only need to be NaNs here. */
#define CHECK(what, got, want, is_nan, least_normal, fpscr) do { \
		u32 flags_ = host_flags(), mine_ = (fpscr) & FPSCR_FLAGS; \
		if (least_normal) { \
			flags_ &= ~(u32)FPSCR_UFC; \
			mine_ &= ~(u32)FPSCR_UFC; \
		} \
		cr_assert((is_nan) || (got) == (want), "%s: %llx, host %llx", what, \
			  (unsigned long long)(got), (unsigned long long)(want)); \
		cr_assert_eq(mine_, flags_, "%s: flags %x, host %x, result %llx", what, mine_, flags_, \
			     (unsigned long long)(got)); \
	} while (0)

#define TRY32(what, call, host) do { \
		fpscr = mode << 22; \
		feclearexcept(FE_ALL_EXCEPT); \
		volatile float h_ = (host); \
		u32 hb_ = b32(h_), got_ = (call); \
		bool nan_ = (hb_ & 0x7fffffff) > 0x7f800000 && (got_ & 0x7fffffff) > 0x7f800000; \
		CHECK(what, got_, hb_, nan_, (hb_ & 0x7fffffff) == 0x800000, fpscr); \
	} while (0)
#define TRY64(what, call, host) do { \
		fpscr = mode << 22; \
		feclearexcept(FE_ALL_EXCEPT); \
		volatile double h_ = (host); \
		u64 hb_ = b64(h_), got_ = (call); \
		bool nan_ = h_ != h_ && (got_ & ~0ull >> 1) > 0x7ffull << 52; \
		CHECK(what, got_, hb_, nan_, (hb_ & ~0ull >> 1) == 1ull << 52, fpscr); \
	} while (0)

Test(fp, single_as_host)
{
	u64 seed = 0x1234567;
	for (u32 i = 0; i < CASES; i++) {
		u32 mode = i & 3, fpscr;
		u32 a = random_single(&seed), b = random_single(&seed), c = random_single(&seed);
		volatile float x = f32(a), y = f32(b), z = f32(c);
		fesetround(host_modes[mode]);
		TRY32("add", fp32_add(a, b, &fpscr), x + y);
		TRY32("sub", fp32_sub(a, b, &fpscr), x - y);
		TRY32("mul", fp32_mul(a, b, &fpscr), x * y);
		TRY32("div", fp32_div(a, b, &fpscr), x / y);
		TRY32("sqrt", fp32_sqrt(a, &fpscr), sqrtf(x));
		if (!isnan(z) && !isnan(x) && !isnan(y))
			TRY32("fma", fp32_fma(c, a, b, &fpscr), fmaf(x, y, z));
		TRY32("rintx", fp32_round_int(a, fp_mode(fpscr), true, &fpscr), rintf(x));
	}
	fesetround(FE_TONEAREST);
}

Test(fp, double_as_host)
{
	u64 seed = 0x7654321;
	for (u32 i = 0; i < CASES; i++) {
		u32 mode = i & 3, fpscr;
		u64 a = random_double(&seed), b = random_double(&seed), c = random_double(&seed);
		volatile double x = f64(a), y = f64(b), z = f64(c);
		fesetround(host_modes[mode]);
		TRY64("add", fp64_add(a, b, &fpscr), x + y);
		TRY64("sub", fp64_sub(a, b, &fpscr), x - y);
		TRY64("mul", fp64_mul(a, b, &fpscr), x * y);
		TRY64("div", fp64_div(a, b, &fpscr), x / y);
		TRY64("sqrt", fp64_sqrt(a, &fpscr), sqrt(x));
		if (!isnan(z) && !isnan(x) && !isnan(y))
			TRY64("fma", fp64_fma(c, a, b, &fpscr), fma(x, y, z));
		TRY64("rintx", fp64_round_int(a, fp_mode(fpscr), true, &fpscr), rint(x));
		TRY32("to single", fp64_to_fp32(a, &fpscr), (float)x);
		u32 s = random_single(&seed);
		volatile float t = f32(s);
		TRY64("to double", fp32_to_fp64(s, &fpscr), (double)t);
		TRY32("from integer", fp32_from_fixed((i32)a, 0, fp_mode(fpscr), &fpscr), (float)(i32)a);
		if (fabs(x) < 2147483000.0) {
			fpscr = 0;
			cr_assert_eq(fp64_to_fixed(a, 0, 32, false, ROUND_ZERO, &fpscr), (u32)(i32)x);
		}
	}
	fesetround(FE_TONEAREST);
}

/* Half precision: exact in double, rounded once by the conversion that the test above checked. */
Test(fp, half_as_double)
{
	u64 seed = 99;
	for (u32 i = 0; i < CASES; i++) {
		u64 r = random64(&seed);
		u32 a = (u32)r & 0xffff, b = (u32)(r >> 16) & 0xffff, mode = (i & 3) << 22, s = mode, t = mode;
		u64 x = fp16_to_fp64(a, &t), y = fp16_to_fp64(b, &t);
		if ((a & 0x7fff) > 0x7c00 || (b & 0x7fff) > 0x7c00)
			continue;
#define TRY16(op) do { \
		s = t = mode; \
		u32 got_ = fp16_##op(a, b, &s), want_ = fp64_to_fp16(fp64_##op(x, y, &t), &t); \
		cr_assert_eq(got_, want_, #op " %x %x: %x, double %x", a, b, got_, want_); \
		cr_assert_eq(s, t, #op " flags of %x %x", a, b); \
	} while (0)
		TRY16(add);
		TRY16(sub);
		TRY16(mul);
		TRY16(maxnm);
		TRY16(minnm);
	}
}

Test(fp, nans)
{
	u32 s = 0;
	cr_assert_eq(fp32_add(0x7fc00001, 0x7f800002, &s), 0x7fc00002); /* signalling first */
	cr_assert_eq(s, FPSCR_IOC);
	s = 0;
	cr_assert_eq(fp32_mul(0xffc00001, 0x7fc00002, &s), 0xffc00001);
	cr_assert_eq(s, 0);
	s = FPSCR_DN;
	cr_assert_eq(fp32_mul(0xffc00001, 0x3f800000, &s), 0x7fc00000);
	s = 0;
	cr_assert_eq(fp32_fma(0x7fc00007, 0x7f800000, 0, &s), 0x7fc00000); /* quiet NaN + inf * 0 */
	cr_assert_eq(s, FPSCR_IOC);
	s = 0;
	cr_assert_eq(fp32_maxnm(0x7fc00000, 0xbf800000, &s), 0xbf800000);
	cr_assert_eq(fp32_minnm(0, 0x80000000, &s), 0x80000000);
	cr_assert_eq(fp32_compare(0x7fc00000, 0, false, &s), FPSCR_C | FPSCR_V);
	cr_assert_eq(s, 0);
	fp32_compare(0x7fc00000, 0, true, &s);
	cr_assert_eq(s, FPSCR_IOC);
}

Test(fp, flush_and_alternative)
{
	u32 s = FPSCR_FZ;
	cr_assert_eq(fp32_add(1, 1, &s), 0);
	cr_assert_eq(s & FPSCR_FLAGS, FPSCR_IDC);
	s = FPSCR_FZ;
	cr_assert_eq(fp32_mul(0x80800000, 0x3f000000, &s), 0x80000000);
	cr_assert_eq(s & FPSCR_FLAGS, FPSCR_UFC);
	s = FPSCR_FZ16;
	cr_assert_eq(fp16_add(1, 0x3c00, &s), 0x3c00);
	cr_assert_eq(s & FPSCR_FLAGS, 0);
	s = FPSCR_AHP;
	cr_assert_eq(fp16_to_fp32(0x7c00, &s), 0x47800000); /* 65536 */
	cr_assert_eq(fp32_to_fp16(0x7f800000, &s), 0x7fff);
	cr_assert_eq(s & FPSCR_FLAGS, FPSCR_IOC);
	s = FPSCR_AHP;
	cr_assert_eq(fp32_to_fp16(0xffc00000, &s), 0x8000);
	s = 0;
	cr_assert_eq(fp32_to_fixed(0x4f000000, 0, 32, false, ROUND_ZERO, &s), 0x7fffffff);
	cr_assert_eq(s, FPSCR_IOC);
	s = 0;
	cr_assert_eq(fp32_to_fixed(0xbf000000, 0, 32, true, ROUND_AWAY, &s), 0);
	cr_assert_eq(s, FPSCR_IOC);
	cr_assert_eq(fp32_expand(0x70), 0x3f800000);
	cr_assert_eq(fp64_expand(0x80), 0xc000000000000000ull);
	cr_assert_eq(fp16_expand(0x70), 0x3c00);
}

/* Half precision on the host's FPU (cpu/fp/half.h), which a set Inexact flag permits, against the integers. */
static u32 random_half(u64 *state)
{
	u64 r = random64(state);
	u32 v = (u32)r & 0xffff;
	if (r >> 40 & 1)
		v = (v & 0x83ff) | (u32)(15 - 6 + (r >> 48) % 13) << 10;
	if (r >> 41 & 1)
		v &= 0xffe0;
	return v;
}

Test(fp, half_on_the_host_is_the_same)
{
	u64 state = 16;
	for (unsigned i = 0; i < CASES; i++) {
		u32 a = random_half(&state), b = random_half(&state), d = random_half(&state);
		u32 set = FPSCR_IXC, clear = 0;
		u32 host[] = { fp16_add(a, b, &set), fp16_sub(a, b, &set), fp16_mul(a, b, &set), fp16_fma(d, a, b, &set) };
		u32 integers[] = { fp16_add(a, b, &clear), fp16_sub(a, b, &clear), fp16_mul(a, b, &clear),
				   fp16_fma(d, a, b, &clear) };
		cr_assert_eq(memcmp(host, integers, sizeof(host)), 0, "%04x %04x %04x", a, b, d);
		cr_assert_eq(set, clear | FPSCR_IXC, "%04x %04x %04x", a, b, d);
	}
}
