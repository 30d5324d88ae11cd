/* SPDX-License-Identifier: Apache-2.0 */
/* WFE, SEV, SEVONPEND and SLEEPONEXIT. QEMU's WFE does not sleep and it knows no SLEEPONEXIT, so
 * it is no oracle here. */
#include "ticks.h"

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
