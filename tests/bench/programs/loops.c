/* SPDX-License-Identifier: Apache-2.0 */
/* Low-overhead loops: sums, a 32-bit matrix product, byte copies. */
#include "bench.h"

#define DIM 32
static int a[DIM][DIM], b[DIM][DIM], c[DIM][DIM];
static unsigned char from[1024], to[1024];

unsigned bench(void)
{
	unsigned sum = 0;
	for (int i = 0; i < DIM; i++)
		for (int j = 0; j < DIM; j++) {
			a[i][j] = i * 3 + j;
			b[i][j] = i - j * 5;
		}
	for (int round = 0; round < 300; round++) {
		for (int i = 0; i < DIM; i++)
			for (int j = 0; j < DIM; j++) {
				int s = round;
				for (int k = 0; k < DIM; k++)
					s += a[i][k] * b[k][j];
				c[i][j] = s;
			}
		sum += (unsigned)c[round & 31][round >> 3 & 31];
	}
	for (unsigned round = 0; round < 10000; round++) {
		for (unsigned i = 0; i < sizeof(from); i++)
			to[i] = (unsigned char)(from[i] + round);
		from[round & 1023] = to[round * 7 & 1023];
	}
	for (unsigned i = 0; i < sizeof(to); i++)
		sum = sum * 33 + to[i];
	return sum;
}
