/* SPDX-License-Identifier: Apache-2.0 */
/* Loops. */
#include "guest.h"

void ending(void)
{
	for (;;)
		;
}
