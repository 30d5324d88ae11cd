/* SPDX-License-Identifier: Apache-2.0 */
/* Text output without a C library: over UART0 (CMSDK APB UART), or to the host's console by semihosting. */
#ifndef RUNTIME_CONSOLE_H
#define RUNTIME_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

#define CONSOLE_END_OF_TRANSMISSION 0x04

void console_init(bool use_semihosting); /* before anything is written; else the UART is used */
void console_putc(char c); /* waits while the port is busy; to the host goes line by line */
void console_puts(const char *text); /* as it stands, no line end added */
void console_flush(void); /* sends a line that has not ended, to the host */

/* Directives as format_text()'s; at most 511 characters. */
__attribute__((format(printf, 1, 2))) void console_printf(const char *format, ...);

#endif
