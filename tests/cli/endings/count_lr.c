/* SPDX-License-Identifier: Apache-2.0 */
/* Loops for ever, changing memory, with a number in lr. */
#include "guest.h"

void ending(void)
{
	__asm volatile("mov lr, #32" ::: "lr");
	for (volatile uint32_t i = 0;; i++)
		;
}
