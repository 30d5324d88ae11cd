/* SPDX-License-Identifier: Apache-2.0 */
/* Words and halfwords at odd addresses, as packed records and copies have them, also where a 4 KiB boundary cuts
 * one. */
#include "bench.h"

#define RECORDS 1600
struct __attribute__((packed)) record { unsigned char kind; unsigned word; unsigned short half; short sum; };
static struct record record[RECORDS] __attribute__((aligned(4096)));

unsigned bench(void)
{
	unsigned sum = 0;

	for (unsigned round = 0; round < 1000; round++) {
		__asm__ volatile("" ::: "memory"); /* or the compiler exchanges the loops and keeps a record in registers */
		for (unsigned i = 0; i < RECORDS; i++) {
			struct record *r = &record[i];
			r->word = r->word * 5 + i + round;
			r->half = (unsigned short)(r->half + (r->word >> 7));
			r->sum = (short)(r->sum - r->half);
			r->kind ^= (unsigned char)r->sum;
			sum += r->word ^ (unsigned)r->sum;
		}
	}
	for (unsigned i = 0; i < sizeof(record); i++)
		sum = sum * 31 + ((const unsigned char *)record)[i];
	return sum;
}
