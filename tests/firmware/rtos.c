/* SPDX-License-Identifier: Apache-2.0 */
/* A small preemptive kernel, built like the real ones: SysTick preempts, SVC blocks, PendSV switches
 * process stacks with their limits, and of the floating-point state only what lazy stacking has not
 * taken care of. Three tasks keep their own values in all registers that a switch could spoil, two of
 * them in vector registers; one counts with integers alone, so that frames of both kinds alternate. */
#include "tests/firmware/kernel.h"

#include <arm_mve.h>
#include <stdio.h>
#include <stdlib.h>

enum { STACK_WORDS = 512, ROUNDS = 300, TICK_CYCLES = 4000 };
enum { SAVED = 10 /* words: psplim, EXC_RETURN, r4-r11; below them s16-s31 when used */ };

static u32 stacks[TASKS][STACK_WORDS] __attribute__((aligned(8)));
static volatile u32 rounds[TASKS], errors;

static void task_end(void)
{
	kernel_call_done();
	for (;;)
		;
}

static void check(int good)
{
	if (!good)
		errors++;
}

/* s0-s31, FPSCR and the general registers hold `seed` over a time in which others run. */
static void keep_float(u32 seed)
{
	for (u32 i = 0; i < ROUNDS; i++) {
		u32 bad = 0;

		__asm volatile("vdup.32 q0, %1\n vdup.32 q1, %1\n vdup.32 q2, %1\n vdup.32 q3, %1\n"
			       "vdup.32 q4, %1\n vdup.32 q5, %1\n vdup.32 q6, %1\n vdup.32 q7, %1\n"
			       "mov r4, %1\n mov r9, %1\n mov r11, %1\n mov r12, #200\n"
			       "1: subs r12, #1\n bne 1b\n"
			       "vmov r12, s0\n eor r12, %1\n orr %0, r12\n vmov r12, s15\n eor r12, %1\n orr %0, r12\n"
			       "vmov r12, s16\n eor r12, %1\n orr %0, r12\n vmov r12, s31\n eor r12, %1\n orr %0, r12\n"
			       "eor r4, %1\n orr %0, r4\n eor r9, %1\n orr %0, r9\n eor r11, %1\n orr %0, r11\n"
			       : "+r"(bad) : "r"(seed + i) : "r4", "r9", "r11", "r12", "cc", "memory", "q0", "q1", "q2", "q3",
				 "q4", "q5", "q6", "q7");
		check(!bad);
		rounds[kernel_current - kernel_tasks]++;
		if (i % 8 == 0)
			kernel_call_yield();
	}
}

/* Predication and loop counters of a vector loop survive, too: the sum would show it. */
static void keep_vectors(u32 seed)
{
	static int32_t numbers[3][150];
	int32_t *const mine = numbers[seed % 3];

	for (int i = 0; i < 150; i++)
		mine[i] = (int32_t)(seed + (u32)i);
	for (u32 round = 0; round < ROUNDS; round++) {
		int32_t sum = 0, left = 147;

		for (const int32_t *p = mine; left > 0; p += 4, left -= 4)
			sum = vaddvaq_p_s32(sum, vldrwq_z_s32(p, vctp32q((u32)left)), vctp32q((u32)left));
		check(sum == (int32_t)(147 * seed + 147 * 146 / 2));
		rounds[kernel_current - kernel_tasks]++;
	}
}

static void count(u32 seed)
{
	u32 state = seed;

	for (u32 i = 0; i < ROUNDS; i++) {
		for (int k = 0; k < 50; k++)
			state = state * 1664525 + 1013904223;
		rounds[kernel_current - kernel_tasks]++;
	}
	for (u32 i = 0; i < ROUNDS * 50; i++) /* and back: 4276115653 is the inverse of 1664525 */
		state = (state - 1013904223) * 4276115653u;
	check(state == seed);
}

static void task_create(u32 index, void (*body)(u32), u32 argument)
{
	u32 *sp = stacks[index] + STACK_WORDS - BASIC_FRAME;

	kernel_frame(sp, body, argument, (u32)task_end);
	sp -= SAVED;
	sp[0] = (u32)stacks[index];
	sp[1] = EXC_RETURN_TASK;
	kernel_tasks[index].sp = sp;
}

__attribute__((naked)) void PendSV_Handler(void)
{
	__asm("mrs r0, psp\n"
	      "tst lr, #0x10\n it eq\n vstmdbeq r0!, {s16-s31}\n"
	      "mrs r2, psplim\n mov r3, lr\n stmdb r0!, {r2-r11}\n"
	      "bl kernel_next\n"
	      "ldmia r0!, {r2-r11}\n mov lr, r3\n msr psplim, r2\n"
	      "tst lr, #0x10\n it eq\n vldmiaeq r0!, {s16-s31}\n"
	      "msr psp, r0\n bx lr\n");
}

void kernel_finish(void)
{
	u32 sum = 0;

	for (u32 i = 0; i < TASKS; i++)
		sum += rounds[i];
	printf("rounds %lu, errors %lu, %s\n", (unsigned long)sum, (unsigned long)errors,
	       kernel_ticks > 20 && kernel_switches > kernel_ticks ? "preempted and yielded" : "too few switches");
	exit(errors != 0);
}

/* The first one starts the first task: main is left for good. */
__attribute__((naked)) void SVC_Handler(void)
{
	__asm("tst lr, #4\n bne 1f\n"
	      "ldr r0, =kernel_current\n ldr r0, [r0]\n ldr r0, [r0]\n"
	      "ldmia r0!, {r2-r11}\n msr psplim, r2\n msr psp, r0\n mov lr, r3\n bx lr\n"
	      "1: mrs r0, psp\n b kernel_serve\n");
}

int main(void)
{
	static void (*const bodies[TASKS])(u32) = { keep_float, keep_vectors, count, keep_float };

	for (u32 i = 0; i < TASKS; i++)
		task_create(i, bodies[i], 0x01010101 * (i + 1));
	kernel_start(TICK_CYCLES);
	return 1;
}
