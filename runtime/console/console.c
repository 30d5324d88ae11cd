/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/console/console.h"

#include <stdarg.h>

#include BOARD_HEADER

#define UART(offset) (*(volatile uint32_t *)(BOARD_UART0_BASE + (offset)))
#define UART_DATA UART(0x00)
#define UART_STATE UART(0x04)
#define UART_CTRL UART(0x08)
#define UART_BAUDDIV UART(0x10)
#define UART_STATE_TX_FULL 1u
#define UART_CTRL_TXEN 1u

void console_init(void)
{
	UART_BAUDDIV = 217; /* 25 MHz / 115200 */
	UART_CTRL = UART_CTRL_TXEN;
}

void console_putc(char c)
{
	while (UART_STATE & UART_STATE_TX_FULL)
		;
	UART_DATA = (uint8_t)c;
}

void console_puts(const char *text)
{
	while (*text)
		console_putc(*text++);
}

static void put_decimal(uint32_t value)
{
	char digits[10];
	unsigned n = 0;

	do
		digits[n++] = (char)('0' + value % 10);
	while (value /= 10);
	while (n)
		console_putc(digits[--n]);
}

static void put_hex(uint32_t value)
{
	for (int shift = 28; shift >= 0; shift -= 4)
		console_putc("0123456789abcdef"[value >> shift & 15]);
}

static void put_signed(int32_t value)
{
	if (value < 0)
		console_putc('-');
	put_decimal(value < 0 ? 0u - (uint32_t)value : (uint32_t)value);
}

void console_printf(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	for (; *format; format++) {
		if (*format != '%') {
			console_putc(*format);
			continue;
		}
		if (*++format == 'l') /* int and long are both 32 bits wide here */
			format++;
		switch (*format) {
		case 's': console_puts(va_arg(args, const char *)); break;
		case 'd': put_signed(va_arg(args, int32_t)); break;
		case 'u': put_decimal(va_arg(args, uint32_t)); break;
		case 'x': put_hex(va_arg(args, uint32_t)); break;
		case 'c': console_putc((char)va_arg(args, int)); break;
		default: console_putc(*format); break;
		}
	}
	va_end(args);
}
