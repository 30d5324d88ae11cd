/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/apps/log.h"
#include "runtime/console/console.h"
#include "runtime/core/format.h"

#include <stdarg.h>
#include <string.h>

void log_line(char level, const char *file, int line, const char *function, const char *format, ...)
{
	const char *slash = strrchr(file, '/');
	char text[320];
	va_list args;

	va_start(args, format);
	format_text_list(text, sizeof text, format, args);
	va_end(args);
#ifdef RUNNER_PLAIN_LOG
	(void)slash;
	(void)line;
	(void)function;
	console_printf("%s%s\n", level == 'I' ? "" : "error: ", text);
#else
	console_printf("%c [executorch:%s:%d %s()] %s\n", level, slash ? slash + 1 : file, line, function, text);
#endif
}
