/* SPDX-License-Identifier: Apache-2.0 */
/* Loops with interrupts disabled while a timer runs. */
#include "guest.h"

void ending(void)
{
	start_systick(1);
	__asm volatile("cpsid i");
	for (;;)
		;
}
