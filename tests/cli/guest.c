/* SPDX-License-Identifier: Apache-2.0 */
/* One small bare-metal program per way in which a run can end; ENDING chooses. */
#include "calls.h"

#define UART0_DATA (*(volatile uint32_t *)0x59303000u)
#define UART0_STATE (*(volatile uint32_t *)0x59303004u)
#define UART0_BAUDDIV (*(volatile uint32_t *)0x59303010u)
#define UART0_CTRL (*(volatile uint32_t *)0x59303008u)
#define NVIC_ISER0 (*(volatile uint32_t *)0xe000e100u)
#define SHCSR (*(volatile uint32_t *)0xe000ed24u)
#define SHPR1 (*(volatile uint32_t *)0xe000ed18u)
#define SHPR3 (*(volatile uint32_t *)0xe000ed20u)
#define SYST_CSR (*(volatile uint32_t *)0xe000e010u)
#define SYST_RVR (*(volatile uint32_t *)0xe000e014u)
#define SYST_CVR (*(volatile uint32_t *)0xe000e018u)
#define COUNTFLAG 0x10000u
#define CLK1HZ (*(volatile uint32_t *)0x59302010u)

void Reset_Handler(void);
void ending(void);

static volatile int ticks;

/* SysTick at its longest period, with its interrupt or without. */
__attribute__((unused)) static void start_systick(int interrupt)
{
	SYST_RVR = 0xffffff;
	SYST_CVR = 0;
	SYST_CSR = 5 | (interrupt ? 2 : 0);
}

/* Keeps a frame on the stack, so that a loop around it stores and loads. */
__attribute__((unused, noinline)) static int flag(volatile int *where)
{
	volatile int copy = *where;

	return copy;
}

static void print(const char *text)
{
	UART0_CTRL = 1;
	while (*text)
		UART0_DATA = (uint8_t)*text++;
}

void ending(void)
{
	print("hello\n");
#if defined ENDING_EXIT
	leave(42);
#elif defined ENDING_EOT
	UART0_DATA = 4;
	UART0_DATA = 'X';
	for (;;)
		;
#elif defined ENDING_SPIN
	for (;;)
		;
#elif defined ENDING_POLL
	while (!(*(volatile uint32_t *)0x59300008u & 0x100)) /* a board configuration bit that is never set */
		;
#elif defined ENDING_SPIN_STACK
	static volatile int never;

	while (!flag(&never))
		;
#elif defined ENDING_SPIN_MASKED
	start_systick(1);
	__asm volatile("cpsid i");
	for (;;)
		;
#elif defined ENDING_FAULT_TICKING
	start_systick(1);
	__asm volatile("udf #0");
#elif defined ENDING_FAULT_ABOVE_TICKS || defined ENDING_FAULT_BELOW_TICKS
	SHCSR |= 1u << 17; /* BusFault has its own handler and priority */
#ifdef ENDING_FAULT_ABOVE_TICKS
	SHPR3 = 0xe0000000; /* SysTick */
#else
	SHPR1 = 0x0000e000; /* BusFault */
#endif
	start_systick(1);
	*(volatile uint32_t *)0x5fff0000u = 1;
#elif defined ENDING_WAIT_COUNTFLAG
	start_systick(0);
	for (int i = 0; i < 3; i++)
		while (!(SYST_CSR & COUNTFLAG))
			;
	leave(7);
#elif defined ENDING_WAIT_SECONDS
	while (CLK1HZ < 2)
		;
	leave(8);
#elif defined ENDING_WAIT_TICKS
	start_systick(1);
	while (ticks < 3)
		;
	leave(9);
#elif defined ENDING_CLOCK
	leave(call(CLOCK, 0) >= 100 && call(TIME, 0) >= 1 ? 5 : 6);
#elif defined ENDING_ECHO
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
#elif defined ENDING_SLEEP
	for (;;)
		__asm volatile("wfi");
#elif defined ENDING_LOCKUP
	*(volatile uint32_t *)0xe000ed08u = 0x30000000; /* VTOR: an empty table */
	__asm volatile("dsb\n\tisb\n\tudf #0");
#elif defined ENDING_FAULT
	*(volatile uint32_t *)0x5fff0000u = 1; /* nothing there */
	for (;;)
		;
#elif defined ENDING_COUNT
	for (volatile uint32_t i = 0;; i++)
		;
#elif defined ENDING_ESCAPE
	static const char outside[] = "../escape.txt", inside[] = "inside.txt";
	const uint32_t bad[3] = { (uint32_t)outside, 4, sizeof outside - 1 };
	const uint32_t good[3] = { (uint32_t)inside, 4, sizeof inside - 1 };

	leave(call(OPEN, bad) == -1 && call(OPEN, good) > 0 ? 0 : 1);
#elif defined ENDING_CMDLINE
	static char line[80];
	uint32_t block[2] = { (uint32_t)line, sizeof line };

	call(GET_CMDLINE, block);
	print(line);
	leave(0);
#endif
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
	ending();
	for (;;)
		;
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
	(void *)0x30080000, (void *)Reset_Handler, (void *)fault, (void *)fault, (void *)fault,
	(void *)fault, (void *)fault, (void *)fault, 0, 0, 0, (void *)fault, (void *)fault, 0,
	(void *)fault, (void *)tick,
};
