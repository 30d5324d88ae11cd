/* SPDX-License-Identifier: Apache-2.0 */
/* A camera's worth of blocks: 250 of a megabyte, 30 a second. */
#include "tests/cli/guest.h"

#define VSI0(offset) R32(0x4ff00000u + (offset))
#define NVIC_ISER7 R32(0xe000e11cu)
#define NVIC_ICPR7 R32(0xe000e29cu)

enum { IRQ_ENABLE = 0, IRQ_CLEAR = 8, TIMER = 0x100, INTERVAL = 0x104, COUNT = 0x108, DMA = 0x200, ADDRESS = 0x204, BLOCK_BYTES = 0x208, BLOCKS = 0x20c, WANTED = 250, LAST = 0x600fffff };

void ending(void)
{
	VSI0(ADDRESS) = 0x60000000;
	VSI0(BLOCK_BYTES) = 1 << 20;
	VSI0(BLOCKS) = 1;
	VSI0(DMA) = 1;
	VSI0(INTERVAL) = 33333;
	VSI0(IRQ_ENABLE) = 1;
	__asm volatile("cpsid i");
	NVIC_ISER7 = 1;
	VSI0(TIMER) = 15; /* run, periodic, interrupt, DMA */
	while (VSI0(COUNT) < WANTED) {
		__asm volatile("wfi");
		VSI0(IRQ_CLEAR) = 1;
		NVIC_ICPR7 = 1;
	}
	leave(*(volatile uint8_t *)LAST);
}
