/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_random.h"
#include "runtime/console/console.h"

int main(void);

static void print(const char *line)
{
	console_puts(line);
	console_puts("\n");
}

int main(void)
{
	console_init(true);
	kernel_random(150, print);
	return 0;
}
