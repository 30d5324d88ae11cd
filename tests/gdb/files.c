/* SPDX-License-Identifier: Apache-2.0 */
/* Files, console and clock of whoever serves semihosting. Exits with the number of the first step that fails. */
#include "calls.h"

void Reset_Handler(void);

volatile uint32_t step, written, now, commands;
volatile int handle;
static char buffer[64];
static char big[70000]; /* more than goes in one request */

static void expect(int condition)
{
	step++;
	if (!condition)
		leave((int)step);
}

static uint32_t read_some(int file, uint32_t size)
{
	return (uint32_t)call3(READ, (uint32_t)file, (uint32_t)buffer, size);
}

static int buffer_is(const char *text)
{
	for (uint32_t i = 0; text[i]; i++)
		if (buffer[i] != text[i])
			return 0;
	return 1;
}

static int rename_file(const char *from, const char *to)
{
	const volatile uint32_t block[4] = { (uint32_t)from, length(from), (uint32_t)to, length(to) };

	return call(RENAME, block);
}

__attribute__((noinline)) static void in_the_file(void)
{
	call3(WRITE, (uint32_t)handle, (uint32_t) "0123456789", 10);
	written++;
}

__attribute__((noinline)) static void files(void)
{
	handle = open_file("f.txt", MODE_WPLUS_B);
	expect(handle > 0);
	in_the_file();
	expect(call3(FLEN, (uint32_t)handle, 0, 0) == 10);
	expect(call3(ISTTY, (uint32_t)handle, 0, 0) == 0);
	expect(call3(SEEK, (uint32_t)handle, 3, 0) == 0);
	expect(read_some(handle, 4) == 0 && buffer_is("3456"));
	expect(read_some(handle, 30) == 27 && buffer_is("789"));
	expect(read_some(handle, 30) == 30);
	for (uint32_t i = 0; i < sizeof big; i++)
		big[i] = (char)i;
	expect(call3(WRITE, (uint32_t)handle, (uint32_t)big, sizeof big) == 0);
	expect(call3(FLEN, (uint32_t)handle, 0, 0) == 10 + sizeof big);
	expect(call3(SEEK, (uint32_t)handle, 10, 0) == 0);
	for (uint32_t i = 0; i < sizeof big; i++)
		big[i] = 0;
	expect(call3(READ, (uint32_t)handle, (uint32_t)big, sizeof big) == 0);
	for (uint32_t i = 0; i < sizeof big; i++)
		if (big[i] != (char)i)
			leave(99);
	expect(call3(CLOSE, (uint32_t)handle, 0, 0) == 0 && call3(CLOSE, (uint32_t)handle, 0, 0) == -1);
	expect(open_file("missing", MODE_R) == -1 && call(ERRNO, 0) == NOT_FOUND);
	expect(call3(OPEN, 0x5fff0000, MODE_R, 5) == -1 && call(ERRNO, 0) == BAD_ADDRESS);
	expect(rename_file("f.txt", "g.txt") == 0 && open_file("f.txt", MODE_R) == -1);

	const int a = open_file("g.txt", MODE_A);

	expect(a > 0 && call3(WRITE, (uint32_t)a, (uint32_t) "ab", 2) == 0 && call3(FLEN, (uint32_t)a, 0, 0) == 12 + sizeof big);
	expect(call3(CLOSE, (uint32_t)a, 0, 0) == 0);
	expect(call3(REMOVE, (uint32_t) "g.txt", 5, 0) == 0 && call3(REMOVE, (uint32_t) "g.txt", 5, 0) == -1);
}

__attribute__((noinline)) static void console(void)
{
	const int out = open_file(":tt", MODE_W), in = open_file(":tt", MODE_R);

	expect(out > 0 && in > 0 && call3(ISTTY, (uint32_t)out, 0, 0) == 1);
	expect(call3(WRITE, (uint32_t)out, (uint32_t) "handle\n", 7) == 0);
	call(WRITE0, "text\n");
	call(WRITEC, "c\n");
	call(WRITEC, "\n");
	read_some(in, 8);
}

__attribute__((noinline)) static void last(void)
{
	step++;
}

void Reset_Handler(void)
{
	step = written = 0;
	files();
	console();
	now = (uint32_t)call(TIME, 0);
	commands = (uint32_t)call3(SYSTEM, (uint32_t) "exit 3", 6, 0);
	last();
	leave(0);
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
	(void *)0x30080000, (void *)Reset_Handler,
};
