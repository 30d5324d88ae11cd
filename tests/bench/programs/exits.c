/* SPDX-License-Identifier: Apache-2.0 */
/* A page of branches to other pages, more than a decoded page has room for: some of them are kept
 * decoded, the others must do the same. Not a speed test. */
#include "bench.h"

#define ENTRIES 280

/* ENTRIES times: a branch to a function of its own in another page, conditional where the number says so, then
 * what happens when it is not taken. 14 bytes each. */
__asm__(
	".syntax unified\n"
	".altmacro\n"
	".macro entry n\n"
	"1: .if (\\n) % 3 == 0\n"
	"b.w target_\\n\n"
	".elseif (\\n) % 3 == 1\n"
	"movw r3, #\\n\n"
	"cmp r0, r3\n"
	"bhi.w target_\\n\n"
	".else\n"
	"lsls r3, r0, #31\n"
	"bmi.w target_\\n\n"
	".endif\n"
	"adds r0, #3\n"
	"bx lr\n"
	".space 14 - (. - 1b)\n"
	".endm\n"
	".macro target n\n"
	".thumb_func\n"
	"target_\\n:\n"
	"eor r0, r0, r0, lsl #5\n"
	"addw r0, r0, #\\n\n"
	"bx lr\n"
	".endm\n"
	".text\n"
	".balign 4096\n"
	"entries:\n"
	".set i, 0\n"
	".rept 280\n"
	"entry %i\n"
	".set i, i + 1\n"
	".endr\n"
	".balign 4096\n"
	".set i, 0\n"
	".rept 280\n"
	"target %i\n"
	".set i, i + 1\n"
	".endr\n");

extern const char entries[];

unsigned bench(void)
{
	unsigned value = 1;

	for (int round = 0; round < 200; round++)
		for (unsigned i = 0; i < ENTRIES; i++) {
			unsigned (*entry)(unsigned) = (unsigned (*)(unsigned))(entries + 14 * i + 1);
			value = entry(value);
		}
	return value;
}
