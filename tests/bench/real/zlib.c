/* SPDX-License-Identifier: Apache-2.0 */
/* zlib: text compressed at three levels and expanded again. */
#include "real.h"
#include "zlib.h"

#define BYTES 60000

unsigned bench(void)
{
	char *text = malloc(BYTES), *back = malloc(BYTES);
	unsigned char *packed = malloc(BYTES);
	unsigned sum = 0;

	real_text(text, BYTES);
	for (int level = 1; level <= 9; level += 4)
		for (int k = 0; k < 4; k++) {
			uLongf size = BYTES, full = BYTES;
			sum += (unsigned)compress2(packed, &size, (unsigned char *)text, BYTES, level);
			sum += (unsigned)uncompress((unsigned char *)back, &full, packed, size);
			sum = real_sum(sum, back, full) + (unsigned)size + (unsigned)memcmp(text, back, BYTES);
		}
	return sum;
}
