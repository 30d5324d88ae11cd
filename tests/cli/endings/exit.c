/* SPDX-License-Identifier: Apache-2.0 */
/* Exits through semihosting. */
#include "guest.h"

void ending(void)
{
	leave(42);
}
