/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves with 1 when the clocks show the 28th of February 2027, a second before midnight. */
#include "guest.h"

void ending(void)
{
	leave(call(TIME, 0) == 1803859199 && R32(0x5930b000u) == 1803859199u);
}
