/* SPDX-License-Identifier: Apache-2.0 */
/* Code that is written while it runs: through another alias of its memory, and by an instruction
 * of its own block. Not a speed test: the check value was computed by hand (in Python). */
#include "bench.h"

/* SSE-300 SRAM, Secure and Non-secure alias of the same cells. */
#define HERE 0x11000100u
#define ALIAS 0x01000100u

static void synchronise(void)
{
	__asm__ volatile("dsb\n isb" ::: "memory");
}

unsigned bench(void)
{
	/* strh r2, [r3]; dsb; isb; movs r0, #1 (to be overwritten); bx lr */
	static const unsigned short own_block[] = { 0x801a, 0xf3bf, 0x8f4f, 0xf3bf, 0x8f6f, 0x2001, 0x4770 };
	volatile unsigned short *here = (volatile unsigned short *)HERE;
	volatile unsigned short *alias = (volatile unsigned short *)ALIAS;
	unsigned sum = 0;

	for (unsigned i = 0; i < 1000; i++) {
		volatile unsigned short *to = i & 1 ? here : alias;
		to[0] = (unsigned short)(0x2000 | (i & 255)); /* movs r0, #i */
		to[1] = 0x4770;                               /* bx lr */
		synchronise();
		sum = sum * 3 + ((unsigned (*)(void))(HERE | 1))();
	}
	for (unsigned i = 0; i < 100; i++) {
		for (unsigned k = 0; k < 7; k++)
			here[k] = own_block[k];
		synchronise();
		register unsigned r2 __asm__("r2") = 0x2000 | (i & 127);
		register unsigned r3 __asm__("r3") = HERE + 10;
		register unsigned r0 __asm__("r0");
		__asm__ volatile("blx %1" : "=r"(r0) : "r"(HERE | 1), "r"(r2), "r"(r3) : "lr", "memory", "cc");
		sum = sum * 5 + r0;
	}
	return sum;
}
