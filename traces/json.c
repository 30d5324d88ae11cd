/* SPDX-License-Identifier: Apache-2.0 */
#include "traces/json.h"
#include "traces/output.h"

#include <inttypes.h>

/* Bytes of the UTF-8 character that s begins with (RFC 3629); 0: it is none. */
static unsigned character_bytes(const u8 *s)
{
	/* by the first byte: how many follow, and between which limits the second one lies */
	static const struct { u8 first, last, more, low, high; } forms[] = {
		{ 0x00, 0x7f, 0, 0, 0 },       { 0xc2, 0xdf, 1, 0x80, 0xbf }, { 0xe0, 0xe0, 2, 0xa0, 0xbf },
		{ 0xe1, 0xec, 2, 0x80, 0xbf }, { 0xed, 0xed, 2, 0x80, 0x9f }, { 0xee, 0xef, 2, 0x80, 0xbf },
		{ 0xf0, 0xf0, 3, 0x90, 0xbf }, { 0xf1, 0xf3, 3, 0x80, 0xbf }, { 0xf4, 0xf4, 3, 0x80, 0x8f },
	};

	for (unsigned i = 0; i < ARRAY_LEN(forms); i++) {
		if (s[0] < forms[i].first || s[0] > forms[i].last)
			continue;
		for (unsigned k = 1; k <= forms[i].more; k++)
			if (s[k] < (k == 1 ? forms[i].low : 0x80) || s[k] > (k == 1 ? forms[i].high : 0xbf))
				return 0;
		return forms[i].more + 1u;
	}
	return 0;
}

/* Names of files and functions can hold any bytes: what is not UTF-8 becomes U+FFFD. */
static void put_string(struct json *j, const char *text)
{
	putc('"', j->file);
	for (const u8 *s = (const u8 *)text, *next; *s; s = next) {
		const unsigned bytes = character_bytes(s);

		next = s + (bytes ? bytes : 1);
		if (!bytes)
			fputs("\\ufffd", j->file);
		else if (*s == '"' || *s == '\\')
			fprintf(j->file, "\\%c", *s);
		else if (*s < 0x20)
			fprintf(j->file, "\\u%04x", *s);
		else
			fwrite(s, 1, bytes, j->file);
	}
	putc('"', j->file);
}

static void item(struct json *j, const char *key)
{
	if (!j->first)
		putc(',', j->file);
	if (j->depth)
		fprintf(j->file, "\n%*s", (int)(2 * j->depth), "");
	j->first = false;
	if (key) {
		put_string(j, key);
		fputs(": ", j->file);
	}
}

static void open(struct json *j, const char *key, char bracket)
{
	item(j, key);
	putc(bracket, j->file);
	j->depth++;
	j->first = true;
}

bool json_begin(struct json *j, const char *path, char *why, size_t why_size)
{
	*j = (struct json){ .file = output_create(path, why, why_size), .path = path, .first = true };
	if (!j->file)
		return false;
	open(j, NULL, '{');
	return true;
}

void json_into(struct json *j, FILE *f)
{
	*j = (struct json){ .file = f, .first = true };
	open(j, NULL, '{');
}

void json_object(struct json *j, const char *key)
{
	open(j, key, '{');
}

void json_array(struct json *j, const char *key)
{
	open(j, key, '[');
}

void json_close(struct json *j, char bracket)
{
	j->depth--;
	if (!j->first)
		fprintf(j->file, "\n%*s", (int)(2 * j->depth), "");
	putc(bracket, j->file);
	j->first = false;
}

void json_into_end(struct json *j)
{
	json_close(j, '}');
	putc('\n', j->file);
}

bool json_end(struct json *j, char *why, size_t why_size)
{
	json_into_end(j);
	return output_finish(j->file, j->path, why, why_size);
}

void json_u64(struct json *j, const char *key, u64 value)
{
	item(j, key);
	fprintf(j->file, "%" PRIu64, value);
}

void json_string(struct json *j, const char *key, const char *value)
{
	item(j, key);
	put_string(j, value);
}

void json_fixed(struct json *j, const char *key, u64 value, unsigned digits)
{
	u64 unit = 1;

	for (unsigned i = 0; i < digits; i++)
		unit *= 10;
	item(j, key);
	fprintf(j->file, "%" PRIu64 ".%0*" PRIu64, value / unit, (int)digits, value % unit);
}
