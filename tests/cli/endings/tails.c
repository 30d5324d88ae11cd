/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that go on to others by tail calls, and calls behind these. */
#include "guest.h"

void first(void), second(void), third(void);
__asm__(".thumb_func\n.type third, %function\nthird: nop\n\tnop\n\tbx lr\n"
	".thumb_func\n.type second, %function\nsecond: nop\n\tb third\n"
	".thumb_func\n.type first, %function\nfirst: nop\n\tb second\n");

__attribute__((noinline)) static void behind(void)
{
	__asm volatile("nop");
}

void ending(void)
{
	for (int i = 0; i < 1000; i++) {
		first();
		behind();
	}
	leave(0);
}
