/* SPDX-License-Identifier: Apache-2.0 */
/* What QEMU does not do as the architecture says: bus faults ignored at a negative priority, stack
 * limits ignored there (STKOFHFNMIGN), a Secure branch to Non-secure memory, unaligned Device memory. */
#include "lib.h"

static u32 load(u32 addr)
{
	u32 value = 0x55;
	__asm volatile("ldr.w %0, [%1]" : "+r"(value) : "r"(addr));
	return value;
}

#define STRAY(target) \
	__asm volatile("adr.w r5, 1f\n orr r5, r5, #1\n ldr r6, =resume_pc\n str r5, [r6]\n mov r4, %0\n blx r4\n" \
		       " .align 2\n1: nop" :: "r"(target) \
		       : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r12", "lr", "cc", "memory")

static u32 page[64] __attribute__((aligned(256)));

void scenario(void)
{
	SHCSR = SHCSR_ALL;
	print("faultmask and BFHFNMIGN\n");
	CCR |= 1 << 8;
	__asm volatile("cpsid f" ::: "memory");
	print_hex("loaded", load(0x5F000000));
	print_hex("cfsr", CFSR);
	line();
	__asm volatile("cpsie f" ::: "memory");
	CCR &= ~(1u << 8);
	CFSR = 0xFFFFFFFF;
	print("faultmask and STKOFHFNMIGN\n");
	CCR |= 1 << 10;
	__asm volatile("cpsid f" ::: "memory");
	MSR(msplim, (u32)stack_top - 0x10);
	__asm volatile("push {r0-r7}\n add sp, #32" ::: "memory");
	MSR(msplim, 0);
	__asm volatile("cpsie f" ::: "memory");
	CCR &= ~(1u << 10);
	print("secure branch to non-secure memory\n");
	SAU_RNR = 0;
	SAU_RBAR = 0x40000;
	SAU_RLAR = 0x5FFE1;
	SAU_CTRL = 1;
	BARRIER();
	STRAY(0x40101);
	print("division by zero leaves its destination alone\n");
	CCR |= 1 << 4;
	u32 r = 0x1234;
	__asm volatile("udiv %0, %1, %2" : "+r"(r) : "r"(7), "r"(0));
	print_hex("r", r);
	line();
	print("device memory is never unaligned\n");
	u32 base = (u32)page;
	MPU_MAIR0 = 0x00440000;
	mpu_region(0, base, base + 0xFF, 1, 0);
	MPU_CTRL = 5;
	BARRIER();
	load(base + 4);
	load(base + 6);
	MPU_RLAR = (base + 0xE0) | 1 << 2 | 1; /* attribute 2: Normal */
	BARRIER();
	load(base + 6);
}
