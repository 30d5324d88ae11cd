/* SPDX-License-Identifier: Apache-2.0 */
/* Faults in assembler code of which neither size nor frame is known, behind a call from C. */
#include "guest.h"

void stores(uint32_t addr);
__asm__(".thumb_func\nstores: push {r0, r1, r2, r3}\n\tstr r0, [r0]\n\tadd sp, #16\n\tbx lr");

void ending(void)
{
	stores(NOTHING_THERE);
	print("it came back\n");
}
