/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/params/message.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 4096 };

/* Bytes of the UTF-8 character that `p` begins with; 0: none, or one that controls the terminal (C0, DEL, C1). */
static unsigned shown_as_is(const u8 *p)
{
	static const struct { u8 mask, bits; unsigned more; u32 least; } forms[] = {
		{ 0x80, 0x00, 0, 0x20 }, { 0xe0, 0xc0, 1, 0xa0 }, { 0xf0, 0xe0, 2, 0x800 }, { 0xf8, 0xf0, 3, 0x10000 },
	};

	for (unsigned i = 0; i < ARRAY_LEN(forms); i++) {
		u32 code = *p & (u8)~forms[i].mask;

		if ((*p & forms[i].mask) != forms[i].bits)
			continue;
		for (unsigned k = 1; k <= forms[i].more; k++) {
			if ((p[k] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (p[k] & 0x3f);
		}
		return code >= forms[i].least && code != 0x7f && code <= 0x10ffff ? 1 + forms[i].more : 0;
	}
	return 0;
}

void message_escape(char *to, size_t size, const char *from)
{
	const u8 *p = (const u8 *)from;
	size_t used = 0;

	while (*p && used + 5 <= size) { /* the longest piece and the end */
		const unsigned plain = shown_as_is(p);

		if (plain) {
			memcpy(to + used, p, plain);
			used += plain;
			p += plain;
		} else {
			used += (size_t)snprintf(to + used, size - used, "\\x%02x", *p++);
		}
	}
	to[used] = 0;
}

void message_list(const char *format, va_list args)
{
	char text[LONGEST], escaped[4 * LONGEST];
	size_t length;
	bool line;

	if (!format)
		return;
	vsnprintf(text, sizeof text, format, args);
	length = strlen(text);
	line = length && format[strlen(format) - 1] == '\n';
	if (line && text[length - 1] == '\n')
		text[length - 1] = 0;
	message_escape(escaped, sizeof escaped, text);
	fprintf(stderr, line ? "%s\n" : "%s", escaped);
}

void message(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message_list(format, args);
	va_end(args);
}
