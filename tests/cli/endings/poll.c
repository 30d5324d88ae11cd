/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for a board configuration bit that is never set. */
#include "guest.h"

void ending(void)
{
	while (!(R32(0x59300008u) & 0x100))
		;
}
