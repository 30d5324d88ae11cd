/* SPDX-License-Identifier: Apache-2.0 */
/* The two floating-point types of 16 bits: IEEE 754 binary16 and the upper half of a float32. Conversions round to
 * the nearest, ties to even. */
#ifndef RUNTIME_KERNELS_HALF_H
#define RUNTIME_KERNELS_HALF_H

#include <stdint.h>
#include <string.h>

static inline float float_of_bits(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

static inline uint32_t bits_of_float(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static inline float bfloat_to_float(uint16_t h)
{
	return float_of_bits((uint32_t)h << 16);
}

static inline uint16_t bfloat_of_float(float x)
{
	const uint32_t bits = bits_of_float(x);

	if ((bits & 0x7fffffff) > 0x7f800000)
		return 0x7fc0;
	return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static inline float half_to_float(uint16_t h)
{
	const uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = h & 0x7fff;

	if (rest >= 0x7c00) /* infinity, NaN */
		return float_of_bits(sign | 0x7f800000 | (rest & 0x3ff) << 13);
	/* The exponent's bias differs by 112; the product also brings denormals into the normal range. */
	return float_of_bits(sign | bits_of_float(float_of_bits(rest << 13) * 0x1p112f));
}

static inline uint16_t half_of_float(float x)
{
	const uint32_t bits = bits_of_float(x), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;

	if (rest > 0x7f800000)
		return (uint16_t)(sign | 0x7e00);
	if (rest >= 0x477ff000) /* 65520 and above round to infinity */
		return (uint16_t)(sign | 0x7c00);
	if (rest < 0x38800000) /* below 2^-14: the sum's last bit is worth 2^-24 */
		return (uint16_t)(sign | (bits_of_float(float_of_bits(rest) + 0.5f) - bits_of_float(0.5f)));
	return (uint16_t)(sign | (((rest + 0xfff + (rest >> 13 & 1)) >> 13) - (112u << 10)));
}

#endif
