/* SPDX-License-Identifier: Apache-2.0 */
/* Integer helpers of all of npu/: least, largest, quotients rounded up. */
#ifndef NPU_INTEGER_H
#define NPU_INTEGER_H

#include "memory/types.h"

/* The least and the largest of two. */
static inline u32 min_u32(u32 a, u32 b)
{
	return a < b ? a : b;
}

static inline u64 min_u64(u64 a, u64 b)
{
	return a < b ? a : b;
}

static inline u64 max_u64(u64 a, u64 b)
{
	return a > b ? a : b;
}

/* a / b rounded up, b > 0; a + b must fit. */
static inline u64 div_up(u64 a, u64 b)
{
	return (a + b - 1) / b;
}

/* a * b / c, whatever a * b is; c > 0 and the quotient must fit. */
static inline u64 times_over(u64 a, u64 b, u64 c)
{
	__extension__ typedef unsigned __int128 u128;

	return (a | b) >> 32 ? (u64)((u128)a * b / c) : a * b / c;
}

/* The multiple of b at or above a. */
static inline u64 round_up_to(u64 a, u64 b)
{
	return div_up(a, b) * b;
}

#endif
