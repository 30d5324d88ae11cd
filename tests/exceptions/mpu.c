/* SPDX-License-Identifier: Apache-2.0 */
/* MPU: permissions by privilege, execute-never, background map, overlaps, sub-page regions,
 * attributes, negative priorities. */
#include "lib.h"

static u32 page[2048] __attribute__((aligned(4096)));

static u32 read(u32 addr) { u32 v = 0x55; __asm volatile("ldr.w %0, [%1]" : "+r"(v) : "r"(addr)); return v; }
static u32 read_as_user(u32 addr) { u32 v = 0x55; __asm volatile("ldrt %0, [%1]" : "+r"(v) : "r"(addr)); return v; }
static void write(u32 addr) { __asm volatile("str.w %0, [%0]" :: "r"(addr) : "memory"); }
static void write_as_user(u32 addr) { __asm volatile("strt %0, [%0]" :: "r"(addr) : "memory"); }

static void execute(u32 addr)
{
	__asm volatile("adr.w r5, 1f\n orr r5, r5, #1\n ldr r6, =resume_pc\n str r5, [r6]\n mov r4, %0\n blx r4\n"
		       " .align 2\n1: nop\n ldr r6, =resume_pc\n mov r5, #0\n str r5, [r6]" :: "r"(addr | 1)
		       : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r12", "lr", "cc", "memory");
}

static void all(const char *name, u32 addr)
{
	print(name);
	line();
	read(addr);
	write(addr);
	read_as_user(addr);
	write_as_user(addr + 4);
	execute(addr + 8);
}

/* An IT block, then an instruction, that go on in the next page: run, forbidden there, allowed again. */
static void execute_across(u32 base)
{
	static const unsigned short it_block[] = { 0x4280, 0xbf04, 0xf100, 0x0001, 0xf100, 0x0002, 0x4770 };
	static const unsigned short wide[] = { 0x4280, 0xf100, 0x0001, 0x4770 };
	volatile unsigned short *end = (volatile unsigned short *)(base + 0x1000);

	mpu_region(0, base, base + 0xFFF, 0, 0);
	for (int k = 0; k < 7; k++)
		end[k - 4] = it_block[k];
	for (u32 xn = 0; xn < 5; xn++) {
		mpu_region(1, base + 0x1000, base + 0x1FFF, 0, xn & 1);
		BARRIER();
		execute(base + 0xFF8);
	}
	for (int k = 0; k < 4; k++)
		end[k - 2] = wide[k];
	for (u32 xn = 0; xn < 5; xn++) {
		mpu_region(1, base + 0x1000, base + 0x1FFF, 0, xn & 1);
		BARRIER();
		execute(base + 0xFFC);
	}
	mpu_region(1, 0, 0, 0, 0);
	MPU_RLAR = 0;
}

static void on(u32 ctrl)
{
	MPU_CTRL = ctrl;
	BARRIER();
}

void scenario(void)
{
	u32 base = (u32)page;
	SHCSR = SHCSR_ALL;
	print_hex("type", R32(0xE000ED90) ? 1 : 0);
	MPU_MAIR0 = 0x004400FF;
	page[2] = page[18] = 0x47704770; /* bx lr */
	mpu_region(0, base, base + 0xFFF, 0, 0);
	on(5);
	all("privileged read-write", base);
	mpu_region(0, base, base + 0xFFF, 1, 0);
	all("read-write", base + 0x40);
	mpu_region(0, base, base + 0xFFF, 2, 0);
	all("privileged read-only", base);
	mpu_region(0, base, base + 0xFFF, 3, 1);
	all("read-only, execute never", base);
	print("code across the end of a page\n");
	execute_across(base);
	mpu_region(0, base, base + 0x5F, 2, 1);
	print("32 bytes of a page\n");
	write(base + 0x3C);
	write(base + 0x5C);
	write(base + 0x60);
	print("crossing the end of a region\n");
	__asm volatile("str.w %0, [%1]" :: "r"(1), "r"(base + 0x5E) : "memory");
	__asm volatile("str.w %0, [%1]" :: "r"(1), "r"(base + 0x61) : "memory");
	mpu_region(1, base, base + 0x1F, 1, 0);
	print("overlap\n");
	read(base);
	read(base + 0x20);
	mpu_region(1, 0, 0, 0, 0);
	MPU_RLAR = 0;
	print("background for user and privileged\n");
	read(base + 0x1000);
	read_as_user(base + 0x1000);
	print("no background\n");
	mpu_region(1, 0x00000000, 0x0003FFFF, 3, 0);
	mpu_region(2, 0x20010000, 0x2FFFFFFF, 1, 1);
	mpu_region(3, base + 0x2000, 0x2000FFFF, 1, 1);
	on(1);
	read(base + 0x1000);
	read(0x5F000000);
	print("off at a negative priority\n");
	__asm volatile("cpsid f" ::: "memory");
	write(base + 0x40);
	print_hex("value", read(base + 0x1000));
	__asm volatile("cpsie f\n isb" ::: "memory");
	line();
	on(0);
}
