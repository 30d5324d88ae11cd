/* SPDX-License-Identifier: Apache-2.0 */
/* Bitwise CRC-32 of pseudo-random bytes. */
#include "bench.h"

unsigned bench(void)
{
	unsigned crc = ~0u, x = 1;
	for (int i = 0; i < 3000000; i++) {
		x = x * 1664525 + 1013904223;
		crc ^= x >> 24;
		for (int b = 0; b < 8; b++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return ~crc;
}
