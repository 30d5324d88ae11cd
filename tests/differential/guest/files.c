/* SPDX-License-Identifier: Apache-2.0 */
/* The batch file and the result file, by semihosting (Semihosting for AArch32 and AArch64, chapter 7). */
#include "guest.h"

enum { SYS_OPEN = 1, SYS_CLOSE = 2, SYS_WRITE = 5, SYS_READ = 6, SYS_EXIT_EXTENDED = 0x20 };
enum { MODE_RB = 1, MODE_WB = 5 };
#define STOPPED_EXIT 0x20026u /* ADP_Stopped_ApplicationExit */

static uint32_t in_handle, out_handle, in_at, in_end, out_at;

static uint32_t semihost(uint32_t operation, const void *argument)
{
	register uint32_t r0 __asm__("r0") = operation;
	register const void *r1 __asm__("r1") = argument;
	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

static uint32_t open_file(const char *name, uint32_t mode)
{
	uint32_t length = 0;
	while (name[length])
		length++;
	uint32_t args[3] = {(uint32_t)name, mode, length};
	return semihost(SYS_OPEN, args);
}

void leave(uint32_t status)
{
	uint32_t args[2] = {STOPPED_EXIT, status};
	semihost(SYS_EXIT_EXTENDED, args);
	for (;;)
		;
}

static void flush(void)
{
	uint32_t args[3] = {out_handle, OUT_BUFFER, out_at};
	if (out_at && semihost(SYS_WRITE, args))
		leave(FAIL_WRITE);
	out_at = 0;
}

void files_open(void)
{
	in_handle = open_file("cases.bin", MODE_RB);
	out_handle = open_file("results.bin", MODE_WB);
	if (in_handle == ~0u || out_handle == ~0u)
		leave(FAIL_OPEN);
}

void files_read(uint32_t *to, uint32_t words)
{
	while (words) {
		if (in_at == in_end) {
			uint32_t args[3] = {in_handle, IN_BUFFER, IN_BYTES};
			in_at = 0;
			in_end = IN_BYTES - semihost(SYS_READ, args);
			if (in_end == 0)
				leave(FAIL_READ);
		}
		uint32_t part = (in_end - in_at) / 4;
		if (part > words)
			part = words;
		copy(to, (uint32_t *)(IN_BUFFER + in_at), part);
		to += part;
		words -= part;
		in_at += part * 4;
	}
}

void *files_result(void)
{
	return (void *)(OUT_BUFFER + out_at);
}

void files_result_end(const void *end)
{
	out_at = (uint32_t)end - OUT_BUFFER;
	if (out_at > OUT_BYTES - sizeof(struct case_out) - CASE_BLOCK_WORDS * 8)
		flush();
}

void files_close(void)
{
	uint32_t handle[1] = {out_handle};

	flush();
	semihost(SYS_CLOSE, handle);
	leave(0);
}
