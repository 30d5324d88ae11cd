/* SPDX-License-Identifier: Apache-2.0 */
/* bzip2: text compressed and expanded again. */
#include "bzlib.h"
#include "real.h"

#define BYTES 40000

void bz_internal_error(int error) { (void)error; }

unsigned bench(void)
{
	char *text = malloc(BYTES), *back = malloc(BYTES), *packed = malloc(BYTES);
	unsigned sum = 0;

	real_text(text, BYTES);
	for (int k = 0; k < 3; k++) {
		unsigned size = BYTES, full = BYTES;
		sum += (unsigned)BZ2_bzBuffToBuffCompress(packed, &size, text, BYTES, 1, 0, 30);
		sum += (unsigned)BZ2_bzBuffToBuffDecompress(back, &full, packed, size, 0, 0);
		sum = real_sum(sum, back, full) + size + (unsigned)memcmp(text, back, BYTES);
	}
	return sum;
}
