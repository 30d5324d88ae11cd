/* SPDX-License-Identifier: Apache-2.0 */
/* A fault's handler that goes on behind the instruction, or in another function: more often than stacks of an operating system's
 * threads are kept. */
#include "guest.h"

enum { SKIPS = 100 };

void other(void), skip(void);
__asm__(".thumb_func\n.type other, %function\nother: nop\n\tbx lr\n.size other, . - other\n"
	".thumb_func\n.type skip, %function\nskip: ldr r0, [sp, #24]\n\tldrh r1, [r0]\n\tadds r0, #2\n\tlsls r1, r1, #31\n\tbpl 1f\n"
	"\tldr r0, =other\n1:\tstr r0, [sp, #24]\n\tbx lr\n.ltorg\n.size skip, . - skip\n");

static void (*table[4])(void) __attribute__((aligned(128)));

/* In assembler code: their instructions are counted. */
void stumble(void), turn(void);
__asm__(".thumb_func\n.type stumble, %function\nstumble: nop\n\tudf #0\n\tnop\n\tbx lr\n.size stumble, . - stumble\n"
	".thumb_func\n.type turn, %function\nturn: nop\n\tudf #1\n\tnop\n\tbx lr\n.size turn, . - turn\n");

void ending(void)
{
	table[3] = skip;
	VTOR = (uint32_t)table;
	for (int i = 0; i < SKIPS; i++) {
		stumble();
		turn();
	}
	leave(0);
}
