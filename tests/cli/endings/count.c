/* SPDX-License-Identifier: Apache-2.0 */
/* Loops for ever, changing memory. */
#include "guest.h"

void ending(void)
{
	for (volatile uint32_t i = 0;; i++)
		;
}
