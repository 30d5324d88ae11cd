/* SPDX-License-Identifier: Apache-2.0 */
/* Semihosting calls of guest programs (Semihosting for AArch32 and AArch64, chapter 7). */
#ifndef TESTS_CLI_CALLS_H
#define TESTS_CLI_CALLS_H

#include <stdint.h>

enum {
	OPEN = 1, CLOSE, WRITEC, WRITE0, WRITE, READ, READC, ISERROR, ISTTY, SEEK, FLEN = 0x0c, TMPNAM, REMOVE, RENAME,
	CLOCK, TIME, SYSTEM, ERRNO, GET_CMDLINE = 0x15, HEAPINFO, EXIT = 0x18, EXIT_EXTENDED = 0x20, ELAPSED = 0x30,
	TICKFREQ,
};
enum { MODE_R = 0, MODE_RB = 1, MODE_RPLUS = 2, MODE_W = 4, MODE_WPLUS_B = 7, MODE_A = 8, NOT_FOUND = 2, BAD_FILE = 9, NO_ACCESS = 13, BAD_ADDRESS = 14,
       IS_DIRECTORY = 21, INVALID = 22, TOO_BIG = 27, NO_SEEK = 29, NAME_TOO_LONG = 36 };

static inline int call(int number, const volatile void *parameter)
{
	register int r0 __asm("r0") = number;
	register const volatile void *r1 __asm("r1") = parameter;

	__asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

static inline uint32_t length(const char *text)
{
	uint32_t n = 0;

	while (text[n])
		n++;
	return n;
}

static inline int call3(int number, uint32_t a, uint32_t b, uint32_t c)
{
	const volatile uint32_t block[4] = { a, b, c, 0 };

	return call(number, block);
}

static inline int open_file(const char *name, uint32_t mode)
{
	return call3(OPEN, (uint32_t)name, mode, length(name));
}

static inline void leave(int status)
{
	call3(EXIT_EXTENDED, 0x20026, (uint32_t)status, 0);
}

#endif
