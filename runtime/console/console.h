/* SPDX-License-Identifier: Apache-2.0 */
/* Text output over UART0 (CMSDK APB UART) without a C library. */
#ifndef RUNTIME_CONSOLE_H
#define RUNTIME_CONSOLE_H

#include <stdint.h>

#define CONSOLE_END_OF_TRANSMISSION 0x04

void console_init(void); /* before anything is written */
void console_putc(char c); /* waits while the port is busy */
void console_puts(const char *text); /* as it stands, no line end added */

/* printf subset: %s %d %lu %lx (8 digits) %c %%; there are no other directives. */
__attribute__((format(printf, 1, 2))) void console_printf(const char *format, ...);

#endif
