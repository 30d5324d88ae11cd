/* SPDX-License-Identifier: Apache-2.0 */
/* WFI with SysTick as the only source; its flag and values. */
#include "ticks.h"

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
