/* SPDX-License-Identifier: Apache-2.0 */
/* SysTick interrupts for the programs that sleep: five of them, then everything stops. */
#ifndef TESTS_EXCEPTIONS_TICKS_H
#define TESTS_EXCEPTIONS_TICKS_H

#include "lib.h"

static volatile u32 ticks;

static void systick(void)
{
	ticks++;
	if (ticks >= 5) {
		SCR = 0;
		SYST_CSR = 0;
	}
}

static void report(const char *name)
{
	print(name);
	print(" ");
	print_hex("ticks", ticks);
	print_hex("pending", ICSR >> 26 & 1);
	line();
}

static void start(u32 load)
{
	SYST_CSR = 0;
	ticks = 0;
	SYST_RVR = load;
	SYST_CVR = 0;
	(void)SYST_CSR;
	SYST_CSR = 7;
}

#endif
