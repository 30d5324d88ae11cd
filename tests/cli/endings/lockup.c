/* SPDX-License-Identifier: Apache-2.0 */
/* Faults with an empty vector table. */
#include "guest.h"

void ending(void)
{
	VTOR = 0x30000000;
	__asm volatile("dsb\n\tisb\n\tudf #0");
}
