/* SPDX-License-Identifier: Apache-2.0 */
/* Security violations of control flow and of exception returns; where HardFault goes. */
#include "tz_table.h"

NS_NAKED static void ns_undefined(void) { __asm("udf 3\n bx lr"); }
NS_NAKED static void ns_reads(void) { __asm("ldr.w r0, [r0]\n bx lr"); }
NS_NAKED static void ns_masks(void)
{
	__asm("cpsid i\n mrs r0, primask\n mrs r1, msplim\n mrs r2, control\n add r0, r0, r1, lsl #4\n cpsie i\n bx lr");
}
/* Handlers of irq 5: the first returns with ES set, the second with DCRS clear. */
NS_NAKED static void ns_return_es(void) { __asm("orr lr, lr, #1\n bx lr"); }
NS_NAKED static void ns_return_dcrs(void) { __asm("bic lr, lr, #0x20\n bx lr"); }

static volatile u32 spoil;

static void spoil_signature(void)
{
	/* The Secure irq runs on top of the Non-secure handler's frame: the callee frame is there. */
	volatile u32 *sp = (volatile u32 *)MRS(msp);
	for (u32 i = 0; i < 64; i++)
		if ((sp[i] & ~1u) == 0xFEFA125A) {
			print_hex("  signature", sp[i]);
			print_hex("r4", sp[i + 2]);
			print_hex("r11", sp[i + 9]);
			line();
			if (spoil)
				sp[i] = 0x12345678;
			break;
		}
}

static u32 repaired;
static void repair_signature(void)
{
	volatile u32 *sp = (volatile u32 *)MRS(msp);
	print_hex("  securefault sfsr", SFSR & ~0x40u);
	line();
	SFSR = 0xFFFFFFFF;
	for (u32 i = 0; i < 64; i++)
		if (sp[i] == 0x12345678)
			sp[i] = 0xFEFA125B, repaired++;
}

static void pend_5(void)
{
	__asm volatile("ldr r0, =0xe000e200\n mov r1, #0x20\n ldr r4, =0x44444444\n ldr r11, =0xbbbbbbbb\n"
		       "str r1, [r0]\n dsb\n isb" ::: "r0", "r1", "r4", "r11", "memory");
}

/* Non-secure handler of irq 5 that pends the Secure irq 1. */
NS_NAKED static void ns_calls_secure(void)
{
	__asm("ldr r0, =gate_pend\n push {r4, lr}\n blx r0\n pop {r4, pc}\n .ltorg");
}
__attribute__((section(".gateway"), naked, used)) static void gate_pend(void)
{
	__asm("sg\n b.w secure_pend\n");
}
__attribute__((naked, used)) static void secure_pend(void)
{
	__asm("ldr r0, =0xe000e200\n mov r1, #2\n str r1, [r0]\n dsb\n isb\n bxns lr\n .ltorg");
}

static void returns(void)
{
	NVIC_ITNS = 1 << 5;
	NVIC_ISER = 1 << 5 | 1 << 1;
	IRQ_PRIO(1) = 0x20;
	IRQ_PRIO(5) = 0x80;
	print("integrity signature seen by a secure irq\n");
	use_table(ns_calls_secure);
	handler[17] = spoil_signature;
	pend_5();
	print("spoilt\n");
	spoil = 1;
	handler[7] = repair_signature;
	pend_5();
	print_hex("repaired", repaired);
	line();
	handler[7] = 0;
	print("ns handler returns with ES set\n");
	use_table(ns_return_es);
	pend_5();
	print("ns handler returns with DCRS clear\n");
	use_table(ns_return_dcrs);
	pend_5();
	print_hex("active", NVIC_IABR);
	line();
}

static void hardfaults(void)
{
	print("non-secure fault escalates to secure HardFault\n");
	NS_ALIAS(SHCSR) = 0;
	call_ns(ns_undefined, 0, 0);
	print("BFHFNMINS: to the non-secure one\n");
	NS_ALIAS(VTOR) = 0x40000;
	AIRCR = 0x05FA2000;
	call_ns(ns_undefined, 0, 0);
	show("log");
	print_hex("aircr", AIRCR);
	print_hex("ns", NS_ALIAS(AIRCR));
	line();
	print("bus fault is non-secure then\n");
	NS_ALIAS(SHCSR) = SHCSR_ALL;
	call_ns(ns_reads, 0x4F000000, 0);
	show("log");
	AIRCR = 0x05FA0000;
}

void scenario(void)
{
	SHCSR = SHCSR_ALL;
	sau_on();
	MSR(msplim_ns, 0x20044000);
	print_hex("masks", call_ns(ns_masks, 0, 0));
	line();
	MSR(msplim_ns, 0);
	returns();
	hardfaults();
}
