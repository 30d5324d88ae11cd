/* SPDX-License-Identifier: Apache-2.0 */
/* An inverse NTT of ML-DSA whose factor, 2^56 modulo q, is multiplied in C, by Montgomery's reduction, as the measured one was. */
#include <stdint.h>

enum { Q = 8380417, Q_INVERSE = 58728449, FACTOR = 41978 };

void intt_plain(int32_t *polynomial);
void intt_scaled(int32_t *polynomial);

static int32_t reduce(int64_t a)
{
	const int32_t t = (int32_t)((uint32_t)a * Q_INVERSE);

	return (int32_t)((a - (int64_t)t * Q) >> 32);
}

void intt_scaled(int32_t *polynomial)
{
	intt_plain(polynomial);
	for (unsigned i = 0; i < 256; i++)
		polynomial[i] = reduce((int64_t)polynomial[i] * FACTOR);
}
