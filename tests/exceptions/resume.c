/* SPDX-License-Identifier: Apache-2.0 */
/* Faults inside IT blocks and beats: the saved IT and ECI state resumes the instruction. */
#include "lib.h"

static u32 block(u32 x)
{
	u32 a = 0, b = 0;
	__asm volatile("cmp %2, #1\n ittte eq\n moveq %0, #1\n svceq 5\n addeq %0, #2\n movne %0, #9\n"
		       "mov %1, #7" : "+r"(a), "+r"(b) : "r"(x) : "cc", "memory");
	return a << 8 | b;
}

static u32 faulting(u32 x)
{
	u32 a = 0;
	__asm volatile("cmp %1, #1\n itet eq\n udfeq 1\n movne %0, #3\n addeq %0, #4" : "+r"(a) : "r"(x) : "cc", "memory");
	return a;
}

/* Returns into a vector add with ECI saying that beats 0 and 1 are done already. */
static void beats(u32 eci)
{
	static u32 out[4];
	static const u32 one[4] = { 1, 2, 3, 4 }, two[4] = { 10, 20, 30, 40 };
	__asm volatile("vldrw.u32 q0, [%0]\n vldrw.u32 q1, [%1]\n vmov.i32 q2, #0\n"
		       "mov r0, %3\n svc 9\n vadd.i32 q2, q0, q1\n vstrw.32 q2, [%2]\n"
		       :: "r"(one), "r"(two), "r"(out), "r"(eci) : "r0", "q0", "q1", "q2", "memory");
	for (u32 i = 0; i < 4; i++)
		print_hex("", out[i]);
	line();
}

static void set_eci(void)
{
	volatile u32 *frame = (volatile u32 *)(MRS(msp) + 8); /* above the trampoline's two words */
	while (frame[7] >> 24 != 1 && frame[7] >> 24 != 0x61 && frame[7] >> 24 != 0x21)
		frame++;
	frame[7] |= frame[0] << 12;
}

void scenario(void)
{
	CPACR = 0xF << 20;
	SHCSR = SHCSR_ALL;
	BARRIER();
	print_hex("taken", block(1));
	line();
	print_hex("not taken", block(0));
	line();
	print_hex("fault", faulting(1));
	line();
	print_hex("other", faulting(2));
	line();
	handler[11] = set_eci;
	beats(0);
	beats(1);
	beats(2);
	beats(4);
	beats(5);
}
