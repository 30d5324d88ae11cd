/* SPDX-License-Identifier: Apache-2.0 */
/* Works for some looks at what goes on, then loops for ever, some hundred instructions at a time. */
#include "guest.h"

void ending(void)
{
	for (volatile uint32_t i = 0; i < 5500000; i++)
		;
	for (;;)
		__asm__ volatile(".rept 300\n nop\n .endr");
}
