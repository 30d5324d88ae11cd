/* SPDX-License-Identifier: Apache-2.0 */
#include "traces/json.h"

#include <inttypes.h>

static void put_string(struct json *j, const char *s)
{
	putc('"', j->file);
	for (; *s; s++) {
		const unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			fprintf(j->file, "\\%c", c);
		else if (c < 0x20)
			fprintf(j->file, "\\u%04x", c);
		else
			putc(c, j->file);
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

void json_begin(struct json *j, FILE *file)
{
	*j = (struct json){ .file = file, .first = true };
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

void json_end(struct json *j)
{
	json_close(j, '}');
	putc('\n', j->file);
}

void json_u64(struct json *j, const char *key, u64 value)
{
	item(j, key);
	fprintf(j->file, "%" PRIu64, value);
}

void json_bool(struct json *j, const char *key, bool value)
{
	item(j, key);
	fputs(value ? "true" : "false", j->file);
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
