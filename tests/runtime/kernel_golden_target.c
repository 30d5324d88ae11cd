/* SPDX-License-Identifier: Apache-2.0 */
/* The recorded cases on the simulated core. */
#include "kernel_golden.h"
#include "runtime/console/console.h"

__asm__(".section .rodata.golden\n"
	".balign 8\n"
	".global golden_file, golden_file_end\n"
	"golden_file: .incbin \"" GOLDEN_FILE "\"\n"
	"golden_file_end:\n"
	".previous\n");

extern const uint8_t golden_file[], golden_file_end[];

int main(void);

static void report(const char *line)
{
	console_puts(line);
	console_puts("\n");
}

int main(void)
{
	unsigned failed, cases;

	console_init(true);
	cases = golden_run(golden_file, golden_file_end, report, &failed);
	console_printf("%u cases, %u failed\n", cases, failed);
	console_flush();
	return failed || cases < 100;
}
