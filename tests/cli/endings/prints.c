/* SPDX-License-Identifier: Apache-2.0 */
/* Prints through semihosting for ever. */
#include "guest.h"

void ending(void)
{
	for (;;)
		call(WRITE0, "the same line again\n");
}
