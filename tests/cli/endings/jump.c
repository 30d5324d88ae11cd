/* SPDX-License-Identifier: Apache-2.0 */
/* Jumps to where nothing may be executed. */
#include "guest.h"

void ending(void)
{
	((void (*)(void))0xf0000001u)();
}
