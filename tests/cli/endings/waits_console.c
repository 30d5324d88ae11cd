/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the console, where nothing comes. */
#include "guest.h"

void ending(void)
{
	static char buffer[8];
	const int tt = open_file(":tt", MODE_R);

	leave(10 + call3(READ, (uint32_t)tt, (uint32_t)buffer, sizeof buffer));
}
