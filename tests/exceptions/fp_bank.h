/* SPDX-License-Identifier: Apache-2.0 */
/* All single-precision registers at once, to see which have survived. Included by one file per program. */
#ifndef TESTS_EXCEPTIONS_FP_BANK_H
#define TESTS_EXCEPTIONS_FP_BANK_H

#include "lib.h"

enum { BANK_REGISTERS = 32 };
static u32 bank[BANK_REGISTERS];

/* S0 = base, S1 = base + 1 and so on. */
static void bank_fill(u32 base)
{
	for (u32 i = 0; i < BANK_REGISTERS; i++)
		bank[i] = base + i;
	__asm volatile("vldmia %0, {s0-s31}" :: "r"(bank) : "memory");
}

/* A number that depends on each of them and on their order. */
static u32 bank_sum(void)
{
	u32 total = 0;
	__asm volatile("vstmia %0, {s0-s31}" :: "r"(bank) : "memory");
	for (u32 i = 0; i < BANK_REGISTERS; i++)
		total = total * 3 + bank[i];
	return total;
}

#endif
