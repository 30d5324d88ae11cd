/* SPDX-License-Identifier: Apache-2.0 */
/* What the test programs share: registers of the core, interrupts of the boards, the way out. */
#ifndef TESTS_FIRMWARE_FIRMWARE_H
#define TESTS_FIRMWARE_FIRMWARE_H

#include <stdint.h>

typedef uint32_t u32;

#define R32(addr) (*(volatile u32 *)(addr))
#define SYST_CSR R32(0xE000E010)
#define SYST_RVR R32(0xE000E014)
#define SYST_CVR R32(0xE000E018)
#define NVIC_ISER(n) R32(0xE000E100 + 4 * (n))
#define NVIC_ITNS(n) R32(0xE000E380 + 4 * (n))
#define ICSR R32(0xE000ED04)
#define VTOR R32(0xE000ED08)
#define SHPR3 R32(0xE000ED20)
#define SHCSR R32(0xE000ED24)
#define NSACR R32(0xE000ED8C)
#define SAU_CTRL R32(0xE000EDD0)
#define SAU_RNR R32(0xE000EDD8)
#define SAU_RBAR R32(0xE000EDDC)
#define SAU_RLAR R32(0xE000EDE0)
#define SFSR R32(0xE000EDE4)
#define SFAR R32(0xE000EDE8)
#define VTOR_NS R32(0xE002ED08)

#define ICSR_PENDSVSET (1u << 28)
#define SHCSR_SECUREFAULTENA (1u << 19)
#define TIMERS_ENABLE_IRQ 7u /* SysTick: processor clock, interrupt, on */

enum { IRQ_TIMER0 = 3, IRQ_UARTRX0 = 33, IRQ_UARTTX0 = 34 };

#define MRS(name) ({ u32 v_; __asm volatile("mrs %0, " #name : "=r"(v_)); v_; })
#define MSR(name, value) __asm volatile("msr " #name ", %0" :: "r"(value) : "memory")
#define BARRIER() __asm volatile("dsb\n isb" ::: "memory")

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
