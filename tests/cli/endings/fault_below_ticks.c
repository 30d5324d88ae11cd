/* SPDX-License-Identifier: Apache-2.0 */
/* Faults with a handler of its own that the timer preempts. */
#include "guest.h"

void ending(void)
{
	SHCSR |= BUSFAULTENA;
	SHPR1 = 0x0000e000; /* BusFault */
	start_systick(1);
	R32(NOTHING_THERE) = 1;
}
