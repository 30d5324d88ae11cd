/* SPDX-License-Identifier: Apache-2.0 */
/* What the test programs share: registers of the core, interrupts of the boards, the way out. */
#ifndef TESTS_FIRMWARE_FIRMWARE_H
#define TESTS_FIRMWARE_FIRMWARE_H

#include "tests/core_registers.h"

/* Of interrupts 32 n to 32 n + 31. */
#define NVIC_ISER(n) R32(0xE000E100 + 4 * (n))
#define NVIC_ITNS(n) R32(0xE000E380 + 4 * (n))

#define ICSR_PENDSVSET (1u << 28)
#define SHCSR_SECUREFAULTENA (1u << 19)
#define TIMERS_ENABLE_IRQ 7u /* SysTick: processor clock, interrupt, on */

enum { IRQ_TIMER0 = 3, IRQ_UARTRX0 = 33, IRQ_UARTTX0 = 34 };

static inline void semihosting_exit(u32 status)
{
	const volatile u32 block[2] = { 0x20026, status };
	register u32 r0 __asm("r0") = 0x20;
	register const volatile u32 *r1 __asm("r1") = block;

	__asm volatile("bkpt 0xab" :: "r"(r0), "r"(r1) : "memory");
	for (;;)
		;
}

#endif
