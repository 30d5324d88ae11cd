/* SPDX-License-Identifier: Apache-2.0 */
/* Start-up of the test programs as vendors' start-up code does it: vector table, FPU and MVE on, data
 * copied, memory cleared, constructors, main, exit with its result. A handler that a program does not
 * define ends it with 100 plus the exception number. */
#include "tests/firmware/firmware.h"

#include <stdlib.h>
#include <string.h>

extern char data_load[], data_start[], data_end[], bss_start[], bss_end[];
extern u32 stack_top[];

void __libc_init_array(void);
void initialise_monitor_handles(void); /* of the C library's semihosting: opens its streams */
int main(void);
void _init(void);
void _fini(void);
void Reset_Handler(void);
void unexpected(void);

void *__dso_handle; /* what C++ statics belong to */

void _init(void) {}
void _fini(void) {}

void unexpected(void)
{
	semihosting_exit(100 + (MRS(ipsr) & 0x1ff));
}

#define HANDLER(name) void name(void) __attribute__((weak, alias("unexpected")))

HANDLER(NMI_Handler);
HANDLER(HardFault_Handler);
HANDLER(MemManage_Handler);
HANDLER(BusFault_Handler);
HANDLER(UsageFault_Handler);
HANDLER(SecureFault_Handler);
HANDLER(SVC_Handler);
HANDLER(DebugMon_Handler);
HANDLER(PendSV_Handler);
HANDLER(SysTick_Handler);
HANDLER(TIMER0_Handler);
HANDLER(UARTRX0_Handler);
HANDLER(UARTTX0_Handler);

enum { EXCEPTIONS = 16, INTERRUPTS = 64 };

__attribute__((section(".vectors"), used)) static const struct {
	void *stack;
	void (*handler[EXCEPTIONS - 1])(void);
	void (*interrupt[INTERRUPTS])(void);
} vectors = {
	stack_top,
	{ Reset_Handler, NMI_Handler, HardFault_Handler, MemManage_Handler, BusFault_Handler, UsageFault_Handler,
	  SecureFault_Handler, unexpected, unexpected, unexpected, SVC_Handler, DebugMon_Handler, unexpected,
	  PendSV_Handler, SysTick_Handler },
	{ [0 ... IRQ_TIMER0 - 1] = unexpected,
	  [IRQ_TIMER0] = TIMER0_Handler,
	  [IRQ_TIMER0 + 1 ... IRQ_UARTRX0 - 1] = unexpected,
	  [IRQ_UARTRX0] = UARTRX0_Handler,
	  [IRQ_UARTTX0] = UARTTX0_Handler,
	  [IRQ_UARTTX0 + 1 ... INTERRUPTS - 1] = unexpected },
};

__attribute__((used)) static void start(void)
{
	VTOR = (u32)&vectors;
	memcpy(data_start, data_load, (size_t)(data_end - data_start));
	memset(bss_start, 0, (size_t)(bss_end - bss_start));
#ifndef NO_SEMIHOSTING
	initialise_monitor_handles();
#endif
	__libc_init_array();
	exit(main());
}

/* The FPU is on before any C code, which may use its registers. */
__attribute__((naked)) void Reset_Handler(void)
{
	__asm("ldr r0, =stack_top\n msr msp, r0\n"
	      "ldr r0, =0xe000ed88\n ldr r1, [r0]\n orr r1, #0xf00000\n str r1, [r0]\n dsb\n isb\n"
	      "b start\n");
}
