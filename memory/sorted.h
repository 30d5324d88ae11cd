/* SPDX-License-Identifier: Apache-2.0 */
/* Search in tables in rising order: address ranges, registers, functions. */
#ifndef MEMORY_SORTED_H
#define MEMORY_SORTED_H

#include "memory/types.h"

/* Index of the first of `n` entries whose key is above `key`, n when none is; so the entry before it, if there is
 * one, is the last that begins at or below `key`. `first`: the first entry's key; `step`: bytes from entry to entry. */
static inline unsigned sorted_above(const u32 *first, size_t step, unsigned n, u32 key)
{
	unsigned low = 0, high = n;

	while (low < high) {
		const unsigned middle = (low + high) / 2;
		const u32 *at = (const void *)((const u8 *)first + middle * step);

		if (*at <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
