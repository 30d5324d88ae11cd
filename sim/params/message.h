/* SPDX-License-Identifier: Apache-2.0 */
/* Messages on standard error. Names in them come from files and command lines of others: what would act on a terminal
 * (control characters, bytes that are no UTF-8) is shown as \xNN. */
#ifndef SIM_MESSAGE_H
#define SIM_MESSAGE_H

#include "memory/diag.h"

#include <stdarg.h>

/* A line, or part of one: only a last '\n' is an end of line. */
PRINTF_LIKE(1, 2) void message(const char *format, ...);
void message_list(const char *format, va_list args);

/* `from` as a message shows it, cut to `size` bytes with its end. */
void message_escape(char *to, size_t size, const char *from);

#endif
