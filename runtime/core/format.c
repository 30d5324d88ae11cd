/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/core/format.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct text {
	char *to;
	size_t room, length;
};

/* One directive: %[-][0][width][.precision][l|ll|z]letter. */
struct directive {
	bool left, zeros;
	int width, precision; /* precision -1: none given */
	char size;            /* 0, 'l', 'L' for ll, 'z' */
	char letter;
};

static void put(struct text *t, char c)
{
	if (t->length + 1 < t->room)
		t->to[t->length] = c;
	t->length++;
}

static void put_padded(struct text *t, const struct directive *d, const char *digits, size_t n, char sign)
{
	int padding = d->width - (int)n - (sign != 0);

	if (!d->left && !d->zeros)
		for (; padding > 0; padding--)
			put(t, ' ');
	if (sign)
		put(t, sign);
	if (!d->left && d->zeros)
		for (; padding > 0; padding--)
			put(t, '0');
	for (size_t i = 0; i < n; i++)
		put(t, digits[i]);
	for (; padding > 0; padding--)
		put(t, ' ');
}

/* Digits of a number at the end of a buffer; returns where they begin. */
static char *digits_of(uint64_t value, unsigned base, bool capitals, char *end)
{
	do
		*--end = (capitals ? "0123456789ABCDEF" : "0123456789abcdef")[value % base];
	while (value /= base);
	return end;
}

static void put_float(struct text *t, const struct directive *d, double value)
{
	char buffer[48], *const end = buffer + sizeof buffer, *at = end;
	const int precision = d->precision < 0 ? 6 : d->precision > 9 ? 9 : d->precision;
	const char sign = __builtin_signbit(value) ? '-' : 0;
	uint64_t scale = 1;

	if (__builtin_isnan(value) || __builtin_isinf(value)) {
		put_padded(t, d, __builtin_isnan(value) ? "nan" : "inf", 3, sign);
		return;
	}
	if (sign)
		value = -value;
	for (int i = 0; i < precision; i++)
		scale *= 10;
	if (value >= 1e18) { /* beyond the integer part's 64 bits */
		put_padded(t, d, ">=1e18", 6, sign);
		return;
	}

	uint64_t whole = (uint64_t)value;
	uint64_t fraction = (uint64_t)((value - (double)whole) * (double)scale + 0.5);

	if (fraction >= scale) {
		whole++;
		fraction -= scale;
	}
	if (precision) {
		for (int i = 0; i < precision; i++, fraction /= 10)
			*--at = (char)('0' + fraction % 10);
		*--at = '.';
	}
	at = digits_of(whole, 10, false, at);
	put_padded(t, d, at, (size_t)(end - at), sign);
}

static int64_t signed_argument(char size, va_list *args)
{
	switch (size) {
	case 'l': return va_arg(*args, long);
	case 'L': return va_arg(*args, long long);
	case 'z': return va_arg(*args, ptrdiff_t);
	default: return va_arg(*args, int);
	}
}

static uint64_t unsigned_argument(char size, va_list *args)
{
	switch (size) {
	case 'l': return va_arg(*args, unsigned long);
	case 'L': return va_arg(*args, unsigned long long);
	case 'z': return va_arg(*args, size_t);
	default: return va_arg(*args, unsigned);
	}
}

static void put_integer(struct text *t, const struct directive *d, va_list *args)
{
	char buffer[24], *const end = buffer + sizeof buffer, *at;
	uint64_t value;
	char sign = 0;

	if (d->letter == 'd' || d->letter == 'i') {
		const int64_t number = signed_argument(d->size, args);

		sign = number < 0 ? '-' : 0;
		value = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	} else {
		value = d->letter == 'p' ? (uintptr_t)va_arg(*args, void *) : unsigned_argument(d->size, args);
	}
	at = digits_of(value, d->letter == 'x' || d->letter == 'X' || d->letter == 'p' ? 16 : 10, d->letter == 'X', end);
	if (d->letter == 'p') {
		put(t, '0');
		put(t, 'x');
	}
	put_padded(t, d, at, (size_t)(end - at), sign);
}

static void put_string(struct text *t, const struct directive *d, const char *s)
{
	size_t n = 0;

	if (!s)
		s = "(null)";
	while ((d->precision < 0 || n < (size_t)d->precision) && s[n])
		n++;
	put_padded(t, d, s, n, 0);
}

static int number_at(const char **at, va_list *args)
{
	int n = 0;

	if (**at == '*') {
		++*at;
		return va_arg(*args, int);
	}
	for (; **at >= '0' && **at <= '9' && n < 1000; ++*at)
		n = 10 * n + (**at - '0');
	return n;
}

/* Reads what follows a %; `at` ends behind the letter. */
static struct directive read_directive(const char **at, va_list *args)
{
	struct directive d = { .precision = -1 };

	for (; **at == '-' || **at == '0'; ++*at) {
		d.left |= **at == '-';
		d.zeros |= **at == '0';
	}
	d.width = number_at(at, args);
	if (**at == '.') {
		++*at;
		d.precision = number_at(at, args);
	}
	for (; **at == 'l' || **at == 'z'; ++*at)
		d.size = **at == 'z' ? 'z' : d.size == 'l' ? 'L' : 'l';
	d.letter = **at;
	if (d.letter)
		++*at;
	return d;
}

size_t format_text_list(char *to, size_t bytes, const char *format, va_list list)
{
	struct text t = { to, bytes, 0 };
	va_list args;

	va_copy(args, list);
	while (*format) {
		struct directive d;

		if (*format != '%') {
			put(&t, *format++);
			continue;
		}
		format++;
		d = read_directive(&format, &args);
		switch (d.letter) {
		case 's': put_string(&t, &d, va_arg(args, const char *)); break;
		case 'c': put(&t, (char)va_arg(args, int)); break;
		case 'f':
		case 'g': put_float(&t, &d, va_arg(args, double)); break;
		case 'd':
		case 'i':
		case 'u':
		case 'x':
		case 'X':
		case 'p': put_integer(&t, &d, &args); break;
		default: put(&t, d.letter ? d.letter : '%'); break;
		}
	}
	va_end(args);
	if (bytes)
		to[t.length < bytes ? t.length : bytes - 1] = 0;
	return t.length;
}

size_t format_text(char *to, size_t bytes, const char *format, ...)
{
	va_list args;
	size_t n;

	va_start(args, format);
	n = format_text_list(to, bytes, format, args);
	va_end(args);
	return n;
}
