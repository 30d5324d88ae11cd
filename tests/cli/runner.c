/* SPDX-License-Identifier: Apache-2.0 */
/* What ExecuTorch's semihosting runner asks of its host: arguments, a program file, an input file, an
 * output file, log lines on standard error, a status. Writes the input after the program to -o NAME. */
#include "calls.h"

void Reset_Handler(void);

static char arguments[256], input[256], output[256], model[256];
static char bytes[256];

/* Copies the value of an option of one letter; 0: not there. */
static int option(char letter, char *to)
{
	for (const char *p = arguments; *p; p++)
		if (p[0] == '-' && p[1] == letter && p[2] == ' ') {
			for (p += 3; *p > ' ';)
				*to++ = *p++;
			*to = 0;
			return 1;
		}
	return 0;
}

static void log_line(int tt, const char *text)
{
	call3(WRITE, (uint32_t)tt, (uint32_t)text, length(text));
}

static uint32_t load(const char *name, char *to)
{
	const int file = open_file(name, MODE_RB);

	if (file < 0)
		leave(3);

	const uint32_t size = (uint32_t)call3(FLEN, (uint32_t)file, 0, 0);

	if (size > sizeof bytes / 2 || call3(READ, (uint32_t)file, (uint32_t)to, size) || call3(CLOSE, (uint32_t)file, 0, 0))
		leave(4);
	return size;
}

void Reset_Handler(void)
{
	const volatile uint32_t block[2] = { (uint32_t)arguments, sizeof arguments };
	const int tt = open_file(":tt", MODE_A);

	log_line(tt, "I [executorch] running\n");
	if (call(GET_CMDLINE, block) || !option('i', input) || !option('o', output) || !option('m', model)) {
		log_line(tt, "F [executorch] not right number of parameters\n");
		leave(1);
	}

	const uint32_t first = load(model, bytes), all = first + load(input, bytes + first);
	const int file = open_file(output, MODE_WPLUS_B);

	if (file < 0 || call3(WRITE, (uint32_t)file, (uint32_t)bytes, all) || call3(CLOSE, (uint32_t)file, 0, 0))
		leave(5);
	log_line(tt, "I [executorch] Program complete, exiting.\n");
	leave(0);
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
	(void *)0x30008000, (void *)Reset_Handler,
};
