/* SPDX-License-Identifier: Apache-2.0 */
/* Every semihosting operation (Semihosting for AArch32 and AArch64, chapter 7). Exits with the
 * line number, modulo 256, of the first check that fails. */
#include "calls.h"

void Reset_Handler(void);

static int rename_file(const char *from, const char *to)
{
	const volatile uint32_t block[4] = { (uint32_t)from, length(from), (uint32_t)to, length(to) };

	return call(RENAME, block);
}

#define CHECK(condition)                          \
	do {                                      \
		if (!(condition))                 \
			leave(__LINE__ & 0xff);   \
	} while (0)

static char buffer[32];

static int buffer_is(const char *text)
{
	for (uint32_t i = 0; text[i]; i++)
		if (buffer[i] != text[i])
			return 0;
	return 1;
}

static uint32_t read_some(int handle, uint32_t size)
{
	return (uint32_t)call3(READ, (uint32_t)handle, (uint32_t)buffer, size);
}

static void files(void)
{
	const int f = open_file("f.txt", MODE_WPLUS_B);

	CHECK(f > 0);
	CHECK(call3(WRITE, (uint32_t)f, (uint32_t) "0123456789", 10) == 0);
	CHECK(call3(FLEN, (uint32_t)f, 0, 0) == 10);
	CHECK(call3(ISTTY, (uint32_t)f, 0, 0) == 0);
	CHECK(call3(SEEK, (uint32_t)f, 3, 0) == 0);
	CHECK(read_some(f, 4) == 0 && buffer_is("3456"));
	CHECK(read_some(f, 30) == 27 && buffer_is("789")); /* what was not read */
	CHECK(read_some(f, 30) == 30);                     /* end of file */
	CHECK(call3(CLOSE, (uint32_t)f, 0, 0) == 0);
	CHECK(call3(CLOSE, (uint32_t)f, 0, 0) == -1);

	const int a = open_file("f.txt", MODE_A);

	CHECK(a > 0 && call3(WRITE, (uint32_t)a, (uint32_t) "ab", 2) == 0);
	CHECK(call3(FLEN, (uint32_t)a, 0, 0) == 12 && call3(CLOSE, (uint32_t)a, 0, 0) == 0);
}

static void names(void)
{
	CHECK(open_file("missing", MODE_R) == -1 && call(ERRNO, 0) == NOT_FOUND);
	CHECK(rename_file("f.txt", "g.txt") == 0 && open_file("f.txt", MODE_R) == -1);
	CHECK(call3(REMOVE, (uint32_t) "g.txt", 5, 0) == 0 && call3(REMOVE, (uint32_t) "g.txt", 5, 0) == -1);
	CHECK(open_file("../text", MODE_R) == -1);
	CHECK(open_file("/etc/passwd", MODE_R) == -1);
	CHECK(open_file("link", MODE_R) == -1); /* a symbolic link that leads out */
	CHECK(rename_file("../text", "t") == -1 && call3(REMOVE, (uint32_t) "../text", 7, 0) == -1);
	CHECK(call3(TMPNAM, (uint32_t)buffer, 7, sizeof buffer) == 0 && buffer[0]);
	CHECK(call3(TMPNAM, (uint32_t)buffer, 7, 2) == -1);
}

/* Every failure leaves its own error, not that of a call before. */
static void errors(void)
{
	const int missing = open_file("missing", MODE_R), features = open_file(":semihosting-features", MODE_RB);

	CHECK(missing == -1 && call(ERRNO, 0) == NOT_FOUND);
	CHECK(call3(OPEN, (uint32_t) "f.txt", MODE_R, 600) == -1 && call(ERRNO, 0) == NAME_TOO_LONG);
	CHECK(open_file("missing", MODE_R) == -1 && call(ERRNO, 0) == NOT_FOUND);
	CHECK(call3(OPEN, 0x5fff0000, MODE_R, 5) == -1 && call(ERRNO, 0) == BAD_ADDRESS);
	CHECK(open_file(".", MODE_R) == -1 && call(ERRNO, 0) == IS_DIRECTORY);
	CHECK(call3(WRITE, (uint32_t)features, (uint32_t) "x", 1) == 1 && call(ERRNO, 0) == BAD_FILE);
	CHECK(call3(CLOSE, (uint32_t)features, 0, 0) == 0);
	CHECK(open_file(":semihosting-features", MODE_W) == -1 && call(ERRNO, 0) == NO_ACCESS);
	CHECK(open_file(":semihosting-features", MODE_RPLUS) == -1 && call(ERRNO, 0) == NO_ACCESS);
}

/* Of what is not all memory nothing is written, and nothing is taken from a file that there is no room for. */
static void ends_of_memory(void)
{
	enum { ITCM_LAST = 0x1007fffc, NOWHERE = 0x5fff0000 };
	const int f = open_file("f.txt", MODE_WPLUS_B);

	CHECK(f > 0 && call3(WRITE, (uint32_t)f, (uint32_t) "0123456789", 10) == 0);
	CHECK(call3(WRITE, (uint32_t)f, (uint32_t)buffer, (uint32_t)-1) == -1 && call(ERRNO, 0) == BAD_ADDRESS);
	CHECK(call3(WRITE, (uint32_t)f, ITCM_LAST, 5) == 5 && call3(FLEN, (uint32_t)f, 0, 0) == 10);
	CHECK(call3(WRITE, (uint32_t)f, ITCM_LAST, 4) == 0 && call3(FLEN, (uint32_t)f, 0, 0) == 14);
	CHECK(call3(SEEK, (uint32_t)f, 0, 0) == 0);
	CHECK(call3(READ, (uint32_t)f, NOWHERE, 3) == 3 && call(ERRNO, 0) == BAD_ADDRESS);
	CHECK(read_some(f, 2) == 0 && buffer_is("01"));
	CHECK(call3(READ, (uint32_t)f, ITCM_LAST, 6) == 2 && call(ERRNO, 0) == BAD_ADDRESS);
	CHECK(*(volatile uint32_t *)ITCM_LAST == 0x35343332 && read_some(f, 1) == 0 && buffer_is("6"));
	CHECK(call3(CLOSE, (uint32_t)f, 0, 0) == 0 && call3(REMOVE, (uint32_t) "f.txt", 5, 0) == 0);
}

/* A zero byte at the end may be counted, one inside is refused. */
static void names_with_zeros(void)
{
	static const char name[] = "z.txt\0other";
	const int f = call3(OPEN, (uint32_t)name, MODE_W, 6);

	CHECK(f > 0 && call3(CLOSE, (uint32_t)f, 0, 0) == 0);
	CHECK(call3(OPEN, (uint32_t)name, MODE_R, sizeof name - 1) == -1 && call(ERRNO, 0) == INVALID);
	CHECK(call3(REMOVE, (uint32_t)name, sizeof name - 1, 0) == -1 && call(ERRNO, 0) == INVALID);
	CHECK(call3(REMOVE, (uint32_t)name, 5, 0) == 0);
}

static void console(void)
{
	const int tt = open_file(":tt", MODE_W), features = open_file(":semihosting-features", MODE_RB);
	const char colon = ':';

	CHECK(tt > 0 && call3(ISTTY, (uint32_t)tt, 0, 0) == 1);
	CHECK(call3(WRITE, (uint32_t)tt, (uint32_t) "semihosting", 11) == 0);
	CHECK(call3(FLEN, (uint32_t)tt, 0, 0) == -1); /* whatever the host connects to it */
	CHECK(call3(SEEK, (uint32_t)tt, 0, 0) == -1 && call(ERRNO, 0) == NO_SEEK);
	CHECK(read_some(tt, 4) == 4); /* standard input is empty, and standard output is not read */
	call(WRITEC, &colon);
	CHECK(features > 0 && call3(FLEN, (uint32_t)features, 0, 0) >= 5);
	CHECK(read_some(features, 5) == 0 && buffer_is("SHFB") && (buffer[4] & 3) == 3);
	CHECK(call(READC, 0) == -1); /* standard input is empty */
}

static void clocks(void)
{
	volatile uint32_t first[2], second[2];

	CHECK(call(TICKFREQ, 0) == 25000000);
	CHECK(call(ELAPSED, first) == 0 && call(ELAPSED, second) == 0);
	CHECK(first[1] == 0 && second[0] > first[0]);
	CHECK(call(CLOCK, 0) == 0 && call(TIME, 0) == 1767225600); /* simulated time starts in 2026 */
}

static void environment(void)
{
	volatile uint32_t block[2] = { (uint32_t)buffer, sizeof buffer }, info[4] = { 1, 1, 1, 1 };
	const volatile uint32_t *where = info;

	CHECK(call(GET_CMDLINE, block) == 0 && block[1] == 3 && buffer_is("a b") && !buffer[3]);
	block[1] = 3; /* no room for the zero */
	CHECK(call(GET_CMDLINE, block) == -1);
	CHECK(call(HEAPINFO, &where) == 0 && !info[0] && !info[3]);
	CHECK(call3(ISERROR, (uint32_t)-1, 0, 0) != 0 && call3(ISERROR, 0, 0, 0) == 0);
	CHECK(call3(SYSTEM, (uint32_t) "true", 4, 0) == -1); /* nothing is run on the host */
	CHECK(call(0x99, 0) == -1);
}

void Reset_Handler(void)
{
	files();
	names();
	errors();
	ends_of_memory();
	names_with_zeros();
	console();
	clocks();
	environment();
	call(WRITE0, " all done\n");
	call(EXIT, (const void *)0x20026);
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
	(void *)0x30080000, (void *)Reset_Handler,
};
