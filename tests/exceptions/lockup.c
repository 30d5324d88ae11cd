/* SPDX-License-Identifier: Apache-2.0 */
/* A fault inside the HardFault handler: the core locks up. */
#include "lib.h"

static void again(void)
{
	print("in HardFault\n");
	(void)*(reg *)0x5F000000;
	print("never\n");
}

void scenario(void)
{
	handler[3] = again;
	__asm volatile("udf 7");
}
