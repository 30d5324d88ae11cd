/* SPDX-License-Identifier: Apache-2.0 */
/* Channel 0 of the DMA-350 copies 256 MiB for ever, channel 1 nothing at all, for ever. */
#include "guest.h"

enum { CTRL = 0x0c, SRCADDR = 0x10, DESADDR = 0x18, XSIZE = 0x20, XSIZEHI = 0x24, XADDRINC = 0x30, AUTOCFG = 0x74 };
#define CHANNEL(n, offset) R32(DMA350 + 0x1000 + 0x100 * (n) + (offset))

static void start(unsigned channel, unsigned elements)
{
	CHANNEL(channel, CTRL) = 0x00200203; /* eight bytes each, one line, status at the end of each command */
	CHANNEL(channel, SRCADDR) = 0x60000000;
	CHANNEL(channel, DESADDR) = 0x70000000;
	CHANNEL(channel, XSIZE) = (elements & 0xffff) * 0x10001;
	CHANNEL(channel, XSIZEHI) = (elements >> 16) * 0x10001;
	CHANNEL(channel, XADDRINC) = 0x10001;
	CHANNEL(channel, AUTOCFG) = 1 << 16; /* restarts without end */
	CHANNEL(channel, 0) = 1;
}

void ending(void)
{
	start(0, 0x02000000);
	start(1, 0);
	for (;;)
		__asm volatile("wfi");
}
