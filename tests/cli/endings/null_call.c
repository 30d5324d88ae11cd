/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a function by a pointer that is null. */
#include "guest.h"

static void (*volatile nobody)(void);

__attribute__((noinline)) static void calls(void)
{
	nobody();
	print("it came back\n");
}

void ending(void)
{
	calls();
	print("it came back\n");
}
