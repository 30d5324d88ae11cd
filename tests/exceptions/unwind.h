/* SPDX-License-Identifier: Apache-2.0 */
/* How a random scenario gives up: everything pending and active goes away, whatever state it is in, and the thread
 * begins again on an empty main stack with after_unwind(). Included by one file per program. */
#ifndef TESTS_EXCEPTIONS_UNWIND_H
#define TESTS_EXCEPTIONS_UNWIND_H

#include "lib.h"

void after_unwind(void);
void unwind(void) __attribute__((noreturn));

static u32 unwind_frame[8] __attribute__((aligned(8)));

/* The main stack becomes the frame, and the handler returns by it. */
__attribute__((naked, noreturn, used)) static void leave_by(u32 *frame, u32 exc_return)
{
	__asm("msr msp, r0\n bx r1");
}

__attribute__((naked, used)) static void unwind_landing(void) { __asm("ldr r0, =stack_top\n msr msp, r0\n bl unwind\n .ltorg"); }
__attribute__((naked, used)) static void unwind_begin(void)
{
	__asm("movs r0, #0\n msr control, r0\n isb\n ldr r0, =stack_top\n msr msp, r0\n bl after_unwind\n .ltorg");
}

/* Secure Thread mode goes on with the process stack. */
__attribute__((naked, noinline, unused)) static void start_on_process_stack(void)
{
	__asm("mrs r0, control\n orr r0, #2\n msr control, r0\n isb\n bx lr");
}

static void all_open(void)
{
	NVIC_ICPR = 0xFF;
	ICSR = 1u << 27 | 1u << 25 | 1u << 30;
	NS_ALIAS(ICSR) = 1u << 27 | 1u << 25;
	CPACR = 0xF << 20;
	FPCCR = 0x80000004; /* nothing is deferred */
	NS_ALIAS(FPCCR) = 0x80000000;
	MSR(basepri, 0);
	MSR(basepri_ns, 0);
	MSR(primask, 0);
	MSR(primask_ns, 0);
	MSR(control, MRS(control) & ~12u);
	BARRIER();
}

/* Of the system exceptions only that which runs stays active; of interrupts one more at a time is left: those of
 * Non-secure state become Secure for that. */
void unwind(void)
{
	static const u32 active_bit[16] = { [2] = 1 << 5, [3] = 1 << 2, [4] = 1 << 0, [5] = 1 << 1, [6] = 1 << 3, [7] = 1 << 4,
					    [11] = 1 << 7, [14] = 1 << 10, [15] = 1 << 11 };
	u32 num = MRS(ipsr), others;
	all_open();
	NVIC_ITNS = 0;
	SHCSR = num < 16 ? active_bit[num] : 0;
	NS_ALIAS(SHCSR) = 0;
	AIRCR = 0x05FA0000;
	SHCSR = num < 16 ? active_bit[num] : 0;
	BARRIER();
	if (!num)
		unwind_begin();
	others = NVIC_IABR & ~(num >= 16 ? 1u << (num - 16) : 0);
	for (u32 i = 0; i < 5; i++)
		unwind_frame[i] = 0;
	if (others) {
		u32 irq = (u32)__builtin_ctz(others);
		unwind_frame[6] = (u32)unwind_landing & ~1u;
		unwind_frame[7] = 0x01000000 | (16 + irq);
		leave_by(unwind_frame, 0xFFFFFFF1);
	}
	unwind_frame[6] = (u32)unwind_begin & ~1u;
	unwind_frame[7] = 0x01000000;
	MSR(control, 0);
	leave_by(unwind_frame, 0xFFFFFFF9);
}

#endif
