/* SPDX-License-Identifier: Apache-2.0 */
/* Every way to reset the system, one after the other: what a program finds in RESET_SYNDROME and GRETREG afterwards, and what comes before
 * the reset. Memory counts them. No semihosting. */
#include "tests/firmware/firmware.h"

#define UART_DATA R32(UART0)
#define UART_CTRL R32(UART0 + 0x08)
#define UART_BAUDDIV R32(UART0 + 0x10)
#define SYSCTRL(offset) R32(0x58021000 + (offset))
#define RESET_SYNDROME SYSCTRL(0x100)
#define RESET_MASK SYSCTRL(0x104)
#define SWRESET SYSCTRL(0x108)
#define GRETREG SYSCTRL(0x10c)
#define DONE R32(0x38000000) /* no part of the program */
#define COUNTER_CONTROL R32(0x58100000)
#define COUNTER_LOW R32(0x58100008)
#define NS_WATCHDOG 0x48040000
#define S_WATCHDOG 0x58040000
#define WCS(base) R32(base)
#define WOR(base) R32((base) + 0x08)
#define WRR(base) R32((base) + 0x1000)
#define SLOW_WATCHDOG(offset) R32(0x5802e000 + (offset))
#define PENDING (R32(0xE000E200) & 3) /* of the Non-secure watchdog: 1 its reset request, 2 its interrupt */

enum { NS_MAY_RESET = 2, CORE_MAY_RESET = 0x100, REQUEST = 1 << 9, PERIOD = 20000 };

static void print(const char *text)
{
	while (*text)
		UART_DATA = (u32)*text++;
}

static void print_number(const char *name, u32 value)
{
	print(name);
	for (int shift = 12; shift >= 0; shift -= 4)
		UART_DATA = (u32)"0123456789abcdef"[value >> shift & 15];
	print("\n");
}

static void wait_for_reset(void)
{
	for (;;)
		;
}

void NMI_Handler(void)
{
	print("NMI\n");
	wait_for_reset();
}

static void start_watchdog(u32 base)
{
	WOR(base) = PERIOD;
	WCS(base) = 1;
}

static void reset_by_software(void)
{
	const u32 before = COUNTER_LOW;

	for (volatile int i = 0; i < 100; i++)
		;
	print(COUNTER_CONTROL & 1 && COUNTER_LOW != before ? "counter runs\n" : "counter stands\n");
	SWRESET = REQUEST;
	wait_for_reset();
}

static void request_by_core(void)
{
	BARRIER();
	AIRCR = 0x05fa0004;
	BARRIER();
}

static void reset_by_core(void)
{
	request_by_core();
	wait_for_reset();
}

/* The request stays until RESET_MASK lets it through. */
static void reset_by_core_later(void)
{
	RESET_MASK &= ~(u32)CORE_MAY_RESET;
	request_by_core();
	print("no reset\n");
	RESET_MASK |= CORE_MAY_RESET;
	wait_for_reset();
}

static void reset_by_secure_watchdog(void)
{
	start_watchdog(S_WATCHDOG);
	for (int i = 0; i < 4; i++) { /* refreshed in time nothing happens */
		for (volatile int wait = 0; wait < PERIOD / 50; wait++)
			;
		WRR(S_WATCHDOG) = 1;
	}
	print("refreshed\n");
	wait_for_reset();
}

static void reset_by_slow_watchdog(void)
{
	SLOW_WATCHDOG(0xc00) = 0x1acce551;
	SLOW_WATCHDOG(0x00) = 10;
	SLOW_WATCHDOG(0x08) = 3;
	wait_for_reset();
}

void HardFault_Handler(void)
{
	__asm volatile("udf #1");
}

/* Only the watchdog's NMI comes through, and then its reset. */
static void reset_from_lockup(void)
{
	start_watchdog(S_WATCHDOG);
	__asm volatile("udf #0");
	print("not here\n");
}

/* Without its bit in RESET_MASK it only interrupts. */
static void reset_by_non_secure_watchdog(void)
{
	start_watchdog(NS_WATCHDOG);
	while (PENDING != 3)
		;
	print_number("both interrupts, status ", WCS(NS_WATCHDOG));
	WRR(NS_WATCHDOG) = 1;
	print_number("refreshed, status ", WCS(NS_WATCHDOG));
	RESET_MASK |= NS_MAY_RESET;
	wait_for_reset();
}

int main(void)
{
	static void (*const resets[])(void) = {
		reset_by_software, reset_by_core, reset_by_core_later, reset_by_secure_watchdog, reset_from_lockup, reset_by_slow_watchdog, reset_by_non_secure_watchdog,
	};
	const u32 number = DONE, syndrome = RESET_SYNDROME;

	UART_BAUDDIV = 16;
	UART_CTRL = 1;
	print_number("syndrome ", syndrome);
	RESET_SYNDROME = 0;
	print_number("cleared ", RESET_SYNDROME);
	print_number("retained ", GRETREG);
	GRETREG = 0x120 + number;
	DONE = number + 1;
	if (number < sizeof resets / sizeof *resets)
		resets[number]();
	print("end\n\4");
	for (;;)
		__asm volatile("wfi");
}
