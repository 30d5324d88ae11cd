/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar single and double precision: a polynomial, a recurrence and an integral. */
#include "bench.h"

unsigned bench(void)
{
	float s = 0, x = 0.001f;
	double d = 0, y = 0.5;
	for (int i = 0; i < 2000000; i++) {
		s += x * (1.0f - x * (0.5f - x * (0.25f - x * 0.125f)));
		x = x * 1.0000003f + 0.0000001f;
		if (x > 1.5f)
			x -= 1.25f;
	}
	for (int i = 0; i < 1000000; i++) {
		d += 1.0 / (1.0 + y * y);
		y = y * 0.999 + 0.0007;
	}
	return (unsigned)(int)(s * 16.0f) ^ (unsigned)(long long)(d * 1024.0);
}
