/* SPDX-License-Identifier: Apache-2.0 */
/* Start, vectors and helpers of the small programs; each says hello and goes to its own ending. */
#include "guest.h"

volatile int ticks;

void Reset_Handler(void);

void start_systick(int interrupt)
{
	SYST_RVR = 0xffffff;
	SYST_CVR = 0;
	SYST_CSR = 5 | (interrupt ? 2 : 0);
}

void print(const char *text)
{
	UART0_CTRL = 1;
	while (*text)
		UART0_DATA = (uint8_t)*text++;
}

static void tick(void)
{
	ticks++;
}

static void fault(void)
{
	for (;;)
		;
}

void Reset_Handler(void)
{
	print("hello\n");
	ending();
	for (;;)
		;
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
	(void *)STACK, (void *)Reset_Handler, (void *)fault, (void *)fault, (void *)fault,
	(void *)fault, (void *)fault, (void *)fault, 0, 0, 0, (void *)fault, (void *)fault, 0,
	(void *)fault, (void *)tick,
};
