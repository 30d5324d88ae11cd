/* SPDX-License-Identifier: Apache-2.0 */
/* Security states: attribution, calls both ways, Non-secure interrupts over Secure code,
 * Secure ones over Non-secure code, integrity signature, priorities of both halves. */
#include "tz.h"

NS_NAKED static void ns_add(void) { __asm("add r0, r1\n mrs r1, ipsr\n mov r2, lr\n bx lr"); }
NS_NAKED static void ns_calls_gates(void)
{
	__asm("push {r4, lr}\n mov r4, r0\n ldr r1, =gate_double\n blx r1\n ldr r1, =gate_print\n blx r1\n"
	      "mov r0, r4\n pop {r4, pc}\n .ltorg");
}
NS_NAKED static void ns_reads(void) { __asm("ldr.w r0, [r0]\n bx lr"); }
NS_NAKED static void ns_writes(void) { __asm("str.w r0, [r0]\n bx lr"); }
NS_NAKED static void ns_jumps(void) { __asm("push {r4, lr}\n blx r0\n pop {r4, pc}"); }
NS_NAKED static void ns_undefined(void) { __asm("udf 3\n bx lr"); }
NS_NAKED static void ns_svc(void) { __asm("svc 3\n bx lr"); }
NS_NAKED static void ns_pends(void)
{
	__asm("ldr r1, =0xe000e200\n str r0, [r1]\n dsb\n isb\n bx lr\n .ltorg");
}
NS_NAKED static void ns_bxns(void) { __asm("bxns r0\n nop\n bx lr"); }

static u32 tt(u32 addr) { u32 v; __asm volatile("tt %0, %1" : "=r"(v) : "r"(addr)); return v; }
static u32 tta(u32 addr) { u32 v; __asm volatile("tta %0, %1" : "=r"(v) : "r"(addr)); return v; }
static u32 ttat(u32 addr) { u32 v; __asm volatile("ttat %0, %1" : "=r"(v) : "r"(addr)); return v; }

static void attribution(void)
{
	static const u32 addrs[] = { 0x00000000, 0x00040000, 0x20000000, 0x20040010, 0x10040000, 0x30040000,
				     0x40000000, 0x50000000, 0xE000ED00, 0xE0100000, 0xF0000000 };
	for (u32 i = 0; i < sizeof(addrs) / 4; i++) {
		print_hex("tt", addrs[i]);
		print_hex("", tt(addrs[i]));
		print_hex("a", tta(addrs[i]));
		print_hex("at", ttat(addrs[i]));
		line();
	}
	print_hex("tt gateway", tt((u32)gateway_first));
	line();
}

static void set_regs_and_pend(u32 irq)
{
	__asm volatile("mov r12, %0\n ldr r0, =0xe000e200\n ldr r4, =0x44444444\n ldr r5, =0x55555555\n"
		       "ldr r8, =0x88888888\n ldr r11, =0xbbbbbbbb\n ldr r2, =0x22222222\n str r12, [r0]\n dsb\n isb\n"
		       "mov %0, r4\n"
		       : "+r"(irq) :: "r0", "r2", "r4", "r5", "r8", "r11", "r12", "memory");
	print_hex("  r4 afterwards", irq);
	line();
}

/* Called as Secure handler of irq 0: shows where it came from. */
static void secure_irq(void)
{
	print_hex("  secure irq ipsr", MRS(ipsr));
	print_hex("control", MRS(control));
	print_hex("active", NVIC_IABR);
	line();
}

static void secure_irq_pends_ns(void)
{
	secure_irq();
	NVIC_ISPR = 8;
	BARRIER();
}

static void ns_call_from_handler(void)
{
	print_hex("  from a handler", call_ns(ns_add, 5, 6));
	line();
}

static void interrupts(void)
{
	NVIC_ITNS = 1 << 3 | 1 << 4;
	NVIC_ISER = 0x1F;
	IRQ_PRIO(0) = 0x40;
	IRQ_PRIO(3) = 0x80;
	IRQ_PRIO(4) = 0x20;
	handler[16] = secure_irq;
	print("non-secure irq over secure code\n");
	set_regs_and_pend(8);
	show("log");
	print("secure irq over non-secure code\n");
	NVIC_ITNS = 1 << 4 | 1 << 3 | 1;
	NS_ALIAS(NVIC_ISPR) = 0;
	NVIC_ITNS = 1 << 3 | 1 << 4;
	handler[17] = ns_call_from_handler;
	call_ns(ns_pends, 8, 0);
	show("ns pends its own");
	print("secure irq, then a tail-chained non-secure one\n");
	handler[16] = secure_irq_pends_ns;
	set_regs_and_pend(1);
	show("log");
	print("both at once: non-secure first\n");
	handler[16] = secure_irq;
	set_regs_and_pend(1 | 1 << 4);
	show("log");
	print("PRIS puts it behind\n");
	AIRCR = 0x05FA4000;
	IRQ_PRIO(0) = 0x80;
	set_regs_and_pend(1 | 1 << 4);
	show("log");
	AIRCR = 0x05FA0000;
	print("call from a handler\n");
	NVIC_ISPR = 2;
	BARRIER();
}

static void violations(void)
{
	print("non-secure access to secure memory\n");
	call_ns(ns_reads, 0x20000000, 0);
	call_ns(ns_writes, 0x30000000, 0);
	print_hex("sau seen by ns", call_ns(ns_reads, 0xE000EDD0, 0));
	print_hex("vtor seen by ns", call_ns(ns_reads, 0xE000ED08, 0));
	print_hex("ns alias seen by ns", call_ns(ns_reads, 0xE002ED08, 0));
	line();
	call_ns(ns_bxns, (u32)gate_double, 0);
	show("bxns in non-secure state");
}

void scenario(void)
{
	SHCSR = SHCSR_ALL;
	attribution();
	sau_on();
	print("sau on\n");
	attribution();
	print_hex("msp_ns", MRS(msp_ns));
	print_hex("control_ns", MRS(control_ns));
	print_hex("sum", call_ns(ns_add, 3, 4));
	print_hex("returned", call_ns(ns_calls_gates, 0x21, 0));
	line();
	call_ns(ns_svc, 0, 0);
	show("non-secure svc");
	NS_ALIAS(SHCSR) = SHCSR_ALL;
	call_ns(ns_undefined, 0, 0);
	show("non-secure usage fault");
	interrupts();
	violations();
}
