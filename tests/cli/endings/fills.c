/* SPDX-License-Identifier: Apache-2.0 */
/* Writes more to a file than the host allows: leaves with the error. */
#include "guest.h"

void ending(void)
{
	const int f = open_file("full", MODE_W);
	uint32_t left = 0;

	for (int i = 0; i < 64 && !left; i++)
		left = (uint32_t)call3(WRITE, (uint32_t)f, 0x10000000u, 0x8000);
	leave(left ? call(ERRNO, 0) : 0);
}
