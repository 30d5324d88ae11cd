/* SPDX-License-Identifier: Apache-2.0 */
/* Start-up code that clears all of FPSCR clears LTPSIZE as well: the next loop by LE is a fault. */
#include "guest.h"

#define CPACR R32(0xe000ed88)

void ending(void)
{
	CPACR |= 0xf << 20;
	__asm volatile(".fpu fpv5-d16\n\tdsb\n\tisb\n\tvmsr fpscr, %0\n\tdls lr, %1\n1:\tnop\n\tle lr, 1b" ::"r"(0), "r"(3) : "lr");
	leave(0);
}
