/* SPDX-License-Identifier: Apache-2.0 */
/* Faults with a handler of its own that is more urgent than the timer. */
#include "guest.h"

void ending(void)
{
	SHCSR |= BUSFAULTENA;
	SHPR3 = 0xe0000000; /* SysTick */
	start_systick(1);
	R32(NOTHING_THERE) = 1;
}
