/* SPDX-License-Identifier: Apache-2.0 */
/* A storm of task switches as a real-time kernel makes them: two tasks exchange messages under BASEPRI and give the
 * processor to each other through PendSV. */
#include "bench.h"

#define ICSR (*(volatile unsigned *)0xe000ed04)
#define VTOR (*(volatile unsigned *)0xe000ed08)
#define SHPR3 (*(volatile unsigned *)0xe000ed20)
#define PENDSVSET (1u << 28)
#define ROUNDS 150000

struct task { unsigned *sp; unsigned stack[256]; };
static struct task tasks[2];
struct task *current = tasks; /* the assembly's, too */
static volatile unsigned message, full, sum;
static void *vectors[16] __attribute__((aligned(128)));

void choose_task(void) { current = current == tasks ? &tasks[1] : tasks; }

__attribute__((naked)) static void pendsv(void)
{
	__asm__ volatile(
		"mrs r0, psp\n mrs r2, psplim\n mov r3, lr\n stmdb r0!, {r2-r11}\n"
		"ldr r1, =current\n ldr r1, [r1]\n str r0, [r1]\n"
		"mov r0, #32\n msr basepri, r0\n dsb\n isb\n"
		"bl choose_task\n"
		"mov r0, #0\n msr basepri, r0\n"
		"ldr r1, =current\n ldr r1, [r1]\n ldr r0, [r1]\n"
		"ldmia r0!, {r2-r11}\n msr psplim, r2\n msr psp, r0\n bx r3\n");
}

static unsigned lock(void)
{
	unsigned old;
	__asm__ volatile("mrs %0, basepri\n msr basepri, %1\n dsb\n isb" : "=&r"(old) : "r"(32) : "memory");
	return old;
}
static void unlock(unsigned old) { __asm__ volatile("msr basepri, %0" : : "r"(old) : "memory"); }
static void yield(void)
{
	ICSR = PENDSVSET;
	__asm__ volatile("dsb\n isb" : : : "memory");
}

static void sender(void)
{
	for (unsigned i = 0; i < ROUNDS || full;) {
		unsigned old = lock();
		if (!full && i < ROUNDS) {
			message = i++ * 2654435761u;
			full = 1;
		}
		unlock(old);
		yield();
	}
}

static void receiver(void)
{
	for (;;) {
		unsigned old = lock();
		if (full) {
			sum = (sum << 1 | sum >> 31) ^ message;
			full = 0;
		}
		unlock(old);
		yield();
	}
}

/* Calls a function on another stack, as a task: r0 and r1. */
__attribute__((naked)) static void run_task(__attribute__((unused)) unsigned *sp, __attribute__((unused)) void (*entry)(void))
{
	__asm__ volatile("push {r4, lr}\n msr psp, r0\n mov r0, #2\n msr control, r0\n isb\n blx r1\n"
			 "mov r0, #0\n msr control, r0\n isb\n pop {r4, pc}\n");
}

/* What pendsv finds of a task that it has not run yet. */
static void task_init(struct task *t, void (*entry)(void))
{
	unsigned *sp = t->stack + 256 - 18;

	sp[1] = 0xfffffffd; /* EXC_RETURN: thread, process stack */
	sp[16] = (unsigned)entry & ~1u;
	sp[17] = 1 << 24;
	t->sp = sp;
}

unsigned bench(void)
{
	vectors[14] = pendsv;
	VTOR = (unsigned)vectors;
	SHPR3 = 0xffu << 16;
	task_init(&tasks[1], receiver);
	run_task(tasks[0].stack + 256, sender);
	return sum;
}
