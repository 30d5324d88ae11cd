/* SPDX-License-Identifier: Apache-2.0 */
/* Security states: attribution, calls both ways, Non-secure interrupts over Secure code,
 * Secure ones over Non-secure code, integrity signature, priorities of both halves. */
#include "lib.h"

#define NS_TEXT __attribute__((section(".ns_text"), noinline, used))
#define NS_NAKED __attribute__((section(".ns_text"), naked, noinline, used))

/* What Non-secure code leaves behind: it cannot print. */
static volatile u32 ns_log[64] __attribute__((section(".ns_data")));
static volatile u32 ns_count __attribute__((section(".ns_data")));

static void show(const char *title)
{
	if (!ns_count)
		return;
	print(title);
	line();
	for (u32 i = 0; i < ns_count; i++) {
		print_hex("  ", ns_log[i]);
		if (i % 8 == 7 || i + 1 == ns_count)
			line();
	}
	ns_count = 0;
}

/* Every Non-secure vector: logs IPSR, EXC_RETURN, CFSR, HFSR, r0-r12 and leaves. */
NS_NAKED static void ns_handler(void)
{
	__asm("push {r0-r12, lr}\n"
	      "ldr r1, =ns_log\n ldr r2, =ns_count\n ldr r3, [r2]\n"
	      "mrs r0, ipsr\n str r0, [r1, r3, lsl #2]\n add r3, #1\n"
	      "str lr, [r1, r3, lsl #2]\n add r3, #1\n"
	      "mov r4, #0\n"
	      "1: ldr r0, [sp, r4, lsl #2]\n str r0, [r1, r3, lsl #2]\n add r3, #1\n add r4, #1\n"
	      "cmp r4, #13\n bne 1b\n"
	      "mrs r0, control\n str r0, [r1, r3, lsl #2]\n add r3, #1\n"
	      "str r3, [r2]\n"
	      "ldr r0, =0xe000ed28\n mvn r1, #0\n str r1, [r0]\n str r1, [r0, #4]\n"
	      "mrs r0, ipsr\n cmp r0, #6\n bne 2f\n"
	      "ldr r0, [sp, #80]\n add r0, #2\n str r0, [sp, #80]\n"
	      "2: pop {r0-r12, pc}\n .ltorg");
}

__attribute__((section(".ns_vectors"), used)) static const struct {
	void *stack;
	void (*vector[63])(void);
} ns_vectors = { ns_stack_top, { [0 ... 62] = ns_handler } };

/* Gateways: [0] prints r0, [8] returns twice its argument; then memory that holds no SG. */
__attribute__((section(".gateway"), naked, used)) static void gate_print(void)
{
	__asm("sg\n b.w secure_print\n");
}
__attribute__((section(".gateway"), naked, used)) static void gate_double(void)
{
	__asm("sg\n b.w secure_double\n");
}
__attribute__((used)) static void print_argument(u32 value)
{
	print("  gate: ");
	print_hex("r0", value);
	print_hex("ipsr", MRS(ipsr));
	print_hex("control", MRS(control));
	line();
}
__attribute__((naked, used)) static void secure_print(void)
{
	__asm("push {r4, lr}\n bl print_argument\n pop {r4, lr}\n bxns lr");
}
__attribute__((naked, used)) static void secure_double(void) { __asm("add r0, r0\n bxns lr"); }

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

static u32 call_ns(void (*target)(void), u32 r0_value, u32 r1_value)
{
	register u32 r0 __asm("r0") = r0_value, r1 __asm("r1") = r1_value;
	register u32 r4 __asm("r4") = (u32)target & ~1u;
	__asm volatile("push {r5-r11}\n blxns r4\n pop {r5-r11}" : "+r"(r0), "+r"(r1), "+r"(r4)
		       :: "r2", "r3", "r12", "lr", "cc", "memory");
	return r0;
}

static void sau_region(u32 n, u32 base, u32 last, u32 nsc)
{
	SAU_RNR = n;
	SAU_RBAR = base;
	SAU_RLAR = (last & ~31u) | nsc << 1 | 1;
}

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
	sau_region(0, 0x00040000, 0x0005FFFF, 0);
	sau_region(1, 0x20040000, 0x2004FFFF, 0);
	sau_region(2, (u32)gateway_first, (u32)gateway_last, 1);
	sau_region(3, 0x40000000, 0x4FFFFFFF, 0);
	SAU_CTRL = 1;
	BARRIER();
	print("sau on\n");
	attribution();
	NS_ALIAS(VTOR) = 0x40000;
	MSR(msp_ns, (u32)ns_stack_top);
	MSR(control_ns, 0);
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
