/* SPDX-License-Identifier: Apache-2.0 */
/* Fault status, addresses, escalation, and faults inside handlers. */
#include "lib.h"

static void title(const char *text) { print(text); line(); }

static void undefined(void) { __asm volatile("udf 1"); }
static void undefined_wide(void) { __asm volatile("udf.w 1"); }
static void divide(void) { __asm volatile("mov r0, 7\n mov r1, 0\n udiv r2, r0, r1" ::: "r0", "r1", "r2"); }
static void no_coprocessor(void) { __asm volatile("mrc p3, 0, r0, c1, c0, 0" ::: "r0"); }
static void fp_off(void) { __asm volatile(".inst.n 0xee30, 0x0a00"); } /* vadd.f32 s0, s0, s0 */
static void load(u32 addr) { __asm volatile("mov r0, %0\n ldr.w r1, [r0]" :: "r"(addr) : "r0", "r1"); }
static void store(u32 addr) { __asm volatile("mov r0, %0\n str.w r0, [r0]" :: "r"(addr) : "r0", "memory"); }
static void load_pair(u32 addr) { __asm volatile("mov r0, %0\n ldrd r2, r3, [r0]" :: "r"(addr) : "r0", "r2", "r3"); }
static void exclusive(u32 addr) { __asm volatile("mov r0, %0\n ldrex r2, [r0]" :: "r"(addr) : "r0", "r2"); }

static void call(u32 target)
{
	register u32 r4 __asm("r4") = target;
	resume_pc = 0;
	__asm volatile("adr.w r5, 1f\n ldr r6, =resume_pc\n str r5, [r6]\n blx r4\n .align 2\n1:\n nop"
		       :: "r"(r4) : "r0", "r1", "r2", "r3", "r5", "r6", "r12", "lr", "memory", "cc");
}

static void all_kinds(void)
{
	undefined();
	undefined_wide();
	CCR |= 1 << 4;
	divide();
	CCR &= ~(1u << 4);
	no_coprocessor();
	fp_off();
	load(0x50000000 + 0x0F000000);
	store(0x5F000010);
	load(0x20000001);
	load_pair(0x20000002);
	exclusive(0x20000002);
	CCR |= 1 << 3;
	load(0x20000001);
	CCR &= ~(1u << 3);
	call(0x40000001);   /* execute never */
	call(0x08000001);   /* nothing there */
	call(0x20000100);   /* not Thumb */
	call(0xFFFFFFF1);   /* EXC_RETURN in Thread mode */
}

static void nested_usage(void)
{
	handler[11] = 0;
	print("  in svc\n");
	undefined();
	print("  svc goes on\n");
}

void scenario(void)
{
	quiet = 0;
	title("escalated");
	all_kinds();
	title("enabled");
	SHCSR = SHCSR_ALL;
	all_kinds();
	title("masked by faultmask");
	SYS_PRIO(6) = 0x80;
	MSR(basepri, 0x40);
	undefined();
	MSR(basepri, 0);
	SYS_PRIO(6) = 0;
	title("same priority as SVCall");
	handler[11] = nested_usage;
	__asm volatile("svc 0");
	handler[11] = nested_usage;
	SYS_PRIO(11) = 0x80;
	title("more urgent than SVCall");
	__asm volatile("svc 0");
	title("svc masked");
	__asm volatile("cpsid i\n svc 1\n cpsie i" ::: "memory");
	title("pended by software");
	SHCSR |= 1 << 13;
	BARRIER();
	print_hex("shcsr", SHCSR);
	line();
}
