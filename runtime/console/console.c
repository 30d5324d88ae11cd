/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/console/console.h"
#include "runtime/console/semihosting.h"
#include "runtime/core/format.h"

#include <stdarg.h>

#include BOARD_HEADER

#define UART(offset) (*(volatile uint32_t *)(BOARD_UART0_BASE + (offset)))
#define UART_DATA UART(0x00)
#define UART_STATE UART(0x04)
#define UART_CTRL UART(0x08)
#define UART_BAUDDIV UART(0x10)
#define UART_STATE_TX_FULL 1u
#define UART_CTRL_TXEN 1u

#define LINE_BYTES 512

static bool to_host;
static char line[LINE_BYTES];
static unsigned line_bytes;

void console_init(bool use_semihosting)
{
	to_host = use_semihosting;
	UART_BAUDDIV = BOARD_UART_DIVIDER;
	UART_CTRL = UART_CTRL_TXEN;
}

void console_flush(void)
{
	line[line_bytes] = 0;
	line_bytes = 0;
	if (*line)
		semihosting_write(line);
}

static void put_host(char c)
{
	line[line_bytes++] = c;
	if (c == '\n' || line_bytes == LINE_BYTES - 1)
		console_flush();
}

void console_putc(char c)
{
	if (to_host) {
		put_host(c);
		return;
	}
	while (UART_STATE & UART_STATE_TX_FULL)
		;
	UART_DATA = (uint8_t)c;
}

void console_puts(const char *text)
{
	while (*text)
		console_putc(*text++);
}

void console_printf(const char *format, ...)
{
	char text[LINE_BYTES];
	va_list args;

	va_start(args, format);
	format_text_list(text, sizeof text, format, args);
	va_end(args);
	console_puts(text);
}
