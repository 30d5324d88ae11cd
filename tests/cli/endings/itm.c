/* SPDX-License-Identifier: Apache-2.0 */
/* Text through the ITM, sent as CMSIS does: only while the port is enabled, then bytes and a whole word. */
#include "guest.h"

#define ITM_PORT(n) R32(0xe0000000u + 4 * (n))
#define ITM_TER R32(0xe0000e00u)
#define ITM_TCR R32(0xe0000e80u)
#define DEMCR R32(0xe000edfcu)

static void send(char c)
{
	if (!(ITM_TCR & 1) || !(ITM_TER & 1))
		return;
	while (ITM_PORT(0) == 0)
		;
	*(volatile uint8_t *)0xe0000000u = (uint8_t)c;
}

static void send_text(const char *text)
{
	while (*text)
		send(*text++);
}

void ending(void)
{
	ITM_PORT(0) = '1'; /* disabled: dropped */
	DEMCR |= 1u << 24;
	ITM_TCR = 1;
	send_text("neither");
	ITM_TER = 3;
	send_text("trace: ");
	ITM_PORT(0) = 0x0a726f77; /* "wor\n" */
	ITM_PORT(1) = 'X';
	leave(ITM_PORT(0) == 1 && ITM_PORT(2) == 3 ? 0 : 1);
}
