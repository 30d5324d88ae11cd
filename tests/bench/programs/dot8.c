/* SPDX-License-Identifier: Apache-2.0 */
/* MVE: int8 dot products with tail-predicated loops, and a small 1x1 convolution over 4 rows. */
#include "bench.h"

#include <arm_mve.h>

#define LENGTH 1000
static int8_t x[LENGTH + 16], w[4][LENGTH + 16];

__attribute__((noinline)) static int dot(const int8_t *p, const int8_t *q, int n)
{
	int32_t sum = 0;
	while (n > 0) {
		mve_pred16_t tail = vctp8q((uint32_t)n);
		sum = vmladavaq_p_s8(sum, vldrbq_z_s8(p, tail), vldrbq_z_s8(q, tail), tail);
		p += 16;
		q += 16;
		n -= 16;
	}
	return sum;
}

__attribute__((noinline)) static void rows(const int8_t *p, int n, int32_t *out)
{
	int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	for (int i = 0; i < n / 16; i++) {
		int8x16_t v = vldrbq_s8(p + 16 * i);
		s0 = vmladavaq_s8(s0, v, vldrbq_s8(w[0] + 16 * i));
		s1 = vmladavaq_s8(s1, v, vldrbq_s8(w[1] + 16 * i));
		s2 = vmladavaq_s8(s2, v, vldrbq_s8(w[2] + 16 * i));
		s3 = vmladavaq_s8(s3, v, vldrbq_s8(w[3] + 16 * i));
	}
	out[0] = s0;
	out[1] = s1;
	out[2] = s2;
	out[3] = s3;
}

unsigned bench(void)
{
	unsigned sum = 0;
	int32_t out[4];
	for (int i = 0; i < LENGTH; i++) {
		x[i] = (int8_t)(i * 7);
		for (int k = 0; k < 4; k++)
			w[k][i] = (int8_t)(i * 13 + k * 5);
	}
	for (int round = 0; round < 30000; round++) {
		sum = sum * 3 + (unsigned)dot(x, w[round & 3], LENGTH - (round & 15));
		rows(x, LENGTH, out);
		sum ^= (unsigned)out[round & 3];
		x[round % LENGTH]++;
	}
	return sum;
}
