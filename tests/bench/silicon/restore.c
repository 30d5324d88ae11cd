/* SPDX-License-Identifier: Apache-2.0 */
/* Transposes each 4 by 4 coefficients of a polynomial: what the vectors of an NTT leave behind becomes ML-DSA's order. */
#include <stdint.h>

enum { SIDE = 4, BLOCK = SIDE * SIDE };

void restore_order(int32_t *polynomial);

void restore_order(int32_t *polynomial)
{
	for (unsigned at = 0; at < 256; at += BLOCK) {
		int32_t old[BLOCK];

		for (unsigned i = 0; i < BLOCK; i++)
			old[i] = polynomial[at + i];
		for (unsigned row = 0; row < SIDE; row++)
			for (unsigned column = 0; column < SIDE; column++)
				polynomial[at + SIDE * row + column] = old[SIDE * column + row];
	}
}
