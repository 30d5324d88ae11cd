/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of a stream and 16-bit lanes, for the fast weight decoder (weights/decode.c). */
#ifndef NPU_KERNELS_WEIGHTS_BITS_H
#define NPU_KERNELS_WEIGHTS_BITS_H

#include <string.h>

#include "npu/integer.h"

#if defined(WEIGHTS_BMI2)
#include "npu/kernels/intrinsics.h"
#endif

/* 8 bytes as a little-endian number. */
static inline u64 load_le64(const u8 *p)
{
	u64 v;
	memcpy(&v, p, sizeof(v));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

/* At least 57 bits from `pos`. */
static inline u64 window(const u8 *data, u64 pos)
{
	return load_le64(data + (pos >> 3)) >> (pos & 7);
}

/* All 64 bits from `pos`. */
static inline u64 wide_window(const u8 *data, u64 pos)
{
	const u8 *p = data + (pos >> 3);
	unsigned s = pos & 7;
	return load_le64(p) >> s | (u64)p[8] << 1 << (63 - s);
}

/* The lowest n bits of v. */
static inline u64 low_bits(u64 v, unsigned n)
{
	return n >= 64 ? v : v & ((UINT64_C(1) << n) - 1);
}

/* Four 16-bit lanes to four elements, the lowest lane first, and back. */
static inline void store_lanes(u16 *to, u64 lanes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	for (unsigned i = 0; i < 4; i++)
		to[i] = (u16)(lanes >> (16 * i));
#else
	memcpy(to, &lanes, sizeof(lanes));
#endif
}

static inline u64 load_lanes(const u16 *from)
{
	u64 lanes;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	lanes = 0;
	for (unsigned i = 0; i < 4; i++)
		lanes |= (u64)from[i] << (16 * i);
#else
	memcpy(&lanes, from, sizeof(lanes));
#endif
	return lanes;
}

/* Constants that spread four fields of `width` bits (0..9) to 16-bit lanes. */
struct spread {
	u64 half[2], lane[2]; /* masks: low and high of a pair */
	unsigned shift0, shift1, width;
};

/* The constants of a width. */
static struct spread spread_of(unsigned width)
{
	u64 one = (UINT64_C(1) << width) - 1, two = (UINT64_C(1) << (2 * width)) - 1;
	return (struct spread) {
		.half = { two, two << 32 },
		.lane = { one | one << 32, one << 16 | one << 48 },
		.shift0 = 32 - 2 * width,
		.shift1 = 16 - width,
		.width = width,
	};
}

/* Four fields that lie side by side from bit 0 on, each in its lane. */
static inline u64 spread(u64 fields, const struct spread *s)
{
#if defined(WEIGHTS_BMI2)
	return _pdep_u64(fields, s->lane[0] | s->lane[1]);
#else
	u64 v = (fields & s->half[0]) | (fields << s->shift0 & s->half[1]);
	return (v & s->lane[0]) | (v << s->shift1 & s->lane[1]);
#endif
}

/* Bits set in the low four bits of v, without a table or an instruction for it. */
static inline unsigned ones4(u64 v)
{
#if defined(WEIGHTS_BMI2)
	return (unsigned)__builtin_popcountll(v & 15);
#else
	return UINT64_C(0x4332322132212110) >> (4 * (v & 15)) & 15;
#endif
}

#endif
