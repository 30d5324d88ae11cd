/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeps with no interrupt to come. */
#include "guest.h"

void ending(void)
{
	for (;;)
		__asm volatile("wfi");
}
