/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/console/semihosting.h"
#include "runtime/console/console.h"

#include <string.h>

enum { SYS_OPEN = 0x01, SYS_CLOSE = 0x02, SYS_WRITE0 = 0x04, SYS_WRITE = 0x05, SYS_READ = 0x06, SYS_FLEN = 0x0c,
       SYS_GET_CMDLINE = 0x15, SYS_EXIT_EXTENDED = 0x20 };
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

	console_flush();
	semihosting_call(SYS_EXIT_EXTENDED, block);
	console_putc(CONSOLE_END_OF_TRANSMISSION);
}

int semihosting_open(const char *name, int mode)
{
	const uintptr_t block[3] = { (uintptr_t)name, (uintptr_t)mode, strlen(name) };

	return semihosting_call(SYS_OPEN, block);
}

int32_t semihosting_length(int handle)
{
	const int block[1] = { handle };

	return semihosting_call(SYS_FLEN, block);
}

/* Both return the number of bytes that were not moved. */
static int move_all(int operation, int handle, const void *at, size_t bytes)
{
	const uintptr_t block[3] = { (uintptr_t)handle, (uintptr_t)at, bytes };

	return !bytes || semihosting_call(operation, block) == 0;
}

int semihosting_read_all(int handle, void *to, size_t bytes)
{
	return move_all(SYS_READ, handle, to, bytes);
}

int semihosting_write_all(int handle, const void *from, size_t bytes)
{
	return move_all(SYS_WRITE, handle, from, bytes);
}

void semihosting_close(int handle)
{
	const int block[1] = { handle };

	semihosting_call(SYS_CLOSE, block);
}

void semihosting_write(const char *text)
{
	semihosting_call(SYS_WRITE0, text);
}

int semihosting_command_line(char *to, size_t bytes)
{
	uintptr_t block[2] = { (uintptr_t)to, bytes };

	return semihosting_call(SYS_GET_CMDLINE, block) == 0;
}
