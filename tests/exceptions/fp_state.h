/* SPDX-License-Identifier: Apache-2.0 */
/* The FP context as a scenario prints it, and all single-precision registers at once, to see which have survived.
 * Included by one file per program. */
#ifndef TESTS_EXCEPTIONS_FP_STATE_H
#define TESTS_EXCEPTIONS_FP_STATE_H

#include "lib.h"

enum { BANK_REGISTERS = 32 };
MAYBE_UNUSED static u32 bank[BANK_REGISTERS];

/* S0 = base, S1 = base + 1 and so on. */
MAYBE_UNUSED static void bank_fill(u32 base)
{
	for (u32 i = 0; i < BANK_REGISTERS; i++)
		bank[i] = base + i;
	__asm volatile("vldmia %0, {s0-s31}" :: "r"(bank) : "memory");
}

/* A number that depends on each of them and on their order. */
MAYBE_UNUSED static u32 bank_sum(void)
{
	u32 total = 0;
	__asm volatile("vstmia %0, {s0-s31}" :: "r"(bank) : "memory");
	for (u32 i = 0; i < BANK_REGISTERS; i++)
		total = total * 3 + bank[i];
	return total;
}

static void fp_state(const char *when)
{
	print("  ");
	print(when);
	print(" ");
	print_hex("control", MRS(control));
	print_hex("fpccr", FPCCR);
	print_hex("ns", NS_ALIAS(FPCCR));
	print_hex("fpcar", FPCAR);
	line();
}

#endif
