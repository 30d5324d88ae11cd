/* SPDX-License-Identifier: Apache-2.0 */
/* WFE, SEV, SEVONPEND and SLEEPONEXIT. QEMU's WFE does not sleep and it knows no SLEEPONEXIT, so
 * it is no oracle here. */
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

void scenario(void)
{
	handler[15] = systick;
	__asm volatile("sev\n wfe");
	report("sev wfe");
	start(9999);
	__asm volatile("sev\n wfe\n wfe");
	report("wfe by interrupt");
	__asm volatile("cpsid i");
	SCR = 1 << 4;
	__asm volatile("sev\n wfe\n wfe");
	report("wfe by sevonpend");
	SCR = 0;
	__asm volatile("cpsie i\n isb");
	report("at last");
	start(9999);
	SCR = 2;
	__asm volatile("wfi");
	report("sleep on exit");
}
