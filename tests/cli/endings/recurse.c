/* SPDX-License-Identifier: Apache-2.0 */
/* Calls itself until the stack runs off the memory. */
#include "guest.h"

void ending(void)
{
	__asm volatile("1: push {r0, lr}\n\tbl 1b");
}
