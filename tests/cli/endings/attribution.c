/* SPDX-License-Identifier: Apache-2.0 */
/* What TT says of a Secure address that a region of the SAU makes Non-secure: bit 0 Secure, bit 1 from a region of the IDAU. */
#include "guest.h"

#define SAU_CTRL R32(0xe000edd0)
#define SAU_RNR R32(0xe000edd8)
#define SAU_RBAR R32(0xe000eddc)
#define SAU_RLAR R32(0xe000ede0)
enum { ENABLE = 1 };

void ending(void)
{
	uint32_t answer;

	SAU_RNR = 0;
	SAU_RBAR = 0x31000000;
	SAU_RLAR = 0x3100ffe0 | ENABLE;
	SAU_CTRL = ENABLE;
	__asm volatile("dsb\n\tisb\n\ttt %0, %1" : "=r"(answer) : "r"(0x31000000));
	leave(answer >> 22 & 3);
}
