/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks: process stack, alignment, unprivileged code, limits, faults while stacking. */
#include "lib.h"

static u32 stack_a[64] __attribute__((aligned(64)));

static void svc(void)
{
	volatile u32 *psp = (volatile u32 *)MRS(psp);
	print("  svc ");
	print_hex("number", *(volatile uint8_t *)(psp[6] - 2));
	print_hex("r0", psp[0]);
	print_hex("r3", psp[3]);
	print_hex("r12", psp[4]);
	print_hex("psr", psp[7]);
	print_hex("psp", (u32)psp);
	print_hex("msp", MRS(msp));
	print_hex("control", MRS(control));
	line();
	psp[0] = 0x1234;
}

static void make_privileged(void) { MSR(control, 2); BARRIER(); }

static u32 call_svc(u32 x)
{
	register u32 r0 __asm("r0") = x, r3 __asm("r3") = 0x33, r12 __asm("r12") = 0xCC;
	__asm volatile("svc 7" : "+r"(r0) : "r"(r3), "r"(r12) : "memory");
	return r0;
}

static void process_stack(void)
{
	MSR(psp, (u32)process_top);
	MSR(control, 2);
	BARRIER();
	print_hex("control", MRS(control));
	print_hex("result", call_svc(0x11));
	__asm volatile("sub sp, #4\n mov r0, #1\n svc 8\n add sp, #4" ::: "r0", "memory");
	line();
}

static void unprivileged(void)
{
	handler[11] = svc;
	MSR(control, 3);
	BARRIER();
	print("unprivileged ");
	print_hex("control", MRS(control));
	MSR(primask, 1);
	__asm volatile("cpsid i");
	print_hex("primask", MRS(primask));
	print_hex("msp", MRS(msp));
	MSR(control, 0);
	print_hex("control", MRS(control));
	line();
	(void)*(reg *)0xE000ED00;
	print("unprivileged goes on\n");
	handler[11] = make_privileged;
	__asm volatile("svc 0");
	print_hex("control", MRS(control));
	line();
}

static void limits(void)
{
	MSR(psplim, (u32)process_top - 0x400);
	print_hex("psplim", MRS(psplim));
	line();
	u32 limit = (u32)process_top - 0x400;
	__asm volatile("mov r12, sp\n mov sp, %0\n push {r0-r11}\n mov sp, r12" :: "r"(limit + 0x28) : "r12", "memory");
	__asm volatile("mov r12, sp\n sub.w sp, sp, #0x1000\n mov sp, r12" ::: "r12", "memory");
	__asm volatile("mov r12, sp\n mov sp, %0\n str.w r0, [sp, #-0xF0]!\n mov sp, r12"
		       :: "r"(limit + 0x80) : "r12", "memory");
	__asm volatile("mov r12, sp\n mov sp, %0\n vpush {s0-s31}\n mov sp, r12" :: "r"(limit + 0x70) : "r12", "memory");
	MSR(psplim, 0);
}

static u32 code_after;

/* The handler of the derived fault goes on behind the code that was interrupted. */
static void stacking_fault(void)
{
	print("  fault ");
	print_hex("ipsr", MRS(ipsr));
	print_hex("cfsr", CFSR);
	print_hex("psp", MRS(psp));
	print_hex("shcsr", SHCSR);
	print_hex("waiting", NVIC_ISPR);
	line();
	CFSR = 0xFFFFFFFF;
	MPU_CTRL = 0;
	MSR(psplim, 0);
	BARRIER();
	u32 *frame = (u32 *)MRS(psp);
	frame[6] = code_after;
	frame[7] = 0x01000000;
}

#define WITH_BAD_STACK(sp, instruction) \
	__asm volatile("adr.w r4, 1f\n orr r4, r4, #1\n str r4, %0\n mrs r4, psp\n mov r6, %1\n msr psp, r6\n" \
		       " isb\n mov r6, r4\n" instruction "\n nop\n .align 2\n1: msr psp, r6\n isb" \
		       : "=m"(code_after) : "r"(sp) \
		       : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r12", "lr", "cc", "memory")

static void frame_below_limit(void)
{
	print("frame below the limit\n");
	MSR(psplim, (u32)stack_a + 0x80);
	WITH_BAD_STACK((u32)stack_a + 0x98, "svc 9");
	print("late irq and frame below the limit\n");
	MSR(psplim, (u32)stack_a + 0x80);
	IRQ_PRIO(0) = 0x80;
	WITH_BAD_STACK((u32)stack_a + 0x98, "ldr r0, =0xE000E200\n mov r1, 1\n str r1, [r0]\n dsb");
	NVIC_ICPR = 1;
}

static void read_only_stack(void)
{
	MPU_MAIR0 = 0xFF;
	mpu_region(0, (u32)stack_a, (u32)stack_a + 255, 2, 1);
	MPU_CTRL = 5;
	BARRIER();
	print("frame on read-only memory\n");
	WITH_BAD_STACK((u32)stack_a + 256, "svc 9");
}

/* No room for the frame of the HardFault either: it is taken all the same. */
static void overflow_without_handler(void)
{
	print("overflow that escalates\n");
	SHCSR = 0;
	MSR(psplim, (u32)stack_a + 0x80);
	WITH_BAD_STACK((u32)stack_a + 0x98, "push {r0-r7}");
	SHCSR = SHCSR_ALL;
}

static void spoil_frame(void)
{
	print("  svc makes its frame unreadable\n");
	mpu_region(0, (u32)process_top - 0x1000, (u32)process_top - 1, 0, 1);
	mpu_region(1, (u32)process_top - 0x1000, (u32)process_top - 1, 0, 1);
	MPU_CTRL = 5;
	BARRIER();
}

static void unstacking_fault(void)
{
	print("  memmanage ");
	print_hex("cfsr", CFSR);
	print_hex("ipsr", MRS(ipsr));
	print_hex("lr is an EXC_RETURN", (u32)__builtin_return_address(0) >> 1 ? 1 : 0);
	line();
	CFSR = 0xFFFFFFFF;
	MPU_CTRL = 0;
	BARRIER();
}

void scenario(void)
{
	CPACR = 0xF << 20;
	BARRIER();
	handler[11] = svc;
	NVIC_ISER = 1;
	SHCSR = SHCSR_ALL;
	process_stack();
	unprivileged();
	limits();
	handler[6] = stacking_fault;
	frame_below_limit();
	handler[6] = 0;
	handler[3] = stacking_fault;
	overflow_without_handler();
	handler[3] = 0;
	handler[4] = stacking_fault;
	read_only_stack();
	handler[4] = unstacking_fault;
	handler[11] = spoil_frame;
	SYS_PRIO(11) = 0x80;
	print("unreadable frame\n");
	__asm volatile("svc 10" ::: "memory");
	print("resumed\n");
	MSR(control, 0);
	BARRIER();
}
