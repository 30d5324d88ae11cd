/* SPDX-License-Identifier: Apache-2.0 */
/* Text for people, line by line: the program prints it, the library gives it to its user. */
#ifndef SIM_REPORT_LINES_H
#define SIM_REPORT_LINES_H

#include "memory/diag.h"

struct lines {
	void (*line)(void *ctx, const char *text); /* without its end */
	void *ctx;
};

PRINTF_LIKE(2, 3) void lines_add(const struct lines *to, const char *format, ...);

#endif
