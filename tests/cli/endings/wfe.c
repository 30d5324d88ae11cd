/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for an event that never comes. */
#include "guest.h"

void ending(void)
{
	for (;;)
		__asm volatile("wfe");
}
