/* SPDX-License-Identifier: Apache-2.0 */
/* What the two small kernels have in common: tasks in turn, SysTick that preempts, SVC that yields or ends,
 * PendSV that switches. How a task's registers are kept is the program's own: it defines PendSV_Handler,
 * which calls kernel_next, and SVC_Handler, which starts the first task or goes on to kernel_serve. */
#ifndef TESTS_FIRMWARE_KERNEL_H
#define TESTS_FIRMWARE_KERNEL_H

#include "tests/firmware/firmware.h"

enum { TASKS = 4, BASIC_FRAME = 8 /* words that hardware stacks */ };
enum { SVC_START, SVC_YIELD, SVC_DONE };
#define EXC_RETURN_TASK 0xFFFFFFFDu /* Thread, process stack, basic frame, Secure */

struct task {
	u32 *sp;   /* what PendSV_Handler has pushed below the hardware's frame; first: handlers find it here */
	u32 done;
};

extern struct task kernel_tasks[TASKS], *kernel_current;
extern volatile u32 kernel_ticks, kernel_switches;

/* In the task's own code, which may be all that it may execute. */
__attribute__((always_inline)) static inline void kernel_call_yield(void)
{
	__asm volatile("svc %0" :: "i"(SVC_YIELD) : "memory");
}

__attribute__((always_inline)) static inline void kernel_call_done(void)
{
	__asm volatile("svc %0" :: "i"(SVC_DONE) : "memory");
}

/* The frame at `frame` begins a task: body(argument). */
void kernel_frame(u32 *frame, void (*body)(u32), u32 argument, u32 return_address);

/* Starts the tick and task 0; main is left for good. */
void kernel_start(u32 tick_cycles);

/* For PendSV_Handler: keeps the stack pointer of the task that ran, chooses the next that is not done. */
u32 *kernel_next(u32 *sp);

/* For SVC_Handler: the call whose frame is given. Calls kernel_finish when the last task is done. */
void kernel_serve(u32 *frame);

/* The program's own: prints what came out and exits. The tick is off. */
void kernel_finish(void);

#endif
