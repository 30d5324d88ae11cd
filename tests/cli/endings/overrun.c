/* SPDX-License-Identifier: Apache-2.0 */
/* Reads three bytes of input, long after they could have come: each, and whether some were lost. */
#include "guest.h"

enum { RX_FULL = 2, RX_OVERRUN = 8, ENABLE_BOTH = 3 };

static void wait(void)
{
	for (volatile int i = 0; i < 2000; i++)
		;
}

void ending(void)
{
	char text[] = "      end\n"; /* printing disables the receiver */

	UART0_BAUDDIV = 16;
	UART0_CTRL = ENABLE_BOTH;
	for (int i = 0; i < 3; i++) {
		wait();
		if (!(UART0_STATE & RX_FULL))
			break;
		text[2 * i + 1] = UART0_STATE & RX_OVERRUN ? '!' : ' ';
		text[2 * i] = (char)UART0_DATA;
		UART0_STATE = RX_OVERRUN;
	}
	print(text);
	leave(0);
}
