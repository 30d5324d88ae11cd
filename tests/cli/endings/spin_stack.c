/* SPDX-License-Identifier: Apache-2.0 */
/* Loops with a frame on the stack, which it stores and loads. */
#include "guest.h"

static __attribute__((noinline)) int flag(volatile int *where)
{
	volatile int copy = *where;

	return copy;
}

void ending(void)
{
	static volatile int never;

	while (!flag(&never))
		;
}
