/* SPDX-License-Identifier: Apache-2.0 */
/* LZ4: text compressed and expanded again. */
#include "lz4.h"
#include "real.h"

#define BYTES 65000

unsigned bench(void)
{
	char *text = malloc(BYTES), *back = malloc(BYTES), *packed = malloc(2 * BYTES);
	unsigned sum = 0;

	real_text(text, BYTES);
	for (int k = 0; k < 60; k++) {
		int size = LZ4_compress_fast(text, packed, BYTES, 2 * BYTES, 1 + k % 4);
		int full = LZ4_decompress_safe(packed, back, size, BYTES);
		sum = real_sum(sum, back, 1000) + (unsigned)size + (unsigned)full;
	}
	return sum + (unsigned)memcmp(text, back, BYTES);
}
