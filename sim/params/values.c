/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/params/values.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

bool value_u64(const char *text, u64 *out)
{
	const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end;
	u64 value;

	if (strspn(text, "0123456789abcdefABCDEFxX") != strlen(text) || !*text)
		return false;
	errno = 0;
	value = strtoull(text, &end, hex ? 16 : 10);
	if (errno || *end)
		return false;
	*out = value;
	return true;
}

bool value_u32(const char *text, u32 *out)
{
	u64 v;

	if (!value_u64(text, &v) || v > UINT32_MAX)
		return false;
	*out = (u32)v;
	return true;
}

bool value_bool(const char *text, bool *out)
{
	static const char *const words[2][4] = { { "0", "0x0", "false", "off" }, { "1", "0x1", "true", "on" } };

	for (unsigned v = 0; v < 2; v++)
		for (unsigned i = 0; i < ARRAY_LEN(words[v]); i++)
			if (!strcasecmp(text, words[v][i])) {
				*out = v;
				return true;
			}
	return false;
}

bool value_seconds(const char *text, double *out)
{
	char *end;
	const double seconds = strtod(text, &end);

	if (end == text || *end || !isfinite(seconds) || seconds < 0)
		return false;
	*out = seconds;
	return true;
}

bool value_date(const char *text, u32 *out)
{
	struct tm date = { 0 }, before;
	int used = 0;
	i64 seconds;

	if (value_u32(text, out))
		return true;
	if (sscanf(text, "%4d-%2d-%2d%n", &date.tm_year, &date.tm_mon, &date.tm_mday, &used) != 3)
		return false;
	text += used;
	used = 0;
	if (*text && sscanf(text, "T%2d:%2d:%2d%n", &date.tm_hour, &date.tm_min, &date.tm_sec, &used) != 3)
		return false;
	date.tm_year -= 1900;
	date.tm_mon--;
	before = date;
	seconds = timegm(&date); /* turns a 30th of February into a 2nd of March */
	if (text[used] || date.tm_mon != before.tm_mon || date.tm_mday != before.tm_mday || date.tm_hour != before.tm_hour ||
	    date.tm_min != before.tm_min || date.tm_sec != before.tm_sec || seconds < 0 || seconds > UINT32_MAX)
		return false;
	*out = (u32)seconds;
	return true;
}

/* "[MEM:]ADDR" or "[MEM:]ADDR,SIZE". */
static bool place(const char *text, bool with_size, struct data_file *out)
{
	char copy[64], *comma, *colon;

	if (strlen(text) >= sizeof copy)
		return false;
	strcpy(copy, text);
	comma = strchr(copy, ',');
	if (with_size != (comma != NULL))
		return false;
	if (comma)
		*comma++ = 0;
	colon = strrchr(copy, ':');
	return value_u32(colon ? colon + 1 : copy, &out->addr) && (!comma || value_u64(comma, &out->size));
}

bool value_data_file(char *text, bool with_size, struct data_file *out)
{
	char *at = strrchr(text, '@'), *instance = strchr(text, '='), *slash = strchr(text, '/');
	struct data_file d = { .path = text };

	if (!at || !place(at + 1, with_size, &d))
		return false;
	if (instance && instance < at && (!slash || instance < slash)) { /* "cpu0=" and not part of a path */
		d.instance = text;
		d.path = instance + 1;
	}
	if (d.path == at)
		return false;
	if (d.instance)
		*instance = 0;
	*at = 0;
	*out = d;
	return true;
}
