/* SPDX-License-Identifier: Apache-2.0 */
/* Drives pins of GPIO0 and GPIO1: for traces of wires. */
#include "guest.h"

#define GPIO(n, offset) R32(0x51100000u + 0x1000u * (n) + (offset))
#define DATAOUT 0x004u
#define OUTENSET 0x010u
#define MASKLOWBYTE 0x400u

void ending(void)
{
	GPIO(0, OUTENSET) = 0x00ff;
	GPIO(0, DATAOUT) = 0xff05; /* only the lower half is driven */
	GPIO(0, MASKLOWBYTE + 4 * 0x0f) = 0x3a;
	GPIO(1, DATAOUT) = 0x8000;
	GPIO(1, OUTENSET) = 0x8000;
	leave(42);
}
