/* SPDX-License-Identifier: Apache-2.0 */
/* Weights out of maps: dwords of four channels, two or four weights each, to where a group of 16 channels has them side by side. */
#ifndef NPU_KERNELS_SIDE_BY_SIDE_H
#define NPU_KERNELS_SIDE_BY_SIDE_H

#include <string.h>

#include "npu/kernels/private.h"

typedef i32 npu_dwords __attribute__((vector_size(16)));

#define NPU_PUT_ROW (NPU_GROUP * sizeof(i32)) /* bytes from dword to dword of a channel */
#define NPU_SHUFFLE(a, b, ...) (npu_dwords)__builtin_shufflevector(a, b, __VA_ARGS__)

/* The first dwords of four channels side by side, and so on. */
ALWAYS_INLINE void npu_put_four(npu_dwords a, npu_dwords b, npu_dwords c, npu_dwords d, u8 *to)
{
	const npu_dwords ab = NPU_SHUFFLE(a, b, 0, 4, 1, 5), cd = NPU_SHUFFLE(c, d, 0, 4, 1, 5), ab2 = NPU_SHUFFLE(a, b, 2, 6, 3, 7), cd2 = NPU_SHUFFLE(c, d, 2, 6, 3, 7);
	const npu_dwords first = NPU_SHUFFLE(ab, cd, 0, 1, 4, 5), second = NPU_SHUFFLE(ab, cd, 2, 3, 6, 7);
	const npu_dwords third = NPU_SHUFFLE(ab2, cd2, 0, 1, 4, 5), fourth = NPU_SHUFFLE(ab2, cd2, 2, 3, 6, 7);

	memcpy(to, &first, sizeof(first));
	memcpy(to + NPU_PUT_ROW, &second, sizeof(second));
	memcpy(to + 2 * NPU_PUT_ROW, &third, sizeof(third));
	memcpy(to + 3 * NPU_PUT_ROW, &fourth, sizeof(fourth));
}
#undef NPU_SHUFFLE

/* The first n of 16 bytes at p less zero point as int16, and zeros. */
ALWAYS_INLINE void npu_widen(const u8 *p, bool is_signed, i32 zero_point, u32 n, i16 to[NPU_GROUP])
{
	static const i16 masks[2 * NPU_GROUP] = { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };
	typedef u8 bytes __attribute__((vector_size(16)));
	typedef i16 words __attribute__((vector_size(16)));
	const i16 less = (i16)(zero_point - (is_signed ? 0 : 128));
	words half[2], mask[2];
	bytes from;

	memcpy(&from, p, sizeof(from));
	memcpy(mask, masks + NPU_GROUP - n, sizeof(mask));
	from ^= (u8)(is_signed ? 0 : 128);
	half[0] = (words)__builtin_shufflevector(from, from, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
	half[1] = (words)__builtin_shufflevector(from, from, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15);
	for (unsigned i = 0; i < 2; i++)
		half[i] = ((half[i] >> 8) - less) & mask[i];
	memcpy(to, half, sizeof(half));
}

#endif
