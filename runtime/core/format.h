/* SPDX-License-Identifier: Apache-2.0 */
/* Text made of values. Own, because the C library of Debian's Arm compiler is built without C99 formats: its %zu
 * prints "zu" and shifts the arguments behind it. */
#ifndef RUNTIME_CORE_FORMAT_H
#define RUNTIME_CORE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* As snprintf: never more than `bytes` with the final zero; returns the length that the whole text has. Directives:
 * %s %.*s %c %d %i %u %x %X %p %f %g %%, with l, ll, z; flags 0 and -, a width, a precision for %f and %s. %g prints as
 * %f does. */
__attribute__((format(printf, 3, 4))) size_t format_text(char *to, size_t bytes, const char *format, ...);

/* The same with a list of arguments. */
__attribute__((format(printf, 3, 0))) size_t format_text_list(char *to, size_t bytes, const char *format, va_list args);

#endif
