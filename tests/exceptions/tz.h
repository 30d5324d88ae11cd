/* SPDX-License-Identifier: Apache-2.0 */
/* What the scenarios with both Security states share: a Non-secure handler that logs, gateways,
 * calls into Non-secure code, SAU regions. Included by one file per program. */
#ifndef TESTS_EXCEPTIONS_TZ_H
#define TESTS_EXCEPTIONS_TZ_H

#include "lib.h"

#define NS_NAKED __attribute__((section(".ns_text"), naked, noinline, used))

/* What Non-secure code leaves behind: it cannot print. */
static volatile u32 ns_log[64] __attribute__((section(".ns_data")));
static volatile u32 ns_count __attribute__((section(".ns_data")));

MAYBE_UNUSED static void show(const char *title)
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
	      "mrs r0, ipsr\n sub r0, #3\n cmp r0, #3\n bhi 2f\n" /* a fault: go on behind it */
	      "ldr r0, [sp, #80]\n ldrh r1, [r0]\n lsr r1, #11\n cmp r1, #0x1d\n"
	      "ite ge\n addge r0, #4\n addlt r0, #2\n str r0, [sp, #80]\n"
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

MAYBE_UNUSED static u32 call_ns(void (*target)(void), u32 r0_value, u32 r1_value)
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

/* Non-secure: the upper half of both TCMs and the peripherals; the gateway is callable. */
static void sau_on(void)
{
	sau_region(0, 0x00040000, 0x0005FFFF, 0);
	sau_region(1, 0x20040000, 0x2004FFFF, 0);
	sau_region(2, (u32)gateway_first, (u32)gateway_last, 1);
	sau_region(3, 0x40000000, 0x4FFFFFFF, 0);
	SAU_CTRL = 1;
	BARRIER();
	NS_ALIAS(VTOR) = 0x40000;
	MSR(msp_ns, (u32)ns_stack_top);
	MSR(control_ns, 0);
}

#endif
