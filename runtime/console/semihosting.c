/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/console/semihosting.h"
#include "runtime/console/console.h"

#define SYS_EXIT_EXTENDED 0x20
#define ADP_STOPPED_APPLICATION_EXIT 0x20026

int semihosting_call(int number, const void *parameter)
{
	register int r0 __asm("r0") = number;
	register const void *r1 __asm("r1") = parameter;

	__asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

void semihosting_exit(int status)
{
	const int block[2] = { ADP_STOPPED_APPLICATION_EXIT, status };

	semihosting_call(SYS_EXIT_EXTENDED, block);
	console_putc(CONSOLE_END_OF_TRANSMISSION);
}
