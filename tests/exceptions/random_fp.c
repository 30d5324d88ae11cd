/* SPDX-License-Identifier: Apache-2.0 */
/* Random nesting of Secure and Non-secure handlers that use the FPU or do not, under random FPCCR
 * settings; registers, control registers and frames go into a hash. */
#include "random.h"
#include "tz.h"

static u32 seed = 0x2468ACE1, depth, handled;
static volatile u32 ns_uses_fp __attribute__((section(".ns_data")));

static u32 random(void) { return next_random(&seed); }

static void drain(void)
{
	for (u32 i = 0; i < ns_count; i++)
		note(ns_log[i]);
	ns_count = 0;
}

/* Adds what it finds in the FP registers to the log, and leaves something there. */
NS_NAKED static void ns_irq(void)
{
	__asm("push {r4, lr}\n ldr r1, =ns_log\n ldr r2, =ns_count\n ldr r3, [r2]\n cmp r3, #40\n it hi\n movhi r3, #0\n"
	      "mrs r0, ipsr\n str r0, [r1, r3, lsl #2]\n add r3, #1\n str lr, [r1, r3, lsl #2]\n add r3, #1\n"
	      "mrs r0, control\n str r0, [r1, r3, lsl #2]\n add r3, #1\n"
	      "ldr r0, =0xe000ef34\n ldr r0, [r0]\n str r0, [r1, r3, lsl #2]\n add r3, #1\n"
	      "ldr r0, =ns_uses_fp\n ldr r4, [r0]\n lsr r0, r4, #1\n ldr r12, =ns_uses_fp\n str r0, [r12]\n"
	      "tst r4, #1\n beq 1f\n"
	      "vmov r0, s1\n str r0, [r1, r3, lsl #2]\n add r3, #1\n vmov r0, s20\n str r0, [r1, r3, lsl #2]\n add r3, #1\n"
	      "vmrs r0, fpscr\n str r0, [r1, r3, lsl #2]\n add r3, #1\n vmov s1, r3\n vmov s20, r4\n"
	      "1: str r3, [r2]\n pop {r4, pc}\n .ltorg");
}

static void (*ns_table[64])(void) __attribute__((section(".ns_data"), aligned(256)));

static void state(void)
{
	note(MRS(control));
	note(FPCCR);
	note(NS_ALIAS(FPCCR));
	note(FPCAR);
	note(NS_ALIAS(FPCAR));
}

static void use_fp(u32 value)
{
	u32 a, b, c;
	__asm volatile("vmov %0, s1\n vmov %1, s20\n vmrs %2, fpscr" : "=r"(a), "=r"(b), "=r"(c));
	note(a);
	note(b);
	note(c);
	__asm volatile("vmov s1, %0\n vmov s15, %0\n vmov s20, %0\n vmov s31, %0" :: "r"(value));
}

static void pend(void)
{
	NVIC_ISPR = random() & 0xFF;
	BARRIER();
}

static void secure_irq(void)
{
	u32 r = random();
	depth++;
	handled++;
	drain();
	note(MRS(ipsr));
	state();
	if (r & 1)
		use_fp(r);
	if (depth < 4 && r & 2)
		pend();
	if (r & 4)
		use_fp(r >> 3);
	state();
	depth--;
}

static void configure(void)
{
	u32 r = random();
	FPCCR = 0xC0000004 ^ (r & 1u << 30) ^ (r & 3u << 26) ^ (r & 1u << 28);
	for (u32 i = 0; i < 8; i++)
		IRQ_PRIO(i) = random() & 0xE0;
	NVIC_ITNS = random() & 0xFF;
	ns_uses_fp = random();
	BARRIER();
}

void scenario(void)
{
	SHCSR = SHCSR_ALL;
	NS_ALIAS(SHCSR) = SHCSR_ALL;
	sau_on();
	CPACR = 0xF << 20;
	NS_ALIAS(CPACR) = 0xF << 20;
	NSACR = 3 << 10;
	for (u32 i = 0; i < 63; i++)
		ns_table[i + 1] = (void (*)(void))((u32)ns_irq | 1);
	NS_ALIAS(VTOR) = (u32)ns_table;
	for (u32 i = 0; i < 8; i++)
		handler[16 + i] = secure_irq;
	NVIC_ISER = 0xFF;
	BARRIER();
	for (u32 i = 0; i < 10000; i++) {
		u32 r = random();
		configure();
		if (r & 1)
			use_fp(r);
		else if (r & 2)
			MSR(control, MRS(control) & ~12u);
		pend();
		drain();
		state();
		if (r & 4)
			use_fp(r >> 1);
		if (i % 1000 == 999) {
			print_hex("step", i);
			print_hex("hash", hash);
			print_hex("handled", handled);
			line();
		}
	}
	(void)ns_handler;
}
