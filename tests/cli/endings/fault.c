/* SPDX-License-Identifier: Apache-2.0 */
/* Faults with a handler that loops. */
#include "guest.h"

void ending(void)
{
	R32(NOTHING_THERE) = 1;
	for (;;)
		;
}
