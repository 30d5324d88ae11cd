/* SPDX-License-Identifier: Apache-2.0 */
/* Prints its command line. */
#include "guest.h"

void ending(void)
{
	static char line[80];
	uint32_t block[2] = { (uint32_t)line, sizeof line };

	call(GET_CMDLINE, block);
	print(line);
	leave(0);
}
