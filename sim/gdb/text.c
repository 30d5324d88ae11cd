/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/gdb/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_clear(struct text *t)
{
	t->bytes = 0;
}

void text_free(struct text *t)
{
	free(t->data);
	*t = (struct text){ 0 };
}

/* Room for that many more and a zero; false: there is none. */
static bool reserve(struct text *t, size_t bytes)
{
	size_t room = t->room ? t->room : 256;
	char *more;

	if (t->bytes + bytes < t->room)
		return true;
	while (room <= t->bytes + bytes)
		room *= 2;
	more = realloc(t->data, room);
	if (!more)
		return false;
	t->data = more;
	t->room = room;
	return true;
}

void text_bytes(struct text *t, const void *data, size_t bytes)
{
	if (!reserve(t, bytes))
		return;
	memcpy(t->data + t->bytes, data, bytes);
	t->bytes += bytes;
	t->data[t->bytes] = 0;
}

void text_add(struct text *t, const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	const int n = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	if (n > 0)
		text_bytes(t, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

void text_hex(struct text *t, const void *data, size_t bytes)
{
	static const char digit[] = "0123456789abcdef";
	const u8 *from = data;

	for (size_t i = 0; i < bytes; i++)
		text_bytes(t, (char[]){ digit[from[i] >> 4], digit[from[i] & 15] }, 2);
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool hex_number(const char **at, u64 *out)
{
	unsigned digits = 0;

	for (*out = 0; digit_of(**at) >= 0; (*at)++, digits++)
		*out = *out << 4 | (u64)digit_of(**at);
	return digits && digits <= 16;
}

bool hex_bytes(const char *from, u8 *to, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		const int high = digit_of(from[2 * i]), low = high < 0 ? -1 : digit_of(from[2 * i + 1]);

		if (low < 0)
			return false;
		to[i] = (u8)(high << 4 | low);
	}
	return true;
}
