/* SPDX-License-Identifier: Apache-2.0 */
/* Works as many times as the command line says, then prints the cycle counters of DWT and PMU. What is outside the work takes
 * the same cycles for numbers of as many digits. */
#include "guest.h"

enum { DEMCR = 0xe000edfc, DWT_CTRL = 0xe0001000, CYCCNT = 0xe0001004 };
enum { PMU_CCNTR = 0xe000307c, PMU_CNTENSET = 0xe0003c00, PMU_CTRL = 0xe0003e04 };

static const uint32_t table[16] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3 };
static volatile uint32_t kept[16];

static uint32_t number(void)
{
	static char line[80];
	const uint32_t block[2] = { (uint32_t)line, sizeof line };
	uint32_t n = 0;

	call(GET_CMDLINE, block);
	for (const char *c = line; *c; c++)
		n = 10 * n + (uint32_t)*c - '0';
	return n;
}

/* Constants from ITCM, sums of shifted operands, long products, divisions, stores, branches taken and not. */
__attribute__((noinline)) static uint32_t work(uint32_t n)
{
	uint32_t sum = 1;

	for (uint32_t i = 0; i < n; i++) {
		sum += table[sum & 15] + (sum << 3 ^ i >> 2);
		if (sum & 4)
			sum = (uint32_t)((uint64_t)sum * 0x9e3779b97f4a7c15u >> 32) / (i | 1);
		kept[i & 15] = sum;
	}
	return sum;
}

static void print_hex(uint32_t value)
{
	char text[10];

	for (int i = 0; i < 8; i++)
		text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
	text[8] = '\n';
	text[9] = 0;
	print(text);
}

void ending(void)
{
	R32(DEMCR) |= 1u << 24;
	R32(DWT_CTRL) |= 1;
	R32(PMU_CNTENSET) = 1u << 31;
	R32(PMU_CTRL) = 1;
	work(number());
	const uint32_t dwt = R32(CYCCNT), pmu = R32(PMU_CCNTR);
	print_hex(dwt);
	print_hex(pmu);
	leave(0);
}
