/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel that protects its tasks from each other: they run unprivileged, see their code, their stack and
 * their data through MPU regions that neither begin nor end with a page, and PendSV rewrites four regions at
 * every switch, as FreeRTOS-MPU and Zephyr do. Besides computing on its stack each task tries now and then
 * what it must not do; the kernel counts the faults and skips the instruction. */
#include "tests/firmware/kernel.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef ROUNDS
#define ROUNDS 60
#endif
enum { STACK_WORDS = 264, NUMBERS = 24, TICK_CYCLES = 3000, FAULTS_A_ROUND = 4 };
enum { SAVED = 10 /* words: CONTROL, EXC_RETURN, r4-r11 */ };

#define MPU_REGION ((volatile u32 *)0xE000ED9C) /* RBAR, RLAR of four regions */
#define CFSR R32(0xE000ED28)
#define SHCSR_MEMFAULTENA (1u << 16)
enum { CONTROL_UNPRIVILEGED_PSP = 3 };
enum { READ_WRITE = 1 << 1, READ_ONLY = 3 << 1, NEVER = 1, ENABLE = 1 };

#define TASK_CODE __attribute__((section("task_code"), noinline))
extern char __start_task_code[], __stop_task_code[];

/* What a task owns beside its stack; three of these share a page with other things. */
struct own {
	u32 numbers[NUMBERS];
	u32 sum, index, spare[6];
};

static struct own owns[TASKS] __attribute__((aligned(32)));
static u32 stacks[TASKS][STACK_WORDS] __attribute__((aligned(32)));
static u32 shared[8] __attribute__((aligned(32)));
static u32 regions[TASKS][8]; /* RBAR, RLAR of the four that are a task's own */
static volatile u32 faults[TASKS], first_fault;

TASK_CODE static u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

TASK_CODE static void sort(u32 *a, u32 n)
{
	for (u32 i = 1; i < n; i++) {
		u32 x = a[i], j = i;

		for (; j && a[j - 1] > x; j--)
			a[j] = a[j - 1];
		a[j] = x;
	}
}

/* Each line is one MemManage fault: another task's data, the kernel's, its own code, a call to the kernel
 * (whose frame returns to behind the call). */
TASK_CODE static void misbehave(struct own *other, u32 kernel)
{
	__asm volatile("ldr.w r2, [%0]\n str.w r2, [%1]\n str.w r2, [%2]\n blx %3\n"
		       :: "r"(other), "r"(&kernel_current), "r"(&__start_task_code[0]), "r"(kernel) : "r2", "lr", "memory");
}

__attribute__((noinline)) static void kernel_only(void) { __asm volatile("nop"); }

TASK_CODE static void body(u32 index)
{
	struct own *mine = &owns[index];

	for (u32 round = 0; round < ROUNDS; round++) {
		u32 local[NUMBERS], seed = index + round;

		for (u32 i = 0; i < NUMBERS; i++)
			local[i] = mine->numbers[i] = seed = seed * 1664525 + 1013904223;
		sort(local, NUMBERS);
		sort(mine->numbers, NUMBERS);
		for (u32 i = 0; i < NUMBERS; i++)
			mine->sum += local[i] == mine->numbers[i] && (!i || local[i] >= local[i - 1]);
		mine->sum += fibonacci(9);
		shared[index]++;
		if (round % 16 == 0)
			misbehave(&owns[(index + 1) % TASKS], (u32)kernel_only);
		kernel_call_yield();
	}
	kernel_call_done();
}

static void region(u32 *pair, const void *first, const void *last, u32 access)
{
	pair[0] = (u32)first | access;
	pair[1] = (((u32)last - 1) & ~31u) | ENABLE;
}

static void task_create(u32 index)
{
	u32 *sp = stacks[index] + STACK_WORDS - BASIC_FRAME;

	kernel_frame(sp, body, index, 0); /* does not return */
	sp -= SAVED;
	sp[0] = CONTROL_UNPRIVILEGED_PSP;
	sp[1] = EXC_RETURN_TASK;
	kernel_tasks[index].sp = sp;
	region(regions[index], stacks[index], stacks[index] + STACK_WORDS, READ_WRITE | NEVER);
	region(regions[index] + 2, &owns[index], &owns[index + 1], READ_WRITE | NEVER);
	region(regions[index] + 4, shared, shared + 8, READ_WRITE | NEVER);
}

static void load_regions(const u32 *pairs)
{
	MPU_CTRL = 0;
	__asm volatile("dmb" ::: "memory");
	MPU_RNR = 4;
	for (u32 i = 0; i < 8; i++)
		MPU_REGION[i] = pairs[i];
	MPU_CTRL = 5; /* background map for the kernel */
	BARRIER();
}

__attribute__((used)) static u32 *next_task(u32 *sp)
{
	sp = kernel_next(sp);
	load_regions(regions[kernel_current - kernel_tasks]);
	return sp;
}

__attribute__((naked)) void PendSV_Handler(void)
{
	__asm("mrs r0, psp\n"
	      "mrs r2, control\n mov r3, lr\n stmdb r0!, {r2-r11}\n"
	      "bl next_task\n"
	      "ldmia r0!, {r2-r11}\n mov lr, r3\n msr control, r2\n"
	      "msr psp, r0\n bx lr\n");
}

/* Skips the instruction, all of which have four bytes but the call, which has not left a trace but LR. */
__attribute__((used)) static void refuse(u32 *frame)
{
	if (!first_fault)
		first_fault = CFSR;
	frame[6] = CFSR & 1 ? frame[5] & ~1u : frame[6] + 4;
	CFSR = CFSR;
	faults[kernel_current - kernel_tasks]++;
}

__attribute__((naked)) void MemManage_Handler(void) { __asm("mrs r0, psp\n b refuse\n"); }

void kernel_finish(void)
{
	for (u32 i = 0; i < TASKS; i++)
		printf("task %lu: rounds %lu, checks %lu, faults %s\n", (unsigned long)i, (unsigned long)shared[i],
		       (unsigned long)owns[i].sum,
		       faults[i] == FAULTS_A_ROUND * ((ROUNDS + 15) / 16) ? "as many as tried" : "not as tried");
	printf("first fault %02lx, %s\n", (unsigned long)first_fault,
	       kernel_switches > TASKS * ROUNDS ? "preempted and yielded" : "too few switches");
	exit(0);
}

/* The first one starts the first task: main is left for good. */
__attribute__((naked)) void SVC_Handler(void)
{
	__asm("tst lr, #4\n bne 1f\n"
	      "ldr r0, =kernel_current\n ldr r0, [r0]\n ldr r0, [r0]\n"
	      "ldmia r0!, {r2-r11}\n msr control, r2\n msr psp, r0\n mov lr, r3\n bx lr\n"
	      "1: mrs r0, psp\n b kernel_serve\n");
}

int main(void)
{
	u32 code[2];

	for (u32 i = 0; i < TASKS; i++)
		task_create(i);
	SHCSR |= SHCSR_MEMFAULTENA;
	MPU_MAIR0 = 0xFF;
	MPU_RNR = 0;
	region(code, __start_task_code, __stop_task_code, READ_ONLY);
	MPU_REGION[0] = code[0];
	MPU_REGION[1] = code[1];
	load_regions(regions[0]);
	kernel_start(TICK_CYCLES);
	return 1;
}
