/* SPDX-License-Identifier: Apache-2.0 */
/* Asks for a system reset, again after each. */
#include "guest.h"

void ending(void)
{
	R32(0xe000ed0cu) = 0x05fa0004; /* AIRCR: SYSRESETREQ */
}
