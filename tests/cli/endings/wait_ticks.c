/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for what an interrupt handler counts. */
#include "guest.h"

void ending(void)
{
	start_systick(1);
	while (ticks < 3)
		;
	leave(9);
}
