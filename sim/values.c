/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool value_u64(const char *text, u64 *out)
{
	const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end;

	if (strspn(text, "0123456789abcdefABCDEFxX") != strlen(text) || !*text)
		return false;
	errno = 0;
	*out = strtoull(text, &end, hex ? 16 : 10);
	return !errno && !*end;
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

	*out = strtod(text, &end);
	return end != text && !*end && isfinite(*out) && *out >= 0;
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

	*out = (struct data_file){ .path = text };
	if (!at || !place(at + 1, with_size, out))
		return false;
	if (instance && instance < at && (!slash || instance < slash)) { /* "cpu0=" and not part of a path */
		out->instance = text;
		out->path = instance + 1;
	}
	if (out->path == at)
		return false;
	if (out->instance)
		*instance = 0;
	*at = 0;
	return true;
}
