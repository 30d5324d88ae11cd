/* SPDX-License-Identifier: Apache-2.0 */
/* The FP context between the Security states: ownership, lazy frames of one state preserved by the
 * other, NSACR, VLSTM and VLLDM. */
#include "fp_state.h"
#include "tz_table.h"

NS_NAKED static void ns_fp(void) { __asm("vmov s0, r0\n vadd.f32 s1, s0, s0\n vmov r0, s1\n vmrs r1, fpscr\n bx lr"); }
NS_NAKED static void ns_no_fp(void) { __asm("add r0, #1\n bx lr"); }
/* Irq 5 uses the FPU on the way. */
NS_NAKED static void ns_irq_fp(void)
{
	__asm("ldr r1, =ns_log\n mov r0, #0\n vmov r2, s0\n str r2, [r1]\n vmov r2, s16\n str r2, [r1, #4]\n"
	      "vmrs r2, fpscr\n str r2, [r1, #8]\n mrs r2, control\n str r2, [r1, #12]\n str lr, [r1, #16]\n"
	      "ldr r2, =0xe000ef34\n ldr r3, [r2]\n str r3, [r1, #20]\n mov r2, #6\n ldr r1, =ns_count\n str r2, [r1]\n"
	      "vmov s3, r0\n bx lr\n .ltorg");
}

static void sum(void)
{
	print_hex("  sum", bank_sum());
	line();
}

static void interrupt(const char *name)
{
	print(name);
	line();
	bank_fill(0x40000000);
	__asm volatile("ldr r0, =0xe000e200\n mov r1, #0x20\n str r1, [r0]\n dsb\n isb" ::: "r0", "r1", "memory");
	show("  seen by ns");
	fp_state("back");
	sum();
}

static u32 frame[40] __attribute__((aligned(8)));

static void lazy_call(const char *name, void (*target)(void))
{
	print(name);
	line();
	bank_fill(0x41000000);
	for (u32 i = 0; i < 40; i++)
		frame[i] = 0;
	__asm volatile("vlstm %0" :: "r"(frame) : "memory");
	fp_state("after vlstm");
	print_hex("  result", call_ns(target, 0x40000000, 0));
	fp_state("after the call");
	__asm volatile("vlldm %0" :: "r"(frame) : "memory");
	fp_state("after vlldm");
	print_hex("  s0 in the frame", frame[0]);
	print_hex("s31", frame[33]);
	line();
	sum();
}

void scenario(void)
{
	SHCSR = SHCSR_ALL;
	sau_on();
	CPACR = 0xF << 20;
	NS_ALIAS(CPACR) = 0xF << 20;
	NSACR = 3 << 10;
	BARRIER();
	NVIC_ITNS = 1 << 5;
	NVIC_ISER = 1 << 5;
	print_hex("nsacr", NSACR);
	fp_state("start");
	print_hex("ns fp", call_ns(ns_fp, 0x3F800000, 0));
	fp_state("after ns fp");
	bank_fill(0x40000000);
	fp_state("after secure fp");
	use_table(ns_handler);
	interrupt("non-secure handler without fp");
	use_table(ns_irq_fp);
	interrupt("non-secure handler with fp");
	FPCCR |= 1u << 26; /* TS */
	interrupt("non-secure handler with fp, callee registers treated as secure");
	FPCCR &= ~(1u << 30); /* LSPEN */
	interrupt("eager, callee registers treated as secure");
	FPCCR |= 1u << 30;
	lazy_call("vlstm around a call that uses fp", ns_fp);
	lazy_call("vlstm around a call that does not", ns_no_fp);
	FPCCR &= ~(1u << 30);
	lazy_call("vlstm without lazy saving", ns_fp);
	FPCCR |= 1u << 30;
	print("nsacr closed\n");
	NSACR = 0;
	BARRIER();
	MSR(control, 0);
	BARRIER();
	SHCSR = SHCSR_ALL;
	quiet = 0;
	call_ns(ns_no_fp, 0, 0);
	print_hex("control_ns", MRS(control_ns));
	line();
}
