/* SPDX-License-Identifier: Apache-2.0 */
/* Start-up and semihosting of the benchmark programs: vectors at 0, code in ITCM, data in DTCM;
 * runs on QEMU mps3-an547 and on fvp-sim alike. */
#include "bench.h"

extern unsigned char data_load[], data_start[], data_end[], bss_start[], bss_end[];

static int semihost(int op, void *arg)
{
	register int r0 __asm__("r0") = op;
	register void *r1 __asm__("r1") = arg;
	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

/* Freestanding code calls these by name. */
void *memcpy(void *to, const void *from, __SIZE_TYPE__ n)
{
	unsigned char *p = to;
	const unsigned char *q = from;
	while (n--)
		*p++ = *q++;
	return to;
}
void *memset(void *to, int value, __SIZE_TYPE__ n)
{
	unsigned char *p = to;
	while (n--)
		*p++ = (unsigned char)value;
	return to;
}

static void report(unsigned value)
{
	char text[12] = "0x00000000\n";
	for (int i = 9; i > 1; i--, value >>= 4)
		text[i] = "0123456789abcdef"[value & 15];
	semihost(4, text);
}

void start(void)
{
	*(volatile unsigned *)0xe000ed88 |= 0xf << 20; /* CPACR: FP and MVE */
	__asm__ volatile("dsb\n isb");
	memcpy(data_start, data_load, (unsigned)(data_end - data_start));
	memset(bss_start, 0, (unsigned)(bss_end - bss_start));
	report(bench());
	unsigned exit_arguments[2] = { 0x20026, 0 };
	semihost(0x20, exit_arguments);
	for (;;)
		;
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = { (void *)0x20010000, start };
