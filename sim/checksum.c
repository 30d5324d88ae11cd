/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/checksum.h"

#include <string.h>

static u64 mix(u64 sum, u64 word)
{
	sum ^= word;
	return (sum << 27 | sum >> 37) * UINT64_C(1099511628211);
}

/* Four sums of every fourth word, so that a step need not wait for the one before; then the rest and the four. Each step can be undone. */
u64 checksum(u64 sum, const void *from, size_t size)
{
	const u8 *bytes = from;
	u64 lane[4] = { 1, 2, 3, 4 };
	size_t i = 0;

	sum = mix(sum, size);
	for (u64 words[4]; i + sizeof words <= size; i += sizeof words) {
		memcpy(words, bytes + i, sizeof words);
		for (unsigned k = 0; k < ARRAY_LEN(lane); k++)
			lane[k] = mix(lane[k], words[k]);
	}
	for (; i < size; i++)
		sum = mix(sum, bytes[i]);
	for (unsigned k = 0; k < ARRAY_LEN(lane); k++)
		sum = mix(sum, lane[k]);
	return sum;
}
