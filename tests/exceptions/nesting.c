/* SPDX-License-Identifier: Apache-2.0 */
/* Priorities, nesting, tail-chaining, late arrival, masks, pending and active bits. */
#include "lib.h"

static volatile u32 depth, seen[8];

static void enter(const char *name)
{
	for (u32 i = 0; i < depth; i++)
		print("  ");
	print(name);
	print(" ");
	print_hex("ipsr", MRS(ipsr));
	print_hex("icsr", ICSR);
	print_hex("active", NVIC_IABR);
	print_hex("pend", NVIC_ISPR);
	line();
	depth++;
}

static void leave(void) { depth--; }

static void irq0(void) { enter("irq0"); NVIC_ISPR = 1 << 1; BARRIER(); leave(); }
static void irq1(void) { enter("irq1"); NVIC_ISPR = 1 << 2; BARRIER(); leave(); }
static void irq2(void) { enter("irq2"); leave(); }
static void irq3(void) { enter("irq3"); seen[3]++; leave(); }
static void pendsv(void) { enter("pendsv"); leave(); }
static void nmi(void) { enter("nmi"); leave(); }
static void svc(void) { enter("svc"); ICSR = 1 << 28; NVIC_ISPR = 1 << 3; BARRIER(); leave(); }

static void priorities(u32 p0, u32 p1, u32 p2, u32 p3)
{
	IRQ_PRIO(0) = p0;
	IRQ_PRIO(1) = p1;
	IRQ_PRIO(2) = p2;
	IRQ_PRIO(3) = p3;
	BARRIER();
}

static void go(const char *name, u32 pend)
{
	print(name);
	line();
	NVIC_ISPR = pend;
	BARRIER();
}

static void by_priorities(void)
{
	priorities(0x60, 0x40, 0x20, 0x80);
	go("rising", 1);
	priorities(0x20, 0x40, 0x60, 0x80);
	go("falling", 1);
	priorities(0x40, 0x40, 0x40, 0x40);
	go("equal", 1);
	go("two at once", 0xC);
	priorities(0x60, 0x40, 0x20, 0x80);
	AIRCR = 0x05FA0700;
	go("one group", 1);
	AIRCR = 0x05FA0500; /* groups of 64 */
	priorities(0x60, 0x40, 0x20, 0x80);
	go("subpriority", 1);
	AIRCR = 0x05FA0000;
	print("svc with pendsv and irq3 behind\n");
	__asm volatile("svc 5");
}

static void by_basepri(void)
{
	print("basepri\n");
	MSR(basepri, 0x40);
	priorities(0x60, 0x40, 0x20, 0x80);
	NVIC_ISPR = 0xF;
	BARRIER();
	print_hex("waiting", NVIC_ISPR);
	print_hex("basepri", MRS(basepri));
	MSR(basepri_max, 0x80);
	print_hex("max80", MRS(basepri));
	MSR(basepri_max, 0x20);
	print_hex("max20", MRS(basepri));
	line();
	MSR(basepri, 0);
	BARRIER();
}

static void by_masks(void)
{
	print("primask\n");
	__asm volatile("cpsid i" ::: "memory");
	NVIC_ISPR = 8;
	ICSR = 1u << 31;
	BARRIER();
	print_hex("waiting", NVIC_ISPR);
	print_hex("icsr", ICSR);
	line();
	__asm volatile("cpsie i\n isb" ::: "memory");
	print("faultmask\n");
	__asm volatile("cpsid f" ::: "memory");
	NVIC_ISPR = 8;
	BARRIER();
	print_hex("faultmask", MRS(faultmask));
	__asm volatile("cpsie f\n isb" ::: "memory");
}

static void by_enables(void)
{
	print("disabled\n");
	NVIC_ICER = 8;
	NVIC_ISPR = 8;
	STIR = 2;
	BARRIER();
	print_hex("left", NVIC_ISPR);
	NVIC_ICPR = 8;
	print_hex("cleared", NVIC_ISPR);
	print_hex("enabled", NVIC_ISER);
	line();
}

void scenario(void)
{
	handler[2] = nmi;
	handler[11] = svc;
	handler[14] = pendsv;
	handler[16] = irq0;
	handler[17] = irq1;
	handler[18] = irq2;
	handler[19] = irq3;
	SYS_PRIO(14) = 0xE0;
	SYS_PRIO(11) = 0x40;
	NVIC_ISER = 0xF;
	by_priorities();
	by_basepri();
	by_masks();
	by_enables();
}
