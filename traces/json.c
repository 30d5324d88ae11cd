/* SPDX-License-Identifier: Apache-2.0 */
#include "traces/json.h"
#include "traces/output.h"

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

bool json_begin(struct json *j, const char *path, char *why, size_t why_size)
{
	*j = (struct json){ .file = output_create(path, why, why_size), .path = path, .first = true };
	if (!j->file)
		return false;
	open(j, NULL, '{');
	return true;
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

bool json_end(struct json *j, char *why, size_t why_size)
{
	json_close(j, '}');
	putc('\n', j->file);
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
