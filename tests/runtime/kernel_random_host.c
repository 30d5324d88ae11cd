/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_random.h"

#include <stdio.h>

static void print(const char *line)
{
	puts(line);
}

int main(void)
{
	kernel_random(150, print);
	return 0;
}
