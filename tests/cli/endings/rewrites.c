/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a function that it has just written, for ever. */
#include "guest.h"

void ending(void)
{
	volatile uint16_t *code = (volatile uint16_t *)0x10010000u;

	for (uint32_t i = 0;; i++) {
		code[0] = (uint16_t)(0x2000 | (i & 0xff)); /* MOVS R0, #i */
		code[1] = 0x4770;                          /* BX LR */
		((void (*)(void))0x10010001u)();
	}
}
