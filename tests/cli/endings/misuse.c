/* SPDX-License-Identifier: Apache-2.0 */
/* Semihosting operations that do not exist, and one with its parameters outside memory, over and over. */
#include "guest.h"

void ending(void)
{
	for (int i = 0; i < 100; i++) {
		call(0xee, (const void *)0);
		call(WRITE, (const void *)NOTHING_THERE);
		call(0x12345678, (const void *)0);
	}
	leave(0);
}
