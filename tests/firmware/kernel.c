/* SPDX-License-Identifier: Apache-2.0 */
/* Scheduling that the kernels share; see kernel.h. */
#include "tests/firmware/kernel.h"

struct task kernel_tasks[TASKS], *kernel_current = kernel_tasks;
volatile u32 kernel_ticks, kernel_switches;

void kernel_frame(u32 *frame, void (*body)(u32), u32 argument, u32 return_address)
{
	frame[0] = argument;
	frame[5] = return_address;
	frame[6] = (u32)body & ~1u;
	frame[7] = 1u << 24; /* xPSR.T */
}

void kernel_start(u32 tick_cycles)
{
	SHPR3 = 0xFFFF0000; /* PendSV and SysTick have the lowest priority */
	SYST_RVR = tick_cycles - 1;
	SYST_CVR = 0;
	SYST_CSR = TIMERS_ENABLE_IRQ;
	__asm volatile("svc %0" :: "i"(SVC_START));
}

u32 *kernel_next(u32 *sp)
{
	const u32 index = (u32)(kernel_current - kernel_tasks);

	kernel_current->sp = sp;
	for (u32 i = 1; i <= TASKS; i++)
		if (!kernel_tasks[(index + i) % TASKS].done) {
			kernel_current = &kernel_tasks[(index + i) % TASKS];
			break;
		}
	kernel_switches++;
	return kernel_current->sp;
}

void SysTick_Handler(void)
{
	kernel_ticks++;
	ICSR = ICSR_PENDSVSET;
}

void kernel_serve(u32 *frame)
{
	const uint8_t number = *(uint8_t *)(frame[6] - 2);
	u32 left = 0;

	kernel_current->done |= number == SVC_DONE;
	for (u32 i = 0; i < TASKS; i++)
		left += !kernel_tasks[i].done;
	if (!left) {
		SYST_CSR = 0;
		kernel_finish();
	}
	ICSR = ICSR_PENDSVSET;
}
