/* SPDX-License-Identifier: Apache-2.0 */
/* Sends back three bytes that it receives. */
#include "guest.h"

void ending(void)
{
	UART0_BAUDDIV = 16;
	UART0_CTRL = 3;
	print("echo: ");
	UART0_CTRL = 3;
	for (int i = 0; i < 3; i++) {
		while (!(UART0_STATE & 2))
			;
		UART0_DATA = UART0_DATA;
	}
	UART0_DATA = 4;
}
