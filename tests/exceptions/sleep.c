/* SPDX-License-Identifier: Apache-2.0 */
/* WFI with SysTick as the only source; its flag and values. */
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
	start(9999);
	__asm volatile("wfi");
	report("wfi");
	while (ticks < 3)
		__asm volatile("wfi");
	report("three");
	__asm volatile("cpsid i");
	__asm volatile("wfi");
	report("masked wfi");
	__asm volatile("cpsie i\n isb");
	report("unmasked");
	SYST_CSR = 0;
	start(9999);
	SYST_CSR = 0;
	print_hex("csr", SYST_CSR & ~(1u << 16));
	SYST_RVR = 0x123;
	SYST_CVR = 5;
	print_hex("rvr", SYST_RVR);
	print_hex("cvr", SYST_CVR);
	SYST_RVR = 99;
	SYST_CSR = 5;
	while (!(SYST_CSR & 1u << 16))
		;
	print_hex("flag cleared", SYST_CSR >> 16 & 1);
	SYST_CSR = 0;
	ICSR = 1 << 26;
	BARRIER();
	report("pended by software");
}
