/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report/lines.h"

#include <stdarg.h>
#include <stdio.h>

enum { LONGEST = 4096 };

void lines_add(const struct lines *to, const char *format, ...)
{
	char text[LONGEST];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	to->line(to->ctx, text);
}
