/* SPDX-License-Identifier: Apache-2.0 */
/* Accumulators of 32 bits to int8: the fixed-point scaling of the cortex_m dialect and of CMSIS-NN, on one number and on
 * a vector of four. A scale is multiplier / 2^31 * 2^shift; the product is rounded to the nearest (ties up), then a shift
 * to the right rounds once more (ties away from zero). A shift to the left saturates: what it saturates lies beyond any
 * activation bound anyway. */
#ifndef RUNTIME_KERNELS_CORTEX_M_REQUANTIZE_H
#define RUNTIME_KERNELS_CORTEX_M_REQUANTIZE_H

#include <stdint.h>

#if defined __ARM_FEATURE_MVE && !defined KERNEL_PLAIN_C
#define KERNEL_MVE 1
#include <arm_mve.h>
#else
#define KERNEL_MVE 0
#endif

#define SHIFT_LOWEST (-62)
#define SHIFT_HIGHEST 31

static inline int32_t saturate_32(int64_t x)
{
	return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
}

static inline int32_t requantize(int32_t x, int32_t multiplier, int32_t shift)
{
	const int32_t left = shift > 0 ? saturate_32((int64_t)x * ((int64_t)1 << shift)) : x;
	const int32_t high = saturate_32(((int64_t)left * multiplier + (1 << 30)) >> 31);
	int64_t y = high;

	if (shift >= 0)
		return high;
	y = saturate_32(y - (y < 0));
	return (int32_t)((y + ((int64_t)1 << (-shift - 1))) >> -shift);
}

/* Adds the output's zero point and clamps. */
static inline int8_t to_int8(int32_t x, int32_t offset, int32_t low, int32_t high)
{
	const int32_t y = saturate_32((int64_t)x + offset);

	return (int8_t)(y < low ? low : y > high ? high : y);
}

#if KERNEL_MVE
/* With a shift to the right (0 or negative). */
static inline int32x4_t requantize_right(int32x4_t x, int32x4_t multiplier, int32x4_t right)
{
	const int32x4_t high = vqrdmulhq_s32(x, multiplier);
	const int32x4_t down = vshrq_n_s32(vandq_s32(high, right), 31); /* -1 where a negative number is shifted */

	return vrshlq_s32(vqaddq_s32(high, down), right);
}

/* `left` and `right` are the positive and the negative part of the shift. */
static inline int32x4_t requantize_parts(int32x4_t x, int32x4_t multiplier, int32x4_t left, int32x4_t right)
{
	return requantize_right(vqshlq_s32(x, left), multiplier, right);
}

static inline int32x4_t requantize_4(int32x4_t x, int32x4_t multiplier, int32x4_t shift)
{
	const int32x4_t zero = vdupq_n_s32(0);

	return requantize_parts(x, multiplier, vmaxq_s32(shift, zero), vminq_s32(shift, zero));
}

/* The same with one scale for all. */
static inline int32x4_t requantize_4_n(int32x4_t x, int32_t multiplier, int32_t shift)
{
	const int32x4_t high = vqrdmulhq_n_s32(vqshlq_s32(x, vdupq_n_s32(shift > 0 ? shift : 0)), multiplier);
	const int32x4_t right = vdupq_n_s32(shift < 0 ? shift : 0);

	return vrshlq_s32(vqaddq_s32(high, vshrq_n_s32(vandq_s32(high, right), 31)), right);
}

static inline int32x4_t clamp_4(int32x4_t x, int32_t offset, int32_t low, int32_t high)
{
	return vminq_s32(vmaxq_s32(vqaddq_n_s32(x, offset), vdupq_n_s32(low)), vdupq_n_s32(high));
}
#endif

#endif
